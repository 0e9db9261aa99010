// A map and a filter in Go, as described in ../../python/languages.py.
package main

// #include <search.h>
// int compare(void *, void *);
import "C"

import (
	"fmt"
	"os"
	"strconv"
	"time"
	"unsafe"

	"signalkit.dev/signalkit"
)

type point struct{ x, y int }

// throughPipe sends values through a pipe, a map and a filter.
func throughPipe[T any](count int, value func(int) T, change func(T) T, passes func(T) bool, next func(T)) {
	pipe := signalkit.NewPipe[T]()
	defer pipe.Close()
	signal := signalkit.Map(pipe.Signal(), change).Filter(passes)
	if _, err := signal.Start(next, nil, nil); err != nil {
		panic(err)
	}
	for n := 0; n < count; n++ {
		if err := pipe.Next(value(n)); err != nil {
			panic(err)
		}
	}
}

// throughChannels sends them through a channel for each stage.
func throughChannels[T any](count int, value func(int) T, change func(T) T, passes func(T) bool, next func(T)) {
	source, mapped, filtered := make(chan T), make(chan T), make(chan T)
	go func() {
		for n := 0; n < count; n++ {
			source <- value(n)
		}
		close(source)
	}()
	go func() {
		for value := range source {
			mapped <- change(value)
		}
		close(mapped)
	}()
	go func() {
		for value := range mapped {
			if passes(value) {
				filtered <- value
			}
		}
		close(filtered)
	}()
	for value := range filtered {
		next(value)
	}
}

type runner[T any] func(int, func(int) T, func(T) T, func(T) bool, func(T))

func ints(run runner[int]) func(int) int {
	return func(count int) (sum int) {
		run(count, func(n int) int { return n }, func(n int) int { return n + 1 },
			func(n int) bool { return n%2 == 0 }, func(n int) { sum += n })
		return
	}
}

func points(run runner[point]) func(int) int {
	return func(count int) (sum int) {
		run(count, func(n int) point { return point{n, 1} }, func(p point) point { return point{p.x + 1, p.y} },
			func(p point) bool { return p.x%2 == 0 }, func(p point) { sum += p.x * p.y })
		return
	}
}

func fromRange(count int) (sum int) {
	signal := signalkit.Map(signalkit.Range(0, count), func(n int) int { return n + 1 })
	even := signal.Filter(func(n int) bool { return n%2 == 0 })
	if _, err := even.Start(func(n int) { sum += n }, nil, nil); err != nil {
		panic(err)
	}
	return
}

var calls int

//export compare
func compare(unsafe.Pointer, unsafe.Pointer) C.int {
	calls++
	return 1
}

// fromC lets a function of C call a function for each value, which counts the calls.
func fromC(count int) int {
	calls = 0
	number := C.size_t(count)
	C.lfind(nil, nil, &number, 0, (*[0]byte)(C.compare))
	return calls
}

func main() {
	run := map[string]func(int) int{
		"range": fromRange, "call": fromC, "pipe": ints(throughPipe[int]), "peer": ints(throughChannels[int]),
		"struct": points(throughPipe[point]), "peer.struct": points(throughChannels[point]),
	}[os.Args[1]]
	warm, _ := strconv.Atoi(os.Args[2])
	count, _ := strconv.Atoi(os.Args[3])
	run(warm)
	start := time.Now()
	sum := run(count)
	fmt.Println(float64(time.Since(start).Nanoseconds())/float64(count), sum)
}
