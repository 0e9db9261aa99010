/* Several threads use every kind of handle simultaneously: they call, retain and release. Each context must be
 * destroyed once, each action must run once, and no object may stay alive. ThreadSanitizer checks the rest. */
#include "suite.h"

enum { THREADS = 4, ROUNDS = 200 };

typedef struct storm {
    void *handle;
    atomic_int registered; /* contexts given to the library, to be destroyed */
    counted seen;          /* their destructions, and calls */
} storm;

static void *given(storm *s) {
    s->registered++;
    return &s->seen;
}

static void on_value(void *context, sgk_value value) {
    (void)value;
    counted_work(context);
}

static void weather(storm *s, void (*body)(void *, int)) {
    in_parallel(THREADS, body, s);
    sgk_release(s->handle);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    EVENTUALLY(s->seen.destroyed == s->registered);
}

/* ---- Disposables ---- */

typedef struct containers {
    storm storm;
    sgk_disposable *slot, *set, *dict;
} containers;

static void fill(void *context, int index) {
    containers *c = context;
    for (int i = 0; i < ROUNDS; i++) {
        SGK_AUTO(sgk_disposable) a = sgk_action_disposable_create(counted_work, given(&c->storm), counted_destroy);
        SGK_AUTO(sgk_disposable) b = sgk_action_disposable_create(counted_work, given(&c->storm), counted_destroy);
        SGK_AUTO(sgk_disposable) d = sgk_action_disposable_create(counted_work, given(&c->storm), counted_destroy);
        sgk_disposable_slot_set(c->slot, a);
        sgk_disposable_bag_add(c->set, b);
        sgk_disposable_dict_set(c->dict, sgk_int(i % 3), d);
        if (index == 0 && i == ROUNDS / 2) { /* later ones are disposed immediately */
            sgk_disposable_dispose(c->slot);
            sgk_disposable_dispose(c->set);
            sgk_disposable_dispose(c->dict);
        }
    }
}

static void containers_dispose_each_member_once(void **state) {
    (void)state;
    containers c = {
        .slot = sgk_disposable_slot_create(), .set = sgk_disposable_bag_create(), .dict = sgk_disposable_dict_create()};
    in_parallel(THREADS, fill, &c);
    assert_int_equal(c.storm.seen.calls, c.storm.registered);
    sgk_disposable_release(c.slot);
    sgk_disposable_release(c.set);
    sgk_disposable_release(c.dict);
    assert_int_equal(c.storm.seen.destroyed, c.storm.registered);
}

static void add_and_remove(void *context, int index) {
    storm *s = context;
    (void)index;
    for (int i = 0; i < ROUNDS; i++) {
        SGK_AUTO(sgk_disposable) member = sgk_action_disposable_create(counted_work, given(s), counted_destroy);
        sgk_disposable_bag_add(s->handle, member);
        sgk_disposable_bag_remove(s->handle, member);
    }
}

static void what_is_removed_is_not_disposed(void **state) {
    (void)state;
    storm s = {.handle = sgk_disposable_bag_create()};
    weather(&s, add_and_remove);
    assert_int_equal(s.seen.calls, 0);
}

/* ---- Queues, timers, pools ---- */

static void use_queue(void *context, int index) {
    storm *s = context;
    for (int i = 0; i < ROUNDS; i++) {
        SGK_AUTO(sgk_queue) queue = sgk_queue_retain(s->handle);
        sgk_queue_dispatch(queue, counted_work, given(s), counted_destroy);
        sgk_queue_async(queue, counted_work, given(s), counted_destroy);
        SGK_AUTO(sgk_disposable)
        later = sgk_queue_after(queue, i % 2 ? 1e6 : 0, counted_work, given(s), counted_destroy);
        if (i % 2 || index % 2) sgk_disposable_dispose(later);
        if (i % 20 == 0) sgk_queue_sync(queue, counted_work, &s->seen);
    }
}

static void a_queue_takes_work_of_many(void **state) {
    (void)state;
    storm s = {.handle = sgk_queue_create("storm")};
    weather(&s, use_queue);
    assert_true(s.seen.calls >= 2 * THREADS * ROUNDS);
}

