/* The last error of each thread, and whether a NULL argument can be the result of that failure.
 *
 * NULL flows through a pipeline, and the last error remains the reason why its first stage is NULL. However, a
 * program's function can also return NULL, and an old error would then be misleading. Therefore NULL counts as a result
 * of the library only under two conditions. The thread's last failed call must be one that returns such objects. The
 * program must not have read the error and then created such an object. An object created before the program reads the
 * error does not count, because the program may create several objects before it combines them. */
#include "SignalKitSupport.h"

#include "signalkit/all.h"

enum { NOTHING = -1, ANYTHING = -2 };

static _Thread_local struct {
    char text[256];
    int32_t status;
    uint64_t number; /* of the failure, counted in all threads */
    int32_t makes;   /* the kind of object that the failed call would have returned */
    bool is_read;
} last = {.makes = NOTHING};

uint64_t sgk_support_failures;

/* The objects that functions return, by the start of the name. The first match applies. (scripts/makers.py compares the
 * table with the headers.) */
static const struct {
    char name[39];
    int8_t makes;
} makers[] = {
    {"sgk_signal_start_with", SGK_LIVE_SIGNAL},
    {"sgk_signal_start", NOTHING},
    {"sgk_signal_value", NOTHING},
    {"sgk_signal_describe", NOTHING},
    {"sgk_signal_get", NOTHING},
    {"sgk_signal_collect", NOTHING},
    {"sgk_sequencer_enqueue", SGK_LIVE_SIGNAL},
    {"sgk_event_link_from_signal", SGK_LIVE_EVENT_LINK},
    {"sgk_signal_", SGK_LIVE_SIGNAL},
    {"sgk_combine_", SGK_LIVE_SIGNAL},
    {"sgk_merge", SGK_LIVE_SIGNAL},
    {"sgk_concat", SGK_LIVE_SIGNAL},
    {"sgk_zip", SGK_LIVE_SIGNAL},
    {"sgk_race", SGK_LIVE_SIGNAL},
    {"sgk_accumulating_loop", SGK_LIVE_SIGNAL},
    {"sgk_pipe_signal", SGK_LIVE_SIGNAL},
    {"sgk_promise_signal", SGK_LIVE_SIGNAL},
    {"sgk_state_signal", SGK_LIVE_SIGNAL},
    {"sgk_to_signal", SGK_LIVE_SIGNAL},
    {"sgk_multicast_get", SGK_LIVE_SIGNAL},
    {"sgk_multicast_signal_manager_multicast", SGK_LIVE_SIGNAL},
    {"sgk_queue_local_signal", SGK_LIVE_SIGNAL},
    {"sgk_callback_signal", SGK_LIVE_SIGNAL},
    {"sgk_event_link_signal", SGK_LIVE_SIGNAL},
    {"sgk_event_link_map", SGK_LIVE_EVENT_LINK},
    {"sgk_event_link_filter", SGK_LIVE_EVENT_LINK},
    {"sgk_event_link_observer", SGK_LIVE_EVENT_LINK},
    {"sgk_event_emitter_create", SGK_LIVE_EVENT_LINK},
    {"sgk_signature_create", SGK_LIVE_SIGNATURE},
    {"sgk_signature_shared", SGK_LIVE_SIGNATURE},
    {"sgk_retain", ANYTHING},
    {"signal", SGK_LIVE_SIGNAL}, /* any of those above, when there was no memory for the handle */
    {"event link", SGK_LIVE_EVENT_LINK},
    {"signature", SGK_LIVE_SIGNATURE},
};

static int32_t made_by(const char *function) {
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (strncmp(function, makers[i].name, strlen(makers[i].name)) == 0) return makers[i].makes;
    return NOTHING;
}

void sgk_support_fail(int32_t status, const char *function, const char *argument, const char *reason) {
    last.status = status;
    last.number = __atomic_add_fetch(&sgk_support_failures, 1, __ATOMIC_RELAXED);
    last.makes = made_by(function);
    last.is_read = false;
    snprintf(last.text, sizeof last.text, SGK_SUPPORT_NAME ": %s: %s", SGK_SUPPORT_NAME_OF(function), argument, reason);
}

void sgk_support_fail_at(int32_t status, const char *function, const char *argument, size_t column, const char *reason,
    const char *word, size_t length) {
    char text[96];
    snprintf(text, sizeof text, "column %zu: %s%s%.*s%s", column, reason, length ? " '" : "",
        (int)(length > 32 ? 32 : length), word, length ? "'" : "");
    sgk_support_fail(status, function, argument, text);
}

void sgk_support_fail_object(const char *wanted, const char *found) {
    char text[160];
    snprintf(text, sizeof text, "must be an object of the type %.60s%s%.60s", wanted, found ? ", not " : "",
        found ? found : "");
    sgk_support_fail(SGK_ERROR_KIND, "sgk_to_object", "value", text);
}

void sgk_support_error_is_read(void) {
    last.is_read = true;
    if (last.makes != NOTHING) sgk_support_attend(SGK_SUPPORT_ERRORS_ARE_READ);
}

void sgk_support_made(uint32_t kind) {
    if (last.is_read && sgk_support_may_have_failed(kind)) last.makes = NOTHING;
}

bool sgk_support_may_have_failed(uint32_t kind) { return last.makes == (int32_t)kind || last.makes == ANYTHING; }

const char *sgk_support_error_text(void) { return last.text; }
int32_t sgk_support_error_status(void) { return last.status; }
bool sgk_support_failed_since(uint64_t number) { return last.status != 0 && last.number > number; }

void sgk_support_clear_error(void) {
    last.status = 0;
    last.makes = NOTHING;
    last.text[0] = 0;
}
