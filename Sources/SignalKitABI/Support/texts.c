/* The texts of the enumerations, from the lists in the headers. */
#include "SignalKitSupport.h"
#include "SignalKitTyped.h"
#include "signalkit.h"

#include <string.h>

#define ONE(name, number, text) +1
_Static_assert(SGK_SHIM_LIVE_KINDS == 0 SGK_LIVE_MAP(ONE), "as many counters as kinds");

#define TEXT(name, number, text) \
    case name: return text;

const char *sgk_status_text(sgk_status status) {
    switch (status) { SGK_STATUS_MAP(TEXT) }
    return "unknown status";
}

const char *sgk_trace_kind_text(sgk_trace_kind kind) {
    switch (kind) { SGK_TRACE_MAP(TEXT) }
    return "unknown kind of trace event";
}

const char *sgk_live_text(sgk_live kind) {
    switch (kind) { SGK_LIVE_MAP(TEXT) }
    return "unknown kind of object";
}

const char *sgk_kind_text(sgk_kind kind) {
    switch (kind) { SGK_KIND_MAP(TEXT) }
    return "unknown kind of value";
}

const char *sgk_support_type_name(sgk_type type) {
    switch (type) {
#define NAME(name, ffi) \
    case SGK_TYPE_##name: return #name;
        SGK_TYPE_MAP(NAME)
#undef NAME
    }
    return "";
}

int32_t sgk_support_type_named(const char *name, size_t length) {
    for (int32_t type = 0; type < SGK_TYPES; type++) {
        const char *known = sgk_support_type_name((sgk_type)type);
        if (strlen(known) == length && memcmp(known, name, length) == 0) return type;
    }
    return -1;
}
