/* The list of threads whose pointer was requested. A thread leaves the list when it ends. */
#include "shims/system.h"

#ifdef SGK_SYSTEM_IS_POSIX
#include "parking.h"

#include <pthread.h>

enum state { NEW, LISTED, UNLISTED };
enum { CANNOT_BE_TOLD = 4 }; /* in a pointer: of a thread that is not in the list */

typedef struct thread {
    _Alignas(16) struct thread *next;
    struct thread **link; /* what points to it */
    enum state state;
} thread;

static _Thread_local thread here;
static thread *threads;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static bool has_key;

static void enlist(thread *thread) {
    thread->next = threads;
    thread->link = &threads;
    if (threads) threads->link = &thread->next;
    threads = thread;
}

/* Runs at the end of a thread. Code of the thread that runs later is not observed. */
static void leave(void *context) {
    thread *thread = context;
    (void)pthread_mutex_lock(&mutex);
    *thread->link = thread->next;
    if (thread->next) thread->next->link = thread->link;
    (void)pthread_mutex_unlock(&mutex);
    thread->state = UNLISTED;
}

/* In the child of a fork the other threads do not exist; one of them may have held the mutex. */
static void begin_in_child(void) {
    (void)pthread_mutex_init(&mutex, NULL);
    threads = NULL;
    if (here.state == LISTED) enlist(&here);
}

static void begin(void) {
    sgk_parking_begin();
    (void)pthread_atfork(NULL, NULL, begin_in_child);
    has_key = pthread_key_create(&key, leave) == 0;
}

/* Called by the first thread. */
static void begin_once(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, begin);
}

static void come(void) {
    begin_once();
    here.state = UNLISTED;
    if (!has_key || pthread_setspecific(key, &here) != 0) return;
    (void)pthread_mutex_lock(&mutex);
    enlist(&here);
    (void)pthread_mutex_unlock(&mutex);
    here.state = LISTED;
}

uintptr_t sgk_shim_thread_pointer(void) {
    if (here.state == NEW) come();
    return (uintptr_t)&here | (here.state == LISTED ? 0 : CANNOT_BE_TOLD);
}

bool sgk_shim_thread_has_ended(uintptr_t sought) {
    if (sought & CANNOT_BE_TOLD) return false;
    (void)pthread_mutex_lock(&mutex);
    const thread *found = threads;
    while (found && (uintptr_t)found != sought) found = found->next;
    (void)pthread_mutex_unlock(&mutex);
    return !found;
}

void sgk_shim_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    begin_once();
    (void)pthread_atfork(prepare, parent, child);
}
#endif
