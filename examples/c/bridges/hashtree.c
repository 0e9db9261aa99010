/* hashtree over processes: prints the SHA-256 of every file in a directory, like sha256sum. Other processes do the work,
 * on this machine or on others that have the same files.
 *
 *     nats-server -js &
 *     hashtree-nats --work nats://127.0.0.1 &       any number, which may start, stop and be killed at any time
 *     hashtree-nats nats://127.0.0.1 DIRECTORY
 *
 * A file is a task in a stream. The stream sends it to one worker, and to another if the first does not settle it. A
 * worker settles a task when the client has confirmed the result. If a worker is killed before it sends the result,
 * another worker repeats the task. If it is killed afterwards, the result arrives twice, and the client drops one by the
 * task's number. The client gives up if there has been no worker for half a minute.
 *
 *     walk -> task -> [ stream ] -> worker: hash -> result -> worker: settled
 *                                                     |
 *     printed in the order of the walk <- promise <---+ */
#define _GNU_SOURCE
#include <errno.h>
#include <fts.h>
#include <nats/nats.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <semaphore.h>
#include <signalkit/nats.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PLACES = 256, HEX = 64 };  /* tasks that are under way at most; characters of a digest */

#define STREAM "HASHTREE"
#define TASKS "hashtree.tasks"
#define PRESENCE "hashtree.presence"  /* where each worker answers, also one that is busy */

static const double PATIENCE = 2;  /* seconds after which the task of a worker that is silent goes to another one */
static const double ALONE = 30;    /* seconds without any worker, after which who asks gives up */

static _Noreturn void give_up(const char *what, const char *why) {
    fprintf(stderr, "hashtree: %s: %s\n", what, why);
    exit(1);
}

static sgk_nats *connect_to(const char *url) {
    sgk_nats_options options = SGK_NATS_OPTIONS_INIT;
    options.reconnects = SGK_UNBOUNDED;
    options.reconnect_wait = 0.2;
    for (int tries = 0; tries < 50; tries++, nats_Sleep(200)) {  /* it may be about to begin, or have much to do */
        sgk_nats *nats = sgk_nats_connect(url, &options);
        if (nats) return nats;
    }
    give_up(url, sgk_nats_last_error());
}

/* The stream, if it is not there yet: the client library's own functions do what the companion does not. */
static void make_stream(sgk_nats *nats) {
    jsCtx *streams = NULL;
    jsStreamConfig config;
    jsErrCode code = 0;
    jsStreamConfig_Init(&config);
    config.Name = STREAM;
    config.Subjects = (const char *[]){TASKS};
    config.SubjectsLen = 1;
    config.Retention = js_WorkQueuePolicy;
    natsStatus status = natsConnection_JetStream(&streams, sgk_nats_client(nats), NULL);
    if (status == NATS_OK) status = js_AddStream(NULL, streams, &config, NULL, &code);
    /* Retry if the server is busy, or if another process creates the stream now ("subjects overlap"). */
    for (int tries = 0; tries < 10 && (status == NATS_TIMEOUT || code == JSStreamSubjectOverlapErr); tries++) {
        nats_Sleep(100);
        status = js_AddStream(NULL, streams, &config, NULL, &code);
    }
    if (status != NATS_OK) give_up("no stream (nats-server -js)", natsStatus_GetText(status));
    jsCtx_Destroy(streams);
}

static void on_error(void *context, sgk_value error) {
    (void)context;
    give_up("it is over", sgk_error_text(error));
}

/* ---- A worker. A task is "RESULTS NUMBER PATH": where its result goes, as "NUMBER DIGEST DELIVERIES". ---- */

/* Sets `digest` to "-" if the file cannot be read. Reports progress to the stream. */
static void hash_file(const char *path, sgk_value message, char *digest) {
    unsigned char block[1 << 16], sum[EVP_MAX_MD_SIZE];
    time_t told = time(NULL);
    FILE *file = fopen(path, "rb");
    EVP_MD_CTX *hash = EVP_MD_CTX_new();
    EVP_DigestInit_ex(hash, EVP_sha256(), NULL);
    for (size_t got; file && (got = fread(block, 1, sizeof block, file)) > 0;) {
        EVP_DigestUpdate(hash, block, got);
        if (time(NULL) != told) told = time(NULL), sgk_nats_in_progress(message);
    }
    EVP_DigestFinal_ex(hash, sum, NULL);
    for (int i = 0; i < HEX / 2; i++) snprintf(digest + 2 * i, 3, "%02x", sum[i]);
    if (!file || ferror(file)) strcpy(digest, "-");
    EVP_MD_CTX_free(hash);
    if (file) fclose(file);
}

/* If no client waits for the result, the task is finished. */
static sgk_signal *unless_unwanted(void *context, sgk_value error) {
    (void)context;
    bool is_unwanted = sgk_error_code(error) == NATS_NO_RESPONDERS;
    return is_unwanted ? sgk_signal_empty() : sgk_signal_fail(error);
}

/* A failed task returns to the stream, and the worker continues. A client without an answer requests the task again. */
static sgk_signal *go_on(void *context, sgk_value error) {
    (void)context, (void)error;
    return sgk_signal_empty();
}

