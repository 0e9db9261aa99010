/* Pipes. */
#include "suite.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static void a_pipe_feeds_everybody_who_listens(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    recorder *a = recorder_new(), *b = recorder_new();
    assert_int_equal(sgk_pipe_next(pipe, sgk_int(1)), SGK_OK); /* nobody listens */
    SGK_AUTO(sgk_disposable) first = record_run(signal, a);
    sgk_pipe_next(pipe, sgk_int(2));
    SGK_AUTO(sgk_disposable) second = record_run(signal, b);
    sgk_pipe_next(pipe, sgk_int(3));
    sgk_disposable_dispose(first);
    sgk_pipe_next(pipe, sgk_int(4));
    sgk_disposable_dispose(second);
    sgk_pipe_next(pipe, sgk_int(5));
    ASSERT_VALUES(a, 2, 3);
    ASSERT_VALUES(b, 3, 4);
    recorder_free(a);
    recorder_free(b);
}

/* Subscribers with names, which log their events and dispose others. */
typedef struct company {
    char notes[64];
    int length;
    sgk_disposable *runs[6];
} company;

typedef struct member {
    company *company;
    char name;
} member;

static void note_member(void *context, sgk_value value) {
    member *m = context;
    company *c = m->company;
    c->notes[c->length++] = m->name;
    if (m->name == 'a' && sgk_to_int(value) == 2) sgk_disposable_dispose(c->runs[2]);
    if (m->name == 'b' && sgk_to_int(value) == 3) {
        sgk_disposable_dispose(c->runs[1]);
        sgk_disposable_dispose(c->runs[5]);
    }
}

static void note_member_gone(void *context) {
    member *m = context;
    m->company->notes[m->company->length++] = (char)(m->name - 'a' + 'A');
}

static sgk_value as_it_is(void *context, sgk_value value) {
    (void)context;
    return sgk_value_retain(value);
}

static void who_is_disposed_in_a_round_is_not_told_any_more(void **state) {
    (void)state;
    company c = {.length = 0};
    member members[6];
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) mapped = sgk_signal_map(signal, as_it_is, NULL, NULL);
    for (int i = 0; i < 6; i++) {
        members[i] = (member){&c, (char)('a' + i)};
        c.runs[i] = sgk_signal_start_next(i == 4 ? mapped : signal, note_member, &members[i], note_member_gone);
    }
    for (int i = 1; i <= 4; i++) {
        sgk_pipe_next(pipe, sgk_int(i));
        c.notes[c.length++] = ' ';
    }
    sgk_value text = sgk_string("text");
    sgk_pipe_next(pipe, text);
    sgk_value_release(text);
    c.notes[c.length++] = ' ';
    sgk_pipe_complete(pipe);
    assert_string_equal(c.notes, "abcdef abdefC abdeBF ade ade ADE");
    for (int i = 0; i < 6; i++) sgk_disposable_release(c.runs[i]);
}

static void when_the_pipe_goes_its_runs_are_let_go(void **state) {
    (void)state;
    sgk_pipe *pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    recorder *a = recorder_new(), *b = recorder_new();
    SGK_AUTO(sgk_disposable) first = record_run(signal, a);
    assert_ptr_equal(sgk_pipe_retain(pipe), pipe);
    sgk_pipe_release(pipe);
    assert_int_equal(a->destroyed, 0);
    sgk_pipe_release(pipe);
    assert_int_equal(a->destroyed, 1);
    assert_int_equal(a->ends, 0);
    SGK_AUTO(sgk_disposable) late = record_run(signal, b); /* a run without events */
    assert_non_null(late);
    assert_int_equal(b->destroyed, 1);
    recorder_free(a);
    recorder_free(b);
}

typedef struct leave_taking {
    sgk_pipe *pipe;
    sgk_signal *signal;
    recorder *late;
    sgk_disposable *run;
} leave_taking;

static void let_go_and_start(void *context) {
    leave_taking *l = context;
    sgk_pipe_release(l->pipe);
    l->run = record_run(l->signal, l->late);
}

static void let_go_at_an_error(void *context, sgk_value error) {
    (void)error;
    let_go_and_start(context);
}

