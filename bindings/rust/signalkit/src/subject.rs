//! Signals that are fed from outside: pipes, promises, shared runs.

use crate::border::{self, Callback};
use crate::handle::{done, Handle};
use crate::resumption::Resumption;
use crate::signal::text;
use crate::value::{AnyValue, Value};
use crate::{AnyError, Error, Queue, Signal};
use signalkit_sys as sys;
use std::ffi::CString;
use std::marker::PhantomData;
use std::os::raw::c_void;
use std::ptr::null;

/// A hot source. It sends each value to the subscriptions that are active at that moment.
///
/// ```
/// use signalkit::Pipe;
///
/// let pipe = Pipe::new();
/// let run = pipe.signal().map(|n: i64| n * 2).start(|n| println!("{n}"))?;
/// pipe.next(21);
/// # Ok::<(), signalkit::Error>(())
/// ```
pub struct Pipe<T> {
    handle: Handle<sys::sgk_pipe>,
    takes: PhantomData<fn(T)>,
}

impl<T> Clone for Pipe<T> {
    fn clone(&self) -> Self {
        Pipe { handle: self.handle.clone(), takes: PhantomData }
    }
}

impl<T: Value> Pipe<T> {
    /// A new pipe.
    pub fn new() -> Self {
        Pipe { handle: Handle::created(unsafe { sys::sgk_pipe_create() }), takes: PhantomData }
    }
    /// Creates a pipe that sends its latest value to each new subscription first.
    pub fn replaying() -> Self {
        Pipe { handle: Handle::created(unsafe { sys::sgk_pipe_create_replay() }), takes: PhantomData }
    }
    /// Returns a signal of the values sent into the pipe.
    pub fn signal(&self) -> Signal<T> {
        Signal::making(|| Ok(unsafe { sys::sgk_pipe_signal(self.handle.as_ptr()) }))
    }
    /// Puts a value in. False after the end.
    pub fn next(&self, value: T) -> bool {
        unsafe { sys::sgk_pipe_next(self.handle.as_ptr(), value.into_value().as_raw()) >= 0 }
    }
    /// Returns whether a subscription asks for a pause, because a buffer with [`Overflow::Pause`](crate::Overflow) is
    /// full behind it. A value that is sent nevertheless exceeds the limit.
    pub fn is_paused(&self) -> bool {
        unsafe { sys::sgk_pipe_is_paused(self.handle.as_ptr()) }
    }
    /// Calls `resumed` once on the queue, as soon as no subscription asks for a pause. If none does so now, or if the
    /// pipe has ended, it is enqueued at once.
    pub fn on_resume(&self, queue: &Queue, resumed: impl FnOnce() + Send + 'static) -> Result<(), Error> {
        let (run, context, destroy) = border::work(resumed);
        done(unsafe { sys::sgk_pipe_on_resume(self.handle.as_ptr(), run, context, destroy, queue.as_raw()) })
    }
    /// Waits in a task while a subscription asks for a pause. The end of the pipe ends the wait, too.
    pub async fn ready(&self) -> Result<(), Error> {
        let request = |pause: Resumption| self.on_resume(&Queue::concurrent(), move || pause.resume());
        Resumption::wait(self.is_paused(), request).await
    }
    /// Ends it. Twice is fine.
    pub fn complete(&self) {
        unsafe { sys::sgk_pipe_complete(self.handle.as_ptr()) };
    }
    /// Ends it with an error.
    pub fn error(&self, error: impl Into<AnyError>) {
        let error = Error::new(error).into_value();
        unsafe { sys::sgk_pipe_error(self.handle.as_ptr(), error.as_raw()) };
    }
}

/// Holds the latest value of whichever signal it was set to last, and passes it on: first the value that is there, then
/// each new one.
pub struct Promise<T> {
    handle: Handle<sys::sgk_promise>,
    takes: PhantomData<fn(T)>,
}

impl<T> Clone for Promise<T> {
    fn clone(&self) -> Self {
        Promise { handle: self.handle.clone(), takes: PhantomData }
    }
}

