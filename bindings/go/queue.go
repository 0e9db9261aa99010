package signalkit

// #include "bridge.h"
import "C"

import (
	"runtime"
	"sync"
	"time"
	"unsafe"
)

// Queue runs functions one at a time, in order, on threads of the library. Their panics are logged.
type Queue struct{ object }

// NewQueue makes a serial queue, with a thread of a pool whenever it has work.
func NewQueue(name string) *Queue {
	return &Queue{created(func() *C.sgk_queue {
		text := C.CString(name)
		defer C.free(unsafe.Pointer(text))
		return C.sgk_queue_create(text)
	})}
}

// MainQueue is the queue whose work is done on the main thread, in RunMain.
func MainQueue() *Queue { return &Queue{created(func() *C.sgk_queue { return C.sgk_queue_main() })} }

// ConcurrentQueue is the process-wide concurrent queue.
func ConcurrentQueue() *Queue {
	return &Queue{created(func() *C.sgk_queue { return C.sgk_queue_concurrent_default() })}
}

// NewConcurrentQueue makes a concurrent queue with its own threads, from 1 to 1024.
func NewConcurrentQueue(name string, threads int) (*Queue, error) {
	h, err := making("NewConcurrentQueue", func(c *call) *C.sgk_queue {
		return C.sgk_queue_create_concurrent(c.text(name), c.integer("threads", threads))
	})
	if err != nil {
		return nil, err
	}
	return &Queue{object{h}}, nil
}

// BackgroundQueue is the process-wide concurrent queue of background priority.
func BackgroundQueue() *Queue {
	return &Queue{created(func() *C.sgk_queue { return C.sgk_queue_concurrent_background() })}
}

// NewQueueOn makes a serial queue whose work runs on a loop of the program's: post is given each piece of work, and runs
// it later, never inside of that call, in the order of the calls and one at a time. It returns false when the loop has
// ended.
func NewQueueOn(post func(work func()) bool) (*Queue, error) {
	if post == nil {
		return nil, noFunction[any]("NewQueueOn").err
	}
	context := register(&receiver{name: "NewQueueOn", call: post})
	h, err := making("NewQueueOn", func(*call) *C.sgk_queue { return C.go_queue(context) })
	if err != nil {
		goDestroy(context)
		return nil, err
	}
	return &Queue{object{h}}, nil
}

//export goQueueAsync
func goQueueAsync(context C.uintptr_t, work C.sgk_work_fn, workContext C.uintptr_t, destroy C.sgk_destroy_fn) (status C.sgk_status) {
	r := receiverOf(context)
	status = C.SGK_ERROR_ENDED
	defer func() {
		if reason := recover(); reason != nil {
			r.fail(&PanicError{Value: reason})
		}
	}()
	var once sync.Once
	defer func() {
		if status != C.SGK_OK { // the library releases the work: a later call of it does nothing
			once.Do(func() {})
		}
	}()
	accepted := r.call.(func(func()) bool)(func() {
		once.Do(func() {
			C.go_work_run(work, workContext)
			C.go_work_destroy(destroy, workContext)
		})
	})
	if accepted {
		status = C.SGK_OK
	}
	return
}

// IsCurrent is whether the caller runs on it.
func (q *Queue) IsCurrent() (current bool) {
	q.use(func(pointer unsafe.Pointer) { current = bool(C.sgk_queue_is_current((*C.sgk_queue)(pointer))) })
	return
}

// Dropped returns how many jobs a queue of NewQueueOn dropped because its loop has ended.
func (q *Queue) Dropped() (count int) {
	q.use(func(pointer unsafe.Pointer) { count = int(C.sgk_queue_dropped((*C.sgk_queue)(pointer))) })
	return
}

// Now is the time of its clock, from any fixed point.
func (q *Queue) Now() (now time.Duration) {
	q.use(func(pointer unsafe.Pointer) { now = durationOf(C.sgk_queue_now((*C.sgk_queue)(pointer))) })
	return
}

// Async runs f inline when the queue is current, otherwise later.
func (q *Queue) Async(f func()) error {
	return q.put("Async", f, func(queue *C.sgk_queue, context C.uintptr_t) C.sgk_status {
		return C.call_queue_async(queue, context)
	})
}

// Dispatch runs f later, never inline.
func (q *Queue) Dispatch(f func()) error {
	return q.put("Dispatch", f, func(queue *C.sgk_queue, context C.uintptr_t) C.sgk_status {
		return C.call_queue_dispatch(queue, context)
	})
}

func (q *Queue) put(operation string, f func(), put func(*C.sgk_queue, C.uintptr_t) C.sgk_status) error {
	if f == nil {
		return noFunction[any](operation).err
	}
	return q.status(operation, func(pointer unsafe.Pointer) C.sgk_status {
		return put((*C.sgk_queue)(pointer), register(&receiver{name: operation, call: f}))
	})
}

