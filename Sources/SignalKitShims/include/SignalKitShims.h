/* What the Swift core needs from C and cannot say itself: the futex, threads, what wakes a loop, and marks for ThreadSanitizer.
 * Everything is static inline, but for what each thread has of its own. */
#ifndef SIGNALKIT_SHIMS_H
#define SIGNALKIT_SHIMS_H

#include "shims/platform.h"

#include "shims/event.h"
#include "shims/futex.h"
#include "shims/left.h"
#include "shims/process.h"
#include "shims/sanitizer.h"
#include "shims/thread.h"
#include "shims/turns.h"

#endif
