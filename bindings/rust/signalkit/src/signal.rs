//! Signals, and the operators whose arguments need special types.

use crate::border::{self, failed, guarded, quietly, unheard, Callback, Outcome};
use crate::fused::{looping, Decision, Fused, Next, Receive};
use crate::handle::Handle;
use crate::queue::at_most;
use crate::value::{decoded, AnyValue};
use crate::{AnyError, Bound, Disposable, Error, Queue, Subscriber, Value};
use signalkit_sys as sys;
use std::ffi::CString;
use std::marker::PhantomData;
use std::os::raw::c_void;
use std::ptr::null_mut;
use std::sync::Arc;
use std::time::Duration;

/// A cold stream of `T`s: a description. Each start creates a new subscription.
///
/// Operators are methods, and do not change the signal. A wrong argument is stored in the signal, and the start returns
/// the error. Closures run on the emitting thread, so they are `Send + Sync + 'static`. A panic in one fails the
/// subscription with the panic as the error ([`Error::take_panic`]).
///
/// ```
/// use signalkit::Signal;
///
/// let squares = Signal::range(1, 10).filter(|n| n % 2 == 0).map(|n| n * n);
/// assert_eq!(squares.collect(None)?, [4, 16, 36, 64, 100]);
/// # Ok::<(), signalkit::Error>(())
/// ```
pub struct Signal<T> {
    pub(crate) handle: Result<Handle<sys::sgk_signal>, Error>,
    /// The closures at its end.
    pub(crate) fused: Option<Fused<T>>,
    carries: PhantomData<fn() -> T>,
}

impl<T> Clone for Signal<T> {
    fn clone(&self) -> Self {
        Signal { handle: self.handle.clone(), fused: self.fused.clone(), carries: PhantomData }
    }
}

impl<T> Signal<T> {
    /// Stores the result of a call, or the reason why it failed.
    pub(crate) fn making(make: impl FnOnce() -> Result<*mut sys::sgk_signal, Error>) -> Self {
        Signal { handle: make().and_then(Handle::made), fused: None, carries: PhantomData }
    }

    pub(crate) fn pointer(&self) -> Result<*mut sys::sgk_signal, Error> {
        self.handle.as_ref().map(Handle::as_ptr).map_err(Error::clone)
    }

    pub(crate) fn into_pointer(self) -> Result<*mut sys::sgk_signal, Error> {
        self.handle.map(Handle::into_ptr)
    }

    /// Returns the signal, borrowed for the life of this object, for use with [`sys`](crate::sys).
    pub fn as_raw(&self) -> Result<*mut sys::sgk_signal, Error> {
        self.pointer()
    }

    /// Takes over a reference; NULL is the error of the call that returned it.
    ///
    /// # Safety
    /// The handle is a signal, the reference the caller's, and every object among its values was made by this crate.
    pub unsafe fn from_raw(raw: *mut sys::sgk_signal) -> Self {
        Signal::making(|| Ok(raw))
    }

    /// The same signal, whose values are of any kind.
    pub fn as_any(&self) -> Signal<AnyValue> {
        Signal { handle: self.handle.clone(), fused: None, carries: PhantomData }
    }

    /// Returns the same signal with values of type `U`. If a value has another type, the subscription fails at the
    /// first closure that receives the value.
    ///
    /// ```
    /// use signalkit::Signal;
    ///
    /// let words = Signal::of([1, 2]).cast::<String>();
    /// let error = words.map(|word| word.len() as i64).collect(None).unwrap_err();
    /// assert_eq!(error.to_string(), "map: a value is no alloc::string::String: int 1");
    /// ```
    pub fn cast<U: Value>(&self) -> Signal<U> {
        Signal { handle: self.handle.clone(), fused: None, carries: PhantomData }
    }

    /// The mistake that this signal was made with, if there was one.
    pub fn mistake(&self) -> Option<&Error> {
        self.handle.as_ref().err()
    }
}

pub(crate) fn pointers<T>(signals: &[Signal<T>]) -> Result<Vec<*mut sys::sgk_signal>, Error> {
    signals.iter().map(Signal::pointer).collect()
}

pub(crate) fn text(operator: &str, name: &str, text: &str) -> Result<CString, Error> {
    CString::new(text).map_err(|_| Error::misuse(format!("{operator}: {name}: has a NUL in it: {text:?}")))
}

