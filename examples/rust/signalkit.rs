//! SignalKit for Rust: the C interface as it stands, behind owners. No crates.
//!
//! A signal knows the type of its values. A closure lives in a box, which is the callback's context; the library drops it, on whichever thread lets
//! go last, so closures are `Send + Sync + 'static`. A panic must not unwind into the library: it becomes the error that ends the run.

use std::ffi::{CStr, CString};
use std::marker::PhantomData;
use std::os::raw::{c_char, c_int, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::{null, null_mut};

#[repr(C)]
#[derive(Clone, Copy)]
pub struct RawValue {
    kind: u32,
    reserved: u32,
    bits: u64,
}

#[repr(C)]
struct Handlers {
    size: usize,
    context: *mut c_void,
    destroy: Option<Destroy>,
    next: Option<extern "C" fn(*mut c_void, RawValue)>,
    error: Option<extern "C" fn(*mut c_void, RawValue)>,
    completed: Option<extern "C" fn(*mut c_void)>,
    started: Option<extern "C" fn(*mut c_void, *mut c_void)>,
}

type Handle = *mut c_void;
type Destroy = extern "C" fn(*mut c_void);
type CompactMap = extern "C" fn(*mut c_void, RawValue, *mut RawValue) -> bool;

#[link(name = "signalkit")]
extern "C" {
    fn sgk_last_error() -> *const c_char;
    fn sgk_live_total() -> i64;
    fn sgk_release(handle: Handle);

    fn sgk_make_int(number: i64) -> RawValue;
    fn sgk_make_double(number: f64) -> RawValue;
    fn sgk_make_bool(flag: bool) -> RawValue;
    fn sgk_get_int(value: RawValue) -> i64;
    fn sgk_get_double(value: RawValue) -> f64;
    fn sgk_get_bool(value: RawValue) -> bool;
    fn sgk_string_n(text: *const u8, length: usize) -> RawValue;
    fn sgk_value_data(value: RawValue, length: *mut usize) -> *const u8;
    fn sgk_value_describe(value: RawValue, text: *mut u8, size: usize) -> usize;
    fn sgk_value_release(value: RawValue);
    fn sgk_kind_text(kind: c_int) -> *const c_char;
    fn sgk_event_make_next(value: RawValue) -> RawValue;
    fn sgk_event_make_error(error: RawValue) -> RawValue;

    fn sgk_signal_single(value: RawValue) -> Handle;
    fn sgk_signal_fail(error: RawValue) -> Handle;
    fn sgk_merge_signals(signals: *const Handle, count: usize) -> Handle;
    fn sgk_signal_compact_map(signal: Handle, map: CompactMap, context: *mut c_void, destroy: Destroy) -> Handle;
    fn sgk_signal_from_events(signal: Handle) -> Handle;
    fn sgk_signal_take(signal: Handle, count: i64) -> Handle;
    fn sgk_signal_then(signal: Handle, next: Handle) -> Handle;
    fn sgk_signal_run_on(signal: Handle, queue: Handle) -> Handle;
    fn sgk_signal_deliver_on(signal: Handle, queue: Handle) -> Handle;
    fn sgk_signal_start(signal: Handle, handlers: *const Handlers) -> Handle;
    fn sgk_disposable_dispose(disposable: Handle) -> c_int;

    fn sgk_pipe_create() -> Handle;
    fn sgk_pipe_signal(pipe: Handle) -> Handle;
    fn sgk_pipe_next(pipe: Handle, value: RawValue) -> c_int;
    fn sgk_pipe_complete(pipe: Handle) -> c_int;

    fn sgk_queue_create(name: *const c_char) -> Handle;
    fn sgk_queue_main() -> Handle;
    fn sgk_main_run() -> c_int;
    fn sgk_main_stop() -> c_int;
}

/// One reference to a handle. Every kind of handle may be used from any thread.
struct Owned(Handle);
unsafe impl Send for Owned {}
unsafe impl Sync for Owned {}
impl Drop for Owned {
    fn drop(&mut self) {
        unsafe { sgk_release(self.0) }
    }
}

fn last_error() -> String {
    unsafe { CStr::from_ptr(sgk_last_error()) }.to_string_lossy().into_owned()
}

/// Waits (a minute at most) until nothing of the library is alive: other threads let go in their own time. Returns how many objects are left.
pub fn alive() -> i64 {
    for _ in 0..60_000 {
        if unsafe { sgk_live_total() } == 0 {
            return 0;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    unsafe { sgk_live_total() }
}

// ---- Values ----

/// What a signal can carry: it goes to and fro as a value of one kind.
pub trait Carried: Sized {
    const KIND: c_int;
    /// Owned by the caller.
    fn to_raw(&self) -> RawValue;
    /// Of a value of the right kind, borrowed.
    fn of_raw(value: RawValue) -> Self;
}

macro_rules! carried {
    ($type:ty, $kind:expr, $make:ident, $get:ident) => {
        impl Carried for $type {
            const KIND: c_int = $kind;
            fn to_raw(&self) -> RawValue {
                unsafe { $make(*self) }
            }
            fn of_raw(value: RawValue) -> Self {
                unsafe { $get(value) }
            }
        }
    };
}
carried!(bool, 1, sgk_make_bool, sgk_get_bool);
carried!(i64, 2, sgk_make_int, sgk_get_int);
carried!(f64, 3, sgk_make_double, sgk_get_double);

impl Carried for String {
    const KIND: c_int = 5;
    fn to_raw(&self) -> RawValue {
        unsafe { sgk_string_n(self.as_ptr(), self.len()) }
    }
    fn of_raw(value: RawValue) -> Self {
        let mut length = 0;
        let bytes = unsafe { std::slice::from_raw_parts(sgk_value_data(value, &mut length), length) };
        String::from_utf8_lossy(bytes).into_owned()
    }
}

fn carried<T: Carried>(value: RawValue) -> Result<T, String> {
    if value.kind as c_int == T::KIND {
        return Ok(T::of_raw(value));
    }
    let kind = |kind| unsafe { CStr::from_ptr(sgk_kind_text(kind)) }.to_string_lossy();
    Err(format!("a value is of the kind {}, not {}", kind(value.kind as c_int), kind(T::KIND)))
}

fn described(value: RawValue) -> String {
    let length = unsafe { sgk_value_describe(value, null_mut(), 0) };
    let mut text = vec![0u8; length + 1];
    unsafe { sgk_value_describe(value, text.as_mut_ptr(), text.len()) };
    text.truncate(length);
    String::from_utf8_lossy(&text).into_owned()
}

/// A raw value that is lent to the library for a call.
fn lending<R>(value: RawValue, call: impl FnOnce(RawValue) -> R) -> R {
    let result = call(value);
    unsafe { sgk_value_release(value) };
    result
}

// ---- Signals ----

/// A cold stream of `T`s. What was made with a bad argument is found out at the start: every operator passes it on.
pub struct Signal<T> {
    handle: Owned,
    carries: PhantomData<fn() -> T>,
}

/// A run of a signal. Dropping it disposes of the run.
pub struct Subscription(Owned);
impl Drop for Subscription {
    fn drop(&mut self) {
        unsafe { sgk_disposable_dispose(self.0 .0) };
    }
}

impl<T: Carried + 'static> Signal<T> {
    fn owning(handle: Handle) -> Self {
        Signal { handle: Owned(handle), carries: PhantomData }
    }

    /// Emits the values inside the start, and completes.
    pub fn of(values: impl IntoIterator<Item = T>) -> Self {
        let singles: Vec<Owned> = values.into_iter().map(|v| Owned(lending(v.to_raw(), |raw| unsafe { sgk_signal_single(raw) }))).collect();
        let handles: Vec<Handle> = singles.iter().map(|s| s.0).collect();
        Self::owning(unsafe { sgk_merge_signals(handles.as_ptr(), handles.len()) })
    }

    pub fn fail(message: &str) -> Self {
        Self::owning(lending(message.to_string().to_raw(), |raw| unsafe { sgk_signal_fail(raw) }))
    }

    pub fn map<U: Carried + 'static>(&self, f: impl Fn(T) -> U + Send + Sync + 'static) -> Signal<U> {
        self.filter_map(move |value| Some(f(value)))
    }

    pub fn filter(&self, f: impl Fn(&T) -> bool + Send + Sync + 'static) -> Signal<T> {
        self.filter_map(move |value| Some(value).filter(|v| f(v)))
    }

    /// The stage that all closures run in. It emits events as values, so that a panic can be an error, and makes events of them again.
    pub fn filter_map<U, F>(&self, f: F) -> Signal<U>
    where
        U: Carried + 'static,
        F: Fn(T) -> Option<U> + Send + Sync + 'static,
    {
        extern "C" fn call<T: Carried, U: Carried, F: Fn(T) -> Option<U>>(context: *mut c_void, value: RawValue, event: *mut RawValue) -> bool {
            let f = unsafe { &*(context as *const F) };
            match catching(|| carried(value).map(f)) {
                Ok(None) => return false,
                Ok(Some(result)) => lending(result.to_raw(), |raw| unsafe { *event = sgk_event_make_next(raw) }),
                Err(message) => lending(message.to_raw(), |raw| unsafe { *event = sgk_event_make_error(raw) }),
            }
            true
        }
        let events = Owned(unsafe { sgk_signal_compact_map(self.handle.0, call::<T, U, F>, boxed(f), dropped::<F>) });
        Signal::owning(unsafe { sgk_signal_from_events(events.0) })
    }

    pub fn take(&self, count: i64) -> Self {
        Self::owning(unsafe { sgk_signal_take(self.handle.0, count) })
    }

    pub fn then(&self, next: &Signal<T>) -> Self {
        Self::owning(unsafe { sgk_signal_then(self.handle.0, next.handle.0) })
    }

    /// Starts the source on the queue.
    pub fn run_on(&self, queue: &Queue) -> Self {
        Self::owning(unsafe { sgk_signal_run_on(self.handle.0, queue.0 .0) })
    }

    pub fn deliver_on(&self, queue: &Queue) -> Self {
        Self::owning(unsafe { sgk_signal_deliver_on(self.handle.0, queue.0 .0) })
    }

    /// A panic in `next` ends the run, and `error` is told. One in `error` or `completed` has nobody to be told: it aborts the program.
    pub fn start<E, C>(&self, next: impl Fn(T) + Send + Sync + 'static, error: E, completed: C) -> Result<Subscription, String>
    where
        E: Fn(String) + Send + Sync + 'static,
        C: Fn() + Send + Sync + 'static,
    {
        extern "C" fn failed<E: Fn(String), C>(context: *mut c_void, error: RawValue) {
            let (f, _) = unsafe { &*(context as *const (E, C)) };
            catching(|| Ok(f(described(error)))).unwrap_or_else(|_| std::process::abort())
        }
        extern "C" fn ended<E, C: Fn()>(context: *mut c_void) {
            let (_, f) = unsafe { &*(context as *const (E, C)) };
            catching(|| Ok(f())).unwrap_or_else(|_| std::process::abort())
        }
        let told: Signal<bool> = self.filter_map(move |value| {
            next(value);
            None
        });
        let handlers = Handlers {
            size: std::mem::size_of::<Handlers>(),
            context: boxed((error, completed)),
            destroy: Some(dropped::<(E, C)>),
            next: None,
            error: Some(failed::<E, C>),
            completed: Some(ended::<E, C>),
            started: None,
        };
        let run = unsafe { sgk_signal_start(told.handle.0, &handlers) };
        if run.is_null() {
            return Err(last_error());
        }
        Ok(Subscription(Owned(run)))
    }
}

fn boxed<F>(f: F) -> *mut c_void {
    Box::into_raw(Box::new(f)) as *mut c_void
}

extern "C" fn dropped<F>(context: *mut c_void) {
    drop(unsafe { Box::from_raw(context as *mut F) })
}

/// What a closure returns, or the message that it panicked with.
fn catching<R>(f: impl FnOnce() -> Result<R, String>) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<&str>().map(|s| s.to_string());
        Err(text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".into()))
    })
}

