//! A subscription calls neighbouring closures together, and moves the values between them.

mod common;

use common::{quiet, scene};
use signalkit::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{mpsc, Arc, Mutex};

static CLONES: AtomicUsize = AtomicUsize::new(0);

/// A value whose copies are counted. The library copies it for each closure that it calls.
struct Counted(i64);
impl Clone for Counted {
    fn clone(&self) -> Self {
        CLONES.fetch_add(1, SeqCst);
        Counted(self.0)
    }
}
impl Object for Counted {}

/// The results of a start and of `collect`, whose values pass through the library.
fn both_ways<T: Value>(signal: &Signal<T>) -> [Vec<String>; 2]
where
    T: std::fmt::Debug,
{
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (next, error, completed) = (seen.clone(), seen.clone(), seen.clone());
    let observer = Observer::new()
        .next(move |value| next.lock().unwrap().push(format!("{value:?}")))
        .error(move |e| error.lock().unwrap().push(e.to_string()))
        .completed(move || completed.lock().unwrap().push("end".into()));
    signal.observe(observer).unwrap().detach();
    let through = Arc::new(Mutex::new(Vec::new()));
    let event = through.clone();
    let events = signal.skip(0).start_events(move |each| {
        event.lock().unwrap().push(match each {
            Event::Next(value) => format!("{value:?}"),
            Event::Error(error) => error.to_string(),
            Event::Completed => "end".into(),
        })
    });
    events.unwrap().detach();
    let (seen, through) = (seen.lock().unwrap().clone(), through.lock().unwrap().clone());
    [seen, through]
}

#[test]
fn values_move_from_closure_to_closure() {
    scene(|| {
        let clones = |signal: &Signal<Counted>| {
            let (seen, before) = (Arc::new(AtomicUsize::new(0)), CLONES.load(SeqCst));
            let count = seen.clone();
            signal.start(move |value| ignore(count.fetch_add(value.0 as usize, SeqCst))).unwrap().detach();
            assert_eq!(seen.load(SeqCst), 6);
            CLONES.load(SeqCst) - before
        };
        let through = |signal: Signal<Counted>| {
            signal.map(|value| Counted(value.0 + 1)).filter(|value| value.0 % 2 == 0).before_next(|_| ())
        };
        let items = Signal::from_iterator(|| (1..4).map(Counted));
        assert_eq!(clones(&through(items.clone())), 0);
        assert_eq!(clones(&through(items.skip(0))), 3);
        assert_eq!(clones(&through(items.clone()).skip(0)), 3 + 3 + 2 + 2);
        assert_eq!(clones(&through(items.map(|value| value).compact_map(Some))), 0);
        assert_eq!(clones(&through(items.clone()).cast::<Counted>()), 3 + 3 + 2 + 2);
        Ok(())
    });
}

fn ignore<T>(_: T) {}

#[test]
fn results_do_not_depend_on_neighbours() {
    scene(|| {
        let numbers = Signal::from_iterator(|| 0..4).map(|n| n + 1);
        let texts = numbers.filter(|n| *n != 2).try_map(|n| if n == 4 { Err("four") } else { Ok(n.to_string()) });
        for signal in [&texts, &texts.before_next(|_| ()), &texts.map(|text| text)] {
            assert_eq!(both_ways(signal), [["\"1\"", "\"3\"", "four"]; 2]);
        }
        let odd = numbers.try_filter(|n| if *n > 3 { Err("large") } else { Ok(n % 2 == 1) });
        assert_eq!(both_ways(&odd.compact_map(|n| (n > 1).then_some(n))), [["3", "large"]; 2]);
        assert_eq!(
            both_ways(&numbers.map(Some).map(|n| n.filter(|n| n % 2 == 0)).take(2)),
            [["None", "Some(2)", "end"]; 2]
        );
        let wrong = Signal::of([1]).cast::<String>().filter(|_| true).map(|text| text.len() as i64);
        assert_eq!(both_ways(&wrong), [["filter: a value is no alloc::string::String: int 1"]; 2]);
        Ok(())
    });
}

#[test]
fn a_panic_in_any_of_them_fails_the_subscription() {
    scene(|| {
        fn panics<T, U>(_: T) -> U {
            panic!("boom")
        }
        let one = || Signal::from_iterator(|| 0..2).map(|n| n);
        let signals = [
            one().map(panics),
            one().filter(|n| panics(n)),
            one().compact_map(panics),
            one().before_next(|n| panics(n)),
            one().try_map(panics::<_, Result<i32, Error>>),
            one().try_filter(|n| panics::<_, Result<bool, Error>>(n)),
            Signal::from_iterator(|| (0..2).map(panics)).map(|n: i32| n),
            Signal::from_iterator(|| panics::<_, std::ops::Range<i32>>(())).map(|n| n),
        ];
        quiet(|| {
            for (at, signal) in signals.iter().enumerate() {
                assert_eq!(both_ways(&signal.filter(|_| true)), [["boom"]; 2], "{at}");
            }
            let seen = Arc::new(Mutex::new(Vec::new()));
            let errors = seen.clone();
            let observer = Observer::new().next(panics).error(move |e| errors.lock().unwrap().push(e));
            one().observe(observer).unwrap().detach();
            assert!(seen.lock().unwrap().iter().all(Error::is_panic));
            assert_eq!(seen.lock().unwrap().len(), 1);
        });
        Ok(())
    });
}

