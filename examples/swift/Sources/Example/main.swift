// The scenes that every language of `examples` plays (docs/languages.md), but for the misuse: in Swift types leave little of it.
import SignalKit

struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Counts what is alive: the callbacks of each run hold one.
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
    let run = show("stopped", pipe.signal())
    pipe.putNext(1)
    run.dispose()
    pipe.putNext(2)
}

/// Emits on a thread of the library. Made outside the main actor: a closure that is written inside it would belong to it, and stop the program on any
/// other thread.
func elsewhere() -> Signal<Int, NoError> {
    let token = Token()
    return numbers(1, 2, 3) |> filter { _ in withExtendedLifetime(token) { !Queue.mainQueue().isCurrent() } } |> runOn(.concurrentDefaultQueue())
}

/// Swift's own loop is the main actor.
@MainActor func ownThread() async {
    for await n in elsewhere().values { print("\(place()): \(n)") }
    print("\(place()): end")
}

func place() -> String { Queue.mainQueue().isCurrent() ? "own thread" : "another thread" }

func failed() { show("failed", numbers(1) |> then(.fail(Failure("unplugged")))) }

func thrown() {
    show("thrown", numbers(1, 2, 3, 4) |> tryMap { n throws(Failure) in
        if n == 3 { throw Failure("three is too many") }
        return n * 10
    })
}

halves()
text()
stopped()
await ownThread()
failed()
thrown()
for _ in 1...60_000 where Token.alive.value != 0 { try await Task.sleep(for: .milliseconds(1)) } // other threads let go in their own time
let alive = Token.alive.value
print("alive: \(alive)")
precondition(alive == 0)
