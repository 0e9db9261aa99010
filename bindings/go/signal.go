package signalkit

// #include "bridge.h"
import "C"

import (
	"reflect"
	"strings"
	"time"
	"unsafe"
)

// Signal is a description of a stream of values: values, then an error or completion. Each start creates a new
// subscription. It is immutable. A signal created with a wrong argument contains the error. Every operator passes this
// error on, and Start returns it.
//
// Functions run on the emitting thread. If one panics, the subscription fails; a panic with an error fails it with that
// error.
type Signal[T any] struct {
	object
	err   error
	fused *fusion[T]
}

// AnySignal is a signal of any type.
type AnySignal interface {
	raw() *handle
	// Err is why the signal could not be made, if it could not.
	Err() error
}

// Err is why the signal could not be made, if it could not.
func (s *Signal[T]) Err() error { return s.err }

// String is the pipeline: a stage in each line, from the end to the sources.
func (s *Signal[T]) String() string {
	described := "no signal"
	if s.err == nil {
		described = "a closed signal"
		s.use(func(pointer unsafe.Pointer) {
			value := C.sgk_signal_describe((*C.sgk_signal)(pointer), C.SGK_DEBUG_TEXT)
			described = strings.TrimSuffix(text(value), "\n")
			C.sgk_value_release(value)
		})
	}
	return described
}

func (s *Signal[T]) lent(pointer *C.sgk_signal) any {
	return &Signal[T]{object: object{owning(C.sgk_retain(unsafe.Pointer(pointer)))}}
}

func broken[T any](err error) *Signal[T] { return &Signal[T]{err: err} }

func noFunction[T any](operation string) *Signal[T] {
	return broken[T](&UsageError{int(C.SGK_ERROR_NULL), operation + ": the function is nil"})
}

// made is what the library makes, or the reason why it does not.
func made[T any](operation string, make func(c *call) *C.sgk_signal) *Signal[T] {
	h, err := making(operation, make)
	return &Signal[T]{object: object{h}, err: err}
}

// again returns the signal with a separate handle, which nobody closes.
func again[T any](s *Signal[T]) *Signal[T] {
	if missing(s) || s.err != nil {
		return s
	}
	return made[T]("a signal", func(c *call) *C.sgk_signal {
		return (*C.sgk_signal)(C.sgk_retain(unsafe.Pointer(c.signal(s))))
	})
}

func allAgain[T any](signals []*Signal[T]) []*Signal[T] {
	copied := make([]*Signal[T], len(signals))
	for i, s := range signals {
		copied[i] = again(s)
	}
	return copied
}

// ---- Starting ----

// Handlers are the functions of a subscription. Any may be nil.
type Handlers[T any] struct {
	// Next gets each value.
	Next func(T)
	// Failed receives the error of the subscription. Without it the error is logged.
	Failed func(error)
	// Completed receives the completion.
	Completed func()
	// Started receives the subscription before any event, for disposal of a source that emits inside the start.
	Started func(*Disposable)
	// Waitable enables DisposeAndWait for the subscription.
	Waitable bool
}

// Start starts a subscription; any function may be nil. The source runs before this returns. Releasing the result does
// not dispose the subscription; its Dispose or Close does.
func (s *Signal[T]) Start(next func(T), failed func(error), completed func()) (*Disposable, error) {
	return s.StartHandlers(Handlers[T]{Next: next, Failed: failed, Completed: completed})
}

// StartHandlers starts a subscription with more options than Start.
func (s *Signal[T]) StartHandlers(handlers Handlers[T]) (*Disposable, error) {
	r := &receiver{name: "Start", second: errorCall("Start", handlers.Failed),
		third: completedCall("Start", handlers.Completed)}
	var source AnySignal = s
	if handlers.Next != nil {
		last := func(value T) (bool, error) {
			handlers.Next(value)
			return true, nil
		}
		if s.fused == nil {
			r.call = watchCall("Start", last)
		} else {
			source, r.call = s.fused.source, s.fused.composed(last)
		}
	}
	if handlers.Started != nil {
		r.fourth = func(run *C.sgk_disposable) {
			handlers.Started(&Disposable{object{owning(C.sgk_retain(unsafe.Pointer(run)))}})
		}
	}
	h, err := making("Start", func(c *call) *C.sgk_disposable {
		c.signal(s) // which is not closed
		return C.go_start(c.signal(source), register(r), r.call != nil, r.second != nil, r.third != nil, r.fourth != nil,
			C.bool(handlers.Waitable))
	})
	if err != nil {
		return nil, err
	}
	return &Disposable{object{h}}, nil
}

