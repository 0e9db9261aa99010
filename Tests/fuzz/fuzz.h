/* Shared code of the fuzzers: the choices of a program, the checks, and the count of operations. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(condition) \
    ((condition) ? (void)0 : (fprintf(stderr, "%s:%d: it must be: %s\n", __FILE__, __LINE__, #condition), abort()))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *count, char ***arguments);

/* Operations of the library that programs have made; told at the end: "operations: N". */
void count_operations(uint64_t count);
void tell_operations_at_exit(void);

#endif
