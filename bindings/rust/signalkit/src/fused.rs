//! The closures at the end of a signal, and its iterator. A value that passes through the library is converted, and a
//! text is copied. Therefore a subscription calls these closures and its own in one call, and moves each value from one
//! to the next. Other operators use the stages of the signal.

use crate::border::{emit, quietly, Callback};
use crate::handle::Handle;
use crate::value::{decoded, AnyValue};
use crate::{Error, Outcome, Signal, Value};
use signalkit_sys as sys;
use std::cell::UnsafeCell;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::Arc;

/// The closure for the results.
pub(crate) type Next<T> = Box<dyn Fn(T) -> Result<(), Error> + Send + Sync>;

/// The closure for the values of a signal as the library has them. (A reference, because a closure in a box would get a
/// copy on the stack, which the processor reads in another width than it was written: that takes longer than the call.)
pub(crate) type Receive = Box<dyn Fn(&AnyValue) -> Result<(), Error> + Send + Sync>;

/// Returns a signal for one subscription, and the closure for its values, if it emits any.
type Compose<T> = dyn Fn(Next<T>) -> Result<Composed, Error> + Send + Sync;
type Composed = (Handle<sys::sgk_signal>, Option<Receive>);

/// What a closure decides about a value.
pub(crate) enum Decision<U> {
    Replaced(U),
    /// The value itself.
    Passed(U),
    Dropped,
    Failed(Error),
}

impl<U> From<Decision<U>> for Outcome<U> {
    fn from(decision: Decision<U>) -> Self {
        match decision {
            Decision::Replaced(value) => Outcome::Replaced(value),
            Decision::Passed(_) => Outcome::Unchanged,
            Decision::Dropped => Outcome::Dropped,
            Decision::Failed(error) => Outcome::Failed(error),
        }
    }
}

pub(crate) struct Fused<T>(ManuallyDrop<Arc<Compose<T>>>);

impl<T> Clone for Fused<T> {
    fn clone(&self) -> Self {
        Fused(self.0.clone())
    }
}

/// A panic in the drop of a closure is logged, as in a drop by the library.
impl<T> Drop for Fused<T> {
    fn drop(&mut self) {
        let closures = unsafe { ManuallyDrop::take(&mut self.0) };
        quietly("the drop of a closure", (), || drop(closures))
    }
}

impl<T: Value> Fused<T> {
    fn new(compose: impl Fn(Next<T>) -> Result<Composed, Error> + Send + Sync + 'static) -> Self {
        Fused(ManuallyDrop::new(Arc::new(compose)))
    }

    pub fn started(&self, next: Next<T>) -> Result<Composed, Error> {
        (self.0)(next)
    }

    /// Without closures.
    pub fn source(signal: Handle<sys::sgk_signal>, operator: &'static str) -> Self {
        Fused::new(move |next| {
            let receive: Receive = Box::new(move |value| next(decoded(operator, value)?));
            Ok((signal.clone(), Some(receive)))
        })
    }

    /// The same and one more closure, which receives a value and the next closure.
    pub fn and<U: Value>(self, step: impl Fn(T, &Next<U>) -> Result<(), Error> + Send + Sync + 'static) -> Fused<U> {
        let step = Arc::new(step);
        Fused::new(move |next: Next<U>| {
            let step = step.clone();
            self.started(Box::new(move |value| step(value, &next)))
        })
    }

    /// The items of an iterator, of which the library sees none.
    pub fn items<I, F>(operator: &'static str, make: Arc<F>) -> Self
    where
        I: Iterator<Item = T> + Send + 'static,
        F: Fn() -> I + Send + Sync + 'static,
    {
        Fused::new(move |next| Ok((looping(operator, make.clone(), move |_, item| next(item))?, None)))
    }
}

// ---- The loop of one subscription ----

/// The signal of an iterator for one subscription, whose items `pass` receives.
pub(crate) fn looping<I, F, P>(operator: &'static str, make: Arc<F>, pass: P) -> Result<Handle<sys::sgk_signal>, Error>
where
    I: Iterator + Send + 'static,
    F: Fn() -> I + Send + Sync + 'static,
    P: Fn(&sys::sgk_loop, I::Item) -> Result<(), Error> + Send + Sync + 'static,
{
    let items = Items(UnsafeCell::new(None));
    emitting(operator, move |inside| unsafe { items.emit(inside, &*make, &pass) })
}

fn emitting<F>(operator: &'static str, f: F) -> Result<Handle<sys::sgk_signal>, Error>
where
    F: Fn(&sys::sgk_loop) -> Result<bool, Error> + Send + Sync + 'static,
{
    let (context, destroy) = Callback::context(operator, f);
    Handle::made(unsafe { sys::sgk_signal_from_loop(Some(emit::<F>), context, destroy) })
}

/// The library calls `emit` on one thread at a time.
struct Items<I>(UnsafeCell<Option<I>>);

unsafe impl<I: Send> Sync for Items<I> {}

impl<I: Iterator> Items<I> {
    /// Passes items on until a pause or the end. Returns whether there may be more.
    unsafe fn emit(
        &self,
        inside: &sys::sgk_loop,
        make: impl Fn() -> I,
        pass: impl Fn(&sys::sgk_loop, I::Item) -> Result<(), Error>,
    ) -> Result<bool, Error> {
        let items = (*self.0.get()).get_or_insert_with(make);
        let state = &*(inside.state as *const AtomicU32);
        let has = |bits| state.load(Relaxed) & bits != 0;
        while !has(inside.stops) {
            match items.next() {
                Some(item) if !has(inside.ends) => pass(inside, item)?,
                Some(_) => {} // the iterator has waited for it
                None => return Ok(false),
            }
        }
        Ok(true)
    }
}

impl<T: Value> Signal<T> {
    /// The closures of this signal and one more.
    pub(crate) fn fusing<U: Value>(
        &self,
        operator: &'static str,
        f: Arc<impl Fn(T) -> Decision<U> + Send + Sync + 'static>,
    ) -> Option<Fused<U>> {
        let step = move |value, next: &Next<U>| match f(value) {
            Decision::Replaced(value) | Decision::Passed(value) => next(value),
            Decision::Dropped => Ok(()),
            Decision::Failed(error) => Err(error),
        };
        match (&self.fused, &self.handle) {
            (Some(fused), _) => Some(fused.clone().and(step)),
            (None, Ok(handle)) => Some(Fused::source(handle.clone(), operator).and(step)),
            (None, Err(_)) => None,
        }
    }

    pub(crate) fn with(mut self, fused: Fused<T>) -> Self {
        self.fused = Some(fused);
        self
    }
}
