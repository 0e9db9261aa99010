// The scenes that every language of `examples` plays (docs/languages.md).
package main

import (
	"fmt"
	"log"
	"runtime"
	"syscall"

	sk "example/signalkit"
)

// show prints what a signal does.
func show[T any](name string, signal *sk.Signal[T]) (*sk.Subscription, error) {
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
	if _, err := show("half", sk.Map(even, func(n int) (int, error) { return n / 2, nil })); err != nil {
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
	_, err := show("text", sk.Map(sk.Of("grün"), func(word string) (string, error) { return word + "!", nil }))
	return err
}

func stopped() error {
	pipe := sk.NewPipe[int]()
	defer pipe.Close()
	run, err := show("stopped", pipe.Signal())
	if err != nil {
		return err
	}
	if err := pipe.Next(1); err != nil {
		return err
	}
	run.Close()
	return pipe.Next(2)
}

func ownThread() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	own := syscall.Gettid()
	elsewhere := sk.Of(1, 2, 3).Filter(func(int) bool { return syscall.Gettid() != own })
	reader, err := elsewhere.Read(sk.NewQueue("elsewhere"))
	if err != nil {
		return err
	}
	defer reader.Close()
	for n := range reader.C {
		fmt.Println("own thread:", n)
	}
	fmt.Println("own thread: end")
	return reader.Err()
}

func failed() error {
	_, err := show("failed", sk.Of(1).Then(sk.Fail[int]("unplugged")))
	return err
}

func thrown() error {
	_, err := show("thrown", sk.Map(sk.Of(1, 2, 3, 4), func(n int) (int, error) {
		if n == 3 {
			panic("three is too many") // an error that is returned does the same
		}
		return n * 10, nil
	}))
	return err
}

func misuse() error {
	if _, err := show("misuse", sk.Of(1).Take(-1)); err != nil {
		fmt.Println("misuse:", err)
	}
	return nil
}

func main() {
	for _, scene := range []func() error{halves, text, stopped, ownThread, failed, thrown, misuse} {
		if err := scene(); err != nil {
			log.Fatal(err)
		}
	}
	alive := sk.Alive()
	fmt.Println("alive:", alive)
	if alive != 0 {
		log.Fatal("something was not released")
	}
}