/* Also during its completion: a new subscription then receives only the completion. */
static void the_latest_value_goes_with_the_pipe(void **state) {
    (void)state;
    for (int fails = 0; fails < 2; fails++) {
        sgk_pipe *pipe = sgk_pipe_create_replay();
        SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
        leave_taking l = {pipe, signal, recorder_new(), NULL};
        sgk_pipe_next(pipe, sgk_int(1));
        sgk_handlers handlers = {
            .size = sizeof handlers, .context = &l, .completed = let_go_and_start, .error = let_go_at_an_error};
        SGK_AUTO(sgk_disposable) run = sgk_signal_start(signal, &handlers);
        assert_int_equal(fails ? sgk_pipe_error(pipe, sgk_int(2)) : sgk_pipe_complete(pipe), SGK_OK);
        assert_int_equal(l.late->nexts, 0);
        assert_int_equal(l.late->ends + l.late->errors, 1);
        sgk_disposable_release(l.run);
        recorder_free(l.late);
    }
}

typedef struct echo {
    sgk_pipe *pipe;
    recorder *recorder;
} echo;

static void put_again(void *context, sgk_value value) {
    echo *e = context;
    if (sgk_to_int(value) < 4) sgk_pipe_next(e->pipe, sgk_int(sgk_to_int(value) + 1));
}

static void what_is_put_from_inside_a_callback_follows_in_order(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    recorder *r = recorder_new();
    echo e = {pipe, r};
    SGK_AUTO(sgk_disposable) first = sgk_signal_start_next(signal, put_again, &e, NULL);
    SGK_AUTO(sgk_disposable) second = record_run(signal, r);
    sgk_pipe_next(pipe, sgk_int(1));
    ASSERT_VALUES(r, 1, 2, 3, 4); /* a listener that is served later never sees the newer value first */
    sgk_disposable_dispose(first);
    sgk_disposable_dispose(second);
    recorder_free(r);
}

static void thousands_may_come_and_go(void **state) {
    (void)state;
    enum { MANY = 2000 };
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    recorder *r = recorder_new();
    sgk_disposable **runs = calloc(MANY, sizeof *runs);
    for (int i = 0; i < MANY; i++) runs[i] = sgk_signal_start(signal, NULL);
    SGK_AUTO(sgk_disposable) run = record_run(signal, r);
    for (int i = 0; i < MANY; i += 2) sgk_disposable_dispose(runs[i]);
    sgk_pipe_next(pipe, sgk_int(1));
    for (int i = 1; i < MANY; i += 2) sgk_disposable_dispose(runs[i]);
    sgk_pipe_next(pipe, sgk_int(2));
    ASSERT_VALUES(r, 1, 2);
    sgk_disposable_dispose(run);
    for (int i = 0; i < MANY; i++) sgk_disposable_release(runs[i]);
    free(runs);
    recorder_free(r);
}

static void a_pipe_can_replay_and_end(void **state) {
    (void)state;
    for (int replays = 0; replays <= 1; replays++) {
        SGK_AUTO(sgk_pipe) pipe = replays ? sgk_pipe_create_replay() : sgk_pipe_create();
        SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
        recorder *a = recorder_new(), *b = recorder_new(), *c = recorder_new();
        SGK_AUTO(sgk_disposable) first = record_run(signal, a);
        sgk_pipe_next(pipe, sgk_int(1));
        SGK_AUTO(sgk_disposable) second = record_run(signal, b);
        sgk_pipe_next(pipe, sgk_int(2));
        for (int twice = 0; twice < 2; twice++) assert_int_equal(sgk_pipe_complete(pipe), SGK_OK);
        assert_int_equal(sgk_pipe_next(pipe, sgk_int(3)), SGK_ERROR_ENDED); /* goes nowhere */
        assert_int_equal(sgk_last_status(), SGK_OK);
        SGK_AUTO(sgk_disposable) third = record_run(signal, c);
        ASSERT_VALUES(a, 1, 2);
        if (replays) ASSERT_VALUES(b, 1, 2);
        else ASSERT_VALUES(b, 2);
        if (replays) ASSERT_VALUES(c, 2);
        else assert_int_equal(c->count, 0);
        assert_int_equal(a->ends + b->ends + c->ends, 3);
        recorder_free(a);
        recorder_free(b);
        recorder_free(c);
    }
}

