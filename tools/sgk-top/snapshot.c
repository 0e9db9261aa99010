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

#define NUMBER(name) {#name, false, offsetof(run, name)}
#define TEXT(name) {#name, true, offsetof(run, name)}

static const field fields[] = {
    NUMBER(id), NUMBER(parent), TEXT(operator), TEXT(parameter), TEXT(name), TEXT(file), TEXT(state), NUMBER(line),
    NUMBER(values), NUMBER(waiting), NUMBER(dropped), NUMBER(errors), NUMBER(age), NUMBER(idle), NUMBER(busy),
    NUMBER(slowest), NUMBER(thread), {NULL, false, 0}};

/* What nobody knows here is passed over: a later library may tell more. */
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

/* Room for one more in an array that grows; NULL when there is none. */
static void *room(json *reader, void *items, size_t count, size_t size, size_t most) {
    if (count == most) return json_refuse(reader, "more than can be shown"), NULL;
    if (count & (count - 1)) return items; /* there is room up to the next power of two */
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
    }
}

static void read_queues(json *reader, snapshot *to) {
    if (!json_open(reader, '[')) return;
    while (json_more(reader)) {
        queue *queues = room(reader, to->queues, to->queue_count, sizeof *queues, MOST_QUEUES);
        if (!queues) return;
        to->queues = queues;
        queue *queue = &queues[to->queue_count++];
        memset(queue, 0, sizeof *queue);
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

/* Where the parents are. A circle, which only a broken answer has, is cut, or nobody would come out of it. */
static bool find_parents(snapshot *in) {
    char *seen = calloc(in->run_count + 1, 1); /* 1: on the way that is gone just now, 2: on an earlier one */
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
    case BY_DROPPED: return run->dropped;
    case BY_SLOWEST: return run->slowest;
    case BY_AGE: return run->age;
    case BY_IDLE: return run->idle;
    default: return 0;
    }
}

typedef struct node {
    double weight;
    size_t index;
} node;

typedef struct links {
    size_t first, next; /* child, and child of the same parent */
} links;

static int by_weight(const void *left, const void *right) {
    const node *first = left, *second = right;
    if (first->weight != second->weight) return first->weight < second->weight ? 1 : -1;
    return first->index < second->index ? -1 : 1;
}

/* Puts the indices of all runs into `tree`, each behind its parent, children in the order of `nodes`. */
static void walk(snapshot *in, const node *nodes, links *links, size_t *tree) {
    size_t top = NO_RUN, count = 0;
    for (size_t i = 0; i < in->run_count; i++) links[i].first = NO_RUN;
    for (size_t i = in->run_count; i-- > 0;) { /* so that the first comes to stand in front */
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

size_t *snapshot_tree(snapshot *in, order order) {
    size_t count = in->run_count, *tree = malloc((count + 1) * sizeof *tree);
    node *nodes = malloc((count + 1) * sizeof *nodes);
    links *links = malloc((count + 1) * sizeof *links);
    bool is_possible = tree && nodes && links;
    for (size_t i = 0; is_possible && i < count; i++) nodes[i] = (node){weight_of(&in->runs[i], order), i};
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
