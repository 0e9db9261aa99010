/* A queue on a GLib main context.
 *
 *     sgk_glib *adapter = sgk_glib_open(context);      on the thread that runs the context (NULL: the default one); NULL when it fails
 *     … adapter->inbox.queue …                         a queue like any other; borrowed
 *     sgk_glib_close(adapter);                         on that thread, when the loop ends: work that waits is let go, later work refused */
#ifndef SGK_GLIB_H
#define SGK_GLIB_H

#include "inbox.h"

#include <glib-unix.h>
#include <glib.h>

typedef struct sgk_glib {
    inbox inbox; /* must be the first */
    GSource *source;
    struct sgk_glib_watch *watches;
} sgk_glib;

/* The source is ready at its ready time. Setting that time wakes the context, on any thread. */
static void sgk_glib_wake(inbox *in) { g_source_set_ready_time(((sgk_glib *)in)->source, 0); }
static void sgk_glib_free(inbox *in) { free(in); }

static gboolean sgk_glib_dispatch(GSource *source, GSourceFunc callback, gpointer context) {
    (void)callback;
    sgk_glib *a = context;
    g_source_set_ready_time(source, -1); /* first: work that arrives from now on sets it again */
    double left = inbox_run(&a->inbox);
    if (left < 0) return G_SOURCE_CONTINUE;
    pthread_mutex_lock(&a->inbox.lock);
    if (g_source_get_ready_time(source) < 0) g_source_set_ready_time(source, g_get_monotonic_time() + (gint64)(left * 1e6) + 1);
    pthread_mutex_unlock(&a->inbox.lock);
    return G_SOURCE_CONTINUE;
}

/* ---- Descriptors: a source for each time that one is watched ---- */

typedef struct sgk_glib_watch {
    struct sgk_glib_watch *next, **link; /* NULL when it is taken out */
    GSource *source;
    int fd;
    sgk_ready_fn ready;
    void *context;
    sgk_destroy_fn destroy;
} sgk_glib_watch;

static void sgk_glib_take(sgk_glib_watch *w) {
    *w->link = w->next;
    if (w->next) w->next->link = w->link;
    w->link = NULL;
}

static gboolean sgk_glib_on_fd(gint fd, GIOCondition seen, gpointer context) {
    (void)fd;
    sgk_glib_watch *w = context;
    sgk_glib_take(w);
    w->ready(w->context, (seen & (G_IO_IN | G_IO_ERR) ? SGK_FD_READ : 0) | (seen & (G_IO_OUT | G_IO_ERR) ? SGK_FD_WRITE : 0) |
                             (seen & G_IO_HUP ? SGK_FD_HANGUP : 0));
    return G_SOURCE_REMOVE;
}
/* GLib calls it when the source is destroyed and does not run. */
static void sgk_glib_let_go(gpointer context) {
    sgk_glib_watch *w = context;
    w->destroy(w->context);
    g_source_unref(w->source);
    free(w);
}

static sgk_status sgk_glib_watch_fd(void *context, int fd, uint32_t events, sgk_ready_fn ready, void *ready_context, sgk_destroy_fn destroy) {
    sgk_glib *a = context;
    sgk_glib_watch *w = malloc(sizeof *w);
    if (!w) return SGK_ERROR_SYSTEM;
    GSource *source = g_unix_fd_source_new(fd, (events & SGK_FD_READ ? G_IO_IN : 0) | (events & SGK_FD_WRITE ? G_IO_OUT : 0));
    *w = (sgk_glib_watch){a->watches, &a->watches, source, fd, ready, ready_context, destroy};
    if (w->next) w->next->link = &w->next;
    a->watches = w;
    g_source_set_callback(source, (GSourceFunc)(void (*)(void))sgk_glib_on_fd, w, sgk_glib_let_go);
    g_source_attach(source, g_source_get_context(a->source));
    return SGK_OK;
}

/* Those of a descriptor; of -1 all. */
static void sgk_glib_unwatch_fd(void *context, int fd) {
    for (sgk_glib_watch *w = ((sgk_glib *)context)->watches, *next; w; w = next) {
        next = w->next;
        if (fd >= 0 && w->fd != fd) continue;
        sgk_glib_take(w);
        g_source_destroy(w->source);
    }
}

static inline void sgk_glib_close(sgk_glib *a) {
    GSource *source = a->source;
    sgk_glib_unwatch_fd(a, -1);
    g_source_destroy(source);
    inbox_close(&a->inbox); /* `a` may be gone after this */
    g_source_unref(source);
}

static inline sgk_glib *sgk_glib_open(GMainContext *context) {
    static GSourceFuncs functions = {.dispatch = sgk_glib_dispatch};
    sgk_glib *a = malloc(sizeof *a);
    if (!a) return NULL;
    a->watches = NULL;
    a->source = g_source_new(&functions, sizeof(GSource));
    g_source_set_callback(a->source, NULL, a, NULL);
    g_source_attach(a->source, context);
    if (inbox_open(&a->inbox, sgk_glib_wake, sgk_glib_free, sgk_glib_watch_fd, sgk_glib_unwatch_fd)) return a;
    sgk_glib_close(a);
    return NULL;
}

#endif
