package signalkit

// #include "bridge.h"
import "C"

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"time"
	"unsafe"
)

// Values: nil, bool, int, float64, string and []byte are converted (a []byte is copied), and signals are values themselves. Anything else stays in
// Go. The value is then a reference that retains the object, so that receivers get the same object. Objects are compared with ==, or with
// reflect.DeepEqual if their type does not support ==.

// listed is what travels as an array of the library's.
type listed interface{ list() []any }

// unlisted is what an array of the library's becomes.
type unlisted interface {
	fromList(operator string, items []C.sgk_value)
}

// send sends a value into a pipe or to a subscriber. Of an object, the library gets the number. The objects that it has
// released in the meantime are forgotten here. (No function is a parameter, because its values would be on the heap.)
func (o *object) send(value any, isPipe bool) error {
	pointer := o.h.borrow()
	if pointer == nil {
		return fmt.Errorf("Next: %w", ErrClosed)
	}
	defer o.h.back()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	made, isObject := contents(value)
	var sent C.go_sent
	switch {
	case !isObject && isPipe:
		return failure(C.go_pipe_next(pointer, made))
	case !isObject:
		return failure(C.go_subscriber_next(pointer, made))
	case isPipe:
		sent = C.go_pipe_next_object(pointer, C.uintptr_t(objects.add(value)))
	default:
		sent = C.go_subscriber_next_object(pointer, C.uintptr_t(objects.add(value)))
	}
	for _, number := range sent.released[:sent.count] {
		goObjectRelease(number)
	}
	return failure(sent.status)
}

// encode makes a value, owned by the caller.
func encode(value any) C.sgk_value {
	made, isObject := contents(value)
	if isObject {
		return C.go_object_value(C.uintptr_t(objects.add(value)))
	}
	return made
}

// contents makes a value of the contents, or reports that the value is an object, which stays in Go.
func contents(value any) (made C.sgk_value, isObject bool) {
	switch v := value.(type) {
	case nil:
		return C.sgk_value{}, false
	case bool:
		if v {
			return C.sgk_value{kind: C.SGK_BOOL, bits: 1}, false
		}
		return C.sgk_value{kind: C.SGK_BOOL}, false
	case int:
		return C.sgk_value{kind: C.SGK_INT, bits: C.uint64_t(v)}, false
	case float64:
		return C.sgk_value{kind: C.SGK_DOUBLE, bits: C.uint64_t(math.Float64bits(v))}, false
	case string:
		if v == "" {
			return C.sgk_string_n((*C.char)(unsafe.Pointer(&nothing)), 0), false
		}
		return C.sgk_string_n((*C.char)(unsafe.Pointer(&[]byte(v)[0])), C.size_t(len(v))), false
	case []byte:
		if len(v) == 0 {
			return C.sgk_bytes(unsafe.Pointer(&nothing), 0), false
		}
		return C.sgk_bytes(unsafe.Pointer(&v[0]), C.size_t(len(v))), false
	case AnySignal:
		return encodeSignal(v), false
	case listed:
		items := v.list()
		values := make([]C.sgk_value, len(items)+1)
		for i, item := range items {
			values[i] = give(item)
		}
		return C.sgk_array(&values[0], C.size_t(len(items))), false
	}
	return C.sgk_value{}, true
}

var nothing [1]byte

func encodeSignal(s AnySignal) C.sgk_value {
	if missing(s) {
		return C.sgk_value{}
	}
	c := &call{operation: "a value"}
	defer c.done()
	pointer := c.signal(s)
	if c.err != nil {
		pointer = failing(c.err)
		defer C.sgk_release(unsafe.Pointer(pointer))
	}
	return C.sgk_signal_value(pointer)
}

// give makes a value for a function of the library that takes it over.
func give(value any) C.sgk_value {
	raw := encode(value)
	raw.reserved = C.SGK_GIVEN
	return raw
}

// failed returns the result of a transformation that fails the subscription.
func failed(err error) C.sgk_value {
	raw := encode(err)
	raw.reserved = C.SGK_OUTCOME_FAILED
	return raw
}

// failing is a signal, owned by the caller, that fails.
func failing(err error) *C.sgk_signal { return C.sgk_signal_fail(give(err)) }

// decode reads a borrowed value. A value of another type causes a panic, which fails the subscription.
// Frequent types are here, where the result stays on the stack.
func decode[T any](operator string, value C.sgk_value) (result T) {
	switch place := any(&result).(type) {
	case *int:
		if value.kind == C.SGK_INT {
			*place = int(value.bits)
			return result
		}
	case *float64:
		if value.kind == C.SGK_DOUBLE {
			*place = math.Float64frombits(uint64(value.bits))
			return result
		}
	case *bool:
		if value.kind == C.SGK_BOOL {
			*place = value.bits != 0
			return result
		}
	case *string:
		if value.kind == C.SGK_STRING {
			*place = text(value)
			return result
		}
	case *any:
		*place = decodeAny(value)
		return result
	}
	if value.kind != C.SGK_OBJECT {
		return decodeSeldom[T](operator, value)
	}
	found := decodeAny(value)
	if object, ok := found.(T); ok {
		return object
	}
	panic(&TypeError{operator, reflect.TypeOf((*T)(nil)).Elem().String(), found})
}

