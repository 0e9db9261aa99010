/// Emits every accumulated value: `f(accumulated, value)` for each value, beginning with `initial`.
///
/// `initial` is not emitted. Calls of `f` are serialized.
///
///     counts |> scan(0) { total, count in total + count }
///
/// (`reduceLeft` only emits the last one. A following `startWith(initial)` also emits `initial`.)
@preconcurrency
public func scan<T, E, R>(
    _ initial: R, _ f: @escaping @Sendable (R, T) -> R
) -> (Signal<T, E>) -> Signal<R, E> {
    let stage = ScanSink<T, E, R>.self
    return { signal in ComposedSignal(of: signal) { signal.attach(stage.init($0, initial, f)) } }
}

private final class ScanSink<T, E, R>: SerialStage<T, E, R> {
    private let f: (R, T) -> R
    @exclusivity(unchecked) private var accumulated: R

    init(_ downstream: Sink<R, E>, _ initial: R, _ f: @escaping (R, T) -> R) {
        self.f = f
        accumulated = initial
        super.init(downstream)
    }

    override func receive(_ value: T) {
        accumulated = f(accumulated, value)
        downstream.next(accumulated)
    }
}
