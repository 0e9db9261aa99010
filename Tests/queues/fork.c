/* Queues in the child of a fork: they are whole there, and empty; what waited and ran goes on in the parent, and nowhere else. */
#include <poll.h>
#include <signalkit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition) ((condition) ? (void)0 : (printf("%s, line %d: %s (%s)\n", who, __LINE__, #condition, sgk_last_error()), fflush(stdout), _exit(1)))
#define EVENTUALLY(condition)                                         \
    do {                                                              \
        for (int i = 0; !(condition) && i < 60000; i++) usleep(1000); \
        CHECK(condition);                                             \
    } while (0)

static const char *who = "parent";
static atomic_bool open_doors;
static atomic_int begun, old, new;

static void wait_at_door(void *context) {
    (void)context;
    begun++;
    while (!open_doors) usleep(1000);
}
static void count(void *counter) { ++*(atomic_int *)counter; }

enum { OWN, BUSY, GLOBAL, POOL, MAIN, QUEUES };

static void use_all(sgk_queue **queues) {
    new = 0;
    for (int i = 0; i < QUEUES; i++) CHECK(sgk_queue_dispatch(queues[i], count, &new, NULL) == SGK_OK);
    EVENTUALLY((sgk_main_drain(), new == QUEUES));
    for (int i = 0; i < QUEUES; i++) {
        sgk_disposable *later = sgk_queue_after(queues[i], 0.002, count, &new, NULL);
        CHECK(later);
        sgk_disposable_release(later);
    }
    EVENTUALLY((sgk_main_drain(), new == 2 * QUEUES));
    for (int i = 0; i < QUEUES; i++) CHECK(sgk_queue_sync(queues[i], count, &new) == SGK_OK);
    CHECK(new == 3 * QUEUES);
}

static bool is_readable(void) {
    struct pollfd ready = {sgk_main_fd(), POLLIN, 0};
    return poll(&ready, 1, 0) == 1;
}

/* In the child, on the thread of a queue, in the midst of its work. */
static atomic_int inside;
static void fork_inside(void *queue) {
    pid_t child = fork();
    if (child == 0) {
        who = "child inside";
        CHECK(sgk_queue_is_current(queue));
        CHECK(sgk_queue_async(queue, count, &inside, NULL) == SGK_OK && inside == 1);
        SGK_AUTO(sgk_queue) other = sgk_queue_create("other");
        CHECK(sgk_queue_dispatch(other, count, &inside, NULL) == SGK_OK);
        EVENTUALLY(inside == 2);
        CHECK(sgk_queue_dispatch(queue, count, &inside, NULL) == SGK_OK && inside == 2); /* comes behind this */
        _exit(0);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

int main(void) {
    sgk_thread_pool *pool = sgk_thread_pool_create(2, 0.5);
    sgk_queue *queues[QUEUES] = {sgk_queue_create("own"), sgk_queue_create("busy"), sgk_queue_concurrent_default(), sgk_thread_pool_next_queue(pool), sgk_queue_main()};
    use_all(queues);
    for (int round = 0; round < 20; round++) {
        /* Work runs and waits everywhere. */
        open_doors = false;
        begun = old = 0;
        for (int i = 0; i < MAIN; i++) sgk_queue_dispatch(queues[i], wait_at_door, NULL, NULL);
        EVENTUALLY(begun == MAIN);
        for (int i = 0; i < QUEUES; i++) sgk_queue_dispatch(queues[i], count, &old, NULL);
        sgk_disposable *timer = sgk_queue_after(queues[OWN], 0.001, count, &old, NULL), *far = sgk_queue_after(queues[OWN], 1000, count, &old, NULL);
        CHECK(is_readable());
        fflush(NULL);
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            who = "child";
            old = 0;
            use_all(queues);
            CHECK(!is_readable());
            sgk_disposable_dispose(timer);
            sgk_disposable_dispose(far);
            for (int i = 0; i < 2; i++) {
                sgk_queue *fresh = sgk_queue_create("fresh");
                CHECK(sgk_queue_sync(fresh, count, &new) == SGK_OK);
                sgk_queue_release(fresh);
            }
            CHECK(sgk_drain(60) == SGK_OK);
            CHECK(old <= 1); /* the global queue's job may have been running */
            _exit(0);
        }
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
        CHECK(is_readable());
        open_doors = true;
        EVENTUALLY((sgk_main_drain(), old == QUEUES + 1));
        sgk_disposable_dispose(far);
        sgk_disposable_release(far);
        sgk_disposable_release(timer);
        use_all(queues);
    }
    CHECK(sgk_queue_dispatch(queues[OWN], fork_inside, queues[OWN], NULL) == SGK_OK);
    CHECK(sgk_drain(60) == SGK_OK);
    for (int i = 0; i < QUEUES; i++) sgk_queue_release(queues[i]);
    sgk_thread_pool_release(pool);
    EVENTUALLY(sgk_live_total() == 0);
    return 0;
}
