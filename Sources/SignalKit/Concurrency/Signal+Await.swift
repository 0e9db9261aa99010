#if !hasFeature(Embedded)
/// A signal that was awaited for a value came to its end without one.
public struct SignalEndedWithoutValue: Error {
    /// Holds nothing.
    public init() {}
}

extension Signal where E: Error {
    /// The first value; the subscription is disposed with it.
    ///
    /// Throws the signal's error, `SignalEndedWithoutValue` when it completes (or its source goes away) without a
    /// value, and `CancellationError`, after disposing, when the task is cancelled.
    public func get() async throws -> T {
        guard let value = try await getOptional() else { throw SignalEndedWithoutValue() }
        return value
    }

    /// The first value, or nil when the signal completes (or its source goes away) without one. Otherwise like `get`.
    public func getOptional() async throws -> T? {
        try await FirstValue<T>.of(self) { $0 }
    }
}

extension Signal where E == NoError {
    /// The first value, or nil when the signal completes (or its source goes away) without one; the subscription is
    /// disposed with it.
    ///
    /// Throws `CancellationError`, after disposing, when the task is cancelled.
    public func getOptional() async throws -> T? {
        try await FirstValue<T>.of(self) { _ in CancellationError() }
    }

    /// The first value of a signal that is known to have one.
    ///
    /// There is nothing that it could return otherwise: a signal that completes, or whose source goes away, without a
    /// value ends the program, and the cancellation of the task is not heeded, only the value ends the wait.
    /// `getOptional` has an answer for both.
    public func get() async -> T {
        let value = await FirstValue<T>.ofUncancelled(self)
        guard let value else {
            preconditionFailure("get() awaited a signal that ended without a value; use getOptional()")
        }
        return value
    }
}

/// The wait for the first event of a signal. Whatever comes first resumes the task, once.
private final class FirstValue<T>: @unchecked Sendable {
    private let lock = SmallLock()
    private let subscription = MetaDisposable()
    private var continuation: CheckedContinuation<T?, any Error>?
    private var early: Result<T?, any Error>?
    private var isOver = false

    static func of<E>(_ signal: Signal<T, E>, _ failure: @escaping (E) -> any Error) async throws -> T? {
        let first = FirstValue()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { first.start(signal, failure, $0) }
        } onCancel: {
            first.end(.failure(CancellationError()))
        }
    }

    static func ofUncancelled(_ signal: Signal<T, NoError>) async -> T? {
        // Without a cancellation handler nothing is thrown: the signal cannot fail.
        try! await withCheckedThrowingContinuation { FirstValue().start(signal, { _ in CancellationError() }, $0) }
    }

    private func start<E>(
        _ signal: Signal<T, E>, _ failure: @escaping (E) -> any Error,
        _ continuation: CheckedContinuation<T?, any Error>
    ) {
        lock.lock()
        let early = early
        if early == nil { self.continuation = continuation }
        lock.unlock()
        if let early { return continuation.resume(with: early) }
        // Goes with the callbacks: the source is gone when they are let go before an event.
        let watch = Watch(self)
        subscription.set((signal |> take(1)).start(
            next: { watch.first.end(.success(.some($0))) },
            error: { watch.first.end(.failure(failure($0))) },
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
        // Before the task goes on.
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