// ---- Sources ----

impl Signal<i64> {
    /// Creates a signal that emits consecutive ints and completes, during each start.
    /// It stops when the subscription is no longer active.
    /// - `first`: The first int.
    /// - `count`: 0 or more. The last int must not exceed the range of int64_t.
    pub fn range(first: i64, count: i64) -> Self {
        let range = Signal::making(|| Ok(unsafe { sys::sgk_signal_range(first, count) }));
        range.with(Fused::items("range", Arc::new(move || (0..count).map(move |n| first + n))))
    }
}

impl<T: Value> Signal<T> {
    /// Emits the values inside each start, and completes.
    pub fn of(values: impl IntoIterator<Item = T>) -> Self {
        let values: Arc<[AnyValue]> = values.into_iter().map(T::into_value).collect();
        let items = values.as_ptr() as *const sys::sgk_value;
        let signal = Signal::making(|| Ok(unsafe { sys::sgk_signal_from_array(items, values.len()) }));
        let each = move || {
            let values = values.clone();
            (0..values.len()).map(move |at| decoded("of", &values[at]).expect("it has this type"))
        };
        signal.with(Fused::items("of", Arc::new(each)))
    }

    /// Fails, with an error of the program's or a text.
    pub fn fail(error: impl Into<AnyError>) -> Self {
        let error = Error::new(error).into_value();
        Signal::making(|| Ok(unsafe { sys::sgk_signal_fail(error.as_raw()) }))
    }

    /// Creates an iterator for each start, and emits its items inside the start, on the starting thread, while the
    /// subscription is active. After that it requests no further item.
    ///
    /// ```
    /// use signalkit::Signal;
    ///
    /// let powers = Signal::from_iterator(|| std::iter::successors(Some(1), |n| Some(n * 2)));
    /// assert_eq!(powers.take(5).collect(None)?, [1, 2, 4, 8, 16]);
    /// # Ok::<(), signalkit::Error>(())
    /// ```
    pub fn from_iterator<I, F>(make: F) -> Self
    where
        I: Iterator<Item = T> + Send + 'static,
        F: Fn() -> I + Send + Sync + 'static,
    {
        let make = Arc::new(make);
        let fused = Fused::items("from_iterator", make.clone());
        let signal = Signal::deferred(move || {
            let pass = |inside: &sys::sgk_loop, item: T| {
                unsafe { sys::sgk_loop_next(inside, item.into_value().as_raw()) };
                Ok(())
            };
            Signal::making(|| looping("from_iterator", make.clone(), pass).map(Handle::into_ptr))
        });
        signal.with(fused)
    }

    /// Calls `generator` for every start, inside it, on the starting thread. It emits into its subscriber, now or
    /// later, from any thread, and returns what stops the source: nothing, or a [`Disposable`] (also an `Option` of
    /// it).
    ///
    /// ```
    /// use signalkit::Signal;
    ///
    /// let numbers = Signal::create(|subscriber| {
    ///     std::thread::spawn(move || {
    ///         for n in 0..3 {
    ///             subscriber.next(n);
    ///         }
    ///         subscriber.complete();
    ///     });
    /// });
    /// assert_eq!(numbers.collect(None)?, [0, 1, 2]);
    /// # Ok::<(), signalkit::Error>(())
    /// ```
    pub fn create<F, R>(generator: F) -> Self
    where
        F: Fn(Subscriber<T>) -> R + Send + Sync + 'static,
        R: Into<Stop>,
    {
        unsafe extern "C" fn generate<T: Value, F: Fn(Subscriber<T>) -> R, R: Into<Stop>>(
            context: *mut c_void,
            subscriber: *mut sys::sgk_subscriber,
        ) -> *mut sys::sgk_disposable {
            let generator = &*(context as *const F);
            let stop = border::catching(|| Ok(generator(Subscriber::lent(subscriber)?).into().0));
            let stop = stop.unwrap_or_else(|error| {
                sys::sgk_subscriber_error(subscriber, error.into_value().as_raw());
                None
            });
            stop.map_or(null_mut(), Disposable::into_ptr)
        }
        let context = Box::into_raw(Box::new(generator)) as *mut c_void;
        Signal::making(|| {
            Ok(unsafe { sys::sgk_signal_create(Some(generate::<T, F, R>), context, Some(border::destroy::<F>)) })
        })
    }

