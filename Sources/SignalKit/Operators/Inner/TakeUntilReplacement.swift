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
                replacement.attach(ReplacementInlet(hub))
                hub.submit { [unowned(unsafe) hub] in hub.begin(with: signal) }
            }
        }
    }
}

/// The other slot contains the source of the replacements.
private final class ReplacementHub<T, E>: SuccessionHub<T, E> {
    /// The number of the current signal. The original signal has number 0.
    @exclusivity(unchecked) private var current: SourceNumber = 0

    override func counts(_ number: SourceNumber) -> Bool { number == current }

    func begin(with original: Signal<T, E>) {
        if current == 0 { start(original) }
    }

    func replace(by signal: Signal<T, E>) {
        current.advance()
        start(signal)
    }

    private func start(_ signal: Signal<T, E>) { afterwards(CurrentInlet(self, signal, number: current)) }
}

private final class ReplacementInlet<T, E>: Inlet<ReplacementHub<T, E>, Signal<T, E>, E> {
    override var slot: Int { SuccessionSlot.other }
    override func next(_ signal: Signal<T, E>) { hub.submit { [unowned(unsafe) hub] in hub.replace(by: signal) } }

    override func end(_ end: End<E>) {
        if case .completed = end { hub.take(from: slot) } else { hub.submit { [unowned(unsafe) hub] in hub.end(end) } }
    }
}

private final class CurrentInlet<T, E>: SuccessorInlet<T, E, E, ReplacementHub<T, E>> {
    override func start(_ signal: Signal<T, E>, after previous: (any Disposable)?) {
        previous?.dispose()
        signal.attach(self)
    }

    override func end(_ end: End<E>) { hub.end(end, of: number) }
}
