package signalkit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestTheSameErrorComesOut(t *testing.T) {
	settles(t)
	pipe := NewPipe[int]()
	record := listen(t, pipe.Signal())
	if err := pipe.Fail(io.ErrUnexpectedEOF); err != nil {
		t.Fatal(err)
	}
	expect(t, record.all(), io.ErrUnexpectedEOF)
	if _, err := Fail[int](io.ErrUnexpectedEOF).Get(background); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

func TestASignalShowsItsPipelineAndARunItsState(t *testing.T) {
	settles(t)
	pipe := NewPipe[int]()
	signal := pipe.Signal().Take(2).Named("cpu")
	expectText := func(shown fmt.Stringer, wanted string) {
		t.Helper()
		if text := shown.String(); text != wanted {
			t.Errorf("%q instead of %q", text, wanted)
		}
	}
	expectText(signal, "named \"cpu\"\n  take 2\n    pipe")
	ended, _ := signal.Start(func(int) {}, nil, nil)
	disposed, _ := signal.Start(func(int) {}, nil, nil)
	expectText(ended, "running")
	disposed.Dispose()
	if err := pipe.Complete(); err != nil {
		t.Error(err)
	}
	expectText(ended, "ended")
	expectText(disposed, "disposed")
	signal.Close()
	expectText(signal, "a closed signal")
	expectText(signal.Take(-1), "no signal")
}

func TestASinkWritesTextAndBytes(t *testing.T) {
	settles(t)
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	queue := NewQueue("io")
	values := Of[any]("grün ", []byte{0, 255}, "", []byte(nil), []byte{}, "\n")
	if all, err := Collect(background, values.SinkFd(int(to.Fd()), AtEndKeepOpen, Bound{Limit: 1, Overflow: OverflowPause}, queue)); err != nil || len(all) != 0 {
		t.Error(all, err)
	}
	to.Close()
	chunks, err := Collect(background, FdBytes(int(from.Fd()), 99, queue))
	if read := string(bytes.Join(chunks, nil)); err != nil || read != "grün \x00\xff\n" {
		t.Errorf("%q, %v", read, err)
	}
}

func TestCloseClosesTheChannelOfAReader(t *testing.T) {
	settles(t)
	for _, source := range []*Signal[int]{NewPipe[int]().Signal(), Range(0, 1000000).RunOn(NewQueue("source"))} {
		reader, err := source.Read(Bound{Limit: 1, Overflow: OverflowSuspend})
		if err != nil {
			t.Fatal(err)
		}
		values := reader.C()
		reader.Close()
		reader.Close()
		for range values { // comes to its end
		}
		if err := reader.Err(); err != nil {
			t.Error(err)
		}
		if _, err := reader.Next(background); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	}
}

func TestAReaderSaysHowItEnds(t *testing.T) {
	settles(t)
	reader, err := Of(1).ConcatWith(Fail[int](errBoom)).Read(Bound{})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for range reader.C() {
	}
	if err := reader.Err(); err != errBoom {
		t.Error(err)
	}
	ends, err := Of(1).Read(Bound{})
	if err != nil {
		t.Fatal(err)
	}
	defer ends.Close()
	if n, err := ends.Next(background); n != 1 || err != nil {
		t.Error(n, err)
	}
	if _, err := ends.Next(background); err != io.EOF {
		t.Error(err)
	}
}

func TestHolds(t *testing.T) {
	settles(t)
	pipe := NewPipe[int]()
	defer pipe.Close()
	run, err := pipe.Signal().Start(func(int) {}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	one, err := run.Hold()
	other, failed := run.Hold()
	if err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	one.Close()
	if !pipe.IsPaused() {
		t.Error("another hold is left")
	}
	other.Dispose()
	if pipe.IsPaused() {
		t.Error("no hold is left")
	}
	other.Close()
	if _, err := one.Hold(); err == nil {
		t.Error("it is closed")
	}
	if action, err := NewDisposable(func() {}); err != nil {
		t.Error(err)
	} else if _, err := action.Hold(); err == nil {
		t.Error("an action cannot be held")
	} else {
		action.Close()
	}
}

func TestAContextEndsAWait(t *testing.T) {
	settles(t)
	ctx, cancel := context.WithCancel(background)
	pipe := NewPipe[int]()
	defer pipe.Close()
	values, wait := pipe.Signal().Channel(ctx)
	ended := listen(t, pipe.Signal().UntilDone(ctx))
	got := make(chan error)
	go func() {
		_, err := pipe.Signal().Get(ctx)
		got <- err
	}()
	cancel()
	for range values {
	}
	if err := wait(); err != context.Canceled {
		t.Error(err)
	}
	if err := <-got; err != context.Canceled {
		t.Error(err)
	}
	eventually(t, func() bool { return len(ended.all()) == 1 })
	expect(t, ended.all(), context.Canceled)
}

func TestChannelsBothWays(t *testing.T) {
	settles(t)
	source := make(chan string)
	go func() {
		defer close(source)
		for _, word := range []string{"a", "", "grün\x00"} {
			source <- word
		}
	}()
	values, err := Map(FromChannel(source), func(s string) string { return s + "!" }).Channel(background)
	words := []any{}
	for word := range values {
		words = append(words, word)
	}
	expect(t, words, "a!", "!", "grün\x00!")
	if err := err(); err != nil {
		t.Error(err)
	}
}

// During a pause nothing is received from a channel.
func TestAPauseOfAChannel(t *testing.T) {
	settles(t)
	source := make(chan int)
	slow := NewVirtualQueue()
	defer slow.Close()
	taken := 0
	run, err := FromChannel(source).DeliverOnBounded(Bound{Limit: 2, Overflow: OverflowPause}, &slow.Queue).Start(
		func(int) { taken++ }, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	source <- 1
	source <- 2
	select {
	case source <- 3:
		t.Error("a value is received during the pause")
	case <-time.After(50 * time.Millisecond):
	}
	for taken < 1000 {
		select {
		case source <- 4:
		case <-time.After(time.Millisecond):
			if _, err := slow.Run(10); err != nil {
				t.Fatal(err)
			}
		}
	}
	source <- 5
	source <- 6
	run.Dispose() // while it waits
	run.Close()
}

// A copy of a struct shares its reference: neither the end of one nor the collector leaves the other with a freed object.
func TestCopiesShareOneReference(t *testing.T) {
	settles(t)
	pipe := *NewPipe[int]()
	again := pipe
	runtime.GC()
	record := listen(t, again.Signal())
	if err := pipe.Next(1); err != nil {
		t.Fatal(err)
	}
	pipe.Close()
	again.Close()
	if err := again.Next(2); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	expect(t, record.all(), 1, "end")
	reader, err := Of(1, 2).Read(Bound{})
	if err != nil {
		t.Fatal(err)
	}
	copied := *reader
	if n, err := copied.Next(background); n != 1 || err != nil {
		t.Error(n, err)
	}
	reader.Close()
	copied.Close()
	if _, err := copied.Next(background); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

func TestAZeroObjectIsClosed(t *testing.T) {
	settles(t)
	var pipe Pipe[int]
	var signal Signal[int]
	var queue Queue
	var disposable Disposable
	var reader Reader[int]
	var local QueueLocal[int]
	_, got := signal.Get(background)
	_, read := reader.Next(background)
	for i, err := range []error{pipe.Next(1), pipe.Signal().Err(), signal.Take(1).Err(), got, read,
		queue.Dispatch(func() {}), local.With(func(int) {})} {
		if !errors.Is(err, ErrClosed) {
			t.Error(i, err)
		}
	}
	pipe.Close()
	signal.Close()
	queue.Close()
	disposable.Close()
	reader.Close()
	for range reader.C() {
		t.Error("a value")
	}
	if _, open := <-reader.C(); open || !errors.Is(reader.Err(), nil) {
		t.Error(open, reader.Err())
	}
}

func TestDescriptorsAndFilesHaveTypedEvents(t *testing.T) {
	settles(t)
	queue := NewQueue("files")
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	defer to.Close()
	if events, err := Fd(int(to.Fd()), FdWrite, queue).Get(background); events != FdWrite || err != nil {
		t.Error(events, err)
	}
	folder := t.TempDir()
	changes := make(chan FileChange, 8)
	run, err := FileChanges(folder, FileCreated|FileMovedFrom|FileMovedTo, queue).Start(
		func(change FileChange) { changes <- change }, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	if err := queue.Sync(func() {}); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(folder+"/one", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(folder+"/one", folder+"/two"); err != nil {
		t.Fatal(err)
	}
	created, from1, to2 := <-changes, <-changes, <-changes
	if created != (FileChange{FileCreated | FileIsFolder, "one", 0}) {
		t.Error(created)
	}
	if from1.Events != FileMovedFrom|FileIsFolder || from1.Name != "one" || to2.Name != "two" || from1.Cookie != to2.Cookie {
		t.Error(from1, to2)
	}
}

func TestAZeroBoundIsUseful(t *testing.T) {
	settles(t)
	queue := NewQueue("bounds")
	reader, err := Range(0, 1024).Read(Bound{})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	signals := []*Signal[int]{
		Range(0, 3).DeliverOnBounded(Bound{}, queue),
		Range(0, 3).DeliverOnBounded(Bound{Limit: 1, Overflow: OverflowPause}, queue),
		Range(0, 3).DeliverOnBounded(Bound{Limit: 1, Overflow: OverflowPause | OverflowDropOldest}, queue),
		Range(0, 3).Delay(time.Millisecond, Bound{}, queue),
		MergeAll(Of(Range(0, 3)), 1, Bound{}),
		Range(0, 3).Distinct(Bound{}),
	}
	for i, signal := range signals {
		if all, err := Collect(background, signal); len(all) != 3 || err != nil {
			t.Error(i, all, err)
		}
	}
	gate := make(chan struct{})
	if err := queue.Dispatch(func() { <-gate }); err != nil {
		t.Fatal(err)
	}
	record := listen(t, Range(0, 5).DeliverOnBounded(Bound{Limit: 4}, queue))
	close(gate)
	eventually(t, func() bool {
		events := record.all()
		if len(events) == 0 {
			return false
		}
		err, failed := events[len(events)-1].(error)
		return failed && errors.Is(err, ErrOverflow)
	})
}

func TestGetAndCollect(t *testing.T) {
	settles(t)
	if n, err := Of(4, 5).Get(background); n != 4 || err != nil {
		t.Error(n, err)
	}
	if _, err := Empty[int]().Get(background); err != ErrNoValue {
		t.Error(err)
	}
	if all, err := Collect(background, Of(4, 5)); len(all) != 2 || all[1] != 5 || err != nil {
		t.Error(all, err)
	}
	ctx, cancel := context.WithTimeout(background, time.Millisecond)
	defer cancel()
	pipe := NewPipe[int]()
	defer pipe.Close()
	if _, err := Never[int]().Get(ctx); err != context.DeadlineExceeded {
		t.Fatal(err)
	}
	if _, err := Collect(ctx, Never[int]()); err != context.DeadlineExceeded {
		t.Fatal(err)
	}
	if _, err := pipe.Signal().Get(ctx); err != context.DeadlineExceeded {
		t.Error(err)
	}
}

type point struct{ X, Y int }

func TestValuesComeOutAsThemselves(t *testing.T) {
	settles(t)
	object := &point{1, 2}
	values := []any{nil, true, 1, int64(2), uint8(3), 1.5, "text", point{3, 4}, object, []int{1}, map[string]int{"a": 1},
		time.Second, errBoom}
	all, err := Collect(background, Of(values...))
	if err != nil {
		t.Fatal(err)
	}
	expect(t, all, values...)
	if all[8] != any(object) {
		t.Error("another object")
	}
	for _, check := range []func() error{
		func() error { _, err := Of(int8(-3)).Get(background); return err },
		func() error { _, err := Of([]string{"a"}).Get(background); return err },
		func() error { _, err := Of(error(errBoom)).Get(background); return err },
		func() error { _, err := Of((*point)(nil)).Get(background); return err },
	} {
		if err := check(); err != nil {
			t.Error(err)
		}
	}
}

func TestValuesAreComparedAsInGo(t *testing.T) {
	settles(t)
	same, other := &point{1, 2}, &point{1, 2}
	count := func(values ...any) int {
		t.Helper()
		all, err := Collect(background, Of(values...).Distinct(Bound{}))
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	for i, counted := range []struct{ got, wanted int }{
		{count(point{1, 2}, point{1, 2}), 1}, {count(same, same), 1}, {count(same, other), 2},
		{count([]int{1}, []int{1}), 1}, {count([]int{1}, []int{2}), 2}, {count(int64(1), int32(1)), 2},
		{count("a", "a", "b"), 2}, {count([]*point{same}, []*point{other}), 1}, {count([]any{1, "x"}, []any{1, "x"}), 1},
	} {
		if counted.got != counted.wanted {
			t.Errorf("%d: %d are different, not %d", i, counted.got, counted.wanted)
		}
	}
}

func TestAWrongTypeNamesOperatorTypeAndValue(t *testing.T) {
	settles(t)
	_, err := Map(Typed[int](Of("three")), func(n int) int { return n }).Get(background)
	var wrong *TypeError
	if !errors.As(err, &wrong) || err.Error() != `Map: expected a value of type int, got "three"` {
		t.Error(err)
	}
	if _, err := Typed[int](Of("three")).Get(background); !errors.As(err, &wrong) {
		t.Error(err)
	}
}

// In C, negative numbers mean that there is no limit.
func TestNumbersWithAMeaningInCOnlyAreRefused(t *testing.T) {
	settles(t)
	inner := func(n int) *Signal[int] { return Of(n) }
	same := func(n int) int { return n }
	refused := func(err error, text string) {
		t.Helper()
		var usage *UsageError
		if !errors.As(err, &usage) || err.Error() != text {
			t.Errorf("%v instead of %q", err, text)
		}
	}
	const atLeast = ": limit must be 1 or more, or 0 for no limit"
	for _, number := range []int{-1, -2, -9} {
		refused(MergeMap(Of(1), number, Bound{}, inner).Err(), "MergeMap"+atLeast)
		refused(MapOrdered(Of(1), number, Bound{}, inner).Err(), "MapOrdered"+atLeast)
		refused(MergeAll(Of(Of(1)), number, Bound{}).Err(), "MergeAll"+atLeast)
		refused(MergeAllOrdered(Of(Of(1)), number, Bound{}).Err(), "MergeAllOrdered"+atLeast)
		refused(Of(1).Repeat(number).Err(), "Repeat: count must be 1 or more, or 0 for no limit")
		const bound = ": Limit must be 1 or more, or 0 for the default"
		refused(ToArray(Of(1), Bound{Limit: number}).Err(), "ToArray"+bound)
		refused(Of(1).Distinct(Bound{Limit: number}).Err(), "Distinct"+bound)
		refused(DistinctBy(Of(1), Bound{Limit: number}, same).Err(), "DistinctBy"+bound)
		refused(Zip(Bound{Limit: number}, Of(1)).Err(), "Zip"+bound)
		_, err := Of(1).Read(Bound{Limit: number})
		refused(err, "Read"+bound)
		if number != NoRoom {
			refused(MergeMap(Of(1), 0, Bound{Limit: number}, inner).Err(),
				"MergeMap: Limit must be 1 or more, NoRoom, or 0 for the default")
		}
		for text, policy := range map[string]RetryPolicy{
			"Delay must be 0 or more, or AtOnce": {Delay: time.Duration(number)},
			"Attempts must be 0 or more":         {Attempts: number},
			"Factor must be 0, or 1 or more":     {Factor: float64(number)},
			"Increment must be 0 or more":        {Increment: time.Duration(number)},
			"MaxDelay must be 0 or more":         {MaxDelay: time.Duration(number)},
			"Jitter must be from 0 to 1":         {Jitter: float64(number)},
			"ResetAfter must be 0 or more":       {ResetAfter: time.Duration(number)},
		} {
			refused(Of(1).Retry(policy, MainQueue()).Err(), "Retry: "+text)
			policy.Decide = func(error, int) AnySignal { return nil }
			refused(Of(1).Retry(policy, MainQueue()).Err(), "Retry: "+text)
		}
	}
	if err := MergeMap(Of(1), 0, Bound{Limit: NoRoom}, inner).Err(); err != nil {
		t.Error(err)
	}
}

func TestABadArgumentIsAnErrorOfStart(t *testing.T) {
	settles(t)
	var none *Signal[int]
	for message, signal := range map[string]*Signal[int]{
		"Take: count: must be 0 or more":                   Of(1).Take(-1).Filter(odd),
		"Child: pid does not fit into 32 bits: 4294967297": Child(1<<32+1, NewQueue("q")),
		"Map: the function is nil":                         Map(Of(1), (func(int) int)(nil)),
		"Scan: the function is nil":                        Scan[int, int](Of(1), 0, nil),
		"ConcatWith: a signal is nil":                      Of(1).ConcatWith(none),
		"DelayStart: queue is nil":                         Of(1).DelayStart(time.Second, nil),
		"DelayStart: seconds: must be 0 or more":           Of(1).DelayStart(-1, NewQueue("q")),
		"Chunked: count: must be 1 or more":                Typed[int](Chunked(Of(1), 0)),
	} {
		_, err := signal.Start(nil, nil, nil)
		if err == nil || signal.Err() == nil || err.Error() != message {
			t.Errorf("%v instead of %q", err, message)
		}
	}
}

func TestErrorsNameNothingOfC(t *testing.T) {
	settles(t)
	run, err := Never[int]().Start(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, waited := run.DisposeAndWait()
	_, threads := NewConcurrentQueue("test", 0)
	suspending, pausing := Bound{Overflow: OverflowSuspend}, Bound{Overflow: OverflowPause}
	for text, err := range map[string]error{
		"ToArray: bound.overflow: must not suspend":                                       ToArray(Of(1), suspending).Err(),
		"Zip: bound.overflow: must not suspend":                                           Zip(suspending, Of(1)).Err(),
		"ToArray: bound.overflow: must not pause":                                         ToArray(Of(1), pausing).Err(),
		"DisposeAndWait: disposable: must be a subscription that was started as waitable": waited,
		"Concurrent: threads: must be from 1 to 1024":                                     threads,
	} {
		if err == nil || !strings.HasPrefix(err.Error(), text) || strings.Contains(strings.ToLower(err.Error()), "sgk") {
			t.Errorf("%v instead of %q", err, text)
		}
	}
}

func TestCloseTwiceAndUseAfterwards(t *testing.T) {
	settles(t)
	pipe, queue, state := NewPipe[int](), NewQueue("q"), NewState(1)
	signal := pipe.Signal()
	run, err := signal.Start(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < 2; i++ {
		pipe.Close()
		queue.Close()
		state.Close()
		signal.Close()
		run.Close()
	}
	run.Dispose()
	_, started := signal.Start(nil, nil, nil)
	_, waited := run.DisposeAndWait()
	for place, err := range []error{pipe.Next(1), pipe.Complete(), pipe.Signal().Err(), queue.Dispatch(func() {}), state.Set(1),
		started, signal.Take(1).Err(), Of(1).RunOn(queue).Err(), waited} {
		if !errors.Is(err, ErrClosed) {
			t.Error(place, err)
		}
	}
	if state.Value() != 0 || queue.IsCurrent() {
		t.Error("it lives")
	}
}

func TestCloseWhileOthersUseIt(t *testing.T) {
	settles(t)
	for round := 0; round < 100; round++ {
		pipe := NewPipe[int]()
		var group sync.WaitGroup
		for i := 0; i < 4; i++ {
			group.Add(1)
			go func() {
				defer group.Done()
				for pipe.Next(1) == nil {
					runtime.Gosched()
				}
			}()
		}
		pipe.Close()
		group.Wait()
	}
}

func TestRunsOfManyGoroutines(t *testing.T) {
	settles(t)
	pipe := NewPipe[int]()
	defer pipe.Close()
	var sum int64
	run, err := pipe.Signal().Start(func(n int) { sum += int64(n) }, nil, nil) // one at a time: no lock
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	var group sync.WaitGroup
	for i := 0; i < 8; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for n := 0; n < 1000; n++ {
				_ = pipe.Next(1)
			}
		}()
	}
	group.Wait()
	eventually(t, func() bool { // the last ones may be delivered by another thread
		_ = pipe.Next(0)
		return atomic.LoadInt64(&sum) == 8000
	})
}

func TestStatesAndPromises(t *testing.T) {
	settles(t)
	state := NewDistinctState(1)
	record := listen(t, state.Signal())
	for _, n := range []int{1, 2, 2, 3} {
		if err := state.Set(n); err != nil {
			t.Fatal(err)
		}
	}
	if err := state.Modify(func(n int) (int, error) { return n * 2, nil }); err != nil {
		t.Fatal(err)
	}
	expect(t, record.all(), 1, 2, 3, 6)
	if state.Value() != 6 || NewEmptyState[string]().Value() != "" {
		t.Error(state.Value())
	}
	promise := NewPromise[int]()
	if err := promise.Set(Of(7)); err != nil {
		t.Fatal(err)
	}
	expect(t, listen(t, promise.Signal()).all(), 7)
	expect(t, listen(t, NewPromiseOf("x").Signal()).all(), "x")
	first, err := NewPromiseFirst(Of(8))
	if err != nil {
		t.Fatal(err)
	}
	expect(t, listen(t, first.Signal()).all(), 8)
	replay := NewReplayPipe[int]()
	defer replay.Close()
	_ = replay.Next(9)
	expect(t, listen(t, replay.Signal()).all(), 9)
}

func TestSharing(t *testing.T) {
	settles(t)
	starts := 0
	source := NewPipe[int]()
	defer source.Close()
	counted := source.Signal().BeforeStarted(func() { starts++ })
	shared := NewMulticast[int]()
	a, b := listen(t, shared.Get("key", counted)), listen(t, shared.Get("key", counted))
	manager := NewMulticastManager[int]()
	c := listen(t, manager.Signal("name", func() *Signal[int] { return counted }))
	piped := listen(t, manager.Pipe("pipe"))
	_ = source.Next(1)
	_ = manager.Next("pipe", 2)
	expect(t, append(append(append(a.all(), b.all()...), c.all()...), piped.all()...), 1, 1, 1, 2)
	if starts != 2 {
		t.Error(starts)
	}
	sequencer := NewSequencer[int]()
	expect(t, listen(t, sequencer.Enqueue(Of(1))).all(), 1, "end")
}

func TestDisposables(t *testing.T) {
	settles(t)
	var order []any
	named := func(name string) *Disposable {
		d, err := NewDisposable(func() { order = append(order, name) })
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	set, dict, slot := NewDisposableBag(), NewDisposableDict[string](), NewDisposableSlot()
	removed := named("removed")
	for _, err := range []error{set.Add(named("a")), set.Add(removed), set.Remove(removed), set.Add(named("b")),
		dict.Set("k", named("c")), dict.Set("k", named("d")), slot.Set(named("e")), slot.Set(nil), set.Add(&dict.Disposable)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	set.Close()
	slot.Close()
	expect(t, order, "c", "e", "a", "b", "d")
	pipe := NewPipe[int]()
	defer pipe.Close()
	run, err := pipe.Signal().StartHandlers(Handlers[int]{Next: func(int) {}, Waitable: true})
	if err != nil {
		t.Fatal(err)
	}
	if waited, err := run.DisposeAndWait(); !waited || err != nil {
		t.Error(waited, err)
	}
	var own []any
	endless := FromIterator(func() (int, bool) { return 1, true })
	var running *Disposable
	if _, err = endless.StartHandlers(Handlers[int]{
		Started: func(run *Disposable) { running = run },
		Next: func(n int) {
			if own = append(own, n); len(own) == 3 {
				running.Dispose()
			}
		},
	}); err != nil {
		t.Fatal(err)
	}
	expect(t, own, 1, 1, 1)
}

func TestQueuesAndTimers(t *testing.T) {
	settles(t)
	virtual := NewVirtualQueue()
	var fired []any
	timer, err := NewQueueTicker(time.Second, &virtual.Queue, func() { fired = append(fired, virtual.Now()) })
	if err != nil {
		t.Fatal(err)
	}
	if err := timer.Start(); err != nil || !timer.IsScheduled() || timer.Remaining() != time.Second {
		t.Error(err)
	}
	if _, err := virtual.After(90*time.Second, func() { fired = append(fired, "late") }); err != nil {
		t.Fatal(err)
	}
	if err := virtual.Advance(2 * time.Second); err != nil {
		t.Fatal(err)
	}
	if err := timer.Invalidate(); err != nil {
		t.Fatal(err)
	}
	if count, err := virtual.Run(10); count != 1 || err != nil || virtual.Pending() != 0 {
		t.Error(count, err)
	}
	expect(t, fired, time.Second, 2*time.Second, "late")
	once, err := NewQueueTimer(time.Second, &virtual.Queue, func() { fired = append(fired, "once") })
	if err != nil || once.Start() != nil {
		t.Fatal(err)
	}
	if err := virtual.Advance(time.Minute); err != nil {
		t.Fatal(err)
	}
	expect(t, fired, time.Second, 2*time.Second, "late", "once")
	pipe, resumed := NewPipe[int](), 0
	bounded := pipe.Signal().DeliverOnBounded(Bound{Limit: 1, Overflow: OverflowPause}, &virtual.Queue)
	run, err := bounded.Start(func(int) {}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := pipe.Next(1); err != nil || !pipe.IsPaused() {
		t.Error(err)
	}
	if err := pipe.OnResume(&virtual.Queue, func() { resumed++ }); err != nil {
		t.Error(err)
	}
	if err := pipe.OnResume(&virtual.Queue, nil); err == nil {
		t.Error("a function is required")
	}
	if _, err := virtual.Run(10); err != nil || resumed != 1 || pipe.IsPaused() {
		t.Error(err, resumed)
	}
	run.Dispose()
	pipe.Close()
	if err := pipe.OnResume(&virtual.Queue, func() {}); err == nil {
		t.Error("the pipe is closed")
	}
	pipe, counter := NewPipe[int](), NewOverflowCounter()
	second := Bound{Limit: 4, Overflow: OverflowPause | OverflowDropOldest, Counter: counter}
	var seen []int
	var paused []bool
	run, err = pipe.Signal().DeliverOnBounded(second, &virtual.Queue).Start(func(n int) { seen = append(seen, n) }, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 5; n++ {
		if err := pipe.Next(n); err != nil {
			t.Error(err)
		}
		paused = append(paused, pipe.IsPaused())
	}
	if _, err := virtual.Run(10); err != nil || fmt.Sprint(seen, paused) != "[2 3 4 5] [false false true true true]" {
		t.Error(err, seen, paused)
	}
	if counter.Dropped() != 1 || counter.Exceeded() != 0 {
		t.Error(counter.Dropped(), counter.Exceeded())
	}
	run.Dispose()
	pipe.Close()
	var out *Subscriber[int]
	run, err = Create(func(s *Subscriber[int]) func() { out = s; return nil }).Start(func(int) {}, nil, nil)
	if err != nil || out.IsPaused() {
		t.Fatal(err)
	}
	hold, err := run.Hold()
	if err != nil || !out.IsPaused() {
		t.Error(err)
	}
	if err := out.OnResume(&virtual.Queue, func() { resumed++ }); err != nil {
		t.Error(err)
	}
	if err := out.OnResume(&virtual.Queue, nil); err == nil {
		t.Error("a function is required")
	}
	if _, err := virtual.Run(10); err != nil || resumed != 1 {
		t.Error(err, resumed)
	}
	hold.Close()
	if _, err := virtual.Run(10); err != nil || resumed != 2 || out.IsPaused() {
		t.Error(err, resumed)
	}
	run.Dispose()
	out.Close()
	if err := out.OnResume(&virtual.Queue, func() {}); err == nil {
		t.Error("the subscriber is closed")
	}
	if _, err := NewThreadPool(1<<32+1, 0.5); err == nil || !strings.Contains(err.Error(), "does not fit into 32 bits") {
		t.Error(err)
	}
	if _, err := NewConcurrentQueue("q", 0); err == nil {
		t.Error("a queue without threads")
	}
	threads, err := NewConcurrentQueue("q", 2)
	if err != nil {
		t.Fatal(err)
	}
	both, met := make(chan struct{}), make(chan struct{}, 2)
	for _, meet := range []func(){func() { both <- struct{}{} }, func() { <-both }} {
		meet := meet
		if err := threads.Dispatch(func() { meet(); met <- struct{}{} }); err != nil {
			t.Fatal(err)
		}
	}
	<-met
	<-met
	pool, err := NewThreadPool(2, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	if _, err := pool.AddTask(func() { close(done) }); err != nil {
		t.Fatal(err)
	}
	<-done
	if err := pool.Shutdown(); err != nil {
		t.Fatal(err)
	}
}

func TestAQueueOnALoopOfTheProgram(t *testing.T) {
	settles(t)
	work := make(chan func(), 100)
	queue, err := NewQueueOn(func(f func()) bool { work <- f; return true })
	if err != nil {
		t.Fatal(err)
	}
	record := listen(t, Of(1, 2).RunOn(NewQueue("elsewhere")).DeliverOn(queue))
	for len(record.all()) < 3 {
		f := <-work
		f()
		f() // a second time does nothing
	}
	expect(t, record.all(), 1, 2, "end")
	queue.Close()
	for more := true; more; {
		select {
		case f := <-work:
			f()
		default:
			more = false
		}
	}
}

func TestALoopThatHasEnded(t *testing.T) {
	settles(t)
	var kept func()
	queue, err := NewQueueOn(func(f func()) bool { kept = f; return false })
	if err != nil {
		t.Fatal(err)
	}
	defer queue.Close()
	if queue.Dispatch(func() { t.Error("was called") }) == nil {
		t.Error("no error")
	}
	kept() // as it should not
	if queue.Dropped() != 1 {
		t.Error(queue.Dropped())
	}
}

func TestAnObjectOfOneQueue(t *testing.T) {
	settles(t)
	queue := NewQueue("own")
	defer queue.Close()
	local, err := NewQueueLocal(queue, func() *[]bool { return &[]bool{queue.IsCurrent()} })
	if err != nil {
		t.Fatal(err)
	}
	if err := local.With(func(seen *[]bool) { *seen = append(*seen, queue.IsCurrent()) }); err != nil {
		t.Fatal(err)
	}
	var seen []bool
	if err := local.SyncWith(func(all *[]bool) { seen = append(*all, queue.IsCurrent()) }); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(seen) != "[true true true]" {
		t.Error(seen)
	}
	signal := SignalWith(local, func(all *[]bool, subscriber *Subscriber[bool]) func() {
		for _, current := range *all {
			subscriber.Next(current)
		}
		subscriber.Complete()
		return nil
	})
	if values, err := Collect(background, signal); err != nil || fmt.Sprint(values) != "[true true]" {
		t.Error(values, err)
	}
	boom := errors.New("boom")
	if err := local.SyncWith(func(*[]bool) { panic(boom) }); err != boom {
		t.Error(err)
	}
	failing := SignalWith(local, func(*[]bool, *Subscriber[bool]) func() { panic(boom) })
	if _, err := failing.Get(background); err != boom {
		t.Error(err)
	}
	local.Close()
	if err := local.With(func(*[]bool) {}); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	broken, err := NewQueueLocal(queue, func() int { panic(boom) })
	if err != nil {
		t.Fatal(err)
	}
	defer broken.Close()
	if err := broken.SyncWith(func(int) { t.Error("was called") }); err != boom {
		t.Error(err)
	}
	if _, err := NewQueueLocal(ConcurrentQueue(), func() int { return 1 }); err == nil {
		t.Error("no error")
	}
	if SignalWith[int, int](nil, nil).Err() == nil {
		t.Error("no error")
	}
}

// failingSignal counts its attempts.
func failingSignal(attempts *int) *Signal[int] {
	return Deferred(func() *Signal[int] {
		*attempts++
		return Fail[int](errors.New("boom"))
	})
}

func TestRetryWithoutNumbers(t *testing.T) {
	settles(t)
	queue := NewVirtualQueue()
	defer queue.Close()
	attempts := 0
	failing := failingSignal(&attempts)
	listen(t, failing.Retry(RetryPolicy{Attempts: 3}, &queue.Queue))
	for _, wanted := range []int{1, 2, 2, 3} { // after 0, 1, 2 and 3 seconds
		if attempts != wanted {
			t.Errorf("%d attempts, not %d", attempts, wanted)
		}
		queue.Advance(time.Second)
	}
}

func TestDecisionsOfRetry(t *testing.T) {
	settles(t)
	queue := NewVirtualQueue()
	defer queue.Close()
	attempts := 0
	failing := failingSignal(&attempts)
	policy := RetryPolicy{Delay: AtOnce, Decide: func(err error, failures int) AnySignal {
		if err.Error() != "boom" {
			return Empty[int]()
		}
		switch failures {
		case 1:
			return nil
		case 2:
			return Timer(5*time.Second, &queue.Queue)
		}
		return Fail[int](errBoom)
	}}
	all := listen(t, failing.Retry(policy, &queue.Queue))
	if attempts != 2 {
		t.Errorf("%d attempts", attempts)
	}
	queue.Advance(5 * time.Second)
	if events := all.all(); attempts != 3 || len(events) != 1 || events[0] != errBoom {
		t.Errorf("%d attempts, %v", attempts, events)
	}
}

func TestManySubscriptions(t *testing.T) {
	settles(t)
	pipe := NewPipe[int]()
	defer pipe.Close()
	sums := Scan(pipe.Signal(), 0, sum)
	for i := 0; i < 100000; i++ {
		run, err := sums.Start(nil, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Dispose(); i%2 == 0 {
			run.Close() // the others are the collector's
		}
	}
}

func TestLinks(t *testing.T) {
	settles(t)
	emitter, bag := NewEventEmitter[int](), NewLinkBag()
	odds, err := emitter.Filter(odd)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := MapLink(odds, func(n int) string { return "n" + string(rune('0'+n)) })
	if err != nil {
		t.Fatal(err)
	}
	var events []any
	for _, err := range []error{
		bag.Add(texts), texts.OnNext(func(s string) { events = append(events, s) }, nil),
		texts.OnError(func(err error) { events = append(events, err) }, nil),
		emitter.Next(1), emitter.Next(2), emitter.Next(3), emitter.Fail(errBoom), bag.Clear(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	expect(t, events, "n1", "n3", errBoom)
	link, err := LinkOf(Of(4))
	if err != nil {
		t.Fatal(err)
	}
	expect(t, listen(t, link.Signal()).all(), 4, "end")
}

func TestManyGoroutinesQueuesAndPanics(t *testing.T) {
	settles(t)
	queues := []*Queue{NewQueue("a"), NewQueue("b"), ConcurrentQueue()}
	var group sync.WaitGroup
	for i := 0; i < 8; i++ {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			for round := 0; round < 100; round++ {
				n := round // a callback may still read it after Close
				inner := func(int) *Signal[[]string] { return Of([]string{"x"}).DeliverOn(queues[i%3]) }
				counted := Scan(SwitchMap(Range(0, 5).RunOn(queues[n%3]), inner), 0, func(a int, words []string) int {
					if n%7 == 0 {
						panic(errBoom)
					}
					return a + len(words)
				})
				if n%4 == 0 {
					run, err := counted.Start(nil, func(error) {}, nil)
					if err != nil {
						t.Error(err)
						return
					}
					run.Close()
				} else if _, err := Collect(background, counted); err != nil && err != errBoom {
					t.Error(err)
				}
			}
		}(i)
	}
	group.Wait()
	Drain(time.Minute)
}

// called returns the function that C called in the current call.
func called() string {
	frames := make([]uintptr, 99)
	all := runtime.CallersFrames(frames[:runtime.Callers(0, frames)])
	for {
		frame, more := all.Next()
		if strings.Contains(frame.Function, ".go") || !more {
			return frame.Function[strings.LastIndex(frame.Function, ".")+1:]
		}
	}
}

func TestASubscriptionCallsNeighbouringFunctionsTogether(t *testing.T) {
	settles(t)
	var calls []string
	note := func(int) { calls = append(calls, called()) }
	numbers := Map(Range(0, 3), func(n int) int { note(n); return n * 10 })
	all := Map(numbers.Filter(func(n int) bool { note(n); return n > 0 }).BeforeNext(note),
		func(n int) point { return point{n, 1} })
	expect(t, listen(t, all).all(), point{10, 1}, point{20, 1}, "end")
	expect(t, listen(t, all.Skip(1)).all(), point{20, 1}, "end")
	wanted := []string{}
	for _, entry := range []string{"goReceive", "goTransform"} {
		wanted = append(wanted, entry, entry) // 0
		for n := 1; n < 3; n++ {
			wanted = append(wanted, entry, entry, entry)
		}
	}
	if !reflect.DeepEqual(calls, wanted) {
		t.Error(calls)
	}
	numbers.Close()
	expect(t, listen(t, all).all(), point{10, 1}, point{20, 1}, "end")
	all.Close()
	if _, err := all.Start(func(point) {}, nil, nil); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

func TestAFunctionThatFailsBesideOthersFailsTheSubscription(t *testing.T) {
	settles(t)
	same := func(n int) int { return n }
	failing := TryMap(Map(Range(0, 3), same), func(n int) (int, error) {
		if n == 1 {
			return 0, io.ErrUnexpectedEOF
		}
		return n, nil
	})
	expect(t, listen(t, Map(failing, same)).all(), 0, io.ErrUnexpectedEOF)
	panics := Map(Range(0, 3), func(n int) int { panic(io.ErrNoProgress) })
	expect(t, listen(t, panics.Filter(func(int) bool { return true })).all(), io.ErrNoProgress)
}

func TestBytesAndSignalsAreCopiedForEachFunction(t *testing.T) {
	settles(t)
	data, given := []byte("a"), Of(1)
	bytes := Map(Of(1), func(int) []byte { return data }).BeforeNext(func(data []byte) { data[0] = 'b' })
	expect(t, listen(t, bytes).all(), []byte("a"), "end")
	signals := Map(Of(1), func(int) *Signal[int] { return given })
	if _, err := signals.Start((*Signal[int]).Close, nil, nil); err != nil {
		t.Error(err)
	}
	if value, err := given.Get(background); value != 1 || err != nil {
		t.Error(value, err)
	}
}

func TestAFunctionMayReturnWhatItReceives(t *testing.T) {
	settles(t)
	pipe := NewPipe[string]()
	defer pipe.Close()
	same := Map(pipe.Signal(), func(text string) string { return text })
	last := Scan(same, "", func(_, text string) string { return text })
	pairs := CombineLatest(nil, last, Of("fixed"))
	first := CombineLatestMap(func(all [][]string) []string { return all[0] }, nil, pairs)
	events := listen(t, Map(first, func(pair []string) string { return pair[0] }))
	for _, text := range []string{"a", "bc"} {
		if err := pipe.Next(text); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, events.all(), "a", "bc")
}

type thing struct{ n int }

// sent returns the things that arrive while send is called.
func sent(t *testing.T, s *Signal[*thing], send func()) (things []*thing) {
	run, err := s.Start(func(value *thing) { things = append(things, value) }, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	send()
	return
}

func TestObjectsAreForgottenWithTheirLastValue(t *testing.T) {
	settles(t)
	one, two := &thing{1}, &thing{2}
	pipe := NewPipe[*thing]()
	defer pipe.Close()
	same := sent(t, pipe.Signal(), func() { _ = pipe.Next(one) })
	if len(same) != 1 || same[0] != one || objects.count() != 0 {
		t.Error(same, objects.count())
	}
	_ = pipe.Next(one) // to nobody
	nested := pipe.Signal().BeforeNext(func(value *thing) {
		if value == one {
			_ = pipe.Next(two)
		}
	})
	if both := sent(t, nested, func() { _ = pipe.Next(one) }); len(both) != 2 || objects.count() != 0 {
		t.Error(both, objects.count())
	}
	// More objects are released at once than a call collects.
	chunks, count := Chunked(pipe.Signal(), 20), 0
	run, err := chunks.Start(func(chunk []*thing) { count += len(chunk) }, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 50; n++ {
		if _ = pipe.Next(&thing{n}); objects.count() != n%20 {
			t.Error(n, objects.count())
		}
	}
	run.Close()
	eventually(t, func() bool { return count == 40 && objects.count() == 0 })
	created := Create(func(s *Subscriber[*thing]) func() {
		defer s.Close()
		_ = s.Next(one)
		_ = s.Next(two)
		_ = s.Complete()
		return nil
	})
	if both := sent(t, created.TakeLast(1), func() {}); len(both) != 1 || both[0] != two || objects.count() != 0 {
		t.Error(both, objects.count())
	}
	if err := pipe.Complete(); err != nil {
		t.Error(err)
	}
	if err := pipe.Next(one); err != ErrEnded || objects.count() != 0 {
		t.Error(err, objects.count())
	}
	pipe.Close()
	if err := pipe.Next(one); err == nil || objects.count() != 0 {
		t.Error(err, objects.count())
	}
}

func TestObjectsOfManyGoroutines(t *testing.T) {
	settles(t)
	pipe := NewPipe[thing]()
	defer pipe.Close()
	var sum atomic.Int64
	run, err := Map(pipe.Signal(), func(value thing) thing { return thing{value.n + 1} }).Serialized().
		Start(func(value thing) { sum.Add(int64(value.n)) }, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	var group sync.WaitGroup
	for worker := 0; worker < 8; worker++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for n := 0; n < 500; n++ {
				_ = pipe.Next(thing{n})
			}
		}()
	}
	group.Wait()
	if sum.Load() != 8*500*501/2 {
		t.Error(sum.Load())
	}
}

// Threads add, read and remove more objects than the pages that exist contain.
func TestObjectTable(t *testing.T) {
	var table objectTable
	var threads sync.WaitGroup
	for thread := 0; thread < 4; thread++ {
		threads.Add(1)
		go func() {
			defer threads.Done()
			for round := 0; round < 2; round++ {
				var numbers []uintptr
				for n := 0; n < 3*shards*pageSize; n++ {
					numbers = append(numbers, table.add(&n))
					if half := table.get(numbers[n/2]); numbers[n] == 0 || half == nil {
						t.Error(numbers[n], half)
					}
				}
				for n, number := range numbers {
					if table.remove(number); n%2 == 0 {
						numbers[n] = table.add(n)
					}
				}
				for n := 0; n < len(numbers); n += 2 {
					if got := table.get(numbers[n]); got != n {
						t.Errorf("%v instead of %d", got, n)
					}
					table.remove(numbers[n])
				}
			}
		}()
	}
	threads.Wait()
	if table.count() != 0 {
		t.Error(table.count())
	}
}
