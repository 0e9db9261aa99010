package signalkit

// #include "bridge.h"
import "C"

import (
	"log"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"unsafe"
)

// receiver is the functions of one registration, which the library knows by a number. Nothing that happens in them
// unwinds into the library.
type receiver struct {
	name                        string
	call, second, third, fourth any
	// Fails the subscription if there is no other way: see guarded.
	pipe *C.sgk_pipe
	// Called before the call returns that it was given to; that returns the error.
	immediate bool
	err       error
}

// register gives the context of a receiver, until the library destroys that.
func register(r *receiver) C.uintptr_t { return C.uintptr_t(receivers.add(r)) }

func receiverOf(context C.uintptr_t) *receiver { return receivers.get(uintptr(context)).(*receiver) }

//export goDestroy
func goDestroy(context C.uintptr_t) {
	r := receiverOf(context)
	receivers.remove(uintptr(context))
	if r.pipe != nil {
		C.sgk_release(unsafe.Pointer(r.pipe))
	}
}

// fail says that a function has failed whose result says nothing.
func (r *receiver) fail(err error) {
	switch {
	case r.immediate:
		r.caught(err)
	case r.pipe != nil:
		C.sgk_pipe_error(r.pipe, give(err))
	case err != ErrGoexit: // of that goneFor tells
		report(r.name, err)
	}
}

// caught receives the error of a function.
func (r *receiver) caught(err error) error {
	if r.err == nil && r.immediate {
		r.err = err
	}
	return err
}

func emitError(subscriber *C.sgk_subscriber, err error) {
	C.sgk_subscriber_error(subscriber, give(err))
}

// left returns an error for the way in which a function exited, and a function to call after the library was notified.
func left(reason any, r *receiver) (err error, gone func()) {
	gone = func() {}
	switch reason := reason.(type) {
	case nil:
		exits, ours := goexit()
		if !exits {
			return &PanicError{nil, debug.Stack()}, gone // panic(nil)
		}
		return ErrGoexit, func() { r.goneFor(ours) }
	case error:
		return reason, gone
	}
	return &PanicError{reason, debug.Stack()}, gone
}

// goexit says whether the function has called runtime.Goexit, and whether a goroutine of the program's did.
func goexit() (exits, ours bool) {
	callers := make([]uintptr, 1<<16)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		exits = exits || frame.Function == "runtime.Goexit"
		ours = ours || strings.Contains(frame.Function, "._Cfunc_")
	}
	return
}

// goneFor ends a function that will not return, because Go does not allow anybody to cancel Goexit. A goroutine of the
// program ends, and the library's frames on its stack are lost (SGK_ERROR_LEFT in docs/conventions.md). A thread of the
// library must not end, and blocks permanently.
func (r *receiver) goneFor(ours bool) {
	report(r.name, ErrGoexit)
	if failed, ok := r.second.(func(C.sgk_value)); ok {
		raw := encode(ErrGoexit)
		failed(raw)
		C.sgk_value_release(raw)
	}
	if !ours {
		select {}
	}
}

// ---- Errors that no signal can deliver ----

var unheard atomic.Value // func(string, error)

// OnUnheard sets the receiver of errors that no signal can deliver: from a function for errors, from work of a queue,
// from a subscription that has ended. Nil: they are logged, which is the default.
func OnUnheard(f func(operation string, err error)) {
	if f == nil {
		f = func(operation string, err error) { log.Printf("signalkit: %s: %v", operation, err) }
	}
	unheard.Store(f)
}

func init() { OnUnheard(nil) }

func report(operation string, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			log.Printf("signalkit: %s: %v; and OnUnheard's function has panicked: %v", operation, err, reason)
		}
	}()
	unheard.Load().(func(string, error))(operation, err)
}

// OnUnhandledError sets the receiver of errors of subscriptions without a function for errors. It also receives the
// name from Named. Nil: the library logs them.
func OnUnhandledError(f func(err error, name string)) {
	if f == nil {
		C.sgk_set_unhandled_error_handler(nil, nil, nil)
		return
	}
	C.call_set_unhandled_error_handler(register(&receiver{name: "OnUnhandledError",
		call: func(value C.sgk_value, name *C.char) { f(decodeError(value), C.GoString(name)) }}))
}

// OnLog sets the receiver of the library's messages. Nil: they go to stderr.
func OnLog(f func(message string)) {
	if f == nil {
		C.sgk_set_log_handler(nil, nil, nil)
		return
	}
	C.call_set_log_handler(register(&receiver{name: "OnLog", call: func(text *C.char) { f(C.GoString(text)) }}))
}

// ---- Signals created with functions ----

// withCallback makes a signal with a function, given as what its entry calls.
func withCallback[U any](operation string, function any, make func(c *call, context C.uintptr_t) *C.sgk_signal) *Signal[U] {
	if function == nil {
		return noFunction[U](operation)
	}
	return made[U](operation, func(c *call) *C.sgk_signal {
		return make(c, register(&receiver{name: operation, call: function}))
	})
}

// guarded creates a signal with a function that cannot report a failure. Each subscription creates the operator again,
// with a pipe that fails the subscription.
func guarded[U any](operation string, function any, make func(c *call, context C.uintptr_t) *C.sgk_signal) *Signal[U] {
	return guardedReceiver[U](operation, receiver{name: operation, call: function}, make)
}

