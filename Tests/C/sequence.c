/* Operators that go on with another signal, or with the same one again. */
#include "suite.h"

#include <math.h>

static sgk_signal *two_or_nothing(void *context) {
    counted_work(context);
    return ((counted *)context)->calls % 2 ? count_to(2) : NULL;
}

static void deferred_asks_at_each_start(void **state) {
    (void)state;
    counted c = {0};
    sgk_signal *signal = sgk_signal_deferred(two_or_nothing, &c, counted_destroy);
    recorder *r = recorder_new(), *s = recorder_new();
    assert_int_equal(c.calls, 0);
    sgk_disposable_release(record_run(signal, r));
    sgk_disposable_release(record_run(signal, s));
    ASSERT_VALUES(r, 1, 2);
    assert_int_equal(s->count, 0);
    assert_int_equal(s->ends, 1);
    sgk_signal_release(signal);
    assert_int_equal(c.destroyed, 1);
    recorder_free(r);
    recorder_free(s);
}

static void then_goes_on(void **state) {
    (void)state;
    hand h[2];
    SGK_AUTO(sgk_signal) first = hand_signal(&h[0]);
    SGK_AUTO(sgk_signal) second = hand_signal(&h[1]);
    SGK_AUTO(sgk_signal) both = sgk_signal_concat_with(first, second);
    recorder *r = recorder_new(), *s = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(both, r);
    sgk_subscriber_next(h[0].subscriber, sgk_int(1));
    assert_int_equal(h[1].starts, 0);
    sgk_subscriber_complete(h[0].subscriber);
    assert_int_equal(h[0].disposals, 1);
    sgk_subscriber_next(h[1].subscriber, sgk_int(2));
    sgk_subscriber_complete(h[1].subscriber);
    ASSERT_VALUES(r, 1, 2);
    assert_int_equal(r->ends, 1);
    SGK_AUTO(sgk_disposable) other = record_run(both, s);
    sgk_subscriber_error(h[0].subscriber, sgk_int(3));
    assert_int_equal(s->error, 3);
    assert_int_equal(h[1].starts, 1);
    hand_free(&h[0]);
    hand_free(&h[1]);
    recorder_free(r);
    recorder_free(s);
}

static sgk_signal *alternative(void *context, sgk_value error) {
    counted_work(context);
    return sgk_to_int(error) == 0 ? NULL : sgk_signal_just(sgk_int(sgk_to_int(error) * 10));
}

static void catch_goes_on_with_another(void **state) {
    (void)state;
    counted c = {0};
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    sgk_signal *caught = sgk_signal_catch(source, alternative, &c, counted_destroy);
    for (int error = 0; error <= 1; error++) {
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(caught, r);
        sgk_subscriber_next(h.subscriber, sgk_int(1));
        sgk_subscriber_error(h.subscriber, sgk_int(error));
        if (error) ASSERT_VALUES(r, 1, 10);
        else ASSERT_VALUES(r, 1);
        assert_int_equal(r->ends, 1);
        recorder_free(r);
    }
    assert_int_equal(c.calls, 2);
    sgk_signal_release(caught);
    assert_int_equal(c.destroyed, 1);
    hand_free(&h);
}

static void repeat_goes_round_and_round(void **state) {
    (void)state;
    int rounds = repeated(100000);
    SGK_AUTO(sgk_signal) two = count_to(2);
    SGK_AUTO(sgk_signal) again = sgk_signal_repeat(two, SGK_UNBOUNDED);
    SGK_AUTO(sgk_signal) some = sgk_signal_take(again, rounds * 2);
    recorder *r = recorder_new();
    sgk_disposable_release(record_run(some, r));
    assert_int_equal(r->nexts, rounds * 2);
    assert_int_equal(r->ends, 1);
    assert_true(r->values[0] == 1 && r->values[1] == 2 && r->values[2] == 1);
    recorder_free(r);
}

