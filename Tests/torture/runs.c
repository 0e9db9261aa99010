/* Shared code of the scenarios: the events of a subscription, and the check that everything is released. */
#include "scenarios.h"

#include <time.h>

static _Atomic(seen *) all_seen;
atomic_bool was_refused;

seen *new_seen_at(const char *file, int line) {
    seen *made = calloc(1, sizeof *made);
    made->file = file;
    made->line = line;
    made->next = all_seen;
    while (!atomic_compare_exchange_weak(&all_seen, &made->next, made)) {}
    return made;
}

seen *given(seen *seen) {
    seen->is_given = true;
    return seen;
}

void forget_seen(void *seen_by) { MUST(((seen *)seen_by)->gone++ == 0); }

void nothing(void *context) { (void)context; }

/* Work that waits for threads continues with the next work. */
bool has_threads(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_concurrent_default();
    SGK_AUTO(sgk_disposable) later = queue ? sgk_queue_after(queue, 0.0001, nothing, NULL, NULL) : NULL;
    return later && sgk_queue_dispatch(queue, nothing, NULL, NULL) == SGK_OK;
}

bool refused_again(void) {
    static int refused;
    refused = has_threads() ? 0 : refused + 1;
    (void)sgk_main_drain();
    nanosleep(&(struct timespec){0, 100000}, NULL);
    return refused > 20;
}

static bool is_given_back(void) {
    for (seen *one = all_seen; one; one = one->next)
        if (one->is_given && !one->gone) return false;
    return sgk_live_total() == 0;
}

void nothing_is_left(void) {
    (void)sgk_drain(0.01);
    for (int i = 0; i < 5000 && !is_given_back(); i++) (void)refused_again(), (void)sgk_drain(0.01);
    for (seen *one = all_seen; one; one = one->next) {
        bool is_right = one->gone == one->is_given;
        if (!is_right) fprintf(stderr, "%s:%d: given back %d times\n", one->file, one->line, one->gone);
        MUST(is_right);
    }
    MUST(sgk_live_total() == 0);
    for (seen *one; (one = all_seen) != NULL; free(one)) all_seen = one->next;
    sgk_clear_error();
    was_refused = false;
}

bool refused_at(const char *file, int line) {
    sgk_status status = sgk_last_status();
    if (status != SGK_ERROR_MEMORY && status != SGK_ERROR_SYSTEM)
        fprintf(stderr, "%s:%d: it is refused, and nothing says why\n", file, line);
    MUST(status == SGK_ERROR_MEMORY || status == SGK_ERROR_SYSTEM);
    return false;
}

void dispose_at(sgk_disposable **run) {
    if (*run) MUST(sgk_disposable_dispose(*run) == SGK_OK);
    sgk_disposable_release(*run);
}
void release_at(sgk_value *value) { sgk_value_release(*value); }

int64_t weight(sgk_value value) {
    size_t count = 0;
    int64_t sum = 0;
    if (sgk_value_kind(value) == SGK_INT) return sgk_to_int(value);
    if (sgk_value_kind(value) == SGK_STRING || sgk_value_kind(value) == SGK_BYTES)
        return sgk_value_data(value, &count), (int64_t)count;
    if (sgk_value_kind(value) != SGK_ARRAY) return 0;
    const sgk_value *items = sgk_array_items(value, &count);
    for (size_t i = 0; i < count; i++) sum += weight(items[i]);
    return sum;
}

void see_next(void *context, sgk_value value) {
    seen *seen = context;
    MUST(!seen->ends && !seen->gone);
    seen->values++;
    seen->sum += weight(value);
}

void see_end(void *context) {
    seen *seen = context;
    MUST(seen->ends++ == 0 && !seen->gone);
}

void see_error(void *context, sgk_value error) {
    ((seen *)context)->error = sgk_value_kind(error) == SGK_INT ? (int)sgk_to_int(error) : sgk_error_code(error);
    see_end(context);
}

void count_call(void *context) { ((seen *)context)->values++; }

sgk_handlers all_of(seen *seen) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = given(seen);
    handlers.destroy = forget_seen;
    handlers.next = see_next;
    handlers.error = see_error;
    handlers.completed = see_end;
    return handlers;
}

sgk_disposable *start(sgk_signal *signal, seen *seen) {
    sgk_handlers handlers = all_of(seen);
    return sgk_signal_start(signal, &handlers);
}

bool came(seen *seen, int values, int64_t sum, bool end) {
    if (was_refused) return false;
    MUST(seen->values == values);
    MUST(seen->sum == sum);
    MUST(seen->ends == end);
    return true;
}

/* ---- Callbacks that several need ---- */

sgk_value plus_one(void *context, sgk_value value) { return (void)context, sgk_int(weight(value) + 1); }
sgk_value sum(void *context, sgk_value a, sgk_value b) { return (void)context, sgk_int(weight(a) + weight(b)); }
bool is_odd(void *context, sgk_value value) { return (void)context, weight(value) % 2 != 0; }
