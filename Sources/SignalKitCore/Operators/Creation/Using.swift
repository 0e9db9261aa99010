import Synchronization

extension Signal {
    /// Creates a resource for each subscription, and forwards the signal that `body` makes of it.
    ///
    /// The resource is released once, by completion, error or disposal, after the signal of `body` has been disposed.
    /// If that signal and the subscription are released without an end, the resource is released then.
    @preconcurrency
    public static func using<Resource>(
        _ acquire: @escaping @Sendable () -> Resource, release: @escaping @Sendable (Resource) -> Void,
        _ body: @escaping @Sendable (Resource) -> Signal<T, E>
    ) -> Signal<T, E> {
        let signal: Signal = deferred {
            let used = UsedResource(acquire(), release)
            return afterDisposed(body(used.resource), as: .hidden) { used.letGo() }
        }
        let name: CString = #function
        signal.called = name
        return signal
    }
}

/// A resource in use.
private final class UsedResource<Resource>: Sendable {
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