/* Fails, with the number of the start, until there have been as many starts as it takes. */
typedef struct flaky {
    int starts, needed;
} flaky;

static sgk_disposable *try_it(void *context, sgk_subscriber *subscriber) {
    flaky *f = context;
    sgk_subscriber_next(subscriber, sgk_int(++f->starts));
    if (f->starts < f->needed) sgk_subscriber_error(subscriber, sgk_int(f->starts));
    else sgk_subscriber_complete(subscriber);
    return NULL;
}

/* Tries again after the errors 1 and 2, and gives up after the third. */
static sgk_signal *below_three(void *context, sgk_value error, int64_t failures) {
    counted_work(context);
    assert_int_equal(sgk_to_int(error), failures);
    return failures < 3 ? NULL : sgk_signal_empty();
}

/* Like below_three, but fails with another error. */
static sgk_signal *below_three_or_ten_times(void *context, sgk_value error, int64_t failures) {
    counted_work(context);
    return failures < 3 ? NULL : sgk_signal_fail(sgk_int(sgk_to_int(error) * 10));
}

static void errors_start_it_again(void **state) {
    (void)state;
    for (int needed = 3; needed <= 5; needed += 2) {
        flaky f = {0, needed};
        counted c = {0};
        SGK_AUTO(sgk_signal) source = sgk_signal_create(try_it, &f, NULL);
        SGK_AUTO(sgk_signal) all = sgk_signal_retry(source, SGK_RETRY(.delay = SGK_AT_ONCE), NULL);
        SGK_AUTO(sgk_signal)
        some = sgk_signal_retry(source,
            SGK_RETRY(.delay = SGK_AT_ONCE, .decide = below_three, .context = &c, .destroy = counted_destroy), NULL);
        SGK_AUTO(sgk_signal)
        mapped = sgk_signal_retry(source,
            SGK_RETRY(.delay = SGK_AT_ONCE, .decide = below_three_or_ten_times, .context = &c,
                .destroy = counted_destroy),
            NULL);
        sgk_signal *signals[] = {all, some, mapped};
        for (int i = 0; i < 3; i++) {
            recorder *r = recorder_new();
            f.starts = 0;
            sgk_disposable_release(record_run(signals[i], r));
            bool gives_up = needed == 5 && i > 0;
            assert_int_equal(r->nexts, gives_up ? 3 : needed);
            assert_int_equal(r->ends, !gives_up);
            if (gives_up) assert_int_equal(r->error, i == 1 ? 3 : 30);
            recorder_free(r);
        }
        assert_int_equal(c.calls, needed == 3 ? 4 : 6);
    }
}

static void retry_waits(void **state) {
    (void)state;
    flaky f = {0, 4};
    SGK_AUTO(sgk_signal) source = sgk_signal_create(try_it, &f, NULL);
    SGK_AUTO(sgk_signal) again = sgk_signal_retry(source, SGK_RETRY(.delay = 0.001, .max_delay = 0.002), NULL);
    recorder *r = recorder_new(), *s = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(again, r);
    EVENTUALLY(r->ends == 1);
    ASSERT_VALUES(r, 1, 2, 3, 4);
    f = (flaky){0, 4};
    SGK_AUTO(sgk_signal) slow = sgk_signal_retry(source, SGK_RETRY(.delay = 1e6, .max_delay = 1e6), NULL);
    SGK_AUTO(sgk_disposable) other = record_run(slow, s);
    ASSERT_VALUES(s, 1);
    sgk_disposable_dispose(other); /* while it waits */
    recorder_free(r);
    recorder_free(s);
}

/* ---- The fields of sgk_retry, in virtual time ---- */

/* Emits a value if that is wanted, and fails after some seconds. Each attempt writes its time. */
typedef struct attempts {
    sgk_queue *queue;
    double lives[8]; /* how long each attempt lasts; the last one counts for all further ones */
    bool emits;
    int count;
    double times[8];
} attempts;

