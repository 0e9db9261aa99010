/*     soak                 each case with little of it: `make test-all`
 *     soak full [SECONDS]  each in full, the mixed work for so long: `make trust`
 *     soak CASE COUNT      one of them */
#include "soak.h"

#include <dirent.h>
#include <malloc.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct {
    const char *name;
    void (*run)(long);
    long few, many;
} cases[] = {
    {"cycles", cycles, 200000, 10000000},
    {"live", live, 20000, 1000000},
    {"leaving", leaving, 10000, 100000},
    {"combined", combined, 1000, 10000},
    {"slow", slow_consumers, 20000, 1000000},
    {"paused", paused, 200000, 10000000},
    {"mixed", mixed, 3, 3600},
};
enum { CASES = sizeof cases / sizeof *cases };

/* ---- Events of subscriptions ---- */

void heard_next(void *heard, sgk_value value) {
    struct heard *h = heard;
    h->nexts++;
    if (sgk_value_kind(value) == SGK_INT) h->sum += sgk_to_int(value);
}

void heard_error(void *heard, sgk_value error) { (void)error, ((struct heard *)heard)->errors++; }
void heard_end(void *heard) { ((struct heard *)heard)->ends++; }
void heard_gone(void *heard) { ((struct heard *)heard)->gone++; }

sgk_disposable *hear(sgk_signal *signal, heard *heard) {
    sgk_handlers handlers = {sizeof handlers, heard, heard_gone, heard_next, heard_error, heard_end, NULL, NULL};
    sgk_disposable *run = sgk_signal_start(signal, &handlers);
    MUST(run);
    return run;
}

/* ---- Chance ---- */

long scattered(long i, long count) { return (i * 7919 + 13) % count; }

uint64_t by_chance(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

/* ---- What the process has ---- */

double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

long in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
}

long resident(void) {
    long size, pages;
    FILE *file = fopen("/proc/self/statm", "r");
    MUST(file && fscanf(file, "%ld %ld", &size, &pages) == 2);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static int entries(const char *path) {
    int count = 0;
    DIR *directory = opendir(path);
    MUST(directory);
    while (readdir(directory)) count++;
    closedir(directory);
    return count - 2; /* itself and the one above */
}

int descriptors(void) { return entries("/proc/self/fd") - 1; } /* without the directory's own */

void nothing_is_left(void) {
    MUST(sgk_drain(60) == SGK_OK);
    MUST(sgk_live_total() == 0);
}

/* ---- Rows ---- */

static const char *name_now;
static long count_now;

void tell(const char *what, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("soak: %s %ld\t%s\t", name_now, count_now, what);
    vprintf(format, arguments);
    printf("\n");
    fflush(stdout);
    va_end(arguments);
}

static void run_case(int index, long count) {
    name_now = cases[index].name;
    count_now = count;
    cases[index].run(count);
    nothing_is_left();
}

/* The caches of each thread would count as memory in use. */
static void begin_with_plain_malloc(char **argv) {
    static const char name[] = "GLIBC_TUNABLES", plain[] = "glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1";
    const char *given = getenv(name);
    if (given && strcmp(given, plain) == 0) return;
    MUST(setenv(name, plain, 1) == 0);
    execv(argv[0], argv);
    MUST(!"it can be run again");
}

int main(int argc, char **argv) {
    begin_with_plain_malloc(argv);
    bool is_full = argc > 1 && strcmp(argv[1], "full") == 0;
    for (int i = 0; i < CASES && (argc == 1 || is_full); i++) {
        bool is_timed = cases[i].run == mixed && argc > 2;
        run_case(i, is_timed ? atol(argv[2]) : is_full ? cases[i].many : cases[i].few);
    }
    if (argc == 1 || is_full) return 0;
    for (int i = 0; i < CASES && argc == 3; i++) {
        if (strcmp(cases[i].name, argv[1]) == 0) return run_case(i, atol(argv[2])), 0;
    }
    fprintf(stderr, "soak [full [SECONDS] | CASE COUNT]\n");
    return 2;
}
