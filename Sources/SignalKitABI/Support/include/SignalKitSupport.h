/* Functions in C for the ABI layer: thread-local errors, the log, counters. They are hidden in the library. */
#ifndef SIGNALKIT_SUPPORT_H
#define SIGNALKIT_SUPPORT_H

#include "../../../SignalKitShims/include/shims/counters.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the fields of Swift's objects begin: the kind of a box and the mark of a handle are the first, and are read as
 * memory. */
enum { SGK_OBJECT_HEADER = 16 };

/* ---- How functions are named in messages: by what Swift's `#function` is, without the labels of the parameters
 * ---- */
#define SGK_SUPPORT_NAME "%.*s"
#define SGK_SUPPORT_NAME_OF(function) (int)strcspn(function, "("), function

/* ---- The last error of the thread ---- */
void sgk_support_fail(int32_t status, const char *function, const char *argument, const char *reason);
/* A value is not an object of the wanted type. `found` is its type, or NULL if it is not an object. */
void sgk_support_fail_object(const char *wanted, const char *found);
const char *sgk_support_error_text(void);
int32_t sgk_support_error_status(void);
void sgk_support_clear_error(void);

/* Reports whether a call of this thread has failed since the process-wide failure count was `number`, and its error is
 * not cleared. The count includes all threads: it is read before each callback that returns a signal, and a
 * thread-local count is slower to read. */
bool sgk_support_failed_since(uint64_t number);
extern uint64_t sgk_support_failures;
__attribute__((always_inline)) static inline uint64_t sgk_support_failure_count(void) {
    return __atomic_load_n(&sgk_support_failures, __ATOMIC_RELAXED);
}

/* Reports whether a NULL argument for an object of that kind (sgk_live) can be the result of this thread's last failed
 * call. */
bool sgk_support_may_have_failed(uint32_t kind);

/* The program reads the last error; an object has been made. */
void sgk_support_error_is_read(void);
void sgk_support_made(uint32_t kind);

/* ---- What a look has to be taken at when a handle is made: nothing, most of the time ---- */
enum {
    SGK_SUPPORT_RESERVE_IS_MISSING = 1, /* memory.c */
    SGK_SUPPORT_ERRORS_ARE_READ = 2,    /* by any thread, ever: last_error.c */
    SGK_SUPPORT_MAY_BE_DEBUGGED = 4,    /* until it is known that it is not */
};
extern unsigned sgk_support_attention;

__attribute__((always_inline)) static inline bool sgk_support_attends(unsigned to) {
    return __builtin_expect(__atomic_load_n(&sgk_support_attention, __ATOMIC_RELAXED) & to, 0);
}
static inline void sgk_support_attend(unsigned to) { __atomic_fetch_or(&sgk_support_attention, to, __ATOMIC_RELAXED); }
static inline void sgk_support_attend_no_more(unsigned to) {
    __atomic_fetch_and(&sgk_support_attention, ~to, __ATOMIC_RELAXED);
}

/* ---- Live objects ---- */
__attribute__((always_inline)) static inline void sgk_support_count(uint32_t kind, int change) {
    sgk_shim_count(SGK_SHIM_LIVE + 2 * kind + (change < 0 ? 1 : 0), 1);
}
static inline int64_t sgk_support_counted(uint32_t kind) { return sgk_shim_left(SGK_SHIM_LIVE + 2 * kind, 1); }
static inline int64_t sgk_support_counted_all(void) { return sgk_shim_left(SGK_SHIM_LIVE, SGK_SHIM_LIVE_KINDS); }

/* ---- Memory that runs out ---- */
bool sgk_support_restore_reserve(void);

/* Whether something may be made: false when the reserve has been used, and there is no memory for another one. */
__attribute__((always_inline)) static inline bool sgk_support_has_room(void) {
    return !sgk_support_attends(SGK_SUPPORT_RESERVE_IS_MISSING) || sgk_support_restore_reserve();
}

__attribute__((always_inline)) static inline void *sgk_support_allocate(size_t alignment, size_t size) {
    return alignment <= _Alignof(max_align_t) ? malloc(size)
                                              : aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
}

