/* What the ABI layer needs from C: thread-local errors, the log, counters, the main queue's loop. Hidden in the library. */
#ifndef SIGNALKIT_SUPPORT_H
#define SIGNALKIT_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The last error of the thread ---- */
void sgk_support_fail(int32_t status, const char *function, const char *argument, const char *reason);
const char *sgk_support_error_text(void);
int32_t sgk_support_error_status(void);
void sgk_support_clear_error(void);

/* The kinds of objects of which a NULL is passed on. */
enum { SGK_SUPPORT_SIGNAL = 1, SGK_SUPPORT_LINK, SGK_SUPPORT_SIGNATURE };

/* Whether a NULL instead of such an object may be what the last failing call of this thread returned. */
bool sgk_support_may_have_failed(char kind);

/* The program reads the last error. */
void sgk_support_error_is_read(void);
extern int sgk_support_errors_were_read; /* by any thread, ever */
void sgk_support_note_made(char kind);

/* Such an object has been made. */
__attribute__((always_inline)) static inline void sgk_support_made(char kind) {
    if (__builtin_expect(__atomic_load_n(&sgk_support_errors_were_read, __ATOMIC_RELAXED), 0)) sgk_support_note_made(kind);
}

/* ---- Live objects ---- */
enum { SGK_SUPPORT_LIVE_KINDS = 20 };
void sgk_support_count(uint32_t kind, int64_t change);
int64_t sgk_support_counted(uint32_t kind);

/* ---- Memory that runs out ---- */
extern int sgk_support_reserve_is_there;
bool sgk_support_restore_reserve(void);

/* Whether something may be made: false when the reserve has been used, and there is no memory for another one. */
__attribute__((always_inline)) static inline bool sgk_support_has_room(void) {
    return __builtin_expect(__atomic_load_n(&sgk_support_reserve_is_there, __ATOMIC_RELAXED), 1) || sgk_support_restore_reserve();
}

/* For who was refused memory: then tries again, and if that fails says so and ends the program. */
void sgk_support_use_reserve(void);
_Noreturn void sgk_support_out_of_memory(void);
void *sgk_support_zeroed(size_t size); /* never NULL, as what Swift allocates */

/* ---- Logging ---- */
void sgk_support_log_to_stderr(const char *message);
extern int sgk_support_debug; /* 0: not looked up yet, 1: no, 2: yes */
bool sgk_support_look_up_debug(void);

__attribute__((always_inline)) static inline bool sgk_support_is_debug(void) {
    int state = __atomic_load_n(&sgk_support_debug, __ATOMIC_RELAXED);
    return __builtin_expect(state == 1, 1) ? false : state == 2 || sgk_support_look_up_debug();
}

/* Whether it is known already that it is off. */
__attribute__((always_inline)) static inline bool sgk_support_is_debug_off(void) {
    return __builtin_expect(__atomic_load_n(&sgk_support_debug, __ATOMIC_RELAXED) == 1, 1);
}

/* ---- Texts: like snprintf, for formats that Swift cannot pass ---- */
size_t sgk_support_print_int(char *text, size_t size, int64_t number);
size_t sgk_support_print_double(char *text, size_t size, double number);
size_t sgk_support_print_pointer(char *text, size_t size, const void *pointer);
void sgk_support_print_leak(char *text, size_t size, const char *file, int64_t line);
size_t sgk_support_print_trace(char *text, size_t size, const char *name, int64_t number, const char *what);
size_t sgk_support_print_unhandled(char *text, size_t size, const char *name);
void sgk_support_print_misuse(char *text, size_t size, const char *function, const char *what, const void *pointer);

/* ---- The main queue's loop; results are sgk_status ---- */
int32_t sgk_support_main_run(void);
void sgk_support_main_stop(void);
int32_t sgk_support_main_drain(void);
int sgk_support_main_fd(void);

#endif
