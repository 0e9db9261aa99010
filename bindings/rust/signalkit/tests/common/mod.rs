//! Shared code of all tests.

use signalkit::{live_total, Error};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant};

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Plays a scene, after which nothing of the library is alive.
pub fn scene(play: impl FnOnce() -> Result<(), Error>) {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    play().unwrap();
    eventually(|| live_total() == 0);
}

/// Waits for a condition: as long as a slow machine may take, no longer than a broken one is worth.
#[track_caller]
pub fn eventually(condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < deadline, "{} objects are alive", live_total());
        std::thread::sleep(Duration::from_millis(1));
    }
}

static QUIET: AtomicBool = AtomicBool::new(false);

/// Panics that are meant to be say nothing on stderr.
pub fn quiet<R>(body: impl FnOnce() -> R) -> R {
    static HOOK: Once = Once::new();
    struct Loud;
    impl Drop for Loud {
        fn drop(&mut self) {
            QUIET.store(false, SeqCst)
        }
    }
    HOOK.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let failed_test = info.payload().downcast_ref::<String>().map_or(false, |text| text.contains("assert"));
            if failed_test || !QUIET.load(SeqCst) {
                hook(info)
            }
        }));
    });
    let _loud = Loud;
    QUIET.store(true, SeqCst);
    body()
}
