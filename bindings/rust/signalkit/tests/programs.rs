//! How whole programs end: this program runs itself.

use signalkit::{main_run, main_stop, Pipe, Queue, Signal};
use std::process::{Command, Output};
use std::sync::mpsc;
use std::time::Duration;

fn played(scene: &str) -> Output {
    let program = std::env::current_exe().unwrap();
    let arguments = ["--exact", "scene", "--ignored", "--nocapture", "--test-threads=1"];
    Command::new(program).args(arguments).env("SCENE", scene).env("RUST_BACKTRACE", "0").output().unwrap()
}

fn status(scene: &str) -> Option<i32> {
    played(scene).status.code()
}

fn ticking() -> mpsc::Receiver<i64> {
    let (sent, ticks) = mpsc::sync_channel(1);
    let interval = Signal::interval(Duration::from_micros(50), &Queue::new("ticks"));
    let run = interval.map(|n| n).start(move |n| {
        let _ = sent.try_send(n);
    });
    run.unwrap().detach();
    ticks
}

/// Not a test, but what the tests run.
#[test]
#[ignore]
fn scene() {
    match std::env::var("SCENE").as_deref() {
        Ok("exit with a run alive") => {
            ticking().recv().unwrap();
            std::process::exit(0)
        }
        Ok("exit in a callback") => {
            let pipe = Pipe::new();
            let _run = pipe.signal().start(|code: i32| std::process::exit(code)).unwrap();
            pipe.next(3);
        }
        Ok("exit on a thread of the library's") => {
            Signal::just(4).deliver_on(&Queue::concurrent()).start(|code| std::process::exit(code)).unwrap().detach();
            std::thread::park();
        }
        Ok("panic with a run alive") => {
            ticking().recv().unwrap();
            panic!("out")
        }
        Ok("values that outlive main") => {
            static KEPT: std::sync::Mutex<Option<Signal<String>>> = std::sync::Mutex::new(None);
            *KEPT.lock().unwrap() = Some(Signal::just("kept".into()).map(|text: String| text + "!"));
        }
        Ok("the loop of another thread") => {
            assert!(std::thread::spawn(main_run).join().unwrap().is_err());
            main_stop();
        }
        _ => {}
    }
}

#[test]
fn programs_end_as_they_say() {
    assert_eq!(status("exit with a run alive"), Some(0));
    assert_eq!(status("exit in a callback"), Some(3));
    assert_eq!(status("exit on a thread of the library's"), Some(4));
    assert_eq!(status("panic with a run alive"), Some(101));
    assert_eq!(status("values that outlive main"), Some(0));
    assert_eq!(status("the loop of another thread"), Some(0));
}
