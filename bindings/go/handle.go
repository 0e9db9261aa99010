package signalkit

/*
#cgo pkg-config: signalkit
#include "bridge.h"
*/
import "C"

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"
)

// handle is one reference to an object of the library. It is released when no Go object refers to it, or when it was
// closed and no call uses it.
type handle struct {
	pointer unsafe.Pointer
	state   atomic.Int64 // 1: closed; and 2 for each call that is inside
}

func owning(pointer unsafe.Pointer) *handle {
	h := &handle{pointer: pointer}
	runtime.SetFinalizer(h, (*handle).close)
	return h
}

// borrow gives the pointer, which lives until as many calls of back; nil when it has been closed.
func (h *handle) borrow() unsafe.Pointer {
	for h != nil {
		state := h.state.Load()
		if state&1 != 0 {
			return nil
		}
		if h.state.CompareAndSwap(state, state+2) {
			return h.pointer
		}
	}
	return nil
}

func (h *handle) back() {
	if h.state.Add(-2) == 1 {
		C.sgk_release(h.pointer)
	}
	runtime.KeepAlive(h)
}

func (h *handle) close() {
	for h != nil {
		state := h.state.Load()
		if state&1 != 0 {
			return
		}
		if h.state.CompareAndSwap(state, state|1) {
			runtime.SetFinalizer(h, nil)
			if state == 0 {
				C.sgk_release(h.pointer)
			}
			return
		}
	}
}

// object is what all objects of the library have. Copies share the reference. A zero object is closed.
type object struct{ h *handle }

func (o *object) raw() *handle { return o.h }

// Close releases it immediately, instead of some time later by the garbage collector. A second call does nothing. Any
// other use after it returns ErrClosed. Objects that retain it continue: subscriptions of a signal, signals derived
// from it.
func (o *object) Close() { o.h.close() }

// status calls the library with the object. An error is read at once: the library keeps it for the thread, and a
// goroutine may change its own.
func (o *object) status(operation string, f func(pointer unsafe.Pointer) C.sgk_status) error {
	pointer := o.h.borrow()
	if pointer == nil {
		return fmt.Errorf("%s: %w", operation, ErrClosed)
	}
	defer o.h.back()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return failure(f(pointer))
}

// use calls the library with the object, unless that has been closed.
func (o *object) use(f func(pointer unsafe.Pointer)) {
	if pointer := o.h.borrow(); pointer != nil {
		defer o.h.back()
		f(pointer)
	}
}

// refusal is the reason why the last call on this thread failed.
func refusal() *UsageError { return &UsageError{int(C.sgk_last_status()), textOf(C.sgk_last_error())} }

// textOf returns a text of the library with the name of the function in Go: "Take: count: must be 0 or more".
func textOf(c *C.char) string {
	text := C.GoString(c)
	if !strings.HasPrefix(text, "sgk_") {
		return text
	}
	name, problem, _ := strings.Cut(text[4:], ": ")
	if name == "to_object" {
		return problem
	}
	for _, prefix := range []string{"signal_", "disposable_", "queue_create_", "queue_"} {
		name = strings.TrimPrefix(name, prefix)
	}
	words := strings.Split(name, "_")
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "") + ": " + problem
}

func failure(status C.sgk_status) error {
	switch status {
	case C.SGK_OK:
		return nil
	case C.SGK_ERROR_ENDED:
		return ErrEnded
	}
	if status > 0 {
		return nil
	}
	return &UsageError{int(status), textOf(C.sgk_last_error())}
}

// call is a call of the library that creates an object: the borrowed handles and the errors in its arguments.
type call struct {
	operation string
	err       error
	borrowed  []*handle
	texts     []unsafe.Pointer
}

type resource interface{ raw() *handle }

func (c *call) wrong(err error) {
	if c.err == nil {
		c.err = err
	}
}

func missing(r resource) bool { return r == nil || reflect.ValueOf(r).IsNil() }

func (c *call) pointer(h *handle) unsafe.Pointer {
	pointer := h.borrow()
	if pointer == nil {
		c.wrong(fmt.Errorf("%s: %w", c.operation, ErrClosed))
		return nil
	}
	c.borrowed = append(c.borrowed, h)
	return pointer
}

