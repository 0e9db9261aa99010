#include "signalkit/zmq.h"

#include "common.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <zmq.h>

enum { WAKING = 100 }; /* milliseconds after which a sender that waits looks whether it is closed */

const char *sgk_zmq_last_error(void) { return companion_last_error(); }

static sgk_status refused(const char *function, const char *argument) {
    sgk_status status = errno == ENOMEM ? SGK_ERROR_MEMORY : errno == EINVAL ? SGK_ERROR_ARGUMENT : SGK_ERROR_SYSTEM;
    return companion_failed(status, function, argument, zmq_strerror(errno));
}

/* ---- Contexts ---- */

struct sgk_zmq {
    companion_object object;
    void *context;
    _Atomic int64_t sent, received, dropped;
};

/* Waits for what lingers. */
static void tear_down_context(void *object) {
    sgk_zmq *zmq = object;
    while (zmq_ctx_term(zmq->context) != 0 && errno == EINTR) {}
    free(zmq);
}
static void destroy_context(void *zmq) { companion_later(tear_down_context, zmq); }
static const companion_kind context_kind = {"sgk_zmq", destroy_context};

COMPANION_HANDLE(sgk_zmq, &context_kind)

sgk_zmq *sgk_zmq_create(int io_threads) {
    if (io_threads < 0) return companion_failed(SGK_ERROR_ARGUMENT, __func__, "io_threads", "must be 0 or more"), NULL;
    if (io_threads == 0) io_threads = ZMQ_IO_THREADS_DFLT;
    sgk_zmq *zmq = companion_create(&context_kind, sizeof *zmq);
    if (zmq && (zmq->context = zmq_ctx_new()) && zmq_ctx_set(zmq->context, ZMQ_IO_THREADS, io_threads) == 0) return zmq;
    refused(__func__, "io_threads");
    if (zmq && zmq->context) zmq_ctx_term(zmq->context);
    free(zmq);
    return NULL;
}

sgk_status sgk_zmq_counts_get(sgk_zmq *zmq, sgk_zmq_counts *counts) {
    sgk_status status = companion_may_count(zmq, &context_kind, __func__, "zmq", counts);
    if (status != SGK_OK) return status;
    sgk_zmq_counts now = {sizeof now, zmq->sent, zmq->received, zmq->dropped};
    return companion_count(counts, &now, sizeof now);
}

/* ---- Sockets ---- */

/* The description of a socket. */
typedef struct recipe {
    sgk_zmq *zmq;
    const char *function; /* of the header */
    int type, limit, linger;
    sgk_overflow overflow;
    const char *topic; /* behind the endpoints; NULL: none */
    char endpoints[];
} recipe;

static void free_recipe(void *context) {
    companion_release(((recipe *)context)->zmq);
    free(context);
}

static bool sends(int type) { return type == ZMQ_PUB || type == ZMQ_PUSH; }

/* NULL, and the mistake is recorded, when the arguments are none. */
static recipe *recipe_of(sgk_zmq *zmq, int type, const char *endpoints, const char *topic, const sgk_zmq_options *given,
    const char *function) {
    sgk_zmq_options options = SGK_ZMQ_OPTIONS_INIT;
    if (!companion_needs(zmq, &context_kind, function, "zmq")) return NULL;
    if (!endpoints) return companion_failed(SGK_ERROR_NULL, function, "endpoints", "must not be NULL"), NULL;
    if ((given && !companion_copy_struct(&options, sizeof options, given)) || options.limit < 0 ||
        options.limit > INT_MAX || !(options.linger >= 0))
        return companion_failed(SGK_ERROR_ARGUMENT, function, "options", "a field is out of range"), NULL;
    if (options.overflow == 0) options.overflow = SGK_OVERFLOW_SUSPEND;
    bool is_known = options.overflow == SGK_OVERFLOW_SUSPEND || options.overflow == SGK_OVERFLOW_KEEP_LATEST ||
        (sends(type) && (options.overflow == SGK_OVERFLOW_DROP_NEWEST || options.overflow == SGK_OVERFLOW_ERROR));
    if (!is_known)
        return companion_failed(SGK_ERROR_ARGUMENT, function, "options", "the overflow policy is not supported here"),
               NULL;
    size_t length = strlen(endpoints) + 1, more = topic ? strlen(topic) + 1 : 0;
    recipe *recipe = malloc(sizeof *recipe + length + more);
    if (!recipe) return companion_failed(SGK_ERROR_MEMORY, function, "endpoints", "out of memory"), NULL;
    recipe->zmq = companion_retain(zmq);
    recipe->type = type;
    recipe->function = function;
    recipe->limit = options.limit ? (int)options.limit : 1000;
    recipe->overflow = options.overflow;
    double linger = options.linger > 0 ? options.linger : 1;
    recipe->linger = linger > INT_MAX / 1000 ? -1 : (int)ceil(linger * 1000);
    memcpy(recipe->endpoints, endpoints, length);
    recipe->topic = topic ? memcpy(recipe->endpoints + length, topic, more) : NULL;
    return recipe;
}

