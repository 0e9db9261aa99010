// The pipelines of pipelines.py, run by the Go package.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	sk "signalkit.dev/signalkit"
)

type signal = *sk.Signal[int]

var errSeven = errors.New("7")

func pair(a, b int) int { return a*100 + b }

var plain = map[string]func(s signal, n int) signal{
	"map":         func(s signal, n int) signal { return sk.Map(s, func(v int) int { return v*10 + n }) },
	"filter":      func(s signal, n int) signal { return s.Filter(func(v int) bool { return v%n != 0 }) },
	"take":        signal.Take,
	"skip":        signal.Skip,
	"take_last":   signal.TakeLast,
	"scan":        func(s signal, _ int) signal { return sk.Scan(s, 0, func(a, b int) int { return a + b }) },
	"distinct":    func(s signal, _ int) signal { return s.DistinctUntilChanged() },
	"take_while":  func(s signal, n int) signal { return s.TakeWhile(func(v int) bool { return v < n }) },
	"skip_while":  func(s signal, n int) signal { return s.SkipWhile(func(v int) bool { return v < n }) },
	"start_with":  signal.StartWith,
	"end_with":    signal.EndWith,
	"default":     signal.DefaultIfEmpty,
	"first":       func(s signal, _ int) signal { return s.Take(1) },
	"ignore":      func(s signal, _ int) signal { return s.IgnoreValues() },
	"repeat":      signal.Repeat,
	"catch_value": signal.CatchAndReturn,
}

var timed = map[string]func(s signal, t time.Duration, q *sk.Queue) signal{
	"delay_start": signal.DelayStart,
	"delay": func(s signal, t time.Duration, q *sk.Queue) signal {
		return s.Delay(t, sk.Bound{Limit: 1000}, q)
	},
	"debounce": signal.Debounce,
	"throttle": func(s signal, t time.Duration, q *sk.Queue) signal { return s.Throttle(t, sk.EdgesBoth, q) },
	"take_for": signal.TakeFor,
	"sample":   signal.Sample,
}

var joining = map[string]func(a, b signal) signal{
	"merge":           func(a, b signal) signal { return sk.Merge(a, b) },
	"then":            signal.ConcatWith,
	"catch":           func(a, b signal) signal { return a.Catch(func(error) signal { return b }) },
	"combine":         func(a, b signal) signal { return sk.CombineLatest2(a, b, pair) },
	"zip":             func(a, b signal) signal { return sk.Zip2(sk.Bound{}, a, b, pair) },
	"with_latest":     func(a, b signal) signal { return sk.WithLatestFromMap(a, b, pair) },
	"race":            func(a, b signal) signal { return sk.Race(a, b) },
	"take_until":      func(a, b signal) signal { return a.TakeUntil(b) },
	"skip_until":      func(a, b signal) signal { return a.SkipUntil(b) },
	"switch_if_empty": signal.SwitchIfEmpty,
	"switch":          func(a, b signal) signal { return sk.SwitchMap(a, func(int) signal { return b }) },
	"queue":           func(a, b signal) signal { return sk.ConcatMap(a, func(int) signal { return b }) },
	"merged": func(a, b signal) signal {
		return sk.MergeMap(a, 0, sk.Bound{}, func(int) signal { return b })
	},
	"exhaust": func(a, b signal) signal { return sk.ExhaustMap(a, func(int) signal { return b }) },
}

func must[T any](made T, err error) T {
	if err != nil {
		panic(err)
	}
	return made
}

// number is that of a text; 0, where there is none.
func number(text string) int {
	if text == "" {
		return 0
	}
	return must(strconv.Atoi(text))
}

func duration(text string) time.Duration { return time.Duration(number(text)) * time.Microsecond }

func now(q *sk.VirtualQueue) string {
	return strconv.FormatInt(q.Now().Round(time.Microsecond).Microseconds(), 10)
}

var event = regexp.MustCompile(`(\d+)([=|!])(\d*)`)

// times are those at which a source was started and disposed of.
type times struct{ starts, disposals []string }

func cold(q *sk.VirtualQueue, log *times, events string) signal {
	parsed := event.FindAllStringSubmatch(events, -1)
	return sk.Create(func(subscriber *sk.Subscriber[int]) func() {
		log.starts = append(log.starts, now(q))
		var timers []*sk.Disposable
		for _, e := range parsed {
			kind, value := e[2], number(e[3])
			timers = append(timers, must(q.After(duration(e[1]), func() {
				switch kind { // one that is over says so: the pipeline may have ended
				case "=":
					_ = subscriber.Next(value)
				case "|":
					_ = subscriber.Complete()
				default:
					_ = subscriber.Fail(errSeven)
				}
			})))
		}
		return func() {
			log.disposals = append(log.disposals, now(q))
			for _, timer := range timers {
				timer.Dispose()
			}
		}
	})
}

func run(line string) string {
	words := strings.Fields(line)
	q := sk.NewVirtualQueue()
	var sources []*times // by their numbers: these go up from 0
	var stack []signal
	for _, word := range words[1:] {
		name, argument, _ := strings.Cut(word, ":")
		top := len(stack) - 1
		if name == "cold" {
			sources = append(sources, &times{})
			stack = append(stack, cold(q, sources[len(sources)-1], argument[strings.Index(argument, ":")+1:]))
		} else if joined, ok := joining[name]; ok {
			stack = append(stack[:top-1], joined(stack[top-1], stack[top]))
		} else if made, ok := timed[name]; ok {
			stack[top] = made(stack[top], duration(argument), &q.Queue)
		} else {
			stack[top] = plain[name](stack[top], number(argument))
		}
	}
	var seen []string
	var running *sk.Disposable
	must(0, q.Dispatch(func() {
		running = must(stack[0].Start(
			func(value int) { seen = append(seen, fmt.Sprintf("%s=%d", now(q), value)) },
			func(err error) { seen = append(seen, fmt.Sprintf("%s!%v", now(q), err)) },
			func() { seen = append(seen, now(q)+"|") }))
	}))
	must(q.After(duration(words[0]), func() { running.Dispose() }))
	must(0, q.AdvanceTo(time.Minute))
	for i, log := range sources {
		if log.starts != nil {
			seen = append(seen, fmt.Sprintf("%d+%s", i, strings.Join(log.starts, ",")),
				fmt.Sprintf("%d-%s", i, strings.Join(log.disposals, ",")))
		}
	}
	return strings.Join(seen, " ")
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fmt.Println(run(lines.Text()))
	}
	for end := time.Now().Add(5 * time.Minute); sk.LiveTotal() != 0 && time.Now().Before(end); {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	fmt.Println("alive", sk.LiveTotal())
}
