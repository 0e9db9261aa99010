/** @file
 * The C header without warnings, and the parts of the C library that these headers use under another name.
 */
#ifndef SIGNALKIT_CPP_LIBRARY_HPP
#define SIGNALKIT_CPP_LIBRARY_HPP

#if defined(__clang__) // the warnings of the program are about the program
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#elif defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#include "../all.h"
#if defined(__clang__)
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

/** The inline namespace of these headers. Two shared objects with different versions of the headers, or with and
 * without exceptions, do not share their functions. */
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#define SGK_CPP_EXCEPTIONS 1
#define SGK_CPP_VERSION v1
#else
#define SGK_CPP_EXCEPTIONS 0
#define SGK_CPP_VERSION v1_no_exceptions
#endif

/** Begins and ends the declarations of a header. Its code is clean under -Weverything, except for captures that have
 * the name of the captured variable, arrays of C, casts of functions, and classes without a source file. */
#if defined(__clang__)
#define SGK_CPP_BEGIN \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wunknown-warning-option\"") \
        _Pragma("clang diagnostic ignored \"-Wshadow-uncaptured-local\"") \
            _Pragma("clang diagnostic ignored \"-Wunsafe-buffer-usage\"") \
                _Pragma("clang diagnostic ignored \"-Wunsafe-buffer-usage-in-libc-call\"") \
                    _Pragma("clang diagnostic ignored \"-Wcast-function-type-strict\"") \
                        _Pragma("clang diagnostic ignored \"-Wnrvo\"") \
                            _Pragma("clang diagnostic ignored \"-Wweak-vtables\"") namespace sgk { \
        inline namespace SGK_CPP_VERSION {
#define SGK_CPP_END \
    } \
    } \
    _Pragma("clang diagnostic pop")
#else
#define SGK_CPP_BEGIN \
    namespace sgk { \
    inline namespace SGK_CPP_VERSION {
#define SGK_CPP_END \
    } \
    }
#endif

#if defined(__GNUC__)
#define SGK_CPP_INLINE [[gnu::always_inline]] inline
#define SGK_CPP_COLD [[gnu::cold, gnu::noinline]]
#else
#define SGK_CPP_INLINE inline
#define SGK_CPP_COLD
#endif

SGK_CPP_BEGIN
namespace library {

// ---- Objects: a Box has static functions name, release, equal, hash ----

#if defined(__GNUC__)
#define SGK_CPP_SHARED __attribute__((visibility("default")))
#else
#define SGK_CPP_SHARED
#endif

/** The objects of one type. It has one address in all shared objects of a process, unless `Box` is hidden. */
template <class Box>
class SGK_CPP_SHARED objects {
public:
    static sgk_value make(Box *box) noexcept { return sgk_object(box, &type()); }
    static bool matches(sgk_value v) noexcept { return v.kind == SGK_OBJECT && at(v) != nullptr; }
    static Box *at(sgk_value v) noexcept { return static_cast<Box *>(sgk_to_object(v, &type())); }

private:
    static const sgk_object_type &type() noexcept {
        static const sgk_object_type only = {
            sizeof(sgk_object_type), Box::name(), nullptr, Box::release, Box::equal, Box::hash, nullptr};
        return only;
    }
};

// ---- Links, native callbacks ----

/** Returns the number of arguments of a signature, or SIZE_MAX after an error. */
inline std::size_t arity(const char *text) noexcept {
    sgk_signature *signature = sgk_signature_create(text);
    const std::size_t count = signature ? sgk_signature_arity(signature) : SIZE_MAX;
    sgk_signature_release(signature);
    return count;
}
inline sgk_callback *make_callback(
    const char *text, sgk_value result, sgk_map_array_fn handler, void *context, sgk_destroy_fn destroy) noexcept {
    sgk_signature *signature = sgk_signature_create(text);
    sgk_callback *made = sgk_callback_create(signature, result, handler, context, destroy);
    sgk_signature_release(signature);
    return made;
}

} // namespace library
SGK_CPP_END

#endif
