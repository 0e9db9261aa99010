#include "fuzz.h"

#include <stdatomic.h>

static atomic_ullong operations;

void count_operations(uint64_t count) { operations += count; }
static void tell(void) { fprintf(stderr, "operations: %llu\n", (unsigned long long)operations); }
void tell_operations_at_exit(void) { atexit(tell); }