static void fail_now(void *subscriber) { sgk_subscriber_error(subscriber, sgk_int(7)); }
static void release_subscriber(void *subscriber) { sgk_subscriber_release(subscriber); }

static sgk_disposable *attempt(void *context, sgk_subscriber *subscriber) {
    attempts *a = context;
    assert_true(a->count < 8);
    double lives = a->lives[a->count];
    a->times[a->count++] = sgk_queue_now(a->queue);
    if (a->emits) sgk_subscriber_next(subscriber, sgk_int(a->count));
    if (lives == 0) fail_now(subscriber);
    else return sgk_queue_after(a->queue, lives, fail_now, sgk_subscriber_retain(subscriber), release_subscriber);
    return NULL;
}

/* Returns the times of the attempts until `seconds`, and checks that the result has failed or not. */
static attempts attempted(attempts a, const sgk_retry *policy, double seconds, int errors) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    a.queue = queue;
    SGK_AUTO(sgk_signal) source = sgk_signal_create(attempt, &a, NULL);
    SGK_AUTO(sgk_signal) signal = sgk_signal_retry(source, policy, queue);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(signal, r);
    sgk_queue_advance(queue, seconds);
    assert_int_equal(r->errors, errors);
    if (errors) assert_int_equal(r->error, 7);
    sgk_disposable_dispose(run);
    recorder_free(r);
    a.queue = NULL;
    return a;
}

#define ASSERT_TIMES(a, ...) \
    do { \
        const double expected[] = {__VA_ARGS__}; \
        const attempts made = a; \
        assert_int_equal(made.count, sizeof expected / sizeof *expected); \
        for (int i = 0; i < made.count; i++) assert_true(fabs(made.times[i] - expected[i]) < 1e-9); \
    } while (0)

static void each_field_of_a_policy_counts(void **state) {
    (void)state;
    const attempts fails = {0};
    ASSERT_TIMES(attempted(fails, NULL, 40, 0), 0, 1, 3, 7, 15, 31);
    ASSERT_TIMES(attempted(fails, SGK_RETRY(.attempts = 0), 40, 0), 0, 1, 3, 7, 15, 31);
    ASSERT_TIMES(attempted(fails, SGK_RETRY(.attempts = 1), 40, 1), 0);
    ASSERT_TIMES(attempted(fails, SGK_RETRY(.attempts = 3), 40, 1), 0, 1, 3);
    ASSERT_TIMES(attempted(fails, SGK_RETRY(.delay = 0.5), 4, 0), 0, 0.5, 1.5, 3.5);
    ASSERT_TIMES(attempted(fails, SGK_RETRY(.factor = 1), 3.5, 0), 0, 1, 2, 3);
    ASSERT_TIMES(attempted(fails, SGK_RETRY(.factor = 1, .increment = 1), 10, 0), 0, 1, 3, 6, 10);
    ASSERT_TIMES(attempted(fails, SGK_RETRY(.increment = 1), 11, 0), 0, 1, 4, 11);
    ASSERT_TIMES(attempted(fails, SGK_RETRY(.max_delay = 3), 9, 0), 0, 1, 3, 6, 9);
    ASSERT_TIMES(attempted(fails, SGK_RETRY(.max_delay = 0.5), 1, 0), 0, 0.5, 1);
    ASSERT_TIMES(attempted(fails, SGK_RETRY(.delay = 50), 120, 0), 0, 50, 110); /* by default at most 60 seconds */
    ASSERT_TIMES(attempted(fails, SGK_RETRY(.delay = SGK_AT_ONCE, .attempts = 4), 1, 1), 0, 0, 0, 0);
    ASSERT_TIMES(attempted(fails, SGK_RETRY(.delay = SGK_AT_ONCE, .increment = 1), 5, 0), 0, 0, 1, 4);
}