impl<T: Value> Promise<T> {
    fn created(pointer: *mut sys::sgk_promise) -> Self {
        Promise { handle: Handle::created(pointer), takes: PhantomData }
    }
    /// A promise without a value.
    pub fn new() -> Self {
        Self::created(unsafe { sys::sgk_promise_create() })
    }
    /// One with a value.
    pub fn with_value(value: T) -> Self {
        Self::created(unsafe { sys::sgk_promise_create_value(value.into_value().as_raw()) })
    }
    /// One that is set to the signal when somebody first listens.
    pub fn on_first_access(signal: &Signal<T>) -> Result<Self, Error> {
        Ok(Self::created(unsafe { sys::sgk_promise_create_initialize_on_first_access(signal.pointer()?) }))
    }
    /// Takes its values from this signal from now on.
    pub fn set(&self, signal: &Signal<T>) -> Result<(), Error> {
        done(unsafe { sys::sgk_promise_set(self.handle.as_ptr(), signal.pointer()?) })
    }
    /// The value that is there, then each new one.
    pub fn signal(&self) -> Signal<T> {
        Signal::making(|| Ok(unsafe { sys::sgk_promise_signal(self.handle.as_ptr()) }))
    }
    /// Runs the action when the promise goes.
    pub fn on_deinit(&self, action: impl FnOnce() + Send + 'static) -> Result<(), Error> {
        let (action, context, destroy) = border::work(action);
        done(unsafe { sys::sgk_promise_on_deinit(self.handle.as_ptr(), action, context, destroy) })
    }
}

/// A value that changes, and the signal of it.
///
/// ```
/// use signalkit::State;
///
/// let count = State::new(1);
/// count.modify(|n| n + 1)?;
/// assert_eq!(count.value()?, 2);
/// # Ok::<(), signalkit::Error>(())
/// ```
pub struct State<T> {
    handle: Handle<sys::sgk_state>,
    takes: PhantomData<fn(T)>,
}

impl<T> Clone for State<T> {
    fn clone(&self) -> Self {
        State { handle: self.handle.clone(), takes: PhantomData }
    }
}

impl<T: Value> State<T> {
    fn created(value: T, ignore_repeated: bool) -> Self {
        let value = value.into_value();
        let handle = unsafe { sys::sgk_state_create_value(value.as_raw(), ignore_repeated) };
        State { handle: Handle::created(handle), takes: PhantomData }
    }
    /// With this value.
    pub fn new(value: T) -> Self {
        Self::created(value, false)
    }
    /// One for which a value that equals the one that is there is no change.
    pub fn distinct(value: T) -> Self {
        Self::created(value, true)
    }
    /// The value.
    pub fn value(&self) -> Result<T, Error> {
        let value = unsafe { AnyValue::from_raw(sys::sgk_state_value(self.handle.as_ptr())) };
        crate::value::decoded("value", &value)
    }
    /// Sets another value.
    pub fn set(&self, value: T) -> Result<(), Error> {
        done(unsafe { sys::sgk_state_set(self.handle.as_ptr(), value.into_value().as_raw()) })
    }
    /// Sets the result of `f` for the current value. No change of another thread is lost, because `f` is then called again. A panic in it is passed
    /// on, and nothing changes.
    pub fn modify(&self, f: impl Fn(T) -> T) -> Result<(), Error> {
        struct Modifying<'a, T> {
            f: &'a dyn Fn(T) -> T,
            error: Option<Error>,
        }
        unsafe extern "C" fn modify<T: Value>(
            context: *mut c_void,
            value: sys::sgk_value,
            result: *mut sys::sgk_value,
        ) -> sys::sgk_status {
            let modifying = &mut *(context as *mut Modifying<T>);
            match border::catching(|| Ok((modifying.f)(border::argument("modify", value)?).into_value())) {
                Ok(value) => {
                    *result = value.into_raw();
                    sys::SGK_OK
                }
                Err(error) => {
                    modifying.error = Some(error);
                    sys::SGK_ERROR_ARGUMENT
                }
            }
        }
        let mut modifying = Modifying { f: &f, error: None };
        let context = &mut modifying as *mut Modifying<T> as *mut c_void;
        let status = unsafe { sys::sgk_state_modify(self.handle.as_ptr(), Some(modify::<T>), context) };
        match modifying.error {
            Some(error) => Err(border::resumed(error)),
            None => done(status),
        }
    }
    /// The value, then each new one.
    pub fn signal(&self) -> Signal<T> {
        Signal::making(|| Ok(unsafe { sys::sgk_state_signal(self.handle.as_ptr()) }))
    }
}

// ---- Shared runs ----

/// Subscriptions that are shared by a key (a text). Signals with the same key share one subscription while there are subscribers.
pub struct Multicast<T> {
    handle: Handle<sys::sgk_multicast>,
    carries: PhantomData<fn(T)>,
}