// Sync runs f on the queue and returns after it. It returns a panic of f as an error.
func (q *Queue) Sync(f func()) error {
	if f == nil {
		return noFunction[any]("Sync").err
	}
	return immediately("Sync", f, func(context C.uintptr_t) error {
		return q.status("Sync", func(pointer unsafe.Pointer) C.sgk_status {
			return C.call_queue_sync((*C.sgk_queue)(pointer), context)
		})
	})
}

// immediately returns what f panics with, which is called inside of call alone.
func immediately(name string, f func(), call func(context C.uintptr_t) error) error {
	r := &receiver{name: name, immediate: true, call: f}
	context := register(r)
	defer goDestroy(context)
	err := call(context)
	if r.err != nil {
		return r.err
	}
	return err
}

// After runs f on the queue after a delay, unless the returned disposable is disposed before.
func (q *Queue) After(delay time.Duration, f func()) (*Disposable, error) {
	if f == nil {
		return nil, noFunction[any]("After").err
	}
	h, err := making("After", func(c *call) *C.sgk_disposable {
		return C.call_queue_after((*C.sgk_queue)(c.handle("queue", q)), seconds(delay),
			register(&receiver{name: "After", call: f}))
	})
	if err != nil {
		return nil, err
	}
	return &Disposable{object{h}}, nil
}

// ---- Virtual time ----

// VirtualQueue is a serial queue with a virtual clock, which only the program advances, for tests.
type VirtualQueue struct{ Queue }

// NewVirtualQueue makes one, at time 0.
func NewVirtualQueue() *VirtualQueue {
	return &VirtualQueue{Queue{created(func() *C.sgk_queue { return C.sgk_queue_create_virtual(nil) })}}
}

// Beside returns another queue with the same clock.
func (q *VirtualQueue) Beside() (*VirtualQueue, error) {
	h, err := making("Beside", func(c *call) *C.sgk_queue {
		return C.sgk_queue_create_virtual((*C.sgk_queue)(c.handle("queue", q)))
	})
	if err != nil {
		return nil, err
	}
	return &VirtualQueue{Queue{object{h}}}, nil
}

// Advance moves the time on, and does what falls due.
func (q *VirtualQueue) Advance(by time.Duration) error {
	return q.status("Advance", func(pointer unsafe.Pointer) C.sgk_status {
		return C.sgk_queue_advance((*C.sgk_queue)(pointer), seconds(by))
	})
}

// AdvanceTo moves the time on to a time.
func (q *VirtualQueue) AdvanceTo(at time.Duration) error {
	return q.status("AdvanceTo", func(pointer unsafe.Pointer) C.sgk_status {
		return C.sgk_queue_advance_to((*C.sgk_queue)(pointer), seconds(at))
	})
}

// Run runs until no work is pending or limit jobs have run, and returns the number of jobs.
func (q *VirtualQueue) Run(limit int) (count int, err error) {
	err = q.status("Run", func(pointer unsafe.Pointer) C.sgk_status {
		run := C.sgk_queue_run((*C.sgk_queue)(pointer), C.int64_t(limit))
		if run < 0 {
			return C.sgk_status(run)
		}
		count = int(run)
		return C.SGK_OK
	})
	return
}

// Pending is how much waits.
func (q *VirtualQueue) Pending() (count int) {
	q.use(func(pointer unsafe.Pointer) { count = int(C.sgk_queue_pending((*C.sgk_queue)(pointer))) })
	return
}

// Suspend lets the system sleep: the clock on the wall moves on, and the queue's does not.
func (q *VirtualQueue) Suspend(duration time.Duration) error {
	return q.status("Suspend", func(pointer unsafe.Pointer) C.sgk_status {
		return C.sgk_queue_suspend((*C.sgk_queue)(pointer), seconds(duration))
	})
}

// ---- Timers, pools ----

// QueueTimer calls a function on a queue after a delay, once or repeatedly.
type QueueTimer struct{ object }

// NewQueueTimer makes one that calls fire once. Start starts it.
func NewQueueTimer(delay time.Duration, queue *Queue, fire func()) (*QueueTimer, error) {
	return newQueueTimer("NewQueueTimer", delay, false, queue, fire)
}

// NewQueueTicker makes one that calls fire repeatedly. Start starts it.
func NewQueueTicker(interval time.Duration, queue *Queue, fire func()) (*QueueTimer, error) {
	return newQueueTimer("NewQueueTicker", interval, true, queue, fire)
}

