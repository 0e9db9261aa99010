package signalkit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"signalkit.dev/signalkit/internal/foreign"
)

// leavers are operators with a function that is left by f.
func leavers(f func()) map[string]*Signal[any] {
	two := Of(1, 2)
	fails := two.ConcatWith(Fail[int](errors.New("first")))
	yes := func() bool { f(); return true }
	number := func() int { f(); return 0 }
	signal := func() *Signal[int] { f(); return nil }
	return map[string]*Signal[any]{
		"Map":              Untyped(Map(two, func(int) int { return number() })),
		"TryMap":           Untyped(TryMap(two, func(int) (int, error) { return number(), nil })),
		"Filter":           Untyped(two.Filter(func(int) bool { return yes() })),
		"CompactMap":       Untyped(CompactMap(two, func(int) (int, bool) { return number(), true })),
		"BeforeNext":       Untyped(two.BeforeNext(func(int) { f() })),
		"AfterNext":        Untyped(two.AfterNext(func(int) { f() })),
		"BeforeStarted":    Untyped(two.BeforeStarted(f)),
		"BeforeCompleted":  Untyped(two.BeforeCompleted(f)),
		"BeforeError":      Untyped(fails.BeforeError(func(error) { f() })),
		"MapError":         Untyped(fails.MapError(func(error) error { f(); return nil })),
		"Scan":             Untyped(Scan(two, 0, func(int, int) int { return number() })),
		"Reduce":           Untyped(Reduce(two, 0, func(int, int) int { return number() })),
		"TakeWhile":        Untyped(two.TakeWhile(func(int) bool { return yes() })),
		"DistinctBy":       Untyped(DistinctBy(two, Bound{}, func(int) int { return number() })),
		"DistinctUntil":    Untyped(two.DistinctUntilChangedBy(func(int, int) bool { return yes() })),
		"CombineLatestMap": Untyped(CombineLatestMap(func([]int) int { return number() }, nil, two, two)),
		"ZipMap":           Untyped(ZipMap(Bound{}, func([]int) int { return number() }, two, two)),
		"WithLatestFrom":   Untyped(WithLatestFromMap(two, two, func(int, int) int { return number() })),
		"SwitchMap":        Untyped(SwitchMap(two, func(int) *Signal[int] { return signal() })),
		"SwitchMapPer":     Untyped(SwitchMapPer(two, Bound{}, func(int) int { return number() }, tens)),
		"GroupBy": Untyped(GroupBy(two, Bound{}, func(n int) int { return n },
			func(int, *Signal[int]) *Signal[int] { return signal() })),
		"Catch":      Untyped(fails.Catch(func(error) *Signal[int] { return signal() })),
		"Retry":      Untyped(fails.Retry(RetryPolicy{Decide: func(error, int) AnySignal { return signal() }}, NewQueue("retry"))),
		"Deferred":   Untyped(Deferred(func() *Signal[int] { return signal() })),
		"Create":     Untyped(Create(func(*Subscriber[int]) func() { f(); return nil })),
		"Iterator":   Untyped(FromIterator(func() (int, bool) { return number(), true })),
		"Loop":       Untyped(AccumulatingLoop(func(*int) *Signal[int] { return signal() }, sum)),
		"LoopReduce": Untyped(AccumulatingLoop(func(a *int) *Signal[int] { return two }, func(int, int) int { return number() })),
	}
}

func TestAPanicWithAnErrorEndsTheRunWithThatVeryError(t *testing.T) {
	settles(t)
	err := fmt.Errorf("wrapped: %w", errBoom)
	for name, signal := range leavers(func() { panic(err) }) {
		record := listen(t, signal)
		events := record.all()
		if len(events) == 0 || events[len(events)-1] != err {
			t.Errorf("%s: %v", name, events)
		}
	}
}

func TestAnErrorOfTheLibraryHasACode(t *testing.T) {
	_, err := Never[int]().Timeout(time.Millisecond, ConcurrentQueue()).Get(context.Background())
	var failure *Failure
	if !errors.As(err, &failure) || failure.Code != -8 || failure.Cause != nil {
		t.Errorf("%#v", err)
	}
	if failure.Error() != "Timeout: timed out" {
		t.Error(failure)
	}
	if wrapped := (&Failure{Cause: ErrNoValue}); !errors.Is(wrapped, ErrNoValue) {
		t.Error("a cause is not found")
	}
}

func TestAnObjectOfAnotherTypeIsAnError(t *testing.T) {
	settles(t)
	owned := func(pointer unsafe.Pointer) *Signal[any] { return &Signal[any]{object: object{owning(pointer)}} }
	wrong := func(what string, err error) {
		t.Helper()
		failure, ok := err.(*Failure)
		reason := "value: must be an object of the type Go, not Other"
		if !ok || failure.Code != -5 || failure.Error() != reason {
			t.Errorf("%s: %#v", what, err)
		}
	}
	one, fails := owned(foreign.Just()), owned(foreign.Fail())
	_, err := Map(one, func(any) int { return 1 }).Get(background)
	wrong("Map", err)
	_, err = Map(Typed[string](one), func(text string) string { return text }).Get(background)
	wrong("Typed", err)
	_, err = Pairwise(one.ConcatWith(one)).Get(background)
	wrong("Pairwise", err)
	events := listen(t, fails).all()
	wrong("Fail", events[len(events)-1].(error))
	fails.Catch(func(err error) *Signal[any] { wrong("Catch", err); return Just[any](1) }).Get(background)
	fails.MapError(func(err error) error { wrong("MapError", err); return err }).Get(background)
	_, err = owned(foreign.FailFrom()).Get(background)
	failure := err.(*Failure)
	if failure.Error() != "outer" {
		t.Error(failure)
	}
	wrong("Cause", failure.Cause)
}

