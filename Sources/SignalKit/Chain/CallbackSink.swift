/// The callbacks that were given to `start`.
@usableFromInline
final class CallbackSink<T, E>: FinalSink<T, E> {
    /// Empty if there is none: what may be nil would be counted at each call.
    private let onNext: (T) -> Void
    private let onError: ((E) -> Void)?
    private let onCompleted: (() -> Void)?
    private let hasNext: Bool

    init(_ next: ((T) -> Void)?, _ error: ((E) -> Void)?, _ completed: (() -> Void)?) {
        // Not by `??`, which is generic: the closure would get another around it.
        if let next { onNext = next } else { onNext = { _ in } }
        hasNext = next != nil
        onError = error
        onCompleted = completed
    }

    override func next(_ value: T) {
        if isWanted { onNext(value) }
    }

    override func end(_ end: End<E>) {
        if !isWanted { return }
        guard case let .failed(failure) = end else {
            onCompleted?()
            return
        }
        #if !hasFeature(Embedded)
        if onError == nil { return UnhandledErrors.report(failure.error) }
        #endif
        onError?(failure.error)
    }

    override var callbacks: (next: Bool, error: Bool, completed: Bool) {
        (hasNext, onError != nil, onCompleted != nil)
    }
}
