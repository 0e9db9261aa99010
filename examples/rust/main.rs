//! The scenes that every language of `examples` plays (docs/languages.md).

mod signalkit;
use signalkit::{alive, main_run, main_stop, Pipe, Queue, Signal};

fn shown<T: std::fmt::Display>(name: &'static str) -> (impl Fn(T) + Send + Sync, impl Fn(String) + Send + Sync, impl Fn() + Send + Sync) {
    (move |n| println!("{name}: {n}"), move |message| println!("{name}: {message}"), move || println!("{name}: end"))
}

fn halves() -> Result<(), String> {
    let pipe = Pipe::new();
    let (next, error, completed) = shown("half");
    let _run = pipe.signal().filter(|n: &i64| n % 2 == 0).map(|n| n / 2).start(next, error, completed)?;
    for n in 1..=6 {
        pipe.next(n);
    }
    pipe.complete();
    Ok(())
}

fn text() -> Result<(), String> {
    let (next, error, completed) = shown("text");
    Signal::of(["grün".to_string()]).map(|word| word + "!").start(next, error, completed).map(drop)
}

fn stopped() -> Result<(), String> {
    let pipe: Pipe<i64> = Pipe::new();
    let (next, error, completed) = shown("stopped");
    let run = pipe.signal().start(next, error, completed)?;
    pipe.next(1);
    drop(run);
    pipe.next(2);
    Ok(())
}

fn own_thread() -> Result<(), String> {
    let own = std::thread::current().id();
    let source = Signal::of([1, 2, 3]).run_on(&Queue::new("elsewhere"));
    let elsewhere = source.filter(move |_| std::thread::current().id() != own);
    let place = move || if std::thread::current().id() == own { "own thread" } else { "another thread" };
    let _run = elsewhere.deliver_on(&Queue::main()).start(
        move |n| println!("{}: {n}", place()),
        |message| println!("{message}"),
        move || {
            println!("{}: end", place());
            main_stop();
        },
    )?;
    main_run()
}

fn failed() -> Result<(), String> {
    let (next, error, completed) = shown("failed");
    Signal::of([1]).then(&Signal::fail("unplugged")).start(next, error, completed).map(drop)
}

fn thrown() -> Result<(), String> {
    std::panic::set_hook(Box::new(|_| {})); // it is reported as the error of the signal, not on stderr
    let (next, error, completed) = shown("thrown");
    let tens = Signal::of([1, 2, 3, 4]).map(|n: i64| if n == 3 { panic!("three is too many") } else { n * 10 });
    let run = tens.start(next, error, completed).map(drop);
    let _ = std::panic::take_hook();
    run
}

fn misuse() {
    let (next, error, completed) = shown("misuse");
    if let Err(message) = Signal::of([1]).take(-1).start(next, error, completed) {
        println!("misuse: {message}");
    }
}

fn main() -> Result<(), String> {
    halves()?;
    text()?;
    stopped()?;
    own_thread()?;
    failed()?;
    thrown()?;
    misuse();
    let alive = alive();
    println!("alive: {alive}");
    assert_eq!(alive, 0);
    Ok(())
}