static void a_new_failure_counts_as_the_first(void **state) {
    (void)state;
    const attempts emits = {.emits = true}, lives = {.lives = {0, 0, 5, 0, 4.5, 0}};
    ASSERT_TIMES(attempted(emits, NULL, 7, 0), 0, 1, 3, 7);
    ASSERT_TIMES(attempted(emits, SGK_RETRY(.reset_on_value = true, .attempts = 2), 3.5, 0), 0, 1, 2, 3);
    /* The third attempt begins at 3, and lasts from there; the fifth does not last long enough. */
    ASSERT_TIMES(attempted(lives, SGK_RETRY(.reset_after = 5), 24, 0), 0, 1, 3, 9, 11, 19.5);
    ASSERT_TIMES(attempted(lives, SGK_RETRY(.reset_after = 5, .attempts = 3), 24, 1), 0, 1, 3, 9, 11);
    ASSERT_TIMES(attempted(lives, NULL, 11, 0), 0, 1, 3);
}

/* What a decision returns by the number of the failure. */
typedef struct decider {
    counted calls;
    sgk_queue *queue;
    sgk_signal *third; /* or NULL */
} decider;

static sgk_signal *decided(void *context, sgk_value error, int64_t failures) {
    decider *d = context;
    d->calls.calls++;
    assert_int_equal(sgk_to_int(error), 7);
    assert_int_equal(failures, d->calls.calls);
    if (failures == 1) return NULL;
    if (failures == 2) return sgk_signal_timer(10, d->queue);
    return d->third ? sgk_signal_retain(d->third) : NULL;
}
static void decider_destroyed(void *context) { ((decider *)context)->calls.destroyed++; }

static void a_decision_is_a_signal(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(7));
    const struct {
        sgk_signal *third;
        int64_t attempts, error;
        int calls;
    } rows[] = {
        {sgk_signal_empty(), 0, 7, 3},          /* gives up with the same error */
        {sgk_signal_fail(sgk_int(8)), 0, 8, 3}, /* fails with another error */
        {NULL, 4, 7, 3},                        /* there is no decision about the last attempt */
        {sgk_signal_just(sgk_int(1)), 4, 7, 3}, /* the next attempt is started immediately */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        decider d = {.queue = queue, .third = rows[i].third};
        sgk_signal *signal = sgk_signal_retry(failing,
            SGK_RETRY(.attempts = rows[i].attempts, .decide = decided, .context = &d, .destroy = decider_destroyed),
            queue);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(signal, r);
        sgk_signal_release(signal);
        assert_int_equal(d.calls.calls, 1);
        sgk_queue_advance(queue, 1);
        assert_int_equal(d.calls.calls, 2);
        sgk_queue_advance(queue, 9.5);
        assert_int_equal(d.calls.calls, 2);
        sgk_queue_advance(queue, 10);
        assert_int_equal(d.calls.calls, rows[i].calls);
        assert_true(r->errors == 1 && r->error == rows[i].error && r->nexts == 0);
        assert_int_equal(d.calls.destroyed, 1);
        recorder_free(r);
        sgk_signal_release(rows[i].third);
    }
}

typedef struct looper {
    counted calls;
    int64_t seen[8]; /* what each round was given; -1 for nothing */
} looper;

static sgk_signal *round_of_two(void *context, const sgk_value *accumulated) {
    looper *l = context;
    l->seen[l->calls.calls++] = accumulated ? sgk_to_int(*accumulated) : -1;
    if (l->calls.calls == 1) return sgk_signal_empty(); /* a round without a value */
    return l->calls.calls < 4 ? count_to(2) : NULL;
}

static sgk_value add_up(void *context, sgk_value accumulated, sgk_value value) {
    (void)context;
    return sgk_int(sgk_to_int(accumulated) + sgk_to_int(value));
}

static void looper_destroyed(void *context) { ((looper *)context)->calls.destroyed++; }

