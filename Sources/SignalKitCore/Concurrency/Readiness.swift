#if !hasFeature(Embedded)
extension Subscriber {
    /// Waits until no stage asks for a pause (see `isPaused`), without blocking a thread. Await it before each value.
    ///
    /// Returns false if the subscription is over or the task is cancelled. Then a source stops.
    public func ready() async -> Bool { await noPause({ isPaused }, onResume) && isActive }
}

extension ValuePipe {
    /// Waits until no subscriber asks for a pause (see `isPaused`), without blocking a thread. Await it before each
    /// value. Returns false if the task is cancelled.
    public func ready() async -> Bool { await noPause({ isPaused }, onResume) }
}

extension Pipe {
    /// Waits until no subscriber asks for a pause (see `isPaused`), without blocking a thread. Await it before each
    /// value. Returns false if the task is cancelled.
    public func ready() async -> Bool { await noPause({ isPaused }, onResume) }
}

extension FalliblePipe {
    /// Waits until no subscriber asks for a pause (see `isPaused`), without blocking a thread. Await it before each
    /// value. Returns false if the task is cancelled.
    public func ready() async -> Bool { await noPause({ isPaused }, onResume) }
}

/// Returns false if the task is cancelled.
private func noPause(
    isolation: isolated (any Actor)? = #isolation, _ isPaused: () -> Bool,
    _ onResume: (Queue, @escaping @Sendable () -> Void) -> Void
) async -> Bool {
    while isPaused() && !Task.isCancelled {
        await call { onResume(.concurrentDefaultQueue(), $0) }
    }
    return !Task.isCancelled
}

/// Waits until the closure that `register` receives is called, or until the task is cancelled.
func call(
    isolation: isolated (any Actor)? = #isolation, _ register: (@escaping @Sendable () -> Void) -> Void
) async {
    for await _ in AsyncStream(Never.self, { called in register { called.finish() } }) {}
}
#endif
