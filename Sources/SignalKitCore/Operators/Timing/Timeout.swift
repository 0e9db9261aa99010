import Synchronization

/// Switches to `alternate` if the signal emits no event within `timeout` seconds.
///
/// The first event of any kind cancels the timer for good, also an event inside `start`. After a timeout the operator
/// starts `alternate` on `queue`, then disposes the signal. It forwards no further event of the signal. If a bounded
/// stage pauses the signal, the timer begins again.
public func timeout<T, E>(_ timeout: Double, queue: Queue, alternate: Signal<T, E>) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        ComposedSignal(of: [signal, alternate], .seconds(timeout)) { sink in
            let hub = TimeoutHub(sink, queue)
            hub.open {
                let late = InnerSource(hub, alternate, TimeoutHub<T, E>.alternate)
                hub.watch(timeout, queue, for: late)
                InnerSource(hub, signal, TimeoutHub<T, E>.original).perform()
            }
        }
    }
}

/// The first event of the signal, or the timer, permanently decides which source counts.
private final class TimeoutHub<T, E>: SuccessionHub<T, E> {
    static var original: SourceNumber { 1 }
    static var alternate: SourceNumber { 2 }

    let alarm: Alarm
    private let chosen = Synchronization.Atomic<SourceNumber>(0)

    init(_ sink: Sink<T, E>, _ queue: Queue) {
        alarm = Alarm(queue.executor)
        super.init(sink, places: 0)
    }

    override func disposeSources() {
        super.disposeSources()
        Turns.dispose(alarm)
    }

    /// The timer starts the alternate itself, so that this happens on the queue, whichever thread is in the section.
    func watch(_ timeout: Double, _ queue: Queue, for late: InnerSource<T, E, TimeoutHub>) {
        let look = Record.carried {
            if self.takeWasPaused() { return self.watch(timeout, queue, for: late) }
            if self.chooses(late.number) { late.perform() }
        }
        alarm.set(queue.now + timeout, look)
    }

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
        Turns.dispose(alarm)
        return true
    }
}
