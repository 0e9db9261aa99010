//! Tests each operator, source and combination of the description with a few values.

mod common;
#[rustfmt::skip]
mod names;

use signalkit::{
    AnyError, AtEnd, Begin, Retry, Bound, Edges, Error, Event, FileEvents, Outcome, Overflow, Queue, Readiness, Signal,
    Step, Value, VirtualTime,
};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

const SECOND: Duration = Duration::from_secs(1);
/// Tests of virtual time do not wait. The others wait for events.
const PATIENCE: Option<Duration> = Some(Duration::from_secs(60));

fn numbers() -> Signal<i64> {
    Signal::range(1, 4)
}

fn one_to_three() -> Signal<i64> {
    Signal::range(1, 3)
}

fn unbounded() -> Bound {
    Bound::unbounded()
}

/// Returns the events of a signal.
fn all<T: Value + Debug>(signal: Signal<T>) -> String {
    match signal.collect(PATIENCE) {
        Ok(values) => format!("{values:?}"),
        Err(error) => format!("failed: {error}"),
    }
}

/// Returns its events in the first ten virtual seconds, with their times.
fn timed<T: Value + Debug>(make: impl FnOnce(&VirtualTime) -> Signal<T>) -> String {
    let time = VirtualTime::new();
    let clock = time.clone();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = seen.clone();
    let run = make(&time).start_events(move |event| {
        let now = clock.now().as_secs_f64();
        log.lock().unwrap().push(match event {
            Event::Next(value) => format!("{now}: {value:?}"),
            Event::Error(error) => format!("{now}: failed: {error}"),
            Event::Completed => format!("{now}: end"),
        })
    });
    let run = run.unwrap();
    time.advance(SECOND * 10).unwrap();
    drop(run);
    let seen = seen.lock().unwrap();
    seen.join(", ")
}

/// Returns a signal that fails `times` times, then emits its number of attempts.
fn failing(times: i64) -> Signal<i64> {
    let attempts = AtomicI64::new(0);
    Signal::deferred(move || {
        let attempt = attempts.fetch_add(1, Relaxed);
        if attempt < times {
            Signal::fail(format!("attempt {attempt}"))
        } else {
            Signal::just(attempt)
        }
    })
}

fn ticks(time: &VirtualTime) -> Signal<i64> {
    Signal::interval(SECOND, time)
}

/// Returns the events of a signal and a list of the callbacks it received.
fn watched<T: Value + Debug>(watch: impl FnOnce(Arc<dyn Fn(String) + Send + Sync>) -> Signal<T>) -> String {
    let told = Arc::new(Mutex::new(Vec::new()));
    let list = told.clone();
    let values = all(watch(Arc::new(move |text| list.lock().unwrap().push(text))));
    let told = told.lock().unwrap().join(" ");
    format!("{values} {told}")
}