static void use_timer(void *context, int index) {
    storm *s = context;
    for (int i = 0; i < ROUNDS; i++) {
        switch ((i + index) % 5) {
        case 0: sgk_timer_start(s->handle); break;
        case 1: sgk_timer_reset_timeout(s->handle, 0.0005); break;
        case 2: sgk_timer_invalidate(s->handle); break;
        case 3: sgk_timer_fire_and_invalidate(s->handle); break;
        default:
            if (sgk_timer_is_scheduled(s->handle) && sgk_timer_remaining_time(s->handle) < 0) abort();
            if (sgk_timer_timeout_date(s->handle) < 0) abort();
        }
    }
}

static void a_timer_is_started_and_stopped_by_many(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("storm");
    storm s = {.handle = NULL};
    s.handle = sgk_timer_create(0.0005, true, counted_work, given(&s), counted_destroy, queue);
    weather(&s, use_timer);
}

static void use_pool(void *context, int index) {
    storm *s = context;
    for (int i = 0; i < ROUNDS; i++) {
        SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_retain(s->handle);
        SGK_AUTO(sgk_disposable) task = sgk_thread_pool_add_task(pool, counted_work, given(s), counted_destroy);
        if (i % 3 == 0) sgk_disposable_dispose(task);
        SGK_AUTO(sgk_queue) queue = sgk_thread_pool_next_queue(pool);
        sgk_queue_dispatch(queue, counted_work, given(s), counted_destroy);
        if (index == 0 && i == ROUNDS / 2) sgk_thread_pool_shutdown(pool);
    }
}

static void a_pool_is_shut_down_while_it_is_used(void **state) {
    (void)state;
    storm s = {.handle = sgk_thread_pool_create(3, 0.5)};
    weather(&s, use_pool);
}

static void *same(void *context) { return context; }

static void use_object(void *context, void *object) {
    (void)object;
    counted_work(context);
}

static sgk_disposable *emit_object(void *context, void *object, sgk_subscriber *subscriber) {
    (void)object;
    counted_work(context);
    sgk_subscriber_complete(subscriber);
    return NULL;
}

static void use_local(void *context, int index) {
    storm *s = context;
    (void)index;
    for (int i = 0; i < ROUNDS; i++) {
        SGK_AUTO(sgk_queue_local) local = sgk_queue_local_retain(s->handle);
        sgk_queue_local_with(local, use_object, given(s), counted_destroy);
        SGK_AUTO(sgk_signal) signal = sgk_queue_local_signal_with(local, emit_object, given(s), counted_destroy);
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, on_value, given(s), counted_destroy);
        if (i % 2) sgk_disposable_dispose(run);
        if (i % 20 == 0) sgk_queue_local_sync_with(local, use_object, &s->seen);
    }
}

static void an_object_of_a_queue_is_used_by_many(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("storm");
    storm s = {.handle = NULL};
    s.handle = sgk_queue_local_create(same, counted_destroy, given(&s), counted_destroy, queue);
    s.registered++; /* the object is dropped into the same counter */
    weather(&s, use_local);
}

/* ---- Sources ---- */

static void use_promise(void *context, int index) {
    storm *s = context;
    for (int i = 0; i < ROUNDS; i++) {
        SGK_AUTO(sgk_promise) promise = sgk_promise_retain(s->handle);
        SGK_AUTO(sgk_signal) value = sgk_signal_just(sgk_int(i));
        if (index < 2) sgk_promise_set(promise, value);
        if (index == 2) sgk_promise_on_deinit(promise, counted_work, given(s), counted_destroy);
        SGK_AUTO(sgk_signal) signal = sgk_promise_signal(promise);
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, on_value, given(s), counted_destroy);
        sgk_disposable_dispose(run);
    }
}

static void a_promise_is_set_and_heard_by_many(void **state) {
    (void)state;
    storm s = {.handle = sgk_promise_create()};
    weather(&s, use_promise);
}

static void use_state(void *context, int index) {
    storm *s = context;
    for (int i = 0; i < ROUNDS; i++) {
        sgk_value text = sgk_string(i % 2 ? "odd" : "even");
        if (index < 2) sgk_state_set(s->handle, text);
        sgk_value_release(text);
        SGK_AUTO(sgk_signal) signal = sgk_state_signal(s->handle);
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, on_value, given(s), counted_destroy);
        sgk_disposable_dispose(run);
    }
}

static void a_state_is_set_and_heard_by_many(void **state) {
    (void)state;
    storm s = {.handle = sgk_state_create(true)};
    weather(&s, use_state);
}

