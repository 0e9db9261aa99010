package signalkit

// #include "bridge.h"
import "C"

import (
	"runtime"
	"unsafe"
)

// Disposable can be disposed once: a subscription, an action, a container of others. Releasing it does not dispose it.
type Disposable struct{ object }

// NewDisposable makes one that calls f when it is disposed of.
func NewDisposable(f func()) (*Disposable, error) {
	if f == nil {
		return nil, noFunction[any]("NewDisposable").err
	}
	h, err := making("NewDisposable", func(*call) *C.sgk_disposable {
		return C.call_action_disposable_create(register(&receiver{name: "a disposable", call: f}))
	})
	if err != nil {
		return nil, err
	}
	return &Disposable{object{h}}, nil
}

// String returns whether a subscription is running, has ended, or was disposed by the program or an operator (Take).
func (d *Disposable) String() string {
	state := "closed"
	d.use(func(pointer unsafe.Pointer) { state = C.GoString(C.sgk_disposable_state((*C.sgk_disposable)(pointer))) })
	return state
}

// Dispose disposes it. Any goroutine, also inside functions of the subscription. It does nothing the second time or
// after Close.
func (d *Disposable) Dispose() {
	d.use(func(pointer unsafe.Pointer) { C.sgk_disposable_dispose((*C.sgk_disposable)(pointer)) })
}

// Close disposes and releases it. A second call does nothing.
func (d *Disposable) Close() {
	d.Dispose()
	d.object.Close()
}

// DisposeAndWait disposes a subscription that was started as Waitable, and returns when none of its functions runs on
// another thread. It returns false if it was called inside one of them.
func (d *Disposable) DisposeAndWait() (bool, error) {
	waited := true
	err := d.status("DisposeAndWait", func(pointer unsafe.Pointer) C.sgk_status {
		status := C.sgk_disposable_dispose_and_wait((*C.sgk_disposable)(pointer))
		if status == C.SGK_ERROR_THREAD {
			waited, status = false, C.SGK_OK
		}
		return status
	})
	return waited && err == nil, err
}

// Hold pauses the source of a subscription until the result is closed or disposed. Holds are counted. Values that wait
// for a queue or a time go on waiting. A source that cannot be paused keeps emitting.
func (d *Disposable) Hold() (*Disposable, error) {
	h, err := making("Hold", func(c *call) *C.sgk_disposable {
		return C.sgk_disposable_hold((*C.sgk_disposable)(c.handle("subscription", d)))
	})
	if err != nil {
		return nil, err
	}
	return &Disposable{object{h}}, nil
}

// Strict returns a disposable that logs a warning, with the place of this call, if it is released without disposal.
func (d *Disposable) Strict() (*Disposable, error) {
	_, file, line, _ := runtime.Caller(1)
	h, err := making("Strict", func(c *call) *C.sgk_disposable {
		return C.sgk_disposable_strict((*C.sgk_disposable)(c.handle("disposable", d)), c.text(file), C.int(line))
	})
	if err != nil {
		return nil, err
	}
	return &Disposable{object{h}}, nil
}

// created is an object that a function without arguments makes. There is none when there is no memory.
func created[P any](create func() *P) object {
	h, err := making("New", func(*call) *P { return create() })
	if err != nil {
		panic(err)
	}
	return object{h}
}

// with calls the library with an object and a second one.
func (o *object) with(operation, name string, other resource, f func(own, other unsafe.Pointer) C.sgk_status) error {
	c := &call{operation: operation}
	defer c.done()
	pointer := c.handle(name, other)
	if c.err != nil {
		return c.err
	}
	return o.status(operation, func(own unsafe.Pointer) C.sgk_status { return f(own, pointer) })
}

// DisposableBag contains disposables, and disposes them in their order. A member that has ended is removed
// automatically.
type DisposableBag struct{ Disposable }

// NewDisposableBag makes an empty one.
func NewDisposableBag() *DisposableBag {
	return &DisposableBag{Disposable{created(func() *C.sgk_disposable { return C.sgk_disposable_bag_create() })}}
}

// Add adds one; if the set was disposed of, that is at once.
func (s *DisposableBag) Add(member *Disposable) error {
	return s.with("Add", "member", member, func(own, member unsafe.Pointer) C.sgk_status {
		return C.sgk_disposable_bag_add((*C.sgk_disposable)(own), (*C.sgk_disposable)(member))
	})
}

// Remove takes one out, without disposing of it.
func (s *DisposableBag) Remove(member *Disposable) error {
	return s.with("Remove", "member", member, func(own, member unsafe.Pointer) C.sgk_status {
		return C.sgk_disposable_bag_remove((*C.sgk_disposable)(own), (*C.sgk_disposable)(member))
	})
}

// DisposableDict holds a disposable for each key.
type DisposableDict[K any] struct{ Disposable }

// NewDisposableDict makes an empty one.
func NewDisposableDict[K any]() *DisposableDict[K] {
	return &DisposableDict[K]{Disposable{created(func() *C.sgk_disposable { return C.sgk_disposable_dict_create() })}}
}

// Set stores one, then disposes of the one that was there; nil only does that.
func (d *DisposableDict[K]) Set(key K, member *Disposable) error {
	c := &call{operation: "Set"}
	defer c.done()
	pointer := (*C.sgk_disposable)(c.optional(member))
	if c.err != nil {
		return c.err
	}
	return d.status("Set", func(own unsafe.Pointer) C.sgk_status {
		return C.sgk_disposable_dict_set((*C.sgk_disposable)(own), give(key), pointer)
	})
}

// DisposableSlot holds at most one disposable.
type DisposableSlot struct{ Disposable }

// NewDisposableSlot makes an empty one.
func NewDisposableSlot() *DisposableSlot {
	return &DisposableSlot{Disposable{created(func() *C.sgk_disposable { return C.sgk_disposable_slot_create() })}}
}

// Set stores one (nil: none), then disposes of the one that was there.
func (m *DisposableSlot) Set(child *Disposable) error {
	c := &call{operation: "Set"}
	defer c.done()
	pointer := (*C.sgk_disposable)(c.optional(child))
	if c.err != nil {
		return c.err
	}
	return m.status("Set", func(own unsafe.Pointer) C.sgk_status {
		return C.sgk_disposable_slot_set((*C.sgk_disposable)(own), pointer)
	})
}
