#include "shims/sight.h"

#include "shims/process.h"

uint16_t sgk_shim_lookers = 1;

static _Thread_local sgk_shim_view here;

sgk_shim_view *sgk_shim_view_here(void) { return &here; }

int32_t sgk_shim_own_number(void) {
    if (here.thread == 0 || here.process != sgk_shim_process_number()) {
        here.thread = sgk_shim_thread_number();
        here.process = sgk_shim_process_number();
    }
    return here.thread;
}

bool sgk_shim_environment_says(const char *name) {
    const char *text = sgk_shim_variable(name);
    return text != NULL && *text != 0 && strcmp(text, "0") != 0;
}

double sgk_shim_environment_seconds(const char *name) {
    const char *text = sgk_shim_variable(name);
    return text == NULL ? 0 : strtod(text, NULL);
}
