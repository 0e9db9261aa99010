import Synchronization

/// Switches to `alternate` if `seconds` pass without an event of the signal, before the first event or between two.
///
/// The delivery of a value does not count. The operator starts `alternate` on `queue`, then disposes the signal. It
/// forwards no further event of the signal. If a bounded stage pauses the signal, the timer begins again.
public func timeoutBetween<T, E>(
    _ seconds: Double, queue: Queue, alternate: Signal<T, E>
) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        ComposedSignal(of: [signal, alternate], .seconds(seconds)) { sink in
            let hub = PauseHub(sink, seconds, queue)
            hub.open {
                hub.watch(for: InnerSource(hub, alternate, PauseHub<T, E>.alternate))
                InnerSource(hub, signal, PauseHub<T, E>.original).perform()
            }
        }
    }
}

/// The events do not change the timer. When it fires, it checks the time of the last event.
private final class PauseHub<T, E>: SuccessionHub<T, E> {
    static var original: SourceNumber { 1 }
    static var alternate: SourceNumber { 2 }

    private let seconds: Double
    private let queue: Queue
    private let alarm: Alarm
    private let current = Synchronization.Atomic<SourceNumber>(1)
    /// The time of the last event, as bits. It is infinity while a value is delivered.
    private let quietSince: Synchronization.Atomic<UInt64>

    init(_ sink: Sink<T, E>, _ seconds: Double, _ queue: Queue) {
        self.seconds = seconds
        self.queue = queue
        alarm = Alarm(queue.executor)
        quietSince = Synchronization.Atomic(queue.now.bitPattern)
        super.init(sink, places: 0)
    }

    override func disposeSources() {
        super.disposeSources()
        Turns.dispose(alarm)
    }

    override func counts(_ number: SourceNumber) -> Bool { current.load(ordering: .acquiring) == number }

    override func next(_ value: T, of number: SourceNumber) {
        guard counts(number) else { return }
        if number == PauseHub.alternate { return emit(value) }
        quietSince.store(Double.infinity.bitPattern, ordering: .releasing)
        emit(value)
        quietSince.store(queue.now.bitPattern, ordering: .releasing)
    }

    func watch(for alternate: InnerSource<T, E, PauseHub>) { watch(until: queue.now + seconds, for: alternate) }

    /// It starts the alternate itself, so that this happens on the queue, whichever thread is in the section then.
    private func watch(until time: Double, for alternate: InnerSource<T, E, PauseHub>) {
        let look = Record.carried {
            if self.isTerminated { return }
            let now = self.queue.now, since = Double(bitPattern: self.quietSince.load(ordering: .acquiring))
            // While a value is delivered, and after a pause, check again later.
            let later = now + max(self.seconds, ScheduledWork.shortestInterval)
            let deadline = self.takeWasPaused() || since == .infinity ? later : since + self.seconds
            if deadline > now { return self.watch(until: deadline, for: alternate) }
            self.current.store(alternate.number, ordering: .releasing)
            self.alarm.dispose()
            alternate.perform()
        }
        alarm.set(time, look)
    }
}
