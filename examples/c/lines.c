/*
 * lines: counts the lines of a log or CSV of any size, or the values of a column, and prints the most frequent ones.
 *
 *     cc -std=c11 -O2 lines.c -o lines $(pkg-config --cflags --libs signalkit) && ./lines --field 1 /var/log/syslog
 *
 * The stages left of the bar run on a serial queue, and those right of it on the main thread:
 *
 *     read (a generator) -> before_next (count) -> map (lines) -> map (column) -> tally |
 *                                  |                                                                    |
 *                                  +--- two atomic numbers ------------------------------------------- <-- timer -> progress
 *
 * A value contains all whole lines of one read. So the cost of passing a value is small compared with the work on it, and each stage
 * uses the fast loops of libc (memchr, memmem). Memory does not grow with the input. The lines are pointers into the reader's buffer,
 * which is valid during the call, so no stage may pass them to another queue. That would not be useful either: reading is faster than
 * drawing, and a throttle on the main queue would receive every value before it drops it. Instead a timer on the main thread reads the
 * counters. Firings that it misses are merged.
 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <signalkit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 1 << 16, LONGEST = 1 << 20 };  /* bytes: of one read; of a line, the rest of which is only counted */
enum { KEY_KEPT = 240, MOST = 1000000, INTERRUPTED = 130 };  /* bytes of a value that are kept to be shown; counters; the exit status */

/* The value of the reader: lines with their line ends, which only the last line of the input may lack. Or the beginning of a line that
 * is too long, and the number of bytes that were cut. */
struct chunk {
    const char *text;
    size_t length, dropped;
};

struct line {
    const char *text;
    size_t length;
};

/* The value of the later stages: lines, or one column of them. A read contains at most one line per byte. */
struct lines {
    size_t count;
    struct line line[BLOCK + 1];
};

/* One counter of the sketch: a value, its maximum count, and the maximum error of that count. */
struct counter {
    uint64_t hash;
    int64_t count, excess;
    size_t length;        /* of the whole value */
    uint32_t next;        /* in its bucket: an index + 1, 0 at the end */
    char key[KEY_KEPT];
};

/* The "Space-saving" algorithm (Metwally, Agrawal, El Abbadi): if all counters are used, a new value takes over the lowest one. Counts are
 * exact until then. Afterwards no count is too low, and each value more frequent than 1 in `capacity` has a counter. */
struct sketch {
    struct counter *counters;
    uint32_t *buckets;
    size_t capacity, used, mask, hand;
    int64_t least;  /* no count is lower */
    bool approximate;
};

struct job {
    const char *name, *match, *separator;
    size_t match_length;
    long field, top, counters;
    double every;
    int input, wake[2];
    sgk_queue *reading;
    int64_t size;                      /* of the rest of the input; -1: unknown */
    atomic_llong lines, bytes;         /* written on the reading queue, read from the main thread, too */
    struct lines found;                /* the following belong to the reading queue until it is idle */
    int64_t tallied, missing, cut;
    int failure;
    struct sketch sketch;
    double started, reported;          /* from here on only the main thread's */
    int64_t reported_lines, reported_bytes;
    bool bar;
};

static atomic_bool interrupted;  /* lock-free, so that the signal handler may set it */

static double now_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- Reading: the source of the signal ---- */

/* The state of a subscription to the generator. */
struct reader {
    const struct job *job;
    sgk_subscriber *subscriber;
    size_t held, dropped;            /* bytes of an incomplete line: at the buffer's beginning; dropped because it is too long */
    char buffer[LONGEST + BLOCK];
};

static void free_reader(void *context) {
    struct reader *reader = context;
    sgk_subscriber_release(reader->subscriber);
    free(reader);
}

/* Returns false if the subscription needs no more lines. */
static bool emit(struct reader *reader, const char *text, size_t length) {
    struct chunk chunk = {.text = text, .length = length};
    return length == 0 || sgk_subscriber_next(reader->subscriber, sgk_pointer(&chunk)) == SGK_OK;
}

/* Emits the line that the buffer begins with, of which only the beginning is kept. */
static bool emit_cut(struct reader *reader, size_t length) {
    struct chunk chunk = {.text = reader->buffer, .length = LONGEST, .dropped = reader->dropped + length - LONGEST};
    reader->dropped = 0;
    return sgk_subscriber_next(reader->subscriber, sgk_pointer(&chunk)) == SGK_OK;
}

