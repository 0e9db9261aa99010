/// Forwards the first `count` values and completes right after the last of them: exactly `count` when as many are offered, whatever the
/// number of emitting threads. With 0 or less it completes at once, without subscribing.
public func take<T, E>(_ count: Int) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        if count <= 0 { return Signal.complete() }
        return Signal(attach: { signal.attach(TakeSink($0, count)) })
    }
}

private final class TakeSink<T, E>: SerialStage<T, E, T> {
    @exclusivity(unchecked) private var remaining: Int

    init(_ downstream: Sink<T, E>, _ count: Int) {
        remaining = count
        super.init(downstream)
    }

    override func receive(_ value: T) {
        if remaining == 0 { return }
        remaining -= 1
        downstream.next(value)
        if remaining == 0, let upstream, !upstream.isDisposed {
            downstream.completed()
            upstream.dispose()
        }
    }

    override func receiveError(_ error: E) {
        if remaining > 0 { downstream.error(error) }
    }

    override func receiveCompleted() {
        if remaining > 0 { downstream.completed() }
    }
}
