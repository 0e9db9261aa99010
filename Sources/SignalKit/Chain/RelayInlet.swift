/// The inlet of a source whose events are the result's own.
class RelayInlet<T, E>: Inlet<PairHub<T, E>, T, E> {
    override func next(_ value: T) { hub.pass(value) }

    override func error(_ error: E) {
        hub.take(from: slot)
        hub.submit { [unowned(unsafe) hub] in hub.fail(error) }
    }

    override func completed() {
        hub.take(from: slot)
        hub.submit { [unowned(unsafe) hub] in hub.complete() }
    }
}
