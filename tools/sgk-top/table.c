#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INDENTED = 40 }; /* runs are at most that deep on the screen */

/* Controls (C0, delete, C1), and what turns the direction of writing or breaks lines, in UTF-8, are question marks. */
void table_print_text(FILE *to, const char *text) {
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        bool is_c1 = at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0;
        bool turns = at[0] == 0xE2 &&
            ((at[1] == 0x80 && ((at[2] >= 0x8E && at[2] <= 0x8F) || (at[2] >= 0xA8 && at[2] <= 0xAE))) ||
                (at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9));
        putc(*at < ' ' || *at == 127 || is_c1 || turns ? '?' : *at, to);
        at += turns ? 2 : is_c1;
    }
}

/* ---- Numbers, in few characters ---- */

typedef void print(char *text, size_t size, double number);

static void print_count(char *text, size_t size, double number) {
    static const char units[] = "kMGTPE";
    size_t unit = 0;
    bool is_long = fabs(number) >= 1e9;
    for (number /= is_long ? 1000 : 1; is_long && fabs(number) >= 999.95 && units[unit + 1]; unit++) number /= 1000;
    snprintf(text, size, is_long ? "%.4g%c" : "%.0f", number, units[unit]);
}

static void print_rate(char *text, size_t size, double number) {
    if (isnan(number)) snprintf(text, size, "-");
    else if (fabs(number) < 99.95) snprintf(text, size, "%.1f", number);
    else print_count(text, size, number);
}

static void print_seconds(char *text, size_t size, double seconds) {
    const int minute = 60, hour = 60 * minute, day = 24 * hour;
    if (!(seconds > 0)) snprintf(text, size, "0");
    else if (seconds < 0.0009995) snprintf(text, size, "%.0fus", seconds * 1e6);
    else if (seconds < 0.9995) snprintf(text, size, "%.3gms", seconds * 1e3);
    else if (seconds < 99.95) snprintf(text, size, "%.3gs", seconds);
    else if (seconds >= 1000.0 * day) snprintf(text, size, "%.3gd", seconds / day);
    else {
        int whole = (int)seconds;
        if (whole < hour) snprintf(text, size, "%dm%02ds", whole / minute, whole % minute);
        else if (whole < day) snprintf(text, size, "%dh%02dm", whole / hour, whole % hour / minute);
        else snprintf(text, size, "%dd%02dh", whole / day, whole % day / hour);
    }
}

/* ---- Columns ---- */