// ---- Operators on single values ----

// Map emits what f makes of each value.
func Map[T, U any](s *Signal[T], f func(T) U) *Signal[U] {
	if f == nil {
		return noFunction[U]("Map")
	}
	return transformed(s, "Map", func(value T) (U, bool, error) { return f(value), true, nil })
}

// TryMap emits the result of f for each value. An error of f fails the subscription.
func TryMap[T, U any](s *Signal[T], f func(T) (U, error)) *Signal[U] {
	if f == nil {
		return noFunction[U]("TryMap")
	}
	return transformed(s, "TryMap", func(value T) (U, bool, error) {
		result, err := f(value)
		return result, true, err
	})
}

// CompactMap emits what f makes of each value, where it says true.
func CompactMap[T, U any](s *Signal[T], f func(T) (U, bool)) *Signal[U] {
	if f == nil {
		return noFunction[U]("CompactMap")
	}
	return transformed(s, "CompactMap", func(value T) (U, bool, error) {
		result, passes := f(value)
		return result, passes, nil
	})
}

// Transform emits the result of f for each value if f returns true. An error of f fails the subscription.
func Transform[T, U any](s *Signal[T], f func(T) (U, bool, error)) *Signal[U] {
	if f == nil {
		return noFunction[U]("Transform")
	}
	return transformed(s, "Transform", f)
}

// Filter passes the values for which f is true.
func (s *Signal[T]) Filter(f func(T) bool) *Signal[T] {
	if f == nil {
		return noFunction[T]("Filter")
	}
	return watched(s, "Filter", func(value T) (bool, error) { return f(value), nil })
}

// TryFilter passes the values for which f returns true. An error of f fails the subscription.
func (s *Signal[T]) TryFilter(f func(T) (bool, error)) *Signal[T] {
	if f == nil {
		return noFunction[T]("TryFilter")
	}
	return watched(s, "TryFilter", f)
}

// BeforeNext calls f with each value before that is passed on.
func (s *Signal[T]) BeforeNext(f func(T)) *Signal[T] {
	if f == nil {
		return noFunction[T]("BeforeNext")
	}
	return watched(s, "BeforeNext", func(value T) (bool, error) {
		f(value)
		return true, nil
	})
}

func transformed[T, U any](s *Signal[T], operation string, f func(T) (U, bool, error)) *Signal[U] {
	return fuse(stage[U](s, operation, transformCall(operation, f)), s, operation, f)
}

func watched[T any](s *Signal[T], operation string, f func(T) (bool, error)) *Signal[T] {
	return fuse(stage[T](s, operation, watchCall(operation, f)), s, operation, func(value T) (T, bool, error) {
		passes, err := f(value)
		return value, passes, err
	})
}

// fusion is the functions at the end of a signal. A value that passes from C to Go and back costs more than most
// functions. Therefore a subscription calls these functions and its own in one call from C. Other operators use the
// stages of the signal.
type fusion[T any] struct {
	source AnySignal // before the functions
	// composed returns the call of the functions for a value of the source, and of the last one for the result.
	composed func(last func(T) (bool, error)) any
}

var copied = []reflect.Type{reflect.TypeOf((*AnySignal)(nil)).Elem(), reflect.TypeOf((*listed)(nil)).Elem()}