static int set(void *socket, int option, int value) { return zmq_setsockopt(socket, option, &value, sizeof value); }

/* (ZeroMQ takes a port that is too large for another one.) */
static bool has_such_a_port(const char *endpoint) {
    return strncmp(endpoint, "tcp://", 6) != 0 || atol(strrchr(endpoint, ':') + 1) <= UINT16_MAX;
}

static int attach(void *socket, int type, char *endpoints) {
    int count = 0;
    for (char *one, *rest = endpoints; (one = strtok_r(rest, ", ", &rest)); count++) {
        bool binds = *one == '@' || (*one != '>' && (type == ZMQ_PUB || type == ZMQ_PULL));
        one += *one == '@' || *one == '>';
        if (!has_such_a_port(one)) return errno = EINVAL, -1;
        if ((binds ? zmq_bind : zmq_connect)(socket, one) != 0) return -1;
    }
    return count ? 0 : (errno = EINVAL, -1);
}

/* NULL: errno says why. */
static void *socket_of(const recipe *recipe) {
    void *socket = zmq_socket(recipe->zmq->context, recipe->type);
    if (!socket) return NULL;
    char *endpoints = strdup(recipe->endpoints); /* to be cut */
    bool is_latest = recipe->overflow == SGK_OVERFLOW_KEEP_LATEST;
    int failed = !endpoints || set(socket, ZMQ_SNDHWM, recipe->limit) || set(socket, ZMQ_RCVHWM, recipe->limit) ||
        set(socket, ZMQ_LINGER, recipe->linger) || (is_latest && set(socket, ZMQ_CONFLATE, 1)) ||
        (sends(recipe->type) && set(socket, ZMQ_SNDTIMEO, recipe->overflow == SGK_OVERFLOW_SUSPEND ? WAKING : 0)) ||
        (recipe->type == ZMQ_PUB &&
            set(socket, ZMQ_XPUB_NODROP,
                recipe->overflow == SGK_OVERFLOW_SUSPEND || recipe->overflow == SGK_OVERFLOW_ERROR)) ||
        (recipe->topic && zmq_setsockopt(socket, ZMQ_SUBSCRIBE, recipe->topic, strlen(recipe->topic))) ||
        attach(socket, recipe->type, endpoints);
    int error = errno;
    free(endpoints);
    if (!failed) return socket;
    zmq_close(socket);
    errno = error;
    return NULL;
}

/* ---- Sending ---- */

struct sgk_zmq_sender {
    companion_object object;
    sgk_zmq *zmq;
    sgk_overflow overflow;
    atomic_bool is_closed;
    pthread_mutex_t lock; /* of the socket, which one thread uses at a time, also while it waits for the limit */
    void *socket;         /* NULL: closed */
};

