/** @file
 * Typed callbacks: functions of any natural signature as subscribers and operators.
 *
 *     static double celsius(double fahrenheit) { return (fahrenheit - 32) / 1.8; }
 *
 *     SGK_AUTO(sgk_signal) degrees =
 *         sgk_signal_map_typed(source, SGK_TYPED(celsius, "(f64) -> f64"), NULL, NULL);
 *
 * # Conversion of values and results
 *
 * | type | C | a parameter accepts | a result is |
 * | --- | --- | --- | --- |
 * | `bool` | `bool` | a bool | a bool |
 * | `i8` `i16` `i32` `i64` | `int8_t` … | an int within the range | an int |
 * | `u8` `u16` `u32` `u64` | `uint8_t` … | an int within the range | an int; a u64 above INT64_MAX is an error |
 * | `f64` | `double` | a double; an int that a double can hold exactly | a double |
 * | `f32` | `float` | the same, rounded to the nearest float; beyond FLT_MAX is an error | a double |
 * | `ptr` | `void *` | a pointer; bytes (their address, for the call); null as NULL | a pointer |
 * | `cstr` | `const char *` | a string without a NUL inside, for the call; null as NULL | a copy, or null for NULL |
 * | `text` | `const char *` | any value, as sgk_value_describe writes it, for the call | like `cstr` |
 * | `value` | `sgk_value` | any value, borrowed | that value, which becomes the library's; or sgk_failed(error) |
 * | `ctx` | `void *` | no value: it receives the context of the registration | – |
 * | `void` | `void` | – | null |
 *
 * No value is truncated silently. If a value does not fit the signature, the subscription fails. The error has the code
 * SGK_ERROR_KIND. Its text names the function and the parameter and explains the reason. A result of the type `value`
 * may be sgk_failed(error). The other outcomes, such as sgk_dropped(), fail the subscription, too: use the plain
 * operator for them. If a signature cannot fit an operator, the
 * function that creates the operator fails.
 *
 * A function with one parameter receives the value. A function with several parameters receives the items of an array
 * with the same number of items. A function without parameters is called for every value. `ctx` does not count.
 *
 * The context, `destroy` and threads are the same as in the plain operator. A NULL `signature` is an error, and keeps
 * the last error of sgk_signature_create or sgk_signature_shared.
 *
 * Warning: the type of the function must match the signature. The library cannot check it.
 *
 * Include this header by name: signalkit.h does not include it.
 * @since 1.0
 */
#ifndef SIGNALKIT_TYPED_H
#define SIGNALKIT_TYPED_H

#include "operators.h"

SGK_BEGIN

/** A compiled signature. It is immutable. Any number of registrations may use it, and release it afterwards. */
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

/** Returns the signature of a text, which all callers of the same text share.
 *
 * It fails like sgk_signature_create. SGK_TYPED calls it. Use sgk_signature_create for texts that the program composes,
 * because a shared signature is never freed.
 *
 * Ownership: the signature lives as long as the process. To retain or release it does nothing.
 */
SGK_API sgk_signature *sgk_signature_shared(const char *text);

/** Returns the number of values that a function of this signature receives: its parameters without `ctx`.
 *
 * @return  0 if `signature` is NULL.
 */
SGK_API size_t sgk_signature_arity(sgk_signature *signature);

/** Reports whether calls use libffi.
 *
 * On x86-64 and ARM64 calls do not use it if all arguments fit into registers. There is space for eight of `f64` and
 * `f32`, and for six (ARM64: eight) of the other types. A `value` counts twice. On other processors all calls use it.
 */
SGK_API bool sgk_signature_uses_libffi(sgk_signature *signature);

/** A function of any type. Its signature describes how it is called. */
typedef void (*sgk_function)(void);

/** Casts a function to sgk_function. */
#define SGK_FUNCTION(function) ((sgk_function)(function))

/** Passes a function with its signature: `SGK_STAGE(map_typed, s, SGK_TYPED(celsius, "(f64) -> f64"), NULL, NULL)`. */
#define SGK_TYPED(function, signature) SGK_FUNCTION(function), sgk_signature_shared(signature)

/* ---- Starting ---- */

/** Starts a subscription like sgk_signal_start, with functions of natural signatures.
 *
 * All functions receive the same context. Their results are dropped, but sgk_failed as a result of `next` fails the
 * subscription. So does a value that does not fit `next`.
 *
 * @param next                 Called with each value. May be NULL, together with its signature.
 * @param next_signature       May be NULL, together with `next`.
 * @param error                Called with the error. May be NULL, together with its signature. An error that does not
 *                             fit goes to the log.
 * @param error_signature      Best `(text) -> void`, which accepts every error. May be NULL, together with `error`.
 * @param completed            Called without values. May be NULL, together with its signature.
 * @param completed_signature  May be NULL, together with `completed`.
 */
