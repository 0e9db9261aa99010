import Synchronization

/// Goes on with `alternate` when nothing has come from the signal within `timeout` seconds. The first event of any kind, also one inside
/// `start`, calls the timer off for good. After a time-out, `alternate` is started on `queue`, then the signal disposed; nothing more of
/// it is forwarded.
public func timeout<T, E>(_ timeout: Double, queue: Queue, alternate: Signal<T, E>) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        ComposedSignal(of: [signal, alternate]) { sink in
            let race = TimeoutRace(alternate, sink)
            sink.attached(race)
            if race.isTerminated { return }
            race.arm(queue.after(timeout) { race.expire() })
            if race.isUndecided { signal.attach(SourceSink(sink, race)) }
        }
    }
}

/// Who is first: the source, the timer, or disposal. One atomic decision, made once.
private final class TimeoutRace<T, E>: FeedingSubscription {
    private enum Winner {
        static var none: UInt8 { 0 }
        static var source: UInt8 { 1 }
        static var timer: UInt8 { 2 }
        static var disposal: UInt8 { 3 }
    }

    private let winner = Synchronization.Atomic<UInt8>(0)
    private let lock = SmallLock()
    /// What the timer needs; gone once it is decided.
    @exclusivity(unchecked) private var prospect: (alternate: Signal<T, E>, sink: Sink<T, E>)?
    @exclusivity(unchecked) private var timer: (any Disposable)?
    @exclusivity(unchecked) private var source: Subscription?
    @exclusivity(unchecked) private var replacement: Subscription?

    init(_ alternate: Signal<T, E>, _ sink: Sink<T, E>) {
        prospect = (alternate, sink)
    }

    var isUndecided: Bool { winner.load(ordering: .acquiring) == Winner.none }

    private func wins(_ who: UInt8) -> Bool {
        winner.compareExchange(expected: Winner.none, desired: who, ordering: .acquiringAndReleasing).exchanged
    }

    // MARK: The source

    /// Whether an event of the source counts.
    @inline(__always)
    func sourceMayEmit() -> Bool {
        if winner.load(ordering: .acquiring) == Winner.source { return true }
        return sourceComesFirst()
    }

    @inline(never)
    private func sourceComesFirst() -> Bool {
        guard wins(Winner.source) else { return winner.load(ordering: .acquiring) == Winner.source }
        callOff()
        return true
    }

    private func callOff() {
        lock.lock()
        let taken = (timer, prospect)
        timer = nil
        prospect = nil
        lock.unlock()
        taken.0?.dispose()
        withExtendedLifetime(taken.1) {}
    }

    func hold(source upstream: Subscription) {
        isFed(by: upstream)
        lock.lock()
        let now = winner.load(ordering: .acquiring)
        let late = now == Winner.timer || now == Winner.disposal || isDisposed
        if !late { source = upstream }
        lock.unlock()
        if late { upstream.dispose() }
    }

    // MARK: The timer

    func arm(_ timer: any Disposable) {
        lock.lock()
        let late = !isUndecided
        if !late { self.timer = timer }
        lock.unlock()
        if late { timer.dispose() }
    }

    func expire() {
        guard wins(Winner.timer) else { return }
        lock.lock()
        let taken = (timer, prospect, source)
        timer = nil
        prospect = nil
        source = nil
        lock.unlock()
        if let (alternate, sink) = taken.1, !isTerminated { alternate.attach(AlternateSink(sink, self)) }
        taken.2?.dispose()
    }

    func hold(replacement upstream: Subscription) {
        isFed(by: upstream)
        lock.lock()
        let late = isDisposed
        if !late { replacement = upstream }
        lock.unlock()
        if late { upstream.dispose() }
    }

    // MARK: The end

    override func dispose() {
        let before = raiseDone(Flag.terminated | Flag.disposed)
        if before & Flag.disposed != 0 { return }
        _ = wins(Winner.disposal)
        callOff()
        let taken = takeSources()
        taken.0?.dispose()
        taken.1?.dispose()
    }

    func ended() {
        raiseDone(Flag.terminated)
        withExtendedLifetime(takeSources()) {}
    }

    private func takeSources() -> (Subscription?, Subscription?) {
        lock.lock()
        let taken = (source, replacement)
        source = nil
        replacement = nil
        lock.unlock()
        return taken
    }
}

private final class SourceSink<T, E>: PassingStage<T, E> {
    private let race: TimeoutRace<T, E>

    init(_ downstream: Sink<T, E>, _ race: TimeoutRace<T, E>) {
        self.race = race
        super.init(downstream)
    }

    override func attached(_ upstream: Subscription) { race.hold(source: upstream) }

    override func next(_ value: T) {
        if race.sourceMayEmit() { downstream.next(value) }
    }

    override func error(_ error: E) {
        guard race.sourceMayEmit() else { return }
        downstream.error(error)
        race.ended()
    }

    override func completed() {
        guard race.sourceMayEmit() else { return }
        downstream.completed()
        race.ended()
    }
}

private final class AlternateSink<T, E>: PassingStage<T, E> {
    private let race: TimeoutRace<T, E>

    init(_ downstream: Sink<T, E>, _ race: TimeoutRace<T, E>) {
        self.race = race
        super.init(downstream)
    }

    override func attached(_ upstream: Subscription) { race.hold(replacement: upstream) }
    override func error(_ error: E) {
        downstream.error(error)
        race.ended()
    }

    override func completed() {
        downstream.completed()
        race.ended()
    }
}
