import Testing
@testable import SignalKitCore

/// The lifetimes of objects: which object retains which, until when, and the order of their releases (SPEC §1.4, C.2
/// and C.7).
@Suite struct SubscriberLifetimeTests {
    private let tracker = LifetimeTracker()

    /// Starts `signal` with callbacks that each hold a tracked object.
    private func start(_ signal: Signal<Int, String>) -> Disposable {
        let (a, b, c) = (tracker.make(), tracker.make(), tracker.make())
        return signal.start(next: { _ in a.touch() }, error: { _ in b.touch() }, completed: { c.touch() })
    }

    // Covers: SW-7, SW-18, SW-24, SW-30
    @Test(arguments: ["dispose", "complete", "fail"]) func aGeneratorsRunIsFreedAtItsEnd(ending: String) {
        let log = Log()
        do {
            var subscriber: Subscriber<Int, String>?
            let object = tracker.make()
            let signal = Signal<Int, String> {
                subscriber = $0
                return ActionDisposable {
                    object.touch()
                    log.add("D")
                }
            }
            let handle = signal.start(
                next: { log.add("N\($0)") }, error: { log.add("E\($0)") }, completed: { log.add("C") })
            subscriber?.putNext(1)
            switch ending {
            case "dispose": handle.dispose()
            case "complete": subscriber?.putCompletion()
            default: subscriber?.putError("x")
            }
            subscriber?.putNext(2)
            subscriber = nil
        }
        #expect(log.text == ["dispose": "N1 D", "complete": "N1 C D", "fail": "N1 Ex D"][ending])
        #expect(tracker.live == 0)
    }

    @Test(arguments: ["complete", "fail", "dispose"]) func callbacksAreFreedAtTheEndAlthoughTheSubscriberLives(
        ending: String
    ) {
        let source = ManualSource<Int, String>()
        let handle = start(source.signal())
        let subscriber = source.subscribers[0]
        #expect(tracker.live == 3)
        switch ending {
        case "complete": subscriber.putCompletion()
        case "fail": subscriber.putError("x")
        default: handle.dispose()
        }
        #expect(tracker.live == 0)
        withExtendedLifetime((subscriber, handle)) {}
    }

    // Covers: SW-14, SW-50
    @Test func callbacksAreFreedBeforeStartReturnsWhenNobodyKeepsTheSubscriber() {
        let log = Log()
        let never = start(.never())
        #expect(tracker.live == 0)
        let handle = start(Signal { _ in ActionDisposable { log.add("D") } })
        #expect(tracker.live == 0)
        handle.dispose()
        #expect(log.text == "D")
        withExtendedLifetime(never) {}
    }

    @Test func callbacksAreFreedWhenTheSourceDropsTheSubscriber() {
        let log = Log(), source = ManualSource<Int, String>("", log)
        let handle = start(source.signal())
        source.drop()
        #expect(tracker.live == 0)
        #expect(log.text == "S")
        handle.dispose()
        #expect(log.text == "S D")
    }

    @Test func callbacksAreFreedAfterASynchronousEnd() {
        let handle = start(
            Signal {
                $0.putCompletion()
                return EmptyDisposable
            })
        #expect(tracker.live == 0)
        withExtendedLifetime(handle) {}
    }

    @Test func aCallbackThatHoldsItsOwnHandleKeepsNothingForNever() {
        do {
            let object = tracker.make()
            var handle: Disposable?
            handle = Signal<Int, String>.never().start(next: { _ in
                object.touch()
                handle?.dispose()
            })
        }
        #expect(tracker.live == 0)
    }

    // Covers: SW-16, SW-17
    @Test(arguments: ["complete", "fail", "drop"]) func aSubscriberOfItsOwnFreesItsCallbacks(ending: String) {
        func make() -> Subscriber<Int, String> {
            let (a, b, c) = (tracker.make(), tracker.make(), tracker.make())
            return Subscriber(next: { _ in a.touch() }, error: { _ in b.touch() }, completed: { c.touch() })
        }
        var subscriber: Subscriber<Int, String>? = make()
        #expect(tracker.live == 3)
        switch ending {
        case "complete": subscriber?.putCompletion()
        case "fail": subscriber?.putError("x")
        default: subscriber = nil
        }
        #expect(tracker.live == 0)
        withExtendedLifetime(subscriber) {}
    }

    // MARK: keepAlive

    // Covers: SW-21
    @Test(arguments: ["complete", "fail", "dispose"]) func keptObjectsAreFreedAfterTheSourcesDisposal(ending: String) {
        var liveAtDisposal = -1
        var subscriber: Subscriber<Int, String>?
        let handle = Signal<Int, String> { [tracker] in
            $0.keepAlive(tracker.make())
            $0.keepAlive(tracker.make())
            subscriber = $0
            return ActionDisposable { liveAtDisposal = tracker.live }
        }.start()
        #expect(tracker.live == 2)
        switch ending {
        case "complete": subscriber?.putCompletion()
        case "fail": subscriber?.putError("x")
        default: handle.dispose()
        }
        #expect(liveAtDisposal == 2)
        #expect(tracker.live == 0)
    }

