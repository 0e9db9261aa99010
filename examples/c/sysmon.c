/*
 * sysmon: a live monitor of a Linux machine in the terminal.
 *
 *     cc -std=c11 -O2 sysmon.c -o sysmon $(pkg-config --cflags --libs signalkit) && ./sysmon --load
 *
 * The stages left of the bar run on a serial queue, and those right of it on the main thread:
 *
 *     timer -> read /proc -> pipe -> map (rates) -> filter -> distinct --+                     |
 *     … one such line for each of cpu, memory, net, disk …             --+-> combine_latest    |
 *                                                                        |   -> debounce       |
 *                                                                        +-> frames (a pipe) --+-> deliver_on -> draw
 *                                       filter (begins or ends), for each figure with a limit -+-> deliver_on -> alert
 *
 * --record writes the samples to a file, and --replay shows them later. Then one queue with a virtual clock replaces both
 * queues. So hours take a moment, and the tests know the result. examples/c/bridges/sysmon_mqtt.c shows several machines
 * on one terminal.
 */
#define _DEFAULT_SOURCE
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <signalkit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { CPU, MEMORY, NET, DISK, SOURCES };
enum { MAX_CORES = 8, MAX_NUMBERS = 2 * (1 + MAX_CORES), MAX_ROWS = 6 + MAX_CORES, HISTORY = 4096, ALERTS = 3 };
static const double LOAD_DELAY = 1.5, LOAD_SECONDS = 4;  /* seconds */

/* Something that is sampled. Only the sampling queue touches it while that runs, so nothing here needs a lock. */
struct source {
    const char *name;
    size_t (*read)(sgk_value *numbers);  /* fills in pairs of numbers; returns their count, 0 if this machine has none */
    double scale;                        /* the readings are scale * growth of a pair's first / growth of its second; 0: as they are */
    sgk_pipe *pipe;
    sgk_timer *timer;
    sgk_value last[MAX_NUMBERS];         /* the sample before, of which the map makes rates */
    size_t last_count;
    FILE *replayed, *recorded;           /* where its samples come from instead, and where they are written to; NULL: nowhere */
    int sampled, known, repeated;
};

/* A line on the screen: number `index` of a source's reading. Once it runs only the main thread changes it; `is_over` only the
 * sampling queue. */
struct row {
    char name[12];
    int source, index;
    enum unit { PERCENT, BYTES, BYTES_PER_SECOND } unit;
    double scale;             /* what fills a column of the sparkline; 0: the highest that is to be seen */
    double over, under;       /* an alert begins above the one, and ends below the other; NAN: there is none */
    bool is_over, is_hot;     /* as the sampling queue knows, and the screen */
    double history[HISTORY];  /* of each interval, the newest last; NAN: not known */
    struct monitor *monitor;
};

struct monitor {
    double seconds, interval, minutes;
    bool load, terminal, replays;
    struct source sources[SOURCES];
    struct row rows[MAX_ROWS];
    sgk_queue *drawing;
    int row_count, drawn, alerts;
    int64_t moved;            /* how many intervals the history has seen */
    double last_moved;
    char alert_texts[ALERTS][80];  /* the newest first */
};

static atomic_bool quit;  /* lock-free, so that the signal handler may set it */

static double now_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- Reading /proc ---- */

/* Appends a pair of numbers. */
static void put(sgk_value *numbers, size_t *count, int64_t first, int64_t second) {
    numbers[(*count)++] = sgk_int(first);
    numbers[(*count)++] = sgk_int(second);
}

/* Busy time and total time: of all cores together, then of each. */
static size_t read_cpu(sgk_value *numbers) {
    char line[512];
    size_t count = 0;
    FILE *file = fopen("/proc/stat", "r");
    while (file && count < MAX_NUMBERS && fgets(line, sizeof line, file) && strncmp(line, "cpu", 3) == 0) {
        long long t[8] = {0}, total = 0;  /* user nice system idle iowait irq softirq steal */
        if (sscanf(line, "%*s %lld %lld %lld %lld %lld %lld %lld %lld", t, t + 1, t + 2, t + 3, t + 4, t + 5, t + 6, t + 7) < 4) break;
        for (int i = 0; i < 8; i++) total += t[i];
        put(numbers, &count, total - t[3] - t[4], total);
    }
    if (file) fclose(file);
    return count;
}

