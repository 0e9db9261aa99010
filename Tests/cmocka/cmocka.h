/* The part of cmocka that the C suite uses, for systems without a package of it (Debian has none for musl). */
#ifndef CMOCKA_H
#define CMOCKA_H

#include <stddef.h>
#include <stdint.h>

typedef struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    int (*setup)(void **state), (*teardown)(void **state);
} CMUnitTest;

#define cmocka_unit_test(f) \
    { #f, f, NULL, NULL }
#define cmocka_unit_test_teardown(f, teardown) \
    { #f, f, NULL, teardown }
#define cmocka_unit_test_setup_teardown(f, setup, teardown) \
    { #f, f, setup, teardown }
#define cmocka_run_group_tests_name(group, tests, setup, teardown) \
    _cmocka_run_group_tests(group, tests, sizeof(tests) / sizeof *(tests), setup, teardown)

/* Returns the number of failed tests. */
int _cmocka_run_group_tests(
    const char *group, const CMUnitTest *tests, size_t count, int (*setup)(void **), int (*teardown)(void **));

void print_message(const char *format, ...) __attribute__((format(printf, 1, 2)));
void print_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* They end the test; on another thread than the test's, the program. */
_Noreturn void cmocka_skip(void);
_Noreturn void cmocka_fail(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
void cmocka_equal(uint64_t left, uint64_t right, const char *what, const char *file, int line);
void cmocka_equal_texts(const char *left, const char *right, const char *file, int line);
void cmocka_equal_bytes(const void *left, const void *right, size_t size, const char *file, int line);

#define skip() cmocka_skip()
#define fail() cmocka_fail(__FILE__, __LINE__, "failed")
#define fail_msg(...) cmocka_fail(__FILE__, __LINE__, __VA_ARGS__)
#define assert_true(c) ((c) ? (void)0 : cmocka_fail(__FILE__, __LINE__, "%s", #c))
#define assert_false(c) ((c) ? cmocka_fail(__FILE__, __LINE__, "!(%s)", #c) : (void)0)
#define assert_null(p) assert_true((p) == NULL)
#define assert_non_null(p) assert_true((p) != NULL)
#define assert_ptr_equal(a, b) cmocka_equal((uintptr_t)(a), (uintptr_t)(b), #a " == " #b, __FILE__, __LINE__)
#define assert_ptr_not_equal(a, b) assert_true((uintptr_t)(a) != (uintptr_t)(b))
#define assert_int_equal(a, b) cmocka_equal((uint64_t)(a), (uint64_t)(b), #a " == " #b, __FILE__, __LINE__)
#define assert_int_not_equal(a, b) assert_true((uint64_t)(a) != (uint64_t)(b))
#define assert_in_range(n, low, high) assert_true((uint64_t)(n) >= (uint64_t)(low) && (uint64_t)(n) <= (uint64_t)(high))
#define assert_string_equal(a, b) cmocka_equal_texts(a, b, __FILE__, __LINE__)
#define assert_memory_equal(a, b, size) cmocka_equal_bytes(a, b, size, __FILE__, __LINE__)

#endif
