/* Threads of the system's, each with its stack and its thread pointer, which one thread plays: fibers. */
#include "explorer.h"

#include "../../Sources/SignalKitShims/include/shims/counters.h"
#include "../../Sources/SignalKitShims/include/shims/turns.h"

#include <pthread.h>
#include <unistd.h>

fiber fibers[THREADS];
int current, thread_count;

void forget_threads(void) {
    fibers[0].view = outside = (view){0};
    thread_count = 1;
}

#ifdef __x86_64__
static inline void set_thread_pointer(uintptr_t pointer) { __asm__ volatile("wrfsbase %0" ::"r"(pointer) : "memory"); }
#else
static inline void set_thread_pointer(uintptr_t pointer) {
    __asm__ volatile("msr tpidr_el0, %0" ::"r"(pointer) : "memory");
}
#endif

static __attribute__((noinline)) void go_to(int next, bool from_the_start) {
    fiber *from = &fibers[current], *to = &fibers[next];
    if (__builtin_setjmp(from->context) == 0) {
        current = next;
        set_thread_pointer(to->pointer);
        if (from_the_start) __builtin_longjmp(to->start, 1);
        else __builtin_longjmp(to->context, 1);
    }
}

/* Far away from where the system's thread waits on the same stack. */
static __attribute__((noinline)) _Noreturn void play(void) {
    volatile char gap[1 << 16];
    gap[0] = 0;
    fiber *me = &fibers[current];
    me->main(me->argument);
    me->state = DONE;
    go_to(0, false);
    __builtin_unreachable();
}

static int made;
static void *fiber_main(void *number) {
    fiber *me = &fibers[(intptr_t)number];
    me->pointer = (uintptr_t)__builtin_thread_pointer();
    sgk_shim_count(SGK_SHIM_LIVE, 0); /* (its memory is not to be of one execution) */
    (void)sgk_shim_stack_is_low();
    if (__builtin_setjmp(me->start) == 0) {
        __atomic_store_n(&made, (int)(intptr_t)number, __ATOMIC_RELEASE);
        for (;;) pause();
    }
    play();
}

extern int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

void make_fibers(void) {
    fibers[0].pointer = (uintptr_t)__builtin_thread_pointer();
    for (intptr_t i = 1; i < THREADS; i++) {
        pthread_t thread;
        __real_pthread_create(&thread, NULL, fiber_main, (void *)i);
        while (__atomic_load_n(&made, __ATOMIC_ACQUIRE) != i) usleep(100);
    }
}

static bool begins[THREADS];

void new_thread(void *(*body)(void *), void *argument) {
    if (thread_count == THREADS) fault("more threads than there are");
    fiber *new = &fibers[thread_count];
    new->state = READY;
    new->main = body;
    new->argument = argument;
    new->view = fibers[current].view;
    new->looks = 0;
    begins[thread_count++] = true;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    if (!is_on) return __real_pthread_create(thread, attributes, body, argument);
    new_thread(body, argument);
    fibers[current].view.clock[current]++;
    return 0;
}

void go_on(int thread) {
    bool is_new = begins[thread];
    begins[thread] = false;
    go_to(thread, is_new);
}

void stop(void) { go_to(0, false); }
