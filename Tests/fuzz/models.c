/* The input is a program for one of the models of the suite: pipes and chains, or an operator in virtual time. The
 * library has to do what the model does, event by event. Or it is a chain of sources that must emit the same with
 * pauses as without them. */
#include "fuzz.h"

#include "../C/random_programs.h"
#include "../C/suite.h"

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    tell_operations_at_exit();
    return setenv("CMOCKA_TEST_ABORT", "1", 1); /* the fuzzer must see failures */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return -1;
    choices choices = {data + 1, data + size};
    long events[MODES] = {0};
    int which = data[0] % (3 * operators_with_models);
    if (which < operators_with_models) (void)operator_does_what_its_model_does(which, choices);
    else if (which >= 2 * operators_with_models) program_emits_the_same_with_pauses(choices);
    else program_does_what_the_model_does(choices, events);
    count_operations(operations_of_programs);
    operations_of_programs = 0;
    MUST(nothing_alive(NULL) == 0);
    return 0;
}