// ---- Pipes, queues, the main loop ----

pub struct Pipe<T>(Owned, PhantomData<fn(T)>);

impl<T: Carried + 'static> Pipe<T> {
    pub fn new() -> Self {
        Pipe(Owned(unsafe { sgk_pipe_create() }), PhantomData)
    }
    pub fn signal(&self) -> Signal<T> {
        Signal::owning(unsafe { sgk_pipe_signal(self.0 .0) })
    }
    pub fn next(&self, value: T) {
        lending(value.to_raw(), |raw| unsafe { sgk_pipe_next(self.0 .0, raw) });
    }
    pub fn complete(&self) {
        unsafe { sgk_pipe_complete(self.0 .0) };
    }
}

pub struct Queue(Owned);

impl Queue {
    pub fn new(name: &str) -> Self {
        let name = CString::new(name).ok();
        Queue(Owned(unsafe { sgk_queue_create(name.as_ref().map_or(null(), |n| n.as_ptr())) }))
    }
    /// The queue whose work runs on the main thread, in `main_run`.
    pub fn main() -> Self {
        Queue(Owned(unsafe { sgk_queue_main() }))
    }
}

/// Runs the main queue until `main_stop`. On the main thread only.
pub fn main_run() -> Result<(), String> {
    match unsafe { sgk_main_run() } {
        0 => Ok(()),
        _ => Err(last_error()),
    }
}

pub fn main_stop() {
    unsafe { sgk_main_stop() };
}
