// The scenes that the examples of all languages run (docs/languages.md).
//
//	go run .               all scenes except the next two
//	go run . leaving       the program exits with a live subscription
//	go run . interrupted   Ctrl-C ends the waiting program
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	sk "signalkit.dev/signalkit"
)

// The main queue's work is done on the main thread, which main keeps.
func init() { runtime.LockOSThread() }

// show prints what a signal does.
func show[T any](name string, signal *sk.Signal[T]) (*sk.Disposable, error) {
	return signal.Start(
		func(value T) { fmt.Printf("%s: %v\n", name, value) },
		func(err error) { fmt.Printf("%s: %v\n", name, err) },
		func() { fmt.Printf("%s: end\n", name) },
	)
}

func halves() error {
	pipe := sk.NewPipe[int]()
	defer pipe.Close()
	even := pipe.Signal().Filter(func(n int) bool { return n%2 == 0 })
	if _, err := show("half", sk.Map(even, func(n int) int { return n / 2 })); err != nil {
		return err
	}
	for n := 1; n <= 6; n++ {
		if err := pipe.Next(n); err != nil {
			return err
		}
	}
	return nil
}

func text() error {
	_, err := show("text", sk.Map(sk.Of("grün"), func(word string) string { return word + "!" }))
	return err
}

func stopped() error {
	pipe := sk.NewPipe[int]()
	defer pipe.Close()
	subscription, err := show("stopped", pipe.Signal())
	if err != nil {
		return err
	}
	if err := pipe.Next(1); err != nil {
		return err
	}
	subscription.Dispose()
	return pipe.Next(2)
}

func ownThread() error {
	own := syscall.Gettid()
	elsewhere := sk.Of(1, 2, 3).Filter(func(int) bool { return syscall.Gettid() != own })
	reader, err := elsewhere.RunOn(sk.NewQueue("elsewhere")).Read(sk.Bound{Limit: 1, Overflow: sk.OverflowSuspend})
	if err != nil {
		return err
	}
	defer reader.Close()
	for n := range reader.C() {
		fmt.Println("own thread:", n)
	}
	fmt.Println("own thread: end")
	return reader.Err()
}

func failed() error {
	_, err := show("failed", sk.Of(1).ConcatWith(sk.Fail[int](errors.New("unplugged"))))
	return err
}

func thrown() error {
	_, err := show("thrown", sk.Map(sk.Of(1, 2, 3, 4), func(n int) int {
		if n == 3 {
			panic("three is too many")
		}
		return n * 10
	}))
	return err
}

func misuse() error {
	if _, err := show("misuse", sk.Of(1).Take(-1)); err != nil {
		fmt.Println("misuse:", err)
	}
	return nil
}

func closedTwice() error {
	pipe := sk.NewPipe[int]()
	signal := pipe.Signal()
	subscription, err := show("closed twice", signal)
	if err != nil {
		return err
	}
	if err := pipe.Next(1); err != nil {
		return err
	}
	for i := 0; i < 2; i++ {
		if err := pipe.Complete(); err != nil {
			return err
		}
		subscription.Dispose()
		subscription.Close()
	}
	if err := pipe.Next(2); !errors.Is(err, sk.ErrEnded) {
		return fmt.Errorf("a value after the end: %v", err)
	}
	if _, err := show("used after close", signal); err != nil {
		return err
	}
	pipe.Close()
	pipe.Close()
	if err := pipe.Next(3); !errors.Is(err, sk.ErrClosed) {
		return fmt.Errorf("a value after Close: %v", err)
	}
	return nil
}

// A function panics. Its subscription fails, and the pipe continues.
func left() error {
	pipe := sk.NewPipe[int]()
	defer pipe.Close()
	out := errors.New("out")
	_, err := pipe.Signal().Start(func(n int) {
		fmt.Println("left:", n)
		panic(out)
	}, func(err error) {
		if err == out { // that very error
			fmt.Println("left: and out")
		}
	}, nil)
	if err != nil {
		return err
	}
	two := pipe.Signal().Filter(func(n int) bool { return n == 2 })
	others, err := two.Start(func(n int) { fmt.Println("left:", n, "for the others") }, nil, nil)
	if err != nil {
		return err
	}
	defer others.Close()
	if err := pipe.Next(1); err != nil {
		return err
	}
	return pipe.Next(2)
}

