/* Work for an event loop that the program has, and runs itself: through a queue on it, by the adapter of
 * examples/c/loops that a program copies; through the main queue, whose descriptor the loop watches; or by hand. The
 * program that includes this has the loop: `open_loop()`, `close_loop()`, `run_loop()`, which returns after
 * `stop_loop()` was called on it; `wake_by_hand()`, which has it call `come_by_hand()`; and it says how a queue on it
 * is made (`open_queue()`, `close_queue()`), and how it watches the descriptor (`open_main()`, `close_main()`). */
#include <pthread.h>
#include <semaphore.h>
#include <signalkit.h>

#include "../bench.h"

static void open_loop(void);
static void close_loop(void);
static void run_loop(void);
static void stop_loop(void);
static sgk_queue *open_queue(void);
static void close_queue(void);
static sgk_queue *open_main(void);
static void close_main(void);
static void wake_by_hand(void);

/* ---- By hand: a list under a mutex. The thread that finds it empty wakes the loop. ---- */

typedef struct item {
    struct item *next;
    sgk_work_fn work;
    void *context;
} item;

typedef struct values {
    int64_t *all;
    long count, room;
} values;

static struct {
    pthread_mutex_t lock;
    item *first, **last;
    values values, taken; /* the loop swaps the two, so that it takes all values together */
    sgk_next_fn receive;
    void *receiver;
} hand = {.lock = PTHREAD_MUTEX_INITIALIZER, .last = &hand.first};

static void put_by_hand(sgk_work_fn work, void *context) {
    item *it = malloc(sizeof *it);
    *it = (item){NULL, work, context};
    pthread_mutex_lock(&hand.lock);
    bool is_first = hand.first == NULL;
    *hand.last = it;
    hand.last = &it->next;
    pthread_mutex_unlock(&hand.lock);
    if (is_first) wake_by_hand();
}

static void emit_by_hand(int64_t value) {
    pthread_mutex_lock(&hand.lock);
    values *to = &hand.values;
    bool is_first = to->count == 0;
    if (to->count == to->room) to->all = realloc(to->all, (size_t)(to->room = 2 * to->room + 64) * sizeof *to->all);
    to->all[to->count++] = value;
    pthread_mutex_unlock(&hand.lock);
    if (is_first) wake_by_hand();
}

static void come_by_hand(void) {
    pthread_mutex_lock(&hand.lock);
    item *next = hand.first;
    hand.first = NULL;
    hand.last = &hand.first;
    values come = hand.values;
    hand.values = hand.taken;
    hand.values.count = 0;
    hand.taken = come;
    pthread_mutex_unlock(&hand.lock);
    for (item *it; (it = next);) {
        next = it->next;
        it->work(it->context);
        free(it);
    }
    for (long i = 0; i < come.count; i++) hand.receive(hand.receiver, sgk_int(come.all[i]));
}

static void open_by_hand(sgk_next_fn receive, void *receiver) { hand.receive = receive, hand.receiver = receiver; }
static void close_by_hand(void) {}

/* ---- A queue ---- */

static struct {
    sgk_queue *queue;
    sgk_pipe *pipe;
    sgk_disposable *run;
} ours;

static void start_on(sgk_queue *queue, sgk_next_fn receive, void *receiver) {
    ours.queue = queue;
    ours.pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(ours.pipe);
    SGK_AUTO(sgk_signal) delivered = sgk_signal_deliver_on(source, ours.queue);
    ours.run = sgk_signal_start_next(delivered, receive, receiver, NULL);
}

static void stop(void) {
    sgk_disposable_dispose(ours.run);
    sgk_disposable_release(ours.run);
    sgk_pipe_release(ours.pipe);
}

static void open_on_queue(sgk_next_fn receive, void *receiver) { start_on(open_queue(), receive, receiver); }
static void close_on_queue(void) {
    stop();
    close_queue();
}

static void open_on_main(sgk_next_fn receive, void *receiver) { start_on(open_main(), receive, receiver); }
static void close_on_main(void) {
    stop();
    sgk_queue_release(ours.queue);
    close_main();
}

static void put_on_queue(sgk_work_fn work, void *context) { sgk_queue_dispatch(ours.queue, work, context, NULL); }
static void emit(int64_t value) { sgk_pipe_next(ours.pipe, sgk_int(value)); }

/* ---- What all of them do ---- */