static void an_accumulating_loop_feeds_back(void **state) {
    (void)state;
    looper l = {0};
    sgk_signal *loop = sgk_accumulating_loop(round_of_two, add_up, &l, looper_destroyed);
    recorder *r = recorder_new();
    sgk_disposable_release(record_run(loop, r));
    ASSERT_VALUES(r, 1, 3, 4, 6);
    assert_int_equal(r->ends, 1);
    assert_true(l.seen[0] == -1 && l.seen[1] == -1 && l.seen[2] == 3 && l.seen[3] == 6);
    sgk_signal_release(loop);
    assert_int_equal(l.calls.destroyed, 1);
    recorder_free(r);
}

static sgk_signal *one_more(void *context, const sgk_value *accumulated) {
    (void)context;
    (void)accumulated;
    return sgk_signal_just(sgk_int(1));
}

static sgk_signal *fails_at_once(void *context, const sgk_value *accumulated) {
    counted_work(context);
    return accumulated ? sgk_signal_fail(sgk_int(9)) : sgk_signal_just(sgk_int(1));
}

static sgk_signal *wrong_kind(void *context, const sgk_value *accumulated) {
    (void)accumulated;
    return context;
}

static void a_loop_ends_by_an_error_and_is_as_deep_as_one_round(void **state) {
    (void)state;
    counted c = {0};
    SGK_AUTO(sgk_signal) loop = sgk_accumulating_loop(fails_at_once, add_up, &c, NULL);
    recorder *r = recorder_new(), *s = recorder_new(), *t = recorder_new();
    sgk_disposable_release(record_run(loop, r));
    ASSERT_VALUES(r, 1);
    assert_int_equal(r->error, 9);
    assert_int_equal(c.calls, 2);
    SGK_AUTO(sgk_signal) endless = sgk_accumulating_loop(one_more, add_up, NULL, NULL);
    SGK_AUTO(sgk_signal) some = sgk_signal_take(endless, repeated(100000));
    sgk_disposable_release(record_run(some, s));
    assert_int_equal(s->nexts, repeated(100000));
    SGK_AUTO(sgk_queue) queue = sgk_queue_create(NULL);
    SGK_AUTO(sgk_signal) wrong = sgk_accumulating_loop(wrong_kind, add_up, queue, NULL);
    sgk_disposable_release(record_run(wrong, t));
    assert_failed(SGK_ERROR_HANDLE, "sgk_accumulating_loop: the callback's result: ");
    assert_int_equal(t->errors, 1);
    recorder_free(r);
    recorder_free(s);
    recorder_free(t);
}

static void values_and_signals_at_the_ends(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) two = count_to(2), *none = sgk_signal_empty(), *failing = sgk_signal_fail(sgk_int(7));
    SGK_AUTO(sgk_signal) failed = sgk_signal_concat_with(two, failing), *begun = sgk_signal_start_with(two, sgk_int(8));
    SGK_AUTO(sgk_signal) again = sgk_signal_start_with(begun, sgk_int(9));
    sgk_signal *three[] = {two, none, begun}, *with_error[] = {two, failing, two};
    const struct {
        sgk_signal *signal;
        int count;
        int64_t values[5];
        int errors;
    } rows[] = {
        {sgk_signal_retain(again), 4, {9, 8, 1, 2}, 0},
        {sgk_signal_end_with(two, sgk_int(8)), 3, {1, 2, 8}, 0},
        {sgk_signal_end_with(failed, sgk_int(8)), 2, {1, 2}, 1},
        {sgk_concat(three, 3), 5, {1, 2, 8, 1, 2}, 0},
        {sgk_concat(with_error, 3), 2, {1, 2}, 1},
        {sgk_concat(NULL, 0), 0, {0}, 0},
        {sgk_signal_default_if_empty(none, sgk_int(8)), 1, {8}, 0},
        {sgk_signal_default_if_empty(two, sgk_int(8)), 2, {1, 2}, 0},
        {sgk_signal_default_if_empty(failing, sgk_int(8)), 0, {0}, 1},
        {sgk_signal_switch_if_empty(none, begun), 3, {8, 1, 2}, 0},
        {sgk_signal_switch_if_empty(none, failed), 2, {1, 2}, 1},
        {sgk_signal_catch_and_return(failed, sgk_int(8)), 3, {1, 2, 8}, 0},
        {sgk_signal_catch_and_return(two, sgk_int(8)), 2, {1, 2}, 0},
        {sgk_signal_repeat(two, 2), 4, {1, 2, 1, 2}, 0},
        {sgk_signal_repeat(failed, 2), 2, {1, 2}, 1},
        {sgk_signal_repeat(failed, 0), 0, {0}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int twice = 0; twice < 2; twice++) { /* each subscription starts with the initial state */
            recorder *r = recorder_new();
            sgk_disposable_release(record_run(rows[i].signal, r));
            assert_recorded(r, rows[i].count, rows[i].values);
            assert_true(r->errors == rows[i].errors && r->ends == 1 - rows[i].errors);
            recorder_free(r);
        }
        sgk_signal_release(rows[i].signal);
    }
}