// Two timers are combined and throttled. The first attempt fails and is retried. All callbacks run on the main thread.
func timers() error {
	attempts := 0
	queue := sk.MainQueue()
	tick := func(d time.Duration) *sk.Signal[int] { return sk.Interval(d, queue) }
	attempt := sk.Deferred(func() *sk.Signal[[]int] {
		attempts++
		fmt.Println("timers: attempt", attempts)
		if attempts == 1 {
			return sk.Fail[[]int](errors.New("not yet"))
		}
		return sk.CombineLatest(nil, tick(time.Millisecond), tick(2*time.Millisecond))
	})
	number := 0
	pairs := attempt.Retry(sk.RetryPolicy{Delay: time.Millisecond}, queue).Throttle(3*time.Millisecond, sk.EdgesBoth, queue)
	numbered := sk.Map(pairs, func([]int) int { number++; return number })
	if _, err := show("timers", numbered.Take(3).AfterCompleted(sk.StopMain)); err != nil {
		return err
	}
	return sk.RunMain()
}

// Memory is flat when it has grown by less than a kilobyte for each of the 10,000, after as many before.
func subscriptions() error {
	settled() // what other scenes have left to the collector is not to go in between, nor what is made on the way
	source := sk.NewPipe[int]()
	defer source.Close()
	signal := source.Signal()
	defer signal.Close()
	mapped := sk.Map(signal, func(n int) int { return n + 1 })
	defer mapped.Close()
	numbers := mapped.Take(2)
	defer numbers.Close()
	makeAndDrop := func() error {
		for i := 0; i < 10000; i++ {
			subscription, err := numbers.Start(func(n int) { fmt.Println(n) }, nil, nil)
			if err != nil {
				return err
			}
			subscription.Close()
		}
		return nil
	}
	if err := makeAndDrop(); err != nil {
		return err
	}
	memoryBefore, alive := memory(), sk.LiveTotal()
	if err := makeAndDrop(); err != nil {
		return err
	}
	grown := memory() - memoryBefore
	fmt.Printf("subscriptions: 10000 made, %d left\n", sk.LiveTotal()-alive)
	if grown < 10000 {
		fmt.Println("subscriptions: memory flat")
	} else {
		fmt.Printf("subscriptions: memory %d KiB more\n", grown)
	}
	return nil
}

func memory() int {
	runtime.GC()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		log.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		log.Fatal(err)
	}
	return kib
}

func ownSubscription() error {
	pipe := sk.NewPipe[int]()
	defer pipe.Close()
	var subscription *sk.Disposable
	subscription, err := pipe.Signal().Take(3).Start(func(n int) {
		fmt.Println("own subscription:", n)
		subscription.Dispose()
	}, nil, func() { fmt.Println("own subscription: end") })
	if err != nil {
		return err
	}
	for n := 1; n <= 2; n++ {
		if err := pipe.Next(n); err != nil {
			return err
		}
	}
	fmt.Println("own subscription: over")
	return nil
}

// The program ends with a timer running that calls it all the time.
func leaving() error {
	ticks := make(chan int, 1)
	_, err := sk.Interval(100*time.Microsecond, sk.NewQueue("ticks")).Start(func(n int) {
		select {
		case ticks <- n:
		default:
		}
	}, nil, nil)
	if err != nil {
		return err
	}
	<-ticks
	fmt.Println("leaving: with a live subscription")
	return nil
}

// Waits until a signal ends the program. The test sends SIGINT after the line, and checks the exit status.
func interrupted() error {
	ticks := 0
	_, err := sk.Interval(time.Millisecond, sk.MainQueue()).Start(func(int) {
		if ticks++; ticks == 2 {
			fmt.Println("interrupted: waiting")
		}
	}, nil, nil)
	if err != nil {
		return err
	}
	return sk.RunMain()
}

func all() error {
	for _, scene := range []func() error{halves, text, stopped, ownThread, failed, thrown, misuse, closedTwice, left, timers,
		subscriptions, ownSubscription} {
		if err := scene(); err != nil {
			return err
		}
	}
	alive := settled()
	fmt.Println("alive:", alive)
	if alive != 0 {
		return errors.New("something was not released")
	}
	return nil
}

// settled waits at most a minute until no object of the library is alive. The collector and other threads release
// objects later.
func settled() int {
	for end := time.Now().Add(time.Minute); sk.LiveTotal() != 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
		runtime.GC()
	}
	return sk.LiveTotal()
}

func main() {
	play := all
	if len(os.Args) > 1 {
		play = map[string]func() error{"leaving": leaving, "interrupted": interrupted}[os.Args[1]]
	}
	if err := play(); err != nil {
		log.Fatal(err)
	}
}
