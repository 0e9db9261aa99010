//! Pull: a thread or a task requests the values of a signal.

use crate::border::{quietly, work};
use crate::handle::{done, Handle};
use crate::value::{decoded, AnyValue, Value};
use crate::{Bound, Error, Signal};
use signalkit_sys as sys;
use std::collections::BTreeMap;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

fn seconds(timeout: Option<Duration>) -> f64 {
    timeout.map_or(f64::INFINITY, |time| time.as_secs_f64())
}

/// Converts an answer: a value, the end, or an error.
fn answered<T: Value>(name: &str, status: sys::sgk_status, value: AnyValue) -> Result<Option<T>, Error> {
    match status {
        sys::SGK_OK => decoded(name, &value).map(Some),
        sys::SGK_ERROR_COMPLETED => Ok(None),
        sys::SGK_ERROR_FAILED => Err(decoded(name, &value)?),
        sys::SGK_ERROR_TIMEOUT | sys::SGK_ERROR_ENDED => Err(Error::answer(status)),
        _ => Err(Error::last()),
    }
}

impl<T: Value> Signal<T> {
    /// Starts a subscription and waits for its first value; `None` if it completes without one. Without a timeout the
    /// wait is unlimited. After a timeout, [`Error::is_timeout`] is true for the error.
    pub fn get(&self, timeout: Option<Duration>) -> Result<Option<T>, Error> {
        let mut value = AnyValue::NULL.into_raw();
        let status = unsafe { sys::sgk_signal_get(self.pointer()?, seconds(timeout), &mut value) };
        answered("get", status, unsafe { AnyValue::from_raw(value) })
    }

    /// Starts a subscription, waits until it has completed, and returns all its values.
    pub fn collect(&self, timeout: Option<Duration>) -> Result<Vec<T>, Error> {
        self.collect_at_most(i64::MAX, timeout)
    }

    /// Starts a subscription and waits until it has completed or `limit` values have arrived.
    pub fn collect_at_most(&self, limit: i64, timeout: Option<Duration>) -> Result<Vec<T>, Error> {
        let mut values = AnyValue::NULL.into_raw();
        let status = unsafe { sys::sgk_signal_collect(self.pointer()?, limit, seconds(timeout), &mut values) };
        let values = unsafe { AnyValue::from_raw(values) };
        if status != sys::SGK_OK {
            return answered::<Vec<T>>("collect", status, values).map(Option::unwrap_or_default);
        }
        values.items().unwrap_or(&[]).iter().map(|value| decoded("collect", value)).collect()
    }

    /// Starts a subscription that buffers values for the reader, up to the bound.
    ///
    /// ```
    /// use signalkit::{Bound, Overflow, Signal};
    ///
    /// for number in Signal::range(0, 3).reader(&Bound::at(16, Overflow::Suspend))? {
    ///     println!("{}", number?);
    /// }
    /// # Ok::<(), signalkit::Error>(())
    /// ```
    pub fn reader(&self, bound: &Bound) -> Result<Reader<T>, Error> {
        let bound = bound.raw("reader", false)?;
        let reader = unsafe { sys::sgk_reader_create(self.pointer()?, &bound.as_raw()) };
        Ok(Reader { handle: Handle::made(reader)?, wakers: Wakers::default(), carries: PhantomData })
    }
}

/// A run whose values wait until they are asked for: as an iterator, which waits, or in an `async` function by
/// [`recv`](Reader::recv). Dropping it closes it.
pub struct Reader<T> {
    handle: Handle<sys::sgk_reader>,
    wakers: Wakers,
    carries: PhantomData<fn() -> T>,
}

impl<T: Value> Reader<T> {
    /// The next value, or `None` at the end. Waits for it no longer than that.
    pub fn read(&self, timeout: Option<Duration>) -> Result<Option<T>, Error> {
        let mut value = AnyValue::NULL.into_raw();
        let status = unsafe { sys::sgk_reader_next(self.handle.as_ptr(), seconds(timeout), &mut value) };
        answered("read", status, unsafe { AnyValue::from_raw(value) })
    }

