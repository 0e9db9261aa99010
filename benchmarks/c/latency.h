/* Round trips from a thread to a serial queue and back. The thread sleeps at a condition variable until the job has
 * run. (Include jobs.h first.) With MAIN_QUEUE also round trips to the main thread. The program defines `main_queue()`,
 * `run_main()`, and `stop_main()`, which the main thread calls. */
#include <pthread.h>
#include <unistd.h>

typedef struct gate {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_open;
} gate;

static void open_gate(void *context) {
    gate *it = context;
    pthread_mutex_lock(&it->lock);
    it->is_open = true;
    pthread_cond_signal(&it->changed);
    pthread_mutex_unlock(&it->lock);
}

static void pass_gate(gate *it) {
    pthread_mutex_lock(&it->lock);
    while (!it->is_open) pthread_cond_wait(&it->changed, &it->lock);
    it->is_open = false;
    pthread_mutex_unlock(&it->lock);
}

/* Before each hop there is a rest, so that all threads sleep. */
static double hop(queue_t queue, long count, double part, useconds_t rest) {
    gate back = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
    taken = malloc((size_t)count * sizeof *taken);
    for (long i = 0; i < count; i++) {
        if (rest > 0) usleep(rest);
        double start = bench_now();
        put(queue, open_gate, &back);
        pass_gate(&back);
        taken[i] = bench_now() - start;
    }
    return portion(taken, count, part);
}

static double to_serial(long count, double part, useconds_t rest) {
    queue_t queue = serial_queue();
    double result = hop(queue, count, part, rest);
    let_go(queue);
    return result;
}

enum { REST = 300 };

static double hop_p50(long count) { return to_serial(count, 0.5, 0); }
static double hop_p99(long count) { return to_serial(count, 0.99, 0); }
static double rested_p50(long count) { return to_serial(count, 0.5, REST); }
static double rested_p99(long count) { return to_serial(count, 0.99, REST); }

#define HOPS(name) \
    {"W19.hop.p50", name, hop_p50, 20000}, {"W19.hop.p99", name, hop_p99, 20000}, \
        {"W19.rested.p50", name, rested_p50, 2000}, { \
        "W19.rested.p99", name, rested_p99, 2000 \
    }

#ifdef MAIN_QUEUE
static struct {
    long count;
    useconds_t rest;
    double part, result;
} journey;

static void *travel(void *context) {
    queue_t queue = context;
    journey.result = hop(queue, journey.count, journey.part, journey.rest);
    put(queue, stop_main, NULL);
    return NULL;
}

static double to_main(long count, double part, useconds_t rest) {
    journey.count = count;
    journey.part = part;
    journey.rest = rest;
    queue_t queue = main_queue();
    pthread_t thread;
    pthread_create(&thread, NULL, travel, queue);
    run_main();
    pthread_join(thread, NULL);
    let_go(queue);
    return journey.result;
}

static double main_p50(long count) { return to_main(count, 0.5, 0); }
static double main_p99(long count) { return to_main(count, 0.99, 0); }
static double main_rested_p50(long count) { return to_main(count, 0.5, REST); }
static double main_rested_p99(long count) { return to_main(count, 0.99, REST); }

#define MAIN_HOPS(name) \
    {"W19.main.p50", name, main_p50, 20000}, {"W19.main.p99", name, main_p99, 20000}, \
        {"W19.main.rested.p50", name, main_rested_p50, 2000}, { \
        "W19.main.rested.p99", name, main_rested_p99, 2000 \
    }
#endif
