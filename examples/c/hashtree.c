/*
 * hashtree: prints the SHA-256 of every file in a directory tree in the format of sha256sum. A thread pool computes them.
 *
 *     cc -std=c11 -O2 hashtree.c -o hashtree $(pkg-config --cflags --libs signalkit libcrypto) && ./hashtree ~ >sums && sha256sum -c sums
 *
 *     walk (an iterator, on its own queue) -> map_ordered (hash, on the pool) -> deliver_on_bounded (the main queue) -> print
 *
 * Files are hashed in parallel and printed in the order of the walk.
 *
 * Memory does not grow with the tree: each stage has a limit, and pauses the walk when it is full (SGK_OVERFLOW_PAUSE). No thread is blocked.
 * (`fts` sorts, for which it reads a whole directory.)
 *
 * Ctrl-C stops walking and hashing. Files that are already hashed are still printed.
 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <getopt.h>
#include <openssl/evp.h>
#include <signal.h>
#include <signalkit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1024, BLOCK = 1 << 16, DIGEST = 32, INTERRUPTED = 130 };

struct job {
    char **roots;
    long workers;
    bool progress, bar, mixed, stats;  /* mixed: the bar and the results are on one terminal */
    EVP_MD *sha256;
    FTS *tree;                      /* only the walk's */
    atomic_bool stopped;            /* start no new file, and stop hashing */
    atomic_llong bytes;             /* read by all workers so far */
    int64_t files, failed, skipped; /* from here on only the main thread's */
    int failure, unwritten;         /* an errno: of the walk as a whole, of the standard output */
    double started;
};

static struct job job;
static volatile sig_atomic_t interrupted;

static double now_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- A file: what travels ---- */

enum state { FOUND, HASHED, FAILED, LOOP, SKIPPED, GIVEN_UP };

struct file {
    enum state state;
    int error;  /* of a FAILED one */
    bool follow;
    unsigned char digest[DIGEST];
    char path[];
};

static const sgk_object_type file_type = {.size = sizeof file_type, .name = "file", .release = free};

/* Null: there is no memory. */
static sgk_value file_value(const FTSENT *entry, enum state state) {
    size_t length = strlen(entry->fts_path) + 1;
    struct file *file = malloc(sizeof *file + length);
    if (!file) return sgk_null();
    *file = (struct file){.state = state, .error = entry->fts_errno, .follow = entry->fts_level == FTS_ROOTLEVEL};
    memcpy(file->path, entry->fts_path, length);
    return sgk_object(file, &file_type);
}

/* ---- Walking: the source of the signal ---- */

static int by_name(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }

static enum state state_of(const FTSENT *entry) {
    switch (entry->fts_info) {
    case FTS_F: return FOUND;
    case FTS_DNR: case FTS_ERR: case FTS_NS: return FAILED;
    case FTS_DC: return LOOP;
    default: return SKIPPED;  /* a symbolic link, a device, a pipe */
    }
}

static bool failed(sgk_value *item, int error) {
    *item = sgk_failed(sgk_int(error));
    return false;
}

/* Stores the next file. Symbolic links are followed where they are named on the command line, nowhere else. */
static bool next_file(void *context, sgk_value *item) {
    (void)context;
    if (!job.tree) job.tree = fts_open(job.roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
    if (!job.tree) return failed(item, errno);
    const FTSENT *entry;
    do {
        errno = 0;
        entry = fts_read(job.tree);  /* at least once: glibc's fts_close leaks an unread tree */
        if (!entry && errno) return failed(item, errno);
        if (!entry || atomic_load(&job.stopped)) return false;
    } while (entry->fts_info == FTS_D || entry->fts_info == FTS_DP);
    *item = file_value(entry, state_of(entry));
    return sgk_value_kind(*item) != SGK_NULL || failed(item, ENOMEM);
}

static void close_tree(void *context) {
    (void)context;
    if (job.tree) fts_close(job.tree);
}

/* ---- Hashing, on the workers ---- */

/* FAILED: errno says why. */
static enum state digest_of(int input, EVP_MD_CTX *hash, unsigned char *digest) {
    static _Thread_local unsigned char block[BLOCK];
    if (!hash || !EVP_DigestInit_ex2(hash, job.sha256, NULL)) return errno = ENOMEM, FAILED;
    while (!atomic_load_explicit(&job.stopped, memory_order_relaxed)) {
        ssize_t got = read(input, block, sizeof block);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return FAILED;
        if (got == 0) return EVP_DigestFinal_ex(hash, digest, NULL) ? HASHED : (errno = ENOMEM, FAILED);
        if (!EVP_DigestUpdate(hash, block, (size_t)got)) return errno = ENOMEM, FAILED;
        atomic_fetch_add_explicit(&job.bytes, got, memory_order_relaxed);
    }
    return GIVEN_UP;
}

/* The path may no longer be a file: follows no link, and opens nothing that blocks. */
static enum state hash_path(const struct file *file, unsigned char *digest) {
    if (atomic_load(&job.stopped)) return GIVEN_UP;
    struct stat status;
    int input = open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (file->follow ? 0 : O_NOFOLLOW));
    if (input < 0) return FAILED;
    enum state state = FAILED;
    if (fstat(input, &status) == 0) {
        EVP_MD_CTX *hash = EVP_MD_CTX_new();
        state = S_ISREG(status.st_mode) ? digest_of(input, hash, digest) : SKIPPED;
        EVP_MD_CTX_free(hash);
    }
    int error = errno;
    close(input);
    errno = error;
    return state;
}