static bool is_cut(const struct reader *reader, size_t length) { return reader->dropped > 0 || length > LONGEST; }

/* Emits the lines that `got` new bytes have completed, and keeps the beginning of the next one. */
static bool emit_lines(struct reader *reader, size_t got) {
    char *from = reader->buffer, *fresh = from + reader->held, *end = fresh + got;
    char *last = memrchr(fresh, '\n', got);
    if (last) {
        char *first = memchr(fresh, '\n', got);  /* only that line can be too long: a block is shorter */
        bool cut = is_cut(reader, (size_t)(first - from));
        if (cut && !emit_cut(reader, (size_t)(first + 1 - from))) return false;
        if (cut) from = first + 1;
        if (!emit(reader, from, (size_t)(last + 1 - from))) return false;
        from = last + 1;
    }
    reader->held = (size_t)(end - from);
    if (from != reader->buffer) memmove(reader->buffer, from, reader->held);
    if (reader->held > LONGEST) {
        reader->dropped += reader->held - LONGEST;
        reader->held = LONGEST;
    }
    return true;
}

/* The last line, which may have no end. */
static bool emit_rest(struct reader *reader) {
    return is_cut(reader, reader->held) ? emit_cut(reader, reader->held) : emit(reader, reader->buffer, reader->held);
}

/* The reading queue's work. */
static void read_lines(void *context) {
    struct reader *reader = context;
    for (;;) {
        struct pollfd ready[] = {{.fd = reader->job->input, .events = POLLIN}, {.fd = reader->job->wake[0], .events = POLLIN}};
        if (poll(ready, 2, -1) < 0 || ready[1].revents) {
            if (!sgk_subscriber_is_active(reader->subscriber)) return;  /* disposed */
            continue;
        }
        ssize_t got = read(reader->job->input, reader->buffer + reader->held, BLOCK);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got < 0) {
            sgk_subscriber_error(reader->subscriber, sgk_int(errno));
            return;
        }
        if (got == 0) break;
        if (!emit_lines(reader, (size_t)got)) return;
    }
    if (emit_rest(reader)) sgk_subscriber_complete(reader->subscriber);
}

/* Disposal has to reach a reader that waits for input which may never come. */
static void wake_reader(void *context) {
    const struct job *job = context;
    while (write(job->wake[1], "", 1) < 0 && errno == EINTR) {}
}

/* The generator returns at once: only then is there something that can stop it. */
static sgk_disposable *start_reading(void *context, sgk_subscriber *subscriber) {
    struct job *job = context;
    struct reader *reader = malloc(sizeof *reader);
    if (!reader) {
        sgk_subscriber_error(subscriber, sgk_int(ENOMEM));
        return NULL;
    }
    reader->job = job;
    reader->subscriber = sgk_subscriber_retain(subscriber);
    reader->held = reader->dropped = 0;
    sgk_queue_dispatch(job->reading, read_lines, reader, free_reader);  /* frees it in any case */
    return sgk_action_disposable_create(wake_reader, job, NULL);
}

/* ---- The stages, on the reading queue ---- */

/* Only one thread writes these, so there is no need for the cost of an atomic addition. */
static void add(atomic_llong *number, size_t by) {
    atomic_store_explicit(number, atomic_load_explicit(number, memory_order_relaxed) + (long long)by, memory_order_relaxed);
}

static void count_lines(void *context, sgk_value value) {
    struct job *job = context;
    const struct chunk *chunk = sgk_to_pointer(value);
    const char *at = chunk->text, *end = at + chunk->length;
    size_t lines = end[-1] != '\n';
    for (; (at = memchr(at, '\n', (size_t)(end - at))); at++) lines++;
    add(&job->lines, lines);
    add(&job->bytes, chunk->length + chunk->dropped);
    job->cut += chunk->dropped > 0;
}

/* Returns the matching lines, or all lines without a pattern. Searches for the pattern first, and then for the ends of the line around it,
 * so that it skips all lines between two matches together. */
