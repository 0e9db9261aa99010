/// Delivers the events of a source that emits from several threads, or from inside its own callbacks, one at a time: a
/// plain chain does not queue, this does.
///
/// An event that comes while another is being delivered is left behind and delivered after it, by the thread that
/// delivers; no thread waits. The end is an event like the others: nothing comes after it, and everything that came
/// before it comes first.
public func serialized<T, E>(_ signal: Signal<T, E>) -> Signal<T, E> {
    let stage = SerializedSink<T, E>.self
    return ComposedSignal(of: signal) { signal.attach(stage.init($0)) }
}

private final class SerializedSink<T, E>: SerialStage<T, E, T> {
    override func receive(_ value: T) { downstream.next(value) }
}
