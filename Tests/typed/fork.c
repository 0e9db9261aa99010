/* Native callbacks in the child of a fork: they work there, and changes in the child do not affect the parent's. */
#include <signalkit.h>
#include <signalkit/callback.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition) \
    ((condition) ? (void)0 : (printf("%s, line %d: %s (%s)\n", who, __LINE__, #condition, sgk_last_error()), exit(1)))

enum { OTHERS = 200 };

static const char *who = "parent";
static sgk_signature *i64_to_i64;

typedef int64_t (*function)(int64_t);

static sgk_value twice(void *context, const sgk_value *values, size_t count) {
    (void)context, (void)count;
    return sgk_int(sgk_to_int(values[0]) * 2);
}

static sgk_callback *make(int64_t result, sgk_map_array_fn handler) {
    sgk_callback *callback = sgk_callback_create(i64_to_i64, sgk_int(result), handler, NULL, NULL);
    CHECK(callback);
    return callback;
}

static int64_t call(sgk_callback *callback, int64_t value) {
    return ((function)sgk_callback_function(callback))(value);
}

/* Creates many, which reuses freed memory, and releases them. */
static void make_others(int64_t first) {
    sgk_callback *others[OTHERS];
    for (int i = 0; i < OTHERS; i++) others[i] = make(first + i, NULL);
    for (int i = 0; i < OTHERS; i++) CHECK(call(others[i], 1) == first + i);
    for (int i = 0; i < OTHERS; i++) sgk_callback_release(others[i]);
}

int main(void) {
    i64_to_i64 = sgk_signature_create("(i64) -> i64");
    sgk_callback *kept = make(0, twice), *released = make(7, NULL);
    CHECK(call(kept, 3) == 6);
    fflush(NULL);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        who = "child";
        CHECK(call(kept, 4) == 8 && call(released, 1) == 7);
        sgk_callback_release(released);
        sgk_callback_release(kept);
        make_others(1000);
    } else {
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
        CHECK(call(kept, 5) == 10 && call(released, 1) == 7);
        make_others(2000);
        CHECK(call(kept, 6) == 12);
        sgk_callback_release(released);
        sgk_callback_release(kept);
    }
    sgk_signature_release(i64_to_i64);
    CHECK(sgk_live_total() == 0);
    return 0;
}
