// OpenCombine's operators that keep state, join sources or go by time.
import Dispatch
import Harness
import OpenCombine
import OpenCombineDispatch

private let name = "OpenCombine (Swift)"

private typealias Source = PassthroughSubject<Int, Never>
private typealias Numbers = AnyPublisher<Int, Never>

/// `scan` with this function emits 0, 1, 1, 2, 2, 3 …
private func difference(_ accumulated: Int, _ number: Int) -> Int { number - accumulated }

private let chunk = 10

// MARK: An event

private func through(
    _ stage: @escaping (Source) -> Numbers, _ expected: @escaping (Int) -> Int = sum
) -> (Int) -> Double {
    { count in
        let total = counter()
        let source = Source()
        let run = stage(source).sink { total.pointee &+= $0 }
        let measure = time(count) { for number in 0..<count { source.send(number) } }
        check(total.pointee, expected(count), "sum")
        run.cancel()
        return measure
    }
}

private func chunking(_ count: Int) -> Double {
    let total = counter()
    let source = Source()
    let run = source.collect(chunk).eraseToAnyPublisher().sink { total.pointee &+= $0.reduce(0, &+) }
    let measure = time(count) { for number in 0..<count { source.send(number) } }
    check(total.pointee, sum(count / chunk * chunk), "sum")
    run.cancel()
    return measure
}

private func zipping(_ count: Int) -> Double {
    let total = counter()
    let left = Source(), right = Source()
    let run = left.zip(right).eraseToAnyPublisher().sink { total.pointee &+= $0.0 &+ $0.1 }
    let measure = time(count / 2 * 2) {
        for number in 0..<count / 2 {
            right.send(number)
            left.send(number)
        }
    }
    check(total.pointee, sum(count / 2) * 2, "sum")
    run.cancel()
    return measure
}

/// From another thread, by the clock on the wall, until the last has arrived; less the time for which it had to wait.
private func debounced(_ count: Int) -> Double {
    let done = Semaphore()
    let source = Source()
    let queue = DispatchQueue(label: "benchmark").ocombine
    let run = source.debounce(for: .milliseconds(10), scheduler: queue).sink { if $0 == count - 1 { done.signal() } }
    let measure = time(count) {
        for number in 0..<count { source.send(number) }
        done.wait()
    }
    run.cancel()
    return measure - 1e7 / Double(count)
}

// MARK: State

/// OpenCombine has no atomic change of a state, so the program uses a lock.
private func modifying(_ threads: Int) -> (Int) -> Double {
    { count in
        let expected = counter()
        let state = CurrentValueSubject<Int, Never>(0)
        let lock = Semaphore()
        lock.signal()
        let run = state.sink { number in
            check(number, expected.pointee, "state")
            expected.pointee += 1
        }
        let each = count / threads
        let measure = time(each * threads) {
            DispatchQueue.concurrentPerform(iterations: threads) { _ in
                for _ in 0..<each {
                    lock.wait()
                    state.send(state.value + 1)
                    lock.signal()
                }
            }
        }
        check(expected.pointee, each * threads + 1, "states")
        run.cancel()
        return measure
    }
}

// MARK: Started and disposed

private func starting<T>(_ make: @escaping (Source, Source) -> AnyPublisher<T, Never>) -> (Int) -> Double {
    { count in
        let received = counter()
        let left = Source(), right = Source()
        let publisher = make(left, right)
        let measure = time(count) {
            for _ in 0..<count { publisher.sink { _ in received.pointee += 1 }.cancel() }
        }
        for number in 0..<chunk {
            right.send(number)
            left.send(number)
        }
        check(received.pointee, 0, "received after cancelling")
        return measure
    }
}

private func scanned(_ source: Source) -> Numbers { source.scan(0, difference).eraseToAnyPublisher() }
private func merged(_ source: Source) -> Numbers {
    source.flatMap(maxPublishers: .unlimited) { Just($0) }.eraseToAnyPublisher()
}
private func shared(_ source: Source) -> Numbers { source.share().eraseToAnyPublisher() }

let operators = [
    Case("W14.scan", name, 500_000, through(scanned, { $0 * $0 / 4 })),
    Case("W14.merged", name, 200_000, through(merged)),
    Case("W14.zip", name, 300_000, zipping),
    Case("W14.share", name, 500_000, through(shared)),
    Case("W14.chunked", name, 500_000, chunking),
    Case("W14.debounce", name, 100_000, debounced),
    Case("W14.modify.1", "OpenCombine, under a lock (Swift)", 500_000, modifying(1)),
    Case("W14.modify.2", "OpenCombine, under a lock (Swift)", 500_000, modifying(2)),
    Case("W15.scan", name, 50_000, starting { left, _ in scanned(left) }),
    Case("W15.merged", name, 50_000, starting { left, _ in merged(left) }),
    Case("W15.zip", name, 50_000, starting { left, right in left.zip(right).eraseToAnyPublisher() }),
    Case("W15.share", name, 50_000, starting { left, _ in shared(left) }),
    Case("W15.chunked", name, 50_000, starting { left, _ in left.collect(chunk).eraseToAnyPublisher() }),
]
