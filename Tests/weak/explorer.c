/* Runs the library's code in every order of its threads, and with every value that C++ allows a read to return.
 *
 * The code is compiled for ThreadSanitizer, and calls the functions here at each memory access. Threads are fibers: one
 * runs at a time, and stops before each atomic operation (fibers.c). An execution is a sequence of choices: the next
 * thread, the store that an operation reads, the position of a store among others. All sequences are executed
 * (paths.c).
 *
 * Reads follow C++20 (atomics.c), with one exception: no value is read before it was written (no "load buffering").
 * Each execution is checked for races, for accesses to freed memory (memory.c), for leaks, for deadlocks, and for the
 * conditions of the scenario.
 *
 * Reference counts work as in the library, but are not steps. */
#include "explorer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- The scenarios, in Swift ---- */

extern int32_t weak_count(void);
extern const char *weak_name(int32_t scenario);
extern int32_t weak_limit(int32_t scenario);
extern int32_t weak_make(int32_t scenario); /* how many threads */
extern void weak_run(int32_t thread);
extern void weak_end(void);
extern void weak_drop(void);

/* ---- Steps, and faults ---- */

typedef struct {
    int pc, op, order, thread;
    uintptr_t address;
    uint64_t value;
    int older; /* the number of newer stores */
} step;

enum { STEPS = 4096 };

bool is_on, explores;
static step steps[STEPS];
static int step_count;
static const char *scenario_name;
static bool is_quiet_run, is_warm;

void note(int pc, int op, int order, uintptr_t address, uint64_t value, int older) {
    if (step_count == STEPS) fault("it does not end");
    steps[step_count++] = (step){pc, op, order, current, offset(address), value, older};
}

static const char *const ops[] = {
    "load", "store", "exchange", "add", "subtract", "and", "or", "compareExchange", "wait", "wake"};
static const char *const orders[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};

static void show_steps(void) {
    for (int i = 0; i < step_count && i < STEPS; i++) {
        const step *s = &steps[i];
        printf("\t%d  %-16s %-8s +%-6lx", s->thread, ops[s->op], orders[s->order], (long)s->address);
        printf(" %#-10lx %s @%x\n", (long)s->value, s->older ? "(an older one)" : "", (unsigned)s->pc);
    }
}

void fault(const char *format, ...) {
    if (is_quiet_run) _exit(1);
    va_list values;
    va_start(values, format);
    printf("fault\t%s: ", scenario_name);
    vprintf(format, values);
    printf("\n");
    va_end(values);
    show_steps();
    fflush(stdout);
    _exit(1);
}
void weak_fault(const char *text) { fault("%s", text); }

/* ---- Exploring ---- */

static void *run_thread(void *number) {
    weak_run((int32_t)(intptr_t)number);
    return NULL;
}

static void execute(int scenario) {
    forget_memory();
    forget_atomics();
    forget_threads();
    forget_system();
    begin_path();
    step_count = 0;
    counts_references = strcmp(scenario_name, "References") == 0;
    is_on = true;
    int32_t count = weak_make(scenario);
    for (int32_t i = 0; i < count; i++) new_thread(run_thread, (void *)(intptr_t)i);
    explores = true;
    for (int32_t i = 1; i <= count; i++) go_on(i);
    for (int previous = 0;;) {
        unsigned enabled = 0, done = 0, timed = 0;
        for (int t = 1; t < thread_count; t++) {
            enabled |= (unsigned)(fibers[t].state == READY) << t;
            done += fibers[t].state == DONE;
            timed |= (unsigned)(fibers[t].state == WAITS && fibers[t].has_time) << t;
        }
        if (enabled == 0) {
            if ((int)done == thread_count - 1) break;
            if (timed == 0) fault("threads wait for each other");
            int first = __builtin_ctz(timed);
            fibers[first].state = READY;
            fibers[first].timed_out = true;
            /* Time has passed: the thread sees the stores. */
            for (int i = 1; i < location_count; i++)
                fibers[first].view.floor[i] = locations[i].stores[locations[i].count - 1]->at;
            wake_all();
            continue;
        }
        previous = choose_thread(enabled, previous);
        go_on(previous);
        after_step();
    }
    explores = false;
    weak_end();
    weak_drop();
    is_on = false;
    if (blocks != 0 && is_warm) fault("%ld pieces of memory are left", (long)blocks);
}

enum { FEW = 2 };
static bool is_deeper;

