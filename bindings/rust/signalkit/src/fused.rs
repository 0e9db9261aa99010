//! The closures at the end of a signal, and its iterator. A value that passes through the library is converted, and a
//! text is copied. Therefore a subscription calls these closures and its own in one call, and moves each value from one
//! to the next. Other operators use the stages of the signal.

use crate::border::{iterator, quietly, Callback};
use crate::handle::Handle;
use crate::value::{decoded, AnyValue};
use crate::{Error, Outcome, Signal, Value};
use signalkit_sys as sys;
use std::cell::{Cell, UnsafeCell};
use std::mem::ManuallyDrop;
use std::sync::Arc;

/// The closure for the results.
pub(crate) type Next<T> = Box<dyn Fn(T) -> Result<(), Error> + Send + Sync>;

/// The closure for the values of a signal as the library has them. (A reference, because a closure in a box would get a
/// copy on the stack, which the processor reads in another width than it was written: that takes longer than the call.)
pub(crate) type Receive = Box<dyn Fn(&AnyValue) -> Result<(), Error> + Send + Sync>;

/// Returns a signal for one subscription, and the closure for its values.
type Compose<T> = dyn Fn(Next<T>) -> Result<(Handle<sys::sgk_signal>, Receive), Error> + Send + Sync;

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
    fn new(
        compose: impl Fn(Next<T>) -> Result<(Handle<sys::sgk_signal>, Receive), Error> + Send + Sync + 'static,
    ) -> Self {
        Fused(ManuallyDrop::new(Arc::new(compose)))
    }

    pub fn started(&self, next: Next<T>) -> Result<(Handle<sys::sgk_signal>, Receive), Error> {
        (self.0)(next)
    }

    /// Without closures.
    pub fn source(signal: Handle<sys::sgk_signal>, operator: &'static str) -> Self {
        Fused::new(move |next| {
            Ok((signal.clone(), Box::new(move |value: &AnyValue| next(decoded(operator, value)?)) as Receive))
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

    /// The items of an iterator. The library receives a null for each, and the item waits here.
    pub fn items<I, F>(make: Arc<F>) -> Self
    where
        I: Iterator<Item = T> + Send + 'static,
        F: Fn() -> I + Send + Sync + 'static,
    {
        Fused::new(move |next| {
            let items = Arc::new(Items { items: UnsafeCell::new(None), item: Cell::new(None) });
            let (taken, make) = (items.clone(), make.clone());
            let step = move || unsafe { items.step(&*make) };
            let receive = move |_: &AnyValue| unsafe { taken.item() }.map_or(Ok(()), &next);
            Ok((iterating("from_iterator", step)?, Box::new(receive)))
        })
    }
}

/// The signal of a closure that returns the next item.
pub(crate) fn iterating<T: Value, G>(operator: &'static str, next: G) -> Result<Handle<sys::sgk_signal>, Error>
where
    G: Fn() -> Option<T> + Send + Sync + 'static,
{
    let (context, destroy) = Callback::context(operator, next);
    Handle::made(unsafe { sys::sgk_signal_from_iterator(Some(iterator::<T, G>), context, destroy) })
}

/// The iterator of one subscription and its last item. The library calls both functions inside the start, on one
/// thread, and each after the other has returned.
struct Items<I: Iterator> {
    items: UnsafeCell<Option<I>>,
    item: Cell<Option<I::Item>>,
}

unsafe impl<I: Iterator + Send> Send for Items<I> where I::Item: Send {}
unsafe impl<I: Iterator + Send> Sync for Items<I> where I::Item: Send {}

impl<I: Iterator> Items<I> {
    unsafe fn step(&self, make: impl Fn() -> I) -> Option<()> {
        let items = &mut *self.items.get();
        self.item.set(Some(items.get_or_insert_with(make).next()?));
        Some(())
    }

    unsafe fn item(&self) -> Option<I::Item> {
        self.item.take()
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
