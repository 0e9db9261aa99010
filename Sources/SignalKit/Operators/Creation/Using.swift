extension Signal {
    /// Makes a resource for each run, and behaves as the signal that `body` makes of it. The resource is released once,
    /// when the run is torn down, by an end or by disposal: after what uses it has been disposed.
    public static func using<Resource>(
        _ acquire: @escaping () -> Resource, release: @escaping (Resource) -> Void,
        _ body: @escaping (Resource) -> Signal<T, E>
    ) -> Signal<T, E> {
        deferred {
            let resource = acquire()
            return body(resource) |> afterDisposed { release(resource) }
        }
    }
}
