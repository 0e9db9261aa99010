/* How many objects of each kind are alive. */
#include "SignalKitSupport.h"

#include "signalkit.h"

#include <stdatomic.h>

#define ONE(name, number, text) +1
_Static_assert(SGK_SUPPORT_LIVE_KINDS == 0 SGK_LIVE_MAP(ONE), "as many counters as kinds");

static _Atomic int64_t counts[SGK_SUPPORT_LIVE_KINDS];

void sgk_support_count(uint32_t kind, int64_t change) { atomic_fetch_add_explicit(&counts[kind], change, memory_order_relaxed); }
int64_t sgk_support_counted(uint32_t kind) { return atomic_load_explicit(&counts[kind], memory_order_relaxed); }