typedef struct way {
    void (*open)(sgk_next_fn receive, void *receiver);
    void (*close)(void);
    void (*put)(sgk_work_fn work, void *context);
    void (*emit)(int64_t value);
} way;

static const way by_hand = {open_by_hand, close_by_hand, put_by_hand, emit_by_hand};
static const way by_queue = {open_on_queue, close_on_queue, put_on_queue, emit};
static const way by_main = {open_on_main, close_on_main, put_on_queue, emit};

typedef struct task {
    const way *by;
    long count, left;
    long again; /* the number of remaining jobs at which more are enqueued */
    sem_t done;
} task;

static void arrive(void *context, sgk_value value) {
    task *it = context;
    bench_check(sgk_to_int(value), it->count - it->left, "order");
    if (--it->left == 0) stop_loop();
}

/* Runs the loop until `count` jobs have arrived, and returns the time of one. This thread is the loop's thread and
 * calls `begin`. Another thread calls `beside`. */
static double on_loop(const way *by, long count, void (*begin)(task *it), void *(*beside)(void *it)) {
    task it = {.by = by, .count = count, .left = count, .again = -1};
    open_loop();
    by->open(arrive, &it);
    double start = bench_now();
    pthread_t thread;
    if (begin) begin(&it);
    if (beside) pthread_create(&thread, NULL, beside, &it);
    run_loop();
    double end = bench_now();
    if (beside) pthread_join(thread, NULL);
    by->close();
    close_loop();
    bench_check(it.left, 0, "left");
    return (end - start) / (double)count;
}

/* A turn of the loop for each: one puts the next. */
static void put_next(void *context) {
    task *it = context;
    if (--it->left == 0) return stop_loop();
    it->by->put(put_next, it);
}

static void begin_turns(task *it) { it->by->put(put_next, it); }

/* Many in a turn: the last puts as many again. */
enum { AT_ONCE = 1000 };
static void count_one(void *context);

static void put_many(task *it) {
    long number = it->left < AT_ONCE ? it->left : AT_ONCE;
    it->again = it->left - number;
    for (long i = 0; i < number; i++) it->by->put(count_one, it);
}

static void count_one(void *context) {
    task *it = context;
    if (--it->left == 0) return stop_loop();
    if (it->left == it->again) put_many(it);
}

/* From another thread, as fast as that can. */
static void *put_all(void *context) {
    task *it = context;
    for (long i = it->count; i > 0; i--) it->by->put(count_one, it);
    return NULL;
}

/* The same, where that waits for each. */
static void answer(void *context) {
    task *it = context;
    bool is_last = --it->left == 0;
    sem_post(&it->done);
    if (is_last) stop_loop();
}

static void *put_and_wait(void *context) {
    task *it = context;
    sem_init(&it->done, 0, 0);
    for (long i = it->count; i > 0; i--) {
        it->by->put(answer, it);
        sem_wait(&it->done);
    }
    return NULL;
}

/* Values from another thread. */
static void *emit_all(void *context) {
    task *it = context;
    long count = it->count;
    for (long i = 0; i < count; i++) it->by->emit(i);
    return NULL;
}

#define LOOP_CASES(way) \
    static double way##_turn(long count) { return on_loop(&way, count, begin_turns, NULL); } \
    static double way##_many(long count) { return on_loop(&way, count, put_many, NULL); } \
    static double way##_there(long count) { return on_loop(&way, count, NULL, put_all); } \
    static double way##_answer(long count) { return on_loop(&way, count, NULL, put_and_wait); } \
    static double way##_deliver(long count) { return on_loop(&way, count, NULL, emit_all); }
LOOP_CASES(by_queue)
LOOP_CASES(by_main)
LOOP_CASES(by_hand)

#define LOOP_ROWS(loop, way, name) \
    {"W22." loop ".turn", name, way##_turn, 200000}, {"W22." loop ".many", name, way##_many, 1000000}, \
        {"W22." loop ".there", name, way##_there, 1000000}, {"W22." loop ".answer", name, way##_answer, 20000}, { \
        "W22." loop ".deliver", name, way##_deliver, 1000000 \
    }
#define LOOP(loop) \
    LOOP_ROWS(loop, by_queue, "SignalKit (C)"), LOOP_ROWS(loop, by_main, "the library's main queue"), \
        LOOP_ROWS(loop, by_hand, "by hand")
