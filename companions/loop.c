#include "loop.h"

#include <errno.h>
#include <signalkit/queue_custom.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct companion_work {
    sgk_work_fn work;
    void *context;
    sgk_destroy_fn destroy; /* NULL: nothing */
    bool is_awaited;
    companion_work *next;
};

static _Thread_local companion_loop *companion_current_loop;

static bool companion_loop_is_current(void *loop) { return companion_current_loop == loop; }

static void companion_loop_wake(companion_loop *loop) {
    while (write(loop->event, &(uint64_t){1}, sizeof(uint64_t)) < 0 && errno == EINTR) {}
}

static sgk_status put(companion_loop *loop, companion_work work) {
    if (loop->process != companion_process()) return SGK_ERROR_ENDED; /* a resumption in the child of a fork */
    companion_work *item = malloc(sizeof *item);
    if (!item) return SGK_ERROR_MEMORY;
    *item = work;
    pthread_mutex_lock(&loop->lock);
    bool is_refused = loop->is_ended, is_first = !loop->first;
    if (!is_refused) {
        *loop->last = item;
        loop->last = &item->next;
    }
    pthread_mutex_unlock(&loop->lock);
    if (is_refused) return free(item), SGK_ERROR_ENDED;
    if (is_first) companion_loop_wake(loop);
    return SGK_OK;
}

/* The queue's table. */
static sgk_status companion_loop_put(void *loop, sgk_work_fn work, void *context, sgk_destroy_fn destroy) {
    return put(loop, (companion_work){work, context, destroy, false, NULL});
}
static void companion_loop_retain(void *loop) { ((companion_loop *)loop)->references++; }
static void companion_loop_release(void *context) {
    companion_loop *loop = context;
    if (--loop->references) return;
    if (loop->event >= 0) close(loop->event);
    pthread_mutex_destroy(&loop->lock);
    free(loop);
}

/* Runs the pending work. Work that arrives in the meantime waits for the next call. Returns false at the end. */
static bool companion_loop_work(companion_loop *loop) {
    pthread_mutex_lock(&loop->lock);
    companion_work *item = loop->first;
    loop->first = NULL;
    loop->last = &loop->first;
    pthread_mutex_unlock(&loop->lock);
    for (companion_work *next; item; item = next) {
        next = item->next;
        if (!loop->is_ended) item->work(item->context);
        if (item->destroy) item->destroy(item->context);
        if (item->is_awaited) companion_has_ended();
        free(item);
    }
    pthread_mutex_lock(&loop->lock);
    bool goes_on = !loop->is_ended || loop->first;
    pthread_mutex_unlock(&loop->lock);
    return goes_on;
}

static void *companion_loop_run(void *context) {
    companion_loop *loop = companion_current_loop = context;
    struct pollfd descriptors[2] = {{.fd = loop->event, .events = POLLIN}};
    while (companion_loop_work(loop)) {
        descriptors[1] = (struct pollfd){.fd = -1};
        int patience = loop->driver->prepare(loop->client, &descriptors[1]);
        if (poll(descriptors, 2, patience) < 0) descriptors[0].revents = descriptors[1].revents = 0;
        uint64_t count;
        if (descriptors[0].revents && read(loop->event, &count, sizeof count) < 0) continue;
        loop->driver->step(loop->client, descriptors[1].revents);
    }
    loop->driver->close(loop->client);
    return NULL;
}

companion_loop *companion_loop_create(const companion_driver *driver, void *client) {
    static const sgk_queue_table table = {.size = sizeof table,
        .dispatch = companion_loop_put,
        .is_current = companion_loop_is_current,
        .retain = companion_loop_retain,
        .release = companion_loop_release};
    companion_loop *loop = calloc(1, sizeof *loop);
    if (!loop) return NULL;
    *loop = (companion_loop){
        .driver = driver, .client = client, .references = 1, .last = &loop->first, .process = companion_process()};
    pthread_mutex_init(&loop->lock, NULL);
    loop->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    loop->queue = loop->event < 0 ? NULL : sgk_queue_create_custom(&table, loop);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* system signals go to the program's threads */
    int refused = !loop->queue || pthread_create(&loop->thread, NULL, companion_loop_run, loop);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!refused) return pthread_setname_np(loop->thread, driver->name), loop;
    sgk_queue_release(loop->queue);
    companion_loop_release(loop);
    return NULL;
}

void companion_loop_let_go(companion_loop *loop, sgk_work_fn work, void *context, sgk_destroy_fn destroy) {
    if (loop->process != companion_process()) return;
    if (companion_loop_is_current(loop)) {
        work(context);
        if (destroy) destroy(context);
        return;
    }
    companion_ends();
    companion_loop_retain(loop);
    if (put(loop, (companion_work){work, context, destroy, true, NULL}) != SGK_OK) {
        if (destroy) destroy(context);
        companion_has_ended();
    }
    companion_loop_release(loop);
}

static void companion_loop_nothing(void *context) { (void)context; }
void companion_loop_be_awaited(companion_loop *loop) {
    companion_loop_let_go(loop, companion_loop_nothing, NULL, NULL);
}

static void companion_loop_join(void *context) {
    companion_loop *loop = context;
    pthread_join(loop->thread, NULL);
    sgk_queue_release(loop->queue);
    companion_loop_release(loop);
}

void companion_loop_end(companion_loop *loop) {
    companion_later(companion_loop_join, loop);
    pthread_mutex_lock(&loop->lock);
    loop->is_ended = true;
    companion_loop_wake(loop);
    pthread_mutex_unlock(&loop->lock); /* then it may be gone */
}
