// Shared code of the benchmark programs in Swift. `bench.h` describes their arguments and output.
import Allocator
import Glibc

/// One measurement: `run` repeats its work `count` times, checks the result, and returns the measure of one repetition.
public struct Case {
    let row: String
    let name: String
    let count: Int
    let run: (Int) -> Double

    public init(_ row: String, _ name: String, _ count: Int, _ run: @escaping (Int) -> Double) {
        self.row = row
        self.name = name
        self.count = count
        self.run = run
    }
}

private func read(_ clock: clockid_t) -> Double {
    var now = timespec()
    clock_gettime(clock, &now)
    return Double(now.tv_sec) * 1e9 + Double(now.tv_nsec)
}

/// Nanoseconds, on a clock that only goes forward.
public func now() -> Double { read(CLOCK_MONOTONIC) }

/// Nanoseconds that all threads have spent on processors.
public func work() -> Double { read(CLOCK_PROCESS_CPUTIME_ID) }

/// Nanoseconds that each of `count` takes.
@inline(__always)
public func time(_ count: Int, _ body: () -> Void) -> Double {
    let start = now()
    body()
    return (now() - start) / Double(count)
}

/// The allocated bytes, including the allocator's overhead.
public func heap() -> Double { allocated_bytes() }

/// Allocates a number, initially 0. The check for exclusive access of a captured variable would cost more than many of
/// the measured operations.
public func counter() -> UnsafeMutablePointer<Int> {
    let counter = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    counter.initialize(to: 0)
    return counter
}

/// 0 + 1 + … + (count - 1).
public func sum(_ count: Int) -> Int { count * (count - 1) / 2 }

/// The program ends here if it has not computed what it was to compute.
public func check(_ actual: Int, _ expected: Int, _ what: String) {
    if actual != expected { fail("\(what): \(actual) instead of \(expected)", status: 1) }
}

public func runBenchmarks(_ cases: [Case]) {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else {
        for it in cases { print(it.row, it.name, it.count, separator: "\t") }
        return
    }
    guard let it = cases.first(where: { $0.row == arguments[1] && $0.name == arguments[2] }) else {
        fail("no case \(arguments[1]) of \(arguments[2])", status: 2)
    }
    let measure: Double
    if arguments.count > 3 {
        measure = it.run(Int(arguments[3])!)
    } else {
        _ = it.run(it.count / 10)
        measure = it.run(it.count)
    }
    print(it.row, it.name, measure, separator: "\t")
}

private func fail(_ message: String, status: Int32) -> Never {
    fputs("\(CommandLine.arguments[0]): \(message)\n", stderr)
    exit(status)
}

/// Lets one thread wait for another.
public final class Semaphore: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    public init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    public func signal() { sem_post(semaphore) }
    public func wait() { sem_wait(semaphore) }
}