/* Used and total memory in bytes, rounded to MiB, so that smaller changes cause no redraw. */
static size_t read_memory(sgk_value *numbers) {
    char line[256];
    size_t count = 0;
    long long total = -1, available = -1;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemTotal: %lld kB", &total) != 1) sscanf(line, "MemAvailable: %lld kB", &available);
    if (file) fclose(file);
    if (total > 0 && available >= 0) put(numbers, &count, (total - available) / 1024 << 20, total / 1024 << 20);
    return count;
}

/* Sums up what `line` finds in the lines of a file, as two counters of bytes, each with the time in microseconds. */
static size_t read_counters(sgk_value *numbers, const char *path, bool (*line)(const char *text, long long *in, long long *out)) {
    char text[512];
    size_t count = 0;
    long long in, out, all_in = 0, all_out = 0;
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file && fgets(text, sizeof text, file)) {
        if (!line(text, &in, &out)) continue;
        found = true;
        all_in += in;
        all_out += out;
    }
    if (file) fclose(file);
    int64_t time = (int64_t)(now_seconds() * 1e6);
    if (found) put(numbers, &count, all_in, time);
    if (found) put(numbers, &count, all_out, time);
    return count;
}

static bool net_line(const char *text, long long *in, long long *out) {
    char name[64];
    return sscanf(text, " %63[^:]: %lld %*d %*d %*d %*d %*d %*d %*d %lld", name, in, out) == 3 && strcmp(name, "lo") != 0;
}

/* Accepts whole disks only: /sys/block lists no partitions, and only real disks have a device there. */
static bool disk_line(const char *text, long long *in, long long *out) {
    char name[64], path[128];
    if (sscanf(text, "%*d %*d %63s %*d %*d %lld %*d %*d %*d %lld", name, in, out) != 3) return false;
    snprintf(path, sizeof path, "/sys/block/%s/device", name);
    *in *= 512;  /* these count sectors */
    *out *= 512;
    return access(path, F_OK) == 0;
}

static size_t read_net(sgk_value *numbers) { return read_counters(numbers, "/proc/net/dev", net_line); }
static size_t read_disk(sgk_value *numbers) { return read_counters(numbers, "/proc/diskstats", disk_line); }

/* ---- Recordings: a line for each sample, with the name of its source ---- */

static void record(const struct source *source, const sgk_value *numbers, size_t count) {
    fprintf(source->recorded, "%s", source->name);
    for (size_t i = 0; i < count; i++) fprintf(source->recorded, " %lld", (long long)sgk_to_int(numbers[i]));
    putc('\n', source->recorded);
}

/* Reads the next sample of this source. The end of the file ends the program. */
static size_t replay(const struct source *source, sgk_value *numbers) {
    char line[1024];
    size_t count = 0, name = strlen(source->name);
    do {
        if (!fgets(line, sizeof line, source->replayed)) return atomic_store(&quit, true), 0;
    } while (strncmp(line, source->name, name) != 0);
    char *end = line + name;
    for (const char *text = end; count < MAX_NUMBERS; text = end) {
        int64_t number = strtoll(text, &end, 10);
        if (end == text) break;
        numbers[count++] = sgk_int(number);
    }
    return count - count % 2;
}

/* ---- From samples to frames, on the sampling queue ---- */

/* The function of a timer. It sends an empty array if this machine has no such figures. */
static void sample(void *context) {
    struct source *source = context;
    sgk_value numbers[MAX_NUMBERS];
    size_t count = source->replayed ? replay(source, numbers) : source->read(numbers);
    if (source->replayed && atomic_load(&quit)) return;
    if (source->recorded) record(source, numbers, count);
    sgk_value array = sgk_array(numbers, count);
    source->sampled++;
    sgk_pipe_next(source->pipe, sgk_give(array));
}

