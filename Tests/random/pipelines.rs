//! The pipelines of pipelines.py, run by the Rust package.

use signalkit::{Bound, Disposable, Edges, Error, Observer, Overflow, Queue, Signal, VirtualTime};
use std::collections::BTreeMap;
use std::io::BufRead;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

type Numbers = Signal<i64>;

fn plain(name: &str, s: &Numbers, n: i64) -> Option<Numbers> {
    Some(match name {
        "map" => s.map(move |v| v * 10 + n),
        "filter" => s.filter(move |v| v % n != 0),
        "take" => s.take(n),
        "skip" => s.skip(n),
        "take_last" => s.take_last(n),
        "scan" => s.scan(0, |a, b| a + b),
        "distinct" => s.distinct_until_changed(),
        "take_while" => s.take_while(move |v| *v < n),
        "skip_while" => s.skip_while(move |v| *v < n),
        "start_with" => s.start_with(n),
        "end_with" => s.end_with(n),
        "default" => s.default_if_empty(n),
        "first" => s.take(1),
        "ignore" => s.ignore_values(),
        "repeat" => s.repeat(Some(n)),
        "catch_value" => s.catch_and_return(n),
        _ => return None,
    })
}

fn timed(name: &str, s: &Numbers, time: Duration, queue: &Queue) -> Option<Numbers> {
    Some(match name {
        "delay_start" => s.delay_start(time, queue),
        "delay" => s.delay(time, &Bound::at(1000, Overflow::Error), queue),
        "debounce" => s.debounce(time, queue),
        "throttle" => s.throttle(time, Edges::Both, queue),
        "take_for" => s.take_for(time, queue),
        "sample" => s.sample(time, queue),
        _ => return None,
    })
}

fn joined(name: &str, a: &Numbers, b: &Numbers) -> Option<Numbers> {
    let each = b.clone();
    Some(match name {
        "merge" => Signal::merge(&[a.clone(), each]),
        "then" => a.concat_with(b),
        "catch" => a.catch(move |_| each.clone()),
        "combine" => Signal::combine_latest_map(&(a.clone(), each), |(v, w)| v * 100 + w, None),
        "zip" => Signal::zip_map(&(a.clone(), each), &Bound::unbounded(), |(v, w)| v * 100 + w),
        "with_latest" => a.with_latest_from_map(b, |(v, w)| v * 100 + w),
        "race" => Signal::race(&[a.clone(), each]),
        "take_until" => a.take_until(b),
        "skip_until" => a.skip_until(b),
        "switch_if_empty" => a.switch_if_empty(b),
        "switch" => a.switch_map(move |_| each.clone()),
        "queue" => a.concat_map(move |_| each.clone()),
        "merged" => a.merge_map(None, &Bound::unbounded(), move |_| each.clone()),
        "exhaust" => a.exhaust_map(move |_| each.clone()),
        _ => return None,
    })
}

/// What a run has said, and the times at which each source was started and disposed of.
#[derive(Default)]
struct Log {
    seen: Vec<String>,
    sources: BTreeMap<usize, [Vec<String>; 2]>,
}

#[derive(Clone)]
struct Run {
    time: VirtualTime,
    log: Arc<Mutex<Log>>,
}

fn micros(text: &str) -> Duration {
    Duration::from_micros(text.parse().unwrap())
}

impl Run {
    fn now(&self) -> String {
        (self.time.now().as_secs_f64() * 1e6).round().to_string()
    }
    fn says(&self, event: impl std::fmt::Display) {
        let event = format!("{}{event}", self.now());
        self.log.lock().unwrap().seen.push(event)
    }
    /// Kind 0 is a start, 1 a disposal.
    fn notes(&self, number: usize, kind: usize) {
        let now = self.now();
        self.log.lock().unwrap().sources.entry(number).or_default()[kind].push(now)
    }

    fn cold(&self, number: usize, events: &str) -> Numbers {
        let (run, events) = (self.clone(), events.to_owned());
        Signal::create(move |subscriber| {
            run.notes(number, 0);
            let timers: Vec<Disposable> = events
                .split_terminator(',')
                .map(|event| {
                    let (time, value) = event.split_once(['=', '|', '!']).unwrap();
                    let (kind, value) = (event.as_bytes()[time.len()], value.parse().unwrap_or(0));
                    let subscriber = subscriber.clone();
                    let emit = move || {
                        match kind {
                            b'=' => subscriber.next(value),
                            b'|' => subscriber.complete(),
                            _ => subscriber.error("7"),
                        };
                    };
                    run.time.after(micros(time), emit).unwrap()
                })
                .collect();
            let run = run.clone();
            let stop = move || {
                run.notes(number, 1);
                timers.iter().for_each(Disposable::dispose)
            };
            Disposable::new(stop)
        })
    }
}

fn played(line: &str) -> Result<String, Error> {
    let mut words = line.split(' ');
    let over = micros(words.next().unwrap());
    let run = Run { time: VirtualTime::new(), log: Default::default() };
    let mut stack: Vec<Numbers> = Vec::new();
    for word in words {
        let (name, argument) = word.split_once(':').unwrap_or((word, "0"));
        if name == "cold" {
            let (number, events) = argument.split_once(':').unwrap();
            stack.push(run.cold(number.parse().unwrap(), events));
            continue;
        }
        let top = stack.pop().unwrap();
        let made = plain(name, &top, argument.parse().unwrap())
            .or_else(|| timed(name, &top, micros(argument), &run.time))
            .or_else(|| joined(name, &stack.pop()?, &top));
        stack.push(made.unwrap_or_else(|| panic!("{name}")))
    }
    let signal = stack.pop().unwrap();
    let running = Arc::new(Mutex::new(None));
    let (starting, [next, error, completed]) = (running.clone(), [run.clone(), run.clone(), run.clone()]);
    run.time.dispatch(move || {
        let observer = Observer::new()
            .next(move |value| next.says(format_args!("={value}")))
            .error(move |text| error.says(format_args!("!{text}")))
            .completed(move || completed.says("|"));
        *starting.lock().unwrap() = Some(signal.observe(observer).unwrap());
    })?;
    run.time.after(over, move || drop(running.lock().unwrap().take()))?;
    run.time.advance_to(Duration::from_secs(60))?;
    let log = std::mem::take(&mut *run.log.lock().unwrap());
    let times = log.sources.iter().flat_map(|(number, [starts, disposals])| {
        [format!("{number}+{}", starts.join(",")), format!("{number}-{}", disposals.join(","))]
    });
    Ok(log.seen.into_iter().chain(times).collect::<Vec<_>>().join(" "))
}

fn main() -> Result<(), Error> {
    for line in std::io::stdin().lock().lines() {
        println!("{}", played(&line.unwrap())?);
    }
    let begun = Instant::now();
    while signalkit::live_total() != 0 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    println!("alive {}", signalkit::live_total());
    Ok(())
}
