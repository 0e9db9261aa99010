#include "snapshot.h"

#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int known = 1;

/* ---- Reading ---- */

/* A member of a run, by its key: a text or a number. */
typedef struct field {
    const char *key;
    bool is_text;
    size_t offset;
} field;

#define NUMBER(name) \
    { #name, false, offsetof(run, name) }
#define TEXT(name) \
    { #name, true, offsetof(run, name) }

static const field fields[] = {NUMBER(id), NUMBER(parent), TEXT(operator), TEXT(parameter), TEXT(name), TEXT(file),
    TEXT(state), NUMBER(line), NUMBER(values), NUMBER(waiting), NUMBER(most_waiting), NUMBER(dropped), NUMBER(errors),
    NUMBER(age), NUMBER(idle), NUMBER(busy), NUMBER(slowest), NUMBER(thread), NUMBER(pauses), NUMBER(paused),
    NUMBER(paused_by), {NULL, false, 0}};

/* Skips unknown members, because a later library may send more. */
static void read_run(json *reader, run *run) {
    if (!json_open(reader, '{')) return;
    while (json_more(reader)) {
        const char *key = json_key(reader);
        if (!key || json_is_null(reader)) continue;
        const field *field = fields;
        while (field->key && strcmp(field->key, key) != 0) field++;
        char *place = (char *)run + field->offset;
        if (!field->key) json_skip(reader);
        else if (field->is_text) *(const char **)place = json_text(reader);
        else *(double *)place = json_number(reader);
    }
    if (!(run->id > 0)) json_refuse(reader, "a run without a number");
}

/* Returns the array with capacity for one more item; NULL if there is no memory. */
static void *room(json *reader, void *items, size_t count, size_t size, size_t most) {
    if (count == most) return json_refuse(reader, "more than can be shown"), NULL;
    if (count & (count - 1)) return items; /* the capacity is a power of two */
    void *larger = realloc(items, size * (count ? 2 * count : 1));
    if (!larger) json_refuse(reader, "no memory");
    return larger;
}

static void read_runs(json *reader, snapshot *to) {
    if (!json_open(reader, '[')) return;
    while (json_more(reader)) {
        run *runs = room(reader, to->runs, to->run_count, sizeof *runs, MOST_RUNS);
        if (!runs) return;
        to->runs = runs;
        run *run = &runs[to->run_count++];
        memset(run, 0, sizeof *run);
        read_run(reader, run);
        run->rate = NAN;
        run->count = 1;
    }
}

static void read_queues(json *reader, snapshot *to) {
    if (!json_open(reader, '[')) return;
    while (json_more(reader)) {
        queue *queues = room(reader, to->queues, to->queue_count, sizeof *queues, MOST_QUEUES);
        if (!queues) return;
        to->queues = queues;
        queue *queue = &queues[to->queue_count++];
        *queue = (struct queue){.count = 1};
        if (!json_open(reader, '{')) return;
        while (json_more(reader)) {
            const char *key = json_key(reader);
            if (!key || json_is_null(reader)) continue;
            if (strcmp(key, "name") == 0) queue->name = json_text(reader);
            else if (strcmp(key, "depth") == 0) queue->depth = json_number(reader);
            else if (strcmp(key, "done") == 0) queue->done = json_number(reader);
            else if (strcmp(key, "running") == 0) queue->is_running = json_truth(reader);
            else json_skip(reader);
        }
    }
}

static void read_lives(json *reader, snapshot *to) {
    if (!json_open(reader, '{')) return;
    while (json_more(reader)) {
        live *lives = room(reader, to->lives, to->live_count, sizeof *lives, MOST_KINDS);
        if (!lives) return;
        to->lives = lives;
        live *live = &lives[to->live_count++];
        live->kind = json_key(reader);
        live->count = json_number(reader);
    }
}

static int by_number(const void *left, const void *right) {
    double first = ((const run *)left)->id, second = ((const run *)right)->id;
    return (first > second) - (first < second);
}

static size_t index_of(const snapshot *in, double id) {
    run key = {.id = id};
    run *found = in->run_count ? bsearch(&key, in->runs, in->run_count, sizeof key, by_number) : NULL;
    return found ? (size_t)(found - in->runs) : NO_RUN;
}

/* Finds the index of each parent. A cycle, which only an invalid answer has, is cut, so that loops end. */
static bool find_parents(snapshot *in) {
    char *seen = calloc(in->run_count + 1, 1); /* 1: on the present path, 2: on an earlier path */
    for (size_t i = 0; seen && i < in->run_count; i++)
        in->runs[i].above = in->runs[i].parent > 0 ? index_of(in, in->runs[i].parent) : NO_RUN;
    for (size_t i = 0; seen && i < in->run_count; i++) {
        size_t at = i, last = i;
        for (; at != NO_RUN && !seen[at]; last = at, at = in->runs[at].above) seen[at] = 1;
        if (at != NO_RUN && seen[at] == 1) in->runs[last].above = NO_RUN;
        for (at = i; at != NO_RUN && seen[at] == 1; at = in->runs[at].above) seen[at] = 2;
    }
    bool is_done = seen;
    free(seen);
    return is_done;
}

bool snapshot_read(snapshot *to, char *text, size_t length, char *reason, size_t size) {
    double version = 0;
    const char *error = NULL;
    json reader;
    *to = (snapshot){.text = text};
    json_begin(&reader, text, length);
    if (json_open(&reader, '{'))
        while (json_more(&reader)) {
            const char *key = json_key(&reader);
            if (!key) break;
            if (strcmp(key, "version") == 0) version = json_number(&reader);
            else if (strcmp(key, "error") == 0) error = json_text(&reader);
            else if (strcmp(key, "time") == 0) to->time = json_number(&reader);
            else if (strcmp(key, "pid") == 0) to->pid = json_number(&reader);
            else if (strcmp(key, "runs") == 0) read_runs(&reader, to);
            else if (strcmp(key, "queues") == 0) read_queues(&reader, to);
            else if (strcmp(key, "live") == 0) read_lives(&reader, to);
            else if (strcmp(key, "dump") == 0) to->dump = json_text(&reader);
            else json_skip(&reader);
        }
    bool is_right = json_end(&reader);
    if (!is_right) snprintf(reason, size, "byte %td of the answer: %s", reader.at - reader.start, reader.mistake);
    else if (error) snprintf(reason, size, "the process says: %s", error);
    else if (version != known) snprintf(reason, size, "the answer has version %g, not %d", version, known);
    else {
        if (to->run_count) qsort(to->runs, to->run_count, sizeof *to->runs, by_number);
        if (find_parents(to)) return true;
        snprintf(reason, size, "no memory");
    }
    snapshot_free(to);
    return false;
}

void snapshot_free(snapshot *snapshot) {
    free(snapshot->text);
    free(snapshot->runs);
    free(snapshot->queues);
    free(snapshot->lives);
    memset(snapshot, 0, sizeof *snapshot);
}

void snapshot_compare(snapshot *now, const snapshot *earlier) {
    double elapsed = now->time - earlier->time;
    for (run *run = now->runs; earlier->text && elapsed > 0 && run < now->runs + now->run_count; run++) {
        size_t before = index_of(earlier, run->id);
        run->rate = (run->values - (before == NO_RUN ? 0 : earlier->runs[before].values)) / elapsed;
    }
}

/* ---- The tree ---- */

static double weight_of(const run *run, order order) {
    switch (order) {
    case BY_VALUES: return run->values;
    case BY_RATE: return isnan(run->rate) ? 0 : run->rate;
    case BY_WAITING: return run->waiting;
    case BY_MOST: return run->most_waiting;
    case BY_DROPPED: return run->dropped;
    case BY_PAUSED: return run->paused;
    case BY_SLOWEST: return run->slowest;
    case BY_AGE: return run->age;
    case BY_IDLE: return run->idle;
    case BY_COUNT: return (double)run->count;
    default: return 0;
    }
}

static double weight_of_queue(const queue *queue, order order) {
    return order == BY_VALUES ? queue->done
        : order == BY_WAITING ? queue->depth
        : order == BY_COUNT   ? (double)queue->count
                              : 0;
}

typedef struct node {
    double weight, number;
    size_t index;
} node;

typedef struct links {
    size_t first, next; /* child, and child of the same parent */
} links;

static int by_weight(const void *left, const void *right) {
    const node *first = left, *second = right;
    if (first->weight != second->weight) return first->weight < second->weight ? 1 : -1;
    if (first->number != second->number) return first->number < second->number ? -1 : 1;
    return first->index < second->index ? -1 : 1;
}

/* Puts the indices of all runs into `tree`, each behind its parent, children in the order of `nodes`. */
static void walk(snapshot *in, const node *nodes, links *links, size_t *tree) {
    size_t top = NO_RUN, count = 0;
    for (size_t i = 0; i < in->run_count; i++) links[i].first = NO_RUN;
    for (size_t i = in->run_count; i-- > 0;) { /* (each is inserted at the front) */
        size_t at = nodes[i].index, above = in->runs[at].above, *place = above == NO_RUN ? &top : &links[above].first;
        links[at].next = *place;
        *place = at;
    }
    for (size_t at = top, following; at != NO_RUN; at = following) {
        run *run = &in->runs[at];
        run->depth = run->above == NO_RUN ? 0 : in->runs[run->above].depth + 1;
        tree[count++] = at;
        following = links[at].first;
        for (; following == NO_RUN && at != NO_RUN; at = in->runs[at].above) following = links[at].next;
    }
}

static bool sort_queues(snapshot *in, order order) {
    size_t count = in->queue_count;
    node *nodes = malloc((count + 1) * sizeof *nodes);
    queue *sorted = malloc((count + 1) * sizeof *sorted);
    bool is_possible = nodes && sorted;
    for (size_t i = 0; is_possible && i < count; i++) nodes[i] = (node){weight_of_queue(&in->queues[i], order), 0, i};
    if (is_possible) {
        qsort(nodes, count, sizeof *nodes, by_weight);
        for (size_t i = 0; i < count; i++) sorted[i] = in->queues[nodes[i].index];
        free(in->queues);
        in->queues = sorted;
    } else {
        free(sorted);
    }
    free(nodes);
    return is_possible;
}

size_t *snapshot_tree(snapshot *in, order order) {
    size_t count = in->run_count, *tree = malloc((count + 1) * sizeof *tree);
    node *nodes = malloc((count + 1) * sizeof *nodes);
    links *links = malloc((count + 1) * sizeof *links);
    bool is_possible = tree && nodes && links && sort_queues(in, order);
    for (size_t i = 0; is_possible && i < count; i++)
        nodes[i] = (node){weight_of(&in->runs[i], order), in->runs[i].id, i};
    if (is_possible) {
        walk(in, nodes, links, tree);
        for (size_t i = count; i-- > 0;) { /* from the leaves on */
            size_t above = in->runs[tree[i]].above;
            if (above != NO_RUN && nodes[above].weight < nodes[tree[i]].weight)
                nodes[above].weight = nodes[tree[i]].weight;
        }
        if (count) qsort(nodes, count, sizeof *nodes, by_weight);
        walk(in, nodes, links, tree);
    }
    free(nodes);
    free(links);
    if (is_possible) return tree;
    free(tree);
    return NULL;
}

/* ---- Selection ---- */

static bool contains(const char *text, const char *part) { return text && strcasestr(text, part); }

/* Returns whether the parameter contains the name of such a queue in quotation marks. */
static bool names_queue(const run *run, const char *part) {
    const char *quote = run->parameter ? strchr(run->parameter, '"') : NULL;
    return quote && contains(quote, part);
}

enum { IS_SHOWN = 1, MATCHES = 2, HAS_MATCHES = 4 };

/* Hides all stages except the matching ones and their ancestors and descendants. */
static void keep_matching(const snapshot *in, const size_t *tree, const char *part, bool is_queue, char *marks) {
    if (!part || !*part) return;
    for (size_t i = 0; i < in->run_count; i++) { /* parents come first */
        const run *run = &in->runs[tree[i]];
        bool matches = is_queue ? names_queue(run, part) : contains(run->name, part) || contains(run->operator, part);
        if (matches || (run->above != NO_RUN && marks[run->above] & MATCHES)) marks[tree[i]] |= MATCHES;
    }
    for (size_t i = in->run_count; i-- > 0;) {
        char *mark = &marks[tree[i]];
        size_t above = in->runs[tree[i]].above;
        bool stays = *mark & IS_SHOWN && *mark & (MATCHES | HAS_MATCHES);
        if (stays && above != NO_RUN) marks[above] |= HAS_MATCHES;
        *mark = stays ? IS_SHOWN : 0;
    }
}

/* A stage that is shown, among those of the same depth. */
typedef struct entry {
    uint64_t kind; /* a hash of its descendants, then also of the stage */
    size_t above, index;
    int depth;
} entry;

static int by_depth(const void *left, const void *right) {
    const entry *first = left, *second = right;
    if (first->depth != second->depth) return first->depth < second->depth ? -1 : 1;
    return first->index < second->index ? -1 : 1;
}

static int by_kind(const void *left, const void *right) {
    const entry *first = left, *second = right;
    if (first->above != second->above) return first->above < second->above ? -1 : 1;
    if (first->kind != second->kind) return first->kind < second->kind ? -1 : 1;
    return first->index < second->index ? -1 : 1;
}

static uint64_t mixed(uint64_t hash, uint64_t more) {
    hash = (hash ^ more) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint64_t mixed_text(uint64_t hash, const char *text) {
    for (const char *at = text; at && *at; at++) hash = mixed(hash, (unsigned char)*at);
    return mixed(hash, text ? 256 : 257);
}

/* Stages are compared by hashes of 64 bits. A collision only affects the table of the process that constructed it. */
static uint64_t kind_of(const run *run, bool folds, uint64_t below) {
    uint64_t line, kind = mixed_text(mixed_text(mixed_text(below, run->operator), run->parameter), run->name);
    memcpy(&line, &run->line, sizeof line);
    kind = mixed_text(mixed_text(mixed(kind, line), run->file), run->state);
    return folds ? kind : 0;
}

static double larger(double first, double second) { return first > second ? first : second; }

static void add(run *to, const run *more) {
    to->values += more->values, to->rate += more->rate, to->waiting += more->waiting;
    to->dropped += more->dropped, to->errors += more->errors, to->count += more->count;
    to->most_waiting = larger(to->most_waiting, more->most_waiting);
    to->age = larger(to->age, more->age), to->busy = larger(to->busy, more->busy);
    to->slowest = larger(to->slowest, more->slowest);
    to->pauses += more->pauses;
    if (more->paused > to->paused) to->paused = more->paused, to->paused_by = more->paused_by;
    if (more->idle < to->idle) to->idle = more->idle, to->thread = more->thread;
}

/* Sets the kinds of the entries from `first` to `end`, which are of one depth; and adds them to those above, each kind
 * once. */
static void find_kinds(const snapshot *in, entry *first, entry *end, bool folds, uint64_t *below) {
    for (entry *entry = first; entry < end; entry++)
        entry->kind = kind_of(&in->runs[entry->index], folds, below[entry->index]);
    qsort(first, (size_t)(end - first), sizeof *first, by_kind);
    for (entry *entry = first; entry < end && entry->above != NO_RUN; entry++)
        if (entry == first || entry[-1].above != entry->above || entry[-1].kind != entry->kind)
            below[entry->above] += mixed(1, entry->kind);
}

/* Copies these entries to `out`. `places` contains the new indices of their parents, and then also theirs. */
static void put(const snapshot *in, entry *first, entry *end, bool folds, size_t *places, snapshot *out) {
    for (entry *entry = first; entry < end; entry++)
        if (entry->above != NO_RUN) entry->above = places[entry->above];
    qsort(first, (size_t)(end - first), sizeof *first, by_kind);
    for (entry *entry = first; entry < end; entry++) {
        bool is_equal = folds && entry > first && entry[-1].above == entry->above && entry[-1].kind == entry->kind;
        if (is_equal) {
            add(&out->runs[out->run_count - 1], &in->runs[entry->index]);
        } else {
            run *run = &out->runs[out->run_count++];
            *run = in->runs[entry->index];
            run->above = entry->above;
        }
        places[entry->index] = out->run_count - 1;
    }
}

static int by_name(const void *left, const void *right) {
    const queue *first = *(queue *const *)left, *second = *(queue *const *)right;
    int found = first->name && second->name ? strcmp(first->name, second->name) : !first->name - !second->name;
    return found ? found : (first > second) - (first < second);
}

static bool select_queues(const snapshot *in, const selection *wanted, snapshot *out) {
    queue **sorted = malloc((in->queue_count + 1) * sizeof *sorted);
    size_t count = 0;
    out->queues = calloc(in->queue_count + 1, sizeof *out->queues);
    if (!sorted || !out->queues) return free(sorted), false;
    for (size_t i = 0; i < in->queue_count; i++)
        if (!wanted->queue || !*wanted->queue || contains(in->queues[i].name, wanted->queue))
            sorted[count++] = &in->queues[i];
    if (wanted->folds && count) qsort(sorted, count, sizeof *sorted, by_name);
    for (size_t i = 0; i < count; i++) {
        queue *last = out->queue_count ? &out->queues[out->queue_count - 1] : NULL;
        const queue *queue = sorted[i];
        bool is_equal = wanted->folds && last &&
            (last->name && queue->name ? strcmp(last->name, queue->name) == 0 : last->name == queue->name);
        if (!is_equal) out->queues[out->queue_count++] = *queue;
        else
            last->depth += queue->depth, last->done += queue->done, last->count += queue->count,
                last->is_running |= queue->is_running;
    }
    free(sorted);
    return true;
}

static bool select_runs(snapshot *in, const selection *wanted, snapshot *out) {
    size_t count = in->run_count, shown = 0, *tree = snapshot_tree(in, BY_NUMBER);
    size_t *places = malloc((count + 1) * sizeof *places);
    char *marks = malloc(count + 1);
    entry *entries = malloc((count + 1) * sizeof *entries);
    uint64_t *below = calloc(count + 1, sizeof *below);
    out->runs = malloc((count + 1) * sizeof *out->runs);
    bool is_possible = tree && places && marks && entries && below && out->runs;
    if (is_possible) {
        memset(marks, IS_SHOWN, count + 1);
        keep_matching(in, tree, wanted->name, false, marks);
        keep_matching(in, tree, wanted->queue, true, marks);
        for (size_t i = 0; i < count; i++)
            if (marks[i]) entries[shown++] = (entry){0, in->runs[i].above, i, in->runs[i].depth};
        if (shown) qsort(entries, shown, sizeof *entries, by_depth);
        for (size_t end = shown, first; end > 0; end = first) { /* from the deepest on */
            for (first = end - 1; first > 0 && entries[first - 1].depth == entries[end - 1].depth;) first--;
            find_kinds(in, entries + first, entries + end, wanted->folds, below);
        }
        for (size_t first = 0, end; first < shown; first = end) {
            for (end = first + 1; end < shown && entries[end].depth == entries[first].depth;) end++;
            put(in, entries + first, entries + end, wanted->folds, places, out);
        }
    }
    free(tree), free(places), free(marks), free(entries), free(below);
    return is_possible;
}

bool snapshot_select(snapshot *in, const selection *wanted, snapshot *out) {
    *out = (snapshot){.time = in->time, .pid = in->pid};
    if (select_runs(in, wanted, out) && select_queues(in, wanted, out)) return true;
    snapshot_free(out);
    return false;
}