    // Covers: SW-21
    @Test func keptObjectsAreFreedWhenTheSourceDropsTheSubscriber() {
        let source = ManualSource<Int, String>()
        let handle = source.signal { $0.keepAlive(tracker.make()) }.start()
        #expect(tracker.live == 1)
        source.drop()
        #expect(tracker.live == 0)
        let other = Signal<Int, String> {
            $0.keepAlive(tracker.make())
            return EmptyDisposable
        }.start()
        #expect(tracker.live == 0)
        withExtendedLifetime((handle, other)) {}
    }

    // Covers: SW-21
    @Test func keptObjectsAreFreedInsideASynchronousEnd() {
        var live: [Int] = []
        _ = Signal<Int, String> {
            $0.keepAlive(tracker.make())
            live.append(tracker.live)
            $0.putCompletion()
            live.append(tracker.live)
            return EmptyDisposable
        }.start()
        #expect(live == [1, 0])
    }

    // Covers: SW-21
    @Test func anObjectKeptFromInsideTheSourcesDisposalGoesWithThatDisposal() {
        let handle = Signal<Int, String> { [tracker] subscriber in
            ActionDisposable { subscriber.keepAlive(tracker.make()) }
        }.start()
        handle.dispose()
        #expect(tracker.live == 0)
    }

    // Covers: SW-21
    @Test func anObjectKeptFromInsideTheCompletedCallbackStaysUntilDisposal() {
        let source = ManualSource<Int, String>()
        let subscriber: Subscriber<Int, String>
        var inside: Subscriber<Int, String>?
        let handle = source.signal().start(completed: { inside?.keepAlive(tracker.make()) })
        subscriber = source.subscribers[0]
        inside = subscriber
        subscriber.putCompletion()
        #expect(tracker.live == 1)
        handle.dispose()
        #expect(tracker.live == 0)
    }

    // Covers: SW-21
    @Test func anObjectKeptAfterTheEnd() {
        func ended() -> (Disposable, ManualSource<Int, String>, Subscriber<Int, String>) {
            let source = ManualSource<Int, String>()
            let handle = source.signal().start()
            let subscriber = source.subscribers[0]
            subscriber.putCompletion()
            subscriber.keepAlive(tracker.make())
            return (handle, source, subscriber)
        }
        // Until the next terminal call.
        let (a, _, subscriber) = ended()
        #expect(tracker.live == 1)
        subscriber.putError("x")
        #expect(tracker.live == 0)
        // Until the first disposal, not the second.
        subscriber.keepAlive(tracker.make())
        a.dispose()
        #expect(tracker.live == 0)
        subscriber.keepAlive(tracker.make())
        a.dispose()
        #expect(tracker.live == 1)
        subscriber.putCompletion()
        // Until the subscriber goes.
        do {
            let (handle, _, _) = ended()
            #expect(tracker.live == 0)
            withExtendedLifetime(handle) {}
        }
    }

    // MARK: Order

    private func logging(_ log: Log, _ name: String) -> LifetimeTracker.Tracked { tracker.make { log.add(name) } }

    private func startLogging(
        _ log: Log, _ source: ManualSource<Int, String>, onDisposal: @escaping () -> Void = {}
    ) -> Disposable {
        let next = logging(log, "next"), error = logging(log, "error"), completed = logging(log, "completed")
        let signal = Signal<Int, String> { subscriber in
            subscriber.keepAlive(logging(log, "kept"))
            let inner = source.signal().start(
                next: { subscriber.putNext($0) }, error: { subscriber.putError($0) },
                completed: { subscriber.putCompletion() })
            let object = logging(log, "inner")
            return ActionDisposable {
                object.touch()
                log.add("D")
                onDisposal()
                inner.dispose()
            }
        }
        return signal.start(
            next: { _ in next.touch() }, error: { _ in error.touch() }, completed: { completed.touch() })
    }

    @Test func atDisposalTheSourceGoesThenTheCallbacksThenWhatWasKept() {
        let log = Log(), source = ManualSource<Int, String>()
        startLogging(log, source).dispose()
        #expect(log.text == "D inner next error completed kept")
    }

    @Test func theSourceDropsTheSubscriberFromInsideItsDisposal() {
        let log = Log(), source = ManualSource<Int, String>()
        startLogging(log, source) { source.drop() }.dispose()
        #expect(log.text == "D inner next error completed kept")
        #expect(tracker.live == 0)
    }

    @Test func atTheEndOfTheSubscriberTheHandleKeepsOnlyTheSourcesDisposable() {
        let log = Log(), source = ManualSource<Int, String>()
        let handle = startLogging(log, source)
        source.drop()
        #expect(log.text == "kept next error completed")
        handle.dispose()
        #expect(log.text == "kept next error completed D inner")
        #expect(tracker.live == 0)
    }

