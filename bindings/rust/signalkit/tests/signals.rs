//! Lifetimes, errors, threads, values: what docs/bindings.md promises.

mod common;

use common::{eventually, quiet, scene};
use signalkit::*;
use std::collections::{BTreeMap, HashMap};
use std::os::unix::{io::AsRawFd, net::UnixStream};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::SeqCst};
use std::sync::{mpsc, Arc, Mutex};
use std::time::Duration;

#[derive(Clone, Debug, PartialEq)]
struct Reading(f64);
impl Object for Reading {
    fn equals(&self, other: &Self) -> bool {
        self == other
    }
    fn hash_code(&self) -> u64 {
        self.0.to_bits()
    }
}

fn round<T: Value>(value: T) -> T {
    Signal::just(value).get(None).unwrap().unwrap()
}

fn ignore<T>(_: T) {}

/// The element that an array lends, with a reference of its own.
fn first(list: AnyValue) -> AnyValue {
    list.items().unwrap()[0].clone()
}

#[test]
fn a_function_may_return_what_it_receives() {
    scene(|| {
        let pipe = Pipe::<AnyValue>::new();
        let last = pipe.signal().map(|value| value).scan(AnyValue::NULL, |_, value| value);
        let pairs = Signal::<AnyValue>::combine_latest_map(&(last, Signal::just(1)), |row| row.0, None);
        let texts = Arc::new(Mutex::new(Vec::new()));
        let seen = texts.clone();
        let run = pairs.map(first).map(|value| value).start(move |value| seen.lock().unwrap().push(value.to_string()))?;
        pipe.next(vec!["a".to_string(), "b".to_string()].into_value());
        pipe.next(vec![Reading(1.5), Reading(2.5)].into_value());
        pipe.next(vec![vec!["c".to_string()], vec![]].into_value());
        let texts = texts.lock().unwrap();
        assert_eq!((texts.len(), texts[0].as_str(), texts[2].as_str()), (3, "a", "[c]"));
        drop(run);
        Ok(())
    });
}

#[test]
fn a_signal_shows_its_pipeline_and_a_run_its_state() {
    scene(|| {
        let pipe = Pipe::<i64>::new();
        let signal = pipe.signal().take(2).named("cpu");
        assert_eq!(signal.to_string(), "named \"cpu\"\n  take 2\n    pipe");
        let (ended, disposed) = (signal.start(ignore).unwrap(), signal.start(ignore).unwrap());
        assert_eq!(ended.to_string(), "running");
        disposed.dispose();
        pipe.complete();
        assert_eq!((ended.to_string(), disposed.to_string()), ("ended".into(), "disposed".into()));
        Ok(())
    })
}

