/* sgk-top with arbitrary answers (libFuzzer). It rejects an answer with a reason, or it shows all of it without control
 * characters for the terminal. */
#include "names.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MUST(condition) ((condition) ? (void)0 : abort())

static void all_stand_behind_their_parents(snapshot *snapshot, order order) {
    size_t *tree = snapshot_tree(snapshot, order), *places = calloc(snapshot->run_count + 1, sizeof *places);
    for (size_t i = 0; i < snapshot->run_count; i++) {
        size_t above = snapshot->runs[tree[i]].above;
        MUST(places[tree[i]] == 0 && (above == NO_RUN || places[above] > 0));
        places[tree[i]] = i + 1;
    }
    free(places);
    free(tree);
}

static double values_of(const snapshot *snapshot, size_t *count) {
    double values = 0;
    *count = 0;
    for (size_t i = 0; i < snapshot->run_count; i++)
        values += snapshot->runs[i].values, *count += snapshot->runs[i].count;
    return values;
}

/* The folded snapshot contains every stage once. The filtered one is a part of it, each stage after its parent. */
static void nothing_is_lost(snapshot *all) {
    snapshot folded, some;
    size_t count, more;
    selection selection = {NULL, "", true};
    MUST(snapshot_select(all, &selection, &folded));
    double before = values_of(all, &count), after = values_of(&folded, &more);
    MUST(more == count && count == all->run_count && (!(fabs(before) < 1e15) || fabs(before - after) < 1));
    MUST(folded.run_count <= all->run_count && folded.queue_count <= all->queue_count);
    all_stand_behind_their_parents(&folded, BY_COUNT);
    snapshot_free(&folded);
    selection.name = "a", selection.queue = "b", selection.folds = false;
    MUST(snapshot_select(all, &selection, &some) && some.run_count <= all->run_count);
    all_stand_behind_their_parents(&some, BY_NUMBER);
    snapshot_free(&some);
}

static void is_text_in_lines(snapshot *snapshot, order order) {
    const selection all = {NULL, NULL, false}, folded = {"", "", true};
    char *text = NULL;
    size_t length, lines = 0;
    FILE *file = open_memstream(&text, &length);
    table_print_summary(file, snapshot);
    MUST(table_print(file, snapshot, &all, order, order == BY_NUMBER ? 0 : 80));
    MUST(table_print(file, snapshot, &folded, order, 80));
    if (snapshot->dump) MUST(names_print(file, snapshot->dump, "/proc/self"));
    fclose(file);
    for (size_t i = 0; i < length; i++) {
        MUST(text[i] == '\n' || ((unsigned char)text[i] >= ' ' && text[i] != 127));
        lines += text[i] == '\n';
    }
    MUST(lines >= 3 + snapshot->run_count);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char reason[256] = "", *text = calloc(1, size + 1);
    snapshot snapshot;
    if (size) memcpy(text, data, size);
    if (!snapshot_read(&snapshot, text, size, reason, sizeof reason)) return MUST(*reason), 0;
    struct snapshot earlier = snapshot;
    earlier.time -= 1;
    snapshot_compare(&snapshot, &earlier);
    nothing_is_lost(&snapshot);
    for (order order = 0; order < ORDERS; order++) {
        all_stand_behind_their_parents(&snapshot, order);
        is_text_in_lines(&snapshot, order);
    }
    snapshot_free(&snapshot);
    return 0;
}
