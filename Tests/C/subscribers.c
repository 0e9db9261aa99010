/* Subscribers: the other functions of a generator's subscriber, and separate subscribers. */
#include "suite.h"

/* ---- on_dispose ---- */

typedef struct blocker {
    pthread_mutex_t lock;
    pthread_cond_t woken;
    bool stop;
    atomic_int entered, wakes, destroyed;
} blocker;

static void wake(void *context) {
    blocker *b = context;
    pthread_mutex_lock(&b->lock);
    b->stop = true;
    pthread_cond_broadcast(&b->woken);
    pthread_mutex_unlock(&b->lock);
    b->wakes++;
}

static void blocker_destroyed(void *context) { ((blocker *)context)->destroyed++; }

/* Blocks until it is woken. */
static sgk_disposable *block(void *context, sgk_subscriber *subscriber) {
    blocker *b = context;
    assert_int_equal(sgk_subscriber_on_dispose(subscriber, wake, b, blocker_destroyed), SGK_OK);
    b->entered++;
    pthread_mutex_lock(&b->lock);
    while (!b->stop) pthread_cond_wait(&b->woken, &b->lock);
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

static void a_generator_that_blocks_is_woken_by_disposal(void **state) {
    (void)state;
    blocker b = {.lock = PTHREAD_MUTEX_INITIALIZER, .woken = PTHREAD_COND_INITIALIZER};
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("blocked");
    SGK_AUTO(sgk_signal) blocked = sgk_signal_create(block, &b, NULL);
    SGK_AUTO(sgk_signal) elsewhere = sgk_signal_run_on(blocked, queue);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(elsewhere, r);
    EVENTUALLY(b.entered == 1);
    assert_int_equal(b.wakes, 0);
    for (int twice = 0; twice < 2; twice++) sgk_disposable_dispose(run);
    assert_int_equal(b.wakes, 1);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    assert_int_equal(b.destroyed, 1);
    recorder_free(r);
}

typedef struct notes {
    char text[32];
    atomic_int length;
    int destroyed;
} notes;

static void note(notes *n, char letter) { n->text[n->length++] = letter; }
static void note_disposed(void *context) { note(context, 'd'); }
static void note_second(void *context) { note(context, 'e'); }
static void note_source(void *context) { note(context, 's'); }
static void note_kept(void *context) { note(context, 'k'); }
static void note_end(void *context) { note(context, '.'); }
static void note_destroyed(void *context) { ((notes *)context)->destroyed++; }

static sgk_subscriber *held;

static sgk_disposable *note_all(void *context, sgk_subscriber *subscriber) {
    held = sgk_subscriber_retain(subscriber);
    sgk_subscriber_keep_alive(subscriber, context, note_kept);
    sgk_subscriber_on_dispose(subscriber, note_disposed, context, note_destroyed);
    sgk_subscriber_on_dispose(subscriber, note_second, context, note_destroyed);
    return sgk_action_disposable_create(note_source, context, NULL);
}

static void an_end_and_a_disposal_tell_in_order(void **state) {
    (void)state;
    for (int ends = 0; ends <= 1; ends++) {
        notes n = {0};
        SGK_AUTO(sgk_signal) signal = sgk_signal_create(note_all, &n, NULL);
        sgk_handlers handlers = SGK_HANDLERS_INIT;
        handlers.context = &n;
        handlers.completed = note_end;
        SGK_AUTO(sgk_disposable) run = sgk_signal_start(signal, &handlers);
        if (ends) sgk_subscriber_complete(held);
        else sgk_disposable_dispose(run);
        assert_string_equal(n.text, ends ? ".desk" : "desk");
        assert_int_equal(n.destroyed, 2);
        sgk_disposable_dispose(run);
        /* Late actions run immediately. Objects to keep alive stay with the subscriber. */
        sgk_subscriber_on_dispose(held, note_disposed, &n, note_destroyed);
        assert_int_equal(sgk_subscriber_keep_alive(held, &n, note_kept), SGK_OK);
        assert_string_equal(n.text, ends ? ".deskd" : "deskd");
        assert_int_equal(n.destroyed, 3);
        sgk_subscriber_release(held);
        assert_string_equal(n.text, ends ? ".deskdk" : "deskdk");
    }
}

static void a_source_that_goes_silent_disposes_nothing(void **state) {
    (void)state;
    notes n = {0};
    SGK_AUTO(sgk_signal) signal = sgk_signal_create(note_all, &n, NULL);
    sgk_disposable *run = sgk_signal_start(signal, NULL);
    sgk_subscriber_release(held);
    assert_string_equal(n.text, "k");
    sgk_disposable_release(run); /* a release disposes nothing */
    assert_string_equal(n.text, "k");
    assert_int_equal(n.destroyed, 2);
}

enum { ROUNDS = 300 };

typedef struct race {
    atomic_int called, destroyed, kept;
    sgk_subscriber *subscriber;
    sgk_disposable *run;
} race;

static void called(void *context) { ((race *)context)->called++; }
static void destroyed(void *context) { ((race *)context)->destroyed++; }
static void kept_gone(void *context) { ((race *)context)->kept++; }

static void register_or_end(void *context, int index) {
    race *r = context;
    if (index == 0) sgk_disposable_dispose(r->run);
    else if (index == 1) sgk_subscriber_complete(r->subscriber);
    else {
        sgk_subscriber_on_dispose(r->subscriber, called, r, destroyed);
        sgk_subscriber_keep_alive(r->subscriber, r, kept_gone);
    }
}

static void whoever_registers_while_it_ends_is_told_once(void **state) {
    (void)state;
    for (int i = 0; i < ROUNDS / 10; i++) {
        hand h;
        race r = {0};
        SGK_AUTO(sgk_signal) signal = hand_signal(&h);
        r.run = sgk_signal_start(signal, NULL);
        r.subscriber = h.subscriber;
        in_parallel(4, register_or_end, &r);
        assert_int_equal(r.called, 2);
        assert_int_equal(r.destroyed, 2);
        sgk_disposable_release(r.run);
        hand_free(&h);
        assert_int_equal(r.kept, 2);
    }
}

/* ---- Separate subscribers ---- */

static void one_of_its_own_has_the_same_rules(void **state) {
    (void)state;
    recorder *r = recorder_new();
    sgk_handlers handlers = recorder_handlers(r);
    sgk_subscriber *subscriber = sgk_subscriber_create(&handlers);
    assert_null(r->run); /* `started` is not called: nothing has been */
    assert_int_equal(sgk_subscriber_next(subscriber, sgk_int(1)), SGK_OK);
    assert_int_equal(sgk_subscriber_complete(subscriber), SGK_OK);
    assert_int_equal(sgk_subscriber_next(subscriber, sgk_int(2)), SGK_ERROR_ENDED);
    ASSERT_VALUES(r, 1);
    assert_int_equal(r->ends, 1);
    sgk_subscriber_release(subscriber);
    recorder_free(r);
    SGK_AUTO(sgk_subscriber) deaf = sgk_subscriber_create(NULL);
    assert_int_equal(sgk_subscriber_next(deaf, sgk_int(1)), SGK_OK);
}

/* ---- Waiting for callbacks ---- */

typedef struct scene {
    atomic_bool inside, leave;
    atomic_int calls, after;
    sgk_disposable *run;
    sgk_status status;
} scene;

static void stay(void *context, sgk_value value) {
    (void)value;
    scene *s = context;
    s->calls++;
    s->inside = true;
    EVENTUALLY(s->leave);
    s->after++;
}

static void put_one(void *context, int index) {
    (void)index;
    sgk_pipe_next(context, sgk_int(1));
}

static void *put_on_a_thread(void *pipe) {
    put_one(pipe, 0);
    return NULL;
}

static void *leave_soon(void *context) {
    for (int i = 0; i < 20; i++) sleep_a_moment();
    ((scene *)context)->leave = true;
    return NULL;
}

static void disposal_can_wait_for_a_callback(void **state) {
    (void)state;
    scene s = {0};
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = &s;
    handlers.next = stay;
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_waitable(signal, &handlers);
    pthread_t putting, leaving;
    assert_int_equal(pthread_create(&putting, NULL, put_on_a_thread, pipe), 0);
    EVENTUALLY(s.inside);
    assert_int_equal(pthread_create(&leaving, NULL, leave_soon, &s), 0);
    assert_int_equal(sgk_disposable_dispose_and_wait(run), SGK_OK);
    assert_int_equal(s.after, 1); /* it has returned */
    sgk_pipe_next(pipe, sgk_int(2));
    assert_int_equal(s.calls, 1);
    assert_int_equal(sgk_disposable_dispose_and_wait(run), SGK_OK);
    pthread_join(putting, NULL);
    pthread_join(leaving, NULL);
}

static void wait_inside(void *context, sgk_value value) {
    (void)value;
    scene *s = context;
    s->calls++;
    s->status = sgk_disposable_dispose_and_wait(s->run);
}

static void take_run(void *context, sgk_disposable *run) { ((scene *)context)->run = run; }

static void a_callback_does_not_wait_for_itself(void **state) {
    (void)state;
    scene s = {0};
    SGK_AUTO(sgk_signal) source = count_to(5);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = &s;
    handlers.next = wait_inside;
    handlers.started = take_run;
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_waitable(source, &handlers);
    assert_ptr_equal(run, s.run);
    assert_int_equal(s.status, SGK_ERROR_THREAD);
    assert_int_equal(sgk_last_status(), SGK_OK);
    assert_int_equal(s.calls, 1); /* disposed all the same */
}

/* ---- Work for which the callback itself waits ---- */

typedef struct elsewhere {
    scene scene;
    sgk_queue *other;
    atomic_bool is_inside;
} elsewhere;

static void dispose_there(void *context) { wait_inside(context, sgk_null()); }
static void wait_elsewhere(void *context, sgk_value value) {
    (void)value;
    elsewhere *e = context;
    e->is_inside = true;
    assert_int_equal(sgk_queue_sync(e->other, dispose_there, e), SGK_OK);
}
static void take_scenes_run(void *context, sgk_disposable *run) { take_run(&((elsewhere *)context)->scene, run); }
static void be_busy_until_it_waits(void *context) {
    EVENTUALLY(((elsewhere *)context)->is_inside);
    for (int i = 0; i < 10; i++) sleep_a_moment();
}

/* The same on whichever thread that runs: here if the queue is idle or of virtual time, and always on the pool's. */
static void nor_for_one_that_waits_for_it(void **state) {
    (void)state;
    enum { BUSY, OTHERS = 5 };
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    sgk_queue *others[OTHERS] = {sgk_queue_create("busy"), sgk_queue_create("idle"), sgk_thread_pool_next_queue(pool),
        sgk_thread_pool_queue(pool), sgk_queue_create_virtual(NULL)};
    for (int i = 0; i < OTHERS; i++) {
        elsewhere e = {.other = others[i]};
        if (i == BUSY) sgk_queue_dispatch(others[i], be_busy_until_it_waits, &e, NULL);
        SGK_AUTO(sgk_signal) source = count_to(5);
        sgk_handlers handlers = SGK_HANDLERS_INIT;
        handlers.context = &e;
        handlers.next = wait_elsewhere;
        handlers.started = take_scenes_run;
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_waitable(source, &handlers);
        assert_int_equal(e.scene.status, SGK_ERROR_THREAD);
        assert_int_equal(e.scene.calls, 1);
        assert_int_equal(sgk_disposable_dispose_and_wait(run), SGK_OK);
        sgk_queue_release(others[i]);
    }
}

/* Callbacks of two subscriptions wait for each other. The last one to wait fails. */
typedef struct pair {
    pthread_barrier_t *both_are_there;
    sgk_pipe *pipe;
    sgk_disposable *run, *other;
    sgk_status status;
} pair;

static void dispose_the_other(void *context, sgk_value value) {
    (void)value;
    pair *p = context;
    pthread_barrier_wait(p->both_are_there);
    p->status = sgk_disposable_dispose_and_wait(p->other);
}
static void emit_to_one_of_a_pair(void *context, int index) { put_one(((pair *)context)[index].pipe, 0); }

static void callbacks_that_wait_for_each_other(void **state) {
    (void)state;
    pthread_barrier_t both_are_there;
    pthread_barrier_init(&both_are_there, NULL, 2);
    for (int round = 0; round < 100; round++) {
        pair pairs[2];
        for (int i = 0; i < 2; i++) {
            pairs[i] = (pair){&both_are_there, sgk_pipe_create(), NULL, NULL, SGK_OK};
            SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pairs[i].pipe);
            sgk_handlers handlers = SGK_HANDLERS_INIT;
            handlers.context = &pairs[i];
            handlers.next = dispose_the_other;
            pairs[i].run = sgk_signal_start_waitable(signal, &handlers);
        }
        for (int i = 0; i < 2; i++) pairs[i].other = pairs[1 - i].run;
        in_parallel(2, emit_to_one_of_a_pair, pairs);
        assert_true((pairs[0].status == SGK_ERROR_THREAD) != (pairs[1].status == SGK_ERROR_THREAD));
        for (int i = 0; i < 2; i++) {
            sgk_disposable_release(pairs[i].run);
            sgk_pipe_release(pairs[i].pipe);
        }
    }
    pthread_barrier_destroy(&both_are_there);
}