#[test]
fn values_arrive_as_they_were() {
    scene(|| {
        assert_eq!(round(i64::MIN), i64::MIN);
        assert_eq!(round(u32::MAX), u32::MAX);
        assert_eq!(round(-1_i8), -1);
        assert_eq!((round(u64::MAX), round(usize::MAX), round(3_usize)), (u64::MAX, usize::MAX, 3));
        assert_eq!(Signal::of([u64::MAX, u64::MAX]).distinct_until_changed().collect(None)?, [u64::MAX]);
        assert!(Signal::of([u64::MAX]).cast::<i64>().get(None).is_err());
        let raw = Signal::of([1]);
        let taken = unsafe { sys::sgk_signal_take(raw.as_raw()?, -1) };
        assert!(unsafe { Signal::<i64>::from_raw(taken) }.mistake().is_some());
        assert!(round(f64::NAN).is_nan());
        assert_eq!(round(1.5_f32), 1.5);
        assert!(round(true));
        round(());
        assert_eq!(round("grün\0!".to_string()), "grün\0!");
        assert_eq!(round(String::new()), "");
        assert_eq!(round(Bytes(vec![0, 255])), Bytes(vec![0, 255]));
        assert_eq!(round(vec![Some(1), None]), [Some(1), None]);
        for option in [None, Some(None), Some(Some(None)), Some(Some(Some(())))] {
            assert_eq!(round(option), option);
            assert_eq!(Signal::of([option, option]).distinct_until_changed().collect(None)?, [option]);
        }
        assert_eq!(round(Vec::<String>::new()), Vec::<String>::new());
        assert_eq!(round((1, "a".to_string(), vec![(true, 2.0)])), (1, "a".to_string(), vec![(true, 2.0)]));
        assert_eq!((round("grün"), round(""), round('ü')), ("grün", "", 'ü'));
        assert_eq!(Signal::of(["a", "b"]).cast::<String>().collect(None)?, ["a", "b"]);
        let unknown = Signal::of([format!("not of the {}", "program")]).as_any();
        assert!(unknown.cast::<&'static str>().get(None).is_err());
        assert!(unknown.cast::<char>().get(None).is_err());
        for time in [Duration::ZERO, Duration::MAX, Duration::new(1 << 40, 1)] {
            assert_eq!(round(time), time);
            assert_eq!(Signal::of([time, time]).distinct_until_changed().collect(None)?, [time]);
        }
        assert_eq!(Signal::of([1.5]).cast().get(None)?, Some(Duration::from_millis(1500)));
        assert!(Signal::of([-1]).cast::<Duration>().get(None).is_err());
        assert_eq!(round([[1, 2], [3, 4]]), [[1, 2], [3, 4]]);
        assert!(Signal::of([vec![1]]).cast::<[i64; 2]>().get(None).is_err());
        let (ok, error) = (Ok::<i64, String>(1), Err::<i64, String>("no".into()));
        assert_eq!((round(ok.clone()), round(error.clone())), (ok, error));
        let map: HashMap<String, i64> = (0..100).map(|n| (n.to_string(), n)).collect();
        let same: HashMap<String, i64> = (0..100).rev().map(|n| (n.to_string(), n)).collect();
        assert_eq!(round(map.clone()), map);
        assert_eq!(Signal::of([map.clone(), same]).distinct_until_changed().collect(None)?, [map]);
        let sorted = BTreeMap::from([(2, 'b'), (1, 'a')]);
        assert_eq!(round(sorted.clone()), sorted);
        assert_eq!(round(Reading(1.5)), Reading(1.5));
        let shared = Arc::new(Mutex::new(1));
        assert!(Arc::ptr_eq(&round(shared.clone()), &shared));
        assert_eq!(round(Signal::of([1, 2])).collect(None)?, [1, 2]);
        let same = Signal::of([Reading(1.0), Reading(1.0), Reading(2.0)]).distinct(&Bound::unbounded());
        assert_eq!(same.collect(None)?, [Reading(1.0), Reading(2.0)]);
        Ok(())
    });
}

#[test]
fn a_sink_writes_text_and_bytes() {
    scene(|| {
        let (from, to) = UnixStream::pair().unwrap();
        let queue = Queue::new("io");
        let (text, bytes) = (Signal::of(["grün ".to_string(), String::new()]), Signal::of([Bytes(vec![0, 255])]));
        assert_eq!(text.sink_fd(to.as_raw_fd(), AtEnd::KeepOpen, &Bound::at(1, Overflow::Pause), &queue).collect(None)?, [""; 0]);
        assert_eq!(bytes.sink_fd(to.as_raw_fd(), AtEnd::KeepOpen, &Bound::at(1, Overflow::Pause), &queue).collect(None)?, []);
        drop(to);
        let read = Signal::fd_bytes(from.as_raw_fd(), 99, &queue).collect(None)?;
        assert_eq!(read.iter().flat_map(|chunk| chunk.to_vec()).collect::<Vec<u8>>(), b"gr\xc3\xbcn \0\xff");
        Ok(())
    })
}

#[test]
fn a_wrong_type_names_operator_type_and_value() {
    scene(|| {
        let text = |result: Result<Vec<i64>, Error>| result.unwrap_err().to_string();
        let words = Signal::of(["one".to_string()]).cast::<i64>();
        assert_eq!(text(words.map(|n| n).collect(None)), "map: a value is no i64: string one");
        assert_eq!(text(words.take_while(|_| true).collect(None)), "take_while: a value is no i64: string one");
        assert_eq!(text(words.collect(None)), "collect: a value is no i64: string one");
        let small = Signal::of([300]).cast::<u8>().map(i64::from);
        assert_eq!(text(small.collect(None)), "map: a value is no u8: int 300");
        let narrow = Signal::of([1e300]).cast::<f32>();
        assert!(text(narrow.map(|_| 1).collect(None)).starts_with("map: a value is no f32: double 1"));
        assert_eq!(Signal::of([f64::NEG_INFINITY]).cast::<f32>().get(None)?, Some(f32::NEG_INFINITY));
        let other = Signal::of([Reading(1.0)]).as_any().cast::<Arc<i64>>().map(|n| *n);
        assert!(text(other.collect(None)).starts_with("map: a value is no alloc::sync::Arc<i64>: object"));
        Ok(())
    });
}

#[test]
fn a_mistake_in_an_inner_signal_is_the_error_of_its_subscription() {
    scene(|| {
        let inner = Signal::of([1]).take(-1);
        let mistake = inner.mistake().unwrap().to_string();
        let error = Signal::of([inner.clone()]).switch_to_latest().collect(None).unwrap_err();
        assert_eq!(error.to_string(), mistake);
        assert_eq!(round(inner).get(None).unwrap_err().to_string(), mistake);
        Ok(())
    });
}

#[test]
fn flags_are_sets() {
    scene(|| {
        let (one, two) = UnixStream::pair().unwrap();
        std::io::Write::write_all(&mut &two, b"x").unwrap();
        let queue = Queue::new("flags");
        let both = Readiness::READ | Readiness::WRITE;
        assert_eq!(Signal::fd(two.as_raw_fd(), Readiness::WRITE, &queue).get(None)?, Some(Readiness::WRITE));
        let ready = Signal::fd(one.as_raw_fd(), both, &queue).get(None)?.unwrap();
        assert_eq!((ready, format!("{ready:?}").as_str()), (both, "Readiness::READ | Readiness::WRITE"));
        assert!(ready.contains(Readiness::READ) && !Readiness::READ.contains(both));
        let hangup = Signal::fd(one.as_raw_fd(), both | Readiness::HANGUP, &queue).mistake().unwrap().to_string();
        assert!(hangup.starts_with("fd: events cannot be requested: Readiness::READ | "), "{hangup}");
        let folder = std::env::temp_dir().join(format!("signalkit-flags-{}", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        let changes = Signal::file_changes(folder.to_str().unwrap(), FileEvents::CREATED | FileEvents::GONE, &queue);
        let reader = changes.reader(&Bound::unbounded())?;
        queue.run_sync(|| ())?;
        std::fs::create_dir(folder.join("one")).unwrap();
        let created = FileEvents::CREATED | FileEvents::IS_FOLDER;
        assert_eq!(reader.read(Some(Duration::from_secs(60)))?, Some((created, "one".to_string(), 0)));
        std::fs::remove_dir_all(&folder).unwrap();
        Ok(())
    });
}

/// In C, negative numbers mean that there is no limit, and 0 in a policy is a default.
#[test]
fn numbers_with_a_meaning_in_c_only_are_refused() {
    fn refused<T: Value>(signal: Signal<T>, text: &str) {
        assert_eq!(signal.mistake().expect(text).to_string(), text);
        let error = signal.collect(None).err().expect(text);
        assert_eq!((error.to_string(), error.status()), (text.to_string(), Some(sys::SGK_ERROR_ARGUMENT)));
    }
    fn inner(n: i64) -> Signal<i64> {
        Signal::just(n)
    }
    scene(|| {
        let (of, queue, free) = (Signal::of([1]), Queue::main(), Bound::unbounded());
        let signals = Signal::of([of.clone()]);
        let zero = Bound::at(0, Overflow::Error);
        for number in [-1, -2, -9] {
            let bound = Bound::at(number, Overflow::Error);
            for limit in [Some(number), Some(0)] {
                refused(of.merge_map(limit, &free, inner), "merge_map: limit must be 1 or more, or None");
                refused(of.map_ordered(limit, &free, inner), "map_ordered: limit must be 1 or more, or None");
                refused(signals.merge_all(limit, &free), "merge_all: limit must be 1 or more, or None");
                refused(signals.merge_all_ordered(limit, &free), "merge_all_ordered: limit must be 1 or more, or None");
                let retry = Retry { attempts: limit, ..Retry::default() };
                refused(of.retry(&retry, &queue), "retry: attempts must be 1 or more, or None");
            }
            refused(of.merge_map(None, &bound, inner), "merge_map: limit must be 0 or more, or None");
            refused(signals.merge_all(None, &bound), "merge_all: limit must be 0 or more, or None");
            refused(of.repeat(Some(number)), "repeat: count must be 0 or more, or None");
            for bound in [&bound, &zero] {
                refused(of.to_array(bound), "to_array: limit must be 1 or more, or None");
                refused(of.distinct(bound), "distinct: limit must be 1 or more, or None");
                refused(of.distinct_by(bound, |n| n), "distinct_by: limit must be 1 or more, or None");
                refused(Signal::zip(&[of.clone()][..], bound), "zip: limit must be 1 or more, or None");
                refused(of.group_by(bound, |n| n, |_, values| values), "group_by: limit must be 1 or more, or None");
                refused(of.switch_map_per(bound, |n| n, inner), "switch_map_per: limit must be 1 or more, or None");
                let error = of.reader(bound).err().unwrap().to_string();
                assert_eq!(error, "reader: limit must be 1 or more, or None");
            }
        }
        for (policy, text) in [
            (Retry { factor: 0.0, ..Retry::default() }, "retry: factor must be 1 or more"),
            (Retry { factor: f64::NAN, ..Retry::default() }, "retry: factor must be 1 or more"),
            (Retry { max_delay: Duration::ZERO, ..Retry::default() }, "retry: max_delay must be more than 0"),
            (Retry { jitter: 1.5, ..Retry::default() }, "retry: jitter must be from 0 to 1"),
        ] {
            refused(of.retry(&policy, &queue), text);
            refused(of.retry_deciding(&policy, |_, _| None::<Signal<i64>>, &queue), text);
        }
        assert_eq!(of.merge_map(None, &zero, inner).collect(None)?, [1]);
        assert_eq!(of.repeat(None).get(None)?, Some(1));
        Ok(())
    });
}

#[test]
fn errors_and_panics_are_the_same_at_the_other_end() {
    scene(|| {
        let io = || std::io::Error::new(std::io::ErrorKind::Other, "unplugged");
        let error = Signal::<i64>::fail(io()).delay_start(Duration::ZERO, &Queue::concurrent()).get(None).unwrap_err();
        assert_eq!(error.downcast_ref::<std::io::Error>().unwrap().to_string(), "unplugged");
        let again = Signal::<i64>::fail(error.clone()).get(None).unwrap_err();
        assert!(again.downcast_ref::<std::io::Error>().is_some()); // it is not wrapped once more
        assert_eq!(again.to_string(), "unplugged");
        quiet(|| {
            let error = Signal::just(7).map(|n| -> i64 { panic!("at {n}") }).get(None).unwrap_err();
            assert!(error.is_panic());
            assert_eq!(error.to_string(), "at 7");
            assert_eq!(error.take_panic().unwrap().downcast_ref::<String>().unwrap(), "at 7");
            assert!(error.take_panic().is_none());
        });
        let pipe: Pipe<i64> = Pipe::new();
        let zipped = Signal::zip(&(pipe.signal(), Signal::range(0, 9)), &Bound::at(2, Overflow::Error));
        assert!(zipped.collect(None).unwrap_err().is_overflow());
        assert!(pipe.signal().get(Some(Duration::from_millis(1))).unwrap_err().is_timeout());
        Ok(())
    });
}

#[test]
fn an_error_of_the_library_has_a_code_and_a_cause() {
    use std::error::Error as _;
    scene(|| {
        let late = Signal::<i64>::never().timeout(Duration::from_millis(1), &Queue::concurrent()).get(None).unwrap_err();
        assert!(late.is_timeout() && late.status().is_none() && late.source().is_none());
        assert_eq!(late.to_string(), "timeout: timed out");
        let made = |code, text: &'static [u8], cause: &AnyValue| unsafe {
            AnyValue::from_raw(sys::sgk_error_from(code, text.as_ptr() as *const _, cause.as_raw()))
        };
        let outer = made(404, b"outer\0", &made(7, b"inner\0", &AnyValue::NULL));
        let error = Error::from_value(&outer).unwrap();
        let inner = error.source().unwrap().downcast_ref::<Error>().unwrap();
        assert_eq!((error.code(), error.to_string()), (404, "outer".into()));
        assert_eq!((inner.code(), inner.to_string()), (7, "inner".into()));
        assert!(inner.source().is_none() && error.into_value() == outer);
        Ok(())
    });
}

/// An object of another owner must not be read, whatever its address.
#[test]
fn an_object_of_another_type_is_refused() {
    struct Type(sys::sgk_object_type);
    unsafe impl Sync for Type {}
    static OTHER: Type = Type(sys::sgk_object_type {
        size: std::mem::size_of::<sys::sgk_object_type>(),
        name: b"Other\0".as_ptr() as *const _,
        retain: None,
        release: None,
        equal: None,
        hash: None,
        describe: None,
    });
    scene(|| {
        let foreign = unsafe { AnyValue::from_raw(sys::sgk_object(5 as *mut _, &OTHER.0)) };
        assert!(foreign.get::<Reading>().is_none());
        let failed = Signal::just(foreign).cast::<Reading>().collect(None).unwrap_err();
        assert!(failed.to_string().ends_with("object Other 0x5"), "{failed}");
        Ok(())
    });
}

#[test]
fn errors_and_values_say_what_they_are() {
    scene(|| {
        let both = |error: &Error| format!("{error} / {error:?}");
        let made = Error::new("unplugged");
        assert_eq!(both(&made), "unplugged / \"unplugged\"");
        let carried = made.into_value();
        assert_eq!(format!("{carried} / {carried:?}"), "unplugged / object unplugged");
        let foreign = Error::from_value(&7.into_value()).unwrap();
        assert_eq!(both(&foreign), "7 / Value(int 7)");
        let wrong = Signal::of([300]).cast::<u8>().collect(None).unwrap_err();
        let text = "collect: a value is no u8: int 300";
        assert_eq!(both(&wrong), format!("{text} / Use({}, {text:?})", wrong.status().unwrap()));
        let silent = Pipe::<i64>::new();
        let zipped = Signal::zip(&(silent.signal(), Signal::range(0, 9)), &Bound::at(2, Overflow::Error));
        assert_eq!(both(&zipped.collect(None).unwrap_err()), "zip: overflow / Overflow(\"zip\")");
        quiet(|| {
            let panicked = Signal::just(7).map(|n| -> i64 { panic!("at {n}") }).get(None).unwrap_err();
            assert_eq!(both(&panicked), "at 7 / Panic(\"at 7\")");
        });
        let impossible = Signal::just(7).take(-1);
        let mistake = impossible.mistake().unwrap().to_string();
        assert!(mistake.starts_with("take: count: "), "{mistake}");
        assert_eq!(impossible.to_string(), mistake);
        fn names_nothing_of_c(error: &Error, text: &str) {
            let message = error.to_string();
            assert!(message.starts_with(text) && !message.to_lowercase().contains("sgk"), "{message}");
        }
        let (suspending, pausing) = (Bound::at(1, Overflow::Suspend), Bound::at(1, Overflow::Pause));
        let (signal, both) = (Signal::just(7), (Signal::just(7), Signal::just(7)));
        let refused = |text, mistake: Option<&Error>| names_nothing_of_c(mistake.expect(text), text);
        refused("to_array: bound.overflow: must not suspend", signal.to_array(&suspending).mistake());
        refused("to_array: bound.overflow: must not pause", signal.to_array(&pausing).mistake());
        refused("zip: bound.overflow: must not suspend", Signal::zip(&both, &suspending).mistake());
        let run = Signal::<i64>::never().start(|_| {}).unwrap();
        let text = "dispose_and_wait: disposable: must be a subscription that was started as waitable";
        names_nothing_of_c(&run.dispose_and_wait().unwrap_err(), text);
        names_nothing_of_c(&Queue::with_threads("test", 0).err().unwrap(), "concurrent: threads: must be from 1 to 1024");
        let items = (1, "grün".to_string(), vec![None, Some(true)]).into_value();
        assert_eq!(format!("{items} / {items:?}"), "[1, grün, [null, true]] / array [1, grün, [null, true]]");
        let reading = Reading(1.5).into_value();
        assert_eq!(reading.to_string(), std::any::type_name::<Reading>());
        Ok(())
    });
}

#[test]
fn what_nobody_can_be_told_goes_to_the_log() {
    scene(|| {
        let told = Arc::new(Mutex::new(Vec::<String>::new()));
        let log = told.clone();
        set_log(move |text| log.lock().unwrap().push(text.to_string()));
        let heard = |text: &str| {
            let found = told.lock().unwrap().iter().any(|line| line.contains(text));
            assert!(found, "{text}: {:?}", told.lock().unwrap());
        };
        quiet(|| -> Result<(), Error> {
            Signal::<i64>::fail("first").observe(Observer::new().error(|_| panic!("second")))?.detach();
            heard("second");
            Signal::<i64>::fail("third").start(|_| {})?.detach();
            heard("third");
            Signal::<i64>::empty().observe(Observer::new().completed(|| panic!("fourth")))?.detach();
            heard("fourth");
            let queue = Queue::new("log");
            queue.dispatch(|| panic!("fifth"))?;
            queue.run_sync(|| {})?;
            heard("fifth");
            struct Bomb;
            impl Drop for Bomb {
                fn drop(&mut self) {
                    panic!("sixth")
                }
            }
            let bomb = Bomb;
            drop(Signal::just(1).map(move |n: i64| {
                let _kept = &bomb;
                n
            }));
            heard("sixth");
            drop(Signal::just(1).after_disposed(|| panic!("seventh")).get(None));
            heard("seventh");
            Ok(())
        })?;
        set_log(|text| eprintln!("{text}"));
        Ok(())
    });
}

#[test]
fn a_panic_on_another_thread_ends_its_run_alone() {
    scene(|| {
        quiet(|| {
            let queue = Queue::new("elsewhere");
            let pipe: Pipe<i64> = Pipe::new();
            let (sent, failed) = mpsc::channel();
            let sent = Mutex::new(sent);
            let observer = Observer::new().next(|_| panic!("out"));
            let broken = pipe.signal().deliver_on(&queue);
            let _broken = broken.observe(observer.error(move |e| drop(sent.lock().unwrap().send(e.to_string()))))?;
            let count = Arc::new(AtomicI64::new(0));
            let counter = count.clone();
            let _whole = pipe.signal().deliver_on(&queue).start(move |n| ignore(counter.fetch_add(n, SeqCst)))?;
            pipe.next(1);
            pipe.next(2);
            assert_eq!(failed.recv().unwrap(), "out");
            eventually(|| count.load(SeqCst) == 3);
            Ok(())
        })
    });
}

#[test]
fn a_panic_goes_through_calls_that_wait() {
    scene(|| {
        let queue = Queue::new("sync");
        let state = State::new(1);
        let payload = quiet(|| {
            let caught = |body: &dyn Fn()| std::panic::catch_unwind(std::panic::AssertUnwindSafe(body)).unwrap_err();
            let sync = caught(&|| queue.run_sync(|| std::panic::panic_any(1_u8)).unwrap());
            let modify = caught(&|| state.modify(|_| std::panic::panic_any(2_u8)).unwrap());
            (*sync.downcast::<u8>().unwrap(), *modify.downcast::<u8>().unwrap())
        });
        assert_eq!(payload, (1, 2));
        assert_eq!(state.value()?, 1);
        Ok(())
    });
}

#[test]
fn dropping_ends_and_detaching_does_not() {
    scene(|| {
        let pipe: Pipe<i64> = Pipe::new();
        let sum = Arc::new(AtomicI64::new(0));
        let adding = |sum: &Arc<AtomicI64>| {
            let sum = sum.clone();
            move |n| ignore(sum.fetch_add(n, SeqCst))
        };
        drop(pipe.signal().start(adding(&sum))?);
        pipe.next(1);
        assert_eq!(sum.load(SeqCst), 0);
        pipe.signal().start(adding(&sum))?.detach();
        assert!(pipe.next(2));
        assert_eq!(sum.load(SeqCst), 2);
        let set = DisposableBag::new();
        set.add(pipe.signal().start(adding(&sum))?)?;
        pipe.next(10);
        assert_eq!(sum.load(SeqCst), 22);
        set.dispose();
        set.dispose();
        pipe.next(10);
        assert_eq!(sum.load(SeqCst), 32);
        let slot = DisposableSlot::new();
        slot.set(pipe.signal().start(adding(&sum))?)?;
        slot.set(Disposable::new(|| {}))?;
        let dict = DisposableDict::new();
        dict.set("key".to_string(), pipe.signal().start(adding(&sum))?)?;
        dict.remove("key".to_string())?;
        pipe.next(100);
        assert_eq!(sum.load(SeqCst), 132);
        pipe.complete();
        pipe.complete();
        assert!(!pipe.next(3));
        Ok(())
    });
}

#[test]
fn generators() {
    scene(|| {
        let stopped = Arc::new(AtomicBool::new(false));
        let flag = stopped.clone();
        let kept = Arc::new(());
        let object = kept.clone();
        let forever = Signal::create(move |subscriber: Subscriber<i64>| {
            let flag = flag.clone();
            subscriber.keep_alive(object.clone()).unwrap();
            subscriber.on_dispose(|| {}).unwrap();
            let thread = std::thread::spawn(move || (0..).take_while(|n| subscriber.next(*n)).count());
            let thread = Mutex::new(Some(thread));
            Disposable::new(move || {
                flag.store(true, SeqCst);
                drop(thread.lock().unwrap().take());
            })
        });
        assert_eq!(forever.take(3).collect(None)?, [0, 1, 2]);
        eventually(|| stopped.load(SeqCst)); // by the thread that emits
        drop(forever);
        eventually(|| Arc::strong_count(&kept) == 1);
        // A run inside of a generator is what stops it.
        let inner = Pipe::new();
        let source = inner.clone();
        let outer = Signal::create(move |subscriber: Subscriber<i64>| {
            source.signal().start(move |n| ignore(subscriber.next(n))).ok().map(Disposable::from)
        });
        let sum = Arc::new(AtomicI64::new(0));
        let adding = sum.clone();
        let run = outer.start(move |n: i64| ignore(adding.fetch_add(n, SeqCst)))?;
        inner.next(4);
        drop(run);
        inner.next(5);
        assert_eq!(sum.load(SeqCst), 4);
        Ok(())
    });
}

#[test]
fn subjects() {
    scene(|| {
        let pipe = Pipe::replaying();
        pipe.next(1);
        assert_eq!(pipe.signal().get(None)?, Some(1));
        pipe.error("gone");
        assert_eq!(pipe.signal().collect(None).unwrap_err().to_string(), "gone");
        let promise = Promise::with_value(1);
        assert_eq!(promise.signal().get(None)?, Some(1));
        promise.set(&Signal::of([2, 3]))?;
        assert_eq!(promise.signal().get(None)?, Some(3));
        let ended = Arc::new(AtomicBool::new(false));
        let flag = ended.clone();
        promise.on_deinit(move || flag.store(true, SeqCst))?;
        drop(promise);
        assert!(ended.load(SeqCst));
        assert_eq!(Promise::on_first_access(&Signal::just(5))?.signal().get(None)?, Some(5));
        let state = State::distinct(1);
        let changes = Arc::new(AtomicI64::new(0));
        let counter = changes.clone();
        let _run = state.signal().start(move |_| ignore(counter.fetch_add(1, SeqCst)))?;
        state.set(1)?;
        state.modify(|n| n + 1)?;
        assert_eq!((state.value()?, changes.load(SeqCst)), (2, 2));
        let shared = Multicast::new();
        assert_eq!(shared.get("key", &Signal::just(1)).get(None)?, Some(1));
        assert!(shared.get("k\0y", &Signal::just(1)).mistake().is_some());
        let manager = MulticastManager::new();
        assert_eq!(manager.signal(Some("a"), || Signal::just(1)).get(None)?, Some(1));
        manager.start("b", || Signal::just(1))?;
        let heard = Arc::new(AtomicI64::new(0));
        let listener = heard.clone();
        let _pipe = manager.pipe("c").start(move |n| listener.store(n, SeqCst))?;
        manager.next("c", 7)?;
        assert_eq!(heard.load(SeqCst), 7);
        let sequencer = Sequencer::new();
        assert_eq!(sequencer.enqueue(&Signal::just(1)).get(None)?, Some(1));
        Ok(())
    });
}

#[test]
fn queues_timers_and_pools() {
    scene(|| {
        let time = VirtualTime::new();
        let fired = Arc::new(AtomicI64::new(0));
        let counting = |fired: &Arc<AtomicI64>| {
            let fired = fired.clone();
            move || ignore(fired.fetch_add(1, SeqCst))
        };
        let timer = Timer::repeating(Duration::from_secs(1), &time, counting(&fired))?;
        timer.start()?;
        assert!(timer.is_scheduled());
        time.advance(Duration::from_secs(3))?;
        assert_eq!(fired.load(SeqCst), 3);
        timer.invalidate();
        timer.invalidate();
        assert_eq!(timer.remaining(), Duration::MAX);
        let once = Arc::new(AtomicI64::new(0));
        let other = VirtualTime::new();
        let timer = Timer::once(Duration::from_millis(100), &other, counting(&once))?;
        timer.start()?;
        other.advance(Duration::from_secs(3))?;
        assert_eq!(once.load(SeqCst), 1);
        let cancelled = time.after(Duration::from_secs(1), counting(&fired))?;
        cancelled.dispose();
        time.after(Duration::from_secs(2), counting(&fired))?;
        assert_eq!(time.run(None)?, 1);
        assert_eq!((fired.load(SeqCst), time.now(), time.pending()?), (4, Duration::from_secs(5), 0));
        let pool = ThreadPool::new(2)?;
        let inside = pool.clone();
        let (sent, got) = mpsc::channel();
        pool.add(move || ignore(sent.send(inside.is_current())))?;
        assert!(got.recv().unwrap());
        assert_eq!(pool.next_queue()?.run_sync(|| 5)?, 5);
        assert!(ThreadPool::new(0).is_err() && Queue::with_threads("none", 0).is_err());
        assert_eq!(Signal::of([1, 2]).run_on(&Queue::with_threads("two", 2)?).collect(None)?, [1, 2]);
        pool.shutdown();
        let local = QueueLocal::new(&Queue::new("local"), || std::cell::Cell::new(1))?;
        local.with(|cell| {
            cell.set(2);
            assert_eq!(local.with(std::cell::Cell::get).unwrap(), 2);
        })?;
        assert_eq!(local.with(|cell| cell.get())?, 2);
        Ok(())
    });
}

struct Channel(Mutex<mpsc::Sender<Work>>);
impl Executor for Channel {
    fn execute(&self, work: Work) -> Result<(), AnyError> {
        self.0.lock().map_err(|_| "poisoned")?.send(work).map_err(|_| "the loop has ended".into())
    }
}

#[test]
fn a_loop_of_the_programs_is_a_queue() {
    scene(|| {
        let (sender, work) = mpsc::channel::<Work>();
        let queue = Queue::custom(Channel(Mutex::new(sender)));
        let home = std::thread::current().id();
        let sum = Arc::new(AtomicI64::new(0));
        let adding = sum.clone();
        let signal = Signal::of([1, 2, 3]).run_on(&Queue::concurrent()).deliver_on(&queue);
        let run = signal.start(move |n: i64| {
            assert_eq!(std::thread::current().id(), home);
            adding.fetch_add(n, SeqCst);
        })?;
        while sum.load(SeqCst) < 6 {
            work.recv().unwrap().run();
        }
        drop((run, work));
        assert!(queue.dispatch(|| {}).is_err());
        assert_eq!(queue.run_sync(|| {}).unwrap_err().status(), Some(sys::SGK_ERROR_ENDED));
        Ok(())
    });
}

/// Keeps the work and reports that it has not taken it: by an error, or by a panic.
struct Keeper(Arc<Mutex<Vec<Work>>>, bool);
impl Executor for Keeper {
    fn execute(&self, work: Work) -> Result<(), AnyError> {
        self.0.lock().unwrap().push(work);
        if self.1 {
            panic!("no")
        }
        Err("no".into())
    }
}

#[test]
fn work_that_an_executor_has_refused_neither_runs_nor_drops_again() {
    scene(|| {
        for panics in [false, true] {
            let kept = Arc::new(Mutex::default());
            let queue = Queue::custom(Keeper(kept.clone(), panics));
            let (ran, held) = (Arc::new(AtomicI64::new(0)), Arc::new(()));
            for _ in 0..2 {
                let (ran, held) = (ran.clone(), held.clone());
                let work = move || ignore((ran.fetch_add(1, SeqCst), held));
                assert!(quiet(|| queue.dispatch(work)).is_err());
            }
            assert_eq!((Arc::strong_count(&held), queue.dropped()), (1, 2));
            let mut kept: Vec<Work> = std::mem::take(&mut *kept.lock().unwrap());
            kept.pop().unwrap().run();
            drop(kept);
            assert_eq!((ran.load(SeqCst), queue.dropped()), (0, 2));
        }
        Ok(())
    });
}

/// Runs the work inside of the call, then reports an error.
struct Inline;
impl Executor for Inline {
    fn execute(&self, work: Work) -> Result<(), AnyError> {
        work.run();
        Err("too late".into())
    }
}

#[test]
fn work_that_has_run_was_accepted() {
    scene(|| {
        let queue = Queue::custom(Inline);
        let (sent, got) = mpsc::channel();
        let inner = queue.clone();
        queue.dispatch(move || inner.dispatch(move || sent.send(7).unwrap()).unwrap())?;
        assert_eq!((got.try_recv(), queue.dropped()), (Ok(7), 0));
        Ok(())
    });
}

struct ThreadPerWork;
impl Executor for ThreadPerWork {
    fn execute(&self, work: Work) -> Result<(), AnyError> {
        std::thread::spawn(|| work.run());
        Ok(())
    }
}

#[test]
fn work_of_a_queue_never_overlaps_whatever_its_executor_does() {
    scene(|| {
        let local = QueueLocal::new(&Queue::custom(ThreadPerWork), || std::cell::Cell::new(0))?;
        let add = |cell: &std::cell::Cell<i64>| {
            let before = cell.get();
            std::thread::yield_now();
            cell.set(before + 1);
        };
        std::thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(|| (0..500).for_each(|_| local.with(add).unwrap()));
            }
        });
        assert_eq!(local.with(std::cell::Cell::get)?, 2000);
        Ok(())
    });
}

