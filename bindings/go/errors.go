package signalkit

import (
	"errors"
	"fmt"
)

var (
	// ErrClosed is the error of what is used after its Close.
	ErrClosed = errors.New("used after it was closed")
	// ErrEnded says that a value went nowhere: the run or the pipe is over. Stop.
	ErrEnded = errors.New("ended already")
	// ErrOverflow is what a run fails with that has no room for more, unless Bound.Err says something else.
	ErrOverflow = errors.New("there is no room for more")
	// ErrNoValue is what Get returns of a signal that has completed without a value.
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

// TypeError ends a run in which a value is not of the type that an operator's function takes.
type TypeError struct {
	Operator, Wanted string
	Value            any
}

func (e *TypeError) Error() string {
	return fmt.Sprintf("%s: expected a value of type %s, got %#v", e.Operator, e.Wanted, e.Value)
}

// PanicError is the error of a run in which a function has panicked with something that is no error. (One that is an
// error ends the run as itself.)
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprint(e.Value) }

// Failure is an error that is no error of Go's.
type Failure struct{ Value any }

func (e *Failure) Error() string { return fmt.Sprint(e.Value) }
