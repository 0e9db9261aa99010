/* What the Swift core needs from C and cannot say itself: what stands on the system (system.h), threads, clocks, marks
 * for ThreadSanitizer. On Linux everything is static inline, but for what each thread has of its own. */
#ifndef SIGNALKIT_SHIMS_H
#define SIGNALKIT_SHIMS_H

#include "shims/platform.h"

#include "shims/counters.h"
#include "shims/descriptors.h"
#include "shims/event.h"
#include "shims/left.h"
#include "shims/object.h"
#include "shims/process.h"
#include "shims/sanitizer.h"
#include "shims/sight.h"
#include "shims/system.h"
#include "shims/thread.h"
#include "shims/turns.h"

#endif
