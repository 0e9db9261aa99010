/* Tests of the promises of shims/system.h, for both versions. (No test depends on the speed of the machine: each waits
 * for its event without a limit.) */
#include "shims/system.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* The sanitizers hold locks across a fork, and to ThreadSanitizer a thread has ended before its real end. */
#if __has_feature(address_sanitizer)
#define HAS_NO_FORKS 1
#elif __has_feature(thread_sanitizer)
#define HAS_NO_FORKS 1
#define ENDS_AT_ONCE 1
#endif

#ifndef ROUNDS
#define ROUNDS 2000
#endif

static void a_moment(void) { nanosleep(&(struct timespec){0, 200000}, NULL); }
#define EVENTUALLY(condition) \
    while (!(condition)) a_moment()

static uintptr_t address_of(const atomic_uint *word) { return (uintptr_t)word; }

static pthread_t start(void *(*body)(void *), void *context) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, body, context), 0);
    return thread;
}

/* ---- Sleeping on a word ---- */

static void wait_until(atomic_uint *word, unsigned wanted) {
    for (unsigned seen; (seen = atomic_load(word)) != wanted;) sgk_shim_futex_wait(address_of(word), seen);
}

static void set(atomic_uint *word, unsigned value) {
    atomic_store(word, value);
    sgk_shim_futex_wake_one(address_of(word));
}

/* Two who wait for each other, by turns. */
typedef struct pair {
    atomic_uint ping, pong;
    int rounds;
} pair;

static void *answer(void *context) {
    pair *p = context;
    (void)sgk_shim_thread_pointer();
    for (int i = 1; i <= p->rounds; i++) {
        wait_until(&p->ping, (unsigned)i);
        set(&p->pong, (unsigned)i);
    }
    return NULL;
}

static void *ask(void *context) {
    pair *p = context;
    for (int i = 1; i <= p->rounds; i++) {
        set(&p->ping, (unsigned)i);
        wait_until(&p->pong, (unsigned)i);
    }
    return NULL;
}

enum { PAIRS = 12 };

/* One lost wake-up is one pair that waits without end. */
static void no_wake_up_is_lost(void **state) {
    (void)state;
    pair pairs[PAIRS];
    pthread_t threads[2 * PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        pairs[i] = (pair){.rounds = ROUNDS};
        threads[2 * i] = start(answer, &pairs[i]);
        threads[2 * i + 1] = start(ask, &pairs[i]);
    }
    for (int i = 0; i < 2 * PAIRS; i++) pthread_join(threads[i], NULL);
}

/* Many threads take values one by one. Each also sleeps on another word. */
typedef struct takers {
    atomic_uint tokens, taken, others[4];
} takers;

static void *take(void *context) {
    takers *t = context;
    for (;;) {
        unsigned seen = atomic_load(&t->tokens);
        if (seen == UINT32_MAX) return NULL;
        if (seen == 0) sgk_shim_futex_wait(address_of(&t->tokens), 0);
        else if (atomic_compare_exchange_strong(&t->tokens, &seen, seen - 1)) atomic_fetch_add(&t->taken, 1);
    }
}

static void *stay(void *context) {
    wait_until(context, 1);
    return NULL;
}

static void one_who_sleeps_on_the_word_is_woken_and_all_if_all_are_meant(void **state) {
    (void)state;
    takers t = {0};
    pthread_t threads[8];
    for (int i = 0; i < 4; i++) threads[i] = start(stay, &t.others[i]); /* at the same place, perhaps, and first */
    for (int i = 4; i < 8; i++) threads[i] = start(take, &t);
    for (unsigned i = 1; i <= ROUNDS; i++) {
        atomic_fetch_add(&t.tokens, 1);
        sgk_shim_futex_wake_one(address_of(&t.tokens));
        while (atomic_load(&t.taken) != i) sched_yield();
    }
    atomic_store(&t.tokens, UINT32_MAX);
    sgk_shim_futex_wake_all(address_of(&t.tokens));
    for (int i = 0; i < 4; i++) set(&t.others[i], 1);
    for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void a_sleep_ends_with_its_time_and_not_before(void **state) {
    (void)state;
    atomic_uint word = 3;
    const int64_t times[] = {0, 1, 999999, 3000000};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        int64_t before = now();
        while (sgk_shim_futex_wait_for(address_of(&word), 3, times[i])) {}
        assert_true(now() - before >= times[i]);
    }
    int64_t longest = INT64_MAX / 2;
    assert_true(sgk_shim_futex_wait_for(address_of(&word), 4, longest)); /* it is another number already */
    sgk_shim_futex_wait(address_of(&word), 4);
}

