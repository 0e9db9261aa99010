package signalkit

// #include "bridge.h"
import "C"

import "unsafe"

// Multicast shares one subscription of a signal per key among simultaneous subscribers. (Signal.Multicast and
// Signal.Share share a subscription of one signal.)
type Multicast[T any] struct{ object }

// NewMulticast makes one.
func NewMulticast[T any]() *Multicast[T] {
	return &Multicast[T]{created(func() *C.sgk_multicast { return C.sgk_multicast_create() })}
}

// Get is the signal of this key; it is started by the first who starts one.
func (m *Multicast[T]) Get(key string, signal *Signal[T]) *Signal[T] {
	return made[T]("Get", func(c *call) *C.sgk_signal {
		return C.sgk_multicast_get((*C.sgk_multicast)(c.handle("multicast", m)), c.text(key), c.signal(signal))
	})
}

// MulticastManager is signals that are shared by name, runs that nobody listens to, and pipes by name.
type MulticastManager[T any] struct{ object }

// NewMulticastManager makes one.
func NewMulticastManager[T any]() *MulticastManager[T] {
	return &MulticastManager[T]{created(func() *C.sgk_multicast_signal_manager {
		return C.sgk_multicast_signal_manager_create()
	})}
}

// Signal is the signal shared under a key, made by producer if there is none.
func (m *MulticastManager[T]) Signal(key string, producer func() *Signal[T]) *Signal[T] {
	if producer == nil {
		return noFunction[T]("Signal")
	}
	r := &receiver{name: "Signal", immediate: true, call: deferredCall("Signal", producer)}
	context := register(r)
	defer goDestroy(context)
	signal := made[T]("Signal", func(c *call) *C.sgk_signal {
		return C.call_multicast_signal_manager_multicasted_signal(
			(*C.sgk_multicast_signal_manager)(c.handle("manager", m)), c.text(key), context)
	})
	if r.err != nil {
		return broken[T](r.err)
	}
	return signal
}

// StartStandalone starts the signal of producer for its side effects, unless one is active under the key.
func (m *MulticastManager[T]) StartStandalone(key string, producer func() *Signal[T]) error {
	if producer == nil {
		return noFunction[T]("StartStandalone").err
	}
	r := &receiver{name: "StartStandalone", immediate: true, call: deferredCall("StartStandalone", producer)}
	context := register(r)
	defer goDestroy(context)
	err := m.keyed("StartStandalone", key, func(manager *C.sgk_multicast_signal_manager, key *C.char) C.sgk_status {
		return C.call_multicast_signal_manager_start_standalone_signal_if_not_running(manager, key, context)
	})
	if r.err != nil {
		return r.err
	}
	return err
}

// Pipe returns a signal of the values sent into the pipe of this name from now on.
func (m *MulticastManager[T]) Pipe(key string) *Signal[T] {
	return made[T]("Pipe", func(c *call) *C.sgk_signal {
		return C.sgk_multicast_signal_manager_multicasted_pipe(
			(*C.sgk_multicast_signal_manager)(c.handle("manager", m)), c.text(key))
	})
}

// Next sends a value to the current subscribers of the pipe of this name.
func (m *MulticastManager[T]) Next(key string, value T) error {
	return m.keyed("Next", key, func(manager *C.sgk_multicast_signal_manager, key *C.char) C.sgk_status {
		return C.sgk_multicast_signal_manager_next(manager, key, give(value))
	})
}

func (m *MulticastManager[T]) keyed(operation, key string,
	f func(*C.sgk_multicast_signal_manager, *C.char) C.sgk_status) error {
	text := C.CString(key)
	defer C.free(unsafe.Pointer(text))
	return m.status(operation, func(pointer unsafe.Pointer) C.sgk_status {
		return f((*C.sgk_multicast_signal_manager)(pointer), text)
	})
}

// Sequencer runs signals one at a time, in the order in which they were started.
type Sequencer[T any] struct{ object }

// NewSequencer makes one.
func NewSequencer[T any]() *Sequencer[T] {
	return &Sequencer[T]{created(func() *C.sgk_sequencer { return C.sgk_sequencer_create() })}
}

// Enqueue returns a signal that runs the signal in its turn.
func (s *Sequencer[T]) Enqueue(signal *Signal[T]) *Signal[T] {
	return made[T]("Enqueue", func(c *call) *C.sgk_signal {
		return C.sgk_sequencer_enqueue((*C.sgk_sequencer)(c.handle("sequencer", s)), c.signal(signal))
	})
}
