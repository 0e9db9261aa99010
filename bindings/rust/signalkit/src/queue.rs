//! Where work runs: queues, timers, pools, the main loop, virtual time.

use crate::border::{self, catching, work};
use crate::handle::{done, Handle};
use crate::value::AnyValue;
use crate::{AnyError, Disposable, Error, Value};
use signalkit_sys as sys;
use std::ffi::CString;
use std::marker::PhantomData;
use std::ops::Deref;
use std::os::raw::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::ThreadId;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Runs work: in order and one at a time on a serial queue and on the main queue.
#[derive(Clone)]
pub struct Queue(pub(crate) Handle<sys::sgk_queue>);

impl Queue {
    fn made(pointer: *mut sys::sgk_queue) -> Result<Self, Error> {
        Ok(Queue(Handle::made(pointer)?))
    }
    fn created(pointer: *mut sys::sgk_queue) -> Self {
        Queue(Handle::created(pointer))
    }
    fn pointer(&self) -> *mut sys::sgk_queue {
        self.0.as_ptr()
    }
    /// A new serial queue, with a thread whenever it has work. The name is for debuggers; a NUL ends it.
    pub fn new(name: &str) -> Self {
        let name = CString::new(name.split('\0').next().unwrap_or("")).ok();
        Self::created(unsafe { sys::sgk_queue_create(name.as_ref().map_or(null(), |name| name.as_ptr())) })
    }
    /// The queue whose work runs on the main thread, in [`main_run`].
    pub fn main() -> Self {
        Self::created(unsafe { sys::sgk_queue_main() })
    }
    /// The concurrent queue of the process.
    pub fn concurrent() -> Self {
        Self::created(unsafe { sys::sgk_queue_concurrent_default() })
    }
    /// A concurrent queue with 1 to 1024 threads of its own. A NUL ends the name.
    pub fn with_threads(name: &str, threads: i32) -> Result<Self, Error> {
        let name = CString::new(name.split('\0').next().unwrap_or("")).unwrap_or_default();
        Self::made(unsafe { sys::sgk_queue_create_concurrent(name.as_ptr(), threads) })
    }
    /// The concurrent queue of the process for what nobody waits for.
    pub fn background() -> Self {
        Self::created(unsafe { sys::sgk_queue_concurrent_background() })
    }
    /// A queue that runs its work on a loop of the program's.
    pub fn custom(executor: impl Executor) -> Self {
        custom(executor)
    }
    /// Returns the queue, borrowed for the life of this object, for use with [`sys`](crate::sys).
    pub fn as_raw(&self) -> *mut sys::sgk_queue {
        self.pointer()
    }
    /// Returns whether the caller runs on this queue.
    pub fn is_current(&self) -> bool {
        unsafe { sys::sgk_queue_is_current(self.pointer()) }
    }
    /// Runs the work on the queue: inline if the queue is current, otherwise later. A panic is logged.
    pub fn run_async(&self, f: impl FnOnce() + Send + 'static) -> Result<(), Error> {
        let (run, context, destroy) = work(f);
        done(unsafe { sys::sgk_queue_async(self.pointer(), run, context, destroy) })
    }
    /// Runs the work on the queue later, never inline.
    pub fn dispatch(&self, f: impl FnOnce() + Send + 'static) -> Result<(), Error> {
        let (run, context, destroy) = work(f);
        done(unsafe { sys::sgk_queue_dispatch(self.pointer(), run, context, destroy) })
    }
    /// Runs the work on the queue and returns its result. A panic is passed on.
    ///
    /// ```
    /// let queue = signalkit::Queue::new("elsewhere");
    /// let mut numbers = vec![1, 2];
    /// assert_eq!(queue.run_sync(|| { numbers.push(3); numbers.len() })?, 3);
    /// # Ok::<(), signalkit::Error>(())
    /// ```
    pub fn run_sync<R: Send>(&self, f: impl FnOnce() -> R + Send) -> Result<R, Error> {
        let mut result = None;
        unsafe {
            lend(f, &mut result, |run, context| done(sys::sgk_queue_sync(self.pointer(), run, context)))?;
        }
        result.unwrap_or_else(|| Err(Error::answer(sys::SGK_ERROR_ENDED))).map_err(border::resumed)
    }
    /// Runs the work after a delay. Disposing the returned object cancels the work.
    pub fn after(&self, time: Duration, f: impl FnOnce() + Send + 'static) -> Result<Disposable, Error> {
        let (run, context, destroy) = work(f);
        let after = unsafe { sys::sgk_queue_after(self.pointer(), time.as_secs_f64(), run, context, destroy) };
        Ok(Disposable(Handle::made(after)?))
    }
    /// The time of the queue's clock, from any fixed point.
    pub fn now(&self) -> Duration {
        seconds(unsafe { sys::sgk_queue_now(self.pointer()) })
    }
    /// Returns how many jobs a queue of the program rejected.
    pub fn dropped(&self) -> i64 {
        unsafe { sys::sgk_queue_dropped(self.pointer()) }
    }
}