/* Returns the delay of the second attempt with a jitter of 1: up to twice as long. */
static double waited(uint64_t seed) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(1));
    SGK_AUTO(sgk_signal) s = sgk_signal_retry(failing, SGK_RETRY(.attempts = 2, .jitter = 1, .seed = seed), queue);
    recorder *r = recorder_new();
    sgk_disposable_release(record_run(s, r));
    assert_int_equal(sgk_queue_run(queue, 10), 1);
    assert_true(r->errors == 1 && sgk_queue_now(queue) <= 2);
    recorder_free(r);
    return sgk_queue_now(queue);
}
static void jitter_is_to_both_sides(void **state) {
    (void)state;
    int shorter = 0;
    for (uint64_t seed = 1; seed <= 32; seed++) shorter += waited(seed) < 1;
    assert_true(shorter > 4 && shorter < 28);
    assert_true(waited(1) == waited(1));
    assert_true(waited(0) != waited(0)); /* without a seed each run has its own */
}

/* ---- Orders of starts and disposals, as docs/contract.md states them ---- */

enum { MOST_STARTS = 4 };

/* A source of which each start S and each disposal D has a number. V is a value, C and E are the ends of the result. */
typedef struct journal {
    char text[64];
    int starts;
    bool fails;
    bool ends_inside; /* its start; or afterwards, when the test says so */
    struct start {
        struct journal *journal;
        sgk_subscriber *subscriber;
    } start[MOST_STARTS];
} journal;

static void write_event(journal *j, const char *event, int64_t number) {
    size_t used = strlen(j->text);
    assert_true(used + 4 < sizeof j->text);
    snprintf(j->text + used, sizeof j->text - used, number ? "%s%d " : "%s ", event, (int)number);
}
static void write_value(void *j, sgk_value value) { write_event(j, "V", sgk_to_int(value)); }
static void write_error(void *j, sgk_value error) { (void)error, write_event(j, "E", 0); }
static void write_completion(void *j) { write_event(j, "C", 0); }
static void write_disposal(void *start) {
    struct start *s = start;
    write_event(s->journal, "D", s - s->journal->start + 1);
}

/* The first start fails, if that is wanted. The others complete. */
static void end_start(journal *j, int index) {
    sgk_subscriber *subscriber = j->start[index].subscriber;
    if (j->fails && index == 0) sgk_subscriber_error(subscriber, sgk_int(0));
    else sgk_subscriber_complete(subscriber);
}
static sgk_disposable *write_start(void *context, sgk_subscriber *subscriber) {
    journal *j = context;
    int index = j->starts++;
    assert_true(index < MOST_STARTS);
    write_event(j, "S", index + 1);
    j->start[index] = (struct start){j, sgk_subscriber_retain(subscriber)};
    if (j->ends_inside) end_start(j, index);
    return sgk_action_disposable_create(write_disposal, &j->start[index], NULL);
}