static void hash_file(void *context, sgk_value value) {
    (void)context;
    struct file *file = sgk_to_object(value, &file_type);
    file->state = hash_path(file, file->digest);
    file->error = errno;
}

static sgk_signal *hash(void *pool, sgk_value value) {
    const struct file *file = sgk_to_object(value, &file_type);
    sgk_signal *s = sgk_signal_just(value);
    if (file->state != FOUND) return s;
    SGK_STAGE(run_on, s, pool);
    SGK_STAGE(before_next, s, SGK_FN(hash_file));
    return s;
}

/* ---- Results and progress, on the main thread ---- */

static void clear_bar(void) {
    if (job.bar) fputs("\r\033[K", stderr);
}

/* As sha256sum does: a line whose name has such a character begins with a backslash. */
static void print_sum(const struct file *file) {
    if (strpbrk(file->path, "\\\n\r")) putchar('\\');
    for (int i = 0; i < DIGEST; i++) printf("%02x", file->digest[i]);
    fputs("  ", stdout);
    for (const char *c = file->path; *c; c++) {
        if (*c == '\\') fputs("\\\\", stdout);
        else if (*c == '\n') fputs("\\n", stdout);
        else if (*c == '\r') fputs("\\r", stdout);
        else putchar(*c);
    }
    putchar('\n');
}

static void print(void *context, sgk_value value) {
    (void)context;
    const struct file *file = sgk_to_object(value, &file_type);
    switch (file->state) {
    case HASHED:
        job.files++;
        if (job.mixed) clear_bar();
        print_sum(file);
        if (!ferror(stdout)) break;
        job.unwritten = errno;
        sgk_main_stop();
        break;
    case FAILED: case LOOP:
        job.failed++;
        clear_bar();
        fprintf(stderr, "hashtree: %s: %s\n", file->path, file->state == LOOP ? "a directory inside itself" : strerror(file->error));
        break;
    case SKIPPED: job.skipped++; break;
    case FOUND: case GIVEN_UP: break;
    }
}

static void on_error(void *context, sgk_value error) {
    (void)context;
    job.failure = (int)sgk_to_int(error);
    sgk_main_stop();
}

static void on_completed(void *context) {
    (void)context;
    sgk_main_stop();
}

static void report(void *context) {
    (void)context;
    double seconds = now_seconds() - job.started, megabytes = (double)atomic_load(&job.bytes) / 1e6;
    fprintf(stderr, "%shashtree: %lld files, %.1f MB, %.0f MB/s%s", job.bar ? "\r" : "", (long long)job.files, megabytes,
            seconds > 0 ? megabytes / seconds : 0, job.bar ? "\033[K" : "\n");
}

/* ---- Putting it together ---- */

static void on_signal(int number) {
    (void)number;
    interrupted = 1;
    atomic_store(&job.stopped, true);
}

static void nothing(void *context) { (void)context; }

