#if !hasFeature(Embedded)
/// A signal that was awaited for a value ended without one.
public struct SignalEndedWithoutValue: Error {
    /// Creates the error.
    public init() {}
}

extension Signal where E: Error {
    /// Returns the first value, then disposes the subscription.
    ///
    /// Throws the signal's error, and `SignalEndedWithoutValue` if it completes (or its source is released) without a
    /// value. If the task is cancelled, disposes the subscription and throws `CancellationError`.
    public func firstValue() async throws -> T {
        guard let value = try await getOptional() else { throw SignalEndedWithoutValue() }
        return value
    }

    /// The name of `firstValue` in SwiftSignalKit.
    public func get() async throws -> T { try await firstValue() }

    /// Returns the first value, or nil if the signal completes (or its source is released) without one. Otherwise like
    /// `firstValue`.
    public func getOptional() async throws -> T? { try await FirstValue<T>.of(self) }
}

extension Signal where E == NoError {
    /// Returns the first value of a signal that always emits one.
    ///
    /// If the signal completes, or its source is released, without a value, the program ends. Cancellation of the task
    /// is ignored: only the value ends the wait. Use `firstValue` if one of these can happen.
    public func get() async -> T {
        let value = await FirstValue<T>.ofUncancelled(self)
        guard let value else {
            preconditionFailure("get() awaited a signal that ended without a value; use firstValue()")
        }
        return value
    }
}

/// The wait for the first event of a signal. The first event or the cancellation resumes the task, once.
private final class FirstValue<T>: @unchecked Sendable {
    private let lock = SmallLock()
    private let subscription = MetaDisposable()
    private var continuation: CheckedContinuation<T?, any Error>?
    private var early: Result<T?, any Error>?
    private var isOver = false

    static func of<E: Error>(_ signal: Signal<T, E>) async throws -> T? {
        let first = FirstValue()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { first.start(signal, $0) }
        } onCancel: {
            first.end(.failure(CancellationError()))
        }
    }

    static func ofUncancelled(_ signal: Signal<T, NoError>) async -> T? {
        // The signal cannot fail, and there is no cancellation handler. So no error is thrown.
        try! await withCheckedThrowingContinuation { FirstValue().start(signal, $0) }
    }

    private func start<E: Error>(_ signal: Signal<T, E>, _ continuation: CheckedContinuation<T?, any Error>) {
        lock.lock()
        let early = early
        if early == nil { self.continuation = continuation }
        lock.unlock()
        if let early { return continuation.resume(with: early) }
        // Released with the callbacks. If that happens before an event, the source was released.
        let watch = Watch(self)
        subscription.set(
            (signal |> take(1)).start(
                next: { watch.first.end(.success(.some($0))) },
                error: { watch.first.end(.failure($0)) },
                completed: { watch.first.end(.success(nil)) }
            ))
    }

    private func end(_ result: Result<T?, any Error>) {
        lock.lock()
        let isFirst = !isOver
        isOver = true
        let resumed = continuation
        continuation = nil
        if isFirst && resumed == nil { early = result }
        lock.unlock()
        guard isFirst else { return }
        // Before the task resumes.
        subscription.dispose()
        resumed?.resume(with: result)
    }

    private final class Watch: @unchecked Sendable {
        let first: FirstValue
        init(_ first: FirstValue) { self.first = first }
        deinit { first.end(.success(nil)) }
    }
}
#endif
