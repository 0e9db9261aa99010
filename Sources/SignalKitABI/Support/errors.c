/* Texts for people: messages, values. */
#include "SignalKitSupport.h"
#include "SignalKitTyped.h"
#include "shims/process.h"
#include "shims/sight.h"
#include "signalkit.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

void sgk_support_log_to_stderr(const char *message) {
    char line[512];
    int length = snprintf(line, sizeof line, "signalkit: %s\n", message);
    size_t size = length < (int)sizeof line ? (size_t)length : sizeof line - 1;
    line[size - 1] = '\n';
    if (write(STDERR_FILENO, line, size) < 0) return; /* nobody to tell */
}

unsigned sgk_support_attention = SGK_SUPPORT_RESERVE_IS_MISSING | SGK_SUPPORT_MAY_BE_DEBUGGED;
int sgk_support_debug;
bool sgk_support_reports_leaks;

bool sgk_support_look_up_debug(void) {
    const char *text = sgk_shim_variable("SIGNALKIT_DEBUG");
    int state = text && *text && strcmp(text, "0") != 0 ? 2 : 1;
    if (state == 2 && strcmp(text, "leaks") == 0) __atomic_store_n(&sgk_support_reports_leaks, true, __ATOMIC_RELAXED);
    __atomic_store_n(&sgk_support_debug, state, __ATOMIC_RELAXED);
    if (state == 1) sgk_support_attend_no_more(SGK_SUPPORT_MAY_BE_DEBUGGED);
    sgk_support_inspect_if_asked();
    return state == 2;
}

sgk_watch *sgk_support_watch(void) {
    static _Thread_local sgk_watch watch;
    return &watch;
}

size_t sgk_support_print_int(char *text, size_t size, int64_t number) {
    return (size_t)snprintf(text, size, "%" PRId64, number);
}
size_t sgk_support_print_double(char *text, size_t size, double number) {
    return (size_t)snprintf(text, size, "%.17g", number);
}
size_t sgk_support_print_pointer(char *text, size_t size, const void *pointer) {
    return (size_t)snprintf(text, size, "%p", pointer);
}
size_t sgk_support_print_object(char *text, size_t size, const char *type, const void *pointer) {
    return (size_t)snprintf(text, size, "%s %p", type, pointer);
}

size_t sgk_support_print_system_error(char *text, size_t size, const char *call, int32_t error) {
    errno = error;
    return (size_t)snprintf(text, size, "%s: %m", call);
}

void sgk_support_print_leak(char *text, size_t size, const char *file, int64_t line) {
    snprintf(text, size, "%s:%" PRId64 ": strict disposable released without dispose", file, line);
}

void sgk_support_print_misuse(char *text, size_t size, const char *function, const char *what, const void *pointer) {
    snprintf(text, size, SGK_SUPPORT_NAME ": %s: %p", SGK_SUPPORT_NAME_OF(function), what, pointer);
}

void sgk_support_print_no_value(char *text, size_t size, const char *function, uint32_t kind, uint64_t bits) {
    snprintf(text, size,
        SGK_SUPPORT_NAME ": the callback returned an invalid value, replaced by null: kind %" PRIu32
                         " (%s), bits 0x%" PRIx64,
        SGK_SUPPORT_NAME_OF(function), kind, sgk_kind_text((sgk_kind)kind), bits);
}

/* Appends, after the first `length` bytes, the place where the name was assigned, if it is known, and more text. */
static size_t print_place(char *text, size_t size, size_t length, const char *file, int line, const char *more) {
    if (file && length < size) length += (size_t)snprintf(text + length, size - length, " (%s:%d)", file, line);
    if (length < size) length += (size_t)snprintf(text + length, size - length, " %s", more);
    return length;
}

size_t sgk_support_print_trace(
    char *text, size_t size, const char *name, const char *file, int line, int64_t number, const char *what) {
    size_t length = (size_t)snprintf(
        text, size, "%.6f [%d] %s#%" PRId64, sgk_shim_monotonic_seconds(), (int)sgk_shim_own_number(), name, number);
    return print_place(text, size, length, file, line, what);
}

size_t sgk_support_print_unhandled(char *text, size_t size, const char *name, const char *file, int line) {
    const char *quote = name ? "'" : "";
    int length = snprintf(text, size, "a subscription%s%s%s%s", name ? " of " : "", quote, name ? name : "", quote);
    return print_place(text, size, (size_t)length, file, line, "failed with an unhandled error: ");
}

size_t sgk_support_print_mismatch(char *text, size_t size, const char *function, size_t parameter, sgk_type type,
    const char *value, const char *reason) {
    char place[32];
    if (parameter > 0) snprintf(place, sizeof place, "parameter %zu", parameter);
    else snprintf(place, sizeof place, "result");
    return (size_t)snprintf(text, size, SGK_SUPPORT_NAME ": %s (%s): %s%s%s", SGK_SUPPORT_NAME_OF(function), place,
        sgk_support_type_name(type), value ? value : "", value ? " " : "", reason);
}

size_t sgk_support_print_unfit(char *text, size_t size, const char *function, size_t arity, const char *value) {
    return (size_t)snprintf(text, size, SGK_SUPPORT_NAME ": the value must be an array of %zu values, got %s",
        SGK_SUPPORT_NAME_OF(function), arity, value);
}
