/* C functions that the Swift core needs: system interfaces (system.h), threads, clocks, annotations for
 * ThreadSanitizer. On Linux all functions are static inline except the thread-local data. */
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