    /// Acquires a resource for each start, and behaves like the signal created with it. The resource is dropped when
    /// the subscription is torn down, after its users were disposed.
    pub fn using<R, A, U>(acquire: A, make: U) -> Self
    where
        R: Send + 'static,
        A: Fn() -> R + Send + Sync + 'static,
        U: Fn(&R) -> Signal<T> + Send + Sync + 'static,
    {
        unsafe extern "C" fn acquire_it<R, A: Fn() -> R, U>(context: *mut c_void) -> *mut c_void {
            let (acquire, _) = &*(context as *const (A, U));
            Box::into_raw(Box::new(border::catching(|| Ok(acquire())))) as *mut c_void
        }
        unsafe extern "C" fn use_it<T: Value, R, A, U: Fn(&R) -> Signal<T>>(
            context: *mut c_void,
            resource: *mut c_void,
        ) -> *mut sys::sgk_signal {
            let (_, make) = &*(context as *const (A, U));
            match &*(resource as *const Result<R, Error>) {
                Ok(resource) => border::catching(|| Ok(border::given(make(resource)))).unwrap_or_else(border::failing),
                Err(error) => border::failing(error.clone()),
            }
        }
        let context = Box::into_raw(Box::new((acquire, make))) as *mut c_void;
        Signal::making(|| {
            Ok(unsafe {
                sys::sgk_signal_using(
                    Some(acquire_it::<R, A, U>),
                    Some(use_it::<T, R, A, U>),
                    Some(border::destroy::<Result<R, Error>>),
                    context,
                    Some(border::destroy::<(A, U)>),
                )
            })
        })
    }

    /// Runs the signals that `once` returns, one after another, until it returns `None`. `reduce` folds all their
    /// values. The first value of all is the initial one, and the accumulated value is emitted at each value.
    pub fn accumulating_loop<O, R>(once: O, reduce: R) -> Self
    where
        O: Fn(Option<T>) -> Option<Signal<T>> + Send + Sync + 'static,
        R: Fn(T, T) -> T + Send + Sync + 'static,
    {
        guarded("accumulating_loop", (once, reduce), |callback| {
            let (context, destroy) = callback.leaked();
            let (once, fold) = (border::once::<T, O, R>, border::fold::<T, O, R>);
            Ok(unsafe { sys::sgk_accumulating_loop(Some(once), Some(fold), context, destroy) })
        })
    }
}

/// The function that stops a source: see [`Signal::create`].
#[derive(Debug)]
pub struct Stop(Option<Disposable>);

impl From<()> for Stop {
    fn from(_: ()) -> Self {
        Stop(None)
    }
}
impl From<Option<Disposable>> for Stop {
    fn from(disposable: Option<Disposable>) -> Self {
        Stop(disposable)
    }
}
impl From<Disposable> for Stop {
    fn from(disposable: Disposable) -> Self {
        Stop(Some(disposable))
    }
}
impl From<crate::Subscription> for Stop {
    fn from(run: crate::Subscription) -> Self {
        Stop(Some(run.into_disposable()))
    }
}

// ---- Operators on single values, in one stage ----