static sgk_value lines_of(void *context, sgk_value value) {
    struct job *job = context;
    const struct chunk *chunk = sgk_to_pointer(value);
    struct lines *found = &job->found;
    found->count = 0;
    for (const char *at = chunk->text, *end = at + chunk->length, *next; at < end; at = next) {
        const char *hit = job->match ? memmem(at, (size_t)(end - at), job->match, job->match_length) : at;
        if (!hit) break;
        const char *before = memrchr(at, '\n', (size_t)(hit - at)), *newline = memchr(hit, '\n', (size_t)(end - hit));
        const char *begin = before ? before + 1 : at, *stop = newline ? newline : end;
        next = newline ? newline + 1 : end;
        if (newline && stop > begin && stop[-1] == '\r') stop--;
        if (hit + job->match_length > stop) continue;  /* it has an end of line in it */
        found->line[found->count++] = (struct line){.text = begin, .length = (size_t)(stop - begin)};
    }
    return found->count > 0 ? sgk_pointer(found) : sgk_dropped();
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Makes the line its field, if it has that. Quotes mean nothing here. */
static bool cut_column(const struct job *job, struct line *line) {
    const char *at = line->text, *end = at + line->length;
    for (long field = 1;; field++) {
        while (!job->separator && at < end && is_blank(*at)) at++;
        const char *stop = job->separator ? memchr(at, *job->separator, (size_t)(end - at)) : at;
        if (!stop) stop = end;
        while (!job->separator && stop < end && !is_blank(*stop)) stop++;
        if (field == job->field && (job->separator || at < end)) {
            *line = (struct line){.text = at, .length = (size_t)(stop - at)};
            return true;
        }
        if (stop == end) return false;
        at = stop + 1;
    }
}

/* The fields of the lines, and how many lines are without. */
static sgk_value column_of(void *context, sgk_value value) {
    struct job *job = context;
    struct lines *found = sgk_to_pointer(value);
    size_t kept = 0;
    for (struct line *line = found->line; line < found->line + found->count; line++)
        if (cut_column(job, line)) found->line[kept++] = *line;
    job->missing += (int64_t)(found->count - kept);
    found->count = kept;
    return kept > 0 ? sgk_unchanged() : sgk_dropped();
}

static uint64_t hash_of(const char *text, size_t length) {
    uint64_t hash = length;
    for (size_t at = 0; at < length; at += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, text + at, length - at < sizeof word ? length - at : sizeof word);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    return hash;
}

/* A counter that is the lowest. Counts only grow, so the hand goes round until none is left of the lowest known count: K steps at most for
 * each step of that, which after N values is N / K at most. That makes it a constant number of steps a value, without a heap. */
static struct counter *lowest(struct sketch *sketch) {
    for (;;) {
        int64_t least = INT64_MAX;
        for (size_t seen = 0; seen < sketch->capacity; seen++) {
            struct counter *counter = &sketch->counters[sketch->hand];
            sketch->hand = (sketch->hand + 1) % sketch->capacity;
            if (counter->count <= sketch->least) return counter;
            if (counter->count < least) least = counter->count;
        }
        sketch->least = least;
    }
}

static void count_value(struct sketch *sketch, const struct line *line) {
    uint64_t hash = hash_of(line->text, line->length);
    size_t kept = line->length < KEY_KEPT ? line->length : KEY_KEPT;
    uint32_t *bucket = &sketch->buckets[hash & sketch->mask];
    for (uint32_t index = *bucket; index; index = sketch->counters[index - 1].next) {
        struct counter *counter = &sketch->counters[index - 1];  /* the hash represents the part of long values that is not stored */
        if (counter->hash != hash || counter->length != line->length || memcmp(counter->key, line->text, kept) != 0) continue;
        counter->count++;
        return;
    }
    struct counter *counter = sketch->used < sketch->capacity ? &sketch->counters[sketch->used++] : lowest(sketch);
    uint32_t index = (uint32_t)(counter - sketch->counters) + 1;
    if (counter->count > 0) {  /* taken over */
        uint32_t *link = &sketch->buckets[counter->hash & sketch->mask];
        while (*link != index) link = &sketch->counters[*link - 1].next;
        *link = counter->next;
        sketch->approximate = true;
    }
    counter->excess = counter->count;
    counter->count++;
    counter->hash = hash;
    counter->length = line->length;
    memcpy(counter->key, line->text, kept);
    counter->next = *bucket;
    *bucket = index;
}

static void tally(void *context, sgk_value value) {
    struct job *job = context;
    const struct lines *found = sgk_to_pointer(value);
    job->tallied += (int64_t)found->count;
    if (job->top == 0) return;
    for (size_t i = 0; i < found->count; i++) count_value(&job->sketch, &found->line[i]);
}

static void on_error(void *context, sgk_value error) {
    ((struct job *)context)->failure = (int)sgk_to_int(error);
    sgk_main_stop();
}

static void on_completed(void *context) {
    (void)context;
    sgk_main_stop();
}

/* ---- Progress, on the main thread ---- */

static const char *human(char text[16], double number) {
    static const char *const units[] = {"", "k", "M", "G", "T", "P"};
    int unit = 0;
    for (; number >= 999.5 && unit < 5; unit++) number /= 1000;
    snprintf(text, 16, "%.*f%s", number < 9.995 && unit > 0 ? 2 : 0, number, units[unit]);
    return text;
}

/* Describes the totals, and the speed since a time. */
static void describe(const struct job *job, char *text, size_t size, double since, int64_t lines_before, int64_t bytes_before) {
    char part[3][16];
    double lines = (double)atomic_load(&job->lines), bytes = (double)atomic_load(&job->bytes), seconds = now_seconds() - since;
    if (seconds < 1e-6) seconds = 1e-6;
    snprintf(text, size, "%s lines, %sB, %s lines/s, %.1f MB/s", human(part[0], lines), human(part[1], bytes),
             human(part[2], (lines - (double)lines_before) / seconds), (bytes - (double)bytes_before) / seconds / 1e6);
}

static void report(void *context) {
    struct job *job = context;
    static const char full[] = "####################", empty[] = "--------------------";
    char rates[128], text[256];
    describe(job, rates, sizeof rates, job->reported, job->reported_lines, job->reported_bytes);
    job->reported = now_seconds();
    job->reported_lines = atomic_load(&job->lines);
    job->reported_bytes = atomic_load(&job->bytes);
    if (!job->bar) {
        fprintf(stderr, "lines: %s\n", rates);
        return;
    }
    double part = job->reported_bytes < job->size ? (double)job->reported_bytes / (double)job->size : 1;  /* a file may grow */
    int done = (int)(part * (sizeof full - 1));
    struct winsize window;
    int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 ? window.ws_col : 80;
    snprintf(text, sizeof text, "%3.0f %% [%.*s%s] %s", part * 100, done, full, empty + done, rates);
    fprintf(stderr, "\r%.*s\033[K", width - 1, text);  /* cut: what wraps cannot be overwritten */
}

/* ---- Results ---- */

/* Escapes control characters and ambiguous characters. */
static void print_key(const struct counter *counter) {
    for (size_t i = 0; i < counter->length && i < KEY_KEPT; i++) {
        unsigned char c = (unsigned char)counter->key[i];
        if (c == '\t') fputs("\\t", stdout);
        else if (c == '\\') fputs("\\\\", stdout);
        else if (c < ' ' || c == 127) printf("\\x%02x", c);
        else putchar(c);
    }
    puts(counter->length > KEY_KEPT ? "..." : "");
}

/* The highest first; equal ones in the order of their bytes. */
static int compare_counters(const void *left, const void *right) {
    const struct counter *a = left, *b = right;
    if (a->count != b->count) return a->count > b->count ? -1 : 1;
    size_t shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->key, b->key, shorter < KEY_KEPT ? shorter : KEY_KEPT);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static void print_results(struct job *job) {
    struct sketch *sketch = &job->sketch;
    if (atomic_load(&interrupted)) puts("interrupted: this is what had been read");
    printf("lines    %lld\nbytes    %lld\n", atomic_load(&job->lines), atomic_load(&job->bytes));
    if (job->match) printf("matching %lld\n", (long long)(job->tallied + job->missing));
    if (job->field) printf("missing  %lld  without a field %ld\n", (long long)job->missing, job->field);
    if (job->cut) printf("cut      %lld  longer than %d bytes: only so much of them was looked at\n", (long long)job->cut, LONGEST);
    if (sketch->used == 0) return;
    qsort(sketch->counters, sketch->used, sizeof *sketch->counters, compare_counters);  /* the buckets are of no use from here on */
    size_t shown = sketch->used < (size_t)job->top ? sketch->used : (size_t)job->top;
    if (sketch->approximate) printf("\ntop %zu of more than %zu values, approximately\n    at least      at most   share  value\n", shown, sketch->used);
    else printf("\ntop %zu of %zu values\n       count   share  value\n", shown, sketch->used);
    for (const struct counter *counter = sketch->counters; counter < sketch->counters + shown; counter++) {
        if (sketch->approximate) printf("%12lld ", (long long)(counter->count - counter->excess));
        printf("%12lld %6.2f%%  ", (long long)counter->count, 100 * (double)counter->count / (double)job->tallied);
        print_key(counter);
    }
}

/* ---- Putting it together ---- */

static void on_signal(int number) {
    (void)number;
    atomic_store(&interrupted, true);
}

/* sgk_main_stop is not for signal handlers: a timer looks whether one has been here. */
static void check_interrupted(void *context) {
    (void)context;
    if (atomic_load(&interrupted)) sgk_main_stop();
}

static void nothing(void *context) { (void)context; }

/* On failure, returns false and sets sgk_last_error. A failure to read is a result of the job instead. */
static bool run(struct job *job) {
    SGK_AUTO(sgk_queue) reading = job->reading = sgk_queue_create("lines.reading");
    SGK_AUTO(sgk_queue) drawing = sgk_queue_main();
    SGK_AUTO(sgk_timer) watch = sgk_timer_create(0.05, true, check_interrupted, NULL, NULL, drawing);
    SGK_AUTO(sgk_timer) progress = job->every > 0 ? sgk_timer_create(job->every, true, report, job, NULL, drawing) : NULL;
    bool whole = !job->match && !job->field && job->top == 0;  /* nobody asks for single lines */
    SGK_AUTO(sgk_signal) chunks = sgk_signal_create(start_reading, job, NULL);
    SGK_AUTO(sgk_signal) counted = sgk_signal_before_next(chunks, count_lines, job, NULL);
    SGK_AUTO(sgk_signal) lines = whole ? sgk_signal_retain(counted) : sgk_signal_map(counted, lines_of, job, NULL);
    SGK_AUTO(sgk_signal) values = job->field ? sgk_signal_map(lines, column_of, job, NULL) : sgk_signal_retain(lines);

    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = job;
    handlers.next = whole ? NULL : tally;
    handlers.error = on_error;
    handlers.completed = on_completed;
    job->started = job->reported = now_seconds();
    SGK_AUTO(sgk_disposable) reader = sgk_signal_start(values, &handlers);
    bool sound = reader && sgk_timer_start(watch) == SGK_OK && (job->every == 0 || sgk_timer_start(progress) == SGK_OK) && sgk_main_run() == SGK_OK;

    /* After a disposal a callback may still be running. When the queue runs its next work, the callbacks' counts are final. */
    if (reader) sgk_disposable_dispose(reader);
    sgk_queue_sync(reading, nothing, NULL);
    return sound;
}

/* Waits for a limited time until the queues have released their pending work. Returns the number of live objects. */
static int64_t drain(void) {
    for (int i = 0; sgk_live_total() != 0 && i < 60000; i++) {
        sgk_main_drain();
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    for (sgk_live kind = SGK_LIVE_SIGNAL; kind <= SGK_LIVE_CALLBACK; kind++)
        if (sgk_live_count(kind)) fprintf(stderr, "lines: %lld left alive: %s\n", (long long)sgk_live_count(kind), sgk_live_text(kind));
    return sgk_live_total();
}

/* ---- The command line ---- */

static const char usage[] =
    "Usage: lines [options] [FILE]\n"
    "Counts the lines of FILE, or of the standard input, and prints the most frequent ones. The memory does not depend on the size of the input.\n\n"
    "  --match TEXT      only lines that contain TEXT\n"
    "  --field N         count field N of the lines, from 1; fields are separated by one or more blanks\n"
    "  --separator C     fields are separated by each character C (\\t is a tab), also in quotes\n"
    "  --top N           print N values, 0 to 1000000 (default 10); 0 only counts the lines\n"
    "  --counters N      count N different values exactly, 1 to 1000000 (default 10000; 300 bytes each), and more of them approximately\n"
    "  --every SECONDS   the time between progress reports; 0: no reports (default 2, or 0.1 for the bar on a terminal)\n"
    "  --help            show this\n\n"
    "The exit status is 0, 1 after a failure, 2 after a wrong option, 130 after an interruption.\n";

static void wrong(const char *reason, const char *text) {
    fprintf(stderr, "lines: %s\"%s\"\nTry lines --help.\n", reason, text);
    exit(2);
}

static long integer_of(const char *reason, const char *text, long least) {
    char *end;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || number < least || number > MOST) wrong(reason, text);
    return number;
}

static double seconds_of(const char *reason, const char *text) {
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !(number == 0 || (number >= 1e-3 && number <= 3600))) wrong(reason, text);  /* NaN, too */
    return number;
}

