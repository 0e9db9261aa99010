import Synchronization

/// Builds a chain whose closures can fail. `build` is called for each start. Its closures call the `Attempt` to end the
/// subscription with an error.
///
///     attempt { run in
///         signal |> map { text in Int(text) ?? run.fail(NotANumber(text), instead: 0) }
///     }
///
/// The result of the closure that failed is dropped.
@preconcurrency
public func attempt<T, E>(_ build: @escaping @Sendable (Attempt<T, E>) -> Signal<T, E>) -> Signal<T, E> {
    attempt(of: .none, depth: 0, build)
}

/// - Parameters:
///   - sources: the sources of the chains.
///   - depth: the number of stages of the chains.
func attempt<T, E>(
    of sources: Sources, depth: Int, as operation: CString = #function,
    _ build: @escaping (Attempt<T, E>) -> Signal<T, E>
) -> Signal<T, E> {
    ComposedSignal(of: sources, depth: depth + 1, as: operation) { sink in
        let run = Attempt(sink)
        build(run).attach(run)
    }
}

/// One subscription to such a chain, for its closures. It is a plain stage, so two threads that emit at the same time
/// run it at the same time.
public class Attempt<T, E>: Sink<T, E>, @unchecked Sendable {
    final let downstream: Sink<T, E>
    private let hasEnded = Synchronization.Atomic<Bool>(false)
    @exclusivity(unchecked) final private var upstream: Subscription?

    init(_ downstream: Sink<T, E>) { self.downstream = downstream }

    /// Ends the subscription with `error`, then disposes the source. It does nothing if the subscription has already
    /// ended, and emits nothing if it was disposed.
    public final func fail(_ error: E) { finish(.error(error)) }

    /// `fail`, with any terminal event.
    final func finish(_ end: End<E>) {
        if hasEnded.exchange(true, ordering: .acquiringAndReleasing) { return }
        if upstream?.isDisposed != true { downstream.end(end) }
        upstream?.dispose()
    }

    /// `fail`, for the place of a value.
    public final func fail<R>(_ error: E, instead value: R) -> R {
        fail(error)
        return value
    }

    /// True until the subscription ends or is disposed.
    public final var isActive: Bool { !hasFinished && upstream?.isDisposed != true }

    /// True after a terminal event and after `fail`.
    @inline(__always)
    final var hasFinished: Bool { hasEnded.load(ordering: .relaxed) }

    override final func attached(_ upstream: Subscription) {
        self.upstream = upstream
        downstream.attached(upstream)
    }

    override func next(_ value: T) {
        if !hasFinished { downstream.next(value) }
    }

    override final func end(_ end: End<E>) {
        if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) { downstream.end(end) }
    }
}