    /// Returns a future of the next value, or of `None` at the end, for any runtime.
    pub fn recv(&self) -> Recv<'_, T> {
        Recv { reader: self, number: self.wakers.lock().number() }
    }

    /// Polls for the next value, or `None` at the end. Only the waker of the last such call is woken: use
    /// [`recv`](Reader::recv) in several tasks.
    pub fn poll_next(&self, context: &mut Context<'_>) -> Poll<Result<Option<T>, Error>> {
        self.poll(0, context)
    }

    fn poll(&self, number: u64, context: &mut Context<'_>) -> Poll<Result<Option<T>, Error>> {
        match self.read(Some(Duration::ZERO)) {
            Err(error) if error.status() == Some(sys::SGK_ERROR_TIMEOUT) => match self.wakers.add(number, context.waker(), &self.handle) {
                Ok(()) => Poll::Pending,
                Err(error) => Poll::Ready(Err(error)),
            },
            answer => Poll::Ready(answer),
        }
    }

    /// Returns a file descriptor that is readable while a value or the end is available, for a program's loop. The
    /// library owns it.
    pub fn fd(&self) -> Result<i32, Error> {
        let descriptor = unsafe { sys::sgk_reader_fd(self.handle.as_ptr()) };
        done(descriptor).map(|()| descriptor)
    }

    /// Disposes the subscription and drops pending values. A waiting thread is woken with an error. It may be called
    /// repeatedly.
    pub fn close(&self) {
        unsafe { sys::sgk_reader_close(self.handle.as_ptr()) };
    }
}

/// After the end, or an error, there is nothing more.
impl<T: Value> Iterator for Reader<T> {
    type Item = Result<T, Error>;
    fn next(&mut self) -> Option<Self::Item> {
        let answer = self.read(None).transpose();
        if matches!(answer, Some(Err(_))) {
            if self.closed() {
                return None;
            }
            self.close();
        }
        answer
    }
}

impl<T: Value> Reader<T> {
    fn closed(&self) -> bool {
        matches!(self.read(Some(Duration::ZERO)), Err(error) if error.status() == Some(sys::SGK_ERROR_ENDED))
    }
}

/// The next value of a [`Reader`], as a future.
#[derive(Debug)]
pub struct Recv<'a, T> {
    reader: &'a Reader<T>,
    number: u64,
}

impl<T: Value> Future for Recv<'_, T> {
    type Output = Result<Option<T>, Error>;
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.reader.poll(self.number, context)
    }
}

impl<T> Drop for Recv<'_, T> {
    fn drop(&mut self) {
        let removed = self.reader.wakers.lock().waiting.remove(&self.number);
        drop(removed); // after the lock
    }
}

/// The wakers of a reader: one for each future, and number 0 for [`Reader::poll_next`]. The library has one callback
/// for all.
#[derive(Clone, Default)]
struct Wakers(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    waiting: BTreeMap<u64, Waker>,
    last: u64,
    is_requested: bool,
}

impl Waiting {
    fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }
}

impl Wakers {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Wakes the task when there is something to read. Runs no code of the waker inside the lock.
    fn add(&self, number: u64, waker: &Waker, reader: &Handle<sys::sgk_reader>) -> Result<(), Error> {
        let waker = waker.clone();
        let mut state = self.lock();
        let former = state.waiting.insert(number, waker);
        let is_requested = std::mem::replace(&mut state.is_requested, true);
        drop(state);
        drop(former);
        if is_requested {
            return Ok(());
        }
        let wakers = self.clone();
        let (ready, context, destroy) = work(move || wakers.wake());
        let status = unsafe { sys::sgk_reader_when_ready(reader.as_ptr(), ready, context, destroy) };
        done(status).map_err(|error| {
            self.wake();
            error
        })
    }

    fn wake(&self) {
        let mut state = self.lock();
        state.is_requested = false;
        let woken = std::mem::take(&mut state.waiting);
        drop(state);
        woken.into_values().for_each(|waker| quietly("Waker::wake", (), || waker.wake()));
    }
}

/// With the feature `stream`: a reader is a stream of results. After an error there is nothing more.
#[cfg(feature = "stream")]
impl<T: Value> futures_core::Stream for Reader<T> {
    type Item = Result<T, Error>;
    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match Reader::poll_next(&self, context) {
            Poll::Ready(Err(error)) if error.status() == Some(sys::SGK_ERROR_ENDED) => Poll::Ready(None),
            Poll::Ready(Err(error)) => {
                self.close();
                Poll::Ready(Some(Err(error)))
            }
            Poll::Ready(answer) => Poll::Ready(answer.transpose()),
            Poll::Pending => Poll::Pending,
        }
    }
}

crate::handle::debugged!(Reader<T>.handle);
