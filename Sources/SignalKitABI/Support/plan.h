/* What libffi knows about a signature. */
#ifndef SIGNALKIT_PLAN_H
#define SIGNALKIT_PLAN_H

#include "SignalKitTyped.h"

#include <ffi.h>

struct sgk_plan {
    ffi_cif cif; /* points into `types` */
    sgk_type *parameters, result;
    size_t arity; /* how many values the parameters take */
    int shape;    /* of the compiled-in call, if there is one */
    ffi_type *types[];
};

#endif
