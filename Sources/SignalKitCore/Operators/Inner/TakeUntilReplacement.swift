/// Forwards the signal until `replacement` emits a signal, then follows that one, and so on. (SSignalKit's
/// `takeUntilReplacement:`.)
///
/// The current signal is disposed, then the new one is started. Completes when the current signal has completed. The
/// completion of `replacement` is ignored. Its error ends the result.
///
/// `replacement` is started first. If it emits a signal inside its start, the original signal is never started.
public func takeUntilReplacement<T, E>(_ replacement: Signal<Signal<T, E>, E>) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        ComposedSignal(of: [signal, replacement]) { sink in
            let hub = ReplacementHub(sink)
            hub.open {
                replacement.attach(OuterSource(hub) { $0 })
                hub.submit { [unowned(unsafe) hub] in hub.begin(with: signal) }
            }
        }
    }
}

private final class ReplacementHub<T, E>: SuccessionHub<T, E> {
    /// The number of the current signal. The original signal has number 0.
    @exclusivity(unchecked) private var current: SourceNumber = 0

    init(_ sink: Sink<T, E>) { super.init(sink, places: 1) }

    override var disposesFirst: Bool { true }
    override func isControl(_ place: Int) -> Bool { true }
    override func counts(_ number: SourceNumber) -> Bool { number == current }

    func begin(with original: Signal<T, E>) {
        if current == 0 { start(original) }
    }

    override func arrived(_ signal: Signal<T, E>) {
        current.advance()
        start(signal)
    }

    private func start(_ signal: Signal<T, E>) { afterwards(InnerSource(self, signal, current)) }

    override func ended(_ end: End<E>, at place: Int) {
        if case .failed = end { self.end(end) }
    }
}