impl<T: Value> Signal<T> {
    fn transformed<U: Value, F>(&self, operator: &'static str, transform: F) -> Signal<U>
    where
        F: Fn(T) -> Outcome<U> + Send + Sync + 'static,
    {
        Signal::making(|| {
            let signal = self.pointer()?;
            let (context, destroy) = Callback::context(operator, transform);
            Ok(unsafe { sys::sgk_signal_map(signal, Some(border::transform::<T, U, F>), context, destroy) })
        })
    }

    /// Applies a closure by a stage, or in the call of a subscription.
    fn stepped<U: Value>(
        &self,
        operator: &'static str,
        f: impl Fn(T) -> Decision<U> + Send + Sync + 'static,
    ) -> Signal<U> {
        let f = Arc::new(f);
        let fused = self.fusing(operator, f.clone());
        Signal { fused, ..self.transformed(operator, move |value| f(value).into()) }
    }

    /// Replaces, drops, passes or fails at each value.
    pub fn transform<U: Value>(&self, transform: impl Fn(T) -> Outcome<U> + Send + Sync + 'static) -> Signal<U> {
        self.transformed("transform", transform)
    }

    /// Emits what `map` makes of each value.
    pub fn map<U: Value>(&self, map: impl Fn(T) -> U + Send + Sync + 'static) -> Signal<U> {
        self.stepped("map", move |value| Decision::Replaced(map(value)))
    }

    /// Passes the values that `filter` lets pass.
    pub fn filter(&self, filter: impl Fn(&T) -> bool + Send + Sync + 'static) -> Signal<T> {
        self.stepped("filter", move |value| if filter(&value) { Decision::Passed(value) } else { Decision::Dropped })
    }

    /// Emits what `map` makes of each value, if anything.
    pub fn compact_map<U: Value>(&self, map: impl Fn(T) -> Option<U> + Send + Sync + 'static) -> Signal<U> {
        self.stepped("compact_map", move |value| map(value).map_or(Decision::Dropped, Decision::Replaced))
    }

    /// Calls `f` with each value before it is passed on.
    pub fn before_next(&self, f: impl Fn(&T) + Send + Sync + 'static) -> Signal<T> {
        self.stepped("before_next", move |value| {
            f(&value);
            Decision::Passed(value)
        })
    }

    /// Emits the result of `map` for each value. If it fails, the subscription fails.
    ///
    /// ```
    /// use signalkit::Signal;
    ///
    /// let words = Signal::of(["1".to_string(), "two".to_string()]);
    /// let error = words.try_map(|word| word.parse::<i64>()).collect(None).unwrap_err();
    /// assert!(error.downcast_ref::<std::num::ParseIntError>().is_some());
    /// ```
    pub fn try_map<U: Value, E: Into<AnyError>>(
        &self,
        map: impl Fn(T) -> Result<U, E> + Send + Sync + 'static,
    ) -> Signal<U> {
        self.stepped("try_map", move |value| match map(value) {
            Ok(value) => Decision::Replaced(value),
            Err(error) => Decision::Failed(Error::new(error)),
        })
    }

    /// Passes the values that `filter` accepts. If it fails, the subscription fails.
    pub fn try_filter<E: Into<AnyError>>(
        &self,
        filter: impl Fn(&T) -> Result<bool, E> + Send + Sync + 'static,
    ) -> Signal<T> {
        self.stepped("try_filter", move |value| match filter(&value) {
            Ok(true) => Decision::Passed(value),
            Ok(false) => Decision::Dropped,
            Err(error) => Decision::Failed(Error::new(error)),
        })
    }

    // ---- By keys ----

    /// Follows, for each key, the signal that `map` returns for the latest value of that key. The signals of different
    /// keys run simultaneously. A key is free again when its signal has completed. `bound` contains the maximum number
    /// of keys and the overflow policy.
    pub fn switch_map_per<K, U, F, G>(&self, bound: &Bound, key: F, map: G) -> Signal<U>
    where
        K: Value,
        U: Value,
        F: Fn(T) -> K + Send + Sync + 'static,
        G: Fn(T) -> Signal<U> + Send + Sync + 'static,
    {
        let signal = self.clone();
        let bound = bound.clone();
        guarded("switch_map_per", (key, map), move |callback| {
            let signal = signal.pointer()?;
            let bound = bound.raw("switch_map_per", false)?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe {
                sys::sgk_signal_switch_map_per(
                    signal,
                    &bound.as_raw(),
                    Some(border::key::<T, K, F, G>),
                    Some(border::map_keyed::<T, U, F, G>),
                    context,
                    destroy,
                )
            })
        })
    }