static sgk_signal *source_again(void *source, sgk_value value) { return (void)value, sgk_signal_retain(source); }
static sgk_signal *when_it_ends(void *source, sgk_value error, int64_t failures) {
    (void)error, (void)failures;
    return sgk_signal_end_with(source, sgk_int(0));
}

/* Starts the signal, and has the starts of its source end one after another. */
static void assert_journal(journal *j, sgk_signal *signal, const char *expected) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = j;
    handlers.next = write_value, handlers.error = write_error, handlers.completed = write_completion;
    sgk_disposable_release(sgk_signal_start(signal, &handlers));
    for (int i = 0; !j->ends_inside && i < j->starts; i++) end_start(j, i);
    assert_string_equal(j->text, expected);
    for (int i = 0; i < j->starts; i++) sgk_subscriber_release(j->start[i].subscriber);
    sgk_signal_release(signal);
}

static void starts_and_disposals_have_an_order(void **state) {
    (void)state;
    for (int inside = 0; inside < 2; inside++) {
        journal j;
        SGK_AUTO(sgk_signal) source = sgk_signal_create(write_start, &j, NULL);
        SGK_AUTO(sgk_signal) two = count_to(2);
        const struct {
            bool fails;
            sgk_signal *signal;
            const char *expected[2];
        } rows[] = {
            {false, sgk_signal_concat_with(source, source), {"S1 S2 D1 C D2 ", "S1 D1 S2 C D2 "}},
            {false, sgk_signal_repeat(source, 2), {"S1 S2 D1 C D2 ", "S1 D1 S2 C D2 "}},
            {false, sgk_signal_start_with(source, sgk_int(9)), {"V9 S1 C D1 ", "V9 S1 C D1 "}},
            {false, sgk_signal_end_with(source, sgk_int(9)), {"S1 V9 C D1 ", "S1 D1 V9 C "}},
            {false, sgk_signal_concat_map(two, source_again, source, NULL), {"S1 S2 D1 C D2 ", "S1 D1 S2 D2 C "}},
            {false, sgk_signal_switch_if_empty(source, source), {"S1 S2 D1 C D2 ", "S1 D1 S2 C D2 "}},
            {true, sgk_signal_catch(source, source_again, source, NULL), {"S1 S2 D1 C D2 ", "S1 D1 S2 C D2 "}},
            {true, sgk_signal_retry(source, SGK_RETRY(.delay = SGK_AT_ONCE), NULL),
                {"S1 S2 D1 C D2 ", "S1 D1 S2 C D2 "}},
            {true, sgk_signal_retry(source, SGK_RETRY(.decide = when_it_ends, .context = source), NULL),
                {"S1 S2 D1 S3 D2 C D3 ", "S1 D1 S2 D2 S3 C D3 "}},
        };
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            j = (journal){.fails = rows[i].fails, .ends_inside = inside};
            assert_journal(&j, rows[i].signal, rows[i].expected[inside]);
        }
    }
}

int run_sequence(void) {
    const struct CMUnitTest tests[] = {
        TEST(deferred_asks_at_each_start),
        TEST(then_goes_on),
        TEST(catch_goes_on_with_another),
        TEST(repeat_goes_round_and_round),
        TEST(errors_start_it_again),
        TEST(retry_waits),
        TEST(each_field_of_a_policy_counts),
        TEST(a_new_failure_counts_as_the_first),
        TEST(a_decision_is_a_signal),
        TEST(an_accumulating_loop_feeds_back),
        TEST(a_loop_ends_by_an_error_and_is_as_deep_as_one_round),
        TEST(values_and_signals_at_the_ends),
        TEST(jitter_is_to_both_sides),
        TEST(starts_and_disposals_have_an_order),
    };
    return cmocka_run_group_tests_name("sequence", tests, NULL, NULL);
}