/* Work of a queue waits for a callback, whose thread then waits for the queue. */
typedef struct farewell {
    pthread_barrier_t both_are_there;
    sgk_disposable *run;
    sgk_status status;
} farewell;

static void leave_after_a_moment(void *context, sgk_value value) {
    (void)value;
    pthread_barrier_wait(&((farewell *)context)->both_are_there);
    sleep_a_moment();
}

static void wait_for_farewell(void *context) {
    farewell *f = context;
    pthread_barrier_wait(&f->both_are_there);
    f->status = sgk_disposable_dispose_and_wait(f->run);
}

static void a_callback_that_has_returned_is_not_waited_for(void **state) {
    (void)state;
    farewell f = {.status = SGK_OK};
    pthread_barrier_init(&f.both_are_there, NULL, 2);
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("waits");
    for (int round = 0; round < 100; round++) {
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
        sgk_handlers handlers = SGK_HANDLERS_INIT;
        handlers.context = &f, handlers.next = leave_after_a_moment;
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_waitable(signal, &handlers);
        f.run = run;
        sgk_queue_dispatch(queue, wait_for_farewell, &f, NULL);
        sgk_pipe_next(pipe, sgk_int(1));
        assert_int_equal(sgk_queue_sync(queue, do_nothing, NULL), SGK_OK);
        assert_int_equal(f.status, SGK_OK);
    }
    pthread_barrier_destroy(&f.both_are_there);
}

