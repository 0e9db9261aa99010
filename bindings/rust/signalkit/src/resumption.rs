//! The end of a pause, as a future.

use crate::border::quietly;
use crate::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct State {
    is_over: bool,
    waker: Option<Waker>,
}

/// Is ready after a call of `resume` on another copy. Runs no code of the waker inside the lock.
#[derive(Clone, Default)]
pub(crate) struct Resumption(Arc<Mutex<State>>);

impl Resumption {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// During a pause it waits for `resume`, which `request` asks for.
    pub(crate) async fn wait(is_paused: bool, request: impl FnOnce(Self) -> Result<(), Error>) -> Result<(), Error> {
        if is_paused {
            let pause = Self::default();
            request(pause.clone())?;
            pause.await;
        }
        Ok(())
    }

    pub(crate) fn resume(&self) {
        let mut state = self.lock();
        state.is_over = true;
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            quietly("Waker::wake", (), || waker.wake());
        }
    }
}

impl Future for Resumption {
    type Output = ();
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let waker = context.waker().clone();
        let mut state = self.lock();
        let is_over = state.is_over;
        let former = state.waker.replace(waker);
        drop(state);
        drop(former);
        if is_over {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}
