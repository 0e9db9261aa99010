package signalkit

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"reflect"
	"sort"
	"strings"
	"testing"
	"time"
)

var errBoom = errors.New("boom")

// tools are the shared parts of the cases below.
type tools struct {
	three *Signal[int] // 1, 2, 3
	queue *Queue
}

func signals(s *Signal[int]) *Signal[*Signal[int]] {
	return Map(s, func(n int) *Signal[int] { return Of(n, n*10) })
}

func tens(n int) *Signal[int]                { return Of(n, n*10) }
func odd(n int) bool                         { return n%2 == 1 }
func sum(a, n int) int                       { return a + n }
func always(error) bool                      { return true }
func p(a, b int) any                         { return Pair[int, int]{a, b} }
func list(values ...int) any                 { return append([]int{}, values...) }
func all(values ...any) []any                { return values }
func typed[T any](s *Signal[T]) *Signal[any] { return Untyped(s) }

type operatorCase struct {
	make   func(tools) *Signal[any]
	wanted []any
}

// operators has a case for each operator, source and combination of the description: what it makes of 1, 2, 3. Nil: that
// depends on the clock or on a thread, and it only is to say something.
var operators = map[string]operatorCase{
	"after_next": {func(t tools) *Signal[any] {
		return typed(t.three.AfterNext(func(int) {}))
	}, all(1, 2, 3, "end")},
	"before_started": {func(t tools) *Signal[any] {
		return typed(t.three.BeforeStarted(func() {}))
	}, all(1, 2, 3, "end")},
	"before_error": {func(t tools) *Signal[any] {
		return typed(t.three.BeforeError(func(error) {}))
	}, all(1, 2, 3, "end")},
	"before_completed": {func(t tools) *Signal[any] {
		return typed(t.three.BeforeCompleted(func() {}))
	}, all(1, 2, 3, "end")},
	"after_completed": {func(t tools) *Signal[any] {
		return typed(t.three.AfterCompleted(func() {}))
	}, all(1, 2, 3, "end")},
	"after_disposed": {func(t tools) *Signal[any] {
		return typed(t.three.AfterDisposed(func() {}))
	}, all(1, 2, 3, "end")},
	"before_next": {func(t tools) *Signal[any] {
		return typed(t.three.BeforeNext(func(int) {}))
	}, all(1, 2, 3, "end")},
	"named": {func(t tools) *Signal[any] {
		return typed(t.three.Named("numbers"))
	}, all(1, 2, 3, "end")},
	"trace": {func(t tools) *Signal[any] {
		return typed(t.three.Take(0).Trace("none"))
	}, all("end")},
	"with_latest_from": {func(t tools) *Signal[any] { return typed(WithLatestFrom(t.three, Of(9))) },
		all(p(1, 9), p(2, 9), p(3, 9), "end")},
	"switch_to_latest": {func(t tools) *Signal[any] { return typed(SwitchToLatest(signals(t.three))) },
		all(1, 10, 2, 20, 3, 30, "end")},
	"concat_all": {func(t tools) *Signal[any] {
		return typed(ConcatAll(signals(t.three)))
	}, all(1, 10, 2, 20, 3, 30, "end")},
	"concat_latest": {func(t tools) *Signal[any] { return typed(ConcatLatest(signals(t.three))) },
		all(1, 10, 2, 20, 3, 30, "end")},
	"merge_all": {func(t tools) *Signal[any] { return typed(MergeAll(signals(t.three), 0, Bound{})) },
		all(1, 10, 2, 20, 3, 30, "end")},
	"take_until_replacement": {func(t tools) *Signal[any] {
		return typed(TakeUntilReplacement(t.three, Never[*Signal[int]]()))
	}, all(1, 2, 3, "end")},
	"switch_map": {func(t tools) *Signal[any] {
		return typed(SwitchMap(t.three, tens))
	}, all(1, 10, 2, 20, 3, 30, "end")},
	"concat_map": {func(t tools) *Signal[any] {
		return typed(ConcatMap(t.three, tens))
	}, all(1, 10, 2, 20, 3, 30, "end")},
	"concat_map_latest": {func(t tools) *Signal[any] {
		return typed(ConcatMapLatest(t.three, tens))
	}, all(1, 10, 2, 20, 3, 30, "end")},
	"exhaust_map": {func(t tools) *Signal[any] {
		return typed(ExhaustMap(t.three, tens))
	}, all(1, 10, 2, 20, 3, 30, "end")},
	"merge_all_ordered": {func(t tools) *Signal[any] {
		return typed(MergeAllOrdered(signals(t.three), 0, Bound{}))
	}, all(1, 10, 2, 20, 3, 30, "end")},
	"map_ordered": {func(t tools) *Signal[any] { return typed(MapOrdered(t.three, 1, Bound{}, tens)) },
		all(1, 10, 2, 20, 3, 30, "end")},
	"merge_map": {func(t tools) *Signal[any] { return typed(MergeMap(t.three, 1, Bound{}, tens)) },
		all(1, 10, 2, 20, 3, 30, "end")},
	"switch_map_per": {func(t tools) *Signal[any] { return typed(SwitchMapPer(t.three, Bound{}, odd, tens)) },
		all(1, 10, 2, 20, 3, 30, "end")},
	"group_by": {func(t tools) *Signal[any] {
		return typed(GroupBy(t.three, Bound{}, odd, func(key bool, values *Signal[int]) *Signal[int] {
			return Map(values, func(n int) int {
				if key {
					return n
				}
				return -n
			})
		}))
	}, all(1, -2, 3, "end")},
	"reduce_generator": {func(t tools) *Signal[any] {
		return typed(ReduceGenerator(t.three, 0, func(a, n int) *Signal[Step[int]] {
			return Of(Step[int]{a + n, []int{n}})
		}))
	}, all(1, 2, 3, 6, "end")},
	"map": {func(t tools) *Signal[any] {
		return typed(Map(t.three, func(n int) int { return n + 1 }))
	}, all(2, 3, 4, "end")},
	"filter": {func(t tools) *Signal[any] { return typed(t.three.Filter(odd)) }, all(1, 3, "end")},
	"compact_map": {func(t tools) *Signal[any] {
		return typed(CompactMap(t.three, func(n int) (int, bool) { return -n, n > 1 }))
	}, all(-2, -3, "end")},
	"transform": {func(t tools) *Signal[any] {
		return typed(Transform(t.three, func(n int) (int, bool, error) {
			if n == 3 {
				return 0, false, errBoom
			}
			return n * 2, n == 2, nil
		}))
	}, all(4, errBoom)},
	"map_error": {func(t tools) *Signal[any] {
		return typed(Fail[int](errors.New("other")).MapError(func(error) error { return errBoom }))
	}, all(errBoom)},
	"distinct_until_changed": {func(t tools) *Signal[any] { return typed(t.three.StartWith(1).DistinctUntilChanged()) },
		all(1, 2, 3, "end")},
	"distinct_until_changed_by": {func(t tools) *Signal[any] {
		return typed(t.three.DistinctUntilChangedBy(func(a, b int) bool { return a/2 == b/2 }))
	}, all(1, 2, "end")},
	"reduce": {func(t tools) *Signal[any] { return typed(Reduce(t.three, 10, sum)) }, all(16, "end")},
	"scan": {func(t tools) *Signal[any] {
		return typed(Scan(t.three, "", func(s string, n int) string { return s + "i" }))
	}, all("i", "ii", "iii", "end")},
	"pairwise": {func(t tools) *Signal[any] {
		return boxed(Pairwise(t.three))
	}, all(p(1, 2), p(2, 3), "end")},
	"enumerated": {func(t tools) *Signal[any] {
		return boxed(Enumerated(t.three))
	}, all(p(0, 1), p(1, 2), p(2, 3), "end")},
	"to_array": {func(t tools) *Signal[any] {
		return boxed(ToArray(t.three, Bound{}))
	}, all(list(1, 2, 3), "end")},
	"distinct": {func(t tools) *Signal[any] {
		return typed(t.three.Repeat(2).Distinct(Bound{}))
	}, all(1, 2, 3, "end")},
	"distinct_by": {func(t tools) *Signal[any] { return typed(DistinctBy(t.three, Bound{}, odd)) },
		all(1, 2, "end")},
	"try_map": {func(t tools) *Signal[any] {
		return typed(TryMap(t.three, func(n int) (int, error) {
			if n == 2 {
				return 0, errBoom
			}
			return n, nil
		}))
	}, all(1, errBoom)},
	"try_filter": {func(t tools) *Signal[any] {
		return typed(t.three.TryFilter(func(n int) (bool, error) {
			if n == 3 {
				return true, errBoom
			}
			return n == 2, nil
		}))
	}, all(2, errBoom)},
	"to_events": {func(t tools) *Signal[any] { return boxed(ToEvents(Of(1).ConcatWith(Fail[int](errBoom)))) },
		all(Event[int]{Kind: EventNext, Value: 1}, Event[int]{Kind: EventError, Err: errBoom}, "end")},
	"from_events": {func(t tools) *Signal[any] {
		return typed(FromEvents(Of(Event[int]{Kind: EventNext, Value: 1}, Event[int]{Kind: EventError, Err: errBoom})))
	}, all(1, errBoom)},
	"concat_with": {func(t tools) *Signal[any] { return typed(t.three.ConcatWith(Of(4))) }, all(1, 2, 3, 4, "end")},
	"catch": {func(t tools) *Signal[any] {
		return typed(Fail[int](errBoom).Catch(func(err error) *Signal[int] { return Of(len(err.Error())) }))
	}, all(4, "end")},
	"start_with": {func(t tools) *Signal[any] {
		return typed(t.three.StartWith(0))
	}, all(0, 1, 2, 3, "end")},
	"end_with": {func(t tools) *Signal[any] {
		return typed(t.three.EndWith(4))
	}, all(1, 2, 3, 4, "end")},
	"default_if_empty": {func(t tools) *Signal[any] {
		return typed(Empty[int]().DefaultIfEmpty(7))
	}, all(7, "end")},
	"switch_if_empty": {func(t tools) *Signal[any] {
		return typed(Empty[int]().SwitchIfEmpty(t.three))
	}, all(1, 2, 3, "end")},
	"catch_with": {func(t tools) *Signal[any] {
		return typed(Fail[int](errBoom).CatchWith(t.three))
	}, all(1, 2, 3, "end")},
	"catch_and_return": {func(t tools) *Signal[any] {
		return typed(Fail[int](errBoom).CatchAndReturn(7))
	}, all(7, "end")},
	"repeat":     {func(t tools) *Signal[any] { return typed(Of(5).Repeat(2).Repeat(0).Take(3)) }, all(5, 5, 5, "end")},
	"take_while": {func(t tools) *Signal[any] { return typed(t.three.TakeWhile(odd)) }, all(1, "end")},
	"skip_while": {func(t tools) *Signal[any] {
		return typed(t.three.SkipWhile(odd))
	}, all(2, 3, "end")},
	"skip_until": {func(t tools) *Signal[any] {
		return typed(t.three.SkipUntil(Of("go")))
	}, all(1, 2, 3, "end")},
	"paused_by": {func(t tools) *Signal[any] {
		return typed(t.three.PausedBy(Of(true, false)))
	}, all(1, 2, 3, "end")},
	"take_until": {func(t tools) *Signal[any] {
		return typed(t.three.TakeUntil(Of("stop")))
	}, all("end")},
	"retry": {func(t tools) *Signal[any] {
		return typed(failingOnce().Retry(RetryPolicy{Attempts: 2}, t.queue))
	}, all(1, "end")},
	"throttle": {func(t tools) *Signal[any] {
		return typed(t.three.Throttle(time.Second, EdgeTrailing, t.queue))
	}, all(3, "end")},
	"debounce": {func(t tools) *Signal[any] {
		return typed(t.three.Debounce(time.Second, t.queue))
	}, nil},
	"deliver_on": {func(t tools) *Signal[any] {
		return typed(t.three.DeliverOn(t.queue))
	}, all(1, 2, 3, "end")},
	"deliver_on_bounded": {func(t tools) *Signal[any] {
		return typed(t.three.DeliverOnBounded(Bound{Limit: 2, Overflow: OverflowDropNewest}, t.queue))
	}, all(1, 2, "end")},
	"run_on": {func(t tools) *Signal[any] {
		return typed(t.three.RunOn(t.queue))
	}, all(1, 2, 3, "end")},
	"delay_start": {func(t tools) *Signal[any] {
		return typed(t.three.DelayStart(time.Second, t.queue))
	}, all(1, 2, 3, "end")},
	"suspend_aware_delay": {func(t tools) *Signal[any] {
		return typed(t.three.SuspendAwareDelay(time.Second, time.Second, t.queue))
	}, nil},
	"timeout_first": {func(t tools) *Signal[any] {
		return typed(Never[int]().TimeoutFirst(time.Second, t.queue).CatchWith(Of(7)))
	}, all(7, "end")},
	"timeout": {func(t tools) *Signal[any] {
		return typed(Never[int]().Timeout(time.Second, t.queue).CatchAndReturn(7))
	}, all(7, "end")},
	"chunked_within": {func(t tools) *Signal[any] {
		return boxed(ChunkedWithin(t.three, 2, time.Second, t.queue))
	}, all(list(1, 2), list(3), "end")},
	"chunked_by": {func(t tools) *Signal[any] {
		return boxed(ChunkedBy(t.three, Never[bool](), 2))
	}, all(list(1, 2), list(3), "end")},
	"rate_limit": {func(t tools) *Signal[any] {
		return typed(t.three.RateLimit(2, time.Second, Bound{}, t.queue))
	}, all(1, 2, 3, "end")},
	"delay": {func(t tools) *Signal[any] {
		return typed(t.three.Delay(time.Second, Bound{Limit: 9}, t.queue))
	}, all(1, 2, 3, "end")},
	"timestamped": {func(t tools) *Signal[any] {
		return boxed(Timestamped(t.three.Take(1), t.queue))
	}, all(Timed[int]{0, 1}, "end")},
	"time_interval": {func(t tools) *Signal[any] {
		return boxed(TimeInterval(t.three.Take(1), t.queue))
	}, all(Timed[int]{0, 1}, "end")},
	"take_for": {func(t tools) *Signal[any] {
		return typed(t.three.TakeFor(time.Second, t.queue))
	}, all(1, 2, 3, "end")},
	"sample_on": {func(t tools) *Signal[any] {
		return typed(t.three.SampleOn(Never[string]()))
	}, all(3, "end")},
	"sample": {func(t tools) *Signal[any] {
		return typed(t.three.Sample(time.Second, t.queue))
	}, all(3, "end")},
	"share": {func(t tools) *Signal[any] {
		return typed(t.three.Share(1, 0, nil))
	}, all(1, 2, 3, "end")},
	"combine_latest": {func(t tools) *Signal[any] {
		return boxed(CombineLatest(nil, t.three, Of(8)))
	}, all(list(3, 8), "end")},
	"combine_latest_map": {func(t tools) *Signal[any] {
		return typed(CombineLatestMap(total, nil, t.three, Of(8)))
	}, all(11, "end")},
	"merge": {func(t tools) *Signal[any] {
		return typed(Merge(t.three, Of(8)))
	}, all(1, 2, 3, 8, "end")},
	"zip": {func(t tools) *Signal[any] {
		return boxed(Zip(Bound{}, t.three, Of(7, 8)))
	}, all(list(1, 7), list(2, 8), "end")},
	"zip_map": {func(t tools) *Signal[any] {
		return typed(ZipMap(Bound{}, total, t.three, Of(7, 8)))
	}, all(8, 10, "end")},
	"race": {func(t tools) *Signal[any] {
		return typed(Race(Never[int](), t.three))
	}, all(1, 2, 3, "end")},
	"concat": {func(t tools) *Signal[any] {
		return typed(Concat(t.three, Of(4)))
	}, all(1, 2, 3, 4, "end")},
	"deferred": {func(t tools) *Signal[any] {
		return typed(Deferred(func() *Signal[int] { return t.three }))
	}, all(1, 2, 3, "end")},
	"just":       {func(t tools) *Signal[any] { return typed(Just(5)) }, all(5, "end")},
	"empty":      {func(t tools) *Signal[any] { return typed(Empty[int]()) }, all("end")},
	"fail":       {func(t tools) *Signal[any] { return typed(Fail[int](errBoom)) }, all(errBoom)},
	"never":      {func(t tools) *Signal[any] { return typed(Never[int]()) }, all()},
	"from_array": {func(t tools) *Signal[any] { return typed(Of(4, 5)) }, all(4, 5, "end")},
	"from_iterator": {func(t tools) *Signal[any] {
		return typed(FromIterator(upTo(2)))
	}, all(1, 2, "end")},
	"range": {func(t tools) *Signal[any] { return typed(Range(1, 3)) }, all(1, 2, 3, "end")},
	"interval": {func(t tools) *Signal[any] {
		return typed(Interval(time.Second, t.queue).Take(2))
	}, all(0, 1, "end")},
	"timer": {func(t tools) *Signal[any] {
		return typed(Timer(time.Second, t.queue))
	}, all(0, "end")},
	"fd": {func(t tools) *Signal[any] {
		return typed(Fd(9999, 1, t.queue).CatchAndReturn(7))
	}, all(Readiness(7), "end")},
	"fd_lines": {func(t tools) *Signal[any] {
		return typed(FdLines(9999, 9, t.queue).CatchAndReturn("bad"))
	}, all("bad", "end")},
	"fd_bytes": {func(t tools) *Signal[any] {
		return typed(FdBytes(9999, 9, t.queue).CatchAndReturn(nil).IgnoreValues())
	}, all("end")},
	"sink_fd": {func(t tools) *Signal[any] {
		return typed(Of("x").SinkFd(9999, AtEndKeepOpen, Bound{Limit: 9}, t.queue).CatchAndReturn("bad"))
	}, all("bad", "end")},
	"unix_signal": {func(t tools) *Signal[any] {
		return typed(UnixSignal(9999, t.queue).CatchAndReturn(7))
	}, all(7, "end")},
	"child": {func(t tools) *Signal[any] {
		return typed(Child(1, t.queue).CatchAndReturn(7))
	}, all(7, "end")},
	"wall_clock_timer": {func(t tools) *Signal[any] {
		return typed(WallClockTimer(time.Unix(1, 0), NewQueue("wall clock")))
	}, all(0, "end")},
	"file_lines": {func(t tools) *Signal[any] {
		return typed(FileLines("/nowhere/log", BeginAtStart, 9, t.queue).CatchAndReturn("bad"))
	}, all("bad", "end")},
	"file_changes": {func(t tools) *Signal[any] {
		return typed(FileChanges("/nowhere", 1, t.queue).CatchAndReturn(FileChange{}).IgnoreValues())
	}, all("end")},
	"with_latest_from_map": {func(t tools) *Signal[any] {
		return typed(WithLatestFromMap(t.three, Of("x"), func(n int, s string) int { return n + len(s) }))
	}, all(2, 3, 4, "end")},
	"create": {func(t tools) *Signal[any] {
		return typed(Create(func(subscriber *Subscriber[int]) func() {
			subscriber.Next(5)
			subscriber.Complete()
			return func() {}
		}))
	}, all(5, "end")},
	"using": {func(t tools) *Signal[any] {
		return typed(Using(func() int { return 5 }, tens, func(int) {}))
	}, all(5, 50, "end")},
	"accumulating_loop": {func(t tools) *Signal[any] {
		return typed(AccumulatingLoop(func(a *int) *Signal[int] {
			if a == nil {
				return t.three
			}
			return nil
		}, sum))
	}, all(1, 3, 6, "end")},
}

