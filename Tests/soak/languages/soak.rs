//! The soak of the Rust crate (see run.py): threads, signals of the system and dropped objects at once.

use signalkit::{live_total, Error, Pipe, Queue, Signal, Subscriber};
use std::io::BufRead;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::SeqCst};
use std::sync::{mpsc, Arc};
use std::thread;
use std::time::{Duration, Instant};

const SIGINT: i32 = 2;
const PATIENCE: Option<Duration> = Some(Duration::from_secs(60));

fn numbers() -> Signal<i64> {
    Signal::of([0, 1, 2, 3, 4, 5, 6, 7, 8])
}

fn round(queue: &Queue, pipe: &Pipe<i64>) -> Result<(), Error> {
    let odd = numbers().map(|n| n + 1).filter(|n: &i64| n % 2 == 1);
    assert_eq!(odd.reduce(0, |sum, n| sum + n).get(PATIENCE)?, Some(25));
    let failing = numbers().try_map(|n| if n == 7 { Err("boom") } else { Ok(vec![n]) });
    let caught =
        failing.catch(
            |error| if error.to_string().contains("boom") { Signal::of([vec![-1]]) } else { Signal::fail(error) },
        );
    assert_eq!(caught.take_last(1).get(PATIENCE)?, Some(vec![-1]));
    let created = Signal::create(|subscriber: Subscriber<Vec<i64>>| {
        for n in 0..5 {
            subscriber.next(vec![n]);
        }
        subscriber.complete();
    });
    assert_eq!(created.concat_map(|value| Signal::of([value])).collect(PATIENCE)?.len(), 5);
    let held = Arc::new(AtomicI64::new(0));
    let signal = Signal::timer(Duration::from_micros(100), queue).map(move |n| held.fetch_add(1, SeqCst) + n);
    assert_eq!(signal.get(PATIENCE)?, Some(0));
    let seen = AtomicI64::new(0);
    let subscription =
        pipe.signal().take(3).map(|n| vec![n]).deliver_on(queue).start(move |values| seen.store(values[0], SeqCst))?;
    pipe.next(1);
    drop(subscription);
    Ok(())
}

fn main() -> Result<(), Error> {
    let (queues, pipe) = ([Queue::new("soak"), Queue::concurrent()], Pipe::<i64>::new());
    let (sender, interrupts) = mpsc::channel();
    let interrupted = Signal::unix_signal(SIGINT, &queues[0]).start(move |_| sender.send(()).unwrap())?;
    let (over, rounds) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicI64::new(0)));
    let threads: Vec<_> = queues
        .iter()
        .map(|queue| {
            let (queue, pipe, over, rounds) = (queue.clone(), pipe.clone(), over.clone(), rounds.clone());
            thread::spawn(move || {
                while !over.load(SeqCst) {
                    round(&queue, &pipe).unwrap();
                    rounds.fetch_add(1, SeqCst);
                }
            })
        })
        .collect();
    for line in std::iter::once(Ok("continue".to_string())).chain(std::io::stdin().lock().lines()) {
        if line.unwrap() == "end" {
            break;
        }
        println!("ready");
        while interrupts.try_recv().is_err() {
            round(&queues[0], &pipe)?;
            rounds.fetch_add(1, SeqCst);
        }
        println!("interrupted");
    }
    over.store(true, SeqCst);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    drop((interrupted, queues, pipe));
    let deadline = Instant::now() + Duration::from_secs(60);
    while live_total() > 0 && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(10));
    }
    println!("rounds {}\nalive {}", rounds.load(SeqCst), live_total());
    Ok(())
}