// decodeSeldom reads a value of a type that is seldom.
func decodeSeldom[T any](operator string, value C.sgk_value) (result T) {
	if place, ok := any(&result).(unlisted); ok && value.kind == C.SGK_ARRAY {
		place.fromList(operator, lent(value))
	} else {
		into(operator, value, reflect.ValueOf(&result).Elem())
	}
	return
}

// into reads a value into a place.
func into(operator string, value C.sgk_value, place reflect.Value) {
	if place.Kind() == reflect.Slice && value.kind == C.SGK_ARRAY {
		items := lent(value)
		place.Set(reflect.MakeSlice(place.Type(), len(items), len(items)))
		for i, item := range items {
			into(operator, item, place.Index(i))
		}
		return
	}
	if value.kind == C.SGK_ARRAY {
		if pair, ok := place.Addr().Interface().(unlisted); ok {
			pair.fromList(operator, lent(value))
			return
		}
	}
	if value.kind == C.SGK_SIGNAL {
		if kind, ok := place.Interface().(interface{ lent(*C.sgk_signal) any }); ok {
			signal := C.sgk_to_signal(value)
			place.Set(reflect.ValueOf(kind.lent(signal)))
			C.sgk_release(unsafe.Pointer(signal))
			return
		}
	}
	found := decodeAny(value)
	if found == nil && place.Kind() == reflect.Interface {
		return
	}
	if found != nil && reflect.TypeOf(found).AssignableTo(place.Type()) {
		place.Set(reflect.ValueOf(found))
		return
	}
	if number, ok := found.(int); ok && value.kind == C.SGK_INT && place.CanInt() && !place.OverflowInt(int64(number)) {
		place.SetInt(int64(number)) // of the library's own making
		return
	}
	panic(&TypeError{operator, place.Type().String(), found})
}

// decodeAny reads a borrowed value of any type. An object of another language causes a panic with a Failure.
func decodeAny(value C.sgk_value) any {
	switch value.kind {
	case C.SGK_NULL:
		return nil
	case C.SGK_BOOL:
		return value.bits != 0
	case C.SGK_INT:
		return int(value.bits)
	case C.SGK_DOUBLE:
		return math.Float64frombits(uint64(value.bits))
	case C.SGK_STRING:
		return text(value)
	case C.SGK_BYTES:
		return []byte(text(value))
	case C.SGK_ARRAY:
		items := lent(value)
		list := make([]any, len(items))
		for i, item := range items {
			list[i] = decodeAny(item)
		}
		return list
	case C.SGK_SIGNAL:
		return &Signal[any]{object: object{owning(unsafe.Pointer(C.sgk_to_signal(value)))}}
	case C.SGK_OBJECT:
		if value.reserved == C.GO_NUMBERED {
			return objects.get(uintptr(value.bits))
		}
		if number := C.go_object_number(value); number != 0 {
			return objects.get(uintptr(number))
		}
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		C.go_object_number(value) // again: the reason is known to this thread alone
		panic(&Failure{Value: textOf(C.sgk_last_error()), Code: C.SGK_ERROR_KIND})
	}
	if value.kind == C.SGK_FAILURE {
		return readFailure(value)
	}
	return uintptr(value.bits)
}

func readFailure(value C.sgk_value) *Failure {
	made := &Failure{Value: textOf(C.sgk_error_text(value)), Code: int(C.sgk_error_code(value))}
	if cause := C.sgk_error_cause(value); cause.kind != C.SGK_NULL {
		made.Cause = decodeError(cause)
	}
	return made
}

// decodeError reads a borrowed error. If it is unreadable, the reason replaces it.
func decodeError(value C.sgk_value) (read error) {
	defer func() {
		if reason := recover(); reason != nil {
			failure, ok := reason.(*Failure)
			if !ok {
				panic(reason)
			}
			read = failure
		}
	}()
	found := decodeAny(value)
	if err, ok := found.(error); ok {
		return err
	}
	return &Failure{Value: found, Code: C.SGK_ERROR_FAILED}
}

// taken reads a value that is owned.
func taken[T any](operator string, value C.sgk_value) T {
	defer C.sgk_value_release(value)
	return decode[T](operator, value)
}

func text(value C.sgk_value) string {
	var length C.size_t
	data := C.sgk_value_data(value, &length)
	return C.GoStringN(data, C.int(length))
}

