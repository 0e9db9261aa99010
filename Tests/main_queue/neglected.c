/* The warning about a main queue that never runs. Each way to run it is tested in a separate process
 * (scripts/steps/47-main-queue.sh). */
#include <signalkit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_int told;
static void log_it(void *context, const char *message) {
    (void)context;
    if (strstr(message, "main queue")) told++;
}

static void nothing(void *context) { (void)context; }
static void stop(void *context) { (void)context, sgk_main_stop(); }

static void compute(double seconds) {
    struct timespec time;
    do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    while ((double)time.tv_sec + (double)time.tv_nsec * 1e-9 < seconds);
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    SGK_AUTO(sgk_queue) queue = sgk_queue_main();
    int expected = 0;
    sgk_set_log_handler(log_it, NULL, NULL);
    sgk_queue_dispatch(queue, nothing, NULL, NULL);
    if (!strcmp(way, "waits")) {                                /* for something else */
        for (int i = 0, after = 0; i < 300 && after < 3; i++) { /* until the warning, and longer */
            sleep(1), sgk_queue_dispatch(queue, nothing, NULL, NULL);
            after += told != 0;
        }
        expected = 1;
    } else if (!strcmp(way, "computes")) { /* and then runs it */
        compute(4);
        sgk_queue_dispatch(queue, stop, NULL, NULL);
        sgk_main_run();
    } else if (!strcmp(way, "drains")) {
        for (int i = 0; i < 4; i++) sgk_main_drain(), sleep(1), sgk_queue_dispatch(queue, nothing, NULL, NULL);
    } else if (!strcmp(way, "has-a-loop")) { /* which has not handled it yet */
        sgk_main_fd();
        sleep(4);
    } else if (strcmp(way, "returns")) {
        return 2;
    }
    if (told != expected) return fprintf(stderr, "%s: told %d times\n", way, told), 1;
    return 0;
}