static void it_runs_as_any_other(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) source = count_to(3);
    recorder *r = recorder_new();
    sgk_handlers handlers = recorder_handlers(r);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_waitable(source, &handlers);
    ASSERT_VALUES(r, 1, 2, 3);
    assert_int_equal(r->ends, 1);
    assert_int_equal(sgk_disposable_dispose(run), SGK_OK);
    recorder_free(r);
    SGK_AUTO(sgk_disposable) plain = sgk_signal_start_waitable(source, NULL);
    assert_non_null(plain);
}

static int reports;

static void count_report(void *context, const char *message) {
    (void)context;
    (void)message;
    reports++;
}

static void a_strict_one_that_has_ended_is_not_reported(void **state) {
    (void)state;
    reports = 0;
    sgk_set_log_handler(count_report, NULL, NULL);
    SGK_AUTO(sgk_signal) source = count_to(1);
    SGK_AUTO(sgk_signal) never = sgk_signal_never();
    sgk_disposable_release(SGK_STRICT(sgk_signal_start_waitable(source, NULL)));
    assert_int_equal(reports, 0);
    hand h;
    SGK_AUTO(sgk_signal) by_hand = hand_signal(&h);
    sgk_disposable_release(SGK_STRICT(sgk_signal_start_waitable(by_hand, NULL)));
    assert_int_equal(reports, 1);
    hand_free(&h);
    sgk_set_log_handler(NULL, NULL, NULL);
}

