/// Emits the latest value whenever `trigger` emits, each at most once. Completion first emits the value that waits, if
/// any; an error drops it. `trigger` is started first; its completion means nothing, its error ends the result.
public func sample<T, U, E>(on trigger: Signal<U, E>) -> (Signal<T, E>) -> Signal<T, E> {
    { beside(trigger, $0) { SampleHub<T, U, E>($0) } }
}

private final class SampleHub<T, U, E>: CompanionHub<T, U, T, E> {
    @exclusivity(unchecked) private var pending = Cell<T>()

    override func next(_ value: T) { pending.set(value) }
    override func tell(_ value: U) { flush() }
    override func willComplete() { flush() }

    private func flush() {
        if let value = pending.take() { emit(value) }
    }

    override func clear() { _ = pending.take() }
}
