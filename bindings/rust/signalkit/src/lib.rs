#![doc = include_str!("../README.md")]
#![warn(missing_docs, missing_debug_implementations)]

mod border;
mod error;
#[rustfmt::skip] // written by scripts/rust.py
mod flags;
mod fused;
mod handle;
mod link;
mod native;
mod object;
#[rustfmt::skip] // written by scripts/rust.py
mod operators;
mod queue;
mod reader;
mod resumption;
mod run;
mod signal;
mod subject;
mod value;

pub use border::{set_log, set_unhandled_error_handler, Outcome};
pub use error::{AnyError, Error};
pub use flags::{FileEvents, Readiness};
pub use link::{EventEmitter, Link, LinkBag};
pub use native::NativeCallback;
pub use object::Object;
pub use queue::{
    drain, live_total, main_drain, main_fd, main_run, main_stop, AtEnd, Begin, Bound, Edges, Executor,
    Overflow, OverflowCounter, Queue, QueueLocal, ThreadPool, Timer, VirtualTime, Work,
};
pub use reader::{Reader, Recv};
pub use run::{Disposable, DisposableDict, DisposableBag, DisposableSlot, Subscriber, Subscription};
pub use signal::{Retry, Observer, Signal, Stop};
pub use signalkit_sys as sys;
pub use subject::{Multicast, MulticastManager, Pipe, Promise, Sequencer, State};
pub use value::{AnyValue, Bytes, Event, Pointer, Row, Signals, Step, Value};

/// The version of this crate and of the library it was built for.
pub const VERSION: &str = sys::VERSION;
