/* An exception that would pass through the library ends the program (`std::terminate`), because it would interrupt a
 * delivery. All frames still exist for a debugger. The build sets this function for all Swift code. Cancellation of a
 * thread passes through.
 *
 * The declaration follows the C++ ABI ("Itanium", level I), so that no C++ runtime is necessary. */
#include "SignalKitSupport.h"

enum { CONTINUE_UNWIND = 8, FATAL_PHASE1_ERROR = 3, SEARCH_PHASE = 1 };

int sgk_support_personality(int version, int actions, uint64_t kind, void *exception, void *context) {
    return actions & SEARCH_PHASE ? FATAL_PHASE1_ERROR : CONTINUE_UNWIND;
}
