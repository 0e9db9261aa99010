/// Emits each value, except the first, with the previous one.
public func pairwise<T, E>(_ signal: Signal<T, E>) -> Signal<(T, T), E> {
    let stage = PairwiseSink<T, E>.self
    return ComposedSignal(of: signal) { signal.attach(stage.init($0)) }
}

private final class PairwiseSink<T, E>: SerialStage<T, E, (T, T)> {
    @exclusivity(unchecked) private var last: T?

    override func receive(_ value: T) {
        let before = last
        last = .some(value)
        if let before { downstream.next((before, value)) }
    }
}
