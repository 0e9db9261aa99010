/* The programs of fuzz.c and models.c: the suite makes them by chance, and so does a fuzzer (Tests/fuzz/models.c). Each
 * fails, as a test does, where the library does not do what the model does. */
#ifndef RANDOM_PROGRAMS_H
#define RANDOM_PROGRAMS_H

#include "choices.h"

#include <stdbool.h>
#include <stdint.h>

/* The operations of the library for all programs: emissions and terminal events, starts, disposals, signals created and
 * released, and advances of the time. */
extern uint64_t operations_of_programs;

/* Pipes, chains, and where sources meet. `events` counts by mode. */
enum { MODES = 3 };
void program_does_what_the_model_does(choices choices, long events[MODES]);

/* One operator and the events of one or two pipes. Returns whether its subscription has completed or failed. */
extern const int operators_with_models;
bool operator_does_what_its_model_does(int index, choices choices);

/* A chain of finite sources, without pauses and with them. */
void program_emits_the_same_with_pauses(choices choices);

#endif