    /// Groups the values by keys. At the first value of a key, `pipeline` receives the key and the signal of its
    /// values, and creates the signal of the group. The values of these signals are merged. `bound` contains the
    /// maximum number of groups and the overflow policy.
    ///
    /// ```
    /// use signalkit::{Bound, Signal};
    ///
    /// let sums = Signal::range(1, 5).group_by(
    ///     &Bound::unbounded(),
    ///     |n| n % 2 == 0,
    ///     |even, numbers| numbers.reduce(0, |a, n| a + n).map(move |sum| (even, sum)),
    /// );
    /// let mut sums = sums.collect(None)?;
    /// sums.sort();
    /// assert_eq!(sums, [(false, 9), (true, 6)]);
    /// # Ok::<(), signalkit::Error>(())
    /// ```
    pub fn group_by<K, U, F, G>(&self, bound: &Bound, key: F, pipeline: G) -> Signal<U>
    where
        K: Value,
        U: Value,
        F: Fn(T) -> K + Send + Sync + 'static,
        G: Fn(K, Signal<T>) -> Signal<U> + Send + Sync + 'static,
    {
        let signal = self.clone();
        let bound = bound.clone();
        guarded("group_by", (key, pipeline), move |callback| {
            let signal = signal.pointer()?;
            let bound = bound.raw("group_by", false)?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe {
                sys::sgk_signal_group_by(
                    signal,
                    &bound.as_raw(),
                    Some(border::key::<T, K, F, G>),
                    Some(border::pipeline::<K, T, U, F, G>),
                    context,
                    destroy,
                )
            })
        })
    }

    // ---- Others ----

    /// Starts the signal again each time it fails, on `queue`. The error of the last attempt fails the result.
    pub fn retry(&self, policy: &Retry, queue: &Queue) -> Signal<T> {
        Signal::making(|| {
            let policy = policy.raw()?;
            let (signal, queue) = (self.pointer()?, queue.0.as_ptr());
            Ok(unsafe { sys::sgk_signal_retry(signal, &policy, queue) })
        })
    }

    /// Like [`retry`](Signal::retry), but `decide` receives each error and the number of the failure, from 1 on.
    ///
    /// None starts the signal again after the wait of the policy. The first value of a signal starts the next attempt. If
    /// that signal fails, the result fails with its error. If it completes without a value, the result fails with the
    /// error of the attempt.
    pub fn retry_deciding<U: Value, F>(&self, policy: &Retry, decide: F, queue: &Queue) -> Signal<T>
    where
        F: Fn(Error, i64) -> Option<Signal<U>> + Send + Sync + 'static,
    {
        Signal::making(|| {
            let mut policy = policy.raw()?;
            let (signal, queue) = (self.pointer()?, queue.0.as_ptr());
            let (context, destroy) = Callback::context("retry", decide);
            policy.decide = Some(border::retry::<U, F>);
            (policy.context, policy.destroy) = (context, destroy);
            Ok(unsafe { sys::sgk_signal_retry(signal, &policy, queue) })
        })
    }
}

/// The policy of [`Signal::retry`]: by default without a limit of attempts, after 1 second, then after twice as long each
/// time, at most after a minute.
#[derive(Clone, Debug, PartialEq)]
pub struct Retry {
    /// The number of attempts, including the first one. None: no limit.
    pub attempts: Option<i64>,
    /// The delay before the second attempt. Zero: no wait.
    pub delay: Duration,
    /// Multiplies each further delay: 1 or more.
    pub factor: f64,
    /// Lengthens each further delay.
    pub increment: Duration,
    /// The longest delay.
    pub max_delay: Duration,
    /// From 0 to 1: the largest random change of a delay, as a part of it.
    pub jitter: f64,
    /// If an attempt lasted this long, its failure counts as the first one.
    pub reset_after: Option<Duration>,
    /// Makes the random changes reproducible, for tests. 0 uses another seed for each subscription.
    pub seed: u64,
    /// Whether the failure after a value counts as the first one.
    pub reset_on_value: bool,
}

impl Default for Retry {
    fn default() -> Self {
        Retry {
            attempts: None,
            delay: Duration::from_secs(1),
            factor: 2.0,
            increment: Duration::ZERO,
            max_delay: Duration::from_secs(60),
            jitter: 0.0,
            reset_after: None,
            seed: 0,
            reset_on_value: false,
        }
    }
}

