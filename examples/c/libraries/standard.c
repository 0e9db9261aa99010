/*
 * standard: the C library's own callbacks, which have no place for a context, and a signal of the system as a signal of events.
 *
 *     cc -std=c11 standard.c -o standard $(pkg-config --cflags --libs signalkit) -lpthread && ./standard
 *
 *     qsort's comparison          a native callback whose handler gets the context that qsort does not pass on
 *     nftw's visits               a native callback as a source: its calls are mapped, filtered and folded
 *     SIGINT, Ctrl-C              a signalfd read by a thread; nothing of the library runs in a signal handler
 */
#define _GNU_SOURCE
#include <ftw.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <signalkit.h>
#include <signalkit/callback.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPECT(condition) ((condition) ? (void)0 : (fprintf(stderr, "line %d: %s: %s\n", __LINE__, #condition, sgk_last_error()), exit(1)))

static void keep(int64_t *place, int64_t value) { *place = value; }

/* ---- qsort ---- */

struct order {
    const double *weights;
    int comparisons;
};

/* Compares indices by their weights. Without a context, `weights` would be a global variable. */
static int lighter(struct order *order, const int *a, const int *b) {
    order->comparisons++;
    double x = order->weights[*a], y = order->weights[*b];
    return (x > y) - (x < y);
}

static void sort_by_weight(void) {
    const double weights[] = {2.5, 0.5, 9, 1};
    struct order order = {weights, 0};
    int indices[] = {0, 1, 2, 3};
    SGK_AUTO(sgk_callback) compare = sgk_callback_create_typed(sgk_signature_shared("(ptr, ptr) -> i32"), sgk_int(0), SGK_TYPED(lighter, "(ctx, ptr, ptr) -> i32"), &order, NULL);
    EXPECT(compare);
    qsort(indices, 4, sizeof *indices, (int (*)(const void *, const void *))sgk_callback_function(compare));
    printf("by weight: %d %d %d %d\n", indices[0], indices[1], indices[2], indices[3]);
    EXPECT(indices[0] == 1 && indices[1] == 3 && indices[2] == 0 && indices[3] == 2 && order.comparisons >= 3);
}

/* ---- nftw ---- */

/* The arguments of nftw, in its order. Its objects are valid during the call, in which everything here runs. */
static bool is_file(const char *path, const struct stat *status, int kind, const void *place) {
    (void)path, (void)status, (void)place;
    return kind == FTW_F;
}
static int64_t size_of(const char *path, const struct stat *status, int kind, const void *place) {
    (void)path, (void)kind, (void)place;
    return status->st_size;
}
static int64_t add(int64_t sum, int64_t size) { return sum + size; }

static void make_file(const char *directory, const char *name, size_t size) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    EXPECT(file);
    for (size_t i = 0; i < size; i++) fputc('x', file);
    fclose(file);
}

static int remove_visited(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    return remove(path);
}