typedef struct storm {
    sgk_pipe *pipe;
    sgk_signal *signal;
} storm;

typedef struct local {
    atomic_bool gone; /* set after the wait for the subscription: no callback may see it */
    atomic_int late;
} local;

static void look(void *context, sgk_value value) {
    (void)value;
    local *l = context;
    if (l->gone) l->late++;
}

static void start_and_wait(void *context, int index) {
    storm *s = context;
    for (int i = 0; i < ROUNDS; i++) {
        if (index < 2) {
            sgk_pipe_next(s->pipe, sgk_int(i));
        } else {
            local l = {0};
            sgk_handlers handlers = SGK_HANDLERS_INIT;
            handlers.context = &l;
            handlers.next = look;
            SGK_AUTO(sgk_disposable) run = sgk_signal_start_waitable(s->signal, &handlers);
            if (sgk_disposable_dispose_and_wait(run) != SGK_OK) abort();
            l.gone = true; /* the stack frame goes: a callback that still ran would be seen by the sanitizers */
            if (l.late) abort();
        }
    }
}

static void after_the_wait_the_context_can_be_torn_down(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    storm s = {pipe, signal};
    in_parallel(4, start_and_wait, &s);
}

/* ---- A subscriber that is released from inside what it calls ---- */

typedef struct leaving {
    sgk_subscriber *subscriber;
    int destroyed;
    counted source;
} leaving;