/// Emits from another thread, at least a millisecond apart. An interval skips numbers whose time passes during a
/// delivery.
fn numbered() -> Signal<i64> {
    Signal::interval(Duration::from_millis(1), &Queue::concurrent()).enumerated().map(|(number, _)| number)
}

struct Unpark(std::thread::Thread);
impl std::task::Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark()
    }
}

fn block_on<R>(future: impl std::future::Future<Output = R>) -> R {
    let waker = Arc::new(Unpark(std::thread::current())).into();
    let mut future = Box::pin(future);
    loop {
        match future.as_mut().poll(&mut std::task::Context::from_waker(&waker)) {
            std::task::Poll::Ready(result) => return result,
            std::task::Poll::Pending => std::thread::park(),
        }
    }
}

#[test]
fn tasks_wait_during_a_pause() {
    scene(|| {
        let (slow, counter) = (Queue::new("slow"), signalkit::OverflowCounter::new());
        let bound = Bound::at(4, Overflow::Pause).counting(&counter);
        let (pipe, sent) = (Pipe::new(), Arc::new(AtomicI64::new(0)));
        let (sees, seen) = mpsc::channel();
        let run = pipe.signal().deliver_on_bounded(&bound, &slow).start(move |n: i64| sees.send(n).unwrap())?;
        let hold = run.hold()?;
        let sending = {
            let (pipe, sent) = (pipe.clone(), sent.clone());
            std::thread::spawn(move || {
                block_on(async {
                    while sent.load(SeqCst) < 1000 {
                        pipe.ready().await.unwrap();
                        pipe.next(sent.fetch_add(1, SeqCst));
                    }
                })
            })
        };
        assert!(seen.recv_timeout(Duration::from_millis(20)).is_err());
        assert_eq!(sent.load(SeqCst), 0);
        drop(hold);
        sending.join().unwrap();
        assert_eq!(seen.iter().take(1000).collect::<Vec<_>>(), (0..1000).collect::<Vec<_>>());
        assert_eq!(counter.exceeded(), 0);
        Ok(())
    });
    scene(|| {
        let (gives, given) = mpsc::channel();
        let signal = Signal::create(move |subscriber: Subscriber<i64>| gives.send(subscriber).unwrap());
        let run = signal.start(|_: i64| ())?;
        let hold = run.hold()?;
        let subscriber = given.recv().unwrap();
        fn sent<F: Send>(future: F) -> F {
            future
        }
        let waiting = std::thread::spawn(move || block_on(sent(subscriber.ready())).map(|()| subscriber.is_active()));
        std::thread::sleep(Duration::from_millis(20));
        assert!(!waiting.is_finished());
        run.dispose();
        assert!(!waiting.join().unwrap()?);
        drop(hold);
        Ok(())
    });
}

