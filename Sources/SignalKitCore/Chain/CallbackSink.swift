/// The common part of the next two classes: the `next` closure of `start`. (In two classes the compiler would reach the
/// same function indirectly.)
@usableFromInline
class CallingSink<T, E>: FinalSink<T, E> {
    /// An empty closure if there is none, because an optional closure would be retained at each call.
    private let onNext: (T) -> Void
    final let hasNext: Bool

    init(_ next: ((T) -> Void)?) {
        // `??` is generic, so it would wrap the closure in another one.
        if let next { onNext = next } else { onNext = { _ in } }
        hasNext = next != nil
    }

    override final func next(_ value: T) {
        if isWanted { onNext(value) }
    }
}

/// The callback of a `start` with at most `next`, the most frequent case.
@usableFromInline
final class NextCallbackSink<T, E>: CallingSink<T, E> {
    override func end(_ end: End<E>) {
        #if !hasFeature(Embedded)
        if isWanted, let failure = end.failure { UnhandledErrors.report(failure.error) }
        #endif
    }

    override var callbacks: (next: Bool, error: Bool, completed: Bool) { (hasNext, false, false) }
}

/// The callbacks of a `start`.
@usableFromInline
final class CallbackSink<T, E>: CallingSink<T, E> {
    private let onError: ((E) -> Void)?
    private let onCompleted: (() -> Void)?

    init(_ next: ((T) -> Void)?, _ error: ((E) -> Void)?, _ completed: (() -> Void)?) {
        onError = error
        onCompleted = completed
        super.init(next)
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
