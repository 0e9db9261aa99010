//! The functions through which the library calls closures. Nothing unwinds into the library: a panic fails the
//! subscription.

use crate::handle::Handle;
use crate::value::{decoded, slice, AnyValue, Row, Value};
use crate::{Error, Queue, Signal};
use signalkit_sys as sys;
use std::os::raw::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::null_mut;
use std::sync::{Arc, Mutex};

// ---- The log ----

type Log = Arc<dyn Fn(&str) + Send + Sync>;
static LOG: Mutex<Option<Log>> = Mutex::new(None);

/// Sets the receiver of messages: of the library, for instance of a [`trace`](Signal::trace), and of unhandled errors.
/// The default is standard error.
pub fn set_log(log: impl Fn(&str) + Send + Sync + 'static) {
    unsafe extern "C" fn write(_: *mut c_void, message: *const std::os::raw::c_char) {
        let text = std::ffi::CStr::from_ptr(message).to_string_lossy();
        let _ = catch_unwind(AssertUnwindSafe(|| report(&text)));
    }
    let former = LOG.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).replace(Arc::new(log));
    drop(former);
    unsafe { sys::sgk_set_log_handler(Some(write), null_mut(), None) }
}

/// Sets the receiver of errors of subscriptions without an error callback, instead of the log. It also receives the
/// name of the signal (see [`named`](Signal::named)), if there is one.
pub fn set_unhandled_error_handler<F: Fn(Error, Option<&str>) + Send + Sync + 'static>(handler: F) {
    unsafe extern "C" fn told<F: Fn(Error, Option<&str>)>(
        context: *mut c_void,
        error: sys::sgk_value,
        name: *const std::os::raw::c_char,
    ) {
        let name = (!name.is_null()).then(|| std::ffi::CStr::from_ptr(name).to_string_lossy());
        guarded_call(context, (), |operator, f: &F| Ok(f(argument(operator, error)?, name.as_deref())))
    }
    let (context, destroy) = Callback::context("the handler of unhandled errors", handler);
    unsafe { sys::sgk_set_unhandled_error_handler(Some(told::<F>), context, destroy) }
}

fn report(text: &str) {
    let log = LOG.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
    match log {
        Some(log) => log(text),
        None => eprintln!("signalkit: {text}"),
    }
}

/// An error that no run can carry.
pub(crate) fn unheard(operator: &str, error: &Error) {
    let _ = catch_unwind(AssertUnwindSafe(|| report(&format!("{operator}: {error}"))));
}

// ---- Closures ----

/// Returns the result of the body, or the panic that ended it.
pub(crate) fn catching<R>(body: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| Err(Error::panicked(payload)))
}

/// The same where a panic can only be logged.
pub(crate) fn quietly<R>(operator: &str, otherwise: R, body: impl FnOnce() -> R) -> R {
    catching(|| Ok(body())).unwrap_or_else(|error| {
        unheard(operator, &error);
        otherwise
    })
}

/// A closure, as the context of a callback.
pub(crate) struct Callback<F> {
    operator: &'static str,
    f: Arc<F>,
    /// For a guarded operator: an error sent here fails the subscription.
    guard: Option<Handle<sys::sgk_pipe>>,
}

/// The context and the `destroy` of a callback.
pub(crate) type Context = (*mut c_void, sys::sgk_destroy_fn);

impl<F: Send + Sync + 'static> Callback<F> {
    pub fn context(operator: &'static str, f: F) -> Context {
        Self { operator, f: Arc::new(f), guard: None }.leaked()
    }

    pub fn leaked(self) -> Context {
        (Box::into_raw(Box::new(self)) as *mut c_void, Some(destroy::<Self>))
    }
}

impl<F> Callback<F> {
    /// One that is called before the call that it is given to returns, and never again.
    pub fn immediate(operator: &'static str, f: F) -> Self {
        Callback { operator, f: Arc::new(f), guard: None }
    }
}

/// Resumes a panic that was caught inside a call after that call. Returns any other error.
pub(crate) fn resumed(error: Error) -> Error {
    match error.take_panic() {
        Some(payload) => std::panic::resume_unwind(payload),
        None => error,
    }
}

/// Drops a context.
pub(crate) unsafe extern "C" fn destroy<T>(context: *mut c_void) {
    quietly("the drop of a closure", (), || drop(Box::from_raw(context as *mut T)))
}

