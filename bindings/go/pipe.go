package signalkit

// #include "bridge.h"
import "C"

import "unsafe"

// Pipe is a hot source. It sends each value to the subscriptions that are active at that moment. They last while the
// pipe exists.
type Pipe[T any] struct{ object }

// NewPipe makes a pipe.
func NewPipe[T any]() *Pipe[T] {
	return &Pipe[T]{created(func() *C.sgk_pipe { return C.sgk_pipe_create() })}
}

// NewReplayPipe makes a pipe whose signal begins with the latest value.
func NewReplayPipe[T any]() *Pipe[T] {
	return &Pipe[T]{created(func() *C.sgk_pipe { return C.sgk_pipe_create_replay() })}
}

// Signal returns the signal of the values.
func (p *Pipe[T]) Signal() *Signal[T] {
	return made[T]("Signal", func(c *call) *C.sgk_signal {
		return C.sgk_pipe_signal((*C.sgk_pipe)(c.handle("pipe", p)))
	})
}

// Next sends a value to the current subscribers. ErrEnded: the pipe has ended.
func (p *Pipe[T]) Next(value T) error { return p.send(value, true) }

// IsPaused is whether a subscription asks for a pause, because a buffer with OverflowPause is full behind it. A value
// that is sent nevertheless exceeds the limit.
func (p *Pipe[T]) IsPaused() (paused bool) {
	p.use(func(pointer unsafe.Pointer) { paused = bool(C.sgk_pipe_is_paused((*C.sgk_pipe)(pointer))) })
	return
}

// OnResume calls f once on the queue, as soon as no subscription asks for a pause. If none does so now, or if the pipe
// has ended, f is enqueued at once.
func (p *Pipe[T]) OnResume(queue *Queue, f func()) error {
	if f == nil {
		return noFunction[any]("OnResume").err
	}
	return queue.status("OnResume", func(place unsafe.Pointer) C.sgk_status {
		status := C.sgk_status(C.SGK_ERROR_ENDED)
		p.use(func(pointer unsafe.Pointer) {
			receiver := register(&receiver{name: "OnResume", call: f})
			status = C.call_pipe_on_resume((*C.sgk_pipe)(pointer), receiver, (*C.sgk_queue)(place))
		})
		return status
	})
}

// Complete ends it. A second time does nothing.
func (p *Pipe[T]) Complete() error {
	return p.status("Complete", func(pointer unsafe.Pointer) C.sgk_status {
		return C.sgk_pipe_complete((*C.sgk_pipe)(pointer))
	})
}

// Fail ends it with that very error.
func (p *Pipe[T]) Fail(err error) error {
	return p.status("Fail", func(pointer unsafe.Pointer) C.sgk_status {
		return C.sgk_pipe_error((*C.sgk_pipe)(pointer), give(err))
	})
}

// Close completes and releases the pipe. A second call does nothing.
func (p *Pipe[T]) Close() {
	p.use(func(pointer unsafe.Pointer) { C.sgk_pipe_complete((*C.sgk_pipe)(pointer)) })
	p.object.Close()
}

// Subscriber is the receiver of a generator's values. Any goroutine. When all references to it are released without an
// end, the subscription is released. Therefore a long-lived subscription closes its subscriber when it will emit
// nothing more.
type Subscriber[T any] struct{ object }

// Next emits a value. ErrEnded: the subscription has ended, so stop.
func (s *Subscriber[T]) Next(value T) error { return s.send(value, false) }

// Fail fails the subscription with this error.
func (s *Subscriber[T]) Fail(err error) error {
	return s.status("Fail", func(pointer unsafe.Pointer) C.sgk_status {
		return C.sgk_subscriber_error((*C.sgk_subscriber)(pointer), give(err))
	})
}

// Complete completes the subscription.
func (s *Subscriber[T]) Complete() error {
	return s.status("Complete", func(pointer unsafe.Pointer) C.sgk_status {
		return C.sgk_subscriber_complete((*C.sgk_subscriber)(pointer))
	})
}

// Active is whether values still arrive anywhere.
func (s *Subscriber[T]) Active() (active bool) {
	s.use(func(pointer unsafe.Pointer) { active = bool(C.sgk_subscriber_is_active((*C.sgk_subscriber)(pointer))) })
	return
}

// OnDispose calls f once when the subscription is torn down, or immediately if it has been.
func (s *Subscriber[T]) OnDispose(f func()) error {
	if f == nil {
		return noFunction[T]("OnDispose").err
	}
	return s.status("OnDispose", func(pointer unsafe.Pointer) C.sgk_status {
		return C.call_subscriber_on_dispose((*C.sgk_subscriber)(pointer), register(&receiver{name: "OnDispose", call: f}))
	})
}

// IsPaused is whether a stage asks for a pause, because a buffer with OverflowPause is full, or because the program
// holds the subscription. A value that is sent nevertheless exceeds the limit.
func (s *Subscriber[T]) IsPaused() (paused bool) {
	s.use(func(pointer unsafe.Pointer) { paused = bool(C.sgk_subscriber_is_paused((*C.sgk_subscriber)(pointer))) })
	return
}

// OnResume calls f once on the queue, as soon as no stage asks for a pause. If none does so now, or if the subscription
// has ended, f is enqueued at once.
func (s *Subscriber[T]) OnResume(queue *Queue, f func()) error {
	if f == nil {
		return noFunction[T]("OnResume").err
	}
	return queue.status("OnResume", func(place unsafe.Pointer) C.sgk_status {
		status := C.sgk_status(C.SGK_ERROR_ENDED)
		s.use(func(pointer unsafe.Pointer) {
			receiver := register(&receiver{name: "OnResume", call: f})
			status = C.call_subscriber_on_resume((*C.sgk_subscriber)(pointer), receiver, (*C.sgk_queue)(place))
		})
		return status
	})
}

// OverflowCounter counts overflow, of any number of subscriptions.
type OverflowCounter struct{ object }

// NewOverflowCounter makes one.
func NewOverflowCounter() *OverflowCounter {
	return &OverflowCounter{created(func() *C.sgk_overflow_counter { return C.sgk_overflow_counter_create() })}
}

// Dropped is how many values were dropped.
func (o *OverflowCounter) Dropped() (count int) {
	o.use(func(p unsafe.Pointer) { count = int(C.sgk_overflow_counter_dropped((*C.sgk_overflow_counter)(p))) })
	return
}

// Exceeded is how many values exceeded a limit with OverflowPause.
func (o *OverflowCounter) Exceeded() (count int) {
	o.use(func(p unsafe.Pointer) { count = int(C.sgk_overflow_counter_exceeded((*C.sgk_overflow_counter)(p))) })
	return
}

// Suspended is how often an emitting thread was blocked.
func (o *OverflowCounter) Suspended() (count int) {
	o.use(func(p unsafe.Pointer) { count = int(C.sgk_overflow_counter_suspended((*C.sgk_overflow_counter)(p))) })
	return
}
