//! The operators, sources and combinations that are called as they stand.

// Written by scripts/rust.py from bindings/api.json.

use crate::border::{self, guarded, optional_queue, Callback};
use crate::signal::{pointers, text};
use crate::{Bound, Bytes, Edges, Emitter, Error, Event, Queue, Signal, Signals, Step, TakeAction};
use crate::ThreadPool;
use crate::Value;
use signalkit_sys as sys;
use std::time::Duration;

impl<T: Value> Signal<T> {
    /// Writes the strings and bytes that `signal` emits to `fd`, on `queue`, one after another without anything between
    /// them; any other kind of value fails the run with EINVAL. Emits nothing; completes, or fails, as `signal` does,
    /// when all before that is written. At most `limit` bytes (1 or more) wait, or one value that is longer, beside as
    /// many that are being written: who emits more is blocked until there is room, or the run is disposed. On `queue`
    /// itself, where that would wait for itself, as much is written as can be, and if that is not enough the run fails
    /// with ENOBUFS. When nobody reads any more: EPIPE. Disposal drops what waits. With `closes`, `fd` becomes the
    /// run's, and is closed when it is over, before its end is told, also after a failure; so such a signal is started
    /// once. Without, it stays as it is. Not for sockets of datagrams, of which it knows no borders.
    pub fn sink_fd(&self, fd: i64, limit: i64, closes: bool, queue: &Queue) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_sink_fd(signal, fd, limit, closes, queue.0.as_ptr()) })
        })
    }

    /// Emits an array of the latest values of all `count` signals, in their order, for each value of any of them, once
    /// every one has emitted. Completes when all have completed; the first error ends it. With a `queue` (may be None)
    /// what the signals emit is processed and delivered there; otherwise on the emitting threads, one at a time. No
    /// signals: one empty array, and the end.
    pub fn combine_latest<S: Signals<Row = T> + ?Sized>(signals: &S, queue: Option<&Queue>) -> Signal<T> {
        Signal::making(|| {
            let signals = signals.untyped();
            let signals = pointers(&signals)?;
            Ok(unsafe { sys::sgk_combine_latest(signals.as_ptr(), signals.len(), optional_queue(queue)) })
        })
    }

    /// As [`combine_latest`](Signal::combine_latest) (also as to `count` and `queue`), with the value that `map(values,
    /// count)` makes of the latest values instead of an array of them. Up to 64 signals, an event allocates nothing.
    pub fn combine_latest_map<S: Signals + ?Sized, F>(signals: &S, map: F, queue: Option<&Queue>) -> Signal<T> where F:
        Fn(S::Row) -> T + Send + Sync + 'static {
        let signals = signals.untyped();
        let queue = queue.cloned();
        guarded("combine_latest_map", map, move |callback| {
            let signals = pointers(&signals)?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe { sys::sgk_combine_latest_map(signals.as_ptr(), signals.len(), Some(border::map_array::<S::Row, T,
                F>), context, destroy, optional_queue(queue.as_ref())) })
        })
    }

    /// Starts all `count` signals, in their order, and passes every value of any of them on. Completes when all have
    /// completed, without signals at once; the first error ends it.
    pub fn merge_signals(signals: &[Signal<T>]) -> Signal<T> {
        Signal::making(|| {
            let signals = pointers(signals)?;
            Ok(unsafe { sys::sgk_merge_signals(signals.as_ptr(), signals.len()) })
        })
    }

    /// Emits an array of the first values of all `count` signals, in their order, then of the second ones, and so on.
    /// Of each at most `limit` values (1 or more, or None) wait for those of the others; what comes then goes by
    /// `overflow`. `Overflow::Suspend` is refused: the thread that would wait may be the one that brings the others.
    /// `error` is what `Overflow::Error` ends the run with, at once; otherwise it does not matter; `counter` may be
    /// None. Completes as soon as one has completed of which no value waits, without signals at once; the first error
    /// ends it.
    pub fn zip<S: Signals<Row = T> + ?Sized>(signals: &S, bound: &Bound) -> Signal<T> {
        Signal::making(|| {
            let signals = signals.untyped();
            let signals = pointers(&signals)?;
            let bound = bound.raw("zip");
            Ok(unsafe { sys::sgk_zip(signals.as_ptr(), signals.len(), bound.limit, bound.overflow, bound.error.as_raw(),
                bound.counter()) })
        })
    }

    /// As [`zip`](Signal::zip) (also as to `count`, `limit`, `overflow`, `error` and `counter`), with the value that
    /// `map(values, count)` makes instead of an array.
    pub fn zip_map<S: Signals + ?Sized, F>(signals: &S, bound: &Bound, map: F) -> Signal<T> where F: Fn(S::Row) -> T +
        Send + Sync + 'static {
        let signals = signals.untyped();
        let bound = bound.raw("zip_map");
        guarded("zip_map", map, move |callback| {
            let signals = pointers(&signals)?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe { sys::sgk_zip_map(signals.as_ptr(), signals.len(), bound.limit, bound.overflow,
                bound.error.as_raw(), bound.counter(), Some(border::map_array::<S::Row, T, F>), context, destroy) })
        })
    }

    /// Follows the first of `count` signals to send an event of any kind; the others are disposed before that is passed
    /// on. They are started in their order; one that sends something at once wins, and those behind it are not started.
    /// Without signals it completes at once.
    pub fn race(signals: &[Signal<T>]) -> Signal<T> {
        Signal::making(|| {
            let signals = pointers(signals)?;
            Ok(unsafe { sys::sgk_race(signals.as_ptr(), signals.len()) })
        })
    }

    /// Emits an array of each value and the latest one of `other`. Values that come before the first of `other` are
    /// dropped.
    pub fn with_latest_from<U: Value>(&self, other: &Signal<U>) -> Signal<(T, U)> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let other = other.pointer()?;
            Ok(unsafe { sys::sgk_signal_with_latest_from(signal, other) })
        })
    }

    /// As [`with_latest_from`](Signal::with_latest_from), with the value that `map(values, 2)` makes of the value and
    /// the latest one of `other` instead of an array.
    pub fn with_latest_from_map<U: Value, R: Value, F>(&self, other: &Signal<U>, map: F) -> Signal<R> where F: Fn((T,
        U)) -> R + Send + Sync + 'static {
        let signal = self.clone();
        let other = other.clone();
        guarded("with_latest_from_map", map, move |callback| {
            let signal = signal.pointer()?;
            let other = other.pointer()?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe { sys::sgk_signal_with_latest_from_map(signal, other, Some(border::map_array::<(T, U), R, F>),
                context, destroy) })
        })
    }

    /// Calls `f(value)` with each value after it has been passed on, also when that has ended or disposed the run.
    pub fn after_next<F>(&self, f: F) -> Signal<T> where F: Fn(&T) + Send + Sync + 'static {
        let signal = self.clone();
        guarded("after_next", f, move |callback| {
            let signal = signal.pointer()?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe { sys::sgk_signal_after_next(signal, Some(border::next::<T, F>), context, destroy) })
        })
    }

    /// Calls `f()` for each start, before the signal is started.
    pub fn before_started<F>(&self, f: F) -> Signal<T> where F: Fn() + Send + Sync + 'static {
        let signal = self.clone();
        guarded("before_started", f, move |callback| {
            let signal = signal.pointer()?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe { sys::sgk_signal_before_started(signal, Some(border::action::<F>), context, destroy) })
        })
    }

    /// Calls `f(error)` before the error is passed on.
    pub fn before_error<F>(&self, f: F) -> Signal<T> where F: Fn(&Error) + Send + Sync + 'static {
        let signal = self.clone();
        guarded("before_error", f, move |callback| {
            let signal = signal.pointer()?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe { sys::sgk_signal_before_error(signal, Some(border::next::<Error, F>), context, destroy) })
        })
    }

    /// Calls `f()` before completion is passed on.
    pub fn before_completed<F>(&self, f: F) -> Signal<T> where F: Fn() + Send + Sync + 'static {
        let signal = self.clone();
        guarded("before_completed", f, move |callback| {
            let signal = signal.pointer()?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe { sys::sgk_signal_before_completed(signal, Some(border::action::<F>), context, destroy) })
        })
    }

    /// Calls `f()` after completion has been passed on and the source disposed (one that completes inside the start is
    /// disposed after it).
    pub fn after_completed<F>(&self, f: F) -> Signal<T> where F: Fn() + Send + Sync + 'static {
        Signal::making(|| {
            let signal = self.pointer()?;
            let (context, destroy) = Callback::context("after_completed", f);
            Ok(unsafe { sys::sgk_signal_after_completed(signal, Some(border::action::<F>), context, destroy) })
        })
    }

    /// Calls `f()` once for each run when it is torn down, by disposal or an end: after the source has been disposed
    /// (one that ends inside the start is disposed when that returns).
    pub fn after_disposed<F>(&self, f: F) -> Signal<T> where F: Fn() + Send + Sync + 'static {
        Signal::making(|| {
            let signal = self.pointer()?;
            let (context, destroy) = Callback::context("after_disposed", f);
            Ok(unsafe { sys::sgk_signal_after_disposed(signal, Some(border::action::<F>), context, destroy) })
        })
    }

    /// Gives `signal` a name: what `set_unhandled_error_handler` says of an error that goes through here, and on to the
    /// end of its run on the same thread. Where several names stand in its way it is that of the last. `name` is
    /// copied; None is an error.
    pub fn named(&self, name: &str) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let name = text("named", "name", name)?;
            Ok(unsafe { sys::sgk_signal_named(signal, name.as_ptr()) })
        })
    }

    /// Writes a line to the log (see `set_log_handler`) for whatever happens to a run, before it is passed on: `name#7
    /// next 42`. Each run has a number of its own. Long lines are cut. `name` is copied, and is that of
    /// [`named`](Signal::named) as well; None is an error.
    pub fn trace(&self, name: &str) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let name = text("trace", "name", name)?;
            Ok(unsafe { sys::sgk_signal_trace(signal, name.as_ptr()) })
        })
    }

    /// Passes the signal on until `replacement`, a signal of signals that is started first, emits another one, which
    /// takes its place; the next one replaces that in turn. Completes when the current one has. The completion of
    /// `replacement` means nothing, its error ends the result.
    pub fn take_until_replacement(&self, replacement: &Signal<T>) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let replacement = replacement.pointer()?;
            Ok(unsafe { sys::sgk_signal_take_until_replacement(signal, replacement) })
        })
    }

    /// Follows the signal that `map(value)` returns for the latest value, as
    /// [`switch_to_latest`](Signal::switch_to_latest) does.
    pub fn map_to_signal<U: Value, F>(&self, map: F) -> Signal<U> where F: Fn(T) -> Signal<U> + Send + Sync + 'static {
        Signal::making(|| {
            let signal = self.pointer()?;
            let (context, destroy) = Callback::context("map_to_signal", map);
            Ok(unsafe { sys::sgk_signal_map_to_signal(signal, Some(border::map_to_signal::<T, U, F>), context, destroy)
                })
        })
    }

    /// Runs the signals that `map(value)` returns one after another. `map` is called when the value arrives.
    pub fn map_to_queue<U: Value, F>(&self, map: F) -> Signal<U> where F: Fn(T) -> Signal<U> + Send + Sync + 'static {
        Signal::making(|| {
            let signal = self.pointer()?;
            let (context, destroy) = Callback::context("map_to_queue", map);
            Ok(unsafe { sys::sgk_signal_map_to_queue(signal, Some(border::map_to_signal::<T, U, F>), context, destroy)
                })
        })
    }

    /// Runs the signals that `map(value)` returns one after another; of those that arrive while one runs only the
    /// latest is kept. `map` is called for every value.
    pub fn map_to_throttled<U: Value, F>(&self, map: F) -> Signal<U> where F: Fn(T) -> Signal<U> + Send + Sync + 'static
        {
        Signal::making(|| {
            let signal = self.pointer()?;
            let (context, destroy) = Callback::context("map_to_throttled", map);
            Ok(unsafe { sys::sgk_signal_map_to_throttled(signal, Some(border::map_to_signal::<T, U, F>), context,
                destroy) })
        })
    }

    /// Folds by signals, beginning with `initial`: they run one after another, each to its end; values that come
    /// meanwhile wait. The last accumulated value comes at the end; an error drops it. `generator` is called on the
    /// thread that brought the value or ended the signal before. Serial.
    pub fn reduce_left_generator<U: Value, F>(&self, initial: U, generator: F) -> Signal<U> where F: Fn(U, T) ->
        Signal<Step<U>> + Send + Sync + 'static {
        Signal::making(|| {
            let signal = self.pointer()?;
            let initial = initial.into_value();
            let (context, destroy) = Callback::context("reduce_left_generator", generator);
            Ok(unsafe { sys::sgk_signal_reduce_left_generator(signal, initial.as_raw(),
                Some(border::reduce_generator::<U, T, Step<U>, F>), context, destroy) })
        })
    }

    /// As [`merged`](Signal::merged) (also as to `limit`, `waiting`, `overflow`, `error` and `counter`), of the signals
    /// that `map(value)` returns. `map` is called when the value arrives.
    pub fn map_to_merged<U: Value, F>(&self, limit: Option<i64>, bound: &Bound, map: F) -> Signal<U> where F: Fn(T) ->
        Signal<U> + Send + Sync + 'static {
        Signal::making(|| {
            let signal = self.pointer()?;
            let bound = bound.raw("map_to_merged");
            let (context, destroy) = Callback::context("map_to_merged", map);
            Ok(unsafe { sys::sgk_signal_map_to_merged(signal, limit.unwrap_or(sys::SGK_UNBOUNDED), bound.limit,
                bound.overflow, bound.error.as_raw(), bound.counter(), Some(border::map_to_signal::<T, U, F>), context,
                destroy) })
        })
    }

    /// Runs the signal that `map(value)` returns, unless one runs already: then the value is dropped, and `map` not
    /// called for it.
    pub fn map_to_first<U: Value, F>(&self, map: F) -> Signal<U> where F: Fn(T) -> Signal<U> + Send + Sync + 'static {
        Signal::making(|| {
            let signal = self.pointer()?;
            let (context, destroy) = Callback::context("map_to_first", map);
            Ok(unsafe { sys::sgk_signal_map_to_first(signal, Some(border::map_to_signal::<T, U, F>), context, destroy)
                })
        })
    }

    /// Fails with `map(error)` when the signal fails; leaves the rest alone.
    pub fn map_error<F>(&self, map: F) -> Signal<T> where F: Fn(Error) -> Error + Send + Sync + 'static {
        let signal = self.clone();
        guarded("map_error", map, move |callback| {
            let signal = signal.pointer()?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe { sys::sgk_signal_map_error(signal, Some(border::map::<Error, Error, F>), context, destroy) })
        })
    }

    /// Passes only the end.
    pub fn ignore_values(&self) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_ignore_values(signal) })
        })
    }

    /// Drops a value that equals (`value_equal`) the last one that passed. Serial: one value at a time, whatever the
    /// number of emitting threads.
    pub fn distinct_until_changed(&self) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_distinct_until_changed(signal) })
        })
    }

    /// Drops a value for which `equal(last that passed, value)` is true. Serial.
    pub fn distinct_until_changed_by<F>(&self, equal: F) -> Signal<T> where F: Fn(&T, &T) -> bool + Send + Sync +
        'static {
        let signal = self.clone();
        guarded("distinct_until_changed_by", equal, move |callback| {
            let signal = signal.pointer()?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe { sys::sgk_signal_distinct_until_changed_by(signal, Some(border::equal::<T, F>), context, destroy)
                })
        })
    }

    /// Passes the events of a source that emits from several threads, or from inside its own callbacks, one at a time:
    /// a plain chain does not queue, this does. An event that comes while another is being delivered is delivered after
    /// it, by whoever is at it.
    pub fn serialized(&self) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_serialized(signal) })
        })
    }

    /// Folds all values into one with `reduce`, beginning with `initial`, and emits it at completion, also when there
    /// were no values. An error drops it. Serial.
    pub fn reduce_left<U: Value, F>(&self, initial: U, reduce: F) -> Signal<U> where F: Fn(U, T) -> U + Send + Sync +
        'static {
        let signal = self.clone();
        let initial = initial.into_value();
        guarded("reduce_left", reduce, move |callback| {
            let signal = signal.pointer()?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe { sys::sgk_signal_reduce_left(signal, initial.as_raw(), Some(border::reduce::<U, T, F>), context,
                destroy) })
        })
    }

    /// As [`reduce_left`](Signal::reduce_left), beginning with `initial`, with steps (`reduce`) that can emit beside
    /// accumulating.
    pub fn reduce_left_emitting<U: Value, F>(&self, initial: U, reduce: F) -> Signal<U> where F: Fn(U, T, &Emitter<U>)
        -> U + Send + Sync + 'static {
        let signal = self.clone();
        let initial = initial.into_value();
        guarded("reduce_left_emitting", reduce, move |callback| {
            let signal = signal.pointer()?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe { sys::sgk_signal_reduce_left_emitting(signal, initial.as_raw(), Some(border::reduce_emitting::<U,
                T, F>), context, destroy) })
        })
    }

    /// Emits every accumulated value: what `reduce` makes of the last one, at first `initial`, and each value. Serial.
    pub fn scan<U: Value, F>(&self, initial: U, reduce: F) -> Signal<U> where F: Fn(U, T) -> U + Send + Sync + 'static {
        let signal = self.clone();
        let initial = initial.into_value();
        guarded("scan", reduce, move |callback| {
            let signal = signal.pointer()?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe { sys::sgk_signal_scan(signal, initial.as_raw(), Some(border::reduce::<U, T, F>), context,
                destroy) })
        })
    }

    /// Emits each value but the first together with the one before it, as an array of two. Serial.
    pub fn pairwise(&self) -> Signal<(T, T)> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_pairwise(signal) })
        })
    }

    /// Emits each value together with its number, from 0 on, as an array of an int and the value. Serial.
    pub fn enumerated(&self) -> Signal<(i64, T)> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_enumerated(signal) })
        })
    }

    /// Emits all values as one array, at completion, also when there were none; an error drops them. At most `limit` (1
    /// or more, or None) are kept; what comes then goes by `overflow`. Nobody takes values out before the end, so
    /// `Overflow::Suspend` is an error. `error` is what `Overflow::Error` fails with, at once, otherwise it does not
    /// matter; `counter` may be None. Serial.
    pub fn to_array(&self, bound: &Bound) -> Signal<Vec<T>> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let bound = bound.raw("to_array");
            Ok(unsafe { sys::sgk_signal_to_array(signal, bound.limit, bound.overflow, bound.error.as_raw(),
                bound.counter()) })
        })
    }

    /// Passes the values that have not come before, as `value_equal` says. At most `limit` (1 or more, or None) are
    /// remembered; one that finds no room then goes by `overflow`: `Overflow::DropOldest` forgets the oldest,
    /// `Overflow::KeepLatest` all others, and `Overflow::DropNewest` does not remember it: it passes, and what is
    /// forgotten can come again. With `Overflow::Error` the run fails with `error`, which otherwise does not matter;
    /// `Overflow::Suspend` is an error, as nobody makes room. `counter` is told how many are forgotten; it may be None.
    /// Serial.
    pub fn distinct(&self, bound: &Bound) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let bound = bound.raw("distinct");
            Ok(unsafe { sys::sgk_signal_distinct(signal, bound.limit, bound.overflow, bound.error.as_raw(),
                bound.counter()) })
        })
    }

    /// As [`distinct`](Signal::distinct) (also as to `limit`, `overflow`, `error` and `counter`), going by what
    /// `key(value)` makes of the values. Serial.
    pub fn distinct_by<K: Value, F>(&self, bound: &Bound, key: F) -> Signal<T> where F: Fn(T) -> K + Send + Sync +
        'static {
        let signal = self.clone();
        let bound = bound.raw("distinct_by");
        guarded("distinct_by", key, move |callback| {
            let signal = signal.pointer()?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe { sys::sgk_signal_distinct_by(signal, bound.limit, bound.overflow, bound.error.as_raw(),
                bound.counter(), Some(border::map::<T, K, F>), context, destroy) })
        })
    }

    /// Makes values of the events: each becomes such an array, the end too; then the result completes. It never fails.
    /// Serial. (In Rx this is `materialize`, in SwiftSignalKit `dematerialize`.)
    pub fn to_events(&self) -> Signal<Event<T>> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_to_events(signal) })
        })
    }

    /// A signal that calls `generator()` for each start, on the starting thread, and behaves as what that returns.
    pub fn deferred<F>(generator: F) -> Signal<T> where F: Fn() -> Signal<T> + Send + Sync + 'static {
        Signal::making(|| {
            let (context, destroy) = Callback::context("deferred", generator);
            Ok(unsafe { sys::sgk_signal_deferred(Some(border::deferred::<T, F>), context, destroy) })
        })
    }

    /// When the signal has completed, goes on with `next`, which is started before the first is disposed. The first
    /// error ends it.
    pub fn then(&self, next: &Signal<T>) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let next = next.pointer()?;
            Ok(unsafe { sys::sgk_signal_then(signal, next) })
        })
    }

    /// When the signal fails, goes on with the signal that `f(error)` returns, which is started before the failed one
    /// is disposed. `f` is called on the failing thread.
    pub fn catch<F>(&self, f: F) -> Signal<T> where F: Fn(Error) -> Signal<T> + Send + Sync + 'static {
        Signal::making(|| {
            let signal = self.pointer()?;
            let (context, destroy) = Callback::context("catch", f);
            Ok(unsafe { sys::sgk_signal_catch(signal, Some(border::map_to_signal::<Error, T, F>), context, destroy) })
        })
    }

    /// Runs `count` signals one after another, each when the one before has completed, as a row of
    /// [`then`](Signal::then) does. The first error ends it; without any it completes at once.
    pub fn concat(signals: &[Signal<T>]) -> Signal<T> {
        Signal::making(|| {
            let signals = pointers(signals)?;
            Ok(unsafe { sys::sgk_concat(signals.as_ptr(), signals.len()) })
        })
    }

    /// Emits `value` inside the start, before the signal is started.
    pub fn start_with(&self, value: T) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let value = value.into_value();
            Ok(unsafe { sys::sgk_signal_start_with(signal, value.as_raw()) })
        })
    }

    /// Emits `value` when the signal has completed. An error drops it.
    pub fn end_with(&self, value: T) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let value = value.into_value();
            Ok(unsafe { sys::sgk_signal_end_with(signal, value.as_raw()) })
        })
    }

    /// Emits `value` if the signal completes without one.
    pub fn default_if_empty(&self, value: T) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let value = value.into_value();
            Ok(unsafe { sys::sgk_signal_default_if_empty(signal, value.as_raw()) })
        })
    }

    /// Goes on with `other` if the signal completes without a value; it is started before the first is disposed.
    pub fn switch_if_empty(&self, other: &Signal<T>) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let other = other.pointer()?;
            Ok(unsafe { sys::sgk_signal_switch_if_empty(signal, other) })
        })
    }

    /// When the signal fails, emits `value` and completes instead.
    pub fn catch_and_return(&self, value: T) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let value = value.into_value();
            Ok(unsafe { sys::sgk_signal_catch_and_return(signal, value.as_raw()) })
        })
    }

    /// Starts the signal again each time it has completed, until it fails or the run is disposed.
    pub fn restart(&self) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_restart(signal) })
        })
    }

    /// Runs the signal `count` times, each after the completion of the one before, until it fails. 0 completes at once,
    /// without starting it; less is an error.
    pub fn repeat(&self, count: i64) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_repeat(signal, count) })
        })
    }

    /// Starts the signal again each time it has failed, at once; never fails.
    pub fn restart_if_error(&self) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_restart_if_error(signal) })
        })
    }

    /// When the signal fails, starts it again at once, or fails with another error, as `condition` says. It is called
    /// on the failing thread.
    pub fn restart_or_map_error<F>(&self, condition: F) -> Signal<T> where F: Fn(Error) -> Result<(), Error> + Send +
        Sync + 'static {
        Signal::making(|| {
            let signal = self.pointer()?;
            let (context, destroy) = Callback::context("restart_or_map_error", condition);
            Ok(unsafe { sys::sgk_signal_restart_or_map_error(signal, Some(border::restart::<F>), context, destroy) })
        })
    }

    /// When the signal fails, starts it again at once if `predicate(error)` is true, otherwise fails.
    pub fn retry_if<F>(&self, predicate: F) -> Signal<T> where F: Fn(&Error) -> bool + Send + Sync + 'static {
        let signal = self.clone();
        guarded("retry_if", predicate, move |callback| {
            let signal = signal.pointer()?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe { sys::sgk_signal_retry_if(signal, Some(border::filter::<Error, F>), context, destroy) })
        })
    }

    /// When the signal fails, waits and starts it again, on `queue`; never fails. The first attempt is made on the
    /// starting thread. The wait before the second attempt is `delay_increment` seconds; each further one is longer by
    /// as much, up to `max_delay`. With `reset_on_value` a value makes the waits short again. The seconds must be 0 or
    /// more.
    pub fn retry(&self, delay_increment: Duration, max_delay: Duration, reset_on_value: bool, queue: &Queue) ->
        Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_retry(signal, delay_increment.as_secs_f64(), max_delay.as_secs_f64(),
                reset_on_value, queue.0.as_ptr()) })
        })
    }

    /// As [`retry`](Signal::retry) (also as to `delay_increment`, `max_delay` and `queue`), after errors for which
    /// `retry_on_error(error)` is true; any other ends the result. There are `max_retries` attempts in all: the error
    /// of the last of them ends the result. With 0 or 1 the first error does; less than 0 is without limit. With
    /// `reset_on_value` a value also makes the attempts uncounted.
    pub fn retry_on_error<F>(&self, delay_increment: Duration, max_delay: Duration, max_retries: i64, reset_on_value:
        bool, retry_on_error: F, queue: &Queue) -> Signal<T> where F: Fn(&Error) -> bool + Send + Sync + 'static {
        let signal = self.clone();
        let queue = queue.clone();
        guarded("retry_on_error", retry_on_error, move |callback| {
            let signal = signal.pointer()?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe { sys::sgk_signal_retry_on_error(signal, delay_increment.as_secs_f64(), max_delay.as_secs_f64(),
                max_retries, reset_on_value, Some(border::filter::<Error, F>), context, destroy, queue.0.as_ptr()) })
        })
    }

    /// When the signal fails, calls `when(error, number)`, on the failing thread, and starts it again at the first
    /// value of the signal that returns. If that fails, so does the result; if it completes without a value, the result
    /// fails with the signal's error.
    pub fn retry_when<U: Value, F>(&self, when: F) -> Signal<T> where F: Fn(Error, i64) -> Signal<U> + Send + Sync +
        'static {
        Signal::making(|| {
            let signal = self.pointer()?;
            let (context, destroy) = Callback::context("retry_when", when);
            Ok(unsafe { sys::sgk_signal_retry_when(signal, Some(border::retry_when::<U, F>), context, destroy) })
        })
    }

    /// Passes the first `count` values and completes right after the last of them; the source is stopped. 0 completes
    /// at once, without starting the source; less is an error. Serial.
    pub fn take(&self, count: i64) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_take(signal, count) })
        })
    }

    /// Asks `until(value)` about each value: whether it passes, and whether the end comes (the source is stopped then).
    /// Serial.
    pub fn take_until<F>(&self, until: F) -> Signal<T> where F: Fn(&T) -> TakeAction + Send + Sync + 'static {
        let signal = self.clone();
        guarded("take_until", until, move |callback| {
            let signal = signal.pointer()?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe { sys::sgk_signal_take_until(signal, Some(border::take_until::<T, F>), context, destroy) })
        })
    }

    /// Emits the last `count` values, or as many as there were, at completion, in their order. An error drops them;
    /// less than 0 is an error. Serial.
    pub fn take_last(&self, count: i64) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_take_last(signal, count) })
        })
    }

    /// Emits the last value, or null if there was none, at completion. An error drops it. Serial.
    pub fn last(&self) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_last(signal) })
        })
    }

    /// Passes the values as long as `filter(value)` is true, and completes at the first for which it is false, which is
    /// dropped; the source is stopped. Serial.
    pub fn take_while<F>(&self, filter: F) -> Signal<T> where F: Fn(&T) -> bool + Send + Sync + 'static {
        let signal = self.clone();
        guarded("take_while", filter, move |callback| {
            let signal = signal.pointer()?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe { sys::sgk_signal_take_while(signal, Some(border::filter::<T, F>), context, destroy) })
        })
    }

    /// Drops the first `count` values and passes the rest; less than 0 is an error. Serial.
    pub fn skip(&self, count: i64) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_skip(signal, count) })
        })
    }

    /// Drops the values as long as `filter(value)` is true; the first for which it is false, and all that follow, pass
    /// without a further question. Serial.
    pub fn skip_while<F>(&self, filter: F) -> Signal<T> where F: Fn(&T) -> bool + Send + Sync + 'static {
        let signal = self.clone();
        guarded("skip_while", filter, move |callback| {
            let signal = signal.pointer()?;
            let (context, destroy) = callback.leaked();
            Ok(unsafe { sys::sgk_signal_skip_while(signal, Some(border::filter::<T, F>), context, destroy) })
        })
    }

    /// Passes the first value and completes right after it; the source is stopped. Where there is none, the end of the
    /// source is the end. Serial.
    pub fn first(&self) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_first(signal) })
        })
    }

    /// Passes the first value and completes right after it; emits `value` when the signal completes without one.
    /// Serial.
    pub fn first_or(&self, value: T) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let value = value.into_value();
            Ok(unsafe { sys::sgk_signal_first_or(signal, value.as_raw()) })
        })
    }

    /// Drops the values until `until` has emitted one; that is stopped then. `until` is started first; its completion
    /// means nothing (without a value before it, nothing ever passes), its error ends the result. Serial.
    pub fn skip_until_signal<U: Value>(&self, until: &Signal<U>) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let until = until.pointer()?;
            Ok(unsafe { sys::sgk_signal_skip_until_signal(signal, until) })
        })
    }

    /// Passes the values until `until` emits one, and completes then. `until` is started first: if it emits at once,
    /// the signal is not started. Its completion means nothing, its error ends the result. Serial.
    pub fn take_until_signal<U: Value>(&self, until: &Signal<U>) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let until = until.pointer()?;
            Ok(unsafe { sys::sgk_signal_take_until_signal(signal, until) })
        })
    }

    /// Emits a value at once and then at most one every `seconds`: the latest of those that came meanwhile, when the
    /// time is over. The end first emits what waits; an error drops it. Delivers on `queue`. `seconds` must be 0 or
    /// more.
    pub fn throttle(&self, seconds: Duration, queue: &Queue) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_throttle(signal, seconds.as_secs_f64(), queue.0.as_ptr()) })
        })
    }

    /// Emits a value when no other has followed it for `seconds`. The end first emits what waits; an error drops it.
    /// Delivers on `queue`. `seconds` must be 0 or more.
    pub fn debounce(&self, seconds: Duration, queue: &Queue) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_debounce(signal, seconds.as_secs_f64(), queue.0.as_ptr()) })
        })
    }

    /// Delivers every event on `queue`: inline when it is current and nothing of the run is on its way, otherwise
    /// later, in order, one at a time. A serial queue is first in, first out across all that uses it: values and ends
    /// of this run and of others, work of `queue_async` and `queue_dispatch`, [`run_on`](Signal::run_on), timers that
    /// have fired. However many events come, it gets to its other work in between. Disposal drops what is on its way.
    pub fn deliver_on(&self, queue: &Queue) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_deliver_on(signal, queue.0.as_ptr()) })
        })
    }

    /// Delivers every event on a thread of `pool`, later, in the order in which they came; each run has a queue of its
    /// own there. The signal keeps the pool.
    pub fn deliver_on_thread_pool(&self, pool: &ThreadPool) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_deliver_on_thread_pool(signal, pool.0.as_ptr()) })
        })
    }

    /// As [`deliver_on`](Signal::deliver_on), with a bound: at most `limit` (1 or more) values wait for `queue`; what
    /// comes then goes by `overflow`. Ends need no room. The queue is given to other work after every `limit` values.
    /// `error` is what `Overflow::Error` fails with, otherwise it does not matter; `counter` may be None.
    pub fn deliver_on_bounded(&self, queue: &Queue, bound: &Bound) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let bound = bound.raw("deliver_on_bounded");
            Ok(unsafe { sys::sgk_signal_deliver_on_bounded(signal, queue.0.as_ptr(), bound.limit, bound.overflow,
                bound.error.as_raw(), bound.counter()) })
        })
    }

    /// Starts the signal on `queue`: inside the start when it is current, otherwise later; disposal before that
    /// prevents it. Where events are delivered is up to the source.
    pub fn run_on(&self, queue: &Queue) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_run_on(signal, queue.0.as_ptr()) })
        })
    }

    /// Starts the signal on a thread of `pool`, always later; disposal before that prevents it. The signal keeps the
    /// pool.
    pub fn run_on_thread_pool(&self, pool: &ThreadPool) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_run_on_thread_pool(signal, pool.0.as_ptr()) })
        })
    }

    /// Delays the start, not the events: the signal is started on `queue` after `seconds`, by a clock that stands still
    /// while the system sleeps. Disposal before that prevents it. `seconds` must be 0 or more; infinity is never.
    pub fn delay(&self, seconds: Duration, queue: &Queue) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_delay(signal, seconds.as_secs_f64(), queue.0.as_ptr()) })
        })
    }

    /// As [`delay`](Signal::delay) (also as to `seconds` and `queue`), but time during which the system sleeps counts:
    /// after waking up the signal is late by at most about `granularity` seconds (4 is a good number; 0: it looks at
    /// the clock only once). By the wall clock; whoever sets that changes the delay.
    pub fn suspend_aware_delay(&self, seconds: Duration, granularity: Duration, queue: &Queue) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_suspend_aware_delay(signal, seconds.as_secs_f64(), granularity.as_secs_f64(),
                queue.0.as_ptr()) })
        })
    }

    /// Goes on with `alternate` when nothing has come from the signal within `seconds`: it is started on `queue`, then
    /// the signal disposed. The first event of any kind calls that off for good. `seconds` must be 0 or more. Serial.
    pub fn timeout(&self, seconds: Duration, alternate: &Signal<T>, queue: &Queue) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let alternate = alternate.pointer()?;
            Ok(unsafe { sys::sgk_signal_timeout(signal, seconds.as_secs_f64(), alternate, queue.0.as_ptr()) })
        })
    }

    /// A signal whose start blocks: it starts `signal`, then keeps the starting thread until its first event of any
    /// kind, or for `seconds` (0 or more); nothing is cancelled by that. Never to be used on a thread that the source
    /// needs.
    pub fn blocking(&self, seconds: Duration) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_blocking(signal, seconds.as_secs_f64()) })
        })
    }

    /// As [`blocking`](Signal::blocking), with the `seconds` measured by the clock of `queue`: a virtual one is moved
    /// on by the wait, as far as that takes.
    pub fn blocking_on(&self, seconds: Duration, queue: &Queue) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_blocking_on(signal, seconds.as_secs_f64(), queue.0.as_ptr()) })
        })
    }

    /// Emits the values in arrays of `count` (1 or more); completion first emits those that are left. An error drops
    /// them. Serial.
    pub fn chunked(&self, count: i64) -> Signal<Vec<T>> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_chunked(signal, count) })
        })
    }

    /// Emits the values in arrays of `count` (1 or more), or of fewer when `seconds` have gone by since the first of
    /// them came: never an empty one. Completion first emits those that wait; an error drops them. Delivers on `queue`.
    /// `seconds` must be 0 or more; infinity is never.
    pub fn chunked_within(&self, count: i64, seconds: Duration, queue: &Queue) -> Signal<Vec<T>> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_chunked_within(signal, count, seconds.as_secs_f64(), queue.0.as_ptr()) })
        })
    }

    /// Emits the values in arrays, one for each value of `boundary`: of those that came since the last one, if there
    /// are any; earlier when there are `limit` (1 or more). Completion first emits those that wait; an error, also of
    /// `boundary`, drops them. The completion of `boundary` means nothing. It is started first. Serial.
    pub fn chunked_by<U: Value>(&self, boundary: &Signal<U>, limit: i64) -> Signal<Vec<T>> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let boundary = boundary.pointer()?;
            Ok(unsafe { sys::sgk_signal_chunked_by(signal, boundary, limit) })
        })
    }

    /// Emits each value, and the completion, `seconds` after it has come, on `queue`. An error comes at once, and drops
    /// what waits. (What others call delay.) At most `limit` (1 or more) values wait; what comes then goes by
    /// `overflow`, which must not be `Overflow::Suspend`: the emitting thread would wait for the time itself. `error`
    /// is what `Overflow::Error` fails with, otherwise it does not matter; `counter` may be None. `seconds` must be 0
    /// or more.
    pub fn delay_each(&self, seconds: Duration, queue: &Queue, bound: &Bound) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let bound = bound.raw("delay_each");
            Ok(unsafe { sys::sgk_signal_delay_each(signal, seconds.as_secs_f64(), queue.0.as_ptr(), bound.limit,
                bound.overflow, bound.error.as_raw(), bound.counter()) })
        })
    }

    /// Goes on with `alternate` when `seconds` go by without an event of the signal: before the first, or between any
    /// two, the delivery of a value not counted. It is started on `queue`, then the signal disposed. `seconds` must be
    /// 0 or more. Serial.
    pub fn timeout_between(&self, seconds: Duration, alternate: &Signal<T>, queue: &Queue) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let alternate = alternate.pointer()?;
            Ok(unsafe { sys::sgk_signal_timeout_between(signal, seconds.as_secs_f64(), alternate, queue.0.as_ptr()) })
        })
    }

    /// As [`throttle`](Signal::throttle) (also as to `seconds` and `queue`), with the values that `edges` says.
    pub fn throttle_edges(&self, seconds: Duration, edges: Edges, queue: &Queue) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_throttle_edges(signal, seconds.as_secs_f64(), edges as sys::sgk_edges,
                queue.0.as_ptr()) })
        })
    }

    /// Emits arrays of two: the time at which a value comes, in seconds from any fixed point, by the clock of `queue`;
    /// and the value.
    pub fn timestamped(&self, queue: &Queue) -> Signal<(f64, T)> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_timestamped(signal, queue.0.as_ptr()) })
        })
    }

    /// Emits arrays of two: the seconds since the value before, or since the start, by the clock of `queue`; and the
    /// value. Serial.
    pub fn time_interval(&self, queue: &Queue) -> Signal<(f64, T)> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_time_interval(signal, queue.0.as_ptr()) })
        })
    }

    /// Passes what comes within `seconds` of the start, then completes, on `queue`; the source is stopped. `seconds`
    /// must be 0 or more. Serial.
    pub fn take_for(&self, seconds: Duration, queue: &Queue) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_take_for(signal, seconds.as_secs_f64(), queue.0.as_ptr()) })
        })
    }

    /// Emits the latest value at each value of `trigger`, if it has come since the last one. Completion first emits the
    /// value that waits, if any; an error, also of `trigger`, drops it. The completion of `trigger` means nothing. It
    /// is started first. Serial.
    pub fn sample_on<U: Value>(&self, trigger: &Signal<U>) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let trigger = trigger.pointer()?;
            Ok(unsafe { sys::sgk_signal_sample_on(signal, trigger) })
        })
    }

    /// The same every `seconds`, on `queue`, as [`interval`](Signal::interval): more than 0 and finite.
    pub fn sample(&self, seconds: Duration, queue: &Queue) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_sample(signal, seconds.as_secs_f64(), queue.0.as_ptr()) })
        })
    }

    /// Shares one run of the signal among all who listen at the same time: the first one starts it, the last one to
    /// leave disposes it, and after that the next one starts it anew. There is no replay of values, but who comes after
    /// the end is told of the end, which is kept as long as the shared signal is there. A run that listens to itself,
    /// at once, through operators or through other shared runs, is not kept by that: who counts are the listeners from
    /// outside.
    pub fn multicast(&self) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_multicast(signal) })
        })
    }

    /// Shares one run of the signal among all who listen: the first one starts it, and a later one gets the latest
    /// `replay` values (0: none) of it first, in one order with those that follow. Who comes after the end gets these
    /// values and the end, which are kept as long as the shared signal is there. `keep` says for how many seconds, by
    /// the clock of `queue`, the run goes on after its last listener has left, for whoever comes by then: with 0 it
    /// ends at once, with HUGE_VAL (infinity) only by itself, and in both cases `queue` may be None. The next one
    /// starts it anew, and nothing of the former run is replayed. What keeps a run that nobody listens to is the shared
    /// signal: when that is gone, the run ends with its last listener. A run that listens to itself is not kept by
    /// that. A source that lets go of its subscriber without an end, as [`never`](Signal::never)() does, has no run
    /// that could be joined: each listener starts it anew.
    pub fn share(&self, replay: i64, keep: Duration, queue: Option<&Queue>) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_share(signal, replay, keep.as_secs_f64(), optional_queue(queue)) })
        })
    }

    /// A signal that emits one value and completes, inside the start.
    pub fn single(value: T) -> Signal<T> {
        Signal::making(|| {
            let value = value.into_value();
            Ok(unsafe { sys::sgk_signal_single(value.as_raw()) })
        })
    }

    /// A signal that completes inside the start.
    pub fn complete() -> Signal<T> {
        Signal::making(|| {
            Ok(unsafe { sys::sgk_signal_complete() })
        })
    }

    /// A signal that emits nothing and never ends.
    pub fn never() -> Signal<T> {
        Signal::making(|| {
            Ok(unsafe { sys::sgk_signal_never() })
        })
    }
}