// fuse adds a function to those of s, unless values of its type change in C: bytes are copied, a signal becomes another
// object, and a list or an interface may contain either.
func fuse[T, U any](made *Signal[U], s *Signal[T], operation string, f func(T) (U, bool, error)) *Signal[U] {
	kind := reflect.TypeOf((*U)(nil)).Elem()
	if made.err != nil || kind == reflect.TypeOf([]byte(nil)) || kind.Kind() == reflect.Interface ||
		kind.Implements(copied[0]) || kind.Implements(copied[1]) {
		return made
	}
	before := s.fused
	if before == nil {
		before = &fusion[T]{again(s), func(last func(T) (bool, error)) any { return watchCall(operation, last) }}
	}
	made.fused = &fusion[U]{before.source, func(last func(U) (bool, error)) any {
		return before.composed(func(value T) (bool, error) {
			result, passes, err := f(value)
			if err != nil || !passes {
				return true, err
			}
			return last(result)
		})
	}}
	return made
}

func stage[U, T any](s *Signal[T], operation string, function any) *Signal[U] {
	return withCallback[U](operation, function, func(c *call, context C.uintptr_t) *C.sgk_signal {
		return C.call_signal_map(c.signal(s), context)
	})
}

// ---- Operators whose arguments need a word ----

// AtOnce is the Delay of a Retry without a wait.
const AtOnce time.Duration = -time.Second

// RetryPolicy contains the options of Retry. A field that is 0 has its default.
type RetryPolicy struct {
	// Attempts is the number of attempts, including the first one. 0: no limit.
	Attempts int
	// Delay is the wait before the second attempt. 0: a second. AtOnce: no wait.
	Delay time.Duration
	// Factor multiplies each further wait: 1 or more. 0: 2.
	Factor float64
	// Increment lengthens each further wait.
	Increment time.Duration
	// MaxDelay is the longest wait. 0: a minute.
	MaxDelay time.Duration
	// Jitter is from 0 to 1: the largest random change of a wait, as a part of it.
	Jitter float64
	// ResetAfter: if an attempt lasted this long, its failure counts as the first one. 0: the time of an attempt does not
	// matter.
	ResetAfter time.Duration
	// Seed makes the random changes reproducible, for tests; 0 uses another seed for each subscription.
	Seed uint64
	// ResetOnValue: the failure after a value counts as the first one.
	ResetOnValue bool
	// Decide receives the error and the number of the failure, from 1 on. It returns nil to start again after the wait.
	// The first value of another signal starts the next attempt (Timer). If that signal fails, the result fails with its
	// error. If it completes without a value (Empty), the result fails with err.
	Decide func(err error, failures int) AnySignal
}

func (policy RetryPolicy) check(c *call) {
	switch {
	case policy.Delay < 0 && policy.Delay != AtOnce:
		c.outside("Delay must be 0 or more, or AtOnce")
	case policy.Attempts < 0:
		c.outside("Attempts must be 0 or more")
	case policy.Factor != 0 && !(policy.Factor >= 1):
		c.outside("Factor must be 0, or 1 or more")
	case policy.Increment < 0:
		c.outside("Increment must be 0 or more")
	case policy.MaxDelay < 0:
		c.outside("MaxDelay must be 0 or more")
	case !(policy.Jitter >= 0 && policy.Jitter <= 1):
		c.outside("Jitter must be from 0 to 1")
	case policy.ResetAfter < 0:
		c.outside("ResetAfter must be 0 or more")
	}
}

// Retry starts the signal again each time it fails, on queue: by default after a second, then after twice as long each
// time. The error of the last attempt fails the result.
func (s *Signal[T]) Retry(policy RetryPolicy, queue *Queue) *Signal[T] {
	raw := C.sgk_retry{size: C.sizeof_sgk_retry, attempts: C.int64_t(policy.Attempts), delay: seconds(policy.Delay),
		factor: C.double(policy.Factor), increment: seconds(policy.Increment), max_delay: seconds(policy.MaxDelay),
		jitter: C.double(policy.Jitter), reset_after: seconds(policy.ResetAfter), seed: C.uint64_t(policy.Seed),
		reset_on_value: C.bool(policy.ResetOnValue)}
	if policy.Decide == nil {
		return made[T]("Retry", func(c *call) *C.sgk_signal {
			policy.check(c)
			return C.sgk_signal_retry(c.signal(s), &raw, (*C.sgk_queue)(c.handle("queue", queue)))
		})
	}
	return withCallback[T]("Retry", retryCall("Retry", policy.Decide), func(c *call, context C.uintptr_t) *C.sgk_signal {
		policy.check(c)
		return C.call_retry(c.signal(s), &raw, context, (*C.sgk_queue)(c.handle("queue", queue)))
	})
}

