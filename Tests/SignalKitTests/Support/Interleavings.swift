import Testing

/// A concurrent algorithm as a program whose every atomic operation is one step, to be explored through every interleaving of its threads.
protocol Interleaved: Hashable {
    /// How many threads there are.
    var threadCount: Int { get }
    /// What has gone wrong already.
    var fault: String? { get }
    /// Whether a thread has something left to do.
    func isBusy(_ thread: Int) -> Bool
    /// The state after the next step of a thread; `nil` while it has to wait for another one.
    func advanced(_ thread: Int) -> Self?
    /// What is wrong when all threads are done.
    func faultAtEnd() -> String?
}

extension Interleaved {
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
            let busy = (0..<state.threadCount).filter(state.isBusy)
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
