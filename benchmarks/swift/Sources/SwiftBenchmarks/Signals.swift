// The same program over two libraries: this one, and the plain model.
import Dispatch
import Harness
import Synchronization
#if PLAIN
import PlainModel
private let name = "mutex per stage (Swift)"
#else
import SignalKit
private let name = "SignalKit (Swift)"
#endif

private func plusOne(_ number: Int) -> Int { number &+ 1 }

// MARK: Events

private func chain(_ count: Int) -> Double {
    let total = counter()
    let source = Signal<Int, NoError> { subscriber in
        for number in 0..<count { subscriber.putNext(number) }
        subscriber.putCompletion()
        return EmptyDisposable
    }
    let mapped =
        source
        |> map(plusOne) |> map(plusOne) |> map(plusOne) |> map(plusOne) |> map(plusOne)
        |> map(plusOne) |> map(plusOne) |> map(plusOne) |> map(plusOne) |> map(plusOne)
    let measure = time(count) { _ = mapped.start(next: { total.pointee &+= $0 }) }
    check(total.pointee, sum(count) + 10 * count, "sum")
    return measure
}

private func broadcast(_ subscribers: Int) -> (Int) -> Double {
    { count in
        let total = counter()
        let pipe = ValuePipe<Int>()
        let runs = (0..<subscribers).map { _ in pipe.signal().start(next: { total.pointee &+= $0 }) }
        let events = (count + subscribers - 1) / subscribers
        let measure = time(events * subscribers) { for number in 0..<events { pipe.putNext(number) } }
        check(total.pointee, sum(events) * subscribers, "sum")
        for run in runs { run.dispose() }
        return measure
    }
}

private func combining(_ count: Int) -> Double {
    let total = counter()
    let left = ValuePipe<Int>(), right = ValuePipe<Int>()
    let run = combineLatest(left.signal(), right.signal()).start(next: { total.pointee &+= $0.0 &+ $0.1 })
    right.putNext(0)
    let measure = time(count) {
        for number in 0..<count { (number % 2 == 0 ? left : right).putNext(number) }
    }
    check(total.pointee, (count - 1) * (count - 1), "sum")
    run.dispose()
    return measure
}

private func switching(_ inner: @escaping (Int) -> Signal<Int, NoError>) -> (Int) -> Double {
    { count in
        let total = counter()
        let pipe = ValuePipe<Int>()
        let run = (pipe.signal() |> mapToSignal(inner)).start(next: { total.pointee &+= $0 })
        let measure = time(count) { for number in 0..<count { pipe.putNext(number) } }
        check(total.pointee, sum(count), "sum")
        run.dispose()
        return measure
    }
}

/// A signal with a generator.
private func created(_ number: Int) -> Signal<Int, NoError> {
    Signal { subscriber in
        subscriber.putNext(number)
        subscriber.putCompletion()
        return EmptyDisposable
    }
}

private func hop(_ count: Int) -> Double {
    let done = Semaphore()
    let total = counter(), expected = counter()
    let pipe = ValuePipe<Int>()
    let run = (pipe.signal() |> deliverOn(Queue(name: "benchmark"))).start(next: { number in
        check(number, expected.pointee, "order")
        expected.pointee += 1
        total.pointee &+= number
        if expected.pointee == count { done.signal() }
    })
    let measure = time(count) {
        for number in 0..<count { pipe.putNext(number) }
        done.wait()
    }
    check(total.pointee, sum(count), "sum")
    run.dispose()
    return measure
}

private func twoThreads(_ count: Int) -> Double {
    let total = Synchronization.Atomic<Int>(0)
    let pipe = ValuePipe<Int>()
    let run = pipe.signal().start(next: { total.add($0, ordering: .relaxed) })
    let events = (count + 1) / 2
    let measure = time(events * 2) {
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            for number in 0..<events { pipe.putNext(number) }
        }
    }
    check(total.load(ordering: .relaxed), sum(events) * 2, "sum")
    run.dispose()
    return measure
}

// MARK: Subscriptions

private func startAndDispose(_ count: Int) -> Double {
    let received = counter()
    let pipe = ValuePipe<Int>()
    let signal = pipe.signal() |> map(plusOne) |> filter { $0 % 2 != 0 }
    let measure = time(count) {
        for _ in 0..<count { signal.start(next: { _ in received.pointee += 1 }).dispose() }
    }
    pipe.putNext(0)
    check(received.pointee, 0, "received after disposal")
    return measure
}

private func bytes(
    _ count: Int, _ signal: Signal<Int, NoError>, _ pipe: ValuePipe<Int>? = nil, expectedEach: Int
) -> Double {
    let received = counter()
    var runs: [Disposable] = []
    runs.reserveCapacity(count)
    let before = heap()
    for _ in 0..<count { runs.append(signal.start(next: { _ in received.pointee += 1 })) }
    pipe?.putNext(0)
    let after = heap()
    check(received.pointee, expectedEach * count, "received")
    for run in runs { run.dispose() }
    return (after - before) / Double(count)
}

private func bytesMapFilter(_ count: Int) -> Double {
    let pipe = ValuePipe<Int>()
    return bytes(count, pipe.signal() |> map(plusOne) |> filter { $0 % 2 != 0 }, pipe, expectedEach: 1)
}

private func bytesNever(_ count: Int) -> Double { bytes(count, .never(), expectedEach: 0) }

private func bytesMaps(_ count: Int) -> Double {
    let pipe = ValuePipe<Int>()
    let signal = pipe.signal() |> map(plusOne) |> map(plusOne) |> map(plusOne) |> map(plusOne) |> map(plusOne)
    return bytes(count, signal, pipe, expectedEach: 1)
}

private func bytesCombine(_ count: Int) -> Double {
    let promises = (ValuePromise(0), ValuePromise(1), ValuePromise(2))
    return bytes(
        count, combineLatest(promises.0.get(), promises.1.get(), promises.2.get()) |> map { $0.0 }, expectedEach: 1)
}

private func bytesInner(_ count: Int) -> Double {
    let pipe = ValuePipe<Int>()
    return bytes(count, pipe.signal() |> mapToSignal { _ in .never() }, pipe, expectedEach: 0)
}

let signals = [
    Case("W1s", name, 1_000_000, chain),
    Case("W2.1", name, 2_000_000, broadcast(1)),
    Case("W2.10", name, 3_000_000, broadcast(10)),
    Case("W2.1000", name, 3_000_000, broadcast(1000)),
    Case("W3.time", name, 200_000, startAndDispose),
    Case("W3.bytes", name, 10_000, bytesMapFilter),
    Case("W3.never", name, 10_000, bytesNever),
    Case("W3.maps", name, 10_000, bytesMaps),
    Case("W3.combine", name, 10_000, bytesCombine),
    Case("W3.inner", name, 10_000, bytesInner),
    Case("W4", name, 500_000, combining),
    Case("W5", name, 300_000, switching { .single($0) }),
    Case("W5.created", name, 300_000, switching(created)),
    Case("W6", name, 500_000, hop),
    Case("W7", name, 1_000_000, twoThreads),
]
