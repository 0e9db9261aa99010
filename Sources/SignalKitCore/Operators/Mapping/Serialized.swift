/// Delivers the events one at a time. Use it for a source that emits on several threads, or inside its callbacks.
///
/// An event that arrives during a delivery is buffered, and the delivering thread emits it afterwards. No thread waits.
/// The terminal event keeps its order: it follows all earlier events and precedes none.
public func serialized<T, E>(_ signal: Signal<T, E>) -> Signal<T, E> {
    let stage = SerializedSink<T, E>.self
    return ComposedSignal(of: signal) { signal.attach(stage.init($0)) }
}

private final class SerializedSink<T, E>: SerialStage<T, E, T> {
    override func receive(_ value: T) { downstream.next(value) }
}
