/// Drops the first `count` values and forwards the rest. With 0 or less it is the signal itself.
public func skip<T, E>(_ count: Int) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        if count <= 0 { return signal }
        let stage = SkipSink<T, E>.self
        return ComposedSignal(of: signal, .count(count)) { signal.attach(stage.init($0, count)) }
    }
}

/// Drops values as long as `f` returns true. Forwards the first value for which it returns false, and all later values.
///
/// Calls of `f` are serialized. It is not called for later values.
@preconcurrency
public func skip<T, E>(while f: @escaping @Sendable (T) -> Bool) -> (Signal<T, E>) -> Signal<T, E> {
    let stage = SkipWhileSink<T, E>.self
    return { signal in ComposedSignal(of: signal) { signal.attach(stage.init($0, f)) } }
}

private final class SkipSink<T, E>: SerialStage<T, E, T> {
    @exclusivity(unchecked) private var remaining: Int

    init(_ downstream: Sink<T, E>, _ count: Int) {
        remaining = count
        super.init(downstream)
    }

    override func receive(_ value: T) {
        if remaining == 0 { downstream.next(value) } else { remaining -= 1 }
    }
}

private final class SkipWhileSink<T, E>: SerialStage<T, E, T> {
    private let f: (T) -> Bool
    @exclusivity(unchecked) private var isSkipping = true

    init(_ downstream: Sink<T, E>, _ f: @escaping (T) -> Bool) {
        self.f = f
        super.init(downstream)
    }

    override func receive(_ value: T) {
        if isSkipping { isSkipping = f(value) }
        if !isSkipping { downstream.next(value) }
    }
}