    /// Both gone, nobody has disposed: freed, not disposed. (The originals free the inner disposable first.)
    // Covers: B-7
    @Test func withoutHandleAndSubscriberTheSourcesDisposableIsFreedUndisposed() {
        let log = Log(), source = ManualSource<Int, String>()
        _ = startLogging(log, source)
        source.drop()
        #expect(log.text == "kept next error completed inner")
        #expect(tracker.live == 0)
    }

    /// All callbacks go together after the terminal one has returned; the originals freed the other two before an error callback.
    @Test(arguments: [false, true]) func callbacksAreFreedTogetherAfterTheTerminalOne(byError: Bool) {
        let log = Log(), source = ManualSource<Int, String>()
        func run() -> Disposable {
            let next = logging(log, "next"), error = logging(log, "error"), completed = logging(log, "completed")
            return source.signal().start(
                next: { _ in next.touch() },
                error: { _ in
                    error.touch(); log.add("E")
                },
                completed: {
                    completed.touch(); log.add("C")
                })
        }
        let handle = run()
        if byError { source.fail("x") } else { source.complete() }
        #expect(log.text == (byError ? "E" : "C") + " next error completed")
        withExtendedLifetime(handle) {}
    }

    // MARK: The source's disposable

    /// A cycle that the originals have as well; the end and disposal break it.
    // Covers: B-8
    @Test(arguments: [false, true]) func aDisposableThatHoldsTheSubscriberIsFreedAtTheEnd(byDisposal: Bool) {
        let log = Log()
        var subscriber: Subscriber<Int, String>?
        let handle: Disposable
        do {
            let object = tracker.make()
            handle = Signal<Int, String> { it in
                subscriber = it
                return ActionDisposable {
                    object.touch()
                    it.putNext(99)
                    log.add("D")
                }
            }.start(next: { log.add("N\($0)") })
        }
        #expect(tracker.live == 1)
        if byDisposal { handle.dispose() } else { subscriber?.putCompletion() }
        #expect(tracker.live == 0)
        #expect(log.text == "D")
        withExtendedLifetime((handle, subscriber)) {}
        subscriber = nil
    }

    /// Built-in operators make none: with the source's own references gone, everything goes.
    // Covers: B-8
    @Test func builtInOperatorsMakeNoCycle() {
        do {
            let object = tracker.make()
            let source = ManualSource<Int, String>()
            let chain =
                source.signal() |> map { $0 + 1 } |> distinctUntilChanged |> take(5)
                |> mapToSignal { Signal<Int, String>.single($0) }
            _ = combineLatest([chain, chain]).start(next: { _ in object.touch() })
            source.next(1)
            source.drop(0)
            source.drop(1)
        }
        #expect(tracker.live == 0)
    }

    @Test(arguments: ["complete", "synchronously", "dispose"])
    func theDisposableItselfIsFreedAlthoughHandleOrSubscriberLive(ending: String) {
        final class Custom: Disposable {
            let object: LifetimeTracker.Tracked
            init(_ object: LifetimeTracker.Tracked) { self.object = object }
            func dispose() {}
        }
        var subscriber: Subscriber<Int, String>?
        let handle = Signal<Int, String> {
            subscriber = $0
            if ending == "synchronously" { $0.putCompletion() }
            return Custom(tracker.make())
        }.start()
        if ending == "complete" { subscriber?.putCompletion() }
        if ending == "dispose" { handle.dispose() }
        #expect(tracker.live == 0)
        withExtendedLifetime((handle, subscriber)) {}
    }

    // Covers: B-7
    @Test func theHandleRetainsNeitherSubscriberNorCallbacks() {
        weak var subscriber: Subscriber<Int, String>?
        let source = ManualSource<Int, String>()
        let handle = start(source.signal { subscriber = $0 })
        #expect(subscriber != nil)
        source.drop()
        #expect(subscriber == nil)
        #expect(tracker.live == 0)
        withExtendedLifetime(handle) {}
    }

    // MARK: Re-entrancy from deinit

    /// No user object is released under a lock: a deinit may use the very object that releases it.
    /// Covers: B-3
    @Test func aDeinitMayUseTheSubscriberThatReleasesIt() {
        let log = Log(), source = ManualSource<Int, String>("", log)
        nonisolated(unsafe) var subscriber: Subscriber<Int, String>?
        nonisolated(unsafe) var handle: Disposable?
        do {
            let object = tracker.make {
                subscriber?.putNext(1)
                subscriber?.keepAlive(LifetimeTracker().make())
                subscriber?.putCompletion()
                handle?.dispose()
                log.add("deinit")
            }
            handle = source.signal().start(next: { _ in object.touch() })
        }
        subscriber = source.subscribers[0]
        do { subscriber?.keepAlive(tracker.make { subscriber?.putCompletion() }) }
        subscriber?.putError("x")
        #expect(tracker.live == 0)
        #expect(log.text == "S D deinit")
        subscriber = nil
        handle = nil
    }
}
