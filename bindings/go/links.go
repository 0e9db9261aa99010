package signalkit

// #include "bridge.h"
import "C"

import "unsafe"

// EventLink is a link of a chain of observers, which retains the link before it. Retain the last one, or put it into a
// LinkBag. Panics of its functions go to OnUnheard.
type EventLink[T any] struct{ object }

func linkOf[T any](operation string, make func(c *call) *C.sgk_event_link) (*EventLink[T], error) {
	h, err := making(operation, make)
	if err != nil {
		return nil, err
	}
	return &EventLink[T]{object{h}}, nil
}

// EventEmitter is a first link, into which values are put.
type EventEmitter[T any] struct{ EventLink[T] }

// NewEventEmitter makes one.
func NewEventEmitter[T any]() *EventEmitter[T] {
	return &EventEmitter[T]{EventLink[T]{created(func() *C.sgk_event_link { return C.sgk_event_emitter_create() })}}
}

// Next emits a value.
func (e *EventEmitter[T]) Next(value T) error {
	return e.status("Next", func(pointer unsafe.Pointer) C.sgk_status {
		return C.sgk_event_emitter_next((*C.sgk_event_link)(pointer), give(value))
	})
}

// Fail ends the chain with that very error.
func (e *EventEmitter[T]) Fail(err error) error {
	return e.status("Fail", func(pointer unsafe.Pointer) C.sgk_status {
		return C.sgk_event_emitter_error((*C.sgk_event_link)(pointer), give(err))
	})
}

// Finish ends the chain.
func (e *EventEmitter[T]) Finish() error {
	return e.status("Finish", func(pointer unsafe.Pointer) C.sgk_status {
		return C.sgk_event_emitter_finish((*C.sgk_event_link)(pointer))
	})
}

// LinkOf is a chain that is fed by a signal.
func LinkOf[T any](s *Signal[T]) (*EventLink[T], error) {
	return linkOf[T]("LinkOf", func(c *call) *C.sgk_event_link { return C.sgk_event_link_from_signal(c.signal(s)) })
}

// OnNext calls f with each value, on queue, unless that is nil.
func (l *EventLink[T]) OnNext(f func(T), queue *Queue) error {
	return l.observe("OnNext", nextCall("OnNext", f), queue,
		func(link *C.sgk_event_link, context C.uintptr_t, queue *C.sgk_queue) C.sgk_status {
			return C.call_event_link_on_next(link, context, queue)
		})
}

// OnError calls f with the error when the chain fails.
func (l *EventLink[T]) OnError(f func(error), queue *Queue) error {
	return l.observe("OnError", errorCall("OnError", f), queue,
		func(link *C.sgk_event_link, context C.uintptr_t, queue *C.sgk_queue) C.sgk_status {
			return C.call_event_link_on_error(link, context, queue)
		})
}

// OnFinish calls f when the chain finishes.
func (l *EventLink[T]) OnFinish(f func(), queue *Queue) error {
	return l.observe("OnFinish", completedCall("OnFinish", f), queue,
		func(link *C.sgk_event_link, context C.uintptr_t, queue *C.sgk_queue) C.sgk_status {
			return C.call_event_link_on_finish(link, context, queue)
		})
}

func (l *EventLink[T]) observe(operation string, function any, queue *Queue,
	f func(*C.sgk_event_link, C.uintptr_t, *C.sgk_queue) C.sgk_status) error {
	if function == nil {
		return noFunction[T](operation).err
	}
	c := &call{operation: operation}
	defer c.done()
	where := (*C.sgk_queue)(c.optional(queue))
	if c.err != nil {
		return c.err
	}
	return l.status(operation, func(pointer unsafe.Pointer) C.sgk_status {
		return f((*C.sgk_event_link)(pointer), register(&receiver{name: operation, call: function}), where)
	})
}

// MapLink is the link of what f makes of each value.
func MapLink[T, U any](l *EventLink[T], f func(T) U) (*EventLink[U], error) {
	if f == nil {
		return nil, noFunction[U]("MapLink").err
	}
	return linkOf[U]("MapLink", func(c *call) *C.sgk_event_link {
		return C.call_event_link_map((*C.sgk_event_link)(c.handle("link", l)),
			register(&receiver{name: "MapLink", call: mapCall("MapLink", f)}))
	})
}

// Filter is the link of the values for which f is true.
func (l *EventLink[T]) Filter(f func(T) bool) (*EventLink[T], error) {
	if f == nil {
		return nil, noFunction[T]("Filter").err
	}
	return linkOf[T]("Filter", func(c *call) *C.sgk_event_link {
		return C.call_event_link_filter((*C.sgk_event_link)(c.handle("link", l)),
			register(&receiver{name: "Filter", call: predicateCall("Filter", f)}))
	})
}

// Observer is of the same events, without the means to emit any.
func (l *EventLink[T]) Observer() (*EventLink[T], error) {
	return linkOf[T]("Observer", func(c *call) *C.sgk_event_link {
		return C.sgk_event_link_observer((*C.sgk_event_link)(c.handle("link", l)))
	})
}

// Unlink releases the previous link and the functions.
func (l *EventLink[T]) Unlink() error {
	return l.status("Unlink", func(pointer unsafe.Pointer) C.sgk_status {
		return C.sgk_event_link_unlink((*C.sgk_event_link)(pointer))
	})
}

// Signal is of the chain's events.
func (l *EventLink[T]) Signal() *Signal[T] {
	return made[T]("Signal", func(c *call) *C.sgk_signal {
		return C.sgk_event_link_signal((*C.sgk_event_link)(c.handle("link", l)))
	})
}

// Link is a link of any type.
type Link interface {
	raw() *handle
	Unlink() error
}

// LinkBag owns the last links of chains: when it is cleared, or goes, it unlinks them.
type LinkBag struct{ object }

// NewLinkBag makes an empty one.
func NewLinkBag() *LinkBag {
	return &LinkBag{created(func() *C.sgk_link_bag { return C.sgk_link_bag_create() })}
}

// Add puts a link into it.
func (b *LinkBag) Add(link Link) error {
	return b.with("Add", "link", link, func(own, link unsafe.Pointer) C.sgk_status {
		return C.sgk_link_bag_add((*C.sgk_link_bag)(own), (*C.sgk_event_link)(link))
	})
}

// Clear unlinks its members.
func (b *LinkBag) Clear() error {
	return b.status("Clear", func(own unsafe.Pointer) C.sgk_status { return C.sgk_link_bag_clear((*C.sgk_link_bag)(own)) })
}