static sgk_disposable *hand_over(void *context, sgk_subscriber *subscriber) {
    leaving *l = context;
    l->subscriber = sgk_subscriber_retain(subscriber);
    return sgk_action_disposable_create(counted_work, &l->source, counted_destroy);
}

static void leave(void *context, sgk_value value) {
    (void)value;
    leaving *l = context;
    sgk_subscriber_release(l->subscriber); /* the last reference to all of it */
    assert_int_equal(l->destroyed, 0);     /* but this call needs its context */
}

static void left(void *context) { ((leaving *)context)->destroyed++; }

static void what_is_let_go_in_a_callback_lives_until_that_returns(void **state) {
    (void)state;
    leaving l = {0};
    SGK_AUTO(sgk_signal) source = sgk_signal_create(hand_over, &l, NULL);
    sgk_disposable_release(sgk_signal_start_next(source, leave, &l, left));
    assert_int_equal(sgk_subscriber_next(l.subscriber, sgk_int(1)), SGK_ERROR_ENDED);
    assert_int_equal(l.destroyed, 1);
    assert_true(l.source.destroyed == 1 && l.source.calls == 0); /* the subscription is released as well */
}

/* ---- The value that ends the subscription ---- */

/* Emits until it is stopped, and logs the result of each emission. */
static sgk_disposable *emit_until_told(void *context, sgk_subscriber *subscriber) {
    notes *n = context;
    for (int value = 0; n->length < 9; value++) {
        sgk_status status = sgk_subscriber_next(subscriber, sgk_int(value));
        note(n, status == SGK_OK ? 'o' : status == SGK_ERROR_ENDED ? 'e' : '?');
        assert_int_equal(sgk_subscriber_is_active(subscriber), status == SGK_OK);
        if (status != SGK_OK) break;
    }
    return NULL;
}

static void a_generator_is_told_by_the_value_that_ends_its_run(void **state) {
    (void)state;
    notes n = {0};
    SGK_AUTO(sgk_signal) source = sgk_signal_create(emit_until_told, &n, NULL);
    SGK_AUTO(sgk_signal) three = sgk_signal_take(source, 3);
    recorder *r = recorder_new();
    sgk_disposable_release(record_run(three, r));
    assert_string_equal(n.text, "ooe");
    ASSERT_VALUES(r, 0, 1, 2);
    recorder_free(r);

    /* The same outside the generator: a stage ends the subscription, or the callback does. */
    for (int by_callback = 0; by_callback < 2; by_callback++) {
        hand h = {0};
        SGK_AUTO(sgk_signal) by_hand = hand_signal(&h);
        SGK_AUTO(sgk_signal) two = sgk_signal_take(by_hand, by_callback ? 9 : 2);
        recorder *each = recorder_new();
        each->dispose_at = by_callback ? 2 : 0;
        sgk_disposable_release(record_run(two, each));
        assert_int_equal(sgk_subscriber_next(h.subscriber, sgk_int(1)), SGK_OK);
        assert_int_equal(sgk_subscriber_next(h.subscriber, sgk_int(2)), SGK_ERROR_ENDED);
        assert_int_equal(sgk_subscriber_next(h.subscriber, sgk_int(3)), SGK_ERROR_ENDED);
        assert_int_equal(h.disposals, 1);
        ASSERT_VALUES(each, 1, 2);
        hand_free(&h);
        recorder_free(each);
    }
}

int run_subscribers(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_generator_is_told_by_the_value_that_ends_its_run),
        TEST(a_generator_that_blocks_is_woken_by_disposal),
        TEST(an_end_and_a_disposal_tell_in_order),
        TEST(a_source_that_goes_silent_disposes_nothing),
        TEST(whoever_registers_while_it_ends_is_told_once),
        TEST(one_of_its_own_has_the_same_rules),
        TEST(disposal_can_wait_for_a_callback),
        TEST(a_callback_does_not_wait_for_itself),
        TEST(nor_for_one_that_waits_for_it),
        TEST(callbacks_that_wait_for_each_other),
        TEST(a_callback_that_has_returned_is_not_waited_for),
        TEST(it_runs_as_any_other),
        TEST(a_strict_one_that_has_ended_is_not_reported),
        TEST(after_the_wait_the_context_can_be_torn_down),
        TEST(what_is_let_go_in_a_callback_lives_until_that_returns),
    };
    return cmocka_run_group_tests_name("subscribers", tests, NULL, NULL);
}
