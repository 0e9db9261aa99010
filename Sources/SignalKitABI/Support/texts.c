/* The texts of the enumerations, made of the lists in the public header. */
#include "signalkit.h"

#define TEXT(name, number, text) case name: return text;

const char *sgk_status_text(sgk_status status) {
    switch (status) { SGK_STATUS_MAP(TEXT) }
    return "unknown status";
}

const char *sgk_live_text(sgk_live kind) {
    switch (kind) { SGK_LIVE_MAP(TEXT) }
    return "unknown kind of object";
}

const char *sgk_kind_text(sgk_kind kind) {
    switch (kind) { SGK_KIND_MAP(TEXT) }
    return "unknown kind of value";
}
