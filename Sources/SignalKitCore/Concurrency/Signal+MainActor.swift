#if !hasFeature(Embedded)
extension Signal {
    /// Like `deliverOnMainQueue` and `start`, with callbacks of the main actor. They may use its state.
    public func startOnMainQueue(
        next: (@MainActor (T) -> Void)? = nil, error: (@MainActor (E) -> Void)? = nil,
        completed: (@MainActor () -> Void)? = nil
    ) -> Disposable {
        (self |> deliverOnMainQueue).subscribe(
            NextCallbackSink<T, E>.self, CallbackSink<T, E>.self,
            next.map { next in { value in MainActor.assumeIsolated { next(value) } } },
            error.map { handle in { error in MainActor.assumeIsolated { handle(error) } } },
            completed.map { completed in { MainActor.assumeIsolated { completed() } } })
    }
}
#endif