impl<T: Value> Multicast<T> {
    /// A new table of shared runs.
    pub fn new() -> Self {
        Multicast { handle: Handle::created(unsafe { sys::sgk_multicast_create() }), carries: PhantomData }
    }
    /// Returns the signal shared under this key, or shares `signal` if there is none.
    pub fn get(&self, key: &str, signal: &Signal<T>) -> Signal<T> {
        Signal::making(|| {
            let key = text("get", "key", key)?;
            Ok(unsafe { sys::sgk_multicast_get(self.handle.as_ptr(), key.as_ptr(), signal.pointer()?) })
        })
    }
}

/// Subscriptions and pipes that are shared by a key (a text).
pub struct MulticastManager<T> {
    handle: Handle<sys::sgk_multicast_signal_manager>,
    carries: PhantomData<fn(T)>,
}

impl<T: Value> MulticastManager<T> {
    /// A new manager.
    pub fn new() -> Self {
        let handle = Handle::created(unsafe { sys::sgk_multicast_signal_manager_create() });
        MulticastManager { handle, carries: PhantomData }
    }
    /// The signal shared under the key, made by the producer if there is none; without a key its signal, unshared.
    pub fn signal<F: Fn() -> Signal<T>>(&self, key: Option<&str>, producer: F) -> Signal<T> {
        Signal::making(|| {
            let key = key.map(|key| text("signal", "key", key)).transpose()?;
            self.produce(&key, producer, |manager, key, produce, context| unsafe {
                sys::sgk_multicast_signal_manager_multicasted_signal(manager, key, produce, context)
            })
        })
    }
    /// Starts the signal under the key, unless it is running; nobody listens to it.
    pub fn start<F: Fn() -> Signal<T>>(&self, key: &str, producer: F) -> Result<(), Error> {
        let key = Some(text("start", "key", key)?);
        let status = self.produce(&key, producer, |manager, key, produce, context| unsafe {
            sys::sgk_multicast_signal_manager_start_standalone_signal_if_not_running(manager, key, produce, context)
        })?;
        done(status)
    }
    fn produce<F: Fn() -> Signal<T>, R>(
        &self,
        key: &Option<CString>,
        producer: F,
        call: impl FnOnce(
            *mut sys::sgk_multicast_signal_manager,
            *const std::os::raw::c_char,
            sys::sgk_deferred_fn,
            *mut c_void,
        ) -> R,
    ) -> Result<R, Error> {
        let callback = Callback::immediate("producer", producer);
        let context = &callback as *const Callback<F> as *mut c_void;
        let key = key.as_ref().map_or(null(), |key| key.as_ptr());
        Ok(call(self.handle.as_ptr(), key, Some(border::deferred::<T, F>), context))
    }
    /// Returns a signal of the values sent with [`next`](MulticastManager::next) under the key.
    pub fn pipe(&self, key: &str) -> Signal<T> {
        Signal::making(|| {
            let key = text("pipe", "key", key)?;
            Ok(unsafe { sys::sgk_multicast_signal_manager_multicasted_pipe(self.handle.as_ptr(), key.as_ptr()) })
        })
    }
    /// Sends a value to the current subscribers of this key.
    pub fn next(&self, key: &str, value: T) -> Result<(), Error> {
        let (key, value) = (text("next", "key", key)?, value.into_value());
        done(unsafe { sys::sgk_multicast_signal_manager_next(self.handle.as_ptr(), key.as_ptr(), value.as_raw()) })
    }
}

/// Runs signals one after another, each to its end.
pub struct Sequencer<T> {
    handle: Handle<sys::sgk_sequencer>,
    carries: PhantomData<fn(T)>,
}

impl<T: Value> Sequencer<T> {
    /// A new sequencer, at which nothing waits.
    pub fn new() -> Self {
        Sequencer { handle: Handle::created(unsafe { sys::sgk_sequencer_create() }), carries: PhantomData }
    }
    /// The signal, whose runs wait for those before.
    pub fn enqueue(&self, signal: &Signal<T>) -> Signal<T> {
        Signal::making(|| Ok(unsafe { sys::sgk_sequencer_enqueue(self.handle.as_ptr(), signal.pointer()?) }))
    }
}

crate::handle::debugged!(Pipe<T>.handle, Promise<T>.handle, State<T>.handle, Multicast<T>.handle, MulticastManager<T>.handle, Sequencer<T>.handle);
crate::handle::defaults!(Pipe<T>, Promise<T>, Multicast<T>, MulticastManager<T>, Sequencer<T>);
