extension Signal {
    /// Makes a resource for each run, and behaves as the signal that `body` makes of it. The resource is released once,
    /// when the run is torn down, by an end or by disposal: after what uses it has been disposed.
    @preconcurrency
    public static func using<Resource>(
        _ acquire: @escaping @Sendable () -> Resource, release: @escaping @Sendable (Resource) -> Void,
        _ body: @escaping @Sendable (Resource) -> Signal<T, E>
    ) -> Signal<T, E> {
        deferred {
            let resource = acquire()
            return body(resource) |> afterDisposed { release(resource) }
        }
    }
}