static void *sleep_long(void *context) {
    atomic_uint *word = context;
    while (atomic_load(word) == 0) assert_true(sgk_shim_futex_wait_for(address_of(word), 0, INT64_MAX / 2));
    return NULL;
}

static void the_longest_time_is_no_time_of_the_past(void **state) {
    (void)state;
    atomic_uint word = 0;
    pthread_t thread = start(sleep_long, &word);
    for (int i = 0; i < 10; i++) a_moment();
    set(&word, 1);
    pthread_join(thread, NULL);
}

typedef struct sleeper {
    atomic_uint word, place;
} sleeper;

static void *sleep_and_go_on(void *context) {
    sleeper *s = context;
    atomic_store(&s->place, 1);
    wait_until(&s->word, 1);
    atomic_store(&s->place, 2);
    pthread_testcancel();
    atomic_store(&s->place, 3);
    return NULL;
}

static void a_sleep_is_no_cancellation_point(void **state) {
    (void)state;
    sleeper s = {0};
    void *result;
    pthread_t thread = start(sleep_and_go_on, &s);
    EVENTUALLY(atomic_load(&s.place) == 1);
    for (int i = 0; i < 10; i++) a_moment();
    pthread_cancel(thread);
    for (int i = 0; i < 10; i++) a_moment();
    set(&s.word, 1);
    pthread_join(thread, &result);
    assert_true(result == PTHREAD_CANCELED);
    assert_int_equal(s.place, 2);
}

/* ---- Events ---- */

static bool is_up(sgk_shim_event event) {
    return poll(&(struct pollfd){sgk_shim_event_descriptor(event), POLLIN, 0}, 1, 0) == 1;
}

static void an_event_is_readable_from_being_raised_until_it_is_cleared(void **state) {
    (void)state;
    sgk_shim_event event = sgk_shim_event_make();
    assert_true(event >= 0);
    assert_true(fcntl(sgk_shim_event_descriptor(event), F_GETFD) & FD_CLOEXEC);
    assert_false(is_up(event));
    sgk_shim_event_clear(event);
    for (int times = 1; times <= 100000; times = times * 10 + 1) { /* a pipe does not hold as much */
        for (int i = 0; i < times; i++) sgk_shim_event_raise(event);
        assert_true(is_up(event));
        sgk_shim_event_clear(event);
        assert_false(is_up(event));
    }
    sgk_shim_event_close(event);
    sgk_shim_event_raise(-1);
    sgk_shim_event_clear(-1);
    sgk_shim_event_renew(-1);
    assert_int_equal(sgk_shim_event_descriptor(-1), -1);
    sgk_shim_event again = sgk_shim_event_make();
    assert_true(again == event); /* everything that it took was returned */
    sgk_shim_event_close(again);
}

/* ---- Threads ---- */

enum way { RETURN, EXIT, BE_CANCELLED, COME_BACK };
#ifdef ENDS_AT_ONCE
enum { WAYS = COME_BACK };
#else
enum { WAYS = COME_BACK + 1 };
#endif

typedef struct living {
    _Atomic uintptr_t pointer;
    atomic_int number;
    atomic_bool may_end, is_main, was_buried;
    enum way way;
} living;

static pthread_key_t at_the_end;

/* Repeats as long as the system allows, after all other work at the end of a thread. */
static void come_back(void *context) {
    living *l = context;
    atomic_store(&l->pointer, sgk_shim_thread_pointer());
    if (sgk_shim_thread_has_ended(l->pointer)) l->was_buried = true;
    pthread_setspecific(at_the_end, context);
}