fn cases() -> BTreeMap<&'static str, (String, &'static str)> {
    let mut cases = BTreeMap::new();
    let mut case = |name, found, wanted| assert!(cases.insert(name, (found, wanted)).is_none(), "{name} twice");
    for (name, found, wanted) in names::cases() {
        case(name, found, wanted);
    }
    let inner = |n: i64| Signal::of([n, n * 10]);
    let signals = || numbers().map(inner);
    let queue = Queue::new("operators");

    // Sources and combinations.
    case("just", all(Signal::just(7)), "[7]");
    case("empty", all(Signal::<i64>::empty()), "[]");
    case("fail", all(Signal::<i64>::fail("no")), "failed: no");
    case("never", timed(|_| Signal::<i64>::never()), "");
    case("range", all(Signal::range(3, 2)), "[3, 4]");
    case("from_array", all(Signal::of(["a".to_string()])), r#"["a"]"#);
    case("from_iterator", all(Signal::from_iterator(|| vec![1, 2].into_iter())), "[1, 2]");
    case(
        "create",
        all(Signal::create(|s| {
            s.next(1);
            s.complete();
        })),
        "[1]",
    );
    case("using", all(Signal::using(|| 5, |n| Signal::just(*n))), "[5]");
    case("deferred", all(Signal::deferred(|| Signal::just(1))), "[1]");
    case("interval", timed(|t| ticks(t).take(2)), "1: 0, 2: 1, 2: end");
    case("timer", timed(|t| Signal::timer(SECOND, t)), "1: 0, 1: end");
    case("fd", all(Signal::fd(9999, Readiness::READ, &queue).catch_and_return(Readiness::WRITE)), "[Readiness::WRITE]");
    case("fd_lines", all(Signal::fd_lines(9999, 9, &queue).catch_and_return("bad".to_string())), "[\"bad\"]");
    case("fd_bytes", all(Signal::fd_bytes(9999, 9, &queue).map(|_| 0).catch_and_return(7)), "[7]");
    let text = Signal::just("x".to_string());
    case("sink_fd", all(text.sink_fd(9999, AtEnd::KeepOpen, &Bound::at(9, Overflow::Pause), &queue).catch_and_return("bad".to_string())), "[\"bad\"]");
    case("unix_signal", all(Signal::unix_signal(9999, &queue).catch_and_return(7)), "[7]");
    case("child", all(Signal::child(1, &queue).catch_and_return(7)), "[7]");
    case("wall_clock_timer", all(Signal::wall_clock_timer(UNIX_EPOCH, &queue)), "[0]");
    case("file_lines", all(Signal::file_lines("/nowhere/log", Begin::AtStart, 9, &queue).catch_and_return("bad".to_string())), "[\"bad\"]");
    let none = (FileEvents::GONE, "none".to_string(), 0);
    case("file_changes", all(Signal::file_changes("/nowhere", FileEvents::CREATED, &queue).catch_and_return(none)), "[(FileEvents::GONE, \"none\", 0)]");
    case(
        "accumulating_loop",
        all(Signal::accumulating_loop(
            |sum: Option<i64>| (sum.unwrap_or(0) < 6).then(|| Signal::of([1, 2])),
            |a, b| a + b,
        )),
        "[1, 3, 4, 6]",
    );
    let pair = (numbers(), Signal::of(["x".to_string()]));
    case(
        "combine_latest",
        all(Signal::combine_latest(&(Signal::just(1), Signal::just(true)), None)),
        "[(1, true)]",
    );
    case(
        "combine_latest_map",
        all(Signal::combine_latest_map(&[Signal::just(1), Signal::just(2)], |row| row.len() as i64, None)),
        "[2]",
    );
    case("merge", all(Signal::merge(&[numbers(), Signal::just(9)])), "[1, 2, 3, 4, 9]");
    case("zip", all(Signal::zip(&pair, &unbounded())), r#"[(1, "x")]"#);
    case("zip_map", all(Signal::zip_map(&pair, &unbounded(), |(n, text)| format!("{text}{n}"))), r#"["x1"]"#);
    case("race", all(Signal::race(&[Signal::never(), numbers()])), "[1, 2, 3, 4]");
    case("concat", all(Signal::concat(&[numbers(), numbers()])), "[1, 2, 3, 4, 1, 2, 3, 4]");

    // Values.
    case("map", all(numbers().map(|n| n.to_string())), r#"["1", "2", "3", "4"]"#);
    case("filter", all(numbers().filter(|n| n % 2 == 0)), "[2, 4]");
    case("compact_map", all(numbers().compact_map(|n| (n > 2).then(|| n as f64 / 2.0))), "[1.5, 2.0]");
    case(
        "transform",
        all(numbers().transform(|n| match n {
            1 => Outcome::Unchanged,
            2 => Outcome::Dropped,
            3 => Outcome::Replaced(n * 10),
            _ => Outcome::Failed(Error::new("four")),
        })),
        "failed: four",
    );
    case("try_map", all(numbers().try_map(|n| if n < 5 { Ok(n) } else { Err("five") })), "[1, 2, 3, 4]");
    case("try_filter", all(numbers().try_filter(|n| if *n < 3 { Ok(true) } else { Err("three") })), "failed: three");
    case("map_error", all(Signal::<i64>::fail("no").map_error(|e| Error::new(format!("{e}!")))), "failed: no!");
    let repeated = || Signal::of([1, 1, 2, 1]);
    case("distinct_until_changed", all(repeated().distinct_until_changed()), "[1, 2, 1]");
    case("distinct_until_changed_by", all(repeated().distinct_until_changed_by(|a, b| a <= b)), "[1]");
    case("distinct", all(repeated().distinct(&unbounded())), "[1, 2]");
    case("distinct_by", all(numbers().distinct_by(&unbounded(), |n| n % 2)), "[1, 2]");
    case("reduce", all(numbers().reduce(String::new(), |a, n| format!("{a}{n}"))), r#"["1234"]"#);
    case("scan", all(numbers().scan(0, |a, n| a + n)), "[1, 3, 6, 10]");
    case(
        "reduce_generator",
        all(numbers().reduce_generator(0, |a, n| {
            Signal::just(Step { accumulated: a + n, emitted: (n == 3).then(|| 33) })
        })),
        "[33, 10]",
    );
    case("pairwise", all(numbers().pairwise()), "[(1, 2), (2, 3), (3, 4)]");
    case("enumerated", all(Signal::of([true, false]).enumerated()), "[(0, true), (1, false)]");
    case("to_array", all(numbers().to_array(&unbounded())), "[[1, 2, 3, 4]]");
    case("to_events", all(Signal::just(1).to_events()), "[Next(1), Completed]");
    case("from_events", all(Signal::of([Event::Next(1), Event::Error(Error::new("no"))]).from_events()), "failed: no");
    case("with_latest_from", all(numbers().with_latest_from(&Signal::just(true)).take(1)), "[(1, true)]");
    case(
        "with_latest_from_map",
        all(numbers().with_latest_from_map(&Signal::just(10), |(a, b)| a * b)),
        "[10, 20, 30, 40]",
    );

    // Watching.
    case("before_next", watched(|t| numbers().take(1).before_next(move |n| t(format!("next {n}")))), "[1] next 1");
    case("after_next", watched(|t| numbers().take(1).after_next(move |n| t(format!("next {n}")))), "[1] next 1");
    case("before_started", watched(|t| numbers().take(1).before_started(move || t("started".into()))), "[1] started");
    case(
        "before_error",
        watched(|t| Signal::<i64>::fail("no").before_error(move |error| t(error.to_string()))),
        "failed: no no",
    );
    case("before_completed", watched(|t| numbers().take(1).before_completed(move || t("end".into()))), "[1] end");
    case("after_completed", watched(|t| numbers().take(1).after_completed(move || t("end".into()))), "[1] end");
    case("after_disposed", watched(|t| numbers().take(1).after_disposed(move || t("over".into()))), "[1] over");
    case("named", all(numbers().named("numbers")), "[1, 2, 3, 4]");
    case("trace", all(Signal::just(1).trace("trace")), "[1]");

    // Signals of signals.
    case("switch_to_latest", all(signals().switch_to_latest()), "[1, 10, 2, 20, 3, 30, 4, 40]");
    case("concat_all", all(signals().concat_all()), "[1, 10, 2, 20, 3, 30, 4, 40]");
    case("concat_latest", all(signals().concat_latest()), "[1, 10, 2, 20, 3, 30, 4, 40]");
    case("merge_all", all(signals().merge_all(Some(1), &unbounded())), "[1, 10, 2, 20, 3, 30, 4, 40]");
    case("take_until_replacement", all(numbers().take_until_replacement(&Signal::never())), "[1, 2, 3, 4]");
    case("switch_map", all(numbers().switch_map(inner)), "[1, 10, 2, 20, 3, 30, 4, 40]");
    case("concat_map", all(numbers().concat_map(inner)), "[1, 10, 2, 20, 3, 30, 4, 40]");
    case("concat_map_latest", all(numbers().concat_map_latest(inner)), "[1, 10, 2, 20, 3, 30, 4, 40]");
    case(
        "merge_all_ordered",
        all(signals().merge_all_ordered(Some(1), &unbounded())),
        "[1, 10, 2, 20, 3, 30, 4, 40]",
    );
    case(
        "map_ordered",
        all(numbers().map_ordered(None, &unbounded(), inner)),
        "[1, 10, 2, 20, 3, 30, 4, 40]",
    );
    case("merge_map", all(numbers().merge_map(None, &unbounded(), inner)), "[1, 10, 2, 20, 3, 30, 4, 40]");
    case(
        "exhaust_map",
        timed(|t| {
            let t = t.clone();
            numbers().exhaust_map(move |n| Signal::timer(SECOND, &t).map(move |_| n))
        }),
        "1: 1, 1: end",
    );
    case(
        "switch_map_per",
        all(numbers().switch_map_per(&unbounded(), |n| n % 2, inner)),
        "[1, 10, 2, 20, 3, 30, 4, 40]",
    );
    case(
        "group_by",
        all(numbers().group_by(&unbounded(), |n| n % 2, |key, values| values.map(move |n| (key, n)))),
        "[(1, 1), (0, 2), (1, 3), (0, 4)]",
    );

    // Sequences.
    case("concat_with", all(Signal::just(1).concat_with(&Signal::just(2))), "[1, 2]");
    case("catch", all(Signal::fail("no").catch(|e| Signal::just(e.to_string()))), r#"["no"]"#);
    case("start_with", all(numbers().start_with(0)), "[0, 1, 2, 3, 4]");
    case("end_with", all(numbers().end_with(5)), "[1, 2, 3, 4, 5]");
    case("default_if_empty", all(Signal::empty().default_if_empty(1)), "[1]");
    case("switch_if_empty", all(Signal::empty().switch_if_empty(&numbers())), "[1, 2, 3, 4]");
    case("catch_with", all(Signal::fail("no").catch_with(&numbers())), "[1, 2, 3, 4]");
    case("catch_and_return", all(Signal::fail("no").catch_and_return(1)), "[1]");
    case("repeat", all(Signal::of([1, 2]).repeat(Some(2)).repeat(None).take(5)), "[1, 2, 1, 2, 1]");
    let growing = Retry { attempts: Some(3), ..Retry::default() };
    case("retry", timed(|t| failing(2).retry(&growing, t)), "3: 2, 3: end");
    let at_once = Retry { delay: Duration::ZERO, ..Retry::default() };
    let again = |_, failures| (failures > 1).then(|| Signal::<i64>::fail("other"));
    assert_eq!(timed(|t| failing(2).retry_deciding(&at_once, again, t)), "0: failed: other");
    let later = |t: &Queue| (t.clone(), Retry::default());
    let waiting = |(t, policy): (Queue, Retry)| {
        let timer = t.clone();
        failing(1).retry_deciding(&policy, move |_, _| Some(Signal::timer(SECOND * 5, &timer)), &t)
    };
    assert_eq!(timed(|t| waiting(later(t))), "5: 1, 5: end");
    let gives_up = |_, _| Some(Signal::<i64>::empty());
    assert_eq!(timed(|t| failing(2).retry_deciding(&at_once, gives_up, t)), "0: failed: attempt 0");

    // Parts.
    case("take_while", all(numbers().take_while(|n| *n < 3)), "[1, 2]");
    case("skip_while", all(numbers().skip_while(|n| *n < 3)), "[3, 4]");
    case("skip_until", all(numbers().skip_until(&Signal::<bool>::never())), "[]");
    case("paused_by", all(numbers().paused_by(&Signal::of([true, false]))), "[1, 2, 3, 4]");
    case("take_until", all(numbers().take_until(&Signal::just(true))), "[]");

    // Time.
    case("throttle", timed(|t| ticks(t).take(3).throttle(SECOND * 2, Edges::Both, t)), "1: 0, 3: 1, 3: 2, 3: end");
    case("debounce", timed(|t| numbers().debounce(SECOND, t)), "0: 4, 0: end");
    case("deliver_on", all(numbers().deliver_on(&queue)), "[1, 2, 3, 4]");
    case(
        "deliver_on_bounded",
        all(numbers().deliver_on_bounded(&Bound::at(1, Overflow::Suspend), &queue)),
        "[1, 2, 3, 4]",
    );
    let counter = signalkit::OverflowCounter::new();
    let paused = all(numbers().deliver_on_bounded(&Bound::at(1, Overflow::Pause).counting(&counter), &queue));
    assert_eq!(paused, "[1, 2, 3, 4]");
    assert_eq!(counter.exceeded(), 0);
    let (time, pipe) = (signalkit::VirtualTime::new(), signalkit::Pipe::new());
    let bound = Bound::at(4, Overflow::Pause).then(Overflow::DropOldest).counting(&counter);
    let (seeing, seen) = std::sync::mpsc::channel();
    let bounded = pipe.signal().deliver_on_bounded(&bound, &time);
    let run = bounded.start(move |n: i64| seeing.send(n).unwrap()).unwrap();
    let paused: Vec<bool> = (1..=5).map(|n| pipe.next(n) && pipe.is_paused()).collect();
    assert_eq!(paused, [false, false, true, true, true]); // from three quarters of the limit
    time.run(Some(100)).unwrap();
    assert_eq!(seen.try_iter().collect::<Vec<_>>(), [2, 3, 4, 5]);
    assert_eq!((counter.dropped(), counter.exceeded()), (1, 0));
    run.dispose();
    for refused in [Bound::at(4, Overflow::Suspend).then(Overflow::DropOldest), bound.then(Overflow::Pause)] {
        let error = numbers().deliver_on_bounded(&refused, &queue).collect(None).unwrap_err();
        assert_eq!(error.to_string(), "deliver_on_bounded: only Overflow::Pause takes another policy");
    }
    let (resumes, resumed) = std::sync::mpsc::channel();
    let (opens, open) = std::sync::mpsc::channel::<()>();
    let pipe = signalkit::Pipe::new();
    let slow = Queue::new("slow");
    slow.dispatch(move || open.recv().unwrap_or(())).unwrap();
    let run = pipe.signal().deliver_on_bounded(&Bound::at(1, Overflow::Pause), &slow).start(|_: i64| ()).unwrap();
    let (one, other) = (run.hold().unwrap(), run.disposable().hold().unwrap());
    drop(one);
    assert!(pipe.is_paused());
    other.dispose();
    assert!(!pipe.is_paused());
    assert!(signalkit::Disposable::new(|| ()).hold().is_err());
    assert!(!pipe.is_paused() && pipe.next(1) && pipe.is_paused());
    pipe.on_resume(&queue, move || resumes.send(()).unwrap()).unwrap();
    opens.send(()).unwrap();
    resumed.recv().unwrap();
    run.dispose();
    assert!(!pipe.is_paused());
    let (gives, given) = std::sync::mpsc::channel();
    let run = Signal::create(move |subscriber: signalkit::Subscriber<i64>| {
        gives.send(subscriber).unwrap();
        signalkit::Disposable::new(|| ())
    })
    .start(|_: i64| ())
    .unwrap();
    let (subscriber, hold) = (given.recv().unwrap(), run.hold().unwrap());
    let (resumes, resumed) = std::sync::mpsc::channel();
    assert!(subscriber.is_paused());
    subscriber.on_resume(&queue, move || resumes.send(()).unwrap()).unwrap();
    assert!(resumed.try_recv().is_err());
    drop(hold);
    resumed.recv().unwrap();
    assert!(!subscriber.is_paused());
    run.dispose();
    case("run_on", all(numbers().run_on(&queue)), "[1, 2, 3, 4]");
    case("delay_start", timed(|t| Signal::just(1).delay_start(SECOND, t)), "1: 1, 1: end");
    case("suspend_aware_delay", timed(|t| Signal::just(1).suspend_aware_delay(SECOND, SECOND, t)), "1: 1, 1: end");
    case("timeout_first", timed(|t| Signal::never().timeout_first(SECOND, t).catch_and_return(1)), "1: 1, 1: end");
    case(
        "timeout",
        timed(|t| ticks(t).take(1).concat_with(&Signal::never()).timeout(SECOND * 2, t).catch_and_return(9)),
        "1: 0, 3: 9, 3: end",
    );
    case("chunked_within", timed(|t| ticks(t).take(3).chunked_within(2, SECOND * 5, t)), "2: [0, 1], 3: [2], 3: end");
    case("chunked_by", all(numbers().chunked_by(&Signal::<bool>::never(), 3)), "[[1, 2, 3], [4]]");
    case(
        "rate_limit",
        timed(|t| Signal::of([1, 2, 3]).rate_limit(2, SECOND * 2, &unbounded(), t)),
        "0: 1, 0: 2, 1: 3, 1: end",
    );
    case(
        "delay",
        timed(|t| Signal::of([1, 2]).delay(SECOND, &Bound::at(9, Overflow::Error), t)),
        "1: 1, 1: 2, 1: end",
    );
    assert_eq!(timed(|t| numbers().throttle(SECOND, Edges::Leading, t)), "0: 1, 0: end");
    case("timestamped", timed(|t| ticks(t).take(2).timestamped(t)), "1: (1s, 0), 2: (2s, 1), 2: end");
    case("time_interval", timed(|t| ticks(t).take(2).time_interval(t)), "1: (1s, 0), 2: (1s, 1), 2: end");
    case("take_for", timed(|t| ticks(t).take_for(SECOND * 3 / 2, t)), "1: 0, 1.5: end");
    case("sample_on", timed(|t| ticks(t).take(3).sample_on(&Signal::interval(SECOND * 2, t))), "2: 0, 3: 2, 3: end");
    case("sample", timed(|t| ticks(t).take(3).sample(SECOND * 2, t)), "2: 0, 3: 2, 3: end");
    case("share", all(numbers().share(0, Duration::ZERO, None)), "[1, 2, 3, 4]");
    cases
}

#[test]
fn all_operators() {
    signalkit::set_log(|_| {}); // of `trace`
    common::scene(|| {
        let cases = cases();
        let wrong: Vec<_> = cases.iter().filter(|(_, (found, wanted))| found != wanted).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
        let forgotten: Vec<_> = names::OPERATORS.iter().filter(|name| !cases.contains_key(*name)).collect();
        assert!(forgotten.is_empty(), "without a case: {forgotten:?}");
        Ok(())
    });
}

/// Tests that a panic in each guarded operator's closure fails only the subscription.
#[test]
fn panics_in_operators() {
    fn panicking<T>() -> T {
        std::panic::panic_any(42_i32)
    }
    let check = |name: &str, found: Result<(), Error>| {
        let error = found.expect_err(name);
        let payload = error.take_panic().unwrap_or_else(|| panic!("{name}: {error}"));
        assert_eq!(payload.downcast_ref(), Some(&42), "{name}");
    };
    fn run<T: Value>(signal: Signal<T>) -> Result<(), Error> {
        signal.collect(PATIENCE).map(drop)
    }
    let n = numbers;
    let broken = || Signal::<i64>::fail("broken");
    common::scene(|| {
        let queue = Queue::concurrent();
        common::quiet(|| {
            check("map", run(n().map(|_| panicking::<i64>())));
            check("filter", run(n().filter(|_| panicking())));
            check("compact_map", run(n().compact_map(|_| panicking::<Option<i64>>())));
            check("before_next", run(n().before_next(|_| panicking())));
            check("try_map", run(n().try_map(|_| panicking::<Result<i64, AnyError>>())));
            check("after_next", run(n().after_next(|_| panicking())));
            check("before_started", run(n().before_started(panicking)));
            check("before_error", run(broken().before_error(|_| panicking())));
            check("before_completed", run(n().before_completed(panicking)));
            check("with_latest_from_map", run(n().with_latest_from_map(&n(), |_| panicking::<i64>())));
            check("combine_latest_map", run(Signal::combine_latest_map(&[n(), n()], |_| panicking::<i64>(), None)));
            check("zip_map", run(Signal::zip_map(&[n(), n()], &unbounded(), |_| panicking::<i64>())));
            check("switch_map", run(n().switch_map(|_| panicking::<Signal<i64>>())));
            check("reduce_generator", run(n().reduce_generator(0, |_, _| panicking())));
            check(
                "switch_map_per",
                run(n().switch_map_per(&unbounded(), |_| panicking::<i64>(), Signal::just)),
            );
            check("switch_map_per", run(n().switch_map_per(&unbounded(), |n| n, |_| panicking::<Signal<i64>>())));
            check("group_by", run(n().group_by(&unbounded(), |_| panicking::<i64>(), |_, values| values)));
            check("group_by", run(n().group_by(&unbounded(), |n| n, |_, _| panicking::<Signal<i64>>())));
            check("map_error", run(broken().map_error(|_| panicking())));
            check("distinct_until_changed_by", run(n().distinct_until_changed_by(|_, _| panicking())));
            check("distinct_by", run(n().distinct_by(&unbounded(), |_| panicking::<i64>())));
            check("reduce", run(n().reduce(0, |_, _| panicking())));
            check("scan", run(n().scan(0, |_, _| panicking())));
            check("deferred", run(Signal::<i64>::deferred(panicking)));
            check("catch", run(broken().catch(|_| panicking())));
            check("accumulating_loop", run(Signal::<i64>::accumulating_loop(|_| panicking(), |a, _| a)));
            check("accumulating_loop", run(Signal::accumulating_loop(|_| Some(numbers()), |_, _| panicking())));
            let decide = |_, _| panicking::<Option<Signal<i64>>>();
            check("retry", run(broken().retry_deciding(&Retry::default(), decide, &queue)));
            check("take_while", run(n().take_while(|_| panicking())));
            check("skip_while", run(n().skip_while(|_| panicking())));
            check("create", run(Signal::<i64>::create(|_| panicking::<()>())));
            check("from_iterator", run(Signal::from_iterator(|| std::iter::from_fn(panicking::<Option<i64>>))));
            check("using", run(Signal::using(panicking::<i64>, |n| Signal::just(*n))));
            check("using", run(Signal::using(|| 1, |_| panicking::<Signal<i64>>())));
        });
        Ok(())
    });
}
