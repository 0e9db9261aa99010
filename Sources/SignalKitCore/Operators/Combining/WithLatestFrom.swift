/// Emits each value with the latest one of `other`. Values before the first value of `other` are dropped.
///
/// `other` is started first. Its completion is ignored, and its last value stays. Its error ends the result.
public func withLatestFrom<T, U, E>(_ other: Signal<U, E>) -> (Signal<T, E>) -> Signal<(T, U), E> {
    withLatestFrom(other) { ($0, $1) }
}

/// Emits `f(value, latest of other)` for each value.
@preconcurrency
public func withLatestFrom<T, U, R, E>(
    _ other: Signal<U, E>, _ f: @escaping @Sendable (T, U) -> R
) -> (Signal<T, E>) -> Signal<R, E> {
    let kind = LatestHub<T, U, R, E>.self
    return { beside(other, $0) { kind.init($0, f) } }
}

/// Like `withLatestFrom`, for a function that emits its value itself. It returns the terminal event, if the
/// subscription ends.
func latest<T, U, R, E>(
    of other: Signal<U, E>, as operation: CString, _ emit: @escaping (T, U, Hub<R, E>) -> End<E>?
) -> (Signal<T, E>) -> Signal<R, E> {
    let kind = EmittingLatestHub<T, U, R, E>.self
    return { beside(other, $0, as: operation) { kind.init($0, emit) } }
}

private final class LatestHub<T, U, R, E>: CompanionHub<T, U, R, E> {
    @exclusivity(unchecked) private var f: ((T, U) -> R)?
    @exclusivity(unchecked) private var latest = Cell<U>()

    init(_ sink: Sink<R, E>, _ f: @escaping (T, U) -> R) {
        self.f = f
        super.init(sink)
    }

    override var isControlled: Bool { false }

    override func next(_ value: T, at place: Int) {
        if latest.hasValue, let f { emit(f(value, latest.value)) }
    }

    override func other(_ value: U) { latest.set(value) }

    override func clear() {
        f = nil
        latest.clear()
    }
}

/// (If a LatestHub called its function in this form, by a closure, an event would take 37 instructions more.)
private final class EmittingLatestHub<T, U, R, E>: CompanionHub<T, U, R, E> {
    @exclusivity(unchecked) private var emit: ((T, U, Hub<R, E>) -> End<E>?)?
    @exclusivity(unchecked) private var latest = Cell<U>()

    init(_ sink: Sink<R, E>, _ emit: @escaping (T, U, Hub<R, E>) -> End<E>?) {
        self.emit = emit
        super.init(sink)
    }

    override var isControlled: Bool { false }

    override func next(_ value: T, at place: Int) {
        guard latest.hasValue, let emit else { return }
        if let end = emit(value, latest.value, self) { self.end(end) }
    }

    override func other(_ value: U) { latest.set(value) }

    override func clear() {
        emit = nil
        latest.clear()
    }
}