impl Signal<i64> {
    /// Emits ints, the bits of what `fd` is ready for (SGK_FD_READ, SGK_FD_WRITE, SGK_FD_HANGUP), of those that
    /// `events` has: once, and again when that has been handled, as long as it is so. So who does not read gets the
    /// same again; a regular file is always ready. Reading and writing is the program's affair. Completes when nothing
    /// but SGK_FD_HANGUP is left, which it emits before (not of a socket, which stays readable: who has read its end
    /// disposes); fails with the error that waits at a socket, and with EPIPE when nobody reads the pipe that `fd`
    /// writes to. `events` is SGK_FD_READ, SGK_FD_WRITE, or both.
    pub fn fd(fd: i64, events: i64, queue: &Queue) -> Signal<i64> {
        Signal::making(|| {
            Ok(unsafe { sys::sgk_signal_fd(fd, events, queue.0.as_ptr()) })
        })
    }

    /// Emits the int `signo` for each such signal that comes to the process (several that come at once may be one; what
    /// raise and pthread_kill send is for one thread, and does not come here). Never completes. It must be blocked, by
    /// pthread_sigmask, in all threads, before any other is made: where it is not blocked it does what it does
    /// otherwise, which may end the program. If it is not in the thread that starts a run, the run fails with EINVAL,
    /// and the error's text says that; if it is not in another one, each start writes a warning to the log. (The
    /// library's own threads block all signals; programs that are started by this one inherit the mask.) Of several
    /// runs for one signal each gets some: share one. Only on Linux; elsewhere fails with ENOTSUP.
    pub fn unix_signal(signo: i64, queue: &Queue) -> Signal<i64> {
        Signal::making(|| {
            Ok(unsafe { sys::sgk_signal_unix_signal(signo, queue.0.as_ptr()) })
        })
    }

