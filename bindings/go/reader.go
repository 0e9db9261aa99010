package signalkit

// #include "bridge.h"
import "C"

import (
	"context"
	"errors"
	"io"
	"math"
	"sync"
	"time"
	"unsafe"
)

// Reader runs a signal and keeps its values until they are asked for.
type Reader[T any] struct {
	object
	*pump[T]
}

// pump moves the values of a reader to its channel. Copies of the reader share it.
type pump[T any] struct {
	once     sync.Once
	values   chan T
	closing  sync.Once
	closed   chan struct{}
	mutex    sync.Mutex
	finished error
}

// Read starts the signal. At most bound.Limit values wait, and bound decides what happens to more. With OverflowSuspend
// the source waits.
func (s *Signal[T]) Read(bound Bound) (*Reader[T], error) {
	h, err := making("Read", func(c *call) *C.sgk_reader {
		return C.sgk_reader_create(c.signal(s), c.bound(bound, false))
	})
	if err != nil {
		return nil, err
	}
	return &Reader[T]{object{h}, &pump[T]{values: make(chan T), closed: make(chan struct{})}}, nil
}

// Next waits for the next value. The error is io.EOF at completion, the error of the signal, ErrClosed, or the error of
// the context. The wait blocks no thread, unless the context can never end. In that case a wait on the main thread runs
// the main queue.
func (r *Reader[T]) Next(ctx context.Context) (value T, err error) {
	for {
		wait := 0.0
		if ctx.Done() == nil {
			wait = math.Inf(1)
		}
		var raw C.sgk_value
		var status C.sgk_status
		err = r.status("Next", func(pointer unsafe.Pointer) C.sgk_status {
			status = C.sgk_reader_next((*C.sgk_reader)(pointer), C.double(wait), &raw)
			switch status {
			case C.SGK_ERROR_COMPLETED, C.SGK_ERROR_FAILED, C.SGK_ERROR_TIMEOUT, C.SGK_ERROR_ENDED:
				return C.SGK_OK // answers
			}
			return status
		})
		if err != nil {
			return
		}
		switch status {
		case C.SGK_OK:
			defer func() {
				switch reason := recover().(type) {
				case nil:
				case *TypeError:
					err = reason
				case *Failure:
					err = reason
				default:
					panic(reason)
				}
			}()
			return taken[T]("Next", raw), nil
		case C.SGK_ERROR_COMPLETED:
			return value, io.EOF
		case C.SGK_ERROR_FAILED:
			err = decodeError(raw)
			C.sgk_value_release(raw)
			return
		case C.SGK_ERROR_ENDED:
			return value, ErrClosed
		}
		if err = r.ready(ctx); err != nil {
			return
		}
	}
}

// ready returns when there is something to read.
func (r *Reader[T]) ready(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ready := make(chan struct{})
	err := r.status("Next", func(pointer unsafe.Pointer) C.sgk_status {
		return C.call_reader_when_ready((*C.sgk_reader)(pointer),
			register(&receiver{name: "Next", call: func() { close(ready) }}))
	})
	if err != nil {
		return err
	}
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// C is the values as a channel, which is closed at the end of the signal, or by Close; Err says then why.
func (r *Reader[T]) C() <-chan T {
	if r.pump == nil {
		none := make(chan T)
		close(none)
		return none
	}
	r.once.Do(func() { go r.send() })
	return r.values
}

func (r *Reader[T]) send() {
	defer close(r.values)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for {
		value, err := r.Next(ctx)
		if err != nil {
			r.mutex.Lock()
			r.finished = err
			r.mutex.Unlock()
			return
		}
		select {
		case r.values <- value:
		case <-r.closed:
			return
		}
	}
}

// Err is the error that closed the channel, if one did.
func (r *Reader[T]) Err() error {
	if r.pump == nil {
		return nil
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.finished == io.EOF || errors.Is(r.finished, ErrClosed) {
		return nil
	}
	return r.finished
}

// Close disposes the subscription and drops pending values. A waiting call returns, and the channel is closed.
func (r *Reader[T]) Close() {
	if r.pump != nil {
		r.closing.Do(func() { close(r.closed) })
	}
	r.use(func(pointer unsafe.Pointer) { C.sgk_reader_close((*C.sgk_reader)(pointer)) })
	r.object.Close()
}

// Channel starts the signal and gives its values as a channel, which is closed at the end of the signal or of the
// context; the function waits for that, and says with which error it ended. The source waits for the channel.
func (s *Signal[T]) Channel(ctx context.Context) (<-chan T, func() error) {
	values, done := make(chan T), make(chan struct{})
	var finished error
	reader, err := s.Read(Bound{Limit: 1, Overflow: OverflowSuspend})
	if err != nil {
		close(values)
		return values, func() error { return err }
	}
	go func() {
		defer close(done)
		defer close(values)
		defer reader.Close()
		for {
			value, err := reader.Next(ctx)
			if err != nil {
				if err != io.EOF {
					finished = err
				}
				return
			}
			select {
			case values <- value:
			case <-ctx.Done():
				finished = ctx.Err()
				return
			}
		}
	}()
	return values, func() error {
		<-done
		return finished
	}
}

// Get waits for the first value. The error is what the signal fails with, ErrNoValue, or that of the context. If the
// source releases its subscriber without a terminal event, like that of Never, a context that can end decides.
func (s *Signal[T]) Get(ctx context.Context) (T, error) {
	value, err := one(ctx, s.Take(1))
	if err == io.EOF {
		err = ErrNoValue
	}
	return value, err
}

// Collect waits for the end, and returns all values.
func Collect[T any](ctx context.Context, s *Signal[T]) ([]T, error) {
	return one(ctx, ToArray(s, Bound{}))
}

func one[T any](ctx context.Context, s *Signal[T]) (value T, err error) {
	if ctx.Done() != nil { // without it, a source that releases its subscriber would end the wait
		silence := NewPipe[struct{}]()
		defer silence.Close()
		s = s.TakeUntil(silence.Signal())
	}
	reader, err := s.Read(Bound{Limit: 1})
	if err != nil {
		return value, err
	}
	defer reader.Close()
	return reader.Next(ctx)
}

// UntilDone fails the subscription with the context's error when the context is done.
func (s *Signal[T]) UntilDone(ctx context.Context) *Signal[T] {
	ended := Create(func(subscriber *Subscriber[T]) func() {
		stop := make(chan struct{})
		go func() {
			defer subscriber.Close()
			select {
			case <-ctx.Done():
				subscriber.Fail(ctx.Err())
			case <-stop:
			}
		}()
		return func() { close(stop) }
	})
	return s.TakeUntil(ended)
}

// Drain waits until queues and pools are idle, at most for the timeout, and returns whether they are.
func Drain(timeout time.Duration) bool { return C.sgk_drain(seconds(timeout)) == C.SGK_OK }

// LiveTotal is how many objects of the library are alive.
func LiveTotal() int { return int(C.sgk_live_total()) }

// LiveCount is how many of a kind are, as LiveSignal.
func LiveCount(kind LiveKind) int { return int(C.sgk_live_count(C.sgk_live(kind))) }

// LibraryVersion returns the version of the loaded library: compare it with Version.
func LibraryVersion() string { return C.GoString(C.sgk_version()) }