/* A map with a memory: makes a reading of a sample and the one before it. Null says that there was none to compare with. */
static sgk_value to_reading(void *context, sgk_value sample) {
    struct source *source = context;
    size_t count;
    const sgk_value *now = sgk_array_items(sample, &count), *last = source->last;
    if (count == 0 || source->scale == 0) return sample;  /* a callback may return its argument */
    sgk_value rates[MAX_NUMBERS / 2], reading = sgk_null();
    for (size_t i = 0; i < count && count == source->last_count; i += 2) {
        double growth = sgk_to_double(now[i]) - sgk_to_double(last[i]), over = sgk_to_double(now[i + 1]) - sgk_to_double(last[i + 1]);
        bool sound = growth > 0 && over > 0;  /* counters decrease when a device is removed */
        rates[i / 2] = sgk_double(sound ? (double)(int64_t)(growth / over * source->scale * 10 + 0.5) / 10 : 0);
    }
    if (count == source->last_count) reading = sgk_array(rates, count / 2);
    memcpy(source->last, now, count * sizeof *now);  /* ints own nothing: nothing to retain */
    source->last_count = count;
    return reading;
}

static bool is_known(void *context, sgk_value reading) {
    bool known = sgk_value_kind(reading) != SGK_NULL;
    ((struct source *)context)->known += known;
    return known;
}

static bool is_repeated(void *context, sgk_value last, sgk_value reading) {
    bool repeated = sgk_value_equal(last, reading);
    ((struct source *)context)->repeated += repeated;
    return repeated;
}

/* Operators return NULL for NULL and keep the first error, so the program checks the pipeline when it starts it. */
static sgk_signal *readings(struct source *source) {
    SGK_AUTO(sgk_signal) samples = sgk_pipe_signal(source->pipe);
    SGK_AUTO(sgk_signal) mapped = sgk_signal_map(samples, to_reading, source, NULL);
    SGK_AUTO(sgk_signal) known = sgk_signal_filter(mapped, is_known, source, NULL);
    return sgk_signal_distinct_until_changed_by(known, is_repeated, source, NULL);
}

/* A number of a source's reading in a frame, which is an array of readings; NAN when there is none. */
static double number_in(sgk_value frame, int source, int index) {
    size_t count;
    const sgk_value *numbers = sgk_array_items(sgk_array_at(frame, (size_t)source), &count);
    return (size_t)index < count ? sgk_to_double(numbers[index]) : NAN;
}

/* Whether an alert begins or ends here, in turns. Between the two limits nothing happens: so a number that hovers at one of
 * them makes no alert each time. */
static bool is_turn(void *context, sgk_value frame) {
    struct row *row = context;
    double number = number_in(frame, row->source, row->index);
    bool turns = row->is_over ? number < row->under : number > row->over;
    row->is_over ^= turns;
    return turns;
}

static void relay(void *pipe, sgk_value value) { sgk_pipe_next(pipe, value); }

/* ---- Drawing, on the main thread ---- */

static const char *human(char text[24], double number, enum unit unit) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int step = 0;
    for (; unit != PERCENT && number >= 1000 && step < 4; step++) number /= 1024;
    if (isnan(number)) snprintf(text, 24, "n/a");
    else if (unit == PERCENT) snprintf(text, 24, "%.1f %%", number);
    else snprintf(text, 24, "%.*f %s%s", step > 0, number, units[step], unit == BYTES_PER_SECOND ? "/s" : "");
    return text;
}

/* Returns the time of day; in a recording, the time since its start. */
static const char *time_of_day(const struct monitor *monitor, char text[16]) {
    time_t now = monitor->replays ? (time_t)sgk_queue_now(monitor->drawing) : time(NULL);
    struct tm parts;
    strftime(text, 16, "%H:%M:%S", monitor->replays ? gmtime_r(&now, &parts) : localtime_r(&now, &parts));
    return text;
}