#[test]
fn readers() {
    scene(|| {
        let reader = Signal::of([1, 2]).concat_with(&Signal::fail("end")).reader(&Bound::at(9, Overflow::Error))?;
        let all: Vec<_> = reader.map(|item| item.map_err(|error| error.to_string())).collect();
        assert_eq!(all, [Ok(1), Ok(2), Err("end".to_string())]);
        let ticks = numbered().take(3);
        let reader = ticks.reader(&Bound::at(1, Overflow::Suspend))?;
        assert!(reader.fd()? >= 0);
        let sum = block_on(async {
            let mut sum = 0;
            while let Some(n) = reader.recv().await.unwrap() {
                sum += n + 1;
            }
            sum
        });
        assert_eq!(sum, 6);
        reader.close();
        reader.close();
        assert_eq!(reader.read(None).unwrap_err().status(), Some(sys::SGK_ERROR_ENDED));
        let never = Signal::<i64>::never();
        assert!(never.get(Some(Duration::from_millis(5))).unwrap_err().is_timeout());
        assert!(never.collect(Some(Duration::from_millis(5))).unwrap_err().is_timeout());
        assert_eq!(never.get(None)?, None); // nothing could end the wait
        let pending: Pipe<i64> = Pipe::new();
        let reader = pending.signal().reader(&Bound::unbounded())?;
        assert!(reader.read(Some(Duration::ZERO)).unwrap_err().is_timeout());
        Ok(())
    });
}

