/// The callbacks that were given to `start`. Those that are not there are empty ones: what may be nil would be counted
/// at each call.
final class CallbackSink<T, E>: FinalSink<T, E> {
    private let onNext: (T) -> Void
    private let onError: (E) -> Void
    private let onCompleted: () -> Void
    private let given: (next: Bool, error: Bool, completed: Bool)

    init(_ next: ((T) -> Void)?, _ error: ((E) -> Void)?, _ completed: (() -> Void)?) {
        // Not by `??`, which is generic: each closure would get another around it.
        if let next { onNext = next } else { onNext = { _ in } }
        if let error { onError = error } else { onError = { _ in } }
        if let completed { onCompleted = completed } else { onCompleted = {} }
        given = (next != nil, error != nil, completed != nil)
    }

    override func next(_ value: T) {
        if isWanted { onNext(value) }
    }

    override func end(_ end: End<E>) {
        if !isWanted { return }
        guard case let .failed(failure) = end else { return onCompleted() }
        #if !hasFeature(Embedded)
        if !given.error { return UnhandledErrors.report(failure.error) }
        #endif
        onError(failure.error)
    }

    override var callbacks: (next: Bool, error: Bool, completed: Bool) { given }
}
