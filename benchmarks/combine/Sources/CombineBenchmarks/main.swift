// OpenCombine, with every stage erased, as one hands publishers around.
import Harness
import OpenCombine

private let name = "OpenCombine (Swift)"

private func plusOne(_ number: Int) -> Int { number &+ 1 }

private func chain(_ count: Int) -> Double {
    let total = counter()
    let source = PassthroughSubject<Int, Never>()
    var mapped = source.eraseToAnyPublisher()
    for _ in 0..<10 { mapped = mapped.map(plusOne).eraseToAnyPublisher() }
    let run = mapped.sink { total.pointee &+= $0 }
    let measure = time(count) { for number in 0..<count { source.send(number) } }
    check(total.pointee, sum(count) + 10 * count, "sum")
    run.cancel()
    return measure
}

private func broadcast(_ subscribers: Int) -> (Int) -> Double {
    { count in
        let total = counter()
        let source = PassthroughSubject<Int, Never>()
        let runs = (0..<subscribers).map { _ in source.sink { total.pointee &+= $0 } }
        let events = (count + subscribers - 1) / subscribers
        let measure = time(events * subscribers) { for number in 0..<events { source.send(number) } }
        check(total.pointee, sum(events) * subscribers, "sum")
        for run in runs { run.cancel() }
        return measure
    }
}

private func switching(_ count: Int) -> Double {
    let total = counter()
    let source = PassthroughSubject<Int, Never>()
    let run = source.map { Just($0) }.switchToLatest().sink { total.pointee &+= $0 }
    let measure = time(count) { for number in 0..<count { source.send(number) } }
    check(total.pointee, sum(count), "sum")
    run.cancel()
    return measure
}

private func startAndDispose(_ count: Int) -> Double {
    let received = counter()
    let source = PassthroughSubject<Int, Never>()
    let publisher = source.map(plusOne).filter { $0 % 2 != 0 }.eraseToAnyPublisher()
    let measure = time(count) {
        for _ in 0..<count { publisher.sink { _ in received.pointee += 1 }.cancel() }
    }
    source.send(0)
    check(received.pointee, 0, "received after cancelling")
    return measure
}

private func bytes(_ count: Int) -> Double {
    let received = counter()
    var runs: [AnyCancellable] = []
    runs.reserveCapacity(count)
    let source = PassthroughSubject<Int, Never>()
    let publisher = source.map(plusOne).filter { $0 % 2 != 0 }.eraseToAnyPublisher()
    let before = heap()
    for _ in 0..<count { runs.append(publisher.sink { _ in received.pointee += 1 }) }
    source.send(0)
    let after = heap()
    check(received.pointee, count, "received")
    return (after - before) / Double(count)
}

runBenchmarks(
    [
        Case("W1s", name, 1_000_000, chain),
        Case("W2.1", name, 1_000_000, broadcast(1)),
        Case("W2.10", name, 2_000_000, broadcast(10)),
        Case("W2.1000", name, 2_000_000, broadcast(1000)),
        Case("W3.time", name, 100_000, startAndDispose),
        Case("W3.bytes", name, 10_000, bytes),
        Case("W5", name, 200_000, switching),
    ] + operators)