#[test]
fn no_item_follows_a_disposal() {
    scene(|| {
        let (calls, asked) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (call, ask) = (calls.clone(), asked.clone());
        let slot = Arc::new(Mutex::new(None::<Disposable>));
        let (fill, read) = (slot.clone(), slot.clone());
        let observer = Observer::new().started(move |run| *fill.lock().unwrap() = Some(run)).next(move |n: usize| {
            call.fetch_add(1, SeqCst);
            if n == 3 {
                read.lock().unwrap().as_ref().unwrap().dispose();
            }
        });
        let items = Signal::from_iterator(move || {
            let ask = ask.clone();
            (1..).inspect(move |_| ignore(ask.fetch_add(1, SeqCst)))
        });
        items.map(|n| n).observe(observer)?.detach();
        assert_eq!((calls.load(SeqCst), asked.load(SeqCst)), (3, 3));
        slot.lock().unwrap().take();

        // Another thread disposes the subscription while the iterator waits for its item.
        let (waits, is_waiting) = mpsc::channel();
        let (go, goes) = mpsc::channel::<()>();
        let (waits, goes) = (Mutex::new(waits), Arc::new(Mutex::new(goes)));
        let items = Signal::from_iterator(move || {
            let (waits, goes) = (waits.lock().unwrap().clone(), goes.clone());
            (0..2).inspect(move |_| {
                waits.send(()).unwrap();
                ignore(goes.lock().unwrap().recv());
            })
        });
        let called = Arc::new(AtomicBool::new(false));
        let (call, fill) = (called.clone(), slot.clone());
        let observer = Observer::new().started(move |run| *fill.lock().unwrap() = Some(run));
        let observer = observer.next(move |_: i32| call.store(true, SeqCst));
        let thread = std::thread::spawn(move || items.filter(|_| true).observe(observer).unwrap().detach());
        is_waiting.recv().unwrap();
        slot.lock().unwrap().take().unwrap().dispose();
        go.send(()).unwrap();
        thread.join().unwrap();
        assert!(!called.load(SeqCst));
        Ok(())
    });
}

/// A hold stops the items. They go on later, on another thread, and each once.
#[test]
fn a_hold_stops_the_items() {
    scene(|| {
        for signal in [Signal::range(0, 6), Signal::from_iterator(|| 0..6), Signal::of(0..6)] {
            let (slot, holds) = (Arc::new(Mutex::new(None::<Disposable>)), Arc::new(Mutex::new(Vec::new())));
            let (fill, read, hold) = (slot.clone(), slot.clone(), holds.clone());
            let (sender, receiver) = mpsc::channel();
            let ends = Mutex::new(sender.clone());
            let sender = Mutex::new(sender);
            let observer = Observer::new().started(move |run| *fill.lock().unwrap() = Some(run)).next(move |n: i64| {
                if n % 2 == 0 {
                    hold.lock().unwrap().push(read.lock().unwrap().as_ref().unwrap().hold().unwrap());
                }
                sender.lock().unwrap().send(n).unwrap();
            });
            let observer = observer.completed(move || ends.lock().unwrap().send(-1).unwrap());
            signal.filter(|n| *n != 3).observe(observer)?.detach();
            let mut seen = Vec::new();
            for part in [&[0][..], &[1, 2], &[4], &[5, -1]] {
                for _ in part {
                    seen.push(receiver.recv().unwrap());
                }
                assert!(receiver.try_recv().is_err(), "after {seen:?}");
                assert!(seen.ends_with(part), "{seen:?}");
                holds.lock().unwrap().clear();
            }
            slot.lock().unwrap().take();
        }
        Ok(())
    });
}

#[test]
fn closures_and_items_are_dropped_with_their_subscription() {
    struct Dropped(mpsc::Sender<&'static str>, &'static str);
    impl Drop for Dropped {
        fn drop(&mut self) {
            ignore(self.0.send(self.1));
        }
    }
    scene(|| {
        let (sender, receiver) = mpsc::channel();
        let dropped = |name| Mutex::new(Dropped(sender.clone(), name));
        let (map, start, iterator) = (dropped("map"), dropped("start"), Arc::new(dropped("iterator")));
        let pipe = Pipe::new();
        let signal = pipe.signal().map(move |n: i64| (&map, n).1);
        let run = signal.start(move |_| ignore(&start))?;
        drop(signal);
        pipe.next(1);
        assert!(receiver.try_recv().is_err());
        drop(run);
        let mut names = vec![receiver.recv().unwrap(), receiver.recv().unwrap()];
        names.sort();
        assert_eq!(names, ["map", "start"]);
        let items = Signal::from_iterator(move || {
            let kept = iterator.clone();
            (0..1).inspect(move |_| ignore(&kept))
        });
        items.map(|n| n).start(ignore)?.detach();
        assert!(receiver.try_recv().is_err());
        drop(items);
        assert_eq!(receiver.recv().unwrap(), "iterator");
        Ok(())
    });
}