func guardedReceiver[U any](operation string, functions receiver,
	make func(c *call, context C.uintptr_t) *C.sgk_signal) *Signal[U] {
	if functions.call == nil {
		return noFunction[U](operation)
	}
	probe := made[U](operation, func(c *call) *C.sgk_signal { // whether the arguments are right
		r := functions
		return make(c, register(&r))
	})
	if probe.err != nil {
		return probe
	}
	probe.Close()
	deferred := func() *C.sgk_signal {
		r := functions
		r.pipe = C.sgk_pipe_create()
		failures := C.sgk_pipe_signal(r.pipe)
		defer C.sgk_release(unsafe.Pointer(failures))
		c := &call{operation: operation}
		defer c.done()
		signal := make(c, register(&r))
		defer C.sgk_release(unsafe.Pointer(signal))
		if signal == nil && c.err == nil {
			c.err = refusal()
		}
		if c.err != nil {
			return failing(c.err)
		}
		return C.sgk_signal_take_until(signal, failures)
	}
	return withCallback[U](operation, deferred, func(c *call, context C.uintptr_t) *C.sgk_signal {
		return C.call_signal_deferred(context)
	})
}

// given is what a function returns where a signal is wanted, as the library takes it.
func given(s AnySignal) *C.sgk_signal {
	if missing(s) {
		return nil
	}
	c := &call{operation: "a signal that was returned"}
	defer c.done()
	pointer := c.signal(s)
	if c.err != nil {
		return failing(c.err)
	}
	return (*C.sgk_signal)(C.sgk_retain(unsafe.Pointer(pointer)))
}

// ---- Functions of Go's as what entries call; nil of nil ----

func mapCall[T, U any](operation string, f func(T) U) any {
	if f == nil {
		return nil
	}
	return func(value C.sgk_value) C.sgk_value { return encode(f(decode[T](operation, value))) }
}

func nextCall[T any](operation string, f func(T)) any {
	if f == nil {
		return nil
	}
	return func(value C.sgk_value) { f(decode[T](operation, value)) }
}

func actionCall(operation string, f func()) any {
	if f == nil {
		return nil
	}
	return f
}

func completedCall(operation string, f func()) any { return actionCall(operation, f) }

func errorCall(operation string, f func(error)) any {
	if f == nil {
		return nil
	}
	return func(value C.sgk_value) { f(decodeError(value)) }
}

func errorMapCall(operation string, f func(error) error) any {
	if f == nil {
		return nil
	}
	return func(value C.sgk_value) C.sgk_value { return encode(f(decodeError(value))) }
}

func predicateCall[T any](operation string, f func(T) bool) any {
	if f == nil {
		return nil
	}
	return func(value C.sgk_value) C.bool { return C.bool(f(decode[T](operation, value))) }
}

func errorPredicateCall(operation string, f func(error) bool) any {
	if f == nil {
		return nil
	}
	return func(value C.sgk_value) C.bool { return C.bool(f(decodeError(value))) }
}

func equalCall[T any](operation string, f func(last, value T) bool) any {
	if f == nil {
		return nil
	}
	return func(last, value C.sgk_value) C.bool {
		return C.bool(f(decode[T](operation, last), decode[T](operation, value)))
	}
}

func reduceCall[T, A any](operation string, f func(A, T) A) any {
	if f == nil {
		return nil
	}
	return func(accumulated, value C.sgk_value) C.sgk_value {
		return encode(f(decode[A](operation, accumulated), decode[T](operation, value)))
	}
}

func signalCall[T, U any](operation string, f func(T) *Signal[U]) any {
	if f == nil {
		return nil
	}
	return func(value C.sgk_value) *C.sgk_signal { return given(f(decode[T](operation, value))) }
}

func catchCall[T any](operation string, f func(error) *Signal[T]) any {
	if f == nil {
		return nil
	}
	return func(value C.sgk_value) *C.sgk_signal { return given(f(decodeError(value))) }
}

func deferredCall[T any](operation string, f func() *Signal[T]) any {
	if f == nil {
		return nil
	}
	return func() *C.sgk_signal { return given(f()) }
}

func retryCall(operation string, f func(error, int) AnySignal) any {
	if f == nil {
		return nil
	}
	return func(value C.sgk_value, failures C.int64_t) *C.sgk_signal {
		trigger := f(decodeError(value), int(failures))
		if trigger == nil {
			return nil
		}
		return given(trigger)
	}
}

func arrayCall[T, R any](operation string, f func([]T) R) any {
	if f == nil {
		return nil
	}
	return func(values *C.sgk_value, count C.size_t) C.sgk_value {
		list := make([]T, count)
		for i, value := range unsafe.Slice(values, int(count)) {
			list[i] = decode[T](operation, value)
		}
		return encode(f(list))
	}
}

func pairCall[T, U, R any](operation string, f func(T, U) R) any {
	if f == nil {
		return nil
	}
	return func(values *C.sgk_value, count C.size_t) C.sgk_value {
		two := unsafe.Slice(values, 2)
		return encode(f(decode[T](operation, two[0]), decode[U](operation, two[1])))
	}
}

// transformCall is a transformation: a value, whether that is emitted, or an error.
func transformCall[T, U any](operation string, f func(T) (U, bool, error)) any {
	return func(value C.sgk_value) C.sgk_value {
		result, passes, err := f(decode[T](operation, value))
		switch {
		case err != nil:
			return failed(err)
		case !passes:
			return C.sgk_value{reserved: C.SGK_OUTCOME_DROPPED}
		}
		return encode(result)
	}
}

// watchCall is a transformation that changes nothing: it passes a value, or drops it, or fails.
func watchCall[T any](operation string, f func(T) (bool, error)) any {
	return func(value C.sgk_value) C.sgk_value {
		passes, err := f(decode[T](operation, value))
		switch {
		case err != nil:
			return failed(err)
		case !passes:
			return C.sgk_value{reserved: C.SGK_OUTCOME_DROPPED}
		}
		return C.sgk_value{reserved: C.SGK_OUTCOME_UNCHANGED}
	}
}