/* A pipe whose latest value contains its own signal: the value is released with the pipe, and later only the terminal
 * event is replayed. */
static void a_pipe_does_not_keep_itself_by_its_value(void **state) {
    (void)state;
    for (int completes = 0; completes < 2; completes++) {
        sgk_pipe *pipe = sgk_pipe_create_replay();
        SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
        SGK_AUTO(sgk_signal) tens = sgk_signal_map(signal, times_ten, NULL, NULL);
        SGK_AUTO(sgk_disposable) never_disposed = sgk_signal_start(tens, NULL);
        put_signal(pipe, tens);
        if (completes) sgk_pipe_complete(pipe);
        assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 1);
        sgk_pipe_release(pipe);
        assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) late = record_run(signal, r);
        assert_int_equal(r->nexts, 0);
        assert_int_equal(r->ends, completes);
        sgk_disposable_dispose(late);
        recorder_free(r);
    }
}

/* ---- Callbacks that are left without return ---- */

static jmp_buf way_out;

static void jump(void *context, sgk_value value) {
    (void)context;
    if (sgk_to_int(value) == 1) longjmp(way_out, 1);
}

/* A pipe whose callback exited without returning reports it and drops no value silently. Its subscriptions can still be
 * released. */
static void assert_left(sgk_pipe *pipe) {
    for (int i = 0; i < 2; i++) {
        /* other threads are not checked each time */
        EVENTUALLY(sgk_pipe_next(pipe, sgk_int(2)) == SGK_ERROR_LEFT);
        assert_failed(SGK_ERROR_LEFT, "sgk_pipe_next: pipe: ");
    }
}

static void a_pipe_reports_that_its_callback_was_left_by_longjmp(void **state) {
    (void)state;
    recorder *r = recorder_new();
    sgk_pipe *pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    sgk_disposable *other = record_run(signal, r);
    SGK_AUTO(sgk_signal) serial = sgk_signal_serialized(signal); /* whose section is left as well */
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(serial, jump, NULL, NULL);
    if (setjmp(way_out) == 0) sgk_pipe_next(pipe, sgk_int(1));
    assert_int_equal(sgk_pipe_next(pipe, sgk_int(2)), SGK_ERROR_LEFT); /* at once */
    assert_failed(SGK_ERROR_LEFT, "sgk_pipe_next: pipe: ");
    assert_left(pipe);
    assert_int_equal(sgk_pipe_complete(pipe), SGK_ERROR_LEFT);
    assert_failed(SGK_ERROR_LEFT, "sgk_pipe_complete: pipe: ");
    ASSERT_VALUES(r, 1);
    sgk_disposable_dispose(other);
    sgk_pipe_release(pipe);
    sgk_disposable_release(other);
    recorder_free(r);
}

/* In a separate process, because the interrupted calls leak their objects. It ends by a signal on success, so that no
 * leak check runs. */
static void what_remembers_and_managers_report_it_too(void **state) {
    (void)state;
    pid_t child = fork();
    if (child != 0) {
        int status = 1;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        return;
    }
    sgk_state *promise = sgk_state_create(true);
    sgk_signal *signal = sgk_state_signal(promise);
    sgk_disposable_release(sgk_signal_start_next(signal, jump, NULL, NULL));
    if (setjmp(way_out) == 0) sgk_state_set(promise, sgk_int(1));
    if (sgk_state_set(promise, sgk_int(2)) != SGK_ERROR_LEFT) _exit(1);
    sgk_multicast_signal_manager *manager = sgk_multicast_signal_manager_create();
    sgk_signal *named = sgk_multicast_signal_manager_multicasted_pipe(manager, "name");
    sgk_disposable_release(sgk_signal_start_next(named, jump, NULL, NULL));
    if (setjmp(way_out) == 0) sgk_multicast_signal_manager_next(manager, "name", sgk_int(1));
    if (sgk_multicast_signal_manager_next(manager, "name", sgk_int(2)) != SGK_ERROR_LEFT) _exit(2);
    sgk_pipe *pipe = sgk_pipe_create_replay();
    sgk_signal *remembered = sgk_pipe_signal(pipe);
    sgk_disposable_release(sgk_signal_start_next(remembered, jump, NULL, NULL));
    if (setjmp(way_out) == 0) sgk_pipe_next(pipe, sgk_int(1));
    if (sgk_pipe_next(pipe, sgk_int(2)) != SGK_ERROR_LEFT) _exit(3);
    raise(SIGKILL);
}

