//! Chains of observers, which links observe instead of signals.

use crate::border::{self, optional_queue, Callback};
use crate::handle::{done, Handle};
use crate::{AnyError, Error, Queue, Signal, Value};
use signalkit_sys as sys;
use std::marker::PhantomData;
use std::ops::Deref;

/// A link of a chain: it can be observed, and other links can be derived from it. A link retains the previous
/// one, so the last link, or a [`LinkBag`], retains the chain. Values without an observer are stored for the first one.
///
/// A panic in a closure is logged; a derived link then drops the value.
///
/// ```
/// use signalkit::EventEmitter;
///
/// let temperature = EventEmitter::new();
/// let warm = temperature.filter(|celsius| *celsius > 20.0)?;
/// warm.on_next(None, |celsius| println!("{celsius}"))?;
/// temperature.next(21.5)?;
/// # Ok::<(), signalkit::Error>(())
/// ```
pub struct Link<T> {
    handle: Handle<sys::sgk_event_link>,
    carries: PhantomData<fn(T) -> T>,
}

impl<T> Clone for Link<T> {
    fn clone(&self) -> Self {
        Link { handle: self.handle.clone(), carries: PhantomData }
    }
}

impl<T: Value> Link<T> {
    fn made(pointer: *mut sys::sgk_event_link) -> Result<Self, Error> {
        Ok(Link { handle: Handle::made(pointer)?, carries: PhantomData })
    }
    fn pointer(&self) -> *mut sys::sgk_event_link {
        self.handle.as_ptr()
    }

    /// Calls `f` with each value, on the queue, if there is one.
    pub fn on_next<F: Fn(&T) + Send + Sync + 'static>(&self, queue: Option<&Queue>, f: F) -> Result<(), Error> {
        let (context, destroy) = Callback::context("on_next", f);
        let (next, queue) = (border::next::<T, F>, optional_queue(queue));
        done(unsafe { sys::sgk_event_link_on_next(self.pointer(), Some(next), context, destroy, queue) })
    }
    /// Calls `f` when the chain fails, or has failed.
    pub fn on_error<F: Fn(&Error) + Send + Sync + 'static>(&self, queue: Option<&Queue>, f: F) -> Result<(), Error> {
        let (context, destroy) = Callback::context("on_error", f);
        let (error, queue) = (border::next::<Error, F>, optional_queue(queue));
        done(unsafe { sys::sgk_event_link_on_error(self.pointer(), Some(error), context, destroy, queue) })
    }
    /// Calls `f` when the chain finishes, or has finished.
    pub fn on_finish<F: Fn() + Send + Sync + 'static>(&self, queue: Option<&Queue>, f: F) -> Result<(), Error> {
        let (context, destroy) = Callback::context("on_finish", f);
        let (finish, queue) = (border::action::<F>, optional_queue(queue));
        done(unsafe { sys::sgk_event_link_on_finish(self.pointer(), Some(finish), context, destroy, queue) })
    }

    /// A link of what `map` makes of each value.
    pub fn map<U: Value>(&self, map: impl Fn(T) -> U + Send + Sync + 'static) -> Result<Link<U>, Error> {
        self.compact_map(move |value| Some(map(value)))
    }
    /// A link of what `map` makes of each value, if anything.
    pub fn compact_map<U: Value, F>(&self, map: F) -> Result<Link<U>, Error>
    where
        F: Fn(T) -> Option<U> + Send + Sync + 'static,
    {
        let (context, destroy) = Callback::context("compact_map", map);
        let map = border::compact_map::<T, U, F>;
        Link::made(unsafe { sys::sgk_event_link_map(self.pointer(), Some(map), context, destroy) })
    }
    /// A link of the values that `filter` lets pass.
    pub fn filter<F: Fn(&T) -> bool + Send + Sync + 'static>(&self, filter: F) -> Result<Link<T>, Error> {
        let (context, destroy) = Callback::context("filter", filter);
        let filter = border::filter::<T, F>;
        Link::made(unsafe { sys::sgk_event_link_filter(self.pointer(), Some(filter), context, destroy) })
    }
    /// The same events, without the means to emit any.
    pub fn observer(&self) -> Result<Link<T>, Error> {
        Link::made(unsafe { sys::sgk_event_link_observer(self.pointer()) })
    }
    /// Disconnects this link from the one above.
    pub fn unlink(&self) -> Result<(), Error> {
        done(unsafe { sys::sgk_event_link_unlink(self.pointer()) })
    }
    /// This link as a signal.
    pub fn signal(&self) -> Signal<T> {
        Signal::making(|| Ok(unsafe { sys::sgk_event_link_signal(self.pointer()) }))
    }
}

impl<T: Value> Signal<T> {
    /// Starts the signal immediately and returns a link with its values. Unlinking or dropping it disposes the
    /// subscription.
    pub fn link(&self) -> Result<Link<T>, Error> {
        Link::made(unsafe { sys::sgk_event_link_from_signal(self.pointer()?) })
    }
}

/// The beginning of a chain: a link that its owner emits into.
pub struct EventEmitter<T>(Link<T>);

impl<T> Deref for EventEmitter<T> {
    type Target = Link<T>;
    fn deref(&self) -> &Link<T> {
        &self.0
    }
}

impl<T: Value> EventEmitter<T> {
    /// A new emitter.
    pub fn new() -> Self {
        Self::created(unsafe { sys::sgk_event_emitter_create() })
    }
    /// One that has emitted a value, which is kept for the first who observes it.
    pub fn with_value(value: T) -> Self {
        Self::created(unsafe { sys::sgk_event_emitter_create_value(value.into_value().as_raw()) })
    }
    fn created(pointer: *mut sys::sgk_event_link) -> Self {
        EventEmitter(Link { handle: Handle::created(pointer), carries: PhantomData })
    }
    /// Emits a value. It is ignored after the end.
    pub fn next(&self, value: T) -> Result<(), Error> {
        done(unsafe { sys::sgk_event_emitter_next(self.pointer(), value.into_value().as_raw()) })
    }
    /// Ends the chain with an error.
    pub fn error(&self, error: impl Into<AnyError>) -> Result<(), Error> {
        done(unsafe { sys::sgk_event_emitter_error(self.pointer(), Error::new(error).into_value().as_raw()) })
    }
    /// Ends the chain.
    pub fn finish(&self) -> Result<(), Error> {
        done(unsafe { sys::sgk_event_emitter_finish(self.pointer()) })
    }
}

/// Owns the last links of chains: when it is cleared, or dropped, it unlinks them.
pub struct LinkBag(Handle<sys::sgk_link_bag>);

impl LinkBag {
    /// A new, empty bag.
    pub fn new() -> Self {
        LinkBag(Handle::created(unsafe { sys::sgk_link_bag_create() }))
    }
    /// Adds a link; once, however often it is added.
    pub fn add<T: Value>(&self, link: &Link<T>) -> Result<(), Error> {
        done(unsafe { sys::sgk_link_bag_add(self.0.as_ptr(), link.pointer()) })
    }
    /// Unlinks all links and forgets them.
    pub fn clear(&self) -> Result<(), Error> {
        done(unsafe { sys::sgk_link_bag_clear(self.0.as_ptr()) })
    }
}

crate::handle::debugged!(Link<T>.handle, EventEmitter<T>.0, LinkBag.0);
crate::handle::defaults!(EventEmitter<T>, LinkBag);