static void close_sender(sgk_zmq_sender *self) {
    self->is_closed = true;
    pthread_mutex_lock(&self->lock);
    if (self->socket) zmq_close(self->socket);
    self->socket = NULL;
    pthread_mutex_unlock(&self->lock);
}
static void destroy_sender(void *object) {
    sgk_zmq_sender *self = object;
    close_sender(self);
    pthread_mutex_destroy(&self->lock);
    companion_release(self->zmq);
    free(self);
}
static const companion_kind sender_kind = {"sgk_zmq_sender", destroy_sender};

COMPANION_HANDLE(sgk_zmq_sender, &sender_kind)

static sgk_zmq_sender *open_sender(
    sgk_zmq *zmq, int type, const char *endpoints, const sgk_zmq_options *options, const char *function) {
    recipe *recipe = recipe_of(zmq, type, endpoints, NULL, options, function);
    if (!recipe) return NULL;
    sgk_zmq_sender *self = companion_create(&sender_kind, sizeof *self);
    void *socket = self ? socket_of(recipe) : NULL;
    if (socket) {
        self->zmq = companion_retain(zmq);
        self->overflow = recipe->overflow;
        self->socket = socket;
        pthread_mutex_init(&self->lock, NULL);
    } else {
        refused(function, "endpoints");
        free(self);
        self = NULL;
    }
    free_recipe(recipe);
    return self;
}

sgk_zmq_sender *sgk_zmq_publisher(sgk_zmq *zmq, const char *endpoints, const sgk_zmq_options *options) {
    return open_sender(zmq, ZMQ_PUB, endpoints, options, __func__);
}

sgk_zmq_sender *sgk_zmq_pusher(sgk_zmq *zmq, const char *endpoints, const sgk_zmq_options *options) {
    return open_sender(zmq, ZMQ_PUSH, endpoints, options, __func__);
}

/* Returns 0 or an errno. Only the first part of a message can exceed the limit. */
static int send_part(sgk_zmq_sender *self, const void *data, size_t length, bool has_more) {
    while (zmq_send(self->socket, data, length, has_more ? ZMQ_SNDMORE : 0) < 0) {
        bool waits = errno == EINTR || (errno == EAGAIN && self->overflow == SGK_OVERFLOW_SUSPEND);
        if (!waits) return errno;
        if (self->is_closed) return ENOTSOCK;
    }
    return 0;
}

static sgk_status send_message(sgk_zmq_sender *self, sgk_value message, const char *function) {
    size_t count = 1;
    const sgk_value *parts = sgk_value_kind(message) == SGK_ARRAY ? sgk_array_items(message, &count) : &message;
    const void *data;
    size_t length;
    for (size_t i = 0; i < count; i++) /* all, before any of them goes */
        if (companion_payload(parts[i], function, &data, &length) != SGK_OK) return SGK_ERROR_KIND;
    if (count == 0) return companion_failed(SGK_ERROR_ARGUMENT, function, "message", "must have a part");
    if (count > 1 && self->overflow == SGK_OVERFLOW_KEEP_LATEST)
        return companion_failed(SGK_ERROR_ARGUMENT, function, "message", "must have one part");
    int error = 0;
    pthread_mutex_lock(&self->lock);
    for (size_t i = 0; i < count && error == 0; i++) {
        data = sgk_value_data(parts[i], &length);
        error = self->socket ? send_part(self, data, length, i + 1 < count) : ENOTSOCK;
    }
    pthread_mutex_unlock(&self->lock);
    if (error == 0) return atomic_fetch_add_explicit(&self->zmq->sent, 1, memory_order_relaxed), SGK_OK;
    if (error == ENOTSOCK) return SGK_ERROR_ENDED;
    if (error == EAGAIN && self->overflow == SGK_OVERFLOW_DROP_NEWEST)
        return atomic_fetch_add_explicit(&self->zmq->dropped, 1, memory_order_relaxed), SGK_OK;
    errno = error;
    return refused(function, "message");
}

sgk_status sgk_zmq_send(sgk_zmq_sender *sender, sgk_value message) {
    sgk_status status = !sender ? SGK_ERROR_NULL : SGK_ERROR_HANDLE;
    if (companion_needs(sender, &sender_kind, __func__, "sender")) status = send_message(sender, message, __func__);
    companion_done_with(message);
    return status;
}