#[derive(Default)]
struct Count(AtomicI64);
impl std::task::Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, SeqCst);
    }
}

#[test]
fn a_reader_keeps_one_waker_for_each_future() {
    fn poll<F: std::future::Future + Unpin>(future: &mut F, count: &Arc<Count>) -> std::task::Poll<F::Output> {
        std::pin::Pin::new(future).poll(&mut std::task::Context::from_waker(&count.clone().into()))
    }
    fn next(reader: &Reader<i64>, count: &Arc<Count>) -> bool {
        reader.poll_next(&mut std::task::Context::from_waker(&count.clone().into())).is_ready()
    }
    scene(|| {
        let pipe = Pipe::<i64>::new();
        let reader = pipe.signal().reader(&Bound::unbounded())?;
        let counts: Vec<Arc<Count>> = (0..5).map(|_| Arc::default()).collect();
        let kept = || counts.iter().map(|count| Arc::strong_count(count) - 1).collect::<Vec<_>>();
        let woken = || counts.iter().map(|count| count.0.swap(0, SeqCst)).collect::<Vec<_>>();
        let (mut first, mut second, mut dropped) = (reader.recv(), reader.recv(), reader.recv());
        let before = live_total();
        for count in [&counts[0], &counts[1]] {
            assert!((0..1000).all(|_| poll(&mut first, count).is_pending() && !next(&reader, count)));
        }
        assert!(poll(&mut second, &counts[2]).is_pending() && poll(&mut dropped, &counts[3]).is_pending());
        assert!(!next(&reader, &counts[4]));
        assert_eq!((kept(), live_total() - before <= 2), (vec![0, 1, 1, 1, 1], true));
        drop(dropped);
        pipe.next(7);
        assert_eq!((kept(), woken()), (vec![0; 5], vec![0, 1, 1, 0, 1]));
        assert!(matches!(poll(&mut first, &counts[0]), std::task::Poll::Ready(Ok(Some(7)))));
        assert!(poll(&mut second, &counts[2]).is_pending());
        reader.close();
        assert_eq!((kept(), woken()), (vec![0; 5], vec![0, 0, 1, 0, 0]));
        Ok(())
    });
}

