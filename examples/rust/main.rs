//! The scenes that the examples of all languages run (docs/languages.md).
//!
//! From bindings/rust:
//!
//!     cargo run -p scenes                 all scenes except the next two
//!     cargo run -p scenes leaving         the program exits with a live subscription
//!     cargo run -p scenes interrupted     Ctrl-C ends the waiting program

use signalkit::{
    live_total, main_run, main_stop, Edges, Error, Event, Observer, Pipe, Queue, Retry, Signal, Subscription, Value,
};
use std::fmt::Display;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{mpsc, Arc, Mutex};
use std::time::{Duration, Instant};

fn show<T: Value + Display>(name: &'static str, signal: &Signal<T>) -> Result<Subscription, Error> {
    signal.start_events(move |event| match event {
        Event::Next(value) => println!("{name}: {value}"),
        Event::Error(error) => println!("{name}: {error}"),
        Event::Completed => println!("{name}: end"),
    })
}

fn halves() -> Result<(), Error> {
    let pipe = Pipe::new();
    let _run = show("half", &pipe.signal().filter(|n: &i64| n % 2 == 0).map(|n| n / 2))?;
    for n in 1..=6 {
        pipe.next(n);
    }
    pipe.complete();
    Ok(())
}

fn text() -> Result<(), Error> {
    show("text", &Signal::of(["grün".to_string()]).map(|word| word + "!")).map(drop)
}

fn stopped() -> Result<(), Error> {
    let pipe: Pipe<i64> = Pipe::new();
    let subscription = show("stopped", &pipe.signal())?;
    pipe.next(1);
    drop(subscription);
    pipe.next(2);
    Ok(())
}

fn own_thread() -> Result<(), Error> {
    let own = std::thread::current().id();
    let source = Signal::of([1, 2, 3]).run_on(&Queue::new("elsewhere"));
    let elsewhere = source.filter(move |_| std::thread::current().id() != own);
    let place = move || if std::thread::current().id() == own { "own thread" } else { "another thread" };
    let observer = Observer::new().next(move |n: i32| println!("{}: {n}", place())).completed(move || {
        println!("{}: end", place());
        main_stop();
    });
    let _run = elsewhere.deliver_on(&Queue::main()).observe(observer)?;
    main_run()
}

fn failed() -> Result<(), Error> {
    show("failed", &Signal::of([1]).concat_with(&Signal::fail("unplugged"))).map(drop)
}

/// Panics are reported as the errors of signals, not on stderr.
fn without_hook(scene: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
    std::panic::set_hook(Box::new(|_| {}));
    let result = scene();
    let _ = std::panic::take_hook();
    result
}

fn thrown() -> Result<(), Error> {
    let tens = Signal::of([1, 2, 3, 4]).map(|n| if n == 3 { panic!("three is too many") } else { n * 10 });
    show("thrown", &tens).map(drop)
}

fn misuse() -> Result<(), Error> {
    if let Err(error) = show("misuse", &Signal::of([1]).take(-1)) {
        println!("misuse: {error}");
    }
    Ok(())
}

/// Ends objects twice where that is possible. The compiler rejects the use of dropped objects.
fn closed_twice() -> Result<(), Error> {
    let pipe = Pipe::new();
    let signal = pipe.signal();
    let subscription = show("closed twice", &signal)?;
    pipe.next(1);
    pipe.complete();
    pipe.complete();
    subscription.dispose();
    subscription.dispose();
    pipe.next(2); // after the end: dropped
    show("used after close", &signal).map(drop)
}

/// A callback panics. Its subscription fails, and the pipe continues.
fn left() -> Result<(), Error> {
    let pipe = Pipe::new();
    let leaving = Observer::new().next(|n: i64| {
        println!("left: {n}");
        std::panic::panic_any(n)
    });
    let _run = pipe.signal().observe(leaving.error(|error| {
        assert_eq!(error.take_panic().and_then(|payload| payload.downcast().ok()), Some(Box::new(1_i64)));
        println!("left: and out")
    }))?;
    let _others = pipe.signal().filter(|n| *n == 2).start(|n| println!("left: {n} for the others"))?;
    pipe.next(1);
    pipe.next(2);
    Ok(())
}