    /// Waits for the end of the child process `pid`, emits how it was, and completes: its exit status, 0 or more, or
    /// less than 0, the signal that has ended it (-9 for SIGKILL). The child is reaped by that, and no other is: start
    /// it before anything else waits for it, or this fails with ECHILD, as it does for a process that is none of this
    /// one's children, and for each that ends where SIGCHLD is ignored. A child that is not waited for any more, as the
    /// run was disposed, is the program's to reap. Needs Linux 5.3, or fails with ENOSYS; on other systems ENOTSUP.
    pub fn child(pid: i64, queue: &Queue) -> Signal<i64> {
        Signal::making(|| {
            Ok(unsafe { sys::sgk_signal_child(pid, queue.0.as_ptr()) })
        })
    }

    /// Emits `count` ints (0 or more), beginning with `first`, each greater by one, inside each start, as long as
    /// somebody listens, and completes. The last must be an int64_t as well.
    pub fn range(first: i64, count: i64) -> Signal<i64> {
        Signal::making(|| {
            Ok(unsafe { sys::sgk_signal_range(first, count) })
        })
    }

    /// Emits the ints 0, 1, 2 … on `queue`: n at (n + 1) * `seconds` after the start by the queue's clock, whatever
    /// time the deliveries take. What falls due while a number is being delivered is skipped, as the next number tells.
    /// Never ends. `seconds` must be more than 0 and finite; less than a microsecond is taken for one.
    pub fn interval(seconds: Duration, queue: &Queue) -> Signal<i64> {
        Signal::making(|| {
            Ok(unsafe { sys::sgk_signal_interval(seconds.as_secs_f64(), queue.0.as_ptr()) })
        })
    }

