/* Callbacks that do next to nothing, and whose work can be checked: for SignalKit, and for the loop that calls them by
 * hand. */
#ifndef CALLBACKS_H
#define CALLBACKS_H

#include <signalkit.h>

static inline sgk_value plus_one(void *context, sgk_value value) {
    (void)context;
    return sgk_int(sgk_to_int(value) + 1);
}

static inline void add_up(void *context, sgk_value value) { *(int64_t *)context += sgk_to_int(value); }

#endif