func lent(value C.sgk_value) []C.sgk_value {
	var count C.size_t
	return unsafe.Slice(C.sgk_array_items(value, &count), int(count))
}

// ---- What arrays of the library's are in Go ----

// Pair is two values.
type Pair[A, B any] struct {
	First  A
	Second B
}

func (p *Pair[A, B]) fromList(operator string, items []C.sgk_value) {
	if len(items) != 2 {
		panic(&TypeError{operator, "an array of two", len(items)})
	}
	p.First, p.Second = decode[A](operator, items[0]), decode[B](operator, items[1])
}

// Timed is a value and a time: of Timestamped since a fixed point, of TimeInterval since the previous value.
type Timed[T any] struct {
	Time  time.Duration
	Value T
}

func (t *Timed[T]) fromList(operator string, items []C.sgk_value) {
	var pair Pair[float64, T]
	pair.fromList(operator, items)
	t.Time, t.Value = durationOf(C.double(pair.First)), pair.Second
}

// FileChange is a change of a file or folder: see FileChanges.
type FileChange struct {
	// Events is one bit of the requested ones, perhaps with FileIsFolder.
	Events FileEvents
	// Name is the name of the file in the watched folder, or empty for the watched file or folder.
	Name string
	// Cookie is equal for both halves of a renaming, and otherwise 0.
	Cookie int
}

func (f *FileChange) fromList(operator string, items []C.sgk_value) {
	if len(items) != 3 {
		panic(&TypeError{operator, "an array of three", len(items)})
	}
	f.Events, f.Name = decode[FileEvents](operator, items[0]), decode[string](operator, items[1])
	f.Cookie = decode[int](operator, items[2])
}

// EventKind says what an Event is.
type EventKind int

// The kinds of events.
const (
	EventNext      EventKind = C.SGK_EVENT_NEXT
	EventError     EventKind = C.SGK_EVENT_ERROR
	EventCompleted EventKind = C.SGK_EVENT_COMPLETED
)

// Event is an event as a value: see ToEvents.
type Event[T any] struct {
	Kind  EventKind
	Value T
	Err   error
}

func (e *Event[T]) fromList(operator string, items []C.sgk_value) {
	e.Kind = EventKind(decode[int](operator, items[0]))
	switch e.Kind {
	case EventNext:
		e.Value = decode[T](operator, items[1])
	case EventError:
		e.Err = decodeError(items[1])
	}
}

func (e Event[T]) list() []any {
	switch e.Kind {
	case EventNext:
		return []any{int(e.Kind), e.Value}
	case EventError:
		return []any{int(e.Kind), e.Err}
	}
	return []any{int(e.Kind), nil}
}

// ---- What the library asks of an object ----

func whatObject(number C.uintptr_t) any { return objects.get(uintptr(number)) }

//export goObjectRelease
func goObjectRelease(number C.uintptr_t) { objects.remove(uintptr(number)) }

//export goObjectEqual
func goObjectEqual(a, b C.uintptr_t) C.bool { return C.bool(equal(whatObject(a), whatObject(b))) }

//export goObjectHash
func goObjectHash(number C.uintptr_t) C.uint64_t { return C.uint64_t(hash(whatObject(number))) }

//export goObjectDescribe
func goObjectDescribe(number C.uintptr_t, place *C.char, size C.size_t) (length C.size_t) {
	defer func() { _ = recover() }() // of a method String or Error
	described := fmt.Sprint(whatObject(number))
	if size > 0 {
		bytes := unsafe.Slice((*byte)(unsafe.Pointer(place)), int(size))
		bytes[copy(bytes[:len(bytes)-1], described)] = 0
	}
	return C.size_t(len(described))
}

func equal(a, b any) (same bool) {
	defer func() {
		if recover() != nil { // == of what cannot be compared
			same = reflect.DeepEqual(a, b)
		}
	}()
	return a == b
}

// hash returns the same number for equal values.
func hash(value any) uint64 {
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Pointer, reflect.Chan, reflect.UnsafePointer:
		return uint64(v.Pointer())
	}
	return mixed(14695981039346656037, v)
}

func mixed(sum uint64, v reflect.Value) uint64 {
	add := func(bits uint64) { sum = (sum ^ bits) * 1099511628211 }
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			add(1)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		add(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		add(v.Uint())
	case reflect.Float32, reflect.Float64:
		add(math.Float64bits(v.Float() + 0)) // -0 is 0
	case reflect.String:
		for i := 0; i < v.Len(); i++ {
			add(uint64(v.String()[i]))
		}
	case reflect.Array, reflect.Slice:
		for i := 0; i < v.Len(); i++ {
			sum = mixed(sum, v.Index(i))
		}
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			sum = mixed(sum, v.Field(i))
		}
	case reflect.Interface:
		sum = mixed(sum, v.Elem())
	}
	return sum
}
