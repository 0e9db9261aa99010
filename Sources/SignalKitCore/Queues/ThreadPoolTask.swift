/// Work for a thread pool.
public final class ThreadPoolTask: @unchecked Sendable {
    private let action: (ThreadPoolTaskState) -> Void
    private let state = ThreadPoolTaskState()

    /// - Parameter action: receives the state, which shows a cancellation while it runs.
    @preconcurrency
    public init(_ action: @escaping @Sendable (ThreadPoolTaskState) -> Void) {
        self.action = action
    }

    /// Runs the action now, on the calling thread, each time that it is called, unless the task was cancelled.
    public func execute() {
        if !state.cancelled.value { action(state) }
    }

    /// Prevents the task from running. If it is running, its state reports the cancellation.
    public func cancel() { state.cancelled.swap(true) }
}

/// The state that a running task can read.
public final class ThreadPoolTaskState: @unchecked Sendable {
    /// True if the task was cancelled.
    public let cancelled = Atomic<Bool>(value: false)
}
