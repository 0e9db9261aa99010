@testable import SignalKitCore
import Testing

@Suite struct RunHoldTests {
    private let time = VirtualTime()
    private let log = Log()

    private func numbers(_ count: Int) -> Signal<Int, NoError> { .sequence(1...count) |> runOn(time.queue) }

    /// The source continues after the last hold, which its owner disposes or releases.
    @Test func holdsAreCounted() {
        let run = numbers(3).startStrict(next: { [log] in log.add("N\($0)") }, completed: { [log] in log.add("C") })
        var first = run.hold(), second = run.hold()
        #expect(first != nil && second != nil)
        time.run()
        first?.dispose()
        first?.dispose()
        first = nil
        time.run()
        #expect(log.text == "")
        second = nil
        #expect(log.text == "", "it never continues inside the release")
        time.run()
        #expect(log.text == "N1 N2 N3 C")
        withExtendedLifetime(second) {}
        run.dispose()
    }

    @Test func aHoldInsideACallback() {
        let runs = Recorded<any Disposable>(), holds = DisposableSet()
        let run = numbers(5).start(next: { [log] in
            log.add("N\($0)")
            if $0 == 2 { holds.add(runs.all[0].hold()!) }
        })
        runs.add(run)
        time.run()
        #expect(log.text == "N1 N2")
        holds.dispose()
        time.run()
        #expect(log.text == "N1 N2 N3 N4 N5")
    }

    /// Only subscriptions can be held. A subscription that is over has holds without effect.
    @Test func whatCanBeHeld() {
        #expect(ActionDisposable {}.hold() == nil)
        #expect(MetaDisposable().hold() == nil)
        #expect(EmptyDisposable.hold() == nil)
        let run = Signal<Int, NoError>.single(1).start()
        let hold = run.hold()
        #expect(hold != nil && hold?.hold() == nil)
        hold?.dispose()
        let waitable = numbers(2).startWaitable(), strict = waitable.strict()
        #expect(waitable.hold() != nil && strict.hold() != nil)
        strict.dispose()
    }

    /// A hold keeps neither the owner of a hot source nor, after the end, the subscription.
    @Test func aHoldKeepsNothing() {
        let before = LifetimeTracker()
        weak var run: AnyObject?
        var holds: [RunHold?] = []
        for kind in 0..<3 {
            let pipe = ValuePipe<Int>()
            do {
                let object = before.make()
                let started = pipe.signal().start(next: { _ in object.touch() })
                run = started
                holds.append(started.hold())
                #expect(pipe.isPaused)
                if kind == 0 { started.dispose() }
                if kind == 1 { pipe.complete() }
            }
            if kind < 2 { #expect(run == nil) }
            withExtendedLifetime(pipe) {}
        }
        #expect(before.live == 0)
        withExtendedLifetime(holds) {}
    }
}
