import Testing

/// A concurrent algorithm as a program whose every atomic operation is one step, to be explored through every interleaving of its threads.
protocol Interleaved: Hashable {
    associatedtype Thread: InterleavedThread
    var threads: [Thread] { get }
    /// The present fault.
    var fault: String? { get }
    /// Executes the next step of a thread. Returns false, in any state, while the thread has to wait for another one.
    mutating func advance(_ thread: Int) -> Bool
    /// The fault when all threads have finished.
    func faultAtEnd() -> String?
}

/// A thread of such a program: its remaining work and its place.
protocol InterleavedThread: Hashable {
    associatedtype Acts: Collection
    associatedtype Location: InterleavedPlace
    var todo: Acts { get }
    var place: Location { get }
}

protocol InterleavedPlace: Hashable {
    /// Between two acts.
    static var idle: Self { get }
}

extension InterleavedThread {
    var isBusy: Bool { place != .idle || !todo.isEmpty }
}

extension Interleaved {
    /// The state after the next step of a thread; `nil` while it has to wait for another one.
    func advanced(_ thread: Int) -> Self? {
        var next = self
        return next.advance(thread) ? next : nil
    }

    /// Goes through every state that can be reached from this one. Records an issue (or tells `onFault`) for each fault. Returns the number
    /// of different states.
    @discardableResult
    func explore(onFault: (String) -> Void = { Issue.record("\($0)") }) -> Int {
        var seen: Set<Self> = []
        var open = [self]
        while let state = open.popLast() {
            guard seen.insert(state).inserted else { continue }
            if let fault = state.fault {
                onFault(fault)
                continue
            }
            let busy = state.threads.indices.filter { state.threads[$0].isBusy }
            let next = busy.compactMap(state.advanced)
            open += next
            if !busy.isEmpty && next.isEmpty { onFault("all wait for each other: \(state)") }
            if busy.isEmpty, let fault = state.faultAtEnd() { onFault(fault) }
        }
        return seen.count
    }

    /// How many of the states are faults: for tests that leave out a part of the algorithm, to see that it is needed.
    func countFaults() -> Int {
        var count = 0
        explore { _ in count += 1 }
        return count
    }
}