/* All executions of a scenario; of these are `whole` no repetitions of others. */
static int64_t explore(int scenario, int64_t *whole) {
    int64_t count = 0;
    scenario_name = weak_name(scenario);
    new_paths();
    int limit = weak_limit(scenario);
    if (weakened.site && limit >= 0) limit = FEW;
    most_deviations = limit == 0 ? INT32_MAX : abs(limit) + is_deeper;
    do {
        execute(scenario);
        count++;
        *whole += !is_pruned;
    } while (backtrack());
    return count;
}

/* Objects that the first executions create permanently are retained. */
static void warm_up(void) {
    for (int i = 0; i < weak_count(); i++) {
        scenario_name = weak_name(i);
        new_paths();
        execute(i);
        keep_memory();
    }
    is_warm = true;
}

/* ---- Weaker orders ---- */

static int next_weaker(int op, int order, int weaker[2]) {
    int count = 0;
    if (order == SEQ_CST) weaker[count++] = op == LOAD ? ACQUIRE : op == STORE ? RELEASE : ACQ_REL;
    else if (order == ACQ_REL) weaker[count++] = ACQUIRE, weaker[count++] = RELEASE;
    else if (order != RELAXED) weaker[count++] = RELAXED;
    return count;
}

typedef struct {
    struct weakening what;
    pid_t process;
} mutant;

static _Noreturn void explore_weakened(struct weakening what) {
    is_quiet_run = true;
    weakened = what;
    int64_t whole = 0;
    for (int i = 0; i < weak_count(); i++)
        if (sites[what.site].used_in >> i & 1) explore(i, &whole);
    _exit(0);
}

static void weaken_all(int processes) {
    static mutant queue[SITES * 4];
    int begun = 0, ended = 0, count = 0, weaker[2];
    for (int i = 1; i < SITES; i++) {
        const site *site = &sites[i];
        for (int part = 0; site->used_in && part < (site->names_failure ? 2 : 1); part++) {
            int ways = next_weaker(part ? LOAD : site->kind, site->orders[part], weaker);
            for (int way = 0; way < ways; way++) queue[count++] = (mutant){{i, part, weaker[way]}, 0};
        }
    }
    while (ended < count) {
        if (begun < count && begun - ended < processes) {
            fflush(stdout);
            if ((queue[begun].process = fork()) == 0) explore_weakened(queue[begun].what);
            begun++;
            continue;
        }
        int status;
        pid_t process = wait(&status);
        const mutant *of = queue;
        while (of->process != process) of++;
        struct weakening what = of->what;
        ended++;
        bool survives = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        printf("%s\t%d\t%d\t%s\n", survives ? "survives" : "fails", what.site, what.part, orders[what.order]);
        if (!survives) continue;
        int ways = next_weaker(what.part ? LOAD : sites[what.site].kind, what.order, weaker);
        for (int i = 0; i < ways; i++) queue[count++] = (mutant){{what.site, what.part, weaker[i]}, 0};
    }
}

static void read_sites(const char *name) {
    FILE *file = fopen(name, "r");
    unsigned long pc;
    int site, quiet, failure;
    while (file && fscanf(file, "%lx %d %d %d", &pc, &site, &quiet, &failure) == 4) {
        if (pc - CODE_BEGINS >= CODE || site >= SITES) abort();
        site_at[pc - CODE_BEGINS] = (uint16_t)site;
        sites[site].quiet = (uint8_t)quiet;
        sites[site].names_failure = failure;
    }
    if (file) fclose(file);
}

/* explorer SITES [PROCESSES [SCENARIO]]: with more than 0, tries weaker orders; DEEPER=1: one deviation more. */
int main(int count, char **arguments) {
#ifdef __x86_64__
    if (!(getauxval(AT_HWCAP2) & 2)) return puts("skipped: the explorer, which cannot set thread pointers here"), 0;
#endif
    read_sites(arguments[1]);
    is_deeper = getenv("DEEPER") != NULL;
    make_fibers();
    warm_up();
    for (int i = 0; i < weak_count(); i++) {
        if (count > 3 && strcmp(arguments[3], weak_name(i)) != 0) continue;
        for (int site = 1; site < SITES; site++) sites[site].is_used = false;
        int64_t whole = 0, all = explore(i, &whole);
        for (int site = 1; site < SITES; site++) sites[site].used_in |= (uint64_t)sites[site].is_used << i;
        printf("explored\t%s\t%ld\t%ld\n", scenario_name, (long)all, (long)whole);
        fflush(stdout);
    }
    for (int site = 1; site < SITES; site++)
        if (sites[site].used_in) printf("used\t%d\n", site);
    if (count > 2 && atoi(arguments[2]) > 0) weaken_all(atoi(arguments[2]));
    return 0;
}