/// Calls with a function that is called before that returns, at most once.
unsafe fn lend<R, F: FnOnce() -> R>(
    f: F,
    result: &mut Option<Result<R, Error>>,
    call: impl FnOnce(sys::sgk_work_fn, *mut c_void) -> Result<(), Error>,
) -> Result<(), Error> {
    unsafe extern "C" fn run<R, F: FnOnce() -> R>(context: *mut c_void) {
        let (f, result) = &mut *(context as *mut (Option<F>, &mut Option<Result<R, Error>>));
        if let Some(f) = f.take() {
            **result = Some(catching(|| Ok(f())));
        }
    }
    let mut context = (Some(f), result);
    call(Some(run::<R, F>), &mut context as *mut (Option<F>, &mut Option<Result<R, Error>>) as *mut c_void)
}

pub(crate) fn seconds(seconds: f64) -> Duration {
    if seconds >= 0.0 && seconds < 1e15 {
        Duration::from_secs_f64(seconds)
    } else {
        Duration::MAX
    }
}

/// Runs the work of a queue on an event loop of the program: see [`Queue::custom`].
pub trait Executor: Send + Sync + 'static {
    /// Runs the work later on the loop: in the order of the calls, one at a time, and never inside this call.
    ///
    /// If the loop has ended, the method returns an error. After an error or a panic, [`run`](Work::run) has no effect
    /// on work that has not started.
    fn execute(&self, work: Work) -> Result<(), AnyError>;
}

/// Work for an [`Executor`]. Dropping it cancels it.
pub struct Work {
    run: sys::sgk_work_fn,
    context: *mut c_void,
    destroy: sys::sgk_destroy_fn,
    state: Arc<WorkState>,
    turns: Arc<Turns>,
}

unsafe impl Send for Work {}

impl Work {
    /// Runs the work. If another thread runs work of the same queue, the call first waits until that has ended.
    pub fn run(self) {
        if self.state.leave(WorkState::TAKEN).is_err() {
            return;
        }
        let (Some(run), Some(destroy)) = (self.run, self.destroy) else { return };
        self.turns.take(|| unsafe { run(self.context) });
        unsafe { destroy(self.context) }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        if self.state.leave(WorkState::TAKEN).is_ok() {
            if let Some(destroy) = self.destroy {
                unsafe { destroy(self.context) }
            }
            self.state.0.store(WorkState::DROPPED, SeqCst);
        }
    }
}

/// Records the owner of the work, so that no executor can run or destroy it twice.
struct WorkState(AtomicU8);

impl WorkState {
    /// The executor has it.
    const WAITING: u8 = 0;
    /// The executor has run it, or is about to run or destroy it.
    const TAKEN: u8 = 1;
    /// The executor has destroyed it.
    const DROPPED: u8 = 2;
    /// The library has it again.
    const REFUSED: u8 = 3;

    /// Leaves `WAITING`. Fails with the state if that is another one.
    fn leave(&self, state: u8) -> Result<u8, u8> {
        self.0.compare_exchange(Self::WAITING, state, SeqCst, SeqCst)
    }
}