SGK_API SGK_OWNED sgk_disposable *sgk_signal_start_typed(sgk_signal *signal, sgk_function next,
    sgk_signature *next_signature, sgk_function error, sgk_signature *error_signature, sgk_function completed,
    sgk_signature *completed_signature, void *context, sgk_destroy_fn destroy);

/* ---- Operators ----
 * Each is like the plain operator, but has a function of a natural signature instead of the callback. The function is
 * the parameter `map`, `filter`, `f`, `equal`, `reduce`, `until`, `predicate`, `key` or
 * `generator`. All other parameters have the same meaning as in the plain operator.
 *
 * "Returns a truth value" means a `bool`, or an integer that is 0 for false. "Returns a signal" means a `ptr` to a
 * sgk_signal, which becomes the library's.
 *
 * Some operators have no typed form. switch_map_per and group_by have two
 * functions with one context. The function of retry is a field of its policy. The functions of deferred,
 * before_started, before_completed, after_completed, after_disposed and accumulating_loop receive no typed value. */

/** Like sgk_signal_map. `map` must have a result. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map_typed(
    sgk_signal *signal, sgk_function map, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_signal_filter. `filter` returns a truth value. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_filter_typed(
    sgk_signal *signal, sgk_function filter, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_signal_map_error. `map` receives the error and must have a result. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map_error_typed(
    sgk_signal *signal, sgk_function map, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_signal_before_next. A result of `f` is dropped. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_before_next_typed(
    sgk_signal *signal, sgk_function f, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_signal_after_next. A result of `f` is dropped. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_after_next_typed(
    sgk_signal *signal, sgk_function f, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_signal_distinct_until_changed_by. `equal` receives the last value that passed and the new value, and
 * returns
 * a truth value. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_distinct_until_changed_by_typed(
    sgk_signal *signal, sgk_function equal, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_signal_reduce. `reduce` receives the accumulated value and the new value, and returns the next
 * accumulated value.
 *
 * If `reduce` has more than two parameters, the new value must be an array, and its items are the further arguments.
 *
 * @param initial  As in sgk_signal_reduce.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_reduce_typed(sgk_signal *signal, sgk_value initial, sgk_function reduce,
    sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_signal_scan. `reduce` is called as in sgk_signal_reduce_typed.
 *
 * @param initial  As in sgk_signal_scan.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_scan_typed(sgk_signal *signal, sgk_value initial, sgk_function reduce,
    sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_signal_take_while. `filter` returns a truth value. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_take_while_typed(
    sgk_signal *signal, sgk_function filter, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_signal_skip_while. `filter` returns a truth value. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_skip_while_typed(
    sgk_signal *signal, sgk_function filter, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_signal_switch_map. `map` returns a signal. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_switch_map_typed(
    sgk_signal *signal, sgk_function map, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_signal_concat_map. `map` returns a signal. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_concat_map_typed(
    sgk_signal *signal, sgk_function map, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_signal_catch. `f` receives the error and returns a signal. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_catch_typed(
    sgk_signal *signal, sgk_function f, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_combine_latest_map. `map` has `count` parameters, which receive the latest values of the signals. It must
 * have a result.
 *
 * @param queue  As in sgk_combine_latest.
 */
SGK_API SGK_OWNED sgk_signal *sgk_combine_latest_typed(sgk_signal *const *sources, size_t count, sgk_function map,
    sgk_signature *signature, void *context, sgk_destroy_fn destroy, sgk_queue *queue);

/** Like sgk_signal_merge_map, also in `limit` and `waiting`. `map` returns a signal. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_merge_map_typed(sgk_signal *signal, int64_t limit, const sgk_bound *waiting,
    sgk_function map, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_signal_exhaust_map. `map` returns a signal. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_exhaust_map_typed(
    sgk_signal *signal, sgk_function map, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_signal_with_latest_from_map. `map` has two parameters, which receive the value and the latest value of
 * `other`. It must have a result. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_with_latest_from_typed(sgk_signal *signal, sgk_signal *other, sgk_function map,
    sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_zip_map, also in `bound`. `map` has `count` parameters, which receive the values of the signals. It must
 * have a result. */
SGK_API SGK_OWNED sgk_signal *sgk_zip_typed(sgk_signal *const *sources, size_t count, const sgk_bound *bound,
    sgk_function map, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_signal_before_error. `f` receives the error. Its result is dropped, but sgk_failed replaces the error. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_before_error_typed(
    sgk_signal *signal, sgk_function f, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_signal_distinct_by, also in `bound`. The result of `key` is the key. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_distinct_by_typed(sgk_signal *signal, const sgk_bound *bound, sgk_function key,
    sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_signal_concat_map_latest. `map` returns a signal. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_concat_map_latest_typed(
    sgk_signal *signal, sgk_function map, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

/** Like sgk_signal_reduce_generator. `generator` is called as in sgk_signal_reduce_typed and returns a
 * signal.
 *
 * @param initial  As in sgk_signal_reduce_generator.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_reduce_generator_typed(sgk_signal *signal, sgk_value initial,
    sgk_function generator, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

SGK_END

#endif