// Step is a value of a signal for ReduceGenerator: the new accumulated value, and values to emit immediately (at most
// one).
type Step[A any] struct {
	Accumulated A
	Passed      []A
}

func (s Step[A]) list() []any {
	list := []any{s.Accumulated}
	for _, value := range s.Passed {
		list = append(list, value)
	}
	return list
}

// ReduceGenerator folds by signals, starting with initial. The signals run one after another, each to its end. The last
// accumulated value is emitted at completion.
func ReduceGenerator[T, A any](s *Signal[T], initial A, generator func(A, T) *Signal[Step[A]]) *Signal[A] {
	var function any
	if generator != nil {
		function = func(accumulated, value C.sgk_value) *C.sgk_signal {
			return given(generator(decode[A]("ReduceGenerator", accumulated), decode[T]("ReduceGenerator", value)))
		}
	}
	return withCallback[A]("ReduceGenerator", function, func(c *call, context C.uintptr_t) *C.sgk_signal {
		return C.call_signal_reduce_generator(c.signal(s), c.value(initial), context)
	})
}

// SwitchMapPer follows, for each key, the signal that f creates for the latest value of that key. The signals of
// different keys run simultaneously. bound contains the maximum number of keys and the overflow policy.
func SwitchMapPer[T, K, U any](s *Signal[T], bound Bound, key func(T) K, f func(T) *Signal[U]) *Signal[U] {
	s = again(s)
	return guardedReceiver[U]("SwitchMapPer", keyed("SwitchMapPer", key, signalCall("SwitchMapPer", f)),
		func(c *call, context C.uintptr_t) *C.sgk_signal {
			return C.call_signal_switch_map_per(c.signal(s), c.bound(bound, false), context)
		})
}

// GroupBy sorts the values by keys: with the first value of a key, pipeline gets the key and the signal of the values
// of it, and makes the signal of the group, whose values are merged into the result.
func GroupBy[T, K, U any](s *Signal[T], bound Bound, key func(T) K, pipeline func(K, *Signal[T]) *Signal[U]) *Signal[U] {
	s = again(s)
	var function any
	if pipeline != nil {
		function = func(key C.sgk_value, values *C.sgk_signal) *C.sgk_signal {
			return given(pipeline(decode[K]("GroupBy", key), (*Signal[T])(nil).lent(values).(*Signal[T])))
		}
	}
	return guardedReceiver[U]("GroupBy", keyed("GroupBy", key, function),
		func(c *call, context C.uintptr_t) *C.sgk_signal {
			return C.call_signal_group_by(c.signal(s), c.bound(bound, false), context)
		})
}

func keyed[T, K any](operation string, key func(T) K, function any) receiver {
	if key == nil {
		return receiver{}
	}
	return receiver{name: operation, call: function, second: mapCall(operation, key)}
}

// ---- Sources ----

// Of emits the values inside each start, and completes.
func Of[T any](values ...T) *Signal[T] {
	return made[T]("Of", func(c *call) *C.sgk_signal {
		items := make([]C.sgk_value, len(values)+1)
		for i, value := range values {
			items[i] = c.value(value)
		}
		return C.sgk_signal_from_array(&items[0], C.size_t(len(values)))
	})
}

// Fail fails inside each start, with that very error.
func Fail[T any](err error) *Signal[T] {
	return made[T]("Fail", func(c *call) *C.sgk_signal { return C.sgk_signal_fail(c.value(err)) })
}

// Create returns a signal whose generator is called for each start, on the starting thread. The generator emits to the
// subscriber, immediately or later, from any goroutine. The function that it returns (or nil) is called once, when the
// subscription is torn down.
func Create[T any](generator func(*Subscriber[T]) (stop func())) *Signal[T] {
	var function any
	if generator != nil {
		function = generating("Create", generator)
	}
	return withCallback[T]("Create", function, func(c *call, context C.uintptr_t) *C.sgk_signal {
		return C.call_signal_create(context)
	})
}

