package signalkit

import (
	"errors"
	"fmt"
)

var (
	// ErrClosed is the error of a use after Close.
	ErrClosed = errors.New("used after it was closed")
	// ErrEnded means that a value was dropped because the subscription or the pipe has ended. Stop.
	ErrEnded = errors.New("ended already")
	// ErrOverflow is the error of a subscription whose buffer is full, unless Bound.Err contains another one.
	ErrOverflow = errors.New("there is no room for more")
	// ErrNoValue is the error of Get for a signal that has completed without a value.
	ErrNoValue = errors.New("the signal has completed without a value")
	// ErrGoexit is the error of a function that has called runtime.Goexit (as testing.T.FailNow does).
	ErrGoexit = errors.New("a function has called runtime.Goexit")
)

// UsageError says why the library has refused a call.
type UsageError struct {
	Status  int
	Message string
}

func (e *UsageError) Error() string { return e.Message }

// TypeError fails a subscription if a value has another type than the operator's function takes.
type TypeError struct {
	Operator, Wanted string
	Value            any
}

func (e *TypeError) Error() string {
	return fmt.Sprintf("%s: expected a value of type %s, got %#v", e.Operator, e.Wanted, e.Value)
}

// PanicError is the error of a subscription whose function panicked with a value that is not an error. (An error fails
// the subscription directly.)
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprint(e.Value) }

// Failure is an error that is no error of Go's: an error of the library or of another language, or any other value.
type Failure struct {
	// Value is the value, or the text of the error.
	Value any
	// Code is a negative status of the library (-8 is a timeout, -13 a full buffer, -12 any other), or a positive number,
	// such as an errno.
	Code int
	// Cause is the error that led to this one, or nil.
	Cause error
}

func (e *Failure) Error() string { return fmt.Sprint(e.Value) }

// Unwrap returns the error that led to this one.
func (e *Failure) Unwrap() error { return e.Cause }