/* Called when an allocation fails: frees the reserve and allocates from it. If the reserve is too small, ends the
 * program with a message. */
void *sgk_support_allocate_from_reserve(size_t alignment, size_t size);
void *sgk_support_zeroed(size_t size); /* never NULL, as what Swift allocates */

/* ---- Logging ---- */
void sgk_support_log(const char *message); /* Handles/Errors.swift */
void sgk_support_log_to_stderr(const char *message);
extern int sgk_support_debug;          /* 0: not looked up yet, 1: no, 2: yes */
extern bool sgk_support_reports_leaks; /* once it is looked up */
bool sgk_support_look_up_debug(void);

__attribute__((always_inline)) static inline bool sgk_support_is_debug(void) {
    int state = __atomic_load_n(&sgk_support_debug, __ATOMIC_RELAXED);
    return __builtin_expect(state == 1, 1) ? false : state == 2 || sgk_support_look_up_debug();
}

/* Reports whether debugging is known to be off. */
__attribute__((always_inline)) static inline bool sgk_support_is_debug_off(void) {
    return __builtin_expect(__atomic_load_n(&sgk_support_debug, __ATOMIC_RELAXED) == 1, 1);
}

/* ---- Looking from outside: inspect.c ---- */
void sgk_support_inspect_if_asked(void); /* by the environment, once */

/* ---- With SIGNALKIT_DEBUG=1: what the program holds, and where it got it ---- */

/* Return addresses, the innermost first: NULL behind the last one. */
typedef struct {
    const void *frames[8];
} sgk_call_site;

/* Records the place where the program called the library. */
void sgk_support_note_call_site(sgk_call_site *site);

/* Tells a line for each frame. */
void sgk_support_name_call_site(const sgk_call_site *site, void (*tell)(void *context, const char *), void *context);

enum { SGK_SUPPORT_RUN = SGK_SHIM_LIVE_KINDS }; /* a kind in addition to sgk_live */

typedef struct {
    uint32_t kind, value_kind; /* sgk_live; of a boxed value also its sgk_kind */
    char name[40];             /* its beginning */
    sgk_call_site site;
    int64_t since;       /* by the monotonic clock, in nanoseconds */
    intptr_t references; /* the program's */
} sgk_holding;

void sgk_support_name_holding(sgk_holding *holding, const char *name);

/* Makes a new object one that is never destroyed: its references are not counted. There are at most three. */
void sgk_support_make_immortal(void *made);
/* The same for a signature, which all callers share that pass its text. */
void sgk_support_share(const char *text, void *signature);
void *sgk_support_shared(const char *text);
bool sgk_support_is_immortal(const void *pointer);

/* ---- With SIGNALKIT_DEBUG=1: the borrowed values of this thread's running callback, and how the callback changes
 * their references ---- */
typedef struct {
    uint64_t first, second; /* addresses of boxes, or 0 */
    intptr_t first_retained, second_retained;
} sgk_watch;

sgk_watch *sgk_support_watch(void);

/* ---- Texts: like snprintf, for formats that Swift cannot pass ---- */
size_t sgk_support_print_int(char *text, size_t size, int64_t number);
size_t sgk_support_print_double(char *text, size_t size, double number);
size_t sgk_support_print_pointer(char *text, size_t size, const void *pointer);
size_t sgk_support_print_object(char *text, size_t size, const char *type, const void *pointer);
size_t sgk_support_print_system_error(char *text, size_t size, const char *call, int32_t error);
void sgk_support_print_leak(char *text, size_t size, const char *file, int64_t line);
size_t sgk_support_print_trace(
    char *text, size_t size, const char *name, const char *file, int line, int64_t number, const char *what);
size_t sgk_support_print_unhandled(char *text, size_t size, const char *name, const char *file, int line);
void sgk_support_print_misuse(char *text, size_t size, const char *function, const char *what, const void *pointer);
void sgk_support_print_no_value(char *text, size_t size, const char *function, uint32_t kind, uint64_t bits);

#endif
