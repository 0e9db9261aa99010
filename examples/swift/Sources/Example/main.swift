// The scenes that the examples of all languages run (docs/languages.md), except misuse: in Swift a wrong argument has a meaning (`take(-1)` completes
// immediately), is a type error, or stops the program.
//
//     swift run Example                 all scenes except the next two
//     swift run Example leaving         the program exits with a live subscription
//     swift run Example interrupted     Ctrl-C ends the waiting program
import SignalKit

struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Counts live subscriptions, whose callbacks retain a token each.
final class Token: Sendable {
    static let alive = Atomic(value: 0)
    init() { _ = Token.alive.modify { $0 + 1 } }
    deinit { _ = Token.alive.modify { $0 - 1 } }
}

@discardableResult func show<T, E>(_ name: String, _ signal: Signal<T, E>) -> Disposable {
    let token = Token()
    return signal.start(
        next: { value in withExtendedLifetime(token) { print("\(name): \(value)") } },
        error: { error in print("\(name): \(error)") },
        completed: { print("\(name): end") })
}

func numbers<E>(_ values: Int...) -> Signal<Int, E> { mergeSignals(values.map { .single($0) }) }

func halves() {
    let pipe = ValuePipe<Int>()
    show("half", pipe.signal() |> filter { $0 % 2 == 0 } |> map { $0 / 2 })
    for n in 1...6 { pipe.putNext(n) }
    pipe.complete()
}

func text() {
    let word: Signal<String, NoError> = .single("grün")
    show("text", word |> map { $0 + "!" })
}

func stopped() {
    let pipe = ValuePipe<Int>()
    let subscription = show("stopped", pipe.signal())
    pipe.putNext(1)
    subscription.dispose()
    pipe.putNext(2)
}

/// Emits on a thread of the library. Made outside the main actor: a closure that is written inside it would belong to it, and stop the program on any
/// other thread.
func elsewhere() -> Signal<Int, NoError> {
    let token = Token()
    return numbers(1, 2, 3) |> filter { _ in withExtendedLifetime(token) { !Queue.mainQueue().isCurrent() } }
        |> runOn(.concurrentDefaultQueue())
}

/// Swift's own loop is the main actor.
@MainActor func ownThread() async {
    for await n in elsewhere().values { print("\(place()): \(n)") }
    print("\(place()): end")
}

func place() -> String { Queue.mainQueue().isCurrent() ? "own thread" : "another thread" }

func failed() { show("failed", numbers(1) |> then(.fail(Failure("unplugged")))) }

func thrown() {
    show(
        "thrown",
        numbers(1, 2, 3, 4)
            |> tryMap { n throws(Failure) in
                if n == 3 { throw Failure("three is too many") }
                return n * 10
            })
}

/// The program ends with a timer running that calls it all the time.
@MainActor func leaving() async {
    let (ticked, tick) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    _ = startTicking { tick.yield() }
    for await _ in ticked { break }
    print("leaving: with a live subscription")
}

/// (Outside the main actor, as `elsewhere`.)
func startTicking(_ tick: @escaping @Sendable () -> Void) -> Disposable {
    Signal<Int, NoError>.interval(0.0001, queue: Queue(name: "ticks")).start(next: { _ in tick() })
}

/// Waits until a signal ends the program. The test sends SIGINT after the line, and checks the exit status.
@MainActor func interrupted() async {
    let ticks: Signal<Int, NoError> = .interval(0.001, queue: .mainQueue())
    var isWaiting = false
    for await _ in ticks.values where !isWaiting {
        show(atOnce: "interrupted: waiting")
        isWaiting = true
    }
}

switch CommandLine.arguments.dropFirst().first {
case "leaving": await leaving()
case "interrupted": await interrupted()
default: await play()
}

@MainActor func play() async {
    halves()
    text()
    stopped()
    await ownThread()
    failed()
    thrown()
    closedTwice()
    left()
    for await n in timers(.mainQueue()).values { print("timers: \(n)") }
    print("timers: end")
    subscriptions()
    ownSubscription()
    for _ in 1...60_000 where Token.alive.value != 0 { // other threads let go in their own time
        try? await Task.sleep(for: .milliseconds(1))
    }
    let alive = Token.alive.value
    print("alive: \(alive)")
    precondition(alive == 0)
}
