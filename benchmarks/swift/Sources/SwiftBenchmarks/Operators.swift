// The cost of an event in operators that keep state, combine sources or use time, and the cost of their start and
// disposal.
import Dispatch
import Harness
import SignalKit

private let name = "SignalKit (Swift)"

private typealias Numbers = Signal<Int, NoError>

// MARK: The operators

/// `scan` with this function emits 0, 1, 1, 2, 2, 3 …
private func difference(_ accumulated: Int, _ number: Int) -> Int { number - accumulated }

/// A signal with a generator.
private func created(_ number: Int) -> Numbers {
    Signal { subscriber in
        subscriber.putNext(number)
        subscriber.putCompletion()
        return EmptyDisposable
    }
}

private func merged(_ inner: @escaping (Int) -> Numbers) -> (Numbers) -> Numbers {
    mapToMerged(limit: 4, waiting: 0, overflow: .dropNewest, inner)
}

private func zipped(_ left: Numbers, _ right: Numbers) -> Signal<(Int, Int), NoError> {
    zip(left, right, limit: 1, overflow: .dropNewest)
}

private let chunk = 10

// MARK: An event

/// Sends 0 ..< count through the operator.
private func through(
    _ stage: @escaping (Numbers) -> Numbers, _ expected: @escaping (Int) -> Int = sum
) -> (Int) -> Double {
    { count in
        let total = counter()
        let pipe = ValuePipe<Int>()
        let run = stage(pipe.signal()).start(next: { total.pointee &+= $0 })
        let measure = time(count) { for number in 0..<count { pipe.putNext(number) } }
        check(total.pointee, expected(count), "sum")
        run.dispose()
        return measure
    }
}

private func chunking(_ count: Int) -> Double {
    let total = counter()
    let pipe = ValuePipe<Int>()
    let run = (pipe.signal() |> chunked(chunk)).start(next: { total.pointee &+= $0.reduce(0, &+) })
    let measure = time(count) { for number in 0..<count { pipe.putNext(number) } }
    check(total.pointee, sum(count / chunk * chunk), "sum")
    run.dispose()
    return measure
}

private func zipping(_ count: Int) -> Double {
    let total = counter()
    let left = ValuePipe<Int>(), right = ValuePipe<Int>()
    let run = zipped(left.signal(), right.signal()).start(next: { total.pointee &+= $0.0 &+ $0.1 })
    let measure = time(count / 2 * 2) {
        for number in 0..<count / 2 {
            right.putNext(number)
            left.putNext(number)
        }
    }
    check(total.pointee, sum(count / 2) * 2, "sum")
    run.dispose()
    return measure
}

private func withLatest(_ count: Int) -> Double {
    let total = counter()
    let pipe = ValuePipe<Int>(), other = ValuePipe<Int>()
    let run = (pipe.signal() |> withLatestFrom(other.signal()) { $0 &+ $1 }).start(next: { total.pointee &+= $0 })
    other.putNext(0)
    let measure = time(count) { for number in 0..<count { pipe.putNext(number) } }
    check(total.pointee, sum(count), "sum")
    run.dispose()
    return measure
}

// MARK: Time

/// The clock is virtual: moving it on is part of a tick.
private func ticking(_ count: Int) -> Double {
    let total = counter()
    let clock = VirtualTime()
    let run = Numbers.interval(1, queue: clock.makeQueue()).start(next: { total.pointee &+= $0 })
    let measure = time(count) { clock.advance(by: Double(count)) }
    check(total.pointee, sum(count), "sum")
    run.dispose()
    return measure
}

/// Each value follows the one before at once; they are emitted on the queue by which time goes. The last one arrives.
private func debouncedThere(_ count: Int) -> Double {
    let total = counter()
    let clock = VirtualTime()
    let queue = clock.makeQueue()
    let pipe = ValuePipe<Int>()
    let run = (pipe.signal() |> debounce(0.01, queue: queue)).start(next: { total.pointee &+= $0 })
    var measure = 0.0
    queue.sync { measure = time(count) { for number in 0..<count { pipe.putNext(number) } } }
    check(total.pointee, 0, "sum too soon")
    clock.advance(by: 1)
    check(total.pointee, count - 1, "sum")
    run.dispose()
    return measure
}

/// From another thread, by the clock on the wall, until the last has arrived; less the time for which it had to wait.
private func debounced(_ count: Int) -> Double {
    let done = Semaphore()
    let pipe = ValuePipe<Int>()
    let debounced = pipe.signal() |> debounce(0.01, queue: Queue(name: "benchmark"))
    let run = debounced.start(next: { if $0 == count - 1 { done.signal() } })
    let measure = time(count) {
        for number in 0..<count { pipe.putNext(number) }
        done.wait()
    }
    run.dispose()
    return measure - 1e7 / Double(count)
}

