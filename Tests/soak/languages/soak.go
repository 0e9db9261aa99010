// The soak of the Go module (see run.py): goroutines, collections and interrupts at once. An interrupt cancels
// a context.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	sk "signalkit.dev/signalkit"
)

var errBoom = errors.New("boom")

// holder and its signal can be freed by the collector alone.
type holder struct {
	value   []int
	signals []*sk.Signal[int]
}

func expect(ok bool, got ...any) {
	if !ok {
		panic(fmt.Sprint(got...))
	}
}

func failsAtSeven(n int) ([]int, error) {
	if n == 7 {
		return nil, errBoom
	}
	return []int{n}, nil
}

// round uses the module until the context ends.
func round(ctx context.Context, queue *sk.Queue, pipe *sk.Pipe[int]) error {
	odd := sk.Map(sk.Range(0, 9), func(n int) int { return n + 1 }).Filter(func(n int) bool { return n%2 == 1 })
	sum, err := sk.Reduce(odd, 0, func(sum, n int) int { return sum + n }).Get(ctx)
	if err != nil {
		return err
	}
	expect(sum == 25, sum)
	caught, err := sk.TryMap(sk.Range(0, 9), failsAtSeven).Catch(func(err error) *sk.Signal[[]int] {
		expect(err == errBoom, err)
		return sk.Of([]int{-1})
	}).TakeLast(1).Get(ctx)
	if err != nil {
		return err
	}
	expect(caught[0] == -1, caught)
	held, err := sk.Map(sk.Timer(100*time.Microsecond, queue), func(n int) *holder {
		made := &holder{value: []int{n}}
		made.signals = append(made.signals, sk.Map(sk.Never[int](), func(int) int { return 1 }))
		return made
	}).Get(ctx)
	if err != nil {
		return err
	}
	expect(len(held.signals) == 1)
	var seen atomic.Int64
	subscription, err := sk.Map(pipe.Signal().Take(3), func(n int) []int { return []int{n} }).DeliverOn(queue).Start(
		func(values []int) { seen.Add(int64(values[0])) }, nil, nil)
	if err != nil {
		return err
	}
	pipe.Next(1)
	subscription.Close()
	return nil
}

func main() {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	pipe, queues := sk.NewPipe[int](), []*sk.Queue{sk.NewQueue("soak"), sk.ConcurrentQueue()}
	var rounds, over atomic.Int64
	var done sync.WaitGroup
	each := func(work func()) {
		done.Add(1)
		go func() {
			defer done.Done()
			for over.Load() == 0 {
				work()
			}
		}()
	}
	for _, queue := range queues {
		queue := queue
		each(func() {
			expect(round(context.Background(), queue, pipe) == nil)
			rounds.Add(1)
		})
	}
	each(func() {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	})
	for input := bufio.NewScanner(os.Stdin); ; {
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			<-interrupts
			cancel()
		}()
		fmt.Println("ready")
		var err error
		for err == nil {
			err = round(ctx, queues[0], pipe)
			rounds.Add(1)
		}
		expect(errors.Is(err, context.Canceled), err)
		fmt.Println("interrupted")
		if input.Scan(); input.Text() == "end" {
			break
		}
	}
	over.Store(1)
	done.Wait()
	pipe.Close()
	for _, queue := range queues {
		queue.Close()
	}
	for end := time.Now().Add(time.Minute); sk.LiveTotal() != 0 && time.Now().Before(end); {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Printf("rounds %d\nalive %d\n", rounds.Load(), sk.LiveTotal())
}