static void end_thread(void *context, sgk_value value) {
    if (sgk_to_int(value) != 1) return;
    if (context == NULL) pthread_exit(NULL);
    pthread_cancel(pthread_self());
    pthread_testcancel();
}

static void *emit_the_last(void *pipe) {
    sgk_pipe_next(pipe, sgk_int(1));
    return NULL;
}

/* Returns whether the kernel reports the end of a thread: not under emulation, nor with musl. (Then the pipe cannot
 * detect it.) */
static bool ends_of_threads_are_seen(void) {
    void *list = NULL;
    size_t length;
    return syscall(SYS_get_robust_list, 0, &list, &length) == 0 && list;
}

static void a_pipe_reports_that_its_thread_ended_in_a_callback(void **state) {
    (void)state;
    if (!ends_of_threads_are_seen()) skip();
    for (int kind = 0; kind < 2; kind++) {
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, end_thread, kind ? pipe : NULL, NULL);
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, emit_the_last, pipe), 0);
        pthread_join(thread, NULL);
        assert_left(pipe);
    }
}

/* ---- Callbacks that resume in unusual ways: nothing is reported ---- */

typedef struct {
    sgk_pipe *pipe;
    ucontext_t thread, coroutine;
    int64_t sum;
    bool on_coroutine, switches;
} travel;

static void travel_next(void *context, sgk_value value) {
    travel *t = context;
    t->sum += sgk_to_int(value);
    if (!t->switches) return;
    t->switches = false;
    if (t->on_coroutine) swapcontext(&t->coroutine, &t->thread);
    else swapcontext(&t->thread, &t->coroutine);
}

/* (musl lacks these.) */
#pragma weak getcontext
#pragma weak makecontext
#pragma weak setcontext
#pragma weak swapcontext

static travel *traveller;

static void emit_and_go_back(void) {
    assert_int_equal(sgk_pipe_next(traveller->pipe, sgk_int(10)), SGK_OK);
    setcontext(&traveller->thread);
}

/* A callback is suspended on one stack while the same thread emits on another one. */
static void stacks_of_the_programs_own_are_no_mistake(void **state) {
    (void)state;
#if __has_feature(thread_sanitizer)
    skip(); /* it does not know of such stacks */
#endif
    if (!makecontext) skip();
    static char stack[256 * 1024] __attribute__((aligned(16)));
    for (int on_coroutine = 0; on_coroutine < 2; on_coroutine++) {
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
        travel t = {.pipe = pipe, .on_coroutine = on_coroutine, .switches = true};
        traveller = &t;
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, travel_next, &t, NULL);
        getcontext(&t.coroutine);
        t.coroutine.uc_stack.ss_sp = stack;
        t.coroutine.uc_stack.ss_size = sizeof stack;
        makecontext(&t.coroutine, emit_and_go_back, 0);
        if (on_coroutine) {
            swapcontext(&t.thread, &t.coroutine); /* it is inside the callback now */
            assert_int_equal(sgk_pipe_next(pipe, sgk_int(100)), SGK_OK);
            assert_int_equal(t.sum, 10);
            swapcontext(&t.thread, &t.coroutine);
            assert_int_equal(t.sum, 110);
        } else {
            assert_int_equal(sgk_pipe_next(pipe, sgk_int(100)), SGK_OK);
            assert_int_equal(t.sum, 110);
        }
    }
}

static void count_call(void *context, sgk_value value) {
    (void)value;
    counted_work(context);
}

static void emit_some(void *pipe, int index) {
    (void)index;
    for (int i = 0; i < 30; i++) assert_int_equal(sgk_pipe_next(pipe, sgk_int(i)), SGK_OK);
}

/* Threads end, and new threads use their stacks. */
static void threads_that_end_between_their_calls_are_no_mistake(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    counted c = {0};
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, count_call, &c, NULL);
    for (int round = 0; round < 200; round++) in_parallel(4, emit_some, pipe);
    assert_int_equal(c.calls, 200 * 4 * 30);
}