// MARK: State

/// Every state, from 0 to the last one, is shown once and in order.
private func modifying(_ threads: Int) -> (Int) -> Double {
    { count in
        let expected = counter()
        let state = State(0)
        let run = state.signal().start(next: { number in
            check(number, expected.pointee, "state")
            expected.pointee += 1
        })
        let each = count / threads
        let measure = time(each * threads) {
            if threads == 1 {
                for _ in 0..<each { state.modify { $0 + 1 } }
            } else {
                DispatchQueue.concurrentPerform(iterations: threads) { _ in
                    for _ in 0..<each { state.modify { $0 + 1 } }
                }
            }
        }
        check(expected.pointee, each * threads + 1, "states")
        run.dispose()
        return measure
    }
}

// MARK: Started and disposed

private func starting<T>(_ make: @escaping (ValuePipe<Int>, ValuePipe<Int>) -> Signal<T, NoError>) -> (Int) -> Double {
    { count in
        let received = counter()
        let left = ValuePipe<Int>(), right = ValuePipe<Int>()
        let signal = make(left, right)
        let measure = time(count) {
            for _ in 0..<count { signal.start(next: { _ in received.pointee += 1 }).dispose() }
        }
        for number in 0..<chunk {
            right.putNext(number)
            left.putNext(number)
        }
        check(received.pointee, 0, "received after disposal")
        return measure
    }
}

// MARK: To a queue, with a limit

/// Measures by a clock until the end of a range has arrived.
private func toQueue(_ policy: OverflowPolicy<NoError>?, _ clock: @escaping () -> Double) -> (Int) -> Double {
    { count in
        let done = Semaphore(), overflows = OverflowCounter()
        let numbers = counter(), total = counter()
        let queue = Queue(name: "benchmark")
        let source = Numbers.range(0, count: count)
        let signal =
            policy.map { source |> deliverOn(queue, limit: 1024, overflow: $0, counter: overflows) }
            ?? (source |> deliverOn(queue))
        let start = clock()
        let run = signal.start(
            next: {
                numbers.pointee += 1
                total.pointee &+= $0
            }, completed: { done.signal() })
        done.wait()
        let measure = (clock() - start) / Double(count)
        check(numbers.pointee + overflows.dropped, count, "values")
        if overflows.dropped == 0 { check(total.pointee, sum(count), "sum") }
        run.dispose()
        return measure
    }
}

private let policies: [(String, OverflowPolicy<NoError>?)] = [
    ("none", nil), ("pause", .pause()), ("suspend", .suspend), ("oldest", .dropOldest),
]

private let toQueues = policies.flatMap { policy, overflow in
    [
        Case("W24.\(policy)", name, 1_000_000, toQueue(overflow, now)),
        Case("W24.\(policy).work", name, 1_000_000, toQueue(overflow, work)),
    ]
}

let operators =
    toQueues + [
        Case("W14.scan", name, 1_000_000, through(scan(0, difference), { $0 * $0 / 4 })),
        Case("W14.merged", name, 300_000, through(merged { .single($0) })),
        Case("W14.merged.created", name, 200_000, through(merged(created))),
        Case("W14.zip", name, 500_000, zipping),
        Case("W14.latest", name, 1_000_000, withLatest),
        Case("W14.share", name, 1_000_000, through(share())),
        Case("W14.chunked", name, 1_000_000, chunking),
        Case("W14.interval", name, 200_000, ticking),
        Case("W14.debounce", name, 500_000, debounced),
        Case("W14.debounce.there", name, 300_000, debouncedThere),
        Case("W14.modify.1", name, 1_000_000, modifying(1)),
        Case("W14.modify.2", name, 1_000_000, modifying(2)),
        Case("W15.scan", name, 100_000, starting { left, _ in left.signal() |> scan(0, difference) }),
        Case("W15.merged", name, 100_000, starting { left, _ in left.signal() |> merged { .single($0) } }),
        Case("W15.combine", name, 100_000, starting { combineLatest($0.signal(), $1.signal()) }),
        Case("W15.zip", name, 100_000, starting { zipped($0.signal(), $1.signal()) }),
        Case("W15.latest", name, 100_000, starting { $0.signal() |> withLatestFrom($1.signal()) }),
        Case("W15.share", name, 100_000, starting { left, _ in left.signal() |> share() }),
        Case("W15.chunked", name, 100_000, starting { left, _ in left.signal() |> chunked(chunk) }),
        Case("W15.interval", name, 100_000, starting { _, _ in Numbers.interval(1, queue: VirtualTime().makeQueue()) }),
        Case(
            "W15.debounce", name, 100_000,
            starting { left, _ in left.signal() |> debounce(1, queue: VirtualTime().makeQueue()) }),
    ]
