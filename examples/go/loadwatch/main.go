// Watches this machine: how busy the processors are, how much memory is free, and a warning when they stay busy.
//
//	go run ./loadwatch [SECONDS]
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	sk "signalkit.dev/signalkit"
)

var queue = sk.NewQueue("looks")

func every(interval time.Duration) *sk.Signal[int] { return sk.Interval(interval, queue).StartWith(-1) }

// times is how long the processors were busy and idle since the system began.
type times struct{ busy, idle int }

func look(int) (times, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return times{}, err
	}
	var t times
	line, _, _ := strings.Cut(string(text), "\n")
	for place, field := range strings.Fields(line)[1:] {
		number, err := strconv.Atoi(field)
		switch {
		case err != nil:
			return t, err
		case place == 3 || place == 4: // idle, and waiting for a disk
			t.idle += number
		case place < 8:
			t.busy += number
		}
	}
	return t, nil
}

// load is the part of the time, between two looks, in which the processors were busy.
func load() *sk.Signal[float64] {
	looks := sk.Pairwise(sk.TryMap(every(250*time.Millisecond), look))
	return sk.CompactMap(looks, func(pair sk.Pair[times, times]) (float64, bool) {
		busy, idle := pair.Second.busy-pair.First.busy, pair.Second.idle-pair.First.idle
		return float64(busy) / float64(busy+idle), busy+idle > 0
	})
}

func freeMemory() *sk.Signal[int] {
	return sk.TryMap(every(500*time.Millisecond), func(int) (int, error) {
		text, err := os.ReadFile("/proc/meminfo")
		if err != nil {
			return 0, err
		}
		_, rest, found := strings.Cut(string(text), "MemAvailable:")
		if !found {
			return 0, errors.New("/proc/meminfo: no MemAvailable")
		}
		kib, err := strconv.Atoi(strings.Fields(rest)[0])
		return kib / 1024, err
	}).DistinctUntilChanged()
}

func main() {
	seconds := 10.0
	if len(os.Args) > 1 {
		var err error
		if seconds, err = strconv.ParseFloat(os.Args[1], 64); err != nil {
			log.Fatal(err)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, time.Duration(seconds*float64(time.Second)))
	defer cancel()

	busy := load().Share(0, 0, nil)
	long := sk.Scan(busy, 0, func(times int, busy float64) int {
		if busy > 0.9 {
			return times + 1
		}
		return 0
	}).Filter(func(times int) bool { return times == 8 })
	lines := sk.Merge(
		sk.CombineLatest2(busy, freeMemory(), func(busy float64, free int) string {
			return fmt.Sprintf("cpu %3.0f %%   %6d MB free", busy*100, free)
		}).Throttle(500*time.Millisecond, sk.EdgesBoth, queue),
		sk.Map(long, func(int) string { return "busy for two seconds" }),
	)
	values, err := lines.Channel(ctx)
	for line := range values {
		fmt.Println(line)
	}
	if err := err(); !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		log.Fatal(err)
	}
}
