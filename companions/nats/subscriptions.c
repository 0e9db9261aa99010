/* Subscriptions: received messages, until the client library reports the end. */
#include "parts.h"

enum { FLUSHING = 2000 }; /* milliseconds after which the reading thread is certainly not where it was */

/* Reads the number of dropped messages and stores it, because an ended subscription does not report it. */
static void look_at_dropped(run *self) {
    int64_t dropped;
    if (natsSubscription_GetDropped(self->subscription, &dropped) != NATS_OK) return;
    pthread_mutex_lock(&self->nats->lock);
    if (dropped > self->dropped) { /* not what another thread has seen before */
        self->nats->dropped += dropped - self->dropped;
        self->dropped = dropped;
    }
    pthread_mutex_unlock(&self->nats->lock);
}

void is_slow(sgk_nats *nats, natsSubscription *subscription) {
    pthread_mutex_lock(&nats->lock);
    run *run = nats->runs;
    while (run && run->subscription != subscription) run = run->next;
    if (run) companion_retain(run);
    pthread_mutex_unlock(&nats->lock);
    if (!run) return;
    run->is_slow = true;
    look_at_dropped(run);
    companion_release(run);
}

static void destroy_run(void *object) {
    run *self = object;
    natsSubscription_Destroy(self->subscription); /* which has ended */
    natsInbox_Destroy(self->inbox);
    free(self->subject);
    sgk_subscriber_release(self->subscriber);
    if (self->consumer) companion_release(self->consumer);
    companion_release(self->nats);
    free(self);
}
static const companion_kind run_kind = {"run", destroy_run};

/* Unsubscribes immediately, before messages are refused, because the server would deliver them here again. A consumer
 * still receives all messages that have arrived, and refuses them. */
static void stop_run(run *self) {
    look_at_dropped(self);
    if (!self->consumer || natsSubscription_Drain(self->subscription) != NATS_OK)
        natsSubscription_Unsubscribe(self->subscription);
}

static void join(run *self) {
    pthread_mutex_lock(&self->nats->lock);
    if ((self->next = self->nats->runs)) self->nats->runs->place = &self->next;
    *(self->place = &self->nats->runs) = self;
    pthread_mutex_unlock(&self->nats->lock);
}

static void leave(run *self) {
    pthread_mutex_lock(&self->nats->lock);
    if ((*self->place = self->next)) self->next->place = self->place;
    pthread_mutex_unlock(&self->nats->lock);
}

/* Waits until the client's reading thread no longer uses a subscription that it found before the end. (Before version
 * 3.6, libnats does not retain it in that time. The thread reads the answer to the flush afterwards.) */
static void wait_for_the_reader(sgk_nats *nats) {
    if (natsConnection_FlushTimeout(nats->connection, FLUSHING) != NATS_OK && natsConnection_IsClosed(nats->connection))
        wait_until_closed(nats);
}

/* One thread at a time does this for a connection. */
static void tear_down_runs(void *context) {
    sgk_nats *nats = context;
    for (;;) {
        pthread_mutex_lock(&nats->lock);
        run *ended = nats->ended;
        nats->ended = NULL;
        nats->is_tearing_down = ended != NULL;
        pthread_mutex_unlock(&nats->lock);
        if (!ended) break;
        wait_for_the_reader(nats);
        for (run *self; (self = ended);) {
            ended = self->next;
            sgk_timer_release(self->timer);
            companion_release(self);
        }
    }
    companion_release(nats);
}

static void tear_down_later(run *self) {
    sgk_nats *nats = self->nats;
    leave(self);
    pthread_mutex_lock(&nats->lock);
    self->next = nats->ended;
    nats->ended = self;
    bool is_first = !nats->is_tearing_down;
    nats->is_tearing_down = true;
    pthread_mutex_unlock(&nats->lock);
    if (is_first) companion_later(tear_down_runs, companion_retain(nats));
}

static void dispose_run(void *context) {
    run *self = context;
    if (!companion_is_here(self)) return;
    companion_ends();
    pthread_mutex_lock(&self->nats->lock);
    self->is_disposed = true;
    bool is_there = self->subscription != NULL;
    pthread_mutex_unlock(&self->nats->lock);
    if (is_there) stop_run(self);
}

void fail(run *self, natsStatus status, const char *text) {
    sgk_subscriber_error(self->subscriber, sgk_give(error_of(status, self->function, text)));
}