func TestAnyOtherPanicIsAPanicError(t *testing.T) {
	settles(t)
	for name, signal := range leavers(func() { panic("at the disco") }) {
		events := listen(t, signal).all()
		reason, ok := events[len(events)-1].(*PanicError)
		if !ok || reason.Value != "at the disco" || len(reason.Stack) == 0 {
			t.Errorf("%s: %v", name, events)
		}
	}
	events := listen(t, Map(Of(0), func(n int) int { return 1 / n })).all()
	var reason runtime.Error
	if !errors.As(events[0].(error), &reason) {
		t.Error(events)
	}
}

func TestASubscriberThatPanicsEndsItsRunAlone(t *testing.T) {
	settles(t)
	pipe := NewPipe[int]()
	defer pipe.Close()
	var failed error
	run, err := pipe.Signal().Start(func(int) { panic(errBoom) }, func(err error) { failed = err }, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	others := listen(t, pipe.Signal())
	for n := 1; n <= 2; n++ {
		if err := pipe.Next(n); err != nil {
			t.Fatal(err)
		}
	}
	if failed != errBoom {
		t.Error(failed)
	}
	expect(t, others.all(), 1, 2)
}

func TestStartWithoutFunctions(t *testing.T) {
	settles(t)
	var unhandled error
	OnUnhandledError(func(err error, name string) { unhandled = fmt.Errorf("%s: %w", name, err) })
	defer OnUnhandledError(nil)
	for _, next := range []func(int){nil, func(int) {}} {
		for _, signal := range []*Signal[int]{Of(1), Fail[int](errBoom).Named("broken")} {
			run, err := signal.Start(next, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			run.Close()
		}
	}
	if !errors.Is(unhandled, errBoom) || unhandled.Error() != "broken: boom" {
		t.Error(unhandled)
	}
}

func TestWhatNobodyCanBeToldIsReported(t *testing.T) {
	settles(t)
	heard := heard(t)
	explode := func() { panic(errBoom) }
	run, err := Fail[int](errors.New("x")).Start(nil, func(error) { explode() }, nil)
	if err != nil {
		t.Fatal(err)
	}
	run.Close()
	run, err = Of(1).AfterCompleted(explode).AfterDisposed(explode).Start(nil, nil, explode)
	if err != nil {
		t.Fatal(err)
	}
	run.Close()
	queue := NewQueue("explodes")
	if err := queue.Dispatch(explode); err != nil {
		t.Fatal(err)
	}
	if err := queue.Sync(func() {}); err != nil {
		t.Fatal(err)
	}
	expect(t, heard.all(), errBoom, errBoom, errBoom, errBoom, errBoom)
}

func TestWhatIsCalledBeforeTheCallReturnsFailsThere(t *testing.T) {
	settles(t)
	state := NewState(1)
	for _, fails := range []func(int) (int, error){
		func(int) (int, error) { return 2, errBoom },
		func(int) (int, error) { panic(errBoom) },
	} {
		if err := state.Modify(fails); err != errBoom {
			t.Error(err)
		}
	}
	if state.Value() != 1 {
		t.Error(state.Value())
	}
	if err := NewQueue("sync").Sync(func() { panic(errBoom) }); err != errBoom {
		t.Error(err)
	}
	manager := NewMulticastManager[int]()
	if err := manager.StartStandalone("key", func() *Signal[int] { panic(errBoom) }); err != errBoom {
		t.Error(err)
	}
}

// alone runs the test in a separate process, because it leaves live objects, and returns whether this is that process.
func alone(t *testing.T) bool {
	if os.Getenv("SIGNALKIT_ALONE") != "" {
		return true
	}
	command := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	command.Env = append(os.Environ(), "SIGNALKIT_ALONE=yes")
	if output, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, output)
	}
	return false
}

// Nobody can cancel runtime.Goexit: the goroutine ends, the subscription fails, and other sources continue.
func TestGoexitInAFunction(t *testing.T) {
	if !alone(t) {
		return
	}
	heard := heard(t)
	var failed error
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = Of(1, 2).Start(func(int) { runtime.Goexit() }, func(err error) { failed = err }, nil)
		t.Error("it has come back")
	}()
	<-done
	if failed != ErrGoexit {
		t.Error(failed)
	}
	expect(t, heard.all(), ErrGoexit)
	expect(t, listen(t, Of(1)).all(), 1, "end")
}

func TestGoexitOnAThreadOfTheLibrarysLeavesTheProgramAlone(t *testing.T) {
	if !alone(t) {
		return
	}
	heard := heard(t)
	if err := NewQueue("exits").Dispatch(runtime.Goexit); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return len(heard.all()) == 1 })
	expect(t, heard.all(), ErrGoexit)
	pass := make(chan struct{})
	if err := NewQueue("another").Dispatch(func() { close(pass) }); err != nil {
		t.Fatal(err)
	}
	select {
	case <-pass:
	case <-time.After(time.Minute):
		t.Error("another queue waits as well")
	}
}
