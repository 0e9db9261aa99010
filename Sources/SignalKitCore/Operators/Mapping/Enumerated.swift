/// Emits each value with its index, from 0 on.
public func enumerated<T, E>(_ signal: Signal<T, E>) -> Signal<(index: Int, value: T), E> {
    let stage = EnumeratedSink<T, E>.self
    return ComposedSignal(of: signal) { signal.attach(stage.init($0)) }
}

private final class EnumeratedSink<T, E>: SerialStage<T, E, (index: Int, value: T)> {
    @exclusivity(unchecked) private var count = 0

    override func receive(_ value: T) {
        count += 1
        downstream.next((count - 1, value))
    }
}