#[cfg(feature = "stream")]
#[test]
fn streams() {
    struct PollNext<'a, S>(&'a mut S);
    impl<S: futures_core::Stream + Unpin> std::future::Future for PollNext<'_, S> {
        type Output = Option<S::Item>;
        fn poll(mut self: std::pin::Pin<&mut Self>, context: &mut std::task::Context) -> std::task::Poll<Self::Output> {
            std::pin::Pin::new(&mut *self.0).poll_next(context)
        }
    }
    fn next<S: futures_core::Stream + Unpin>(stream: &mut S) -> Option<S::Item> {
        block_on(PollNext(stream))
    }
    scene(|| {
        let ticks = numbered().take(2).concat_with(&Signal::fail("end"));
        let mut stream = ticks.reader(&Bound::at(1, Overflow::Suspend))?;
        assert_eq!(next(&mut stream).unwrap().unwrap(), 0);
        assert_eq!(next(&mut stream).unwrap().unwrap(), 1);
        assert_eq!(next(&mut stream).unwrap().unwrap_err().to_string(), "end");
        assert!(next(&mut stream).is_none());
        Ok(())
    });
}

#[test]
fn many_threads_and_many_runs() {
    scene(|| {
        let pipe: Pipe<i64> = Pipe::new();
        let odd = pipe.signal().filter(|n| n % 2 == 1).scan(0, |a: i64, n| a + n);
        std::thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(|| (0..1000).for_each(|n| drop(odd.start(move |_| ignore(n)).unwrap())));
                threads.spawn(|| (0..1000).for_each(|n| assert!(pipe.next(n))));
            }
        });
        let kept: Vec<_> = (0..100_000).map(|_| odd.start(|_| {})).collect::<Result<_, _>>()?;
        pipe.next(1);
        drop(kept);
        Ok(())
    });
}