static void send_next(void *context, sgk_value message) { send_message(context, message, "sgk_zmq_sink"); }

sgk_subscriber *sgk_zmq_sink(sgk_zmq_sender *sender) {
    if (!companion_needs(sender, &sender_kind, __func__, "sender")) return NULL;
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = companion_retain(sender);
    handlers.destroy = companion_release;
    handlers.next = send_next;
    handlers.error = sgk_ignore_error;
    return sgk_subscriber_create(&handlers);
}

static sgk_value send_on_its_way(void *context, sgk_value message) {
    sgk_status status = send_message(context, message, "sgk_zmq_sent");
    return status == SGK_OK
        ? sgk_unchanged()
        : sgk_failed(sgk_error(
              status, status == SGK_ERROR_ENDED ? "sgk_zmq_sent: the socket is closed" : companion_last_error()));
}

sgk_signal *sgk_zmq_sent(sgk_signal *signal, sgk_zmq_sender *sender) {
    if (!companion_needs(sender, &sender_kind, __func__, "sender")) return NULL;
    return sgk_signal_map(signal, send_on_its_way, companion_retain(sender), companion_release);
}

sgk_status sgk_zmq_endpoint(sgk_zmq_sender *sender, char *text, size_t size) {
    if (!companion_needs(sender, &sender_kind, __func__, "sender")) return sender ? SGK_ERROR_HANDLE : SGK_ERROR_NULL;
    if (!text) return companion_failed(SGK_ERROR_NULL, __func__, "text", "must not be NULL");
    pthread_mutex_lock(&sender->lock);
    bool is_there = sender->socket != NULL;
    int failed = is_there ? zmq_getsockopt(sender->socket, ZMQ_LAST_ENDPOINT, text, &size) : 0;
    pthread_mutex_unlock(&sender->lock);
    return !is_there ? SGK_ERROR_ENDED : failed ? refused(__func__, "size") : SGK_OK;
}

sgk_status sgk_zmq_close(sgk_zmq_sender *sender) {
    if (!companion_needs(sender, &sender_kind, __func__, "sender")) return sender ? SGK_ERROR_HANDLE : SGK_ERROR_NULL;
    close_sender(sender);
    return SGK_OK;
}

/* ---- Receiving: a thread for each run, which makes an end of its socket itself ---- */

typedef struct run {
    companion_object object; /* retained by the disposable and by its thread */
    sgk_zmq *zmq;
    sgk_subscriber *subscriber;
    const char *function; /* of the header */
    void *socket;
    int event; /* raised at the disposal and at the end of a pause */
} run;

static void destroy_run(void *object) {
    run *self = object;
    if (self->event >= 0) close(self->event);
    sgk_subscriber_release(self->subscriber);
    companion_release(self->zmq);
    free(self);
}
static const companion_kind run_kind = {"run", destroy_run};

static void wake(void *context) {
    if (!companion_is_here(context)) return;
    while (write(((run *)context)->event, &(uint64_t){1}, sizeof(uint64_t)) < 0 && errno == EINTR) {}
}
static void wake_at_resume(run *self) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_concurrent_default();
    sgk_subscriber_on_resume(self->subscriber, wake, companion_retain(self), companion_release, queue);
}
static void dispose_run(void *context) {
    if (!companion_is_here(context)) return;
    companion_ends();
    wake(context);
}

static sgk_value part_value(zmq_msg_t *part) { return sgk_bytes(zmq_msg_data(part), zmq_msg_size(part)); }

/* A message that is there; null, and errno is EAGAIN, when none is. */
static sgk_value receive(void *socket) {
    zmq_msg_t part;
    zmq_msg_init(&part);
    if (zmq_msg_recv(&part, socket, ZMQ_DONTWAIT) < 0) return sgk_null();
    sgk_value message = part_value(&part), *parts = NULL;
    size_t count = 1;
    while (zmq_msg_more(&part)) { /* all parts are there when the first is */
        sgk_value *more = realloc(parts, (count + 1) * sizeof *parts);
        if (more && !parts) more[0] = message;
        parts = more ? more : parts;
        if (zmq_msg_recv(&part, socket, 0) < 0) break;
        if (more) parts[count++] = sgk_give(part_value(&part));
    }
    zmq_msg_close(&part);
    if (!parts) return message;
    parts[0] = sgk_give(parts[0]);
    message = sgk_array(parts, count);
    free(parts);
    return message;
}