impl Retry {
    /// The library has numbers with a meaning that Rust does not have: 0 for a default, and -1 for none.
    fn raw(&self) -> Result<sys::sgk_retry, Error> {
        let attempts = match at_most("retry", "attempts", self.attempts, 1)? {
            sys::SGK_UNBOUNDED => 0,
            attempts => attempts,
        };
        let ranges = [
            (self.factor >= 1.0, "factor must be 1 or more"),
            (!self.max_delay.is_zero(), "max_delay must be more than 0"),
            ((0.0..=1.0).contains(&self.jitter), "jitter must be from 0 to 1"),
        ];
        if let Some((_, text)) = ranges.iter().find(|(fine, _)| !fine) {
            return Err(Error::misuse(format!("retry: {text}")));
        }
        Ok(sys::sgk_retry {
            size: std::mem::size_of::<sys::sgk_retry>(),
            attempts,
            delay: if self.delay.is_zero() { sys::SGK_AT_ONCE as f64 } else { self.delay.as_secs_f64() },
            factor: self.factor,
            increment: self.increment.as_secs_f64(),
            max_delay: self.max_delay.as_secs_f64(),
            jitter: self.jitter,
            reset_after: self.reset_after.unwrap_or_default().as_secs_f64(),
            seed: self.seed,
            reset_on_value: self.reset_on_value,
            decide: None,
            context: std::ptr::null_mut(),
            destroy: None,
        })
    }
}

// ---- Runs ----

/// The callbacks of a subscription. Without one for errors, an error is logged.
///
/// ```
/// use signalkit::{Observer, Signal};
///
/// let observer = Observer::new()
///     .next(|n| println!("{n}"))
///     .error(|error| eprintln!("{error}"))
///     .completed(|| println!("done"));
/// let run = Signal::range(0, 3).observe(observer)?;
/// # Ok::<(), signalkit::Error>(())
/// ```
pub struct Observer<T> {
    next: Option<Next<T>>,
    error: Option<Box<dyn Fn(Error) + Send + Sync>>,
    completed: Option<Box<dyn Fn() + Send + Sync>>,
    started: Option<Box<dyn Fn(Disposable) + Send + Sync>>,
}

impl<T> std::fmt::Debug for Observer<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("Observer")
    }
}

impl<T> Default for Observer<T> {
    fn default() -> Self {
        Observer { next: None, error: None, completed: None, started: None }
    }
}

impl<T: Value> Observer<T> {
    /// Creates an observer without callbacks.
    pub fn new() -> Self {
        Self::default()
    }
    /// Receives each value. A panic in it fails the subscription with the panic as the error.
    pub fn next(self, next: impl Fn(T) + Send + Sync + 'static) -> Self {
        let next = move |value| {
            next(value);
            Ok(())
        };
        Observer { next: Some(Box::new(next)), ..self }
    }
    /// Receives the error of the subscription. A panic in it is logged.
    pub fn error(self, error: impl Fn(Error) + Send + Sync + 'static) -> Self {
        Observer { error: Some(Box::new(error)), ..self }
    }
    /// Receives the completion. A panic in it is logged.
    pub fn completed(self, completed: impl Fn() + Send + Sync + 'static) -> Self {
        Observer { completed: Some(Box::new(completed)), ..self }
    }
    /// Receives the disposable of the subscription, before any event.
    pub fn started(self, started: impl Fn(Disposable) + Send + Sync + 'static) -> Self {
        Observer { started: Some(Box::new(started)), ..self }
    }

    /// The handlers of the library's, which own this.
    pub(crate) fn handlers(self) -> sys::sgk_handlers {
        let receive = self.next.map(|next| -> Receive { Box::new(move |value| next(decoded("start", value)?)) });
        Handlers { receive, error: self.error, completed: self.completed, started: self.started }.into_raw()
    }
}

/// The callbacks of a subscription to a signal of any type.
struct Handlers {
    receive: Option<Receive>,
    error: Option<Box<dyn Fn(Error) + Send + Sync>>,
    completed: Option<Box<dyn Fn() + Send + Sync>>,
    started: Option<Box<dyn Fn(Disposable) + Send + Sync>>,
}

