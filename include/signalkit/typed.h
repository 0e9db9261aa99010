/** @file
 * Typed callbacks: functions of any natural signature as subscribers and operators.
 *
 *     static double celsius(double fahrenheit) { return (fahrenheit - 32) / 1.8; }
 *
 *     SGK_AUTO(sgk_signature) f64_to_f64 = sgk_signature_create("(f64) -> f64");
 *     SGK_AUTO(sgk_signal) degrees = sgk_signal_map_typed(source, SGK_FUNCTION(celsius), f64_to_f64, NULL, NULL);
 *
 * # What a value becomes, and what becomes of a result
 *
 * | type | C | a parameter takes | a result becomes |
 * | --- | --- | --- | --- |
 * | `bool` | `bool` | a bool | a bool |
 * | `i8` `i16` `i32` `i64` | `int8_t` … | an int within the range | an int |
 * | `u8` `u16` `u32` `u64` | `uint8_t` … | an int within the range | an int; a u64 above INT64_MAX is an error |
 * | `f64` | `double` | a double; an int that a double can hold exactly | a double |
 * | `f32` | `float` | the same, rounded to the nearest float; beyond FLT_MAX is an error | a double |
 * | `ptr` | `void *` | a pointer; an object; bytes (their address, for the call); null as NULL | a pointer |
 * | `cstr` | `const char *` | a string without a NUL inside, for the call; null as NULL | a copy, or null for NULL |
 * | `text` | `const char *` | any value, as sgk_value_describe writes it, for the call | as `cstr` |
 * | `value` | `sgk_value` | any value, borrowed | that value, which becomes the library's |
 * | `ctx` | `void *` | nothing: the context given at the registration is passed there | – |
 * | `void` | `void` | – | null |
 *
 * Nothing is ever cut off silently. A value that does not fit the signature when it arrives ends the run with an error:
 * a string that says which function, which parameter and why. A signature that cannot fit the operator is refused when
 * the operator is made.
 *
 * A function of one parameter gets the value. One of several parameters gets the items of an array, of just as many.
 * One without parameters is called all the same. (A `ctx` is not counted.)
 *
 * The context, `destroy` and threads are as for the ordinary operator of the same name. The function pointer has to be
 * of the type that the signature says: that cannot be checked. A NULL `signature` is refused, and the reason why
 * sgk_signature_create failed stays as the last error.
 * @since 1.0
 */
#ifndef SIGNALKIT_TYPED_H
#define SIGNALKIT_TYPED_H

#include "operators.h"

SGK_BEGIN

/** A compiled signature. Immutable; one serves any number of registrations, which keep what they need of it. */
SGK_HANDLE(sgk_signature)

/** Compiles a signature such as `(i64, f64, ctx) -> bool`.
 *
 * A signature has at most 64 parameters of the types above, and a result. `() -> void` and `(void) -> void` have no
 * parameters. With "via libffi" at its end, as in `(i64) -> i64 via libffi`, calls in both directions use libffi, also
 * where compiled-in calls would do. This is for comparison.
 *
 * @param text  The signature.
 * @return      The signature, or NULL. The error contains the place: "sgk_signature_create: text: column 2: unknown
 *              type 'i65'".
 */
SGK_API SGK_OWNED sgk_signature *sgk_signature_create(const char *text);

/** How many values a function of this signature takes: its parameters without `ctx`. 0 for NULL, with an error. */
SGK_API size_t sgk_signature_arity(sgk_signature *signature);

/** Whether calls go through libffi. On x86-64 and ARM64 those do not whose arguments are all passed in registers: at
 * most eight of `f64` and `f32`, and six (ARM64: eight) of the other types, of which a `value` counts as two. On all
 * other processors all do. False for NULL, with an error. */
SGK_API bool sgk_signature_uses_libffi(sgk_signature *signature);

/** Any function; it is called by what its signature says. */
typedef void (*sgk_function)(void);

/** A function as a sgk_function. */
#define SGK_FUNCTION(function) ((sgk_function)(function))

/* ---- Starting ---- */

/** Starts a subscription like sgk_signal_start, with functions of natural signatures.
 *
 * All functions receive the same context, and their results are dropped. A value that does not fit `next` ends the
 * subscription with an error.
 *
 * @param next                 Called with each value. May be NULL, together with its signature.
 * @param next_signature       May be NULL, together with `next`.
 * @param error                Called with the error. May be NULL, together with its signature. An error that does not
 *                             fit goes to the log.
 * @param error_signature      Best `(text) -> void`, which accepts every error. May be NULL, together with `error`.
 * @param completed            Called without values. May be NULL, together with its signature.
 * @param completed_signature  May be NULL, together with `completed`.
 */
SGK_API SGK_OWNED sgk_disposable *sgk_signal_start_typed(
    sgk_signal *signal, sgk_function next, sgk_signature *next_signature,
    sgk_function error, sgk_signature *error_signature, sgk_function completed, sgk_signature *completed_signature,
    void *context, sgk_destroy_fn destroy);

/* ---- Operators: each is the ordinary one with a function of a natural signature ----
 * The function (`map`, `filter`, `f`, `equal`, `reduce`, `until`, `predicate`, `key`, `generator`, `retry_on_error`,
 * `when`) takes the place of the callback of the same name. All other arguments are as there. Those have no typed form
 * whose function says more than one thing at once (compact_map, transform, try_map, try_filter, restart_or_map_error),
 * emits itself (reduce_left_emitting), is one of two with the same context (map_to_signal_per, grouped_by), or is given
 * no value that would have a type (deferred, before_started, before_completed, after_completed, after_disposed,
 * accumulating_loop). */