/* A callback that releases everything of the program, inside the call that invoked it. */
typedef struct {
    sgk_pipe *pipe;
    sgk_subscriber *subscriber;
    sgk_disposable *run;
    int calls, destroyed;
} everything;

static void let_go(void *context, sgk_value value) {
    everything *all = context;
    (void)value;
    all->calls++;
    sgk_pipe_release(all->pipe);
    sgk_subscriber_release(all->subscriber);
    sgk_disposable_dispose(all->run);
    sgk_disposable_release(all->run);
    *all = (everything){.calls = all->calls, .destroyed = all->destroyed};
}

static void count_destroyed(void *context) { ((everything *)context)->destroyed++; }

static sgk_disposable *keep_subscriber(void *context, sgk_subscriber *subscriber) {
    ((everything *)context)->subscriber = sgk_subscriber_retain(subscriber);
    return NULL;
}

static void a_callback_may_release_all_there_is(void **state) {
    (void)state;
    for (int is_serial = 0; is_serial < 2; is_serial++) {
        everything fed = {.pipe = sgk_pipe_create()}, generated = {0};
        sgk_signal *signals[] = {sgk_pipe_signal(fed.pipe), sgk_signal_create(keep_subscriber, &generated, NULL)};
        everything *all[] = {&fed, &generated};
        for (int i = 0; i < 2; i++) {
            sgk_signal *signal = is_serial ? sgk_signal_serialized(signals[i]) : sgk_signal_retain(signals[i]);
            all[i]->run = sgk_signal_start_next(signal, let_go, all[i], count_destroyed);
            sgk_signal_release(signal);
            sgk_signal_release(signals[i]);
        }
        sgk_pipe_next(fed.pipe, sgk_int(1));
        sgk_subscriber_next(generated.subscriber, sgk_int(1));
        for (int i = 0; i < 2; i++) {
            assert_int_equal(all[i]->calls, 1);
            assert_int_equal(all[i]->destroyed, 1);
        }
    }
}

/* Values and the completion are pending when everything is released. */
static void put_more_and_let_go(void *context, sgk_value value) {
    everything *all = context;
    if (sgk_to_int(value) == 1) {
        assert_int_equal(sgk_pipe_next(all->pipe, sgk_int(2)), SGK_OK);
        assert_int_equal(sgk_pipe_complete(all->pipe), SGK_OK);
        assert_int_equal(sgk_pipe_next(all->pipe, sgk_int(3)), SGK_ERROR_ENDED);
        sgk_pipe_release(all->pipe);
    }
    all->calls++;
}

static void what_waits_outlives_the_pipe(void **state) {
    (void)state;
    everything all = {.pipe = sgk_pipe_create()};
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(all.pipe);
    sgk_disposable_release(sgk_signal_start_next(signal, put_more_and_let_go, &all, count_destroyed));
    sgk_signal_release(signal);
    signal = NULL;
    assert_int_equal(sgk_pipe_next(all.pipe, sgk_int(1)), SGK_OK);
    assert_int_equal(all.calls, 2);
    assert_int_equal(all.destroyed, 1);
}

/* A subscription that starts during a delivery is released with the others, if the pipe is released before it receives
 * anything. */
static void join_put_and_let_go(void *context, sgk_value value) {
    everything *all = context;
    all->calls++;
    if (sgk_to_int(value) != 1) return;
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(all->pipe);
    sgk_disposable_release(sgk_signal_start_next(signal, join_put_and_let_go, all, count_destroyed));
    sgk_pipe_next(all->pipe, sgk_int(2));
    sgk_pipe_release(all->pipe);
}

static void who_has_just_joined_goes_with_the_pipe(void **state) {
    (void)state;
    everything all = {.pipe = sgk_pipe_create()};
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(all.pipe);
    sgk_disposable_release(sgk_signal_start_next(signal, join_put_and_let_go, &all, count_destroyed));
    sgk_pipe_next(all.pipe, sgk_int(1));
    assert_int_equal(all.calls, 1);
    assert_int_equal(all.destroyed, 2);
}

/* Threads that emit simultaneously, each with a reference that the callback for its value releases. */
enum { EMITTERS = 4 };

