/// Emits the last `count` values at completion, in their order. If there were fewer, it emits all of them. An error
/// drops them. With 0 or less it only forwards the terminal event.
public func takeLast<T, E>(_ count: Int) -> (Signal<T, E>) -> Signal<T, E> {
    let stage = TakeLastSink<T, E>.self
    return { signal in ComposedSignal(of: signal, .count(count)) { signal.attach(stage.init($0, count)) } }
}

/// Emits the last value, if there was one, at completion. An error drops it.
public func takeLast<T, E>(_ signal: Signal<T, E>) -> Signal<T, E> { takeLast(1)(signal) }

/// Emits the last value at completion, or nil if there was none. An error drops it.
///
/// Omit the label after `|>`: `signal |> last`.
public func last<T, E>(signal: Signal<T, E>) -> Signal<T?, E> {
    let stage = LastSink<T, E>.self
    return ComposedSignal(of: signal) { signal.attach(stage.init($0)) }
}

private final class TakeLastSink<T, E>: SerialStage<T, E, T> {
    private let count: Int
    @exclusivity(unchecked) private var latest = Batch<T>()

    init(_ downstream: Sink<T, E>, _ count: Int) {
        self.count = count
        super.init(downstream)
    }

    override func receive(_ value: T) {
        if count <= 0 { return }
        if latest.count == count { _ = latest.takeFirst() }
        latest.append(value)
    }

    override func receiveEnd(_ end: End<E>) {
        if case .completed = end {
            while latest.count > 0 && isWanted { downstream.next(latest.takeFirst()) }
        }
        if isWanted { downstream.end(end) }
    }
}

private final class LastSink<T, E>: SerialStage<T, E, T?> {
    @exclusivity(unchecked) private var last: T?

    override func receive(_ value: T) { last = .some(value) }

    override func receiveEnd(_ end: End<E>) {
        if case .completed = end { downstream.next(last) }
        if isWanted { downstream.end(end) }
    }
}
