//! Disposables, which cancel subscriptions, and containers of them.

use crate::border::work;
use crate::handle::{done, Handle};
use crate::resumption::Resumption;
use crate::value::Value;
use crate::{AnyError, Error};
use signalkit_sys as sys;
use std::ffi::CStr;
use std::fmt;
use std::marker::PhantomData;
use std::os::raw::c_void;

/// Can be disposed: a subscription, an action, or a container of others. Dropping it does not dispose it; dropping a [`Subscription`] does.
#[derive(Clone)]
pub struct Disposable(pub(crate) Handle<sys::sgk_disposable>);

impl Disposable {
    /// One that runs an action, once.
    pub fn new(action: impl FnOnce() + Send + 'static) -> Self {
        let (action, context, destroy) = work(action);
        Disposable(Handle::created(unsafe { sys::sgk_action_disposable_create(action, context, destroy) }))
    }

    /// Disposes of it. Twice is fine.
    pub fn dispose(&self) {
        unsafe { sys::sgk_disposable_dispose(self.0.as_ptr()) };
    }

    /// Disposes a subscription of [`start_waitable`](crate::Signal::start_waitable) and waits until none of its callbacks runs. Returns false inside
    /// such a callback, where it would wait for itself.
    pub fn dispose_and_wait(&self) -> Result<bool, Error> {
        match unsafe { sys::sgk_disposable_dispose_and_wait(self.0.as_ptr()) } {
            sys::SGK_ERROR_THREAD => Ok(false),
            status => done(status).map(|()| true),
        }
    }

    /// Pauses the source of a subscription until the result is disposed or dropped. Holds are counted. Values that wait
    /// for a queue or a time go on waiting. A source that cannot be paused keeps emitting. Fails if this is no
    /// subscription.
    pub fn hold(&self) -> Result<Disposable, Error> {
        Ok(Disposable(Handle::made(unsafe { sys::sgk_disposable_hold(self.0.as_ptr()) })?))
    }

    pub(crate) fn into_ptr(self) -> *mut sys::sgk_disposable {
        self.0.into_ptr()
    }
}

/// Returns whether a subscription is "running", "ended", or "disposed" by the program or an operator (`take`).
impl fmt::Display for Disposable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let state = unsafe { CStr::from_ptr(sys::sgk_disposable_state(self.0.as_ptr())) };
        f.write_str(&state.to_string_lossy())
    }
}

impl fmt::Display for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.disposable().fmt(f)
    }
}

/// A subscription. Dropping it disposes it, as is usual in Rust; [`detach`](Subscription::detach) lets it continue.
///
/// ```
/// use signalkit::Pipe;
///
/// let pipe = Pipe::new();
/// let run = pipe.signal().start(|n: i64| println!("{n}"))?;
/// pipe.next(1);
/// drop(run);
/// pipe.next(2); // nobody listens
/// # Ok::<(), signalkit::Error>(())
/// ```
#[must_use = "dropping it disposes of the run; detach() lets it go on"]
pub struct Subscription(Option<Disposable>);

impl Subscription {
    pub(crate) fn new(disposable: Disposable) -> Self {
        Subscription(Some(disposable))
    }

    /// Disposes the subscription. It may be called repeatedly.
    pub fn dispose(&self) {
        self.disposable().dispose()
    }

    /// See [`Disposable::dispose_and_wait`].
    pub fn dispose_and_wait(&self) -> Result<bool, Error> {
        self.disposable().dispose_and_wait()
    }

    /// See [`Disposable::hold`].
    ///
    /// ```
    /// # let pipe = signalkit::Pipe::new();
    /// # let run = pipe.signal().start(|_: i64| ())?;
    /// let hold = run.hold()?;
    /// assert!(pipe.is_paused());
    /// drop(hold);
    /// assert!(!pipe.is_paused());
    /// # Ok::<(), signalkit::Error>(())
    /// ```
    pub fn hold(&self) -> Result<Disposable, Error> {
        self.disposable().hold()
    }

    /// Lets the subscription continue until its source ends.
    pub fn detach(self) {
        drop(self.into_disposable())
    }

    /// Returns the disposable of the subscription, for containers and other owners. Dropping that does not dispose it.
    pub fn disposable(&self) -> &Disposable {
        self.0.as_ref().expect("it is there until the drop")
    }

    /// Returns the disposable, and lets the subscription continue.
    pub fn into_disposable(mut self) -> Disposable {
        self.0.take().expect("it is there until the drop")
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(disposable) = self.0.take() {
            disposable.dispose()
        }
    }
}