typedef struct {
    sgk_pipe *pipe;
    sgk_subscriber *subscriber;
    atomic_int calls, destroyed;
} shared;

static sgk_disposable *share_subscriber(void *context, sgk_subscriber *subscriber) {
    for (int i = 0; i < EMITTERS; i++) ((shared *)context)->subscriber = sgk_subscriber_retain(subscriber);
    return NULL;
}

static void let_go_of_one(void *context, sgk_value value) {
    shared *it = context;
    (void)value;
    it->calls++;
    sgk_pipe_release(it->pipe);
    sgk_subscriber_release(it->subscriber);
}

static void count_shared(void *context) { ((shared *)context)->destroyed++; }

static void emit_once(void *context, int index) {
    shared *it = context;
    if (it->pipe) {
        sgk_pipe_next(it->pipe, sgk_int(index));
    } else {
        sgk_subscriber_next(it->subscriber, sgk_int(index));
    }
}

static void the_last_call_lets_go(void **state) {
    (void)state;
    for (int round = 0; round < 200; round++) {
        shared it = {0};
        SGK_AUTO(sgk_signal) signal = NULL;
        if (round % 2) {
            it.pipe = sgk_pipe_create();
            for (int i = 1; i < EMITTERS; i++) sgk_pipe_retain(it.pipe);
            signal = sgk_pipe_signal(it.pipe);
        } else {
            signal = sgk_signal_create(share_subscriber, &it, NULL);
        }
        sgk_disposable_release(sgk_signal_start_next(signal, let_go_of_one, &it, count_shared));
        sgk_signal_release(signal);
        signal = NULL;
        in_parallel(EMITTERS, emit_once, &it);
        assert_int_equal(it.calls, EMITTERS);
        assert_int_equal(it.destroyed, 1);
    }
}

static void a_pipe_can_fail(void **state) {
    (void)state;
    for (int replays = 0; replays < 2; replays++) {
        SGK_AUTO(sgk_pipe) pipe = replays ? sgk_pipe_create_replay() : sgk_pipe_create();
        SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
        recorder *r = recorder_new(), *s = recorder_new(), *late = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(source, r), *other = record_run(source, s);
        sgk_pipe_next(pipe, sgk_int(1));
        assert_int_equal(sgk_pipe_error(pipe, sgk_int(7)), SGK_OK);
        assert_int_equal(sgk_pipe_next(pipe, sgk_int(2)), SGK_ERROR_ENDED);
        sgk_pipe_error(pipe, sgk_int(8)); /* the first terminal event counts */
        sgk_pipe_complete(pipe);
        SGK_AUTO(sgk_disposable) too_late = record_run(source, late);
        ASSERT_VALUES(r, 1);
        ASSERT_VALUES(s, 1);
        assert_int_equal(late->nexts, replays);
        recorder *all[] = {r, s, late};
        for (int i = 0; i < 3; i++) {
            assert_true(all[i]->errors == 1 && all[i]->ends == 0 && all[i]->error == 7);
            recorder_free(all[i]);
        }
    }
}

int run_pipes(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_pipe_feeds_everybody_who_listens),
        TEST(who_is_disposed_in_a_round_is_not_told_any_more),
        TEST(when_the_pipe_goes_its_runs_are_let_go),
        TEST(the_latest_value_goes_with_the_pipe),
        TEST(what_is_put_from_inside_a_callback_follows_in_order),
        TEST(thousands_may_come_and_go),
        TEST(a_pipe_can_replay_and_end),
        TEST(a_pipe_does_not_keep_itself_by_its_value),
        TEST(a_pipe_reports_that_its_callback_was_left_by_longjmp),
        TEST(what_remembers_and_managers_report_it_too),
        TEST(a_pipe_reports_that_its_thread_ended_in_a_callback),
        TEST(stacks_of_the_programs_own_are_no_mistake),
        TEST(threads_that_end_between_their_calls_are_no_mistake),
        TEST(a_callback_may_release_all_there_is),
        TEST(what_waits_outlives_the_pipe),
        TEST(who_has_just_joined_goes_with_the_pipe),
        TEST(the_last_call_lets_go),
        TEST(a_pipe_can_fail),
    };
    return cmocka_run_group_tests_name("pipes", tests, NULL, NULL);
}
