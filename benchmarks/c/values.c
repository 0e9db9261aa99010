/* SignalKit from C: what a value costs that is counted. */
#include <stdatomic.h>

#include "frames.h"

enum { SIZE = 32 };
static const char text[SIZE + 1] = "thirty-two characters are a text";

/* Volatile, so that the compiler cannot remove the calls. */
static void *(*volatile allocate)(size_t) = malloc;
static void (*volatile let_go)(void *) = free;

/* ---- References and content ---- */

static double retain(long count) {
    sgk_value value = sgk_string_n(text, SIZE);
    double start = bench_now();
    for (long i = 0; i < count; i++) sgk_value_release(sgk_value_retain(value));
    double end = bench_now();
    sgk_value_release(value);
    bench_check(sgk_live_count(SGK_LIVE_VALUE), 0, "left alive");
    return (end - start) / (double)count;
}

static double atomics(long count) {
    static atomic_size_t references = 1;
    double start = bench_now();
    for (long i = 0; i < count; i++) {
        atomic_fetch_add_explicit(&references, 1, memory_order_relaxed);
        atomic_fetch_sub_explicit(&references, 1, memory_order_acq_rel);
    }
    double end = bench_now();
    bench_check((int64_t)references, 1, "references");
    return (end - start) / (double)count;
}

static double data(long count) {
    size_t sum = 0;
    sgk_value value = sgk_string_n(text, SIZE);
    double start = bench_now();
    for (long i = 0; i < count; i++) {
        size_t length;
        sum += (unsigned char)*sgk_value_data(value, &length) + length;
    }
    double end = bench_now();
    sgk_value_release(value);
    bench_check((int64_t)sum, count * (text[0] + SIZE), "sum");
    return (end - start) / (double)count;
}

/* ---- Creation and release ---- */

static double make(long count) {
    double start = bench_now();
    for (long i = 0; i < count; i++) sgk_value_release(sgk_string_n(text, SIZE));
    double end = bench_now();
    bench_check(sgk_live_count(SGK_LIVE_VALUE), 0, "left alive");
    return (end - start) / (double)count;
}

static char *copied(const char *source) { return memcpy(allocate(SIZE + 1), source, SIZE + 1); }

static double copy(long count) {
    double start = bench_now();
    for (long i = 0; i < count; i++) let_go(copied(text));
    return (bench_now() - start) / (double)count;
}

static double make_array(long count) {
    sgk_value items[] = {sgk_int(1), sgk_int(2)};
    double start = bench_now();
    for (long i = 0; i < count; i++) sgk_value_release(sgk_array(items, 2));
    double end = bench_now();
    bench_check(sgk_live_count(SGK_LIVE_VALUE), 0, "left alive");
    return (end - start) / (double)count;
}

static void released(void *object) { ++*(int64_t *)object; }

static double make_object(long count) {
    int64_t gone = 0;
    static const sgk_object_type type = {sizeof type, "counter", NULL, released, NULL, NULL, NULL};
    double start = bench_now();
    for (long i = 0; i < count; i++) sgk_value_release(sgk_object(&gone, &type));
    double end = bench_now();
    bench_check(gone, count, "let go");
    return (end - start) / (double)count;
}

/* ---- Delivered: to listeners, and through stages ---- */

static void count_one(void *context, sgk_value value) { *(int64_t *)context += value.kind != SGK_NULL; }
static bool is_there(void *context, sgk_value value) { return (void)context, value.kind != SGK_NULL; }
static sgk_value newer(void *context, sgk_value kept, sgk_value value) {
    return (void)context, (void)kept, sgk_value_retain(value);
}

static sgk_signal *filtered(sgk_signal *source) { return sgk_signal_filter(source, is_there, NULL, NULL); }
static sgk_signal *taken(sgk_signal *source) { return sgk_signal_take(source, INT64_MAX); }
static sgk_signal *kept(sgk_signal *source) { return sgk_signal_scan(source, sgk_null(), newer, NULL, NULL); }

/* An event, by the number of listeners and stages. */
static double deliver(long count, sgk_value value, int listeners, int stages, stage_fn stage) {
    int64_t received = 0;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) signal = through(source, stages, stage);
    SGK_AUTO(sgk_disposable) all = sgk_disposable_bag_create();
    for (int i = 0; i < listeners; i++) {
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, count_one, &received, NULL);
        sgk_disposable_bag_add(all, run);
    }
    long events = (count + listeners - 1) / listeners;
    double start = bench_now();
    for (long i = 0; i < events; i++) sgk_pipe_next(pipe, value);
    double end = bench_now();
    bench_check(received, events * listeners, "received");
    sgk_disposable_dispose(all);
    return (end - start) / (double)(events * listeners);
}

#define DELIVERIES(X) \
    X(one, 1, 0, NULL) X(ten, 10, 0, NULL) X(filters, 1, 10, filtered) X(takes, 1, 10, taken) X(scans, 1, 10, kept)
#define DELIVERY(name, listeners, stages, stage) \
    static double name##_int(long count) { return deliver(count, sgk_int(1), listeners, stages, stage); } \
    static double name##_string(long count) { \
        sgk_value value = sgk_string_n(text, SIZE); \
        double result = deliver(count, value, listeners, stages, stage); \
        sgk_value_release(value); \
        return result; \
    }
DELIVERIES(DELIVERY)
#define DELIVERY_CASES(name, listeners, stages, stage) \
    {"W16.deliver." #name, NAME, name##_string, 1000000}, {"W16.deliver." #name, "an int", name##_int, 1000000},

/* ---- Ten maps that make a new one ---- */

static sgk_value again(void *context, sgk_value value) {
    (void)context;
    size_t length;
    const char *data = sgk_value_data(value, &length);
    return sgk_string_n(data, length);
}

static double ten_maps(long count) {
    int64_t received = 0;
    sgk_value value = sgk_string_n(text, SIZE);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    for (int i = 0; i < 10; i++) sgk_signal_replace(&signal, sgk_signal_map(signal, again, NULL, NULL));
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, count_one, &received, NULL);
    double start = bench_now();
    for (long i = 0; i < count; i++) sgk_pipe_next(pipe, value);
    double end = bench_now();
    bench_check(received, count, "received");
    sgk_disposable_dispose(run);
    sgk_value_release(value);
    return (end - start) / (double)count;
}

static double ten_copies(long count) {
    double start = bench_now();
    for (long i = 0; i < count; i++) {
        char *now = copied(text);
        for (int stage = 0; stage < 10; stage++) {
            char *next = copied(now);
            let_go(now);
            now = next;
        }
        let_go(now);
    }
    return (bench_now() - start) / (double)count;
}

#define COPYING "malloc, copy, free"
static const bench_case cases[] = {{"W16.retain", NAME, retain, 5000000},
    {"W16.retain", "two atomics", atomics, 5000000}, {"W16.data", NAME, data, 10000000},
    {"W16.make", NAME, make, 3000000}, {"W16.make", COPYING, copy, 3000000},
    {"W16.make.array", NAME, make_array, 2000000}, {"W16.make.object", NAME, make_object, 2000000},
    {"W16.maps", NAME, ten_maps, 300000}, {"W16.maps", COPYING, ten_copies, 300000}, DELIVERIES(DELIVERY_CASES)};

BENCH_MAIN(cases)