/// Runs work one at a time. The thread that runs work may run more inside it, as in a nested loop.
#[derive(Default)]
struct Turns {
    owner: Mutex<Option<ThreadId>>,
    free: Condvar,
}

impl Turns {
    fn owner(&self) -> MutexGuard<'_, Option<ThreadId>> {
        self.owner.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// `work` does not unwind.
    fn take(&self, work: impl FnOnce()) {
        let me = Some(std::thread::current().id());
        let mut owner = self.owner();
        if *owner == me {
            drop(owner);
            return work();
        }
        while owner.is_some() {
            owner = self.free.wait(owner).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
        *owner = me;
        drop(owner);
        work();
        *self.owner() = None;
        self.free.notify_one();
    }
}

struct Custom<E> {
    executor: E,
    turns: Arc<Turns>,
}

fn custom<E: Executor>(executor: E) -> Queue {
    unsafe extern "C" fn execute<E: Executor>(
        context: *mut c_void,
        run: sys::sgk_work_fn,
        work_context: *mut c_void,
        destroy: sys::sgk_destroy_fn,
    ) -> sys::sgk_status {
        let custom = &*(context as *const Custom<E>);
        let state = Arc::new(WorkState(AtomicU8::new(WorkState::WAITING)));
        let work = Work { run, context: work_context, destroy, state: state.clone(), turns: custom.turns.clone() };
        if catching(|| custom.executor.execute(work).map_err(Error::new)).is_ok() {
            return sys::SGK_OK;
        }
        match state.leave(WorkState::REFUSED) {
            Err(WorkState::TAKEN) => sys::SGK_OK, // the executor calls `destroy`
            _ => sys::SGK_ERROR_ENDED,
        }
    }
    let table = sys::sgk_queue_table {
        size: std::mem::size_of::<sys::sgk_queue_table>(),
        dispatch: Some(execute::<E>),
        is_current: None,
        after: None,
        now: None,
        retain: None,
        release: Some(border::destroy::<Custom<E>>),
        watch: None,
        unwatch: None,
    };
    let context = Box::into_raw(Box::new(Custom { executor, turns: Arc::default() })) as *mut c_void;
    Queue::created(unsafe { sys::sgk_queue_create_custom(&table, context) })
}

// ---- Virtual time ----

/// A queue with a virtual clock, which only the program advances, for tests.
///
/// ```
/// use signalkit::{Signal, VirtualTime};
/// use std::time::Duration;
///
/// let time = VirtualTime::new();
/// let day = Duration::from_secs(86400);
/// let days = Signal::interval(day, &time).start(|n| println!("day {n}"))?;
/// time.advance(day * 3)?; // prints 0, 1, 2
/// # Ok::<(), signalkit::Error>(())
/// ```
#[derive(Clone)]
pub struct VirtualTime(Queue);

impl VirtualTime {
    /// Creates a serial queue with a new virtual clock, at time 0.
    pub fn new() -> Self {
        VirtualTime(Queue::created(unsafe { sys::sgk_queue_create_virtual(null_mut()) }))
    }
    /// Creates another queue with the same clock.
    pub fn beside(&self) -> Self {
        VirtualTime(Queue::created(unsafe { sys::sgk_queue_create_virtual(self.0.pointer()) }))
    }
    /// Moves the time on, running what becomes due on the way: each thing at its time.
    pub fn advance(&self, time: Duration) -> Result<(), Error> {
        done(unsafe { sys::sgk_queue_advance(self.0.pointer(), time.as_secs_f64()) })
    }
    /// Moves the time on to this one.
    pub fn advance_to(&self, time: Duration) -> Result<(), Error> {
        done(unsafe { sys::sgk_queue_advance_to(self.0.pointer(), time.as_secs_f64()) })
    }
    /// Runs until no work is pending or `limit` jobs have run. Returns the number of jobs.
    pub fn run(&self, limit: Option<i64>) -> Result<i64, Error> {
        counted(unsafe { sys::sgk_queue_run(self.0.pointer(), limit.unwrap_or(i64::MAX)) })
    }
    /// How much waits, work and timers.
    pub fn pending(&self) -> Result<i64, Error> {
        counted(unsafe { sys::sgk_queue_pending(self.0.pointer()) })
    }
    /// The system sleeps for that time.
    pub fn suspend(&self, time: Duration) -> Result<(), Error> {
        done(unsafe { sys::sgk_queue_suspend(self.0.pointer(), time.as_secs_f64()) })
    }
}

impl Deref for VirtualTime {
    type Target = Queue;
    fn deref(&self) -> &Queue {
        &self.0
    }
}

fn counted(number: i64) -> Result<i64, Error> {
    if number < 0 {
        Err(Error::last())
    } else {
        Ok(number)
    }
}

// ---- Timers ----

/// Fires after a delay, once or repeatedly. Dropping it stops it.
pub struct Timer(Handle<sys::sgk_timer>);

impl Timer {
    /// Creates a timer that is not running yet. It calls `fire` once on the queue.
    pub fn once<F>(time: Duration, queue: &Queue, fire: F) -> Result<Self, Error>
    where
        F: Fn() + Send + Sync + 'static,
    {
        Self::made(time, false, queue, fire)
    }
    /// Creates a timer that is not running yet. It calls `fire` repeatedly on the queue, with this delay before each call.
    pub fn repeating<F>(time: Duration, queue: &Queue, fire: F) -> Result<Self, Error>
    where
        F: Fn() + Send + Sync + 'static,
    {
        Self::made(time, true, queue, fire)
    }
    fn made<F>(time: Duration, repeat: bool, queue: &Queue, fire: F) -> Result<Self, Error>
    where
        F: Fn() + Send + Sync + 'static,
    {
        let (context, destroy) = border::Callback::context("Timer", fire);
        let (time, fire, queue) = (time.as_secs_f64(), border::action::<F>, queue.pointer());
        Ok(Timer(Handle::made(unsafe { sys::sgk_timer_create(time, repeat, Some(fire), context, destroy, queue) })?))
    }
    /// Starts or restarts the timer.
    pub fn start(&self) -> Result<(), Error> {
        done(unsafe { sys::sgk_timer_start(self.0.as_ptr()) })
    }
    /// Stops it.
    pub fn invalidate(&self) {
        unsafe { sys::sgk_timer_invalidate(self.0.as_ptr()) };
    }
    /// Fires, and stops.
    pub fn fire_and_invalidate(&self) -> Result<(), Error> {
        done(unsafe { sys::sgk_timer_fire_and_invalidate(self.0.as_ptr()) })
    }
    /// Restarts the timer with another delay.
    pub fn reset(&self, time: Duration) -> Result<(), Error> {
        done(unsafe { sys::sgk_timer_reset_timeout(self.0.as_ptr(), time.as_secs_f64()) })
    }
    /// Returns whether the timer will fire.
    pub fn is_scheduled(&self) -> bool {
        unsafe { sys::sgk_timer_is_scheduled(self.0.as_ptr()) }
    }
    /// Returns the time until the timer fires; `Duration::MAX` if it is not running.
    pub fn remaining(&self) -> Duration {
        seconds(unsafe { sys::sgk_timer_remaining_time(self.0.as_ptr()) })
    }
}

// ---- Pools ----

/// A fixed number of threads that run tasks.
#[derive(Clone)]
pub struct ThreadPool(pub(crate) Handle<sys::sgk_thread_pool>);

impl ThreadPool {
    /// A pool of 1 to 1024 threads.
    pub fn new(threads: i32) -> Result<Self, Error> {
        Ok(ThreadPool(Handle::made(unsafe { sys::sgk_thread_pool_create(threads, 0.5) })?))
    }
    /// Runs the task on any thread of the pool. Disposing the returned object cancels a task that has not started.
    pub fn add(&self, task: impl FnOnce() + Send + 'static) -> Result<Disposable, Error> {
        let (run, context, destroy) = work(task);
        let task = unsafe { sys::sgk_thread_pool_add_task(self.0.as_ptr(), run, context, destroy) };
        Ok(Disposable(Handle::made(task)?))
    }
    /// A new serial queue on the pool.
    pub fn next_queue(&self) -> Result<Queue, Error> {
        Queue::made(unsafe { sys::sgk_thread_pool_next_queue(self.0.as_ptr()) })
    }
    /// The pool as a concurrent queue.
    pub fn queue(&self) -> Result<Queue, Error> {
        Queue::made(unsafe { sys::sgk_thread_pool_queue(self.0.as_ptr()) })
    }
    /// Returns whether the caller runs on a thread of the pool.
    pub fn is_current(&self) -> bool {
        unsafe { sys::sgk_thread_pool_is_current_thread_in_pool(self.0.as_ptr()) }
    }
    /// Lets the tasks that wait go and ends the threads. Does not wait.
    pub fn shutdown(&self) {
        unsafe { sys::sgk_thread_pool_shutdown(self.0.as_ptr()) };
    }
}

// ---- An object that lives on a queue ----

/// An object that is created, used and dropped only on a queue, by one job at a time, so it need not be `Sync`. (The queue changes threads, so it
/// must be `Send`. Uses can be nested, so mutable parts belong in a `Cell` or `RefCell`.)
///
/// ```
/// use signalkit::{Queue, QueueLocal};
/// use std::cell::RefCell;
///
/// let words = QueueLocal::new(&Queue::new("words"), || RefCell::new(Vec::new()))?;
/// words.with(|words| words.borrow_mut().push("one"))?;
/// assert_eq!(words.with(|words| words.borrow().len())?, 1);
/// # Ok::<(), signalkit::Error>(())
/// ```
pub struct QueueLocal<T> {
    handle: Handle<sys::sgk_queue_local>,
    holds: PhantomData<fn(T) -> T>,
}

impl<T: Send + 'static> QueueLocal<T> {
    /// The object is made by `make` on the queue, which must be a serial one.
    pub fn new<F: FnOnce() -> T + Send + 'static>(queue: &Queue, make: F) -> Result<Self, Error> {
        unsafe extern "C" fn generate<T, F: FnOnce() -> T>(context: *mut c_void) -> *mut c_void {
            let make = (*(context as *mut Option<F>)).take();
            let made = catching(|| make.map(|make| make()).ok_or_else(|| Error::answer(sys::SGK_ERROR_ENDED)));
            Box::into_raw(Box::new(made)) as *mut c_void
        }
        let context = Box::into_raw(Box::new(Some(make))) as *mut c_void;
        let (generate, drop) = (generate::<T, F>, border::destroy::<Result<T, Error>>);
        let (destroy, queue) = (border::destroy::<Option<F>>, queue.pointer());
        let local = unsafe { sys::sgk_queue_local_create(Some(generate), Some(drop), context, Some(destroy), queue) };
        Ok(QueueLocal { handle: Handle::made(local)?, holds: PhantomData })
    }
    /// Uses the object on its queue and returns the result. A panic is passed on.
    pub fn with<R: Send>(&self, f: impl FnOnce(&T) -> R + Send) -> Result<R, Error> {
        type Using<'a, F, R> = (Option<F>, &'a mut Option<Result<R, Error>>);
        unsafe fn call<T, R, F: FnOnce(&T) -> R>(local: *mut sys::sgk_queue_local, f: F) -> Result<R, Error> {
            unsafe extern "C" fn used<T, R, F: FnOnce(&T) -> R>(context: *mut c_void, object: *mut c_void) {
                let (f, result) = &mut *(context as *mut Using<F, R>);
                let object = &*(object as *const Result<T, Error>);
                if let Some(f) = f.take() {
                    **result = Some(catching(|| object.as_ref().map(f).map_err(Error::clone)));
                }
            }
            let mut result = None;
            let mut using: Using<F, R> = (Some(f), &mut result);
            let context = &mut using as *mut Using<F, R> as *mut c_void;
            done(sys::sgk_queue_local_sync_with(local, Some(used::<T, R, F>), context))?;
            result.unwrap_or_else(|| Err(Error::answer(sys::SGK_ERROR_ENDED))).map_err(border::resumed)
        }
        unsafe { call(self.handle.as_ptr(), f) }
    }
}