#[test]
fn links() {
    scene(|| {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let list = |seen: &Arc<Mutex<Vec<String>>>| {
            let seen = seen.clone();
            move |text: String| seen.lock().unwrap().push(text)
        };
        let emitter = EventEmitter::with_value(1);
        let even = emitter.compact_map(|n: i64| (n % 2 == 0).then(|| n.to_string()))?;
        let (next, finish) = (list(&seen), list(&seen));
        even.on_next(None, move |text| next(text.clone()))?;
        even.on_finish(None, move || finish("end".into()))?;
        let doubled = emitter.map(|n| if n == 3 { panic!("three") } else { n * 2 })?.filter(|n| *n > 4)?;
        let next = list(&seen);
        doubled.on_next(None, move |n| next(format!("doubled {n}")))?;
        set_log(|text| assert!(text.contains("three") || text.contains("failed"), "{text}"));
        quiet(|| (2..=4).try_for_each(|n| emitter.next(n)))?;
        let bag = LinkBag::new();
        bag.add(&doubled)?;
        bag.clear()?;
        emitter.next(6)?;
        emitter.finish()?;
        assert_eq!(*seen.lock().unwrap(), ["2", "4", "doubled 8", "6", "end"]);
        let failing = EventEmitter::<i64>::new();
        let error = list(&seen);
        failing.observer()?.on_error(None, move |e| error(e.to_string()))?;
        failing.error("gone")?;
        assert_eq!(failing.signal().get(None).unwrap_err().to_string(), "gone");
        assert_eq!(Signal::of([1, 2]).link()?.signal().collect(None)?, [1, 2]);
        Ok(())
    });
}