/* Returns how many of the latest numbers are shown. */
static int shown(const struct monitor *monitor) {
    double most = monitor->minutes * 60 / monitor->interval;
    int window = most < 1 ? 1 : most < HISTORY ? (int)most : HISTORY;
    return monitor->moved < window ? (int)monitor->moved : window;
}

/* Returns the lower number, or the one that is not NAN. */
static double lower(double a, double b) { return isnan(a) || b < a ? b : a; }
static double higher(double a, double b) { return isnan(a) || b > a ? b : a; }

/* A column of the sparkline shows one number, or the highest of 2, 4, 8 … if the numbers do not fit. The groups start at
 * multiples of that count, so that a number stays in its column while the line moves. */
static void draw_sparkline(const struct row *row, int columns, double high) {
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    int64_t end = row->monitor->moved, first = end - shown(row->monitor), each = 1;
    while (end - first > columns * each) each *= 2;
    double scale = row->scale > 0 ? row->scale : high;
    printf("\033[3%dm", 2 + row->source);
    for (int64_t column = (end - 1) / each - columns + 1; column <= (end - 1) / each; column++) {
        double highest = NAN;
        for (int64_t i = column * each; i < column * each + each && i < end; i++)
            if (i >= first) highest = higher(highest, row->history[HISTORY - end + i]);
        int level = scale > 0 && !isnan(highest) ? (int)(highest / scale * 7.99) : 0;
        fputs(isnan(highest) ? " " : blocks[level > 7 ? 7 : level], stdout);
    }
    fputs("\033[0m", stdout);
}

static void draw_row(const struct row *row, int columns, bool with_range) {
    double low = NAN, high = NAN;
    for (int i = HISTORY - shown(row->monitor); i < HISTORY; i++) {
        low = lower(low, row->history[i]);
        high = higher(high, row->history[i]);
    }
    char text[24];
    printf("%-11s\033[%sm%12s\033[0m  ", row->name, row->is_hot ? "1;31" : "1", human(text, row->history[HISTORY - 1], row->unit));
    draw_sparkline(row, columns, high);
    if (with_range) printf("\033[2m%12s", human(text, low, row->unit));
    if (with_range) printf("%13s\033[0m", human(text, high, row->unit));
    fputs("\033[K\n", stdout);
}

static void draw_screen(const struct monitor *monitor) {
    struct winsize size;
    int width = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
    bool with_range = width >= 70;
    int columns = width - 26 - (with_range ? 25 : 0);
    columns = columns < 1 ? 1 : columns;
    double seconds = shown(monitor) * monitor->interval;
    printf("\033[1mSignalKit sysmon\033[0m  the last %.0f %s", seconds < 120 ? seconds : seconds / 60, seconds < 120 ? "s" : "min");
    if (with_range) printf("\033[%dG\033[2m%12s%13s\033[0m", 26 + columns, "lowest", "highest");
    printf("\033[K\n\033[K\n");
    for (int i = 0; i < monitor->row_count; i++) draw_row(&monitor->rows[i], columns, with_range);
    fputs("\033[K\n", stdout);
    for (int i = 0; i < ALERTS; i++) printf("\033[%dm%s\033[0m\033[K\n", i > 0 ? 2 : 31, monitor->alert_texts[i]);
}

static void draw_line(const struct monitor *monitor) {
    char text[24];
    fputs(time_of_day(monitor, text), stdout);
    for (const struct row *row = monitor->rows; row < monitor->rows + monitor->row_count; row++)
        if (row->source != CPU || row->index == 0) printf("  %s %s", row->name, human(text, row->history[HISTORY - 1], row->unit));
    putchar('\n');
}

