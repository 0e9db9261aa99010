/// Forwards the signal until `replacement` emits another one, which takes its place: the current one is disposed, then that is started;
/// the next one replaces that in turn. Completes when the current one has; the completion of `replacement` means nothing, its error
/// ends the result. (SSignalKit's `takeUntilReplacement:`.)
///
/// `replacement` is started first. If it brings a signal at once, the first is never started.
public func takeUntilReplacement<T, E>(_ replacement: Signal<Signal<T, E>, E>) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        Signal(attach: { sink in
            let hub = ReplacementHub(sink)
            hub.open {
                replacement.attach(ReplacementInlet(hub))
                hub.submit(.original(signal))
            }
        })
    }
}

private enum ReplacementEvent<T, E> {
    case original(Signal<T, E>)
    case replacement(Signal<T, E>)
    case replacementFailed(E)
    case current(Int, SignalEvent<T, E>)
}

private final class ReplacementHub<T, E>: Hub<ReplacementEvent<T, E>, (Signal<T, E>, Int), T, E> {
    static var currentSlot: Int { 0 }
    static var replacementSlot: Int { 1 }

    /// The number of the current signal; the original has number 0.
    @exclusivity(unchecked) private var current = 0

    init(_ sink: Sink<T, E>) {
        super.init(sink, slots: 2)
    }

    override func receive(_ event: ReplacementEvent<T, E>) -> (Signal<T, E>, Int)? {
        switch event {
        case let .original(signal): return current == 0 ? (signal, 0) : nil
        case let .replacement(signal):
            current += 1
            return (signal, current)
        case let .replacementFailed(error): fail(error)
        case let .current(number, event):
            guard number == current else { return nil }
            switch event {
            case let .Next(value): emit(value)
            case let .Error(error): fail(error)
            case .Completion: complete()
            }
        }
        return nil
    }

    override func perform(_ step: (Signal<T, E>, Int)) -> ReplacementEvent<T, E>? {
        let (signal, number) = step
        if isTerminated { return nil }
        let (isNewest, previous) = claim(ReplacementHub.currentSlot, for: number)
        if !isNewest { return nil }
        previous?.dispose()
        signal.attach(CurrentInlet(self, number))
        return nil
    }
}

private final class ReplacementInlet<T, E>: Sink<Signal<T, E>, E> {
    private let hub: ReplacementHub<T, E>

    init(_ hub: ReplacementHub<T, E>) {
        self.hub = hub
        hub.addInlet()
    }

    deinit {
        hub.removeInlet()
    }

    override func attached(_ upstream: Subscription) { hub.store(upstream, in: ReplacementHub<T, E>.replacementSlot) }
    override func next(_ signal: Signal<T, E>) { hub.submit(.replacement(signal)) }
    override func error(_ error: E) { hub.submit(.replacementFailed(error)) }
    override func completed() { hub.take(from: ReplacementHub<T, E>.replacementSlot) }
}

private final class CurrentInlet<T, E>: Sink<T, E> {
    private let hub: ReplacementHub<T, E>
    private let number: Int

    init(_ hub: ReplacementHub<T, E>, _ number: Int) {
        self.hub = hub
        self.number = number
        hub.addInlet()
    }

    deinit {
        hub.removeInlet()
    }

    override func attached(_ upstream: Subscription) { hub.store(upstream, in: ReplacementHub<T, E>.currentSlot, number: number) }
    override func next(_ value: T) { hub.submit(.current(number, .Next(value))) }
    override func error(_ error: E) { hub.submit(.current(number, .Error(error))) }
    override func completed() { hub.submit(.current(number, .Completion)) }
}