#[test]
fn unhandled_errors_have_a_handler() {
    scene(|| {
        let (sent, told) = mpsc::sync_channel(9);
        set_unhandled_error_handler(move |error, name| {
            sent.send(format!("{}: {error}", name.unwrap_or("?"))).unwrap();
        });
        Signal::<i64>::fail("no").named("numbers").start(|_| {})?.detach();
        Signal::<i64>::fail("nor this").start(|_| {})?.detach();
        assert_eq!(told.recv().unwrap(), "numbers: no");
        assert_eq!(told.recv().unwrap(), "?: nor this");
        unsafe { sys::sgk_set_unhandled_error_handler(None, std::ptr::null_mut(), None) }
        Ok(())
    });
}

#[test]
fn callbacks_of_c_libraries() {
    scene(|| {
        let bigger = |row: Vec<i64>| if row[0] < 0 { panic!("negative") } else { row[0] + 1 };
        let callback = NativeCallback::<i64>::answering("(i64) -> i64", -1, bigger)?;
        let function: extern "C" fn(i64) -> i64 = unsafe { std::mem::transmute(callback.function()) };
        let sum = Arc::new(AtomicI64::new(0));
        let adding = sum.clone();
        let _run = callback.signal().start(move |n| ignore(adding.fetch_add(n, SeqCst)))?;
        set_log(|text| assert!(text.contains("negative"), "{text}"));
        assert_eq!((function(1), quiet(|| function(-5)), function(10)), (2, -1, 11));
        assert_eq!(sum.load(SeqCst), 6);
        callback.disposable()?.dispose();
        assert_eq!(function(1), -1);
        let refused = NativeCallback::<()>::new("(i65) -> void", ()).unwrap_err();
        assert!(refused.to_string().contains("unknown type 'i65'"), "{refused}");
        assert_eq!(round(Pointer(16)), Pointer(16));
        Ok(())
    });
}

/// Does not compile if the type has the trait: then two implementations of `Unless` apply.
macro_rules! without {
    ($trait:path: $($type:ty),* $(,)?) => {{
        struct Has;
        trait Unless<A> {
            fn checked() {}
        }
        impl<T: ?Sized> Unless<()> for T {}
        impl<T: ?Sized + $trait> Unless<Has> for T {}
        $(<$type as Unless<_>>::checked();)*
    }};
}

/// The compiler checks that each reference is counted: a clone retains, and other types are moved only.
#[test]
fn copies() {
    without!(Copy: Signal<i64>, Subscription, Disposable, Subscriber<i64>, Pipe<i64>, State<i64>, Promise<i64>, Queue);
    without!(Copy: ThreadPool, OverflowCounter, VirtualTime, EventEmitter<i64>, Link<i64>, AnyValue, Error, Observer<i64>);
    without!(Clone: Subscription, Timer, Reader<i64>, Recv<'static, i64>, QueueLocal<i64>, NativeCallback<i64>, Work);
    without!(Clone: Observer<i64>, LinkBag);
    without!(Sync: Work);
}

/// The compiler checks that everything else may go to another thread.
#[test]
fn send_and_sync() {
    fn both<T: Send + Sync>() {}
    both::<Disposable>();
    both::<DisposableBag>();
    both::<DisposableDict>();
    both::<DisposableSlot>();
    both::<VirtualTime>();
    both::<ThreadPool>();
    both::<OverflowCounter>();
    both::<EventEmitter<i64>>();
    both::<Link<i64>>();
    both::<LinkBag>();
    both::<NativeCallback<i64>>();
    both::<Multicast<i64>>();
    both::<MulticastManager<i64>>();
    both::<Sequencer<i64>>();
    both::<Recv<i64>>();
    both::<Signal<i64>>();
    both::<Subscription>();
    both::<Subscriber<i64>>();
    both::<Pipe<i64>>();
    both::<State<i64>>();
    both::<Promise<i64>>();
    both::<Queue>();
    both::<Timer>();
    both::<Reader<i64>>();
    both::<QueueLocal<std::cell::Cell<i64>>>();
    both::<Error>();
    both::<AnyValue>();
    assert_eq!(VERSION, env!("CARGO_PKG_VERSION"));
}