impl Handlers {
    fn into_raw(self) -> sys::sgk_handlers {
        unsafe extern "C" fn receive(context: *mut c_void, value: sys::sgk_value) -> sys::sgk_value {
            let handlers = &*(context as *const Handlers);
            let value = AnyValue::lent(value);
            let told = border::catching(|| handlers.receive.as_ref().map_or(Ok(()), |receive| receive(&value)));
            told.map_or_else(failed, |()| border::outcome(sys::SGK_OUTCOME_UNCHANGED))
        }
        unsafe extern "C" fn error(context: *mut c_void, error: sys::sgk_value) {
            let handlers = &*(context as *const Handlers);
            let told = border::catching(|| {
                let f = handlers.error.as_ref();
                f.map_or(Ok(()), |f| Ok(f(border::argument("start", error)?)))
            });
            told.unwrap_or_else(|error| unheard("the error callback", &error))
        }
        unsafe extern "C" fn completed(context: *mut c_void) {
            let handlers = &*(context as *const Handlers);
            quietly("the completed callback", (), || handlers.completed.as_ref().map_or((), |f| f()))
        }
        unsafe extern "C" fn started(context: *mut c_void, run: *mut sys::sgk_disposable) {
            let handlers = &*(context as *const Handlers);
            let told = border::catching(|| {
                let f = handlers.started.as_ref();
                f.map_or(Ok(()), |f| Ok(f(Disposable(Handle::retained(run)?))))
            });
            told.unwrap_or_else(|error| unheard("the started callback", &error))
        }
        sys::sgk_handlers {
            size: std::mem::size_of::<sys::sgk_handlers>(),
            destroy: Some(border::destroy::<Handlers>),
            next: None,
            error: self.error.is_some().then_some(error),
            completed: self.completed.is_some().then_some(completed),
            started: self.started.is_some().then_some(started),
            receive: self.receive.is_some().then_some(receive),
            context: Box::into_raw(Box::new(self)) as *mut c_void,
        }
    }
}

/// A function of the library that starts a subscription.
type Start = unsafe extern "C" fn(*mut sys::sgk_signal, *const sys::sgk_handlers) -> *mut sys::sgk_disposable;

impl<T: Value> Signal<T> {
    /// Starts a subscription with a callback for values. Dropping the result disposes the subscription.
    pub fn start(&self, next: impl Fn(T) + Send + Sync + 'static) -> Result<crate::Subscription, Error> {
        self.observe(Observer::new().next(next))
    }

    /// Starts a subscription.
    pub fn observe(&self, observer: Observer<T>) -> Result<crate::Subscription, Error> {
        self.run(observer, sys::sgk_signal_start)
    }

    /// Starts a subscription that supports [`dispose_and_wait`](Disposable::dispose_and_wait). This makes each event
    /// slightly more expensive.
    pub fn start_waitable(&self, observer: Observer<T>) -> Result<crate::Subscription, Error> {
        self.run(observer, sys::sgk_signal_start_waitable)
    }

    fn run(&self, observer: Observer<T>, start: Start) -> Result<crate::Subscription, Error> {
        let signal = self.pointer()?;
        let run = match (&self.fused, observer.next) {
            (Some(fused), Some(next)) => {
                let Observer { error, completed, started, .. } = Observer::<T> { next: None, ..observer };
                let (source, receive) = fused.started(next)?;
                let handlers = Handlers { receive, error, completed, started };
                unsafe { start(source.as_ptr(), &handlers.into_raw()) }
            }
            (_, next) => unsafe { start(signal, &Observer { next, ..observer }.handlers()) },
        };
        Ok(crate::Subscription::new(Disposable(Handle::made(run)?)))
    }

    /// Starts a subscription with one callback for all events.
    pub fn start_events(
        &self,
        f: impl Fn(crate::Event<T>) + Send + Sync + 'static,
    ) -> Result<crate::Subscription, Error> {
        use crate::Event;
        let next = std::sync::Arc::new(f);
        let (error, completed) = (next.clone(), next.clone());
        let observer = Observer::new().next(move |value| next(Event::Next(value)));
        self.observe(observer.error(move |e| error(Event::Error(e))).completed(move || completed(Event::Completed)))
    }
}

crate::handle::debugged!(Signal<T>.handle);

/// The pipeline: a stage in each line, from the end to the sources. Of one that could not be made, why.
impl<T> std::fmt::Display for Signal<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let handle = match &self.handle {
            Ok(handle) => handle,
            Err(error) => return error.fmt(f),
        };
        let text = unsafe { AnyValue::from_raw(sys::sgk_signal_describe(handle.as_ptr(), sys::SGK_DEBUG_TEXT)) };
        f.write_str(text.to_string().trim_end())
    }
}
