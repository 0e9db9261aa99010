// Scenes that need neither the main actor nor the main thread.
import SignalKit

/// Ends objects twice.
func closedTwice() {
    let pipe = ValuePipe<Int>()
    let subscription = show("closed twice", pipe.signal())
    pipe.putNext(1)
    pipe.complete()
    pipe.complete()
    subscription.dispose()
    subscription.dispose()
    pipe.putNext(2) // after the end: dropped
    show("used after close", pipe.signal())
}

/// A callback throws. Its subscription fails, and the pipe continues.
func left() {
    let pipe = FalliblePipe<Int, Failure>()
    show(
        "left",
        pipe.signal()
            |> tryMap { n throws(Failure) -> String in
                print("left: \(n)")
                throw Failure("and out")
            })
    show("left", pipe.signal() |> filter { $0 == 2 } |> map { "\($0) for the others" })
    pipe.putNext(1)
    pipe.putNext(2)
}

/// Two timers are combined and throttled. The first attempt fails and is retried.
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

/// A callback disposes its own subscription.
func ownSubscription() {
    let pipe = ValuePipe<Int>()
    let subscription = MetaDisposable()
    subscription.set(
        (pipe.signal() |> take(3)).start(
            next: { n in
                print("own subscription: \(n)")
                subscription.dispose()
            },
            completed: { print("own subscription: end") }))
    pipe.putNext(1)
    pipe.putNext(2)
    print("own subscription: over")
}
