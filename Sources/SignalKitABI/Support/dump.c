/* The live objects as text, for sgk_debug_dump and the report of leaks at the end. */
#include "SignalKitSupport.h"
#include "shims/process.h"
#include "signalkit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <unistd.h>

/* Ledger.swift */
sgk_holding *sgk_support_holdings(size_t *count);

typedef struct {
    sgk_write_fn write;
    void *context;
} writer;

static void print(const writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void print(const writer *writer, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof text) {
        length = sizeof text - 1;
        text[length - 1] = '\n';
    }
    writer->write(writer->context, text, (size_t)length);
}

static void write_to_stderr(void *context, const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(STDERR_FILENO, text, length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return; /* nobody to tell */
        text += written;
        length -= (size_t)written;
    }
}

/* ---- How many of each kind ---- */

typedef struct {
    uint32_t kind;
    int64_t count;
} tally;

static int larger_tally_first(const void *a, const void *b) {
    int64_t left = ((const tally *)a)->count, right = ((const tally *)b)->count;
    return (left < right) - (left > right);
}

static void print_kinds(const writer *writer) {
    tally kinds[SGK_SHIM_LIVE_KINDS];
    int64_t total = 0;
    for (uint32_t kind = 0; kind < SGK_SHIM_LIVE_KINDS; kind++) {
        kinds[kind] = (tally){kind, sgk_support_counted(kind)};
        total += kinds[kind].count;
    }
    qsort(kinds, SGK_SHIM_LIVE_KINDS, sizeof *kinds, larger_tally_first);
    print(writer, "alive: %" PRId64 "\n", total);
    for (tally *of = kinds; of < kinds + SGK_SHIM_LIVE_KINDS && of->count > 0; of++)
        print(writer, "%6" PRId64 " %s\n", of->count, sgk_live_text((sgk_live)of->kind));
}

/* ---- What the program holds and runs, by where it got it ---- */

void sgk_support_name_holding(sgk_holding *holding, const char *name) {
    for (size_t i = 0; i + 1 < sizeof holding->name && name[i]; i++)
        holding->name[i] = (unsigned char)name[i] < ' ' || name[i] == 0x7f ? '?' : name[i];
}

typedef struct {
    const sgk_holding *first; /* the oldest */
    size_t count;
    int64_t references;
} group;

/* Compares the fields before the age. */
static int compare_alike(const sgk_holding *a, const sgk_holding *b) {
    return memcmp(a, b, offsetof(sgk_holding, since));
}

static int like_ones_together_oldest_first(const void *a, const void *b) {
    int64_t left = ((const sgk_holding *)a)->since, right = ((const sgk_holding *)b)->since;
    int order = compare_alike(a, b);
    return order != 0 ? order : (left > right) - (left < right);
}

static int larger_group_first(const void *a, const void *b) {
    const group *left = a, *right = b;
    if (left->count != right->count) return left->count < right->count ? 1 : -1;
    return (left->first > right->first) - (left->first < right->first);
}

static void print_frame(void *writer, const char *frame) { print(writer, "           %s\n", frame); }

static void print_group(const writer *writer, const group *group, int64_t now) {
    const sgk_holding *oldest = group->first, *youngest = oldest + group->count - 1;
    bool is_run = oldest->kind == SGK_SUPPORT_RUN, is_value = oldest->kind == SGK_LIVE_VALUE, is_named = *oldest->name;
    char held[32] = "";
    if (!is_run) snprintf(held, sizeof held, ", %" PRId64 " held", group->references);
    print(writer, "%6zu %s%s%s%s%s%s%s, %.1f to %.1f s old\n", group->count,
        is_run ? "run" : sgk_live_text((sgk_live)oldest->kind), is_value ? ": " : "",
        is_value ? sgk_kind_text((sgk_kind)oldest->value_kind) : "", is_named ? " \"" : "", oldest->name,
        is_named ? "\"" : "", held, (double)(now - youngest->since) * 1e-9, (double)(now - oldest->since) * 1e-9);
    sgk_support_name_call_site(&oldest->site, print_frame, (void *)writer);
}

static sgk_status print_holdings(const writer *writer, sgk_holding *holdings, size_t count) {
    group *groups = malloc((count + 1) * sizeof *groups);
    if (groups == NULL) return SGK_ERROR_MEMORY;
    size_t made = 0;
    qsort(holdings, count, sizeof *holdings, like_ones_together_oldest_first);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || compare_alike(&holdings[i - 1], &holdings[i]) != 0)
            groups[made++] = (group){.first = &holdings[i]};
        groups[made - 1].count++;
        groups[made - 1].references += holdings[i].references;
    }
    qsort(groups, made, sizeof *groups, larger_group_first);
    print(writer, "live handles (with reference counts) and subscriptions, by where they were created:\n");
    int64_t now = sgk_shim_nanoseconds();
    for (size_t i = 0; i < made; i++) print_group(writer, &groups[i], now);
    free(groups);
    return SGK_OK;
}

/* ---- All of it ---- */

static sgk_status dump(const writer *writer) {
    if (!sgk_support_is_debug()) {
        print_kinds(writer);
        print(writer, "(set SIGNALKIT_DEBUG=1 to list live handles and subscriptions by where they were created)\n");
        return SGK_OK;
    }
    size_t count;
    sgk_holding *holdings = sgk_support_holdings(&count);
    if (holdings == NULL) return SGK_ERROR_MEMORY;
    print_kinds(writer);
    sgk_status status = print_holdings(writer, holdings, count);
    free(holdings);
    if (status != SGK_OK) return status;
    print(writer, "subscriptions:\n");
    return sgk_debug_graph(SGK_DEBUG_TEXT, writer->write, writer->context);
}

sgk_status sgk_debug_dump(sgk_write_fn receiver, void *context) {
    sgk_status status = dump(&(writer){receiver ? receiver : write_to_stderr, context});
    if (status != SGK_OK) sgk_support_fail(status, "sgk_debug_dump", "memory", "out of memory");
    return status;
}

static __attribute__((destructor)) void report_leaks(void) {
    if (!sgk_support_reports_leaks || sgk_live_total() == 0) return;
    sgk_support_log_to_stderr("program exits with live objects");
    dump(&(writer){write_to_stderr, NULL});
}