func generating[T any](name string, generator func(*Subscriber[T]) (stop func())) any {
	return func(pointer *C.sgk_subscriber) *C.sgk_disposable {
		stop := generator(&Subscriber[T]{object{owning(C.sgk_retain(unsafe.Pointer(pointer)))}})
		if stop == nil {
			return nil
		}
		return C.call_action_disposable_create(register(&receiver{name: name + ": stop", call: stop}))
	}
}

// FromIterator emits the results of next inside each start while the subscription is active, until next returns false.
// All subscriptions share the function.
func FromIterator[T any](next func() (T, bool)) *Signal[T] {
	var function any
	if next != nil {
		function = func(item *C.sgk_value) C.bool {
			value, ok := next()
			if ok {
				*item = encode(value)
			}
			return C.bool(ok)
		}
	}
	return withCallback[T]("FromIterator", function, func(c *call, context C.uintptr_t) *C.sgk_signal {
		return C.call_signal_from_iterator(context)
	})
}

// FromChannel emits the values of the channel, on a goroutine of each subscription, and completes when the channel is
// closed. Each value reaches only one of several subscriptions. During a pause nothing is received.
func FromChannel[T any](values <-chan T) *Signal[T] {
	return Create(func(subscriber *Subscriber[T]) func() {
		done := make(chan struct{})
		go func() {
			defer subscriber.Close()
			for {
				if subscriber.IsPaused() {
					resumed := make(chan struct{})
					if subscriber.OnResume(ConcurrentQueue(), func() { close(resumed) }) == nil {
						select {
						case <-resumed:
						case <-done:
							return
						}
					}
				}
				select {
				case value, ok := <-values:
					if !ok {
						subscriber.Complete()
						return
					}
					if subscriber.Next(value) != nil {
						return
					}
				case <-done:
					return
				}
			}
		}()
		return func() { close(done) }
	})
}

// Using creates a resource with acquire for each start, and behaves like the signal that use creates with it. release
// receives the resource once, when the subscription is torn down.
func Using[R, T any](acquire func() R, use func(R) *Signal[T], release func(R)) *Signal[T] {
	if acquire == nil || use == nil || release == nil {
		return noFunction[T]("Using")
	}
	return Deferred(func() *Signal[T] {
		resource, used := acquire(), false
		defer func() {
			if !used {
				release(resource)
			}
		}()
		s := use(resource)
		if s == nil {
			s = Empty[T]()
		}
		s = s.AfterDisposed(func() { release(resource) })
		used = s.err == nil
		return s
	})
}

// AccumulatingLoop runs the signals that once returns one after another, until it returns nil. reduce folds all their
// values. The first value is the initial one, and the accumulated value is emitted at each value. once receives nil
// until there is a value.
func AccumulatingLoop[T any](once func(accumulated *T) *Signal[T], reduce func(accumulated, value T) T) *Signal[T] {
	functions := receiver{name: "AccumulatingLoop", second: reduceCall("AccumulatingLoop", reduce)}
	if once != nil && reduce != nil {
		functions.call = func(accumulated *C.sgk_value) *C.sgk_signal {
			if accumulated == nil {
				return given(once(nil))
			}
			value := decode[T]("AccumulatingLoop", *accumulated)
			return given(once(&value))
		}
	}
	return guardedReceiver[T]("AccumulatingLoop", functions, func(c *call, context C.uintptr_t) *C.sgk_signal {
		return C.call_accumulating_loop(context)
	})
}

// CombineLatest2 emits what f makes of the latest values of two signals, whenever one of them has a new one.
func CombineLatest2[A, B, R any](a *Signal[A], b *Signal[B], f func(A, B) R) *Signal[R] {
	return together2(a, b, f, func(signals ...*Signal[any]) *Signal[[]any] { return CombineLatest(nil, signals...) })
}

// Zip2 emits what f makes of the first values of two signals, then of the second ones, and so on.
func Zip2[A, B, R any](bound Bound, a *Signal[A], b *Signal[B], f func(A, B) R) *Signal[R] {
	return together2(a, b, f, func(signals ...*Signal[any]) *Signal[[]any] { return Zip(bound, signals...) })
}

