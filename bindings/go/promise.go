package signalkit

// #include "bridge.h"
import "C"

import "unsafe"

// State holds a value and passes it on: first the one that is there, then each that is set.
type State[T any] struct{ object }

// NewState makes one with a value.
func NewState[T any](value T) *State[T] {
	return &State[T]{created(func() *C.sgk_state { return C.sgk_state_create_value(give(value), false) })}
}

// NewDistinctState makes one with a value. Setting a value that equals the present one does nothing.
func NewDistinctState[T any](value T) *State[T] {
	return &State[T]{created(func() *C.sgk_state { return C.sgk_state_create_value(give(value), true) })}
}

// NewEmptyState makes one without a value.
func NewEmptyState[T any]() *State[T] {
	return &State[T]{created(func() *C.sgk_state { return C.sgk_state_create(false) })}
}

// Value is the value that is there; without one that of its type that is zero.
func (s *State[T]) Value() (value T) {
	s.use(func(pointer unsafe.Pointer) {
		if raw := C.sgk_state_value((*C.sgk_state)(pointer)); raw.kind != C.SGK_NULL {
			value = taken[T]("Value", raw)
		}
	})
	return
}

// Set sets a value, and delivers it.
func (s *State[T]) Set(value T) error {
	return s.status("Set", func(pointer unsafe.Pointer) C.sgk_status {
		return C.sgk_state_set((*C.sgk_state)(pointer), give(value))
	})
}

// Modify sets what f makes of the newest value (without one: zero). No change of another goroutine's is lost: then f is
// called again. With an error nothing changes, and Modify returns it.
func (s *State[T]) Modify(f func(T) (T, error)) error {
	if f == nil {
		return noFunction[T]("Modify").err
	}
	r := &receiver{name: "Modify", immediate: true}
	r.call = func(value C.sgk_value, result *C.sgk_value) C.sgk_status {
		var old T
		if value.kind != C.SGK_NULL {
			old = decode[T]("Modify", value)
		}
		changed, err := f(old)
		if err != nil {
			r.err = err
			return C.SGK_ERROR_ARGUMENT
		}
		*result = encode(changed)
		return C.SGK_OK
	}
	context := register(r)
	defer goDestroy(context)
	err := s.status("Modify", func(pointer unsafe.Pointer) C.sgk_status {
		return C.call_state_modify((*C.sgk_state)(pointer), context)
	})
	if r.err != nil {
		return r.err
	}
	return err
}

// Signal is of the value that is there, then of each one that is set; it never ends.
func (s *State[T]) Signal() *Signal[T] {
	return made[T]("Signal", func(c *call) *C.sgk_signal {
		return C.sgk_state_signal((*C.sgk_state)(c.handle("state", s)))
	})
}

// Promise holds the latest value of whichever signal it was set to last, and passes it on.
type Promise[T any] struct{ object }

// NewPromise makes one without a value.
func NewPromise[T any]() *Promise[T] {
	return &Promise[T]{created(func() *C.sgk_promise { return C.sgk_promise_create() })}
}

// NewPromiseOf makes one with a value.
func NewPromiseOf[T any](value T) *Promise[T] {
	return &Promise[T]{created(func() *C.sgk_promise { return C.sgk_promise_create_value(give(value)) })}
}

// NewPromiseFirst makes one that sets itself to a signal when it is first listened to, unless it was set before.
func NewPromiseFirst[T any](first *Signal[T]) (*Promise[T], error) {
	h, err := making("NewPromiseFirst", func(c *call) *C.sgk_promise {
		return C.sgk_promise_create_initialize_on_first_access(c.signal(first))
	})
	if err != nil {
		return nil, err
	}
	return &Promise[T]{object{h}}, nil
}

// Set follows a signal from now on.
func (p *Promise[T]) Set(signal *Signal[T]) error {
	c := &call{operation: "Set"}
	defer c.done()
	followed := c.signal(signal)
	if c.err != nil {
		return c.err
	}
	return p.status("Set", func(pointer unsafe.Pointer) C.sgk_status {
		return C.sgk_promise_set((*C.sgk_promise)(pointer), followed)
	})
}

// Signal is of the value that is there, then of each new one; it never ends, and keeps the promise.
func (p *Promise[T]) Signal() *Signal[T] {
	return made[T]("Signal", func(c *call) *C.sgk_signal {
		return C.sgk_promise_signal((*C.sgk_promise)(c.handle("promise", p)))
	})
}

// OnDeinit calls f when the promise is destroyed, on the thread that releases the last reference.
func (p *Promise[T]) OnDeinit(f func()) error {
	if f == nil {
		return noFunction[T]("OnDeinit").err
	}
	return p.status("OnDeinit", func(pointer unsafe.Pointer) C.sgk_status {
		return C.call_promise_on_deinit((*C.sgk_promise)(pointer), register(&receiver{name: "OnDeinit", call: f}))
	})
}
