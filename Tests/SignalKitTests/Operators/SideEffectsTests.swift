import Testing
@testable import SignalKitCore

@Suite struct SideEffectsTests {
    private let log = Log()
    private let a: ManualSource<Int, String>

    init() { a = ManualSource("a", log) }

    // Covers: SW-219, SW-220, OC-97, OC-98, C-167
    @Test func aroundEachValue() {
        let handle =
            (a.signal() |> beforeNext { [log] in log.add("b\($0)") } |> afterNext { [log] in log.add("a\($0)") }).start(
                log)
        a.next(1)
        a.fail("x")
        #expect(log.text == "Sa b1 N1 a1 Ex Da")
        handle.dispose()
    }

    // Covers: SW-220, C-167
    @Test func afterNextAlsoWhenTheValueEndedIt() {
        let handle = (a.signal() |> afterNext { [log] in log.add("a\($0)") } |> take(1)).start(log)
        a.next(1)
        #expect(log.text == "Sa N1 C Da a1")
        handle.dispose()
    }

    // Covers: SW-221, OC-96, C-167
    @Test func beforeStartedForEachSubscription() {
        let signal = a.signal() |> beforeStarted { [log] in log.add("b") }
        #expect(log.text == "")
        let handles = [signal.start(log), signal.start(log)]
        #expect(log.text == "b Sa b Sa")
        for handle in handles { handle.dispose() }
    }

    // Covers: OC-99
    @Test func beforeErrorOnlyForErrors() {
        let signal = a.signal() |> beforeError { [log] in log.add("b\($0)") }
        let handle = signal.start(log)
        a.next(1)
        a.fail("x")
        let completed = signal.start(log)
        a.complete()
        #expect(log.text == "Sa N1 bx Ex Da Sa C Da")
        handle.dispose()
        completed.dispose()
    }

    // Covers: SW-222, SW-223, OC-100, OC-101, C-167
    @Test func aroundCompletion() {
        let signal = a.signal() |> beforeCompleted { [log] in log.add("b") } |> afterCompleted { [log] in log.add("a") }
        let handle = signal.start(log)
        a.next(1)
        a.complete()
        // An asynchronous source is disposed before the hook, one that completes inside its start after it.
        #expect(log.text == "Sa N1 b C Da a")
        let failed = signal.start(Log())
        a.fail("x")
        let disposed = signal.start(Log())
        disposed.dispose()
        #expect(log.text == "Sa N1 b C Da a Sa Da Sa Da")
        handle.dispose()
        failed.dispose()

        let second = Log()
        let source: Signal<Int, String> = sync("s", second, [1], .completed)
        let atOnce = (source |> beforeCompleted { second.add("b") } |> afterCompleted { second.add("a") }).start(second)
        #expect(second.text == "Ss N1 b C a Ds")
        atOnce.dispose()
    }

    // Covers: SW-224, OC-102, MT-24, C-167
    @Test func afterDisposedOnceAfterTheSource() {
        for end in ["dispose", "complete", "fail", "dispose in a callback"] {
            let log = Log()
            let source = ManualSource<Int, String>("a", log)
            var handle: (any Disposable)?
            handle = (source.signal() |> afterDisposed { log.add("hook") }).start(
                next: {
                    log.add("N\($0)")
                    if end == "dispose in a callback" { handle?.dispose() }
                }, error: { log.add("E\($0)") }, completed: { log.add("C") })
            source.next(1)
            switch end {
            case "complete": source.complete()
            case "fail": source.fail("x")
            default: handle?.dispose()
            }
            handle?.dispose()
            #expect(
                log.text
                    == [
                        "dispose": "Sa N1 Da hook", "complete": "Sa N1 C Da hook", "fail": "Sa N1 Ex Da hook",
                        "dispose in a callback": "Sa N1 Da hook",
                    ][end])
        }
    }

    // Covers: SW-224, C-167
    @Test func afterDisposedOfASynchronousSource() {
        let ended: Signal<Int, String> = sync("s", log, [1], .completed)
        let handle = (ended |> afterDisposed { [log] in log.add("hook") }).start(log)
        #expect(log.text == "Ss N1 C Ds hook")
        handle.dispose()
        let second = Log()
        let taken: Signal<Int, String> =
            sync("s", second, [1, 2], .open) |> afterDisposed { second.add("hook") } |> take(1)
        let other = taken.start(second)
        #expect(second.text == "Ss N1 C Ds hook")
        other.dispose()
    }

    // Covers: SW-224
    @Test func theHookRunsOnceWhoeverIsFirst() {
        for _ in 0..<300 {
            let log = Log()
            let source = ManualSource<Int, String>("a", log)
            let handle = (source.signal() |> afterDisposed { log.add("hook") }).start()
            race(3) { thread in
                switch thread {
                case 0: source.complete()
                default: handle.dispose()
                }
            }
            #expect(log.entries.filter { $0 == "hook" }.count == 1)
            #expect(log.entries.filter { $0 == "Da" }.count == 1)
        }
    }

    // Covers: SW-225, C-167
    @Test func withStateInItsOrder() {
        var states = 0
        let signal = withState(
            a.signal(),
            { [log] () -> Int in
                states += 1
                log.add("state")
                return states
            }, next: { [log] in log.add("n\($0)s\($1)") }, error: { [log] in log.add("e\($0)s\($1)") },
            completed: { [log] in log.add("cs\($0)") },
            disposed: { [log] in log.add("ds\($0)") })
        let first = signal.start(log)
        a.next(7)
        a.complete()
        #expect(log.text == "state Sa n7s1 N7 cs1 C Da ds1")
        let second = signal.start(log)
        a.fail("x")
        #expect(log.text.hasSuffix("state Sa exs2 Ex Da ds2"))
        let third = signal.start(log)
        third.dispose()
        #expect(log.text.hasSuffix("state Sa Da ds3"))
        first.dispose()
        second.dispose()
        let atOnce = Log()
        let synchronous = withState(
            sync("s", atOnce, [1], SyncEnd<String>.completed), { 1 }, disposed: { atOnce.add("ds\($0)") })
        synchronous.start(atOnce).dispose()
        #expect(atOnce.text == "Ss N1 C Ds ds1")
    }

    /// The hooks are called for nothing but their own event, and hold the state no longer than the subscription.
    // Covers: SW-225
    @Test func theStateGoesWithTheSubscription() {
        let tracker = LifetimeTracker()
        let handle = withState(a.signal(), { tracker.make() }, next: { $1.touch() }).start()
        a.next(1)
        #expect(tracker.live == 1)
        a.complete()
        #expect(tracker.live == 0)
        handle.dispose()
    }
}
