package signalkit

// #include "bridge.h"
import "C"

import "unsafe"

// QueueLocal contains an object that is created and used on one serial queue only. Any goroutine may use the
// QueueLocal. If the creation of the object panics, each use of it panics with the same value.
type QueueLocal[T any] struct {
	object
	made  *receiver
	value *T
}

// NewQueueLocal makes the object on a queue, inline when that is current.
func NewQueueLocal[T any](queue *Queue, make func() T) (*QueueLocal[T], error) {
	if make == nil {
		return nil, noFunction[any]("NewQueueLocal").err
	}
	l := &QueueLocal[T]{value: new(T)}
	value := l.value
	l.made = &receiver{name: "NewQueueLocal", immediate: true, call: func() { *value = make() }}
	h, err := making("NewQueueLocal", func(c *call) *C.sgk_queue_local {
		pointer := (*C.sgk_queue)(c.handle("queue", queue))
		return C.go_queue_local(register(l.made), pointer)
	})
	if err != nil {
		return nil, err
	}
	l.object = object{h}
	return l, nil
}

// confined returns the object for functions that run on the queue.
func (l *QueueLocal[T]) confined() func() T {
	made, value := l.made, l.value
	return func() T {
		if made.err != nil {
			panic(made.err)
		}
		return *value
	}
}

// With calls f with the object on the queue: inline when that is current, otherwise later.
func (l *QueueLocal[T]) With(f func(T)) error {
	if f == nil {
		return noFunction[any]("With").err
	}
	value := l.confined()
	return l.status("With", func(pointer unsafe.Pointer) C.sgk_status {
		return C.go_queue_local_with((*C.sgk_queue_local)(pointer),
			register(&receiver{name: "With", call: func() { f(value()) }}))
	})
}

// SyncWith calls f with the object on the queue, and returns after it. It returns a panic of f as an error.
func (l *QueueLocal[T]) SyncWith(f func(T)) error {
	if f == nil {
		return noFunction[any]("SyncWith").err
	}
	value := l.confined()
	return immediately("SyncWith", func() { f(value()) }, func(context C.uintptr_t) error {
		return l.status("SyncWith", func(pointer unsafe.Pointer) C.sgk_status {
			return C.go_queue_local_sync_with((*C.sgk_queue_local)(pointer), context)
		})
	})
}

// SignalWith is like Create, but calls the function on the queue, with the object. It is no longer called after local
// was released.
func SignalWith[T, U any](local *QueueLocal[T], generator func(T, *Subscriber[U]) (stop func())) *Signal[U] {
	var function any
	if generator != nil && local != nil {
		value := local.confined()
		function = generating("SignalWith", func(s *Subscriber[U]) func() { return generator(value(), s) })
	}
	return withCallback[U]("SignalWith", function, func(c *call, context C.uintptr_t) *C.sgk_signal {
		return C.go_queue_local_signal_with((*C.sgk_queue_local)(c.handle("local", local)), context)
	})
}
