/// A stage without state. `receive` emits the results of a value downstream.
///
/// Operators with this stage are `@inlinable`. The closure is then compiled in the user's module, for the user's types.
/// The class, which does not depend on the types, is compiled once. Ordinary Swift does not specialize the methods of
/// generic classes across modules.
@inlinable
func relay<T, E, R>(
    as operation: CString = #function, _ receive: @escaping (T, Sink<R, E>) -> Void
) -> (Signal<T, E>) -> Signal<R, E> {
    { relayed($0, operation, receive) }
}

/// It is not inlinable. Otherwise the user's module would look up the class at each start, in a slower way.
@usableFromInline
func relayed<T, E, R>(
    _ signal: Signal<T, E>, _ operation: CString, _ receive: @escaping (T, Sink<R, E>) -> Void
) -> Signal<R, E> {
    let stage = RelayStage<T, E, R>.self
    return ComposedSignal(of: signal, as: operation) { signal.attach(stage.init($0, receive)) }
}

final class RelayStage<T, E, R>: Stage<T, E, R> {
    private let receive: (T, Sink<R, E>) -> Void

    init(_ downstream: Sink<R, E>, _ receive: @escaping (T, Sink<R, E>) -> Void) {
        self.receive = receive
        super.init(downstream)
    }

    override func next(_ value: T) { receive(value, downstream) }
}