static void parse(struct job *job, int count, char **arguments) {
    static const struct option options[] = {{"match", required_argument, NULL, 'm'}, {"field", required_argument, NULL, 'f'},
        {"separator", required_argument, NULL, 's'}, {"top", required_argument, NULL, 't'},
        {"counters", required_argument, NULL, 'c'}, {"every", required_argument, NULL, 'e'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(count, arguments, "", options, NULL)) != -1;) {
        switch (option) {
        case 'm': job->match = optarg; break;
        case 'f': job->field = integer_of("--field: a number from 1 to 1000000 is needed, not ", optarg, 1); break;
        case 's': job->separator = strcmp(optarg, "\\t") == 0 ? "\t" : optarg; break;
        case 't': job->top = integer_of("--top: a number from 0 to 1000000 is needed, not ", optarg, 0); break;
        case 'c': job->counters = integer_of("--counters: a number from 1 to 1000000 is needed, not ", optarg, 1); break;
        case 'e': job->every = seconds_of("--every: 0 or a number from 0.001 to 3600 is needed, not ", optarg); break;
        case 'h': fputs(usage, stdout); exit(0);
        default: fputs("Try lines --help.\n", stderr); exit(2);  /* getopt_long has printed the problem */
        }
    }
    if (job->separator && strlen(job->separator) != 1) wrong("--separator: one character of one byte is needed, not ", job->separator);
    if (job->separator && !job->field) wrong("--field is needed with --separator ", job->separator);
    if (count - optind > 1) wrong("one file at a time; unexpected argument ", arguments[optind + 1]);
    if (optind < count && strcmp(arguments[optind], "-") != 0) job->name = arguments[optind];
    job->match_length = job->match ? strlen(job->match) : 0;
}