void is_forbidden(sgk_nats *nats, const char *text) {
    for (;;) {
        char quoted[SUBJECT_LENGTH + 8];
        pthread_mutex_lock(&nats->lock);
        run *run = nats->runs;
        for (; run; run = run->next) {
            snprintf(quoted, sizeof quoted, "\"%s\"", run->subject);
            if (!run->is_forbidden && strstr(text, quoted)) break;
        }
        if (run) run->is_forbidden = true, companion_retain(run);
        pthread_mutex_unlock(&nats->lock);
        if (!run) return;
        inside++;
        fail(run, NATS_NOT_PERMITTED, text);
        inside--;
        companion_release(run);
    }
}

static void emit(run *self, natsMsg *contents) {
    sgk_value value = message_value(self->nats, contents, self->consumer ? self : NULL);
    if (sgk_value_kind(value) == SGK_NULL) fail(self, NATS_NO_MEMORY, NULL);
    else sgk_subscriber_next(self->subscriber, sgk_give(value));
}

static void on_message(natsConnection *connection, natsSubscription *subscription, natsMsg *contents, void *context) {
    (void)connection, (void)subscription;
    run *self = context;
    inside++;
    if (atomic_load_explicit(&self->is_slow, memory_order_relaxed)) look_at_dropped(self);
    if (!self->consumer || is_of_the_stream(self, contents)) emit(self, contents);
    else natsMsg_Destroy(contents);
    inside--;
}

/* The client's thread for the subscription ends: it was disposed, or the connection is closed. */
static void on_complete(void *context) {
    run *self = context;
    pthread_mutex_lock(&self->nats->lock);
    bool is_closing = self->nats->is_closing;
    pthread_mutex_unlock(&self->nats->lock);
    inside++;
    if (is_closing) {
        sgk_subscriber_complete(self->subscriber);
    } else if (sgk_subscriber_is_active(self->subscriber)) {
        const char *text = NULL;
        natsStatus status = natsConnection_GetLastError(self->nats->connection, &text);
        fail(self, status == NATS_OK ? NATS_CONNECTION_CLOSED : status, text);
    }
    inside--;
    tear_down_later(self);
    companion_has_ended();
}

sgk_disposable *start(run *self, const char *subject, const char *group) {
    natsSubscription *subscription = NULL;
    natsConnection *connection = self->nats->connection;
    self->subject = strdup(subject);
    natsStatus status = self->subject ? NATS_OK : NATS_NO_MEMORY;
    companion_retain(self); /* for the client */
    if (status == NATS_OK) {
        join(self); /* before, because the server may forbid it at once */
        status = group ? natsConnection_QueueSubscribe(&subscription, connection, subject, group, on_message, self)
                       : natsConnection_Subscribe(&subscription, connection, subject, on_message, self);
        if (status != NATS_OK) leave(self);
    }
    if (status != NATS_OK) {
        fail(self, status, NULL);
        sgk_timer_release(self->timer);
        companion_release(self);
        companion_release(self);
        return NULL;
    }
    natsSubscription_SetPendingLimits(subscription, (int)self->nats->waiting_messages, (int)self->nats->waiting_bytes);
    pthread_mutex_lock(&self->nats->lock);
    self->subscription = subscription;
    bool is_disposed = self->is_disposed; /* it may have emitted by now */
    pthread_mutex_unlock(&self->nats->lock);
    /* Before it is stopped; and unless the connection has been closed. */
    if (natsSubscription_SetOnCompleteCB(subscription, on_complete, self) != NATS_OK) on_complete(self);
    else if (is_disposed) stop_run(self);
    return sgk_action_disposable_create(dispose_run, self, companion_release);
}

run *run_of(sgk_nats *nats, const char *function, sgk_subscriber *subscriber) {
    run *self = companion_create(&run_kind, sizeof *self);
    if (!self) return sgk_subscriber_error(subscriber, sgk_give(error_of(NATS_NO_MEMORY, function, NULL))), NULL;
    self->nats = companion_retain(nats);
    self->function = function;
    self->subscriber = sgk_subscriber_retain(subscriber);
    return self;
}

static sgk_disposable *start_subscription(void *context, sgk_subscriber *subscriber) {
    const recipe *recipe = context;
    run *self = run_of(recipe->nats, recipe->function, subscriber);
    return self ? start(self, recipe->subject, recipe->group) : NULL;
}

sgk_signal *sgk_nats_subscribe(sgk_nats *nats, const char *subject) {
    recipe *recipe = recipe_of(nats, subject, NULL, true, __func__);
    return recipe ? sgk_signal_create(start_subscription, recipe, free_recipe) : NULL;
}

sgk_signal *sgk_nats_work(sgk_nats *nats, const char *subject, const char *group) {
    if (!group) return companion_failed(SGK_ERROR_NULL, __func__, "group", "must not be NULL"), NULL;
    recipe *recipe = recipe_of(nats, subject, group, true, __func__);
    return recipe ? sgk_signal_create(start_subscription, recipe, free_recipe) : NULL;
}
