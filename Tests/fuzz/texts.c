/* The input is a text: a signature, or a marble diagram. A signature takes the number of values that it names, and
 * functions can be created from it. An invalid text is rejected with a reason. A source emits the events of its
 * diagram, which is then expected of it. */
#include "fuzz.h"

#include <ctype.h>
#include <signalkit/all.h>
#include <string.h>

/* The reports of testing.h about diagrams are discarded. */
static FILE *nowhere;
#pragma push_macro("stderr")
#undef stderr
#define stderr nowhere
#include <signalkit/testing.h>
#pragma pop_macro("stderr")

/* The words between the brackets, but `ctx` and `void`. */
static size_t values_named(const char *text) {
    size_t count = 0;
    const char *c = strchr(text, '(');
    MUST(c);
    for (c++; *c && *c != ')';) {
        size_t length = strcspn(c, ", \t\n\v\f\r)");
        bool is_value = length > 0 && !(length == 3 && memcmp(c, "ctx", 3) == 0);
        count += is_value && !(length == 4 && memcmp(c, "void", 4) == 0);
        c += length > 0 ? length : 1;
    }
    return count;
}

static void read_signature(const char *text) {
    sgk_signature *signature = sgk_signature_create(text);
    if (!signature) {
        MUST(strncmp(sgk_last_error(), "sgk_signature_create: text: column ", 35) == 0);
        return sgk_clear_error();
    }
    MUST(sgk_signature_arity(signature) == values_named(text));
    sgk_callback *callback = sgk_callback_create(signature, sgk_null(), NULL, NULL, NULL);
    if (callback) MUST(sgk_callback_function(callback));
    sgk_callback_release(callback);
    sgk_signature_release(signature);
    sgk_clear_error();
}

/* Returns whether a subscription to the source shows exactly the diagram: nothing after the end, and no marks of other
 * diagrams. */
static bool is_plain(const char *diagram) {
    const char *end = strpbrk(diagram, "|#");
    if (end && end[1 + strspn(end + 1, ") -")]) return false;
    for (const char *c = diagram; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("-|#() ", *c)) return false;
    return true;
}

static void draw_marbles(const char *diagram) {
    sgk_queue *queue = sgk_queue_create_virtual(NULL);
    sgk_signal *cold = sgk_marble_cold(queue, diagram), *hot = sgk_marble_hot(queue, diagram);
    sgk_marble_run *runs[] = {
        sgk_marble_start(queue, cold, "^"), sgk_marble_start(queue, hot, "^"), sgk_marble_start(queue, cold, diagram)};
    MUST(!runs[0] == !cold);
    sgk_queue_run(queue, 4096);
    bool is_same = sgk_marble_expect(runs[0], diagram);
    if (cold && is_plain(diagram)) MUST(is_same);
    (void)sgk_marble_expect(runs[1], diagram);
    (void)sgk_marble_expect(runs[2], diagram);
    sgk_signal_release(cold);
    sgk_signal_release(hot);
    sgk_queue_release(queue);
    sgk_clear_error();
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    tell_operations_at_exit();
    nowhere = fopen("/dev/null", "w");
    return nowhere ? 0 : -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return -1;
    char *text = calloc(1, size);
    memcpy(text, data + 1, size - 1);
    if (data[0] % 2) read_signature(text);
    else draw_marbles(text);
    free(text);
    count_operations(1);
    MUST(sgk_live_total() == 0);
    return 0;
}