static void *live(void *context) {
    living *l = context;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    l->number = sgk_shim_thread_number();
    l->is_main = sgk_shim_is_main_thread();
    atomic_store(&l->pointer, sgk_shim_thread_pointer());
    if (l->way == COME_BACK) pthread_setspecific(at_the_end, l);
    EVENTUALLY(atomic_load(&l->may_end));
    if (l->way == EXIT) pthread_exit(NULL);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL); /* not in a sleep, which ThreadSanitizer would take to go on */
    while (l->way == BE_CANCELLED) pthread_testcancel();
    return NULL;
}

static void it_is_known_which_threads_have_ended(void **state) {
    (void)state;
    assert_int_equal(pthread_key_create(&at_the_end, come_back), 0);
    enum { THREADS = 8 };
    uintptr_t own = sgk_shim_thread_pointer();
    for (int round = 0; round < 20; round++) {
        living all[THREADS] = {0};
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++) {
            all[i].way = (enum way)(i % WAYS);
            threads[i] = start(live, &all[i]);
        }
        for (int i = 0; i < THREADS; i++) {
            EVENTUALLY(atomic_load(&all[i].pointer));
            assert_true(all[i].pointer % 4 == 0 && !all[i].is_main);
            for (int j = 0; j < i; j++) assert_true(all[i].pointer != all[j].pointer);
        }
        for (int i = 0; i < THREADS; i++) {
            uintptr_t pointer = all[i].pointer;
            assert_false(sgk_shim_thread_has_ended(pointer));
            all[i].may_end = true;
            if (all[i].way == BE_CANCELLED) pthread_cancel(threads[i]);
            pthread_join(threads[i], NULL);
            EVENTUALLY(sgk_shim_thread_has_ended(pointer)); /* the system may show it for a moment */
            assert_false(all[i].was_buried);
            for (int j = i + 1; j < THREADS; j++) assert_false(sgk_shim_thread_has_ended(all[j].pointer));
        }
        assert_false(sgk_shim_thread_has_ended(own));
        assert_true(own == sgk_shim_thread_pointer());
    }
    pthread_key_delete(at_the_end);
}

typedef struct changing {
    atomic_int number;
    atomic_bool spins, may_end;
} changing;

static void *change(void *context) {
    changing *c = context;
    c->number = sgk_shim_thread_number();
    while (!c->may_end) {
        if (!c->spins) usleep(1000);
    }
    return NULL;
}

/* A thread that polls each millisecond is blocked, too. */
static void a_thread_runs_or_does_not(void **state) {
    (void)state;
    changing c = {0};
    sgk_shim_sight sight = {0};
    pthread_t thread = start(change, &c);
    EVENTUALLY(c.number);
    EVENTUALLY(!sgk_shim_thread_runs(c.number, &sight));
    c.spins = true;
    EVENTUALLY(sgk_shim_thread_runs(c.number, &sight));
    c.spins = false;
    EVENTUALLY(!sgk_shim_thread_runs(c.number, &sight));
    c.spins = true;
    EVENTUALLY(sgk_shim_thread_runs(c.number, &sight));
    c.may_end = true;
    pthread_join(thread, NULL);
    EVENTUALLY(!sgk_shim_thread_runs(c.number, &sight));
}

typedef struct stack {
    uintptr_t lowest, here;
    size_t size;
    char name[16];
} stack;

static void *look_at_stack(void *context) {
    stack *s = context;
    s->here = (uintptr_t)__builtin_frame_address(0);
    assert_true(sgk_shim_own_stack(&s->lowest, &s->size));
    sgk_shim_thread_set_name("a short name");
    sgk_shim_thread_set_nice(1);
    pthread_getname_np(pthread_self(), s->name, sizeof s->name);
    return NULL;
}

