import Synchronization

/// A chain whose closures can fail: `build` makes it anew for each start, around an `Attempt` by which a closure ends
/// the run with an error.
///
///     attempt { run in
///         signal |> map { text in Int(text) ?? run.fail(NotANumber(text), instead: 0) }
///     }
///
/// What the closure that failed returns goes nowhere.
@preconcurrency
public func attempt<T, E>(_ build: @escaping @Sendable (Attempt<T, E>) -> Signal<T, E>) -> Signal<T, E> {
    attempt(of: .none, depth: 0, build)
}

/// - Parameters:
///   - sources: what the chains will be made of.
///   - depth: how many stages they will have.
func attempt<T, E>(
    of sources: Sources, depth: Int, as operation: CString = #function,
    _ build: @escaping (Attempt<T, E>) -> Signal<T, E>
) -> Signal<T, E> {
    ComposedSignal(of: sources, depth: depth + 1, as: operation) { sink in
        let run = Attempt(sink)
        build(run).attach(run)
    }
}

/// One run of such a chain, as its closures see it. A plain stage: two threads that emit at once pass at once.
public class Attempt<T, E>: Sink<T, E>, @unchecked Sendable {
    final let downstream: Sink<T, E>
    private let hasEnded = Synchronization.Atomic<Bool>(false)
    @exclusivity(unchecked) private var upstream: Subscription?

    init(_ downstream: Sink<T, E>) { self.downstream = downstream }

    /// Ends the run: tells the error, if the run has not been ended or disposed before, then disposes the source.
    public final func fail(_ error: E) {
        if hasEnded.exchange(true, ordering: .acquiringAndReleasing) { return }
        if upstream?.isDisposed != true { downstream.end(.error(error)) }
        upstream?.dispose()
    }

    /// `fail`, for the place of a value.
    public final func fail<R>(_ error: E, instead value: R) -> R {
        fail(error)
        return value
    }

    /// Whether the run goes on: false after its end and after its disposal.
    public final var isActive: Bool { !hasFinished && upstream?.isDisposed != true }

    /// Whether the end has come, by an event or by failing.
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