func together2[A, B, R any](a *Signal[A], b *Signal[B], f func(A, B) R,
	join func(...*Signal[any]) *Signal[[]any]) *Signal[R] {
	if f == nil {
		return noFunction[R]("a combination")
	}
	pairs := Typed[Pair[A, B]](join(Untyped(a), Untyped(b)))
	return Map(pairs, func(pair Pair[A, B]) R { return f(pair.First, pair.Second) })
}

// Untyped is the same signal, of values of any type.
func Untyped[T any](s *Signal[T]) *Signal[any] {
	if s == nil {
		return nil
	}
	return &Signal[any]{object: s.object, err: s.err}
}

// Typed returns the same signal with values of one type. A value of another type causes a TypeError.
func Typed[T any](s AnySignal) *Signal[T] {
	if missing(s) {
		return nil
	}
	return &Signal[T]{object: object{s.raw()}, err: s.Err()}
}

// ---- Bounds ----

// Overflow is the overflow policy of a buffer.
type Overflow int

// The overflow policies of a buffer.
const (
	// OverflowError fails the subscription with ErrOverflow or Bound.Err.
	OverflowError Overflow = iota
	// OverflowSuspend blocks the emitting thread until there is space.
	OverflowSuspend
	// OverflowDropOldest: the value that has waited longest is dropped.
	OverflowDropOldest
	// OverflowDropNewest: the new value is dropped.
	OverflowDropNewest
	// OverflowKeepLatest drops all pending values and keeps only the new one.
	OverflowKeepLatest
	// OverflowPause pauses the source until half of the values were delivered. DeliverOnBounded, Delay and readers
	// support it. It is a bit, to which OverflowSuspend, OverflowDropOldest, OverflowDropNewest or OverflowKeepLatest can be added for
	// sources that cannot be paused.
	OverflowPause Overflow = 0x100
)

// NoRoom as a Bound.Limit: nothing may wait.
const NoRoom = -1

// Bound is the number of values that may wait, and what happens to more. The zero Bound has no limit, except 1024 for
// Read and 65536 bytes for SinkFd, and fails with ErrOverflow.
type Bound struct {
	// Limit is that number. 0 is the limit of the zero Bound.
	Limit    int
	Overflow Overflow
	// Err is the error of OverflowError; nil: ErrOverflow.
	Err error
	// Counter counts dropped values, if it is not nil.
	Counter *OverflowCounter
}

func (b Bound) overflow() C.sgk_overflow {
	if b.Overflow == OverflowPause {
		return C.SGK_OVERFLOW_PAUSE
	}
	if second := b.Overflow &^ OverflowPause; second != b.Overflow {
		return C.SGK_OVERFLOW_PAUSE | Bound{Overflow: second}.overflow()
	}
	switch b.Overflow {
	case OverflowError:
		return C.SGK_OVERFLOW_ERROR
	case OverflowSuspend:
		return C.SGK_OVERFLOW_SUSPEND
	case OverflowDropOldest:
		return C.SGK_OVERFLOW_DROP_OLDEST
	case OverflowDropNewest:
		return C.SGK_OVERFLOW_DROP_NEWEST
	case OverflowKeepLatest:
		return C.SGK_OVERFLOW_KEEP_LATEST
	}
	return C.sgk_overflow(0x1000 + b.Overflow) // none: the library says so
}

// AtEnd is what SinkFd does with its descriptor at the end.
type AtEnd int

// What SinkFd does with its descriptor at the end.
const (
	// AtEndKeepOpen leaves the descriptor to the program.
	AtEndKeepOpen AtEnd = iota
	// AtEndClose closes it before the terminal event.
	AtEndClose
)

// Begin is where FileLines begins to read.
type Begin int

// Where FileLines begins to read.
const (
	// BeginAtEnd skips the present content of the file.
	BeginAtEnd Begin = iota
	// BeginAtStart begins with the present content of the file.
	BeginAtStart
)

// Edges are which values of an interval Throttle emits.
type Edges int

// The values of an interval that Throttle emits.
const (
	EdgeLeading  Edges = C.SGK_EDGE_LEADING
	EdgeTrailing Edges = C.SGK_EDGE_TRAILING
	EdgesBoth    Edges = C.SGK_EDGES_BOTH
)
