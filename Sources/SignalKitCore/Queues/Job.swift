import SignalKitShims

/// Work that is pending. It is one object, which is also its place in the list.
class Job: @unchecked Sendable {
    /// The next job in that list, as an owned reference in bits.
    @exclusivity(unchecked) final var next: UInt = 0

    /// Called at most once. A job that is released instead is never called.
    func run() { mustOverride() }

    /// Called instead of `run` when the pool has been shut down.
    func refuse() {}

    fileprivate static func reference(_ bits: UInt) -> Unmanaged<Job> {
        Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: bits)!)
    }
}

extension Unmanaged where Instance == Job {
    /// Runs a job that was taken out of a list, then releases it.
    @inline(__always)
    func runAndLetGo() {
        _withUnsafeGuaranteedRef { $0.run() }
        sgk_shim_let_go(toOpaque())
    }
}

final class ClosureJob: Job, @unchecked Sendable {
    private let work: () -> Void

    init(_ work: @escaping () -> Void) { self.work = work }

    override func run() { work() }
}

/// Jobs in the order in which they are to run.
struct JobList: ~Copyable {
    private var first: UInt = 0
    private var last: UInt = 0

    var isEmpty: Bool { first == 0 }

    /// Removes the first job and returns an owned reference.
    @inline(__always)
    mutating func takeFirst() -> Unmanaged<Job>? {
        if first == 0 { return nil }
        let job = Job.reference(first)
        first = job._withUnsafeGuaranteedRef { $0.next }
        return job
    }

    mutating func popFirst() -> Job? { takeFirst()?.moved() }

    /// Appends jobs that are linked from the newest to the oldest.
    mutating func append(newestFirst newest: UInt) {
        var bits = newest
        var ordered: UInt = 0
        while bits != 0 {
            let next = Job.reference(bits)._withUnsafeGuaranteedRef { job in
                let older = job.next
                job.next = ordered
                return older
            }
            // Jobs that were created one after another are usually adjacent in memory. This job was written by another
            // processor, and so was the fourth one from here.
            if next != 0 { sgk_shim_expect(next &- 4 &* (bits &- next)) }
            ordered = bits
            bits = next
        }
        if isEmpty { first = ordered } else { Job.reference(last)._withUnsafeGuaranteedRef { $0.next = ordered } }
        if ordered != 0 { last = newest }
    }

    /// Called in the child of a fork. Drops the jobs without releasing them, because they belong to the parent.
    mutating func forget() { first = 0 }

    deinit {
        var bits = first
        while bits != 0 { bits = Job.reference(bits).moved().next }
    }
}