static void draw(const struct monitor *monitor) {
    if (monitor->terminal) {
        fputs("\033[H", stdout);  /* overwrite from the corner */
        draw_screen(monitor);
        fputs("\033[J", stdout);
    } else {
        draw_line(monitor);
    }
    fflush(stdout);
}

/* It is time that moves the history, not frames: when nothing has changed there was no frame, and the last number held. */
static void on_frame(void *context, sgk_value frame) {
    struct monitor *monitor = context;
    double now = sgk_queue_now(monitor->drawing), elapsed = (now - monitor->last_moved) / monitor->interval + 0.5;
    int moves = monitor->moved == 0 ? 1 : elapsed < HISTORY ? (int)elapsed : HISTORY;
    for (struct row *row = monitor->rows; row < monitor->rows + monitor->row_count; row++) {
        double held = row->history[HISTORY - 1];
        memmove(row->history, row->history + moves, (size_t)(HISTORY - moves) * sizeof *row->history);
        for (int i = HISTORY - moves; i < HISTORY; i++) row->history[i] = held;
        row->history[HISTORY - 1] = number_in(frame, row->source, row->index);
        if (row->source == MEMORY) row->scale = number_in(frame, MEMORY, 1);
    }
    if (moves > 0) monitor->last_moved = now;
    monitor->moved += moves;
    monitor->drawn++;
    draw(monitor);
}

static void on_alert(void *context, sgk_value frame) {
    struct row *row = context;
    struct monitor *monitor = row->monitor;
    char when[16], number[24], limit[24], *text = monitor->alert_texts[0];
    row->is_hot = !row->is_hot;
    monitor->alerts += row->is_hot;
    memmove(monitor->alert_texts[1], text, sizeof monitor->alert_texts - sizeof monitor->alert_texts[0]);
    snprintf(text, sizeof monitor->alert_texts[0], "%s  %s: %s is %s, %s %s", time_of_day(monitor, when),
             row->is_hot ? "alert" : "over", row->name, human(number, number_in(frame, row->source, row->index), row->unit),
             row->is_hot ? "above" : "below", human(limit, row->is_hot ? row->over : row->under, row->unit));
    if (monitor->terminal) draw(monitor);
    else puts(text);
}

/* ---- Putting it together ---- */

/* Keeps one core busy for a while, so that there is something to see. */
static void burn(void *context) {
    (void)context;
    for (double end = now_seconds() + LOAD_SECONDS; !atomic_load(&quit) && now_seconds() < end;) {}
}

static void on_signal(int number) {
    (void)number;
    atomic_store(&quit, true);
}

/* sgk_main_stop is not for signal handlers: a timer looks whether one has been here. */
static void check_quit(void *context) {
    (void)context;
    if (atomic_load(&quit)) sgk_main_stop();
}

static void stop(void *context) {
    (void)context;
    atomic_store(&quit, true);
    sgk_main_stop();
}

static void stop_sampling(void *context) {
    struct source *sources = context;
    for (int i = 0; i < SOURCES; i++) sgk_timer_invalidate(sources[i].timer);
}

/* Hands over to the set what a start has returned; false when that is NULL. */
static bool add(sgk_disposable *set, sgk_disposable *started) {
    bool done = started && sgk_disposable_bag_add(set, started) == SGK_OK;
    sgk_disposable_release(started);
    return done;
}

static sgk_disposable *alerts_of(struct row *row, sgk_signal *frames, sgk_queue *drawing) {
    SGK_AUTO(sgk_signal) turns = sgk_signal_filter(frames, is_turn, row, NULL);
    SGK_AUTO(sgk_signal) told = sgk_signal_deliver_on(turns, drawing);
    return sgk_signal_start_next(told, on_alert, row, NULL);
}