    /// Emits the int 0 on `queue`, `seconds` after the start by the queue's clock, and completes. `seconds` must be 0
    /// or more; infinity is never.
    pub fn timer(seconds: Duration, queue: &Queue) -> Signal<i64> {
        Signal::making(|| {
            Ok(unsafe { sys::sgk_signal_timer(seconds.as_secs_f64(), queue.0.as_ptr()) })
        })
    }
}

impl Signal<String> {
    /// Reads lines from `fd`, and emits each as a string, without the newline; what else there is, NULs and carriage
    /// returns, stays. What comes after the last newline is a line, unless it is empty. Completes at the end of what
    /// there is to read. A line of more than `limit` bytes (1 or more) fails the run with EMSGSIZE, after the lines
    /// before it. Up to 64 KiB are read at once, what is longer than a line included: of that nobody else hears.
    pub fn lines(fd: i64, limit: i64, queue: &Queue) -> Signal<String> {
        Signal::making(|| {
            Ok(unsafe { sys::sgk_signal_lines(fd, limit, queue.0.as_ptr()) })
        })
    }
}

impl Signal<Bytes> {
    /// Reads from `fd`, at most `chunk` bytes (1 or more) at once, and emits them as bytes as they come. Completes at
    /// the end of what there is to read. Not for sockets of datagrams, where an empty one would be the end.
    pub fn bytes(fd: i64, chunk: i64, queue: &Queue) -> Signal<Bytes> {
        Signal::making(|| {
            Ok(unsafe { sys::sgk_signal_bytes(fd, chunk, queue.0.as_ptr()) })
        })
    }
}

