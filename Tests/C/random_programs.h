/* The programs of fuzz.c and models.c: the suite makes them by chance, and so does a fuzzer (Tests/fuzz/models.c). Each
 * fails, as a test does, where the library does not do what the model does. */
#ifndef RANDOM_PROGRAMS_H
#define RANDOM_PROGRAMS_H

#include "choices.h"

#include <stdbool.h>
#include <stdint.h>

/* What the library has had to do for all of them: emissions and ends, starts, disposals, signals made and let go of,
 * and time moved on. */
extern uint64_t operations_of_programs;

/* Pipes, chains, and where sources meet. `events` counts by mode. */
enum { MODES = 3 };
void program_does_what_the_model_does(choices choices, long events[MODES]);

/* An operator, of so many, and the events of one or two pipes. Whether its run has ended by itself. */
extern const int operators_with_models;
bool operator_does_what_its_model_does(int index, choices choices);

#endif