static sgk_signal *work_on(void *context, sgk_value message) {
    sgk_nats *nats = context;
    char results[128], digest[HEX + 1], text[HEX + 64];
    long long number;
    int path;
    const char *task = sgk_nats_data(message, NULL);
    if (sscanf(task, "%127s %lld %n", results, &number, &path) != 2) return sgk_nats_accept(message), NULL;  /* no task */
    hash_file(task + path, message, digest);
    snprintf(text, sizeof text, "%lld %s %lld", number, digest, (long long)sgk_nats_deliveries(message));
    sgk_signal *s = sgk_nats_request(nats, results, sgk_give(sgk_string(text)), PATIENCE);
    SGK_STAGE(catch, s, SGK_FN(unless_unwanted));
    sgk_signal_replace(&s, sgk_nats_settled(s, message));
    SGK_STAGE(catch, s, SGK_FN(go_on));
    return s;
}

static void be_present(void *context, sgk_value question) {
    (void)context;
    sgk_nats_reply(question, sgk_give(sgk_string("")));
}

static int work(const char *url) {
    sgk_nats *nats = connect_to(url);
    make_stream(nats);
    SGK_AUTO(sgk_signal) questions = sgk_nats_subscribe(nats, PRESENCE);
    SGK_AUTO(sgk_disposable) answering = sgk_signal_start_next(questions, be_present, NULL, NULL);
    sgk_nats_consumer consumer = SGK_NATS_CONSUMER_INIT;
    consumer.patience = PATIENCE;
    consumer.limit = 8;
    SGK_AUTO(sgk_queue) queue = sgk_queue_concurrent_default();
    SGK_AUTO(sgk_signal) tasks = sgk_nats_consume(nats, STREAM, "workers", &consumer);
    /* a server that is slow to answer is asked again */
    SGK_STAGE(retry, tasks, SGK_RETRY(.attempts = 10, .reset_on_value = true), queue);
    SGK_AUTO(sgk_signal) done = sgk_signal_concat_map(tasks, work_on, nats, NULL);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.error = on_error;
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(done, &handlers);
    if (!subscription || !answering) give_up("a worker", sgk_last_error());
    for (;;) pause();
}

/* ---- Who asks ---- */

struct file {
    long long number;
    char digest[HEX + 1];
    char path[];
};

static struct asking {
    sgk_nats *nats;
    FTS *tree;
    sem_t places;
    char results[64];       /* where they go to */
    pthread_mutex_t lock;   /* of the promises: of the file whose number is this, modulo PLACES; NULL: of none, or kept */
    sgk_state *promises[PLACES];
    sgk_value files[PLACES];
    atomic_llong again, twice;
    long long printed;
} asking = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void free_file(void *file) {
    free(file);
    sem_post(&asking.places);
}

static const sgk_object_type file_type = {.size = sizeof file_type, .name = "file", .release = free_file};

static void walk(void *context) {
    sgk_subscriber *subscriber = context;
    long long number = 0;
    for (FTSENT *entry; (entry = fts_read(asking.tree));) {
        if (entry->fts_info != FTS_F) continue;
        while (sem_wait(&asking.places) != 0) {}
        struct file *file = calloc(1, sizeof *file + strlen(entry->fts_path) + 1);
        if (!file) give_up(entry->fts_path, "no memory");
        file->number = number++;
        strcpy(file->path, entry->fts_path);
        if (sgk_subscriber_next(subscriber, sgk_give(sgk_object(file, &file_type))) != SGK_OK) return;
    }
    sgk_subscriber_complete(subscriber);
}

static sgk_disposable *start_walking(void *queue, sgk_subscriber *subscriber) {
    sgk_queue_dispatch(queue, walk, sgk_subscriber_retain(subscriber), sgk_release);
    return NULL;
}

/* Stores the task at once; what it returns has its turn later. */
static sgk_signal *ask(void *context, sgk_value value) {
    (void)context;
    struct file *file = sgk_to_object(value, &file_type);
    SGK_AUTO(sgk_state) promise = sgk_state_create(false);
    pthread_mutex_lock(&asking.lock);
    asking.promises[file->number % PLACES] = sgk_state_retain(promise);
    asking.files[file->number % PLACES] = sgk_value_retain(value);
    pthread_mutex_unlock(&asking.lock);
    size_t size = strlen(file->path) + 128;
    char *task = malloc(size), id[96];
    snprintf(task, size, "%s %lld %s", asking.results, file->number, file->path);
    snprintf(id, sizeof id, "%s.%lld", asking.results, file->number);
    sgk_signal *stored = sgk_nats_store(asking.nats, TASKS, sgk_give(sgk_string(task)), id, 2);
    free(task);
    SGK_AUTO(sgk_queue) queue = sgk_queue_concurrent_default();
    SGK_STAGE(retry, stored, SGK_RETRY(.attempts = 5), queue);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.error = on_error;
    sgk_disposable_release(sgk_signal_start(stored, &handlers));
    sgk_signal_release(stored);
    SGK_AUTO(sgk_signal) result = sgk_state_signal(promise);
    return sgk_signal_take(result, 1);
}

