// Package signalkit is SignalKit for Go, by cgo.
//
// A function of Go may be called on any thread, so stages call theirs on the thread that emits. The context of a callback is a cgo.Handle, which is
// deleted when the library lets go of it. What a function returns as an error, or panics with, is an event: the error that ends the run.
package signalkit

/*
#cgo pkg-config: signalkit
#include <signalkit.h>
#include <stdlib.h>

// A context is a number in Go, which must not take it for a pointer.
bool goCall(uintptr_t context, sgk_value value, sgk_value *event);
void goError(uintptr_t context, sgk_value error);
void goCompleted(uintptr_t context);
void goDestroy(uintptr_t context);

static bool call(void *context, sgk_value value, sgk_value *event) { return goCall((uintptr_t)context, value, event); }
static void failed(void *context, sgk_value error) { goError((uintptr_t)context, error); }
static void completed(void *context) { goCompleted((uintptr_t)context); }
static void destroy(void *context) { goDestroy((uintptr_t)context); }

static sgk_signal *compact_map(sgk_signal *signal, uintptr_t context) {
    return sgk_signal_compact_map(signal, call, (void *)context, destroy);
}
static sgk_disposable *start(sgk_signal *signal, uintptr_t context) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = (void *)context;
    handlers.destroy = destroy;
    handlers.error = failed;
    handlers.completed = completed;
    return sgk_signal_start(signal, &handlers);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/cgo"
	"sync"
	"time"
	"unsafe"
)

// handle is one reference to a handle of the library. It is released with the last use of it in Go.
type handle struct{ pointer unsafe.Pointer }

func owning(pointer unsafe.Pointer) *handle {
	h := &handle{pointer}
	runtime.SetFinalizer(h, func(h *handle) { C.sgk_release(h.pointer) })
	return h
}

// with calls f with the pointer, which lives until it returns.
func with[R any](h *handle, f func(unsafe.Pointer) R) R {
	defer runtime.KeepAlive(h)
	return f(h.pointer)
}

// made calls make, which gives a handle, or none and a reason. The library keeps the reason per thread, and a goroutine may change its thread
// between two calls: so it is asked for here.
func made[P any](make func() *P) (*handle, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	pointer := make()
	if pointer == nil {
		return nil, errors.New(C.GoString(C.sgk_last_error()))
	}
	return owning(unsafe.Pointer(pointer)), nil
}

// ---- Values ----

// wrap makes a value, owned by the caller.
func wrap(value any) (C.sgk_value, error) {
	switch v := value.(type) {
	case nil:
		return C.sgk_make_null(), nil
	case bool:
		return C.sgk_make_bool(C.bool(v)), nil
	case int:
		return C.sgk_make_int(C.int64_t(v)), nil
	case int64:
		return C.sgk_make_int(C.int64_t(v)), nil
	case float64:
		return C.sgk_make_double(C.double(v)), nil
	case string:
		text := C.CString(v)
		defer C.free(unsafe.Pointer(text))
		return C.sgk_string_n(text, C.size_t(len(v))), nil
	}
	return C.sgk_make_null(), fmt.Errorf("a signal cannot carry a %T", value)
}

// unwrap reads a borrowed value. What has no counterpart comes as text.
func unwrap(value C.sgk_value) any {
	switch C.sgk_kind(value.kind) {
	case C.SGK_NULL:
		return nil
	case C.SGK_BOOL:
		return bool(C.sgk_get_bool(value))
	case C.SGK_INT:
		return int(C.sgk_get_int(value))
	case C.SGK_DOUBLE:
		return float64(C.sgk_get_double(value))
	case C.SGK_STRING:
		var length C.size_t
		data := C.sgk_value_data(value, &length)
		return C.GoStringN(data, C.int(length))
	}
	text := make([]byte, C.sgk_value_describe(value, nil, 0)+1)
	C.sgk_value_describe(value, (*C.char)(unsafe.Pointer(&text[0])), C.size_t(len(text)))
	return string(text[:len(text)-1])
}

// ---- Functions ----

// stage is called with a value, and stores what comes of it; the flag is whether that is a value at all.
type stage func(value any) (any, bool, error)

// ends are told of the end of a run.
type ends struct {
	failed    func(error)
	completed func()
}

func recovered(err *error) {
	if reason := recover(); reason != nil {
		*err = fmt.Errorf("%v", reason)
	}
}

//export goCall
func goCall(context C.uintptr_t, value C.sgk_value, event *C.sgk_value) C.bool {
	result, passes, err := func() (result any, passes bool, err error) {
		defer recovered(&err)
		return cgo.Handle(context).Value().(stage)(unwrap(value))
	}()
	if err == nil && !passes {
		return false
	}
	var raw C.sgk_value
	if err == nil {
		raw, err = wrap(result)
	}
	if err == nil {
		*event = C.sgk_event_make_next(raw)
	} else {
		raw, _ = wrap(err.Error())
		*event = C.sgk_event_make_error(raw)
	}
	C.sgk_value_release(raw)
	return true
}

//export goError
func goError(context C.uintptr_t, reason C.sgk_value) {
	cgo.Handle(context).Value().(ends).failed(fmt.Errorf("%v", unwrap(reason)))
}

//export goCompleted
func goCompleted(context C.uintptr_t) { cgo.Handle(context).Value().(ends).completed() }

//export goDestroy
func goDestroy(context C.uintptr_t) { cgo.Handle(context).Delete() }

// ---- Signals ----

// Signal is a cold stream of values of type T: bool, int, float64, string, or any. What was made with a bad argument has no handle but the reason:
// every operator passes it on, and Start returns it.
type Signal[T any] struct {
	handle *handle
	err    error
}

func signal[T any](make func() *C.sgk_signal) *Signal[T] {
	handle, err := made(make)
	return &Signal[T]{handle, err}
}

func derived[T, U any](s *Signal[T], f func(*C.sgk_signal) *C.sgk_signal) *Signal[U] {
	if s.err != nil {
		return &Signal[U]{nil, s.err}
	}
	return signal[U](func() *C.sgk_signal {
		return with(s.handle, func(p unsafe.Pointer) *C.sgk_signal { return f((*C.sgk_signal)(p)) })
	})
}

// Of emits the values inside the start, and completes.
func Of[T any](values ...T) *Signal[T] {
	singles := make([]*C.sgk_signal, len(values)+1) // one more, so that there is a first
	for i, value := range values {
		raw, err := wrap(value)
		if err != nil {
			return &Signal[T]{nil, err}
		}
		singles[i] = C.sgk_signal_single(raw)
		C.sgk_value_release(raw)
		defer C.sgk_signal_release(singles[i])
	}
	return signal[T](func() *C.sgk_signal { return C.sgk_merge_signals(&singles[0], C.size_t(len(values))) })
}

// Fail ends with an error.
func Fail[T any](message string) *Signal[T] {
	raw, _ := wrap(message)
	defer C.sgk_value_release(raw)
	return signal[T](func() *C.sgk_signal { return C.sgk_signal_fail(raw) })
}

func compactMap[T, U any](s *Signal[T], f func(T) (U, bool, error)) *Signal[U] {
	call := stage(func(value any) (any, bool, error) {
		v, fits := value.(T)
		if !fits {
			return nil, false, fmt.Errorf("a value is of the type %T, not %T", value, v)
		}
		return f(v)
	})
	return derived[T, U](s, func(p *C.sgk_signal) *C.sgk_signal {
		events := C.compact_map(p, C.uintptr_t(cgo.NewHandle(call)))
		defer C.sgk_signal_release(events)
		return C.sgk_signal_from_events(events)
	})
}

// Map emits what f makes of each value; an error of f ends the run.
func Map[T, U any](s *Signal[T], f func(T) (U, error)) *Signal[U] {
	return compactMap(s, func(value T) (U, bool, error) {
		result, err := f(value)
		return result, true, err
	})
}

// Filter passes the values for which f is true.
func (s *Signal[T]) Filter(f func(T) bool) *Signal[T] {
	return compactMap(s, func(value T) (T, bool, error) { return value, f(value), nil })
}

// Take passes the first values, then completes.
func (s *Signal[T]) Take(count int) *Signal[T] {
	return derived[T, T](s, func(p *C.sgk_signal) *C.sgk_signal { return C.sgk_signal_take(p, C.int64_t(count)) })
}

// Then goes on with another signal at the end.
func (s *Signal[T]) Then(next *Signal[T]) *Signal[T] {
	if next.err != nil {
		return next
	}
	return derived[T, T](s, func(p *C.sgk_signal) *C.sgk_signal {
		return with(next.handle, func(n unsafe.Pointer) *C.sgk_signal { return C.sgk_signal_then(p, (*C.sgk_signal)(n)) })
	})
}

// RunOn starts the source on the queue.
func (s *Signal[T]) RunOn(queue *Queue) *Signal[T] {
	return derived[T, T](s, func(p *C.sgk_signal) *C.sgk_signal {
		return with(queue.handle, func(q unsafe.Pointer) *C.sgk_signal { return C.sgk_signal_run_on(p, (*C.sgk_queue)(q)) })
	})
}

// ---- Runs ----

// Subscription is a run. Closing it ends it.
type Subscription struct{ handle *handle }

// Start calls next with each value, on the thread that emits; a panic of it ends the run, and failed is told.
func (s *Signal[T]) Start(next func(T), failed func(error), completed func()) (*Subscription, error) {
	receiving := compactMap(s, func(value T) (any, bool, error) {
		next(value)
		return nil, false, nil
	})
	if receiving.err != nil {
		return nil, receiving.err
	}
	run, err := made(func() *C.sgk_disposable {
		return with(receiving.handle, func(p unsafe.Pointer) *C.sgk_disposable {
			return C.start((*C.sgk_signal)(p), C.uintptr_t(cgo.NewHandle(ends{failed, completed})))
		})
	})
	if err != nil {
		return nil, err
	}
	return &Subscription{run}, nil
}

// Close disposes of the run. It may be called again.
func (s *Subscription) Close() {
	with(s.handle, func(p unsafe.Pointer) C.sgk_status { return C.sgk_disposable_dispose((*C.sgk_disposable)(p)) })
}

// Reader is a run whose values come out of a channel, which the source waits for; so it must not be on the goroutine that reads.
type Reader[T any] struct {
	C    <-chan T
	run  *Subscription
	err  error
	once sync.Once
	left chan struct{}
}

// Read starts the signal on the queue. The channel is closed at the end, or by Close.
func (s *Signal[T]) Read(queue *Queue) (*Reader[T], error) {
	values := make(chan T)
	r := &Reader[T]{C: values, left: make(chan struct{})}
	next := func(value T) {
		select {
		case values <- value:
		case <-r.left:
		}
	}
	failed := func(err error) {
		r.err = err
		close(values)
	}
	run, err := s.RunOn(queue).Start(next, failed, func() { close(values) })
	if err != nil {
		return nil, err
	}
	r.run = run
	return r, nil
}

// Err is the error that ended the run, if one did, once the channel is closed.
func (r *Reader[T]) Err() error { return r.err }

// Close leaves. It may be called at any time.
func (r *Reader[T]) Close() {
	r.once.Do(func() { close(r.left) })
	r.run.Close()
}

// ---- Pipes, queues ----

// Pipe is a source that is fed by hand.
type Pipe[T any] struct{ handle *handle }

// NewPipe makes a pipe. Closing it completes its signal.
func NewPipe[T any]() *Pipe[T] { return &Pipe[T]{owning(unsafe.Pointer(C.sgk_pipe_create()))} }

// Signal is what comes out.
func (p *Pipe[T]) Signal() *Signal[T] {
	return signal[T](func() *C.sgk_signal {
		return with(p.handle, func(h unsafe.Pointer) *C.sgk_signal { return C.sgk_pipe_signal((*C.sgk_pipe)(h)) })
	})
}

// Next puts a value in.
func (p *Pipe[T]) Next(value T) error {
	raw, err := wrap(value)
	if err == nil {
		with(p.handle, func(h unsafe.Pointer) C.sgk_status { return C.sgk_pipe_next((*C.sgk_pipe)(h), raw) })
		C.sgk_value_release(raw)
	}
	return err
}

// Close completes the signal.
func (p *Pipe[T]) Close() {
	with(p.handle, func(h unsafe.Pointer) C.sgk_status { return C.sgk_pipe_complete((*C.sgk_pipe)(h)) })
}

// Queue runs work in order, on threads of the library.
type Queue struct{ handle *handle }

// NewQueue makes a serial queue.
func NewQueue(name string) *Queue {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return &Queue{owning(unsafe.Pointer(C.sgk_queue_create(text)))}
}

// Alive collects garbage and waits (a minute at most) until nothing of the library is alive: finalizers and other threads let go in their own time. It
// returns how many objects are left.
func Alive() int {
	for end := time.Now().Add(time.Minute); C.sgk_live_total() != 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
		runtime.GC()
	}
	return int(C.sgk_live_total())
}