// ---- The main loop, and the process ----

/// Runs the work of the main queue until [`main_stop`]. Main thread only.
pub fn main_run() -> Result<(), Error> {
    done(unsafe { sys::sgk_main_run() })
}

/// Makes [`main_run`] return.
pub fn main_stop() {
    unsafe { sys::sgk_main_stop() };
}

/// Returns a file descriptor that is readable when the main queue has work. A program with another loop watches it and calls [`main_drain`]. The
/// library owns the descriptor.
pub fn main_fd() -> Result<i32, Error> {
    let descriptor = unsafe { sys::sgk_main_fd() };
    done(descriptor).map(|()| descriptor)
}

/// Runs what the main queue has to do by now, without waiting. Main thread only.
pub fn main_drain() -> Result<(), Error> {
    done(unsafe { sys::sgk_main_drain() })
}

/// Waits until the queues and pools have no work. Returns false after the timeout.
pub fn drain(time: Duration) -> Result<bool, Error> {
    match unsafe { sys::sgk_drain(time.as_secs_f64()) } {
        sys::SGK_ERROR_TIMEOUT => Ok(false),
        status => done(status).map(|()| true),
    }
}

/// Returns the number of live objects of the library, for tests.
pub fn live_total() -> i64 {
    unsafe { sys::sgk_live_total() }
}