/** sgk_signal_map. The function must have a result. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map_typed(
    sgk_signal *signal, sgk_function map, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_filter. The result is a `bool` or an integer, of which 0 means no. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_filter_typed(
    sgk_signal *signal, sgk_function filter, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_map_error: the function gets the error. It must have a result. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map_error_typed(
    sgk_signal *signal, sgk_function map, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_before_next. A result is dropped. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_before_next_typed(
    sgk_signal *signal, sgk_function f, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_after_next. A result is dropped. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_after_next_typed(
    sgk_signal *signal, sgk_function f, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_distinct_until_changed_by: the function gets the last value that passed and the new one, and says by a
 * `bool` or an integer whether they count as the same. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_distinct_until_changed_by_typed(
    sgk_signal *signal, sgk_function equal, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_reduce_left: the function gets the accumulated value (at first `initial`) and the value, and returns the
 * new accumulated value. With more than two parameters those after the first get the items of the value, an array. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_reduce_left_typed(sgk_signal *signal, sgk_value initial, sgk_function reduce,
    sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_scan: the function is as that of sgk_signal_reduce_left_typed, beginning with `initial`. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_scan_typed(
    sgk_signal *signal, sgk_value initial, sgk_function reduce, sgk_signature *signature, void *context,
    sgk_destroy_fn destroy);

/** sgk_signal_take_until: the result is an integer, a `sgk_take_action` (as `i32`). */
SGK_API SGK_OWNED sgk_signal *sgk_signal_take_until_typed(
    sgk_signal *signal, sgk_function until, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_take_while. The result is a `bool` or an integer, of which 0 means no. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_take_while_typed(
    sgk_signal *signal, sgk_function filter, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_skip_while. The result is a `bool` or an integer, of which 0 means no. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_skip_while_typed(
    sgk_signal *signal, sgk_function filter, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_map_to_signal: the result is a `ptr`, a `sgk_signal *` which becomes the library's. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map_to_signal_typed(
    sgk_signal *signal, sgk_function map, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_map_to_queue: the result is a `ptr`, a `sgk_signal *` which becomes the library's. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map_to_queue_typed(
    sgk_signal *signal, sgk_function map, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_catch: the function gets the error; the result is a `ptr`, a `sgk_signal *` which becomes the
 * library's. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_catch_typed(
    sgk_signal *signal, sgk_function f, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_retry_if: the function gets the error; the result is a `bool` or an integer. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_retry_if_typed(
    sgk_signal *signal, sgk_function predicate, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_combine_latest_map: a function of `count` parameters, each of which gets the latest value of its signal. It must
 * have a result. `queue` may be NULL. */
SGK_API SGK_OWNED sgk_signal *sgk_combine_latest_typed(sgk_signal *const *sources, size_t count, sgk_function map,
    sgk_signature *signature, void *context, sgk_destroy_fn destroy, sgk_queue *queue);

/** sgk_signal_map_to_merged, also as to `limit`, `waiting`, `overflow`, `error` and `counter`: the result is a `ptr`, a
 * `sgk_signal *` which becomes the library's. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map_to_merged_typed(
    sgk_signal *signal, int64_t limit, int64_t waiting, sgk_overflow overflow, sgk_value error,
        sgk_overflow_counter *counter, sgk_function map,
    sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_map_to_first: the result is a `ptr`, a `sgk_signal *` which becomes the library's. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map_to_first_typed(
    sgk_signal *signal, sgk_function map, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_with_latest_from_map: a function of two parameters, the value and the latest one of `other`. It must have
 * a result. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_with_latest_from_typed(
    sgk_signal *signal, sgk_signal *other, sgk_function map, sgk_signature *signature, void *context,
        sgk_destroy_fn destroy);

/** sgk_zip_map, also as to `limit`, `overflow`, `error` and `counter`: a function of `count` parameters, each of which
 * gets a value of its signal. It must have a result. */
SGK_API SGK_OWNED sgk_signal *sgk_zip_typed(
    sgk_signal *const *sources, size_t count, int64_t limit, sgk_overflow overflow, sgk_value error,
        sgk_overflow_counter *counter, sgk_function map,
    sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_before_error: the function gets the error. A result is dropped. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_before_error_typed(
    sgk_signal *signal, sgk_function f, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_distinct_by, also as to `limit`, `overflow`, `error` and `counter`: the function must have a result, the
 * key. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_distinct_by_typed(sgk_signal *signal, int64_t limit, sgk_overflow overflow,
    sgk_value error, sgk_overflow_counter *counter, sgk_function key, sgk_signature *signature, void *context,
    sgk_destroy_fn destroy);

/** sgk_signal_map_to_throttled: the result is a `ptr`, a `sgk_signal *` which becomes the library's. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map_to_throttled_typed(
    sgk_signal *signal, sgk_function map, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_reduce_left_generator: the function gets what that of sgk_signal_reduce_left_typed does, beginning with
 * `initial`; the result is a `ptr`, a `sgk_signal *` which becomes the library's. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_reduce_left_generator_typed(sgk_signal *signal, sgk_value initial,
    sgk_function generator, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** sgk_signal_retry_on_error, also as to `delay_increment`, `max_delay`, `max_retries`, `reset_on_value` and `queue`:
 * the function gets the error; the result is a `bool` or an integer, of which 0 means no. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_retry_on_error_typed(
    sgk_signal *signal, double delay_increment, double max_delay,
    int64_t max_retries, bool reset_on_value, sgk_function retry_on_error, sgk_signature *signature, void *context,
    sgk_destroy_fn destroy, sgk_queue *queue);

/** sgk_signal_retry_when: the function gets the error and the number of the attempt, an int; the result is a `ptr`, a
 * `sgk_signal *` which becomes the library's. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_retry_when_typed(
    sgk_signal *signal, sgk_function when, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

SGK_END

#endif