/// Two timers are combined and throttled. The first attempt fails and is retried. Callbacks run on the main thread.
fn timers() -> Result<(), Error> {
    let (main, attempts, number) = (Queue::main(), AtomicI64::new(0), AtomicI64::new(0));
    let milliseconds = Duration::from_millis;
    let queue = main.clone();
    let pairs = Signal::deferred(move || {
        let attempt = attempts.fetch_add(1, Ordering::Relaxed) + 1;
        println!("timers: attempt {attempt}");
        if attempt == 1 {
            return Signal::fail("not yet");
        }
        let timers = (Signal::interval(milliseconds(1), &queue), Signal::interval(milliseconds(2), &queue));
        Signal::combine_latest(&timers, None)
    });
    let policy = Retry { delay: milliseconds(1), ..Retry::default() };
    let tried = pairs.retry(&policy, &main).throttle(milliseconds(3), Edges::Both, &main);
    let numbers = tried.map(move |_| number.fetch_add(1, Ordering::Relaxed) + 1).take(3);
    let _run = show("timers", &numbers.after_completed(main_stop))?;
    main_run()
}

/// In KiB.
fn memory() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// Memory is flat when it has grown by less than a kilobyte for each of the 10,000, after as many before.
fn subscriptions() -> Result<(), Error> {
    let source: Pipe<i64> = Pipe::new();
    let numbers = source.signal().map(|n| n + 1).take(2);
    let make_and_drop = || (0..10_000).try_for_each(|_| numbers.start(|n| println!("{n}")).map(drop));
    make_and_drop()?;
    let (before, alive) = (memory(), live_total());
    make_and_drop()?;
    let grown = memory() - before;
    println!("subscriptions: 10000 made, {} left", live_total() - alive);
    let flat = if grown < 10_000 { "flat".into() } else { format!("{grown} KiB more") };
    println!("subscriptions: memory {flat}");
    Ok(())
}

fn own_subscription() -> Result<(), Error> {
    let pipe = Pipe::new();
    let subscription = Arc::new(Mutex::new(None::<Subscription>));
    let own = subscription.clone();
    let next = move |n: i64| {
        println!("own subscription: {n}");
        drop(own.lock().unwrap().take());
    };
    let observer = Observer::new().next(next).completed(|| println!("own subscription: end"));
    *subscription.lock().unwrap() = Some(pipe.signal().take(3).observe(observer)?);
    pipe.next(1);
    pipe.next(2);
    println!("own subscription: over");
    Ok(())
}

/// The program ends with a timer running that calls it all the time.
fn leaving() -> Result<(), Error> {
    let (ticks, ticked) = mpsc::sync_channel(1);
    let interval = Signal::interval(Duration::from_micros(100), &Queue::new("ticks"));
    let subscription = interval.start(move |_| {
        let _ = ticks.try_send(());
    });
    subscription?.detach();
    ticked.recv().expect("the timer ticks");
    println!("leaving: with a live subscription");
    Ok(())
}

/// Waits until a signal ends the program. The test sends SIGINT after the line, and checks the exit status.
fn interrupted() -> Result<(), Error> {
    let ticks = Signal::interval(Duration::from_millis(1), &Queue::main());
    let _run = ticks.skip(1).take(1).start(|_| println!("interrupted: waiting"))?;
    main_run()
}

fn main() -> Result<(), Error> {
    match std::env::args().nth(1).as_deref() {
        Some("leaving") => return leaving(),
        Some("interrupted") => return interrupted(),
        _ => {}
    }
    halves()?;
    text()?;
    stopped()?;
    own_thread()?;
    failed()?;
    without_hook(thrown)?;
    misuse()?;
    closed_twice()?;
    without_hook(left)?;
    timers()?;
    subscriptions()?;
    own_subscription()?;
    let deadline = Instant::now() + Duration::from_secs(60);
    while live_total() > 0 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(1));
    }
    println!("alive: {}", live_total());
    Ok(())
}
