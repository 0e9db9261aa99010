// Scenes that need neither the main actor nor the main thread.
import SignalKit

/// What can be ended twice is ended twice.
func closedTwice() {
    let pipe = ValuePipe<Int>()
    let run = show("closed twice", pipe.signal())
    pipe.putNext(1)
    pipe.complete()
    pipe.complete()
    run.dispose()
    run.dispose()
    pipe.putNext(2) // after the end: dropped
    show("used after close", pipe.signal())
}

/// A callback throws. Its run alone is out; the pipe goes on.
func left() {
    let pipe = FalliblePipe<Int, Failure>()
    show("left", pipe.signal() |> tryMap { n throws(Failure) -> String in
        print("left: \(n)")
        throw Failure("and out")
    })
    show("left", pipe.signal() |> filter { $0 == 2 } |> map { "\($0) for the others" })
    pipe.putNext(1)
    pipe.putNext(2)
}

/// Two timers combined, throttled; what fails at first is tried again.
func timers(_ queue: Queue) -> Signal<Int, NoError> {
    let attempts = Atomic(value: 0)
    let pairs = deferred { () -> Signal<(Int, Int), Failure> in
        let attempt = attempts.modify { $0 + 1 }
        print("timers: attempt \(attempt)")
        if attempt == 1 { return .fail(Failure("not yet")) }
        return combineLatest(.interval(0.001, queue: queue), .interval(0.002, queue: queue))
    }
    let tried: Signal<(Int, Int), NoError> = pairs |> retry(0.001, maxDelay: 0.01, onQueue: queue)
    return tried |> throttle(0.003, queue: queue) |> scan(0) { count, _ in count + 1 } |> take(3)
}

/// Memory is flat when it has grown by less than a kilobyte for each of the 10,000, after as many before.
func subscriptions() {
    let source = ValuePipe<Int>()
    let numbers = source.signal() |> map { $0 + 1 } |> take(2)
    func makeAndDispose() {
        for _ in 0..<10_000 {
            let token = Token()
            numbers.start(next: { n in withExtendedLifetime(token) { print(n) } }).dispose()
        }
    }
    makeAndDispose()
    let (before, alive) = (memory(), Token.alive.value)
    makeAndDispose()
    let grown = memory() - before
    print("subscriptions: 10000 made, \(Token.alive.value - alive) left")
    print("subscriptions: memory \(grown < 10_000 ? "flat" : "\(grown) KiB more")")
}

/// A run is disposed inside its own callback.
func ownRun() {
    let pipe = ValuePipe<Int>()
    let run = MetaDisposable()
    run.set((pipe.signal() |> take(3)).start(
        next: { n in
            print("own run: \(n)")
            run.dispose()
        },
        completed: { print("own run: end") }))
    pipe.putNext(1)
    pipe.putNext(2)
    print("own run: over")
}
