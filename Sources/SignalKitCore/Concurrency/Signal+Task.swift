#if !hasFeature(Embedded)
extension Signal where E: Error {
    /// Runs `operation` in a separate task for each start, emits its result and completes. If it throws, the signal
    /// fails with that error. Disposal cancels the task.
    public static func task(
        priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws(E) -> T
    ) -> Signal<T, E> {
        running(priority) { subscriber in
            do throws(E) {
                subscriber.putNext(try await operation())
                subscriber.putCompletion()
            } catch {
                subscriber.putError(error)
            }
        }
    }

    /// Iterates `sequence` in a separate task for each start and emits its values. If it throws, the signal fails with
    /// that error. Disposal cancels the task. While a stage asks for a pause, it requests no value from `sequence`.
    public static func from<S: AsyncSequence & Sendable>(_ sequence: S, priority: TaskPriority? = nil) -> Signal<T, E>
    where S.Element == T, S.Failure == E {
        running(priority) { subscriber in
            if !(await subscriber.ready()) { return }
            do throws(E) {
                for try await value in sequence {
                    subscriber.putNext(value)
                    if !(await subscriber.ready()) { return }
                }
                subscriber.putCompletion()
            } catch {
                subscriber.putError(error)
            }
        }
    }
}

extension Signal {
    fileprivate static func running(
        _ priority: TaskPriority?, _ body: @escaping @Sendable (Subscriber<T, E>) async -> Void
    ) -> Signal<T, E> {
        Signal { subscriber in
            let task = Task(priority: priority) { await body(subscriber) }
            return ActionDisposable { task.cancel() }
        }
    }
}
#endif
