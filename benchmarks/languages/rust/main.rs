//! A map and a filter in Rust, as described in ../../python/languages.py.

use futures_core::Stream;
use signalkit::Signal;
use std::os::raw::{c_int, c_void};
use std::pin::Pin;
use std::ptr::null;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::Arc;
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};
use std::time::Instant;

// ---- The streams of futures_util, which may not be installed. A box has a type that can be named, like a signal. ----

type Boxed<T> = Pin<Box<dyn Stream<Item = T>>>;

struct Iter<I>(I);
impl<I: Iterator + Unpin> Stream for Iter<I> {
    type Item = I::Item;
    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context) -> Poll<Option<I::Item>> {
        Poll::Ready(self.0.next())
    }
}

struct Map<T, F>(Boxed<T>, F);
impl<T, U, F: FnMut(T) -> U + Unpin> Stream for Map<T, F> {
    type Item = U;
    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Option<U>> {
        let polled = self.0.as_mut().poll_next(context);
        polled.map(|value| value.map(&mut self.1))
    }
}

struct Filter<T, F>(Boxed<T>, F);
impl<T, F: FnMut(&T) -> bool + Unpin> Stream for Filter<T, F> {
    type Item = T;
    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Option<T>> {
        loop {
            match self.0.as_mut().poll_next(context) {
                Poll::Ready(Some(value)) if !(self.1)(&value) => {}
                polled => return polled,
            }
        }
    }
}

/// Polls a stream that is always ready, to its end.
fn for_each<T>(mut stream: Boxed<T>, mut next: impl FnMut(T)) {
    const WAKER: RawWaker = RawWaker::new(std::ptr::null(), &TABLE);
    const TABLE: RawWakerVTable = RawWakerVTable::new(|_| WAKER, |_| {}, |_| {}, |_| {});
    let waker = unsafe { Waker::from_raw(WAKER) };
    let mut context = Context::from_waker(&waker);
    while let Poll::Ready(Some(value)) = stream.as_mut().poll_next(&mut context) {
        next(value);
    }
}

// ---- The cases ----

fn is_even(n: &i64) -> bool {
    n % 2 == 0
}
fn has_even_length(text: &String) -> bool {
    text.len() % 2 == 0
}
fn exclaimed(mut text: String) -> String {
    text.push('!');
    text
}
fn texts(count: i64) -> impl Iterator<Item = String> + Send {
    (0..count).map(|n| ["a text of twenty-one.", "a text of twenty-two.."][n as usize % 2].to_string())
}

fn summed<T: signalkit::Value>(signal: Signal<T>, part: impl Fn(T) -> u64 + Send + Sync + 'static) -> u64 {
    let sum = Arc::new(AtomicU64::new(0));
    let total = sum.clone();
    let next = move |value: T| sum.store(sum.load(Relaxed) + part(value), Relaxed); // on one thread
    signal.start(next).expect("it starts").detach();
    total.load(Relaxed)
}

fn range(count: i64) -> u64 {
    summed(Signal::range(0, count).map(|n| n + 1).filter(is_even), |n| n as u64)
}

fn our_texts(count: i64) -> u64 {
    let signal = Signal::from_iterator(move || texts(count)).map(exclaimed).filter(has_even_length);
    summed(signal, |text| text.len() as u64)
}

fn streams(count: i64) -> u64 {
    let mut sum = 0;
    let mapped = Map(Box::pin(Iter(0..count)) as Boxed<i64>, |n: i64| n + 1);
    for_each(Box::pin(Filter(Box::pin(mapped) as Boxed<i64>, is_even)), |n| sum += n as u64);
    sum
}

fn text_streams(count: i64) -> u64 {
    let mut sum = 0;
    let mapped = Map(Box::pin(Iter(texts(count))) as Boxed<String>, exclaimed);
    for_each(Box::pin(Filter(Box::pin(mapped) as Boxed<String>, has_even_length)), |text| sum += text.len() as u64);
    sum
}

extern "C" {
    fn lfind(
        key: *const c_void,
        base: *const c_void,
        count: *mut usize,
        size: usize,
        compare: extern "C" fn(*const c_void, *const c_void) -> c_int,
    ) -> *mut c_void;
}

/// A function of C calls a function for each value, which counts the calls.
fn call(mut count: i64) -> u64 {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    extern "C" fn compare(_: *const c_void, _: *const c_void) -> c_int {
        CALLS.store(CALLS.load(Relaxed) + 1, Relaxed);
        1
    }
    CALLS.store(0, Relaxed);
    unsafe { lfind(null(), null(), &mut count as *mut i64 as *mut usize, 0, compare) };
    CALLS.load(Relaxed)
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |place: usize| arguments[place].parse::<i64>().expect("a number");
    let run = match arguments[1].as_str() {
        "range" => range,
        "text" => our_texts,
        "call" => call,
        "peer" => streams,
        "peer.text" => text_streams,
        name => panic!("no case {name}"),
    };
    run(number(2));
    let start = Instant::now();
    let sum = run(number(3));
    println!("{} {sum}", start.elapsed().as_nanos() as f64 / number(3) as f64);
}