// ---- Bounds ----

/// The overflow policy of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// Blocks the emitting thread until there is space.
    Suspend = 1,
    /// Drops the oldest pending value.
    DropOldest = 2,
    /// The new value is dropped.
    DropNewest = 3,
    /// Drops all pending values.
    KeepLatest = 4,
    /// Fails the subscription.
    Error = 5,
    /// Pauses the source until half of the values were delivered.
    /// [`Signal::deliver_on_bounded`](crate::Signal::deliver_on_bounded), [`Signal::delay`](crate::Signal::delay) and
    /// readers support it. Values of a source that cannot be paused exceed the limit, unless [`Bound::then`] adds
    /// another policy.
    Pause = 0x100,
}

/// The limit of a buffer and its overflow policy.
///
/// ```
/// use signalkit::{Bound, Overflow, OverflowCounter};
///
/// let counter = OverflowCounter::new();
/// let bound = Bound::at(100, Overflow::DropOldest).counting(&counter);
/// # Ok::<(), signalkit::Error>(())
/// ```
#[derive(Clone)]
pub struct Bound {
    limit: Option<i64>,
    overflow: Overflow,
    second: Option<Overflow>,
    error: Option<Error>,
    counter: Option<OverflowCounter>,
}

impl Bound {
    /// Without a bound.
    pub fn unbounded() -> Self {
        Bound { limit: None, overflow: Overflow::Error, second: None, error: None, counter: None }
    }
    /// Limits the buffer to `limit` values, 1 or more. With another limit, the call that gets the bound fails.
    pub fn at(limit: i64, overflow: Overflow) -> Self {
        Bound { limit: Some(limit), overflow, second: None, error: None, counter: None }
    }
    /// Adds another policy to [`Overflow::Pause`], for a source that cannot be paused. The source is then paused at
    /// three quarters of the limit, and `second` decides about values above the limit. Without `Overflow::Pause` the
    /// call that gets the bound fails.
    ///
    /// ```
    /// use signalkit::{Bound, Overflow};
    ///
    /// let bound = Bound::at(100, Overflow::Pause).then(Overflow::DropOldest);
    /// ```
    pub fn then(self, second: Overflow) -> Self {
        Bound { second: Some(second), ..self }
    }
    /// Fails with this error on overflow. The default is an error for which [`Error::is_overflow`] is true.
    pub fn failing(self, error: impl Into<AnyError>) -> Self {
        Bound { error: Some(Error::new(error)), ..self }
    }
    /// Counts what overflows.
    pub fn counting(self, counter: &OverflowCounter) -> Self {
        Bound { counter: Some(counter.clone()), ..self }
    }