static void use_multicast(void *context, int index) {
    storm *s = context;
    for (int i = 0; i < ROUNDS; i++) {
        SGK_AUTO(sgk_signal) source = count_to(3);
        SGK_AUTO(sgk_signal) shared = sgk_multicast_get(s->handle, (index + i) % 2 ? "a" : "b", source);
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(shared, on_value, given(s), counted_destroy);
        sgk_disposable_dispose(run);
    }
}

static void a_multicast_is_joined_and_left_by_many(void **state) {
    (void)state;
    storm s = {.handle = sgk_multicast_create()};
    weather(&s, use_multicast);
}

static void enqueue_many(void *context, int index) {
    storm *s = context;
    (void)index;
    for (int i = 0; i < ROUNDS; i++) {
        SGK_AUTO(sgk_signal) source = count_to(3);
        SGK_AUTO(sgk_signal) queued = sgk_sequencer_enqueue(s->handle, source);
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(queued, on_value, given(s), counted_destroy);
        if (i % 2) sgk_disposable_dispose(run);
    }
}

static void a_sequencer_is_filled_by_many(void **state) {
    (void)state;
    storm s = {.handle = sgk_sequencer_create()};
    weather(&s, enqueue_many);
}

static void complete_pipe(void *context, int index) {
    storm *s = context;
    for (int i = 0; i < ROUNDS; i++) {
        SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(s->handle);
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, on_value, given(s), counted_destroy);
        sgk_status status = sgk_pipe_next(s->handle, sgk_int(i));
        if (status != SGK_OK && status != SGK_ERROR_ENDED) abort();
        if (index == 0 && i == ROUNDS / 2) {
            sgk_pipe_complete(s->handle);
            if (sgk_pipe_next(s->handle, sgk_int(i)) != SGK_ERROR_ENDED) abort();
        }
    }
}

static void a_pipe_is_completed_while_it_is_fed(void **state) {
    (void)state;
    storm s = {.handle = sgk_pipe_create_replay()};
    weather(&s, complete_pipe);
}

/* ---- Values ---- */

static void use_value(void *context, int index) {
    sgk_value shared = *(sgk_value *)context;
    char text[64];
    (void)index;
    for (int i = 0; i < ROUNDS; i++) {
        sgk_value mine = sgk_value_retain(shared);
        if (!sgk_value_equal(mine, shared) || sgk_value_hash(mine) != sgk_value_hash(shared)) abort();
        sgk_value_describe(mine, text, sizeof text);
        sgk_value event = sgk_event(SGK_EVENT_NEXT, mine);
        sgk_value_release(mine);
        sgk_value_release(event);
    }
}

static void a_value_is_shared_by_many(void **state) {
    (void)state;
    sgk_value items[] = {sgk_string("text"), sgk_int(1)};
    sgk_value array = sgk_array(items, 2);
    sgk_value_release(items[0]);
    in_parallel(THREADS, use_value, &array);
    sgk_value_release(array);
}

static void let_all_go(void *context, int index) {
    sgk_value *values = context;
    (void)index;
    for (int i = 0; i < ROUNDS; i++) sgk_value_release(values[i]);
}

static void the_last_of_many_references_lets_go(void **state) {
    (void)state;
    sgk_value *values = malloc(ROUNDS * sizeof *values);
    for (int i = 0; i < ROUNDS; i++) {
        values[i] = i % 2 ? sgk_bytes(&i, sizeof i) : sgk_array(values, i > 1 ? 2 : 0);
        for (int k = 1; k < THREADS; k++) values[i] = sgk_value_retain(values[i]);
    }
    in_parallel(THREADS, let_all_go, values);
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
    free(values);
}

int run_storms(void) {
    const struct CMUnitTest tests[] = {
        TEST(containers_dispose_each_member_once),
        TEST(what_is_removed_is_not_disposed),
        TEST(a_queue_takes_work_of_many),
        TEST(a_timer_is_started_and_stopped_by_many),
        TEST(a_pool_is_shut_down_while_it_is_used),
        TEST(an_object_of_a_queue_is_used_by_many),
        TEST(a_promise_is_set_and_heard_by_many),
        TEST(a_state_is_set_and_heard_by_many),
        TEST(a_multicast_is_joined_and_left_by_many),
        TEST(a_sequencer_is_filled_by_many),
        TEST(a_pipe_is_completed_while_it_is_fed),
        TEST(a_value_is_shared_by_many),
        TEST(the_last_of_many_references_lets_go),
    };
    return cmocka_run_group_tests_name("storms", tests, NULL, NULL);
}