/* Builds the pipelines, runs them and releases them. On failure, returns false and sets sgk_last_error. */
static bool run(struct monitor *monitor) {
    SGK_AUTO(sgk_queue) sampling = monitor->replays ? sgk_queue_create_virtual(NULL) : sgk_queue_create("sysmon.sampling");
    SGK_AUTO(sgk_queue) drawing = monitor->replays ? sgk_queue_retain(sampling) : sgk_queue_main();
    SGK_AUTO(sgk_queue) background = sgk_queue_concurrent_background();
    SGK_AUTO(sgk_disposable) runs = sgk_disposable_bag_create();
    monitor->drawing = drawing;
    sgk_signal *parts[SOURCES];
    for (int i = 0; i < SOURCES; i++) {
        struct source *source = &monitor->sources[i];
        source->pipe = sgk_pipe_create();
        source->timer = sgk_timer_create(monitor->interval, true, sample, source, NULL, sampling);
        parts[i] = readings(source);
    }
    SGK_AUTO(sgk_signal) combined = sgk_combine_latest(parts, SOURCES, sampling);
    for (int i = 0; i < SOURCES; i++) sgk_signal_release(parts[i]);  /* `combined` keeps them */

    /* The sources emit right after one another, which is to be one frame: a debounce waits for the lull. */
    SGK_AUTO(sgk_signal) settled = sgk_signal_debounce(combined, monitor->interval / 20, sampling);

    /* Starting `settled` twice would run the whole pipeline twice, and the maps of both subscriptions would share their memory.
     * So it is started once, and sends its frames into a pipe. */
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) frames = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) paced = monitor->terminal ? sgk_signal_retain(frames) : sgk_signal_throttle(frames, 1, SGK_EDGES_BOTH, sampling);
    SGK_AUTO(sgk_signal) seen = sgk_signal_deliver_on(paced, drawing);

    SGK_AUTO(sgk_timer) watch = sgk_timer_create(0.1, true, check_quit, NULL, NULL, drawing);
    bool sound = add(runs, sgk_signal_start_next(seen, on_frame, monitor, NULL));
    for (struct row *row = monitor->rows; sound && row < monitor->rows + monitor->row_count; row++)
        if (!isnan(row->over)) sound = add(runs, alerts_of(row, frames, drawing));
    sound = sound && add(runs, sgk_signal_start_next(settled, relay, sgk_pipe_retain(pipe), sgk_release))
        && (monitor->seconds == 0 || add(runs, sgk_queue_after(drawing, monitor->seconds, stop, NULL, NULL)))
        && sgk_timer_start(watch) == SGK_OK;
    for (long i = sysconf(_SC_NPROCESSORS_ONLN); sound && monitor->load && i > 0; i--)
        sound = add(runs, sgk_queue_after(background, LOAD_DELAY, burn, NULL, NULL));
    for (int i = 0; sound && i < SOURCES; i++) sound = sgk_timer_start(monitor->sources[i].timer) == SGK_OK;
    while (sound && monitor->replays && !atomic_load(&quit)) sound = sgk_queue_advance(sampling, monitor->interval) == SGK_OK;
    sound = sound && (monitor->replays || sgk_main_run() == SGK_OK);
    if (!sound) fprintf(stderr, "sysmon: %s\n", sgk_last_error());

    /* A timer that is invalidated on its own queue does not fire again. After this call no thread writes to the sources. */
    sgk_queue_sync(sampling, stop_sampling, monitor->sources);
    sgk_disposable_dispose(runs);
    for (int i = 0; i < SOURCES; i++) {
        sgk_timer_release(monitor->sources[i].timer);
        sgk_pipe_release(monitor->sources[i].pipe);
    }
    atomic_store(&quit, true);  /* ends the burning */
    return sound;
}