    /// The arguments for one call. Of what is `waiting` for a turn, there may be none.
    pub(crate) fn raw(&self, operator: &'static str, waiting: bool) -> Result<RawBound, Error> {
        let limit = match self.limit {
            Some(0) if waiting => sys::SGK_UNBUFFERED,
            _ => at_most(operator, "limit", self.limit, if waiting { 0 } else { 1 })?,
        };
        let second = match self.second {
            None => 0,
            Some(second) if self.overflow == Overflow::Pause && second != Overflow::Pause => second as sys::sgk_overflow,
            Some(_) => return Err(Error::misuse(format!("{operator}: only Overflow::Pause takes another policy"))),
        };
        let error = self.error.clone().unwrap_or_else(|| Error::overflow(operator));
        Ok(RawBound {
            limit,
            overflow: self.overflow as sys::sgk_overflow | second,
            error: error.into_value(),
            counter: self.counter.clone(),
        })
    }
}

/// Seconds since 1970, less than 0 before.
pub(crate) fn since_epoch(time: SystemTime) -> f64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => since.as_secs_f64(),
        Err(before) => -before.duration().as_secs_f64(),
    }
}

/// Returns a maximum as the library has it. Its negative number for none has that meaning in C only.
pub(crate) fn at_most(operator: &str, name: &str, limit: Option<i64>, least: i64) -> Result<i64, Error> {
    match limit {
        None => Ok(sys::SGK_UNBOUNDED),
        Some(number) if number >= least => Ok(number),
        Some(_) => Err(Error::misuse(format!("{operator}: {name} must be {least} or more, or None"))),
    }
}