func (c *call) handle(name string, r resource) unsafe.Pointer {
	if missing(r) {
		c.wrong(&UsageError{int(C.SGK_ERROR_NULL), c.operation + ": " + name + " is nil"})
		return nil
	}
	return c.pointer(r.raw())
}

func (c *call) optional(r resource) unsafe.Pointer {
	if missing(r) {
		return nil
	}
	return c.pointer(r.raw())
}

func (c *call) signal(s AnySignal) *C.sgk_signal {
	if missing(s) {
		c.wrong(&UsageError{int(C.SGK_ERROR_NULL), c.operation + ": a signal is nil"})
		return nil
	}
	if err := s.Err(); err != nil {
		c.wrong(err)
		return nil
	}
	return (*C.sgk_signal)(c.pointer(s.raw()))
}

func array[T any](c *call, signals []*Signal[T]) **C.sgk_signal {
	pointers := make([]*C.sgk_signal, len(signals)+1) // one more, so that there is a first
	for i, s := range signals {
		pointers[i] = c.signal(s)
	}
	return &pointers[0]
}

// value gives a value away.
func (c *call) value(value any) C.sgk_value { return give(value) }

func (c *call) text(text string) *C.char {
	copied := C.CString(text)
	c.texts = append(c.texts, unsafe.Pointer(copied))
	return copied
}

// integer returns a number for a parameter of 32 bits.
func (c *call) integer(name string, number int) C.int {
	if number != int(C.int(number)) {
		text := fmt.Sprintf("%s: %s does not fit into 32 bits: %d", c.operation, name, number)
		c.wrong(&UsageError{int(C.SGK_ERROR_ARGUMENT), text})
	}
	return C.int(number)
}

// limit returns a maximum as the library has it. Its negative number for none has that meaning in C only.
func (c *call) limit(name string, limit int) C.int64_t {
	if limit < 0 {
		c.outside(name + " must be 1 or more, or 0 for no limit")
	}
	if limit <= 0 {
		return C.SGK_UNBOUNDED
	}
	return C.int64_t(limit)
}

// outside records that an argument is out of its range.
func (c *call) outside(text string) {
	c.wrong(&UsageError{int(C.SGK_ERROR_ARGUMENT), c.operation + ": " + text})
}

// bound returns a bound for one call, which takes over its error. Of what is waiting for a turn, there may be none.
func (c *call) bound(bound Bound, waiting bool) *C.sgk_bound {
	limit, err := C.int64_t(bound.Limit), bound.Err
	switch {
	case bound.Limit == NoRoom && waiting:
		limit = C.SGK_UNBUFFERED
	case bound.Limit < 0 && waiting:
		c.outside("Limit must be 1 or more, NoRoom, or 0 for the default")
		limit = C.SGK_UNBOUNDED
	case bound.Limit < 0:
		c.outside("Limit must be 1 or more, or 0 for the default")
		limit = C.SGK_UNBOUNDED
	}
	if err == nil {
		err = fmt.Errorf("%s: %w", c.operation, ErrOverflow)
	}
	return &C.sgk_bound{size: C.sizeof_sgk_bound, limit: limit, overflow: C.uint32_t(bound.overflow()),
		counter: (*C.sgk_overflow_counter)(c.optional(bound.Counter)), error: give(err)}
}

func (c *call) done() {
	for _, h := range c.borrowed {
		h.back()
	}
	for _, text := range c.texts {
		C.free(text)
	}
}

// making calls the library for an object, or the reason why there is none.
func making[P any](operation string, make func(c *call) *P) (*handle, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c := &call{operation: operation}
	defer c.done()
	pointer := make(c)
	if c.err != nil {
		C.sgk_release(unsafe.Pointer(pointer))
		return nil, c.err
	}
	if pointer == nil {
		return nil, refusal()
	}
	return owning(unsafe.Pointer(pointer)), nil
}

// Forever is a time that never ends.
const Forever = time.Duration(math.MaxInt64)

func seconds(duration time.Duration) C.double {
	if duration == Forever {
		return C.double(math.Inf(1))
	}
	return C.double(duration.Seconds())
}

// sinceEpoch returns seconds since 1970.
func sinceEpoch(at time.Time) C.double {
	return C.double(float64(at.Unix()) + float64(at.Nanosecond())/1e9)
}

func durationOf(seconds C.double) time.Duration {
	return time.Duration(float64(seconds) * float64(time.Second))
}
