import Synchronization

/// Switches to `alternate` if the signal emits no event within `timeout` seconds.
///
/// The first event of any kind cancels the timer for good, also an event inside `start`. After a timeout the operator
/// starts `alternate` on `queue`, then disposes the signal. It forwards no further event of the signal.
public func timeout<T, E>(_ timeout: Double, queue: Queue, alternate: Signal<T, E>) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        ComposedSignal(of: [signal, alternate], .seconds(timeout)) { sink in
            let hub = TimeoutHub(sink)
            hub.open {
                let late = TimeoutInlet(hub, alternate, number: TimeoutHub<T, E>.alternate)
                // The timer starts it itself, so that this happens on the queue, whichever thread is in the section
                // then.
                hub.store(
                    queue.after(timeout, Record.carried { if hub.chooses(late.number) { late.perform() } }),
                    in: SuccessionSlot.other)
                TimeoutInlet(hub, signal, number: TimeoutHub<T, E>.original).perform()
            }
        }
    }
}

/// The first event of the signal, or the timer, permanently decides which source counts. The timer is in the other
/// slot.
private final class TimeoutHub<T, E>: SuccessionHub<T, E> {
    static var original: SourceNumber { 1 }
    static var alternate: SourceNumber { 2 }

    private let chosen = Synchronization.Atomic<SourceNumber>(0)

    /// Chooses a source. False when one has been chosen.
    func chooses(_ number: SourceNumber) -> Bool {
        chosen.compareExchange(expected: 0, desired: number, ordering: .acquiringAndReleasing).exchanged
    }

    /// Called for an event of the source.
    override func counts(_ number: SourceNumber) -> Bool {
        let now = chosen.load(ordering: .acquiring)
        return now == number || now == 0 && comesFirst(number)
    }

    @inline(never)
    private func comesFirst(_ number: SourceNumber) -> Bool {
        guard chooses(number) else { return false }
        take(from: SuccessionSlot.other)?.dispose()
        return true
    }
}

private final class TimeoutInlet<T, E>: SuccessorInlet<T, E, E, TimeoutHub<T, E>> {
    override func end(_ end: End<E>) { hub.end(end, of: number) }
}