macro_rules! container {
    ($(#[$comment:meta])* $name:ident, $create:ident) => {
        $(#[$comment])*
        #[derive(Clone)]
        pub struct $name(Disposable);

        impl $name {
            /// A new, empty one.
            pub fn new() -> Self {
                $name(Disposable(Handle::created(unsafe { sys::$create() })))
            }
            /// Disposes the current members immediately, and later ones when they are added.
            pub fn dispose(&self) {
                self.0.dispose()
            }
            /// Returns the container as a disposable.
            pub fn disposable(&self) -> &Disposable {
                &self.0
            }
            fn pointer(&self) -> *mut sys::sgk_disposable {
                self.0 .0.as_ptr()
            }
        }
    };
}

container!(
    /// Holds one disposable; another one disposes of the one before.
    DisposableSlot,
    sgk_disposable_slot_create
);
container!(
    /// Holds any number of disposables.
    DisposableBag,
    sgk_disposable_bag_create
);
container!(
    /// Holds a disposable for each key.
    DisposableDict,
    sgk_disposable_dict_create
);

impl DisposableSlot {
    /// Disposes the current disposable and stores this one instead.
    pub fn set(&self, child: impl Into<Disposable>) -> Result<(), Error> {
        done(unsafe { sys::sgk_disposable_slot_set(self.pointer(), child.into().0.as_ptr()) })
    }
}

impl DisposableBag {
    /// Adds one.
    pub fn add(&self, member: impl Into<Disposable>) -> Result<(), Error> {
        done(unsafe { sys::sgk_disposable_bag_add(self.pointer(), member.into().0.as_ptr()) })
    }
    /// Takes one out, without disposing of it.
    pub fn remove(&self, member: &Disposable) -> Result<(), Error> {
        done(unsafe { sys::sgk_disposable_bag_remove(self.pointer(), member.0.as_ptr()) })
    }
}

impl DisposableDict {
    /// Holds this under the key, and disposes of what was there.
    pub fn set<K: Value>(&self, key: K, member: impl Into<Disposable>) -> Result<(), Error> {
        let (key, member) = (key.into_value(), member.into());
        done(unsafe { sys::sgk_disposable_dict_set(self.pointer(), key.as_raw(), member.0.as_ptr()) })
    }
    /// Disposes the disposable with this key.
    pub fn remove<K: Value>(&self, key: K) -> Result<(), Error> {
        let key = key.into_value();
        done(unsafe { sys::sgk_disposable_dict_set(self.pointer(), key.as_raw(), std::ptr::null_mut()) })
    }
}

impl From<Subscription> for Disposable {
    fn from(run: Subscription) -> Self {
        run.into_disposable()
    }
}

// ---- What emits ----

/// The receiver of a generator's values, immediately or later, from any thread: see [`Signal::create`](crate::Signal::create).
pub struct Subscriber<T> {
    handle: Handle<sys::sgk_subscriber>,
    takes: PhantomData<fn(T)>,
}

impl<T> Clone for Subscriber<T> {
    fn clone(&self) -> Self {
        Subscriber { handle: self.handle.clone(), takes: PhantomData }
    }
}

impl<T: Value> Subscriber<T> {
    pub(crate) unsafe fn lent(pointer: *mut sys::sgk_subscriber) -> Result<Self, Error> {
        Ok(Subscriber { handle: Handle::retained(pointer)?, takes: PhantomData })
    }

    /// Creates a subscriber without a signal, for tests of generators and for bridges.
    pub fn new(observer: crate::Observer<T>) -> Self {
        let handle = Handle::created(unsafe { sys::sgk_subscriber_create(&observer.handlers()) });
        Subscriber { handle, takes: PhantomData }
    }

    /// Emits a value. Returns false if the subscription has ended.
    pub fn next(&self, value: T) -> bool {
        unsafe { sys::sgk_subscriber_next(self.handle.as_ptr(), value.into_value().as_raw()) >= 0 }
    }

    /// Fails the subscription. Returns false if it had ended.
    pub fn error(&self, error: impl Into<AnyError>) -> bool {
        let error = Error::new(error).into_value();
        unsafe { sys::sgk_subscriber_error(self.handle.as_ptr(), error.as_raw()) >= 0 }
    }

    /// Completes the subscription. Returns false if it had ended.
    pub fn complete(&self) -> bool {
        unsafe { sys::sgk_subscriber_complete(self.handle.as_ptr()) >= 0 }
    }

    /// Returns whether the subscription is active.
    pub fn is_active(&self) -> bool {
        unsafe { sys::sgk_subscriber_is_active(self.handle.as_ptr()) }
    }

    /// Runs the action when the subscription ends or is disposed; immediately if it already has.
    pub fn on_dispose(&self, action: impl FnOnce() + Send + 'static) -> Result<(), Error> {
        let (action, context, destroy) = work(action);
        done(unsafe { sys::sgk_subscriber_on_dispose(self.handle.as_ptr(), action, context, destroy) })
    }

    /// Returns whether a stage asks for a pause, because a buffer with [`Overflow::Pause`](crate::Overflow) is full, or
    /// because the program holds the subscription. A value that is sent nevertheless exceeds the limit.
    pub fn is_paused(&self) -> bool {
        unsafe { sys::sgk_subscriber_is_paused(self.handle.as_ptr()) }
    }

    /// Calls `resumed` once on the queue, as soon as no stage asks for a pause. If none does so now, or if the
    /// subscription has ended, it is enqueued at once.
    pub fn on_resume(&self, queue: &crate::Queue, resumed: impl FnOnce() + Send + 'static) -> Result<(), Error> {
        let (run, context, destroy) = work(resumed);
        done(unsafe { sys::sgk_subscriber_on_resume(self.handle.as_ptr(), run, context, destroy, queue.as_raw()) })
    }

    /// Waits in a task while a stage asks for a pause. The end of the subscription ends the wait, too.
    pub async fn ready(&self) -> Result<(), Error> {
        let request = |pause: Resumption| self.on_resume(&crate::Queue::concurrent(), move || pause.resume());
        Resumption::wait(self.is_paused(), request).await
    }

    /// Retains an object until the subscription ends.
    pub fn keep_alive<O: Send + 'static>(&self, object: O) -> Result<(), Error> {
        let (object, destroy) = (Box::into_raw(Box::new(object)) as *mut c_void, crate::border::destroy::<O>);
        done(unsafe { sys::sgk_subscriber_keep_alive(self.handle.as_ptr(), object, Some(destroy)) })
    }
}

crate::handle::debugged!(Disposable.0, Subscription.0, DisposableSlot.0, DisposableBag.0, DisposableDict.0, Subscriber<T>.handle);
crate::handle::defaults!(DisposableSlot, DisposableBag, DisposableDict);
