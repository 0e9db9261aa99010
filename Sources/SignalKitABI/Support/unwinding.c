/* An exception that would pass through the library ends the program (`std::terminate`), with all frames still there to
 * be looked at: it would leave what is being delivered half done. The build names this function for all that is written
 * in Swift. A thread that is cancelled passes.
 *
 * It is declared as the ABI of C++ says ("Itanium", level I), so that nothing of a runtime of C++ is needed. */
#include "SignalKitSupport.h"

enum { CONTINUE_UNWIND = 8, FATAL_PHASE1_ERROR = 3, SEARCH_PHASE = 1 };

int sgk_support_personality(int version, int actions, uint64_t kind, void *exception, void *context) {
    return actions & SEARCH_PHASE ? FATAL_PHASE1_ERROR : CONTINUE_UNWIND;
}