impl Signal<(i64, String, i64)> {
    /// Emits what happens to the file at `path`, or to the folder and what is in it, of what `mask` has (the bits
    /// SGK_FILE_…, which are inotify's IN_…): arrays of an int, one of those bits, with SGK_FILE_IS_FOLDER perhaps; a
    /// string, the name in the folder, empty for what is watched itself; and an int that is the same for both halves of
    /// a renaming, otherwise 0. `path` is copied. Completes when what is watched is gone, or is not mounted any more;
    /// fails with ENOBUFS when so much has happened that some of it is lost (look anew, and start again), with ENOSPC
    /// when there are too many watches. Only on Linux; elsewhere fails with ENOTSUP.
    pub fn file_changes(path: &str, mask: i64, queue: &Queue) -> Signal<(i64, String, i64)> {
        Signal::making(|| {
            let path = text("file_changes", "path", path)?;
            Ok(unsafe { sys::sgk_signal_file_changes(path.as_ptr(), mask, queue.0.as_ptr()) })
        })
    }
}

/// Of a signal of signals.
impl<T: Value> Signal<Signal<T>> {
    /// Follows the latest inner signal: a new one is started, then the one before it disposed.
    pub fn switch_to_latest(&self) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_switch_to_latest(signal) })
        })
    }

    /// Runs the inner signals one after another, each to its end; those that wait are kept, without a bound. (The
    /// operator `queue` of Swift, `concat` of Rx. Signals that do not come from one signal are run one after another by
    /// a `sequencer`.)
    pub fn queued(&self) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_queued(signal) })
        })
    }

    /// Runs one inner signal after another; of those that arrive while one runs only the latest is kept.
    pub fn throttled(&self) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_throttled(signal) })
        })
    }

    /// Runs the inner signals at the same time, at most `limit` of them (1 or more; None: all), and passes their values
    /// on, one at a time. Those that find no place wait, at most `waiting` of them (0 or more, or None); what comes
    /// then goes by `overflow`. `Overflow::Suspend` is refused: the thread that would wait may be the one that makes
    /// room. `error` is what `Overflow::Error` ends the run with, at once; otherwise it does not matter; `counter` may
    /// be None. Values of signals: see above.
    pub fn merged(&self, limit: Option<i64>, bound: &Bound) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            let bound = bound.raw("merged");
            Ok(unsafe { sys::sgk_signal_merged(signal, limit.unwrap_or(sys::SGK_UNBOUNDED), bound.limit, bound.overflow,
                bound.error.as_raw(), bound.counter()) })
        })
    }
}

/// Of a signal of events.
impl<T: Value> Signal<Event<T>> {
    /// Makes events of such arrays, the reverse of [`to_events`](Signal::to_events). A signal that ends without an
    /// event of an end ends the result in the same way. A value that is no event ends it with that value as the error.
    /// Serial.
    pub fn from_events(&self) -> Signal<T> {
        Signal::making(|| {
            let signal = self.pointer()?;
            Ok(unsafe { sys::sgk_signal_from_events(signal) })
        })
    }
}