static void sum_sizes(void) {
    char directory[] = "/tmp/standard-XXXXXX", below[64];
    EXPECT(mkdtemp(directory));
    snprintf(below, sizeof below, "%s/below", directory);
    EXPECT(mkdir(below, 0700) == 0);
    make_file(directory, "a", 100);
    make_file(directory, "b", 20);
    make_file(below, "c", 3);

    int64_t total = 0;
    SGK_AUTO(sgk_callback) visited = sgk_callback_create(sgk_signature_shared("(cstr, ptr, i32, ptr) -> i32"), sgk_int(0), NULL, NULL, NULL); /* 0: nftw continues */
    SGK_AUTO(sgk_signal) visits = sgk_callback_signal(visited);
    SGK_AUTO(sgk_signal) files = sgk_signal_filter_typed(visits, SGK_TYPED(is_file, "(cstr, ptr, i32, ptr) -> bool"), NULL, NULL);
    SGK_AUTO(sgk_signal) sizes = sgk_signal_map_typed(files, SGK_TYPED(size_of, "(cstr, ptr, i32, ptr) -> i64"), NULL, NULL);
    SGK_AUTO(sgk_signal) sum = sgk_signal_reduce_typed(sizes, sgk_int(0), SGK_TYPED(add, "(i64, i64) -> i64"), NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_typed(sum, SGK_TYPED(keep, "(ctx, i64) -> void"), NULL, NULL, NULL, NULL, &total, NULL);
    EXPECT(subscription);
    EXPECT(nftw(directory, (int (*)(const char *, const struct stat *, int, struct FTW *))sgk_callback_function(visited), 8, FTW_PHYS) == 0);
    SGK_AUTO(sgk_disposable) end = sgk_callback_disposable(visited);
    sgk_disposable_dispose(end);
    printf("bytes in the tree: %lld\n", (long long)total);
    EXPECT(total == 123);
    EXPECT(nftw(directory, remove_visited, 8, FTW_PHYS | FTW_DEPTH) == 0);
}

/* ---- A system signal ----
 * A signal handler can interrupt malloc, or this library while it holds a lock. So it must not call a function of this library, and must not be
 * one of its callbacks. Instead, all threads block the signal, and an ordinary thread reads it from a descriptor and emits. (A program with its
 * own loop watches the descriptor there. Without signalfd, use a handler that only calls write(2) with one byte for a pipe.) */

struct reader {
    int signals, stop;
    pthread_t thread;
    sgk_subscriber *subscriber;
};

static void *read_signals(void *context) {
    struct reader *reader = context;
    struct pollfd both[] = {{reader->signals, POLLIN, 0}, {reader->stop, POLLIN, 0}};
    while (poll(both, 2, -1) >= 0 && !both[1].revents) {
        struct signalfd_siginfo info;
        if (read(reader->signals, &info, sizeof info) == sizeof info) sgk_subscriber_next(reader->subscriber, sgk_int(info.ssi_signo));
    }
    return NULL;
}

static void stop_reader(void *context) {
    struct reader *reader = context;
    uint64_t one = 1;
    EXPECT(write(reader->stop, &one, sizeof one) == sizeof one);
    pthread_join(reader->thread, NULL);
    sgk_subscriber_release(reader->subscriber);
    close(reader->signals);
    close(reader->stop);
    free(reader);
}

/* The numbers of the signals of a set, which has to be blocked in every thread. Dispose it on another thread than its own. */
static sgk_disposable *open_signals(void *context, sgk_subscriber *subscriber) {
    struct reader *reader = malloc(sizeof *reader);
    *reader = (struct reader){signalfd(-1, context, SFD_CLOEXEC), eventfd(0, EFD_CLOEXEC), 0, sgk_subscriber_retain(subscriber)};
    EXPECT(reader->signals >= 0 && reader->stop >= 0 && pthread_create(&reader->thread, NULL, read_signals, reader) == 0);
    return sgk_action_disposable_create(stop_reader, reader, NULL);
}

static void quit(void *context, sgk_value number) {
    *(int64_t *)context = sgk_to_int(number);
    sgk_main_stop();
}

static void wait_for_interrupt(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    int64_t number = 0;
    SGK_AUTO(sgk_signal) interrupts = sgk_signal_create(open_signals, &set, NULL);
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) on_main = sgk_signal_deliver_on(interrupts, main_queue);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(on_main, quit, &number, NULL);
    EXPECT(kill(getpid(), SIGINT) == 0); /* as Ctrl-C does */
    EXPECT(sgk_main_run() == SGK_OK);
    sgk_disposable_dispose(subscription);
    printf("interrupted by signal %lld\n", (long long)number);
    EXPECT(number == SIGINT);
}

int main(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set, NULL); /* first of all: threads inherit it */
    sort_by_weight();
    sum_sizes();
    wait_for_interrupt();
    printf("Objects left alive: %lld\n", (long long)sgk_live_total());
    return sgk_live_total() ? 1 : 0;
}
