//! Pull: a thread, or a task, asks for what a signal emits.

use crate::border::work;
use crate::handle::{done, Handle};
use crate::value::{decoded, AnyValue, Value};
use crate::{Bound, Error, Signal};
use signalkit_sys as sys;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

fn seconds(timeout: Option<Duration>) -> f64 {
    timeout.map_or(f64::INFINITY, |time| time.as_secs_f64())
}

/// What an answer says: a value, the end, or an error.
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
    /// Starts a run and waits for its first value; `None` if it completes without one. Without a timeout it may wait
    /// for ever; when the time is over, [`Error::is_timeout`] is true of the error.
    pub fn get(&self, timeout: Option<Duration>) -> Result<Option<T>, Error> {
        let mut value = AnyValue::NULL.into_raw();
        let status = unsafe { sys::sgk_signal_get(self.pointer()?, seconds(timeout), &mut value) };
        answered("get", status, unsafe { AnyValue::from_raw(value) })
    }

    /// Starts a run and waits until it has completed, for all its values.
    pub fn collect(&self, timeout: Option<Duration>) -> Result<Vec<T>, Error> {
        self.collect_at_most(i64::MAX, timeout)
    }

    /// Starts a run and waits until it has completed or so many values have come.
    pub fn collect_at_most(&self, limit: i64, timeout: Option<Duration>) -> Result<Vec<T>, Error> {
        let mut values = AnyValue::NULL.into_raw();
        let status = unsafe { sys::sgk_signal_collect(self.pointer()?, limit, seconds(timeout), &mut values) };
        let values = unsafe { AnyValue::from_raw(values) };
        if status != sys::SGK_OK {
            return answered::<Vec<T>>("collect", status, values).map(Option::unwrap_or_default);
        }
        values.items().unwrap_or(&[]).iter().map(|value| decoded("collect", value)).collect()
    }

    /// Starts a run whose values wait until they are asked for, as many as the bound allows.
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
        let bound = bound.raw("reader");
        let (limit, error) = (if bound.limit < 0 { i64::MAX } else { bound.limit }, bound.error.as_raw());
        let reader = unsafe { sys::sgk_reader_create(self.pointer()?, limit, bound.overflow, error, bound.counter()) };
        Ok(Reader { handle: Handle::made(reader)?, carries: PhantomData })
    }
}

/// A run whose values wait until they are asked for: as an iterator, which waits, or in an `async` function by
/// [`recv`](Reader::recv). Dropping it closes it.
pub struct Reader<T> {
    handle: Handle<sys::sgk_reader>,
    carries: PhantomData<fn() -> T>,
}

impl<T: Value> Reader<T> {
    /// The next value, or `None` at the end. Waits for it no longer than that.
    pub fn read(&self, timeout: Option<Duration>) -> Result<Option<T>, Error> {
        let mut value = AnyValue::NULL.into_raw();
        let status = unsafe { sys::sgk_reader_next(self.handle.as_ptr(), seconds(timeout), &mut value) };
        answered("read", status, unsafe { AnyValue::from_raw(value) })
    }

    /// The next value, or `None` at the end, for an `async` function on any runtime.
    pub fn recv(&self) -> Recv<'_, T> {
        Recv(self)
    }

    /// As a future is polled.
    pub fn poll_next(&self, context: &mut Context<'_>) -> Poll<Result<Option<T>, Error>> {
        loop {
            match self.read(Some(Duration::ZERO)) {
                Err(error) if error.is_timeout() => {}
                answer => return Poll::Ready(answer),
            }
            // Who reads beside us may take what is there; then this is called again at once.
            let waker = context.waker().clone();
            let called = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
            let now = called.clone();
            let (ready, data, destroy) = work(move || {
                now.store(true, std::sync::atomic::Ordering::Release);
                waker.wake();
            });
            let status = unsafe { sys::sgk_reader_when_ready(self.handle.as_ptr(), ready, data, destroy) };
            if let Err(error) = done(status) {
                return Poll::Ready(Err(error));
            }
            if !called.load(std::sync::atomic::Ordering::Acquire) {
                return Poll::Pending;
            }
        }
    }

    /// A file descriptor that is readable while there is something to read: for a loop of one's own. It belongs to the
    /// library.
    pub fn fd(&self) -> Result<i32, Error> {
        let descriptor = unsafe { sys::sgk_reader_fd(self.handle.as_ptr()) };
        done(descriptor).map(|()| descriptor)
    }

    /// Disposes of the run, and lets go of what waits. Who waits is woken, with an error. Twice is fine.
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
pub struct Recv<'a, T>(&'a Reader<T>);

impl<T: Value> Future for Recv<'_, T> {
    type Output = Result<Option<T>, Error>;
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.poll_next(context)
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
