/* All scenarios, and the examples of the reference. */
#include "scenarios.h"

#define EXAMPLE(name) \
    int example_##name(void); \
    static bool run_##name(void) { return (void)example_##name(), true; }
EXAMPLES(EXAMPLE)

const scenario scenarios[] = {
#define OWN_ROW(name, is_of_system) {#name, name, false, is_of_system},
    SCENARIOS(OWN_ROW)
#define ROW(name) {"example_" #name, run_##name, true, false},
        EXAMPLES(ROW){NULL, NULL, false, false},
};
