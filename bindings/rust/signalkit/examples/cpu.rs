//! Watches the load of this machine's processors: every second, and whenever it crosses one half.
//!
//!     cargo run --example cpu            until Ctrl-C
//!     cargo run --example cpu 3 0.1      three times, every 0.1 seconds

use signalkit::{main_run, main_stop, AnyError, Error, Event, Observer, Queue, Signal};
use std::time::Duration;

/// Returns the counts of /proc/stat, in ticks: all, and idle ones.
fn ticks() -> Result<(i64, i64), AnyError> {
    let text = std::fs::read_to_string("/proc/stat")?;
    let line = text.lines().next().ok_or("/proc/stat is empty")?;
    let ticks = line.split_whitespace().skip(1).take(8).map(str::parse).collect::<Result<Vec<i64>, _>>()?;
    Ok((ticks.iter().sum(), ticks.iter().skip(3).take(2).sum()))
}

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(i64::MAX);
    let seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1.0);

    let queue = Queue::new("cpu");
    let load = Signal::interval(Duration::from_secs_f64(seconds), &queue)
        .try_map(|_| ticks())
        .pairwise()
        .map(|((all, idle), (all_now, idle_now))| 1.0 - (idle_now - idle) as f64 / (all_now - all).max(1) as f64)
        .take(count)
        .share(0, Duration::ZERO, None)
        .deliver_on(&Queue::main());
    let alarm = load.map(|load| load > 0.5).distinct_until_changed();

    let _alarm = alarm.observe(
        Observer::new().next(|busy| println!("{}", if busy { "busy" } else { "calm" })).error(|_| {}), // reported below
    )?;
    let _run = load.start_events(|event| match event {
        Event::Next(load) => println!("{:5.1} %", load * 100.0),
        Event::Error(error) => {
            eprintln!("cpu: {error}");
            main_stop();
        }
        Event::Completed => main_stop(),
    })?;
    main_run()
}
