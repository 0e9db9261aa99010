/* The typed operators that take a signal and a function alone. */
#include "SignalKitTyped.h"
#include "signalkit.h"
#include "signalkit/typed.h"

/* TypedOperators.swift has them all. */
sgk_signal *sgk_support_typed_operator(sgk_typed_operator kind, const char *name, const char *argument,
    sgk_signal *signal, sgk_function f, sgk_signature *signature, void *context, sgk_destroy_fn destroy);

#define TYPED(operator, argument) \
    sgk_signal *sgk_signal_##operator##_typed( \
        sgk_signal *signal, sgk_function f, sgk_signature *signature, void *context, sgk_destroy_fn destroy) { \
        return sgk_support_typed_operator( \
            SGK_TYPED_##operator, "sgk_signal_" #operator"_typed", #argument, signal, f, signature, context, destroy); \
    }
SGK_TYPED_OPERATOR_MAP(TYPED)