/* False: sgk_last_error() says why. */
static bool run(void) {
    SGK_AUTO(sgk_queue) printing = sgk_queue_main();
    SGK_AUTO(sgk_queue) walking = sgk_queue_create("hashtree.walking");
    SGK_AUTO(sgk_queue) pool = sgk_queue_create_concurrent("hashtree.hashing", (int)job.workers);
    SGK_AUTO(sgk_timer) progress = sgk_timer_create(job.bar ? 0.1 : 1, true, report, NULL, NULL, printing);
    SGK_AUTO(sgk_signal) s = sgk_signal_from_iterator(next_file, NULL, close_tree);
    SGK_STAGE(run_on, s, walking);
    SGK_STAGE(map_ordered, s, MOST, SGK_BOUND(.limit = SGK_UNBUFFERED, .overflow = SGK_OVERFLOW_PAUSE), hash, pool, NULL);
    SGK_STAGE(deliver_on_bounded, s, SGK_BOUND(.limit = MOST, .overflow = SGK_OVERFLOW_PAUSE), printing);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.next = print;
    handlers.error = on_error;
    handlers.completed = on_completed;
    if (!pool || !progress) return false;
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(s, &handlers);
    bool sound = subscription && (!job.progress || sgk_timer_start(progress) == SGK_OK) && sgk_main_run() == SGK_OK;
    atomic_store(&job.stopped, true);
    if (subscription) sgk_disposable_dispose(subscription);
    sgk_queue_sync(walking, nothing, NULL);
    return sound;
}

/* Waits for a limited time until no object is alive. Returns the number of live objects. */
static int64_t left_alive(void) {
    for (int i = 0; sgk_live_total() != 0 && i < 60000; i++) {
        sgk_main_drain();
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return sgk_live_total();
}

static const char usage[] =
    "Usage: hashtree [options] DIRECTORY...\n"
    "Prints the SHA-256 of every file in the directories, in the order of their names, in the format of sha256sum.\n"
    "Symbolic links inside the directories, devices and pipes are skipped.\n\n"
    "  -j, --jobs N      hash N files in parallel, 1 to 1024 (default: the number of processors)\n"
    "      --progress    report progress, also if the standard error is not a terminal\n"
    "      --stats       print the totals at the end, and the number of live objects of the library\n"
    "      --help        show this\n\n"
    "The exit status is 0, 1 after a failure, 2 after a wrong option, 130 after an interruption, which prints the finished files.\n";

static void parse(int count, char **arguments) {
    static const struct option options[] = {{"jobs", required_argument, NULL, 'j'}, {"progress", no_argument, NULL, 'p'},
                                            {"stats", no_argument, NULL, 's'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    char *end;
    job.workers = sysconf(_SC_NPROCESSORS_ONLN);
    job.progress = job.bar = isatty(STDERR_FILENO);
    job.mixed = job.bar && isatty(STDOUT_FILENO);
    for (int option; (option = getopt_long(count, arguments, "j:", options, NULL)) != -1;) {
        switch (option) {
        case 'j':
            job.workers = strtol(optarg, &end, 10);
            if (end != optarg && *end == '\0' && job.workers >= 1 && job.workers <= 1024) break;
            fprintf(stderr, "hashtree: --jobs: a number from 1 to 1024 is needed, not \"%s\"\n", optarg);
            exit(2);
        case 'p': job.progress = true; break;
        case 's': job.stats = true; break;
        case 'h': fputs(usage, stdout); exit(0);
        default: fputs("Try hashtree --help.\n", stderr); exit(2);  /* getopt_long has printed the problem */
        }
    }
    job.roots = arguments + optind;
    if (!*job.roots) {
        fputs("hashtree: which directory? Try hashtree --help.\n", stderr);
        exit(2);
    }
}

int main(int count, char **arguments) {
    parse(count, arguments);
    job.sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    if (!job.sha256) return fputs("hashtree: no SHA-256\n", stderr), 1;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | (int)SA_RESETHAND};  /* the second one kills */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);

    job.started = now_seconds();
    bool sound = run();
    if (!sound) fprintf(stderr, "hashtree: %s\n", sgk_last_error());
    clear_bar();
    if (job.failure) fprintf(stderr, "hashtree: %s\n", strerror(job.failure));
    if (!job.unwritten && fflush(stdout) != 0) job.unwritten = errno;
    if (job.unwritten) fprintf(stderr, "hashtree: standard output: %s\n", strerror(job.unwritten));
    double seconds = now_seconds() - job.started, megabytes = (double)atomic_load(&job.bytes) / 1e6;
    int64_t left = left_alive();
    if (job.stats)
        fprintf(stderr, "%lld files hashed, %lld failed, %lld skipped; %.1f MB in %.2f s, %.0f MB/s\nObjects left alive: %lld\n", (long long)job.files,
                (long long)job.failed, (long long)job.skipped, megabytes, seconds, megabytes / seconds, (long long)left);
    EVP_MD_free(job.sha256);
    if (interrupted && !job.unwritten) return INTERRUPTED;
    return !sound || left || job.failed || job.failure || job.unwritten;
}