static void fail(sgk_subscriber *subscriber, const char *function, int error) {
    sgk_subscriber_error(subscriber, sgk_give(companion_error(error, function, zmq_strerror(error), sgk_null())));
}

static void *run_socket(void *context) {
    run *self = context;
    zmq_pollitem_t items[] = {{NULL, self->event, ZMQ_POLLIN, 0}, {self->socket, 0, ZMQ_POLLIN, 0}};
    uint64_t count;
    bool is_over = false;
    while (!is_over) {
        bool is_paused = sgk_subscriber_is_paused(self->subscriber);
        sgk_value message = is_paused ? sgk_null() : receive(self->socket);
        if (sgk_value_kind(message) != SGK_NULL) {
            atomic_fetch_add_explicit(&self->zmq->received, 1, memory_order_relaxed);
            is_over = sgk_subscriber_next(self->subscriber, sgk_give(message)) != SGK_OK;
        } else if (is_paused || errno == EAGAIN) {
            if (is_paused) wake_at_resume(self);
            items[0].revents = 0;
            zmq_poll(items, is_paused ? 1 : 2, -1); /* in a pause the peers fill the limits of both sides */
            while (items[0].revents && read(self->event, &count, sizeof count) < 0 && errno == EINTR) {}
            is_over = !sgk_subscriber_is_active(self->subscriber);
        } else if (errno != EINTR) {
            fail(self->subscriber, self->function, errno);
            is_over = true;
        }
    }
    zmq_close(self->socket);
    companion_release(self);
    companion_has_ended();
    return NULL;
}

/* A thread that takes no signals, and is waited for by nobody. 0, or an errno. */
static int start_thread(void *(*function)(void *), void *context) {
    pthread_t thread;
    pthread_attr_t detached;
    sigset_t all, before;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread, &detached, function, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&detached);
    return error;
}

static sgk_disposable *start_run(void *context, sgk_subscriber *subscriber) {
    const recipe *recipe = context;
    run *self = companion_create(&run_kind, sizeof *self);
    if (!self) return fail(subscriber, recipe->function, ENOMEM), NULL;
    self->zmq = companion_retain(recipe->zmq);
    self->subscriber = sgk_subscriber_retain(subscriber);
    self->function = recipe->function;
    self->event = eventfd(0, EFD_CLOEXEC);
    self->socket = self->event >= 0 ? socket_of(recipe) : NULL;
    int error = self->socket ? start_thread(run_socket, companion_retain(self)) : errno;
    if (error == 0) return sgk_action_disposable_create(dispose_run, self, companion_release);
    if (self->socket) {
        zmq_close(self->socket);
        companion_release(self); /* its thread's */
    }
    fail(subscriber, recipe->function, error);
    companion_release(self);
    return NULL;
}

sgk_signal *sgk_zmq_subscribe(sgk_zmq *zmq, const char *endpoints, const char *topic, const sgk_zmq_options *options) {
    if (!topic) return companion_failed(SGK_ERROR_NULL, __func__, "topic", "must not be NULL"), NULL;
    recipe *recipe = recipe_of(zmq, ZMQ_SUB, endpoints, topic, options, __func__);
    return recipe ? sgk_signal_create(start_run, recipe, free_recipe) : NULL;
}

sgk_signal *sgk_zmq_pull(sgk_zmq *zmq, const char *endpoints, const sgk_zmq_options *options) {
    recipe *recipe = recipe_of(zmq, ZMQ_PULL, endpoints, NULL, options, __func__);
    return recipe ? sgk_signal_create(start_run, recipe, free_recipe) : NULL;
}