/* Waits for a limited time until the queues have released their pending work. Returns the number of live objects. */
static int64_t drain(void) {
    for (int i = 0; sgk_live_total() != 0 && i < 6000; i++) {
        sgk_main_drain();
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    for (int kind = SGK_LIVE_SIGNAL; kind <= SGK_LIVE_CALLBACK; kind++)
        if (sgk_live_count(kind)) fprintf(stderr, "sysmon: %lld left alive: %s\n", (long long)sgk_live_count(kind), sgk_live_text(kind));
    return sgk_live_total();
}

/* ---- The command line ---- */

static const char usage[] =
    "Usage: sysmon [options]\n"
    "Shows the load of this machine until Ctrl-C.\n\n"
    "  --seconds N            end after N seconds\n"
    "  --interval SECONDS     the time between samples, 0.02 to 10 (default 0.5)\n"
    "  --minutes N            the time that the curves show, 4096 samples at most (default 5)\n"
    "  --alert NAME=OVER[,UNDER]\n"
    "                         report when a figure is above OVER, and then when it is below UNDER (default: 90 % of OVER).\n"
    "                         Bytes may have K, M, G or T: --alert cpu=80,60 --alert 'net in=10M'. The option may be\n"
    "                         repeated; without it: cpu=80\n"
    "  --load                 keep all cores busy for a while, to see an alert\n"
    "  --record FILE          write the samples to a file\n"
    "  --replay FILE          show a recording immediately, instead of this machine (use the --interval of the recording)\n"
    "  --help                 show this\n\n"
    "Several machines on one terminal: examples/c/bridges/sysmon_mqtt.c, with the companion for MQTT.\n";

static _Noreturn void refuse(const char *option, const char *what, const char *text) {
    fprintf(stderr, "sysmon: --%s: %s, not \"%s\"\nTry sysmon --help.\n", option, what, text);
    exit(2);
}

static double number_of(const char *option, const char *text, double least, double most) {
    char *end, what[80];
    double number = strtod(text, &end);
    if (end != text && *end == '\0' && number >= least && number <= most) return number;  /* false for NaN, too */
    snprintf(what, sizeof what, "a number from %g to %g is needed", least, most);
    refuse(option, what, text);
}

/* A limit: a number, perhaps with K, M, G or T. */
static double limit_of(const char **text) {
    static const char units[] = "KMGT";
    char *end;
    double number = strtod(*text, &end);
    const char *unit = *end ? strchr(units, *end) : NULL;
    for (long i = unit ? unit - units : -1; i >= 0; i--) number *= 1024;
    bool sound = end != *text && number >= 0;
    *text = end + (unit != NULL);
    return sound ? number : NAN;
}

static void set_alert(struct monitor *monitor, const char *text) {
    const char *rest = strchr(text, '=');
    for (struct row *row = monitor->rows; rest && row < monitor->rows + monitor->row_count; row++) {
        const char *name = row->name + strspn(row->name, " ");
        if (strlen(name) != (size_t)(rest - text) || strncmp(name, text, strlen(name)) != 0) continue;
        rest++;
        row->over = limit_of(&rest);
        row->under = *rest == ',' ? (rest++, limit_of(&rest)) : row->over * 0.9;
        if (*rest == '\0' && row->under <= row->over) return;  /* false for NaN, too */
        break;
    }
    refuse("alert", "NAME=OVER or NAME=OVER,UNDER is needed, with the name of a figure and UNDER not above OVER", text);
}

static FILE *opened(const char *option, const char *path, const char *mode) {
    FILE *file = fopen(path, mode);
    if (!file) refuse(option, "a file is needed that can be opened", path);
    return file;
}

static void parse(struct monitor *monitor, int count, char **arguments) {
    static const struct option options[] = {{"seconds", required_argument, NULL, 's'}, {"interval", required_argument, NULL, 'i'},
        {"minutes", required_argument, NULL, 'm'}, {"alert", required_argument, NULL, 'a'}, {"load", no_argument, NULL, 'l'},
        {"record", required_argument, NULL, 'o'}, {"replay", required_argument, NULL, 'r'}, {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0}};
    bool has_alert = false;
    for (int option; (option = getopt_long(count, arguments, "", options, NULL)) != -1;) {
        switch (option) {
        case 's': monitor->seconds = number_of("seconds", optarg, 0.1, 999999); break;
        case 'i': monitor->interval = number_of("interval", optarg, 0.02, 10); break;
        case 'm': monitor->minutes = number_of("minutes", optarg, 0.01, 1440); break;
        case 'a': set_alert(monitor, optarg), has_alert = true; break;
        case 'l': monitor->load = true; break;
        case 'o':
            monitor->sources[0].recorded = opened("record", optarg, "w");
            for (int i = 1; i < SOURCES; i++) monitor->sources[i].recorded = monitor->sources[0].recorded;
            break;
        case 'r':  /* each source reads separately */
            for (int i = 0; i < SOURCES; i++) monitor->sources[i].replayed = opened("replay", optarg, "r");
            monitor->replays = true;
            break;
        case 'h': fputs(usage, stdout); exit(0);
        default: fputs("Try sysmon --help.\n", stderr); exit(2);  /* getopt_long has printed the problem */
        }
    }
    if (!has_alert) set_alert(monitor, "cpu=80");
    if (optind == count) return;
    fprintf(stderr, "sysmon: unexpected argument \"%s\"\nTry sysmon --help.\n", arguments[optind]);
    exit(2);
}

static void add_row(struct monitor *monitor, const char *name, int source, int index, enum unit unit) {
    struct row *row = &monitor->rows[monitor->row_count++];
    *row = (struct row){.source = source, .index = index, .unit = unit, .scale = unit == PERCENT ? 100 : 0, .over = NAN,
        .monitor = monitor};
    snprintf(row->name, sizeof row->name, "%s", name);
    for (int i = 0; i < HISTORY; i++) row->history[i] = NAN;
}

int main(int count, char **arguments) {
    static struct monitor monitor = {.interval = 0.5, .minutes = 5, .sources = {
        [CPU] = {.name = "cpu", .read = read_cpu, .scale = 100}, [MEMORY] = {.name = "memory", .read = read_memory},
        [NET] = {.name = "net", .read = read_net, .scale = 1e6}, [DISK] = {.name = "disk", .read = read_disk, .scale = 1e6}}};
    add_row(&monitor, "cpu", CPU, 0, PERCENT);
    for (int core = 0; core < MAX_CORES && core < sysconf(_SC_NPROCESSORS_ONLN); core++) {
        char name[16];
        snprintf(name, sizeof name, "  core %d", core);
        add_row(&monitor, name, CPU, 1 + core, PERCENT);
    }
    add_row(&monitor, "memory", MEMORY, 0, BYTES);
    add_row(&monitor, "net in", NET, 0, BYTES_PER_SECOND);
    add_row(&monitor, "net out", NET, 1, BYTES_PER_SECOND);
    add_row(&monitor, "disk read", DISK, 0, BYTES_PER_SECOND);
    add_row(&monitor, "disk write", DISK, 1, BYTES_PER_SECOND);
    parse(&monitor, count, arguments);
    monitor.terminal = isatty(STDOUT_FILENO);

    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);                               /* one write for a frame: no flicker */
    if (monitor.terminal) fputs("\033[?1049h\033[?25l\033[?7l", stdout);  /* the other screen, no cursor, no wrapping */
    bool sound = run(&monitor);
    if (monitor.terminal) fputs("\033[?7h\033[?25h\033[?1049l", stdout);
    if (monitor.terminal && sound) draw_screen(&monitor);                 /* the last frame stays */

    if (monitor.sources[0].recorded) fclose(monitor.sources[0].recorded);
    for (int i = 0; i < SOURCES; i++)
        if (monitor.sources[i].replayed) fclose(monitor.sources[i].replayed);

    int64_t alive = drain();
    for (struct source *source = monitor.sources; source < monitor.sources + SOURCES; source++)
        printf("%-7s %5d sampled %5d dropped as repeated %5d passed\n", source->name, source->sampled, source->repeated,
               source->known - source->repeated);
    printf("Frames drawn: %d. Alerts: %d. Objects left alive: %lld.\n", monitor.drawn, monitor.alerts, (long long)alive);
    return sound && alive == 0 ? 0 : 1;
}
