/// Drops the values until `signal` has emitted one, then disposes `signal`.
///
/// `signal` is started first. Its completion is ignored: if it completes without a value, all values are dropped. Its
/// error ends the result.
public func skip<T, U, E>(untilSignal signal: Signal<U, E>) -> (Signal<T, E>) -> Signal<T, E> {
    { source in beside(signal, source) { SkipHub<T, U, E>($0) } }
}

/// Forwards the values until `signal` emits one, then completes.
///
/// `signal` is started first. If it emits inside its start, the source is not started. Its completion is ignored. Its
/// error ends the result.
public func take<T, U, E>(untilSignal signal: Signal<U, E>) -> (Signal<T, E>) -> Signal<T, E> {
    { source in beside(signal, source) { TakeHub<T, U, E>($0) } }
}

private final class SkipHub<T, U, E>: CompanionHub<T, U, T, E> {
    @exclusivity(unchecked) private var isOpen = false

    override func next(_ value: T, at place: Int) {
        if isOpen { emit(value) }
    }

    override func other(_ value: U) {
        isOpen = true
        dismissCompanion()
    }
}

private final class TakeHub<T, U, E>: CompanionHub<T, U, T, E> {
    override func next(_ value: T, at place: Int) { emit(value) }
    override func other(_ value: U) { end(.completed) }
}