static void a_thread_knows_its_stack_and_has_a_name(void **state) {
    (void)state;
    stack s;
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    assert_int_equal(pthread_create(&thread, &attributes, look_at_stack, &s), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    assert_true(s.here - s.lowest < s.size && s.size >= 1 << 19 && s.size <= 1 << 21);
    assert_string_equal(s.name, "a short name");
    look_at_stack(&s); /* the first thread's, which no one has made */
    assert_true(s.here - s.lowest < s.size);
}

static void facts(void **state) {
    (void)state;
    assert_true(sgk_shim_is_main_thread());
    assert_true(sgk_shim_processors() >= 1);
    int64_t before = sgk_shim_tick(), time = sgk_shim_main_thread_cpu_time();
    EVENTUALLY(sgk_shim_tick() != before);
    while (sgk_shim_main_thread_cpu_time() < time + 1000000) {}
}

/* ---- The child of a fork ---- */

#ifndef HAS_NO_FORKS
static sgk_shim_event shared;
static uintptr_t others_pointer;
static atomic_uint early;

/* A function of sgk_shim_at_fork may use everything. */
static void first_in_child(void) {
    for (int i = 0; i < 256; i++) sgk_shim_futex_wake_all(address_of(&early) + 4 * (uintptr_t)i);
    if (sgk_shim_thread_has_ended(sgk_shim_thread_pointer())) _exit(11);
}

static void in_child(void) {
    alarm(60);
    for (int i = 0; i < PAIRS; i++) {
        pair p = {.rounds = 3};
        pthread_t thread;
        if (pthread_create(&thread, NULL, answer, &p) != 0) _exit(12);
        ask(&p);
        pthread_join(thread, NULL);
    }
    if (!sgk_shim_is_main_thread()) _exit(13);
    /* (While one of the threads above is just ending, it may still be that one.) */
    while (!sgk_shim_thread_has_ended(others_pointer)) usleep(1000);
    sgk_shim_event_renew(shared);
    if (is_up(shared) || !(fcntl(sgk_shim_event_descriptor(shared), F_GETFD) & FD_CLOEXEC)) _exit(15);
    sgk_shim_event_raise(shared);
    _exit(is_up(shared) ? 0 : 16);
}

static void *fork_children(void *context) {
    for (int i = 0; i < 60; i++) {
        int status;
        pid_t child = fork();
        if (child == 0) in_child();
        if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            print_error("child %d has ended by %#x\n", i, status);
            atomic_store((atomic_bool *)context, true);
        }
    }
    return NULL;
}

/* While other threads sleep, wake and come to their ends everywhere. */
static atomic_bool is_over;

static void *come_and_go(void *context) {
    (void)context;
    while (!is_over) {
        pair p = {.rounds = 50};
        pthread_t thread = start(answer, &p);
        if (sgk_shim_thread_has_ended(sgk_shim_thread_pointer())) abort();
        ask(&p);
        pthread_join(thread, NULL);
    }
    return NULL;
}

static void all_of_it_holds_in_the_child_of_a_fork(void **state) {
    (void)state;
    pthread_t threads[4], forking[2];
    atomic_bool has_failed = false;
    living other = {0};
    is_over = false;
    shared = sgk_shim_event_make();
    sgk_shim_event_raise(shared);
    pthread_t living = start(live, &other);
    EVENTUALLY(atomic_load(&other.pointer));
    others_pointer = other.pointer;
    for (int i = 0; i < 4; i++) threads[i] = start(come_and_go, NULL);
    for (int i = 0; i < 2; i++) forking[i] = start(fork_children, &has_failed);
    for (int i = 0; i < 2; i++) pthread_join(forking[i], NULL);
    is_over = other.may_end = true;
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    pthread_join(living, NULL);
    assert_false(has_failed);
    assert_true(is_up(shared)); /* no child has taken it down */
    sgk_shim_event_close(shared);
}
#endif

int main(void) {
#ifndef HAS_NO_FORKS
    sgk_shim_at_fork(NULL, NULL, first_in_child); /* before anybody has slept */
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts),
        cmocka_unit_test(no_wake_up_is_lost),
        cmocka_unit_test(one_who_sleeps_on_the_word_is_woken_and_all_if_all_are_meant),
        cmocka_unit_test(a_sleep_ends_with_its_time_and_not_before),
        cmocka_unit_test(the_longest_time_is_no_time_of_the_past),
        cmocka_unit_test(a_sleep_is_no_cancellation_point),
        cmocka_unit_test(an_event_is_readable_from_being_raised_until_it_is_cleared),
        cmocka_unit_test(it_is_known_which_threads_have_ended),
        cmocka_unit_test(a_thread_runs_or_does_not),
        cmocka_unit_test(a_thread_knows_its_stack_and_has_a_name),
#ifndef HAS_NO_FORKS
        cmocka_unit_test(all_of_it_holds_in_the_child_of_a_fork),
#endif
    };
    return cmocka_run_group_tests_name("system", tests, NULL, NULL);
}
