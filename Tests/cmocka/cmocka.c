#include "cmocka.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSED, FAILED, SKIPPED };
static _Thread_local jmp_buf end;
static _Thread_local int is_inside;

static void print(FILE *file, const char *format, va_list arguments) {
    (void)vfprintf(file, format, arguments);
    (void)fflush(file);
}
#define PRINT(file, format) \
    do { \
        va_list list; \
        va_start(list, format); \
        print(file, format, list); \
        va_end(list); \
    } while (0)

void print_message(const char *format, ...) { PRINT(stdout, format); }
void print_error(const char *format, ...) { PRINT(stderr, format); }

static _Noreturn void leave(int how) {
    if (!is_inside) abort();
    longjmp(end, how);
}
void cmocka_skip(void) { leave(SKIPPED); }
void cmocka_fail(const char *file, int line, const char *format, ...) {
    PRINT(stderr, format);
    print_error("\n%s:%d: error: Failure!\n", file, line);
    leave(FAILED);
}
void cmocka_equal(uint64_t left, uint64_t right, const char *what, const char *file, int line) {
    if (left != right) cmocka_fail(file, line, "%s: %#" PRIx64 " != %#" PRIx64, what, left, right);
}
void cmocka_equal_texts(const char *left, const char *right, const char *file, int line) {
    if (strcmp(left, right) != 0) cmocka_fail(file, line, "\"%s\" != \"%s\"", left, right);
}
void cmocka_equal_bytes(const void *left, const void *right, size_t size, const char *file, int line) {
    if (memcmp(left, right, size) != 0) cmocka_fail(file, line, "%zu bytes are not equal", size);
}

/* Setup and teardown, outside a test, may fail as well. */
static int run(void (*test)(void **), int (*step)(void **), void **state) {
    int how = setjmp(end);
    if (how == 0) {
        is_inside = 1;
        if (test) test(state);
        if (step && step(state) != 0) how = FAILED;
    }
    is_inside = 0;
    return how;
}

int _cmocka_run_group_tests(
    const char *group, const CMUnitTest *tests, size_t count, int (*setup)(void **), int (*teardown)(void **)) {
    static const char *const said[] = {"      OK", " FAILED ", "SKIPPED "};
    size_t passed = 0, skipped = 0;
    int failed = 0;
    void *state = NULL;
    print_message("[==========] %s: Running %zu test(s).\n", group, count);
    if (run(NULL, setup, &state) != PASSED) return 1;
    for (size_t i = 0; i < count; i++) {
        print_message("[ RUN      ] %s\n", tests[i].name);
        int how = run(NULL, tests[i].setup, &state);
        if (how == PASSED) how = run(tests[i].test, NULL, &state);
        if (run(NULL, tests[i].teardown, &state) != PASSED) how = FAILED;
        print_message("[ %s ] %s\n", said[how], tests[i].name);
        passed += how == PASSED;
        skipped += how == SKIPPED;
        failed += how == FAILED;
    }
    if (run(NULL, teardown, &state) != PASSED) failed++;
    print_message("[==========] %s: %zu test(s) run.\n[  PASSED  ] %zu test(s).\n", group, count, passed);
    if (skipped) print_message("[  SKIPPED ] %zu test(s).\n", skipped);
    if (failed) print_message("[  FAILED  ] %s: %d test(s).\n", group, failed);
    return failed;
}
