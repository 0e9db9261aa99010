/* The path of an execution, a sequence of choices. All paths are taken. Two paths that differ only in the order of
 * independent steps count as one (sleep sets). */
#include "explorer.h"

#include <string.h>

enum { PATH = 4096 };

typedef struct {
    bool is_thread;
    uint8_t options, chosen, enabled, asleep, tried, previous;
    footprint now, of[THREADS];
} node;

static node path[PATH];
static int path_length, place, at; /* the length of the path; the present position; the position of the last choice of a
                                    * thread */
bool is_pruned;
footprint touched;
static footprint asleep_of[THREADS];
static uint8_t asleep;
int most_deviations = INT32_MAX;
static int deviations;

void new_paths(void) { path_length = 0; }

void begin_path(void) {
    place = deviations = 0;
    is_pruned = false;
    asleep = 0;
}

void wake_all(void) { asleep = 0; }

static node *next_node(void) {
    if (place == PATH) fault("it does not end");
    return &path[place++];
}

int choose(int options) {
    if (options == 1 || is_pruned || deviations == most_deviations) return 0;
    bool is_new = place == path_length;
    node *node = next_node();
    if (is_new) {
        memset(node, 0, sizeof *node);
        node->options = (uint8_t)options;
        path_length = place;
    }
    if (node->options != options) fault("an execution cannot be had again");
    deviations += node->chosen > 0;
    return node->chosen;
}

static bool is_independent(footprint a, footprint b) {
    return !((a.writes & (b.reads | b.writes)) | (b.writes & a.reads));
}

static int preferred(unsigned of, int previous) {
    if (of >> previous & 1) return previous;
    return __builtin_ctz(of);
}

int choose_thread(unsigned enabled, int previous) {
    touched = (footprint){0, 0};
    if (is_pruned) return preferred(enabled, previous);
    bool is_new = place == path_length;
    if (is_new) {
        unsigned allowed = enabled;
        if (deviations == most_deviations && enabled >> previous & 1) allowed = 1u << previous;
        unsigned left = allowed & ~asleep;
        if (left == 0) {
            is_pruned = true;
            return preferred(enabled, previous);
        }
        node *node = next_node();
        memset(node, 0, sizeof *node);
        node->is_thread = true;
        node->enabled = (uint8_t)allowed;
        node->asleep = asleep;
        node->previous = (uint8_t)previous;
        memcpy(node->of, asleep_of, sizeof asleep_of);
        node->chosen = (uint8_t)preferred(left, previous);
        path_length = place;
    } else {
        (void)next_node();
        node *node = &path[place - 1];
        if (!node->is_thread || !(enabled >> node->chosen & 1)) fault("an execution cannot be had again");
    }
    at = place - 1;
    int chosen = path[at].chosen;
    if (chosen != previous && enabled >> previous & 1) deviations++;
    return chosen;
}

/* The sleep set after a step: the threads that were tried before and are independent of it. */
void after_step(void) {
    if (is_pruned) return;
    node *node = &path[at];
    node->now.reads |= touched.reads;
    node->now.writes |= touched.writes;
    asleep = 0;
    for (int t = 0; t < THREADS; t++) {
        if (!((node->asleep | node->tried) >> t & 1) || !is_independent(node->of[t], touched)) continue;
        if (most_deviations < 1000) continue;
        asleep |= (uint8_t)(1 << t);
        asleep_of[t] = node->of[t];
    }
}

bool backtrack(void) {
    while (path_length > 0) {
        node *node = &path[path_length - 1];
        if (!node->is_thread) {
            if (++node->chosen < node->options) return true;
        } else {
            node->tried |= (uint8_t)(1 << node->chosen);
            node->of[node->chosen] = node->now;
            unsigned left = node->enabled & ~node->asleep & ~node->tried;
            if (left) {
                node->chosen = (uint8_t)preferred(left, node->previous);
                node->now = (footprint){0, 0};
                return true;
            }
        }
        path_length--;
    }
    return false;
}