/// Calls a closure with the operator's name and itself.
unsafe fn call<F, R>(
    context: *mut c_void,
    body: impl FnOnce(&'static str, &F) -> Result<R, Error>,
) -> Result<R, Error> {
    let callback = &*(context as *const Callback<F>);
    catching(|| body(callback.operator, &callback.f))
}

/// The same for callbacks that cannot fail: the error goes to the guard or to the log.
pub(crate) unsafe fn guarded_call<F, R>(
    context: *mut c_void,
    otherwise: R,
    body: impl FnOnce(&'static str, &F) -> Result<R, Error>,
) -> R {
    call(context, body).unwrap_or_else(|error| {
        let callback = &*(context as *const Callback<F>);
        match &callback.guard {
            Some(pipe) => drop(sys::sgk_pipe_error(pipe.as_ptr(), error.into_value().as_raw())),
            None => unheard(callback.operator, &error),
        }
        otherwise
    })
}

/// Creates an operator whose callback cannot report a failure. Each subscription creates it again, together with a pipe
/// that fails the subscription.
pub(crate) fn guarded<F, M, U>(operator: &'static str, f: F, make: M) -> Signal<U>
where
    F: Send + Sync + 'static,
    M: Fn(Callback<F>) -> Result<*mut sys::sgk_signal, Error> + Send + Sync + 'static,
    U: Value,
{
    struct Maker<F, M> {
        operator: &'static str,
        f: Arc<F>,
        make: M,
    }
    impl<F: Send + Sync + 'static, M: Fn(Callback<F>) -> Result<*mut sys::sgk_signal, Error>> Maker<F, M> {
        fn operator(&self, guard: Option<Handle<sys::sgk_pipe>>) -> Result<Handle<sys::sgk_signal>, Error> {
            Handle::made((self.make)(Callback { operator: self.operator, f: self.f.clone(), guard })?)
        }
        fn run(&self) -> Result<*mut sys::sgk_signal, Error> {
            unsafe {
                let pipe = Handle::made(sys::sgk_pipe_create())?;
                let until = Handle::made(sys::sgk_pipe_signal(pipe.as_ptr()))?;
                let operator = self.operator(Some(pipe))?;
                Ok(sys::sgk_signal_take_until(operator.as_ptr(), until.as_ptr()))
            }
        }
    }
    unsafe extern "C" fn run<F, M>(context: *mut c_void) -> *mut sys::sgk_signal
    where
        F: Send + Sync + 'static,
        M: Fn(Callback<F>) -> Result<*mut sys::sgk_signal, Error>,
    {
        let maker = &*(context as *const Maker<F, M>);
        catching(|| maker.run()).unwrap_or_else(|error| failing(error))
    }
    let maker = Box::new(Maker { operator, f: Arc::new(f), make });
    Signal::making(|| {
        drop(maker.operator(None)?); // a bad argument is found out at once
        let context = Box::into_raw(maker) as *mut c_void;
        Ok(unsafe { sys::sgk_signal_deferred(Some(run::<F, M>), context, Some(destroy::<Maker<F, M>>)) })
    })
}

// ---- Answers ----

pub(crate) fn failing(error: Error) -> *mut sys::sgk_signal {
    unsafe { sys::sgk_signal_fail(error.into_value().as_raw()) }
}

pub(crate) fn given<T: Value>(signal: Signal<T>) -> *mut sys::sgk_signal {
    signal.into_pointer().unwrap_or_else(failing)
}

pub(crate) fn outcome(kind: u32) -> sys::sgk_value {
    sys::sgk_value { kind: 0, reserved: kind, bits: 0 }
}

pub(crate) fn failed(error: Error) -> sys::sgk_value {
    let mut value = error.into_value().into_raw();
    value.reserved = sys::SGK_OUTCOME_FAILED;
    value
}

const NULL: sys::sgk_value = sys::sgk_value { kind: 0, reserved: 0, bits: 0 };

/// Of an argument.
pub(crate) unsafe fn argument<T: Value>(operator: &str, value: sys::sgk_value) -> Result<T, Error> {
    decoded(operator, &*AnyValue::lent(value))
}

// ---- Entries: one for each shape of callbacks ----

/// The result of a transformation: see [`Signal::transform`].
#[derive(Clone, Debug)]
pub enum Outcome<U> {
    /// Emit this value instead.
    Replaced(U),
    /// It passes.
    Unchanged,
    /// Nothing comes.
    Dropped,
    /// Fail the subscription.
    Failed(Error),
}

pub(crate) unsafe extern "C" fn transform<T, U, F>(context: *mut c_void, value: sys::sgk_value) -> sys::sgk_value
where
    T: Value,
    U: Value,
    F: Fn(T) -> Outcome<U>,
{
    let become_of = |name, f: &F| match f(argument(name, value)?) {
        Outcome::Replaced(value) => Ok(value.into_value().into_raw()),
        Outcome::Unchanged => Ok(outcome(sys::SGK_OUTCOME_UNCHANGED)),
        Outcome::Dropped => Ok(outcome(sys::SGK_OUTCOME_DROPPED)),
        Outcome::Failed(error) => Err(error),
    };
    call(context, become_of).unwrap_or_else(failed)
}

pub(crate) unsafe extern "C" fn map<A: Value, R: Value, F: Fn(A) -> R>(
    context: *mut c_void,
    value: sys::sgk_value,
) -> sys::sgk_value {
    guarded_call(context, NULL, |name, f: &F| Ok(f(argument(name, value)?).into_value().into_raw()))
}

pub(crate) unsafe extern "C" fn map_array<A: Row, R: Value, F: Fn(A) -> R>(
    context: *mut c_void,
    values: *const sys::sgk_value,
    count: usize,
) -> sys::sgk_value {
    guarded_call(context, NULL, |name, f: &F| {
        let items = slice(values, count);
        let row = A::from_items(items).ok_or_else(|| Error::wrong_row::<A>(name, items))?;
        Ok(f(row).into_value().into_raw())
    })
}

pub(crate) unsafe extern "C" fn filter<A: Value, F: Fn(&A) -> bool>(
    context: *mut c_void,
    value: sys::sgk_value,
) -> bool {
    guarded_call(context, false, |name, f: &F| Ok(f(&argument(name, value)?)))
}

pub(crate) unsafe extern "C" fn compact_map<A: Value, R: Value, F: Fn(A) -> Option<R>>(
    context: *mut c_void,
    value: sys::sgk_value,
) -> sys::sgk_value {
    let mapped = guarded_call(context, None, |name, f: &F| Ok(f(argument(name, value)?).map(R::into_value)));
    mapped.map_or_else(|| outcome(sys::SGK_OUTCOME_DROPPED), |value| value.into_raw())
}

pub(crate) unsafe extern "C" fn equal<A: Value, F: Fn(&A, &A) -> bool>(
    context: *mut c_void,
    last: sys::sgk_value,
    value: sys::sgk_value,
) -> bool {
    guarded_call(context, false, |name, f: &F| Ok(f(&argument(name, last)?, &argument(name, value)?)))
}

pub(crate) unsafe extern "C" fn next<A: Value, F: Fn(&A)>(context: *mut c_void, value: sys::sgk_value) {
    guarded_call(context, (), |name, f: &F| Ok(f(&argument(name, value)?)))
}

pub(crate) unsafe extern "C" fn action<F: Fn()>(context: *mut c_void) {
    guarded_call(context, (), |_, f: &F| Ok(f()))
}

pub(crate) unsafe extern "C" fn reduce<A: Value, B: Value, F: Fn(A, B) -> A>(
    context: *mut c_void,
    accumulated: sys::sgk_value,
    value: sys::sgk_value,
) -> sys::sgk_value {
    guarded_call(context, NULL, |name, f: &F| {
        Ok(f(argument(name, accumulated)?, argument(name, value)?).into_value().into_raw())
    })
}

pub(crate) unsafe extern "C" fn map_to_signal<A: Value, R: Value, F: Fn(A) -> Signal<R>>(
    context: *mut c_void,
    value: sys::sgk_value,
) -> *mut sys::sgk_signal {
    call(context, |name, f: &F| Ok(given(f(argument(name, value)?)))).unwrap_or_else(failing)
}

pub(crate) unsafe extern "C" fn reduce_generator<A: Value, B: Value, R: Value, F: Fn(A, B) -> Signal<R>>(
    context: *mut c_void,
    accumulated: sys::sgk_value,
    value: sys::sgk_value,
) -> *mut sys::sgk_signal {
    call(context, |name, f: &F| Ok(given(f(argument(name, accumulated)?, argument(name, value)?))))
        .unwrap_or_else(failing)
}

pub(crate) unsafe extern "C" fn deferred<R: Value, F: Fn() -> Signal<R>>(context: *mut c_void) -> *mut sys::sgk_signal {
    call(context, |_, f: &F| Ok(given(f()))).unwrap_or_else(failing)
}

pub(crate) unsafe extern "C" fn retry<R: Value, F: Fn(Error, i64) -> Option<Signal<R>>>(
    context: *mut c_void,
    error: sys::sgk_value,
    failures: i64,
) -> *mut sys::sgk_signal {
    call(context, |name, f: &F| Ok(f(argument(name, error)?, failures).map_or(std::ptr::null_mut(), given)))
        .unwrap_or_else(failing)
}

/// Calls a closure that returns whether it has more values.
pub(crate) unsafe extern "C" fn emit<F: Fn(&sys::sgk_loop) -> Result<bool, Error>>(
    context: *mut c_void,
    inside: *const sys::sgk_loop,
    end: *mut sys::sgk_value,
) -> bool {
    call(context, |_, f: &F| f(&*inside)).unwrap_or_else(|error| {
        *end = failed(error);
        false
    })
}

/// Two closures with one context: the first returns the keys of the second one's arguments.
pub(crate) unsafe extern "C" fn key<A: Value, K: Value, F: Fn(A) -> K, G>(
    context: *mut c_void,
    value: sys::sgk_value,
) -> sys::sgk_value {
    guarded_call(context, NULL, |name, f: &(F, G)| Ok((f.0)(argument(name, value)?).into_value().into_raw()))
}

pub(crate) unsafe extern "C" fn map_keyed<A: Value, R: Value, F, G: Fn(A) -> Signal<R>>(
    context: *mut c_void,
    value: sys::sgk_value,
) -> *mut sys::sgk_signal {
    call(context, |name, f: &(F, G)| Ok(given((f.1)(argument(name, value)?)))).unwrap_or_else(failing)
}

pub(crate) unsafe extern "C" fn pipeline<K: Value, A: Value, R: Value, F, G: Fn(K, Signal<A>) -> Signal<R>>(
    context: *mut c_void,
    key: sys::sgk_value,
    values: *mut sys::sgk_signal,
) -> *mut sys::sgk_signal {
    let made = call(context, |name, f: &(F, G)| {
        let values = Signal::making(|| Ok(sys::sgk_retain(values.cast()).cast()));
        Ok(given((f.1)(argument(name, key)?, values)))
    });
    made.unwrap_or_else(failing)
}

pub(crate) unsafe extern "C" fn once<T: Value, F: Fn(Option<T>) -> Option<Signal<T>>, G>(
    context: *mut c_void,
    accumulated: *const sys::sgk_value,
) -> *mut sys::sgk_signal {
    let made = call(context, |name, f: &(F, G)| {
        let accumulated = accumulated.as_ref().map(|value| argument(name, *value)).transpose()?;
        Ok((f.0)(accumulated).map_or(null_mut(), given))
    });
    made.unwrap_or_else(failing)
}

pub(crate) unsafe extern "C" fn fold<T: Value, F, G: Fn(T, T) -> T>(
    context: *mut c_void,
    accumulated: sys::sgk_value,
    value: sys::sgk_value,
) -> sys::sgk_value {
    guarded_call(context, NULL, |name, f: &(F, G)| {
        Ok((f.1)(argument(name, accumulated)?, argument(name, value)?).into_value().into_raw())
    })
}

// ---- Work: called once ----

/// The context of work that is done once.
pub(crate) fn work<F: FnOnce() + Send + 'static>(f: F) -> (sys::sgk_work_fn, *mut c_void, sys::sgk_destroy_fn) {
    unsafe extern "C" fn run<F: FnOnce()>(context: *mut c_void) {
        let work = &mut *(context as *mut Option<F>);
        quietly("work", (), || work.take().map_or((), |f| f()))
    }
    (Some(run::<F>), Box::into_raw(Box::new(Some(f))) as *mut c_void, Some(destroy::<Option<F>>))
}

/// The queue's pointer where a queue may be left out.
pub(crate) fn optional_queue(queue: Option<&Queue>) -> *mut sys::sgk_queue {
    queue.map_or(null_mut(), |queue| queue.0.as_ptr())
}
