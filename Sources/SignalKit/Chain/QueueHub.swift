import Synchronization

/// A hub whose section is held on a queue.
class QueueHub<T, E>: PairHub<T, E> {
    final let queue: Queue

    init(_ sink: Sink<T, E>, on queue: Queue) {
        self.queue = queue
        super.init(sink)
    }

    /// Off the queue the section is taken, and handed over to the queue; it comes free when that has drained it.
    override final func submit(_ event: @escaping Event) {
        if queue.isCurrent() { return super.submit(event) }
        if !isTerminated && takesSection(leaving: event) { handOver() }
    }

    private func handOver() {
        if raise(Flag.handedOver) & Flag.terminated != 0 {
            if takesBack() { drainAndRun() }
            return
        }
        addInlet()
        queue.justDispatch {
            if self.takesBack() { self.drainAndRun() }
            self.removeInlet()
        }
    }

    override final func takesBack() -> Bool {
        state.bitwiseAnd(~Flag.handedOver, ordering: .acquiringAndReleasing).oldValue & Flag.handedOver != 0
    }
}