/// The arguments of a bound.
pub(crate) struct RawBound {
    limit: i64,
    overflow: sys::sgk_overflow,
    error: AnyValue,
    counter: Option<OverflowCounter>,
}

impl RawBound {
    pub fn as_raw(&self) -> sys::sgk_bound {
        sys::sgk_bound {
            size: std::mem::size_of::<sys::sgk_bound>(),
            limit: self.limit,
            overflow: self.overflow,
            reserved: 0,
            counter: self.counter.as_ref().map_or(null_mut(), |counter| counter.0.as_ptr()),
            error: self.error.as_raw(),
        }
    }
}

/// Counts overflow, of any number of subscriptions.
#[derive(Clone)]
pub struct OverflowCounter(Handle<sys::sgk_overflow_counter>);

impl OverflowCounter {
    /// A new counter, at 0.
    pub fn new() -> Self {
        OverflowCounter(Handle::created(unsafe { sys::sgk_overflow_counter_create() }))
    }
    /// Returns how many values were dropped.
    pub fn dropped(&self) -> i64 {
        unsafe { sys::sgk_overflow_counter_dropped(self.0.as_ptr()) }
    }
    /// Returns how many values exceeded a limit with [`Overflow::Pause`].
    pub fn exceeded(&self) -> i64 {
        unsafe { sys::sgk_overflow_counter_exceeded(self.0.as_ptr()) }
    }
    /// Returns how often an emitting thread was blocked.
    pub fn suspended(&self) -> i64 {
        unsafe { sys::sgk_overflow_counter_suspended(self.0.as_ptr()) }
    }
}

/// What [`Signal::sink_fd`](crate::Signal::sink_fd) does with its descriptor at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtEnd {
    /// Leaves it to the program.
    KeepOpen,
    /// Closes it before the terminal event.
    Close,
}

/// Where [`Signal::file_lines`](crate::Signal::file_lines) begins to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// Skips the present content of the file.
    AtEnd,
    /// Begins with the present content of the file.
    AtStart,
}

/// The values of a burst that pass: see [`Signal::throttle`](crate::Signal::throttle).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edges {
    /// The first.
    Leading = 1,
    /// The last.
    Trailing = 2,
    /// Both.
    Both = 3,
}

crate::handle::debugged!(Queue.0, VirtualTime.0, Timer.0, ThreadPool.0, QueueLocal<T>.handle, OverflowCounter.0, Bound.limit, Work.context);
crate::handle::defaults!(VirtualTime, OverflowCounter);