func newQueueTimer(operation string, interval time.Duration, repeat bool, queue *Queue,
	fire func()) (*QueueTimer, error) {
	if fire == nil {
		return nil, noFunction[any](operation).err
	}
	h, err := making(operation, func(c *call) *C.sgk_timer {
		pointer := (*C.sgk_queue)(c.handle("queue", queue))
		return C.call_timer_create(seconds(interval), C.bool(repeat), register(&receiver{name: "a timer", call: fire}),
			pointer)
	})
	if err != nil {
		return nil, err
	}
	return &QueueTimer{object{h}}, nil
}

// Start starts it.
func (t *QueueTimer) Start() error {
	return t.status("Start", func(p unsafe.Pointer) C.sgk_status { return C.sgk_timer_start((*C.sgk_timer)(p)) })
}

// Invalidate stops it for good.
func (t *QueueTimer) Invalidate() error {
	return t.status("Invalidate", func(p unsafe.Pointer) C.sgk_status { return C.sgk_timer_invalidate((*C.sgk_timer)(p)) })
}

// FireAndInvalidate calls the function at once, and stops.
func (t *QueueTimer) FireAndInvalidate() error {
	return t.status("FireAndInvalidate", func(p unsafe.Pointer) C.sgk_status {
		return C.sgk_timer_fire_and_invalidate((*C.sgk_timer)(p))
	})
}

// Reset restarts the timer with another interval.
func (t *QueueTimer) Reset(interval time.Duration) error {
	return t.status("Reset", func(p unsafe.Pointer) C.sgk_status {
		return C.sgk_timer_reset_timeout((*C.sgk_timer)(p), seconds(interval))
	})
}

// IsScheduled is whether it will fire.
func (t *QueueTimer) IsScheduled() (scheduled bool) {
	t.use(func(p unsafe.Pointer) { scheduled = bool(C.sgk_timer_is_scheduled((*C.sgk_timer)(p))) })
	return
}

// Remaining is the time until the next firing.
func (t *QueueTimer) Remaining() (remaining time.Duration) {
	t.use(func(p unsafe.Pointer) { remaining = durationOf(C.sgk_timer_remaining_time((*C.sgk_timer)(p))) })
	return
}

// ThreadPool is a fixed number of threads.
type ThreadPool struct{ object }

// NewThreadPool makes one. The priority is from 0 to 1; 0.5 is the ordinary one.
func NewThreadPool(threads int, priority float64) (*ThreadPool, error) {
	h, err := making("NewThreadPool", func(c *call) *C.sgk_thread_pool {
		return C.sgk_thread_pool_create(c.integer("threads", threads), C.double(priority))
	})
	if err != nil {
		return nil, err
	}
	return &ThreadPool{object{h}}, nil
}

// AddTask runs f on any thread of the pool, unless the returned disposable is disposed before.
func (p *ThreadPool) AddTask(f func()) (*Disposable, error) {
	if f == nil {
		return nil, noFunction[any]("AddTask").err
	}
	h, err := making("AddTask", func(c *call) *C.sgk_disposable {
		return C.call_thread_pool_add_task((*C.sgk_thread_pool)(c.handle("pool", p)),
			register(&receiver{name: "AddTask", call: f}))
	})
	if err != nil {
		return nil, err
	}
	return &Disposable{object{h}}, nil
}

// NextQueue is a new serial queue on the pool.
func (p *ThreadPool) NextQueue() (*Queue, error) {
	return queueOf("NextQueue", func(c *call) *C.sgk_queue {
		return C.sgk_thread_pool_next_queue((*C.sgk_thread_pool)(c.handle("pool", p)))
	})
}

// Queue is the pool as a concurrent queue, which keeps it.
func (p *ThreadPool) Queue() (*Queue, error) {
	return queueOf("Queue", func(c *call) *C.sgk_queue {
		return C.sgk_thread_pool_queue((*C.sgk_thread_pool)(c.handle("pool", p)))
	})
}

func queueOf(operation string, make func(c *call) *C.sgk_queue) (*Queue, error) {
	h, err := making(operation, make)
	if err != nil {
		return nil, err
	}
	return &Queue{object{h}}, nil
}

// Shutdown lets the tasks that wait go, and ends the threads.
func (p *ThreadPool) Shutdown() error {
	return p.status("Shutdown", func(pointer unsafe.Pointer) C.sgk_status {
		return C.sgk_thread_pool_shutdown((*C.sgk_thread_pool)(pointer))
	})
}

// ---- The main queue's loop ----

// RunMain runs the main queue until StopMain, on the main thread: call runtime.LockOSThread in an init function, so that
// main keeps that thread, and call it from main.
func RunMain() error { return mainCall(func() C.sgk_status { return C.sgk_main_run() }) }

// StopMain makes RunMain return. Any goroutine.
func StopMain() { C.sgk_main_stop() }

// DrainMain runs what the main queue has to do by now. Main thread only.
func DrainMain() error { return mainCall(func() C.sgk_status { return C.sgk_main_drain() }) }

func mainCall(f func() C.sgk_status) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return failure(f())
}
