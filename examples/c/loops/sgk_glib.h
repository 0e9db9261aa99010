/* A queue on a GLib main context.
 *
 *     sgk_glib *adapter = sgk_glib_open(context);      on the thread that runs the context (NULL: the default one); NULL when it fails
 *     … adapter->inbox.queue …                         a queue like any other; borrowed
 *     sgk_glib_close(adapter);                         on that thread, when the loop ends: work that waits is let go, later work refused */
#ifndef SGK_GLIB_H
#define SGK_GLIB_H

#include "inbox.h"

#include <glib.h>

typedef struct sgk_glib {
    inbox inbox; /* must be the first */
    GSource *source;
} sgk_glib;

/* The source is ready when its ready time has come. Setting that wakes the context, on any thread. */
static void sgk_glib_wake(inbox *in) { g_source_set_ready_time(((sgk_glib *)in)->source, 0); }
static void sgk_glib_free(inbox *in) { free(in); }

static gboolean sgk_glib_dispatch(GSource *source, GSourceFunc callback, gpointer context) {
    (void)callback;
    sgk_glib *a = context;
    g_source_set_ready_time(source, -1); /* first: what comes meanwhile sets it anew */
    double left = inbox_run(&a->inbox);
    if (left < 0) return G_SOURCE_CONTINUE;
    pthread_mutex_lock(&a->inbox.lock);
    if (g_source_get_ready_time(source) < 0) g_source_set_ready_time(source, g_get_monotonic_time() + (gint64)(left * 1e6) + 1);
    pthread_mutex_unlock(&a->inbox.lock);
    return G_SOURCE_CONTINUE;
}

static inline void sgk_glib_close(sgk_glib *a) {
    GSource *source = a->source;
    g_source_destroy(source);
    inbox_close(&a->inbox); /* `a` may be gone after this */
    g_source_unref(source);
}

static inline sgk_glib *sgk_glib_open(GMainContext *context) {
    static GSourceFuncs functions = {.dispatch = sgk_glib_dispatch};
    sgk_glib *a = malloc(sizeof *a);
    if (!a) return NULL;
    a->source = g_source_new(&functions, sizeof(GSource));
    g_source_set_callback(a->source, NULL, a, NULL);
    g_source_attach(a->source, context);
    if (inbox_open(&a->inbox, sgk_glib_wake, sgk_glib_free)) return a;
    sgk_glib_close(a);
    return NULL;
}

#endif