/* Called on one thread of the connection. Confirms every result. */
static void on_result(void *context, sgk_value message) {
    (void)context;
    char digest[HEX + 1];
    long long number, deliveries;
    if (sscanf(sgk_nats_data(message, NULL), "%lld %64s %lld", &number, digest, &deliveries) != 3 || number < 0) return;
    pthread_mutex_lock(&asking.lock);
    sgk_state *promise = asking.promises[number % PLACES];
    sgk_value file = asking.files[number % PLACES];
    bool is_wanted = promise && ((struct file *)sgk_to_object(file, &file_type))->number == number;
    if (is_wanted) asking.promises[number % PLACES] = NULL;
    pthread_mutex_unlock(&asking.lock);
    if (is_wanted) {
        strcpy(((struct file *)sgk_to_object(file, &file_type))->digest, digest);
        asking.again += deliveries > 1;
        sgk_state_set(promise, file);
        sgk_value_release(file);
        sgk_state_release(promise);
    } else {
        asking.twice++;
    }
    sgk_nats_reply(message, sgk_give(sgk_string("")));
}

static void print(void *context, sgk_value value) {
    (void)context;
    struct file *file = sgk_to_object(value, &file_type);
    if (strcmp(file->digest, "-") == 0) fprintf(stderr, "hashtree: %s: cannot be read\n", file->path);
    else printf("%s  %s\n", file->digest, file->path), fflush(stdout);
    asking.printed++;
}

static void on_completed(void *context) {
    (void)context;
    sgk_main_stop();
}

/* Asks whether there are workers. */
static sgk_signal *ask_for_workers(void *context, sgk_value tick) {
    (void)context, (void)tick;
    sgk_signal *s = sgk_nats_request(asking.nats, PRESENCE, sgk_give(sgk_string("")), ALONE);
    SGK_STAGE(catch, s, SGK_FN(go_on));
    return s;
}

/* Never ends, but when for too long nobody has. */
static sgk_signal *workers_are_there(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_concurrent_default();
    SGK_AUTO(sgk_signal) alone = sgk_signal_fail(sgk_give(sgk_string("no worker is there")));
    sgk_signal *s = sgk_signal_interval(1, queue);
    SGK_STAGE(concat_map_latest, s, SGK_FN(ask_for_workers));
    SGK_STAGE(timeout, s, ALONE, queue);
    SGK_STAGE(catch_with, s, alone);
    return s;
}

static int by_name(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }

static int hash_tree(const char *url, char **roots) {
    sgk_nats *nats = asking.nats = connect_to(url);
    make_stream(nats);
    asking.tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    if (!asking.tree) give_up(roots[0], strerror(errno));
    sem_init(&asking.places, 0, PLACES);
    snprintf(asking.results, sizeof asking.results, "hashtree.results.%llx", (unsigned long long)nats_NowInNanoSeconds());
    {
        SGK_AUTO(sgk_queue) walking = sgk_queue_create("hashtree.walking");
        SGK_AUTO(sgk_queue) printing = sgk_queue_main();
        SGK_AUTO(sgk_signal) results = sgk_nats_subscribe(nats, asking.results);
        SGK_AUTO(sgk_disposable) listening = sgk_signal_start_next(results, on_result, NULL, NULL);
        if (!listening || sgk_nats_flush(nats, 10) != SGK_OK) give_up(url, "the results cannot be heard");
        SGK_AUTO(sgk_signal) workers = workers_are_there();
        SGK_AUTO(sgk_signal) s = sgk_signal_create(start_walking, walking, NULL);
        SGK_STAGE(concat_map, s, SGK_FN(ask));
        SGK_STAGE(deliver_on, s, printing);
        sgk_handlers handlers = SGK_HANDLERS_INIT;
        handlers.next = print;
        handlers.error = on_error;
        handlers.completed = on_completed;
        SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(s, &handlers);
        sgk_handlers loneliness = SGK_HANDLERS_INIT;
        loneliness.error = on_error;
        SGK_AUTO(sgk_disposable) looking = sgk_signal_start(workers, &loneliness);
        if (!subscription || !looking) give_up("the walk", sgk_last_error());
        sgk_main_run();
        sgk_disposable_dispose(looking);
        sgk_nats_close(nats, 10);
    }
    sgk_nats_release(nats);
    fts_close(asking.tree);
    for (int i = 0; i < 1000 && (sgk_drain(1) != SGK_OK || sgk_live_total() != 0); i++) sgk_main_drain();
    fprintf(stderr, "Files: %lld. Tasks that were handed out again: %lld. Results that came again: %lld.\n"
        "Objects left alive: %lld\n", asking.printed, (long long)asking.again, (long long)asking.twice,
        (long long)sgk_live_total());
    return 0;
}

int main(int count, char **arguments) {
    if (count == 3 && strcmp(arguments[1], "--work") == 0) return work(arguments[2]);
    if (count >= 3 && arguments[1][0] != '-') return hash_tree(arguments[1], arguments + 2);
    fputs("Usage: hashtree-nats URL DIRECTORY...\n       hashtree-nats --work URL\n", stderr);
    return 2;
}