// boxed is of values that are of their Go types, however the library carries them.
func boxed[T any](s *Signal[T]) *Signal[any] {
	return Map(s, func(value T) any { return hidden{value} })
}

type hidden struct{ value any }

func total(values []int) (sum int) {
	for _, value := range values {
		sum += value
	}
	return
}

func failingOnce() *Signal[int] {
	attempts := 0
	return Deferred(func() *Signal[int] {
		if attempts++; attempts == 1 {
			return Fail[int](errBoom)
		}
		return Of(1)
	})
}

func upTo(last int) func() (int, bool) {
	n := 0
	return func() (int, bool) {
		n++
		return n, n <= last
	}
}

func TestOperatorsOfTheDescriptionAreAllHere(t *testing.T) {
	path, err := exec.Command("pkg-config", "--variable=api", "signalkit").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(strings.TrimSpace(string(path)))
	if err != nil {
		t.Fatal(err)
	}
	var description struct {
		Functions []struct{ Kind, Short string }
	}
	if err := json.Unmarshal(text, &description); err != nil {
		t.Fatal(err)
	}
	wanted, here := []string{"compact_map", "transform", "try_filter", "try_map"}, []string{} // Go has four more
	for _, function := range description.Functions {
		if function.Kind == "operator" || function.Kind == "source" || function.Kind == "combination" {
			wanted = append(wanted, function.Short)
		}
	}
	for name := range operators {
		here = append(here, name)
	}
	sort.Strings(wanted)
	sort.Strings(here)
	if !reflect.DeepEqual(wanted, here) {
		t.Errorf("%v\nare not\n%v", here, wanted)
	}
}

func TestOperators(t *testing.T) {
	for name, operator := range operators {
		t.Run(name, func(t *testing.T) {
			settles(t)
			virtual := NewVirtualQueue()
			record := listen(t, operator.make(tools{Of(1, 2, 3), &virtual.Queue}))
			for i := 0; i < 10; i++ {
				if err := virtual.Advance(time.Second); err != nil {
					t.Fatal(err)
				}
			}
			if name == "never" {
				expect(t, record.all())
				return
			}
			ended := func() bool {
				events := record.all()
				if len(events) == 0 {
					return false
				}
				_, failed := events[len(events)-1].(error)
				return failed || events[len(events)-1] == "end"
			}
			eventually(t, ended)
			events := record.all()
			for i, event := range events {
				if box, ok := event.(hidden); ok {
					events[i] = box.value
				}
				if values, ok := event.([]any); ok && len(values) == 2 {
					events[i] = Pair[int, int]{values[0].(int), values[1].(int)}
				}
			}
			if operator.wanted != nil {
				expect(t, events, operator.wanted...)
			} else if err, failed := events[len(events)-1].(error); failed {
				t.Error(err)
			}
		})
	}
}