static const struct column {
    const char *title;
    int width, least; /* of the column; and of the table, for it to be there */
    size_t offset;
    print *print;
} columns[] = {
    {"RUN", 6, 0, offsetof(run, id), print_count},
    {"VALUES", 9, 0, offsetof(run, values), print_count},
    {"RATE/s", 8, 0, offsetof(run, rate), print_rate},
    {"WAIT", 6, 0, offsetof(run, waiting), print_count},
    {"MOST", 6, 105, offsetof(run, most_waiting), print_count},
    {"DROP", 6, 90, offsetof(run, dropped), print_count},
    {"ERR", 4, 130, offsetof(run, errors), print_count},
    {"SLOWEST", 7, 0, offsetof(run, slowest), print_seconds},
    {"BUSY", 7, 100, offsetof(run, busy), print_seconds},
    {"IDLE", 7, 110, offsetof(run, idle), print_seconds},
    {"AGE", 7, 120, offsetof(run, age), print_seconds},
    {"THREAD", 8, 140, offsetof(run, thread), print_count},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static bool is_shown(const struct column *column, int width) { return width == 0 || width >= column->least; }

/* Before what represents several. */
static void print_times(FILE *to, size_t count) {
    if (count > 1) fprintf(to, "%zu x ", count);
}

static void print_pauses(FILE *to, const run *run) {
    char seconds[32];
    print_seconds(seconds, sizeof seconds, run->paused);
    if (run->pauses > 0) fprintf(to, ", %.0f pause%s", run->pauses, run->pauses == 1 ? "" : "s");
    if (!(run->paused > 0)) return;
    fputs(", paused", to);
    if (run->paused_by > 0) fprintf(to, " by %.0f", run->paused_by);
    fprintf(to, " for %s", seconds);
}

static void print_run(FILE *to, const run *run, int width) {
    for (const struct column *column = columns; column < columns + COLUMNS; column++) {
        char text[32];
        if (!is_shown(column, width)) continue;
        column->print(text, sizeof text, *(const double *)((const char *)run + column->offset));
        fprintf(to, "%*s ", column->width, text);
    }
    fprintf(to, "%*s", 2 * (run->depth < MOST_INDENTED ? run->depth : MOST_INDENTED), "");
    print_times(to, run->count);
    table_print_text(to, run->operator ? run->operator : "run");
    if (run->parameter) putc('(', to), table_print_text(to, run->parameter), putc(')', to);
    if (run->name) fputs(" '", to), table_print_text(to, run->name), putc('\'', to);
    if (run->file) putc(' ', to), table_print_text(to, run->file), fprintf(to, ":%.0f", run->line);
    if (run->state && strcmp(run->state, "running") != 0) fputs(", ", to), table_print_text(to, run->state);
    print_pauses(to, run);
    putc('\n', to);
}

static double live_total(const snapshot *snapshot) {
    double total = 0;
    for (size_t i = 0; i < snapshot->live_count; i++) total += snapshot->lives[i].count;
    return total;
}

void table_print_summary(FILE *to, const snapshot *snapshot) {
    size_t runs = 0;
    for (size_t i = 0; i < snapshot->run_count; i++)
        runs += snapshot->runs[i].operator&& strcmp(snapshot->runs[i].operator, "run") == 0;
    fprintf(to, "process %.0f: %zu run%s of %zu stage%s, %.0f live\n", snapshot->pid, runs, runs == 1 ? "" : "s",
        snapshot->run_count, snapshot->run_count == 1 ? "" : "s", live_total(snapshot));
}

static void print_queues(FILE *to, const snapshot *snapshot) {
    if (snapshot->queue_count > 0) fprintf(to, "\n%6s %9s QUEUE\n", "DEPTH", "DONE");
    for (const queue *queue = snapshot->queues; queue < snapshot->queues + snapshot->queue_count; queue++) {
        char depth[32], done[32];
        print_count(depth, sizeof depth, queue->depth);
        print_count(done, sizeof done, queue->done);
        fprintf(to, "%6s %9s ", depth, done);
        print_times(to, queue->count);
        table_print_text(to, queue->name ? queue->name : "(no name)");
        fputs(queue->is_running ? ", running\n" : "\n", to);
    }
}

static void print_lives(FILE *to, const snapshot *snapshot) {
    if (live_total(snapshot) > 0) fprintf(to, "\n%6s LIVE\n", "COUNT");
    for (const live *live = snapshot->lives; live < snapshot->lives + snapshot->live_count; live++) {
        if (live->count == 0) continue;
        fprintf(to, "%6.0f ", live->count);
        table_print_text(to, live->kind);
        putc('\n', to);
    }
}

bool table_print(FILE *to, snapshot *all, const selection *selection, order order, int width) {
    snapshot shown;
    if (!snapshot_select(all, selection, &shown)) return false;
    size_t *tree = snapshot_tree(&shown, order);
    if (tree) {
        for (const struct column *column = columns; column < columns + COLUMNS; column++)
            if (is_shown(column, width)) fprintf(to, "%*s ", column->width, column->title);
        fputs("WHAT\n", to);
        for (size_t i = 0; i < shown.run_count; i++) print_run(to, &shown.runs[tree[i]], width);
        print_queues(to, &shown);
        print_lives(to, all);
    }
    snapshot_free(&shown);
    bool is_printed = tree;
    free(tree);
    return is_printed;
}
