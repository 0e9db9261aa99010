import Synchronization

extension Signal {
    /// Makes a resource for each run, and behaves as the signal that `body` makes of it. The resource is released once,
    /// when the run is torn down, by an end or by disposal: after what uses it has been disposed. Where neither can
    /// come any more, as what uses it has gone silent and nobody holds the run, it is released then.
    @preconcurrency
    public static func using<Resource>(
        _ acquire: @escaping @Sendable () -> Resource, release: @escaping @Sendable (Resource) -> Void,
        _ body: @escaping @Sendable (Resource) -> Signal<T, E>
    ) -> Signal<T, E> {
        let signal: Signal = deferred {
            let held = Held(acquire(), release)
            return afterDisposed(body(held.resource), as: .hidden) { held.letGo() }
        }
        let name: CString = #function
        signal.called = name
        return signal
    }
}

/// A resource in use.
private final class Held<Resource>: Sendable {
    nonisolated(unsafe) let resource: Resource
    private let release: @Sendable (Resource) -> Void
    private let isReleased = Synchronization.Atomic(false)

    init(_ resource: Resource, _ release: @escaping @Sendable (Resource) -> Void) {
        self.resource = resource
        self.release = release
    }

    deinit { letGo() }

    func letGo() {
        if !isReleased.exchange(true, ordering: .acquiringAndReleasing) { release(resource) }
    }
}
