// Package foreign makes signals with objects that are not Go's, for tests. (A test file cannot use cgo.)
package foreign

// #cgo pkg-config: signalkit
// #include <signalkit.h>
// static const sgk_object_type other = {.size = sizeof other, .name = "Other"};
// static sgk_value object(void) { return sgk_give(sgk_object((void *)5, &other)); }
// static sgk_signal *just(void) { return sgk_signal_just(object()); }
// static sgk_signal *fail(void) { return sgk_signal_fail(object()); }
// static sgk_signal *fail_from(void) { return sgk_signal_fail(sgk_give(sgk_error_from(3, "outer", object()))); }
import "C"
import "unsafe"

// Just returns a signal that emits such an object.
func Just() unsafe.Pointer { return unsafe.Pointer(C.just()) }

// Fail returns a signal that fails with such an object.
func Fail() unsafe.Pointer { return unsafe.Pointer(C.fail()) }

// FailFrom returns a signal that fails with an error that such an object has caused.
func FailFrom() unsafe.Pointer { return unsafe.Pointer(C.fail_from()) }