/* Opens the input and gets the memory. All there will ever be is allocated here, and the reader's buffer. False: errno says why. */
static bool prepare(struct job *job) {
    struct stat status;
    job->input = job->name ? open(job->name, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (job->input < 0 || fstat(job->input, &status) != 0 || pipe2(job->wake, O_CLOEXEC) != 0) return false;
    off_t position = S_ISREG(status.st_mode) ? lseek(job->input, 0, SEEK_CUR) : -1;
    job->size = position >= 0 && status.st_size >= position ? status.st_size - position : -1;
    job->bar = job->size >= 0 && isatty(STDERR_FILENO);
    if (job->every < 0) job->every = job->bar ? 0.1 : 2;

    struct sketch *sketch = &job->sketch;
    sketch->capacity = (size_t)job->counters;
    for (sketch->mask = 1; sketch->mask < sketch->capacity;) sketch->mask = 2 * sketch->mask + 1;
    sketch->counters = calloc(sketch->capacity, sizeof *sketch->counters);
    sketch->buckets = calloc(sketch->mask + 1, sizeof *sketch->buckets);
    return sketch->counters && sketch->buckets;
}

int main(int count, char **arguments) {
    static struct job job = {.top = 10, .counters = 10000, .every = -1};
    parse(&job, count, arguments);
    const char *name = job.name ? job.name : "standard input";
    if (!prepare(&job)) return fprintf(stderr, "lines: %s: %s\n", name, strerror(errno)), 1;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | (int)SA_RESETHAND};  /* the second one kills */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);

    bool sound = run(&job);
    if (!sound) fprintf(stderr, "lines: %s\n", sgk_last_error());
    char text[256];
    describe(&job, text, sizeof text, job.started, 0, 0);
    if (job.bar && job.every > 0) fputs("\r\033[K", stderr);
    if (job.every > 0) fprintf(stderr, "lines: %s in all, in %.2f s\n", text, now_seconds() - job.started);
    print_results(&job);
    if (job.failure) fprintf(stderr, "lines: %s: %s\n", name, strerror(job.failure));
    bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (!written) fprintf(stderr, "lines: standard output: %s\n", strerror(errno));

    free(job.sketch.counters);
    free(job.sketch.buckets);
    close(job.wake[0]);
    close(job.wake[1]);
    if (job.name) close(job.input);
    if (drain() != 0 || !sound || job.failure || !written) return 1;
    return atomic_load(&interrupted) ? INTERRUPTED : 0;
}
