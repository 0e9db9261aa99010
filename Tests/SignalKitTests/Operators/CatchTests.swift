import Testing
@testable import SignalKitCore

@Suite struct CatchTests {
    private let log = Log()
    private let a: ManualSource<Int, String>, b: ManualSource<Int, String>

    init() {
        a = ManualSource("a", log)
        b = ManualSource("b", log)
    }

    // MARK: catch

    // Covers: SW-203, OC-90, MT-15, C-158
    @Test func theAlternativeStartsBeforeTheFailedOneIsDisposed() {
        let rest = b
        let handle =
            (a.signal()
            |> `catch` { [log] (error: String) -> Signal<Int, String> in
                log.add("f\(error)")
                return rest.signal()
            }).start(log)
        a.next(1)
        a.fail("x")
        b.next(2)
        b.fail("y")
        #expect(log.text == "Sa N1 fx Sb Da N2 Ey Db")
        handle.dispose()
    }

    // Covers: SW-203, C-158, C-17
    @Test func catchOfSynchronousSignals() {
        let failing: Signal<Int, Int> = sync("s", log, [1], .failed(1))
        let handle =
            (failing
            |> `catch` { [log] (error: Int) -> Signal<Int, NoError> in sync("t", log, [error + 1], .completed) }).start(
                log)
        // Reference trace, corrected: the failed source is disposed when its own start has returned.
        #expect(log.text == "Ss N1 Ds St N2 C Dt")
        handle.dispose()
        let unused: Signal<Int, String> =
            sync("a", Log(), [1], SyncEnd<String>.completed) |> `catch` { (_: String) in .single(9) }
        #expect(unused.trace() == "N1 C")
    }

    // Covers: SW-203, C-158
    @Test func catchIsDisposedInBothStages() {
        let rest = b
        let signal: Signal<Int, String> = a.signal() |> `catch` { _ in rest.signal() }
        signal.start(log).dispose()
        #expect(log.text == "Sa Da")
        let handle = signal.start(log)
        a.fail("x")
        handle.dispose()
        #expect(log.text == "Sa Da Sa Sb Da Db")
    }

    /// The alternative starts inside the end of the failed source. A disposal inside that start comes first.
    /// Covers: SW-203, C-158
    @Test func anAlternativeThatEndsTheRunInsideItsStartIsDisposedFirst() {
        let log = log
        let signal: Signal<Int, String> =
            a.signal() |> `catch` { _ in sync("t", log, [1, 2], SyncEnd<String>.completed) }
        let handle = (signal |> take(1)).start(log)
        a.fail("x")
        #expect(log.text == "Sa St N1 C Dt Da")
        handle.dispose()
    }

    // Covers: SW-203, C-158
    @Test func aChainOfAlternatives() {
        let chain: Signal<Int, String> = (1...20).reduce(Signal.fail("0")) { chain, number in
            chain |> `catch` { .fail("\($0)\(number % 10)") }
        }
        #expect(chain.trace() == "E012345678901234567890")
    }

    /// Reference traces of §0.5: the alternative of an asynchronous failure, after the end of the subscription.
    /// Covers: SW-203, B-52, C-174
    @Test func takeBehindCatch() {
        let handle =
            (a.signal() |> `catch` { [log] (_: String) -> Signal<Int, String> in sync("t", log, [5, 6], .open) }
            |> take(1)).start(log)
        a.fail("x")
        #expect(log.text == "Sa St N5 C Da Dt" || log.text == "Sa St N5 C Dt Da")
        handle.dispose()

        let second = Log()
        let failing: Signal<Int, String> = sync("s", second, [1], .failed("x"))
        let none =
            (failing
            |> `catch` { (_: String) -> Signal<Int, String> in
                second.add("f")
                return .single(2)
            } |> take(1)).start(second)
        #expect(second.text == "Ss N1 C Ds")
        none.dispose()
    }

    // MARK: restart

    // Covers: SW-204, OC-91, MT-18, C-159, C-28
    @Test func restartStartsTheNextRoundBeforeItDisposesTheLast() {
        let handle = (a.signal() |> restart).start(log)
        a.next(1)
        a.complete()
        a.next(2)
        a.fail("x")
        #expect(log.text == "Sa N1 Sa Da N2 Ex Da")
        handle.dispose()

        let second = Log()
        let source = ManualSource<Int, NoError>("a", second)
        _ = (source.signal() |> restart |> take(3)).start(second)
        for value in 1...3 {
            source.next(value)
            source.complete()
        }
        #expect(second.text == "Sa N1 Sa Da N2 Sa Da N3 C Da")
    }

    // Covers: SW-205, C-159
    @Test func recurseIsRestartAndIgnoresItsArgument() {
        let source: Signal<Int, String> = sync("a", log, [1, 2], .completed)
        #expect((source |> recurse(42) |> take(3)).trace() == "N1 N2 N1 C")
    }

    /// Two synchronous rounds, then an asynchronous one: in the originals the unwinding starts cancelled it (`S1 N S2 N S3 D2 D3 D1`).
    // Covers: B-49, SW-204, C-159
    @Test func aLaterAsynchronousRoundLives() {
        var round = 0
        let source = Signal<Int, String> { [log] subscriber in
            round += 1
            let number = round
            log.add("S\(number)")
            if number < 3 {
                subscriber.putNext(number)
                subscriber.putCompletion()
            }
            return ActionDisposable { withExtendedLifetime(subscriber) { log.add("D\(number)") } }
        }
        let handle = (source |> restart).start(log)
        #expect(log.text == "S1 N1 D1 S2 N2 D2 S3")
        handle.dispose()
        #expect(log.text == "S1 N1 D1 S2 N2 D2 S3 D3")
    }

    /// Reference traces: `S1 N C S2 D1 D2` is corrected to `S1 N C D1`.
    // Covers: B-52, SW-204, C-174
    @Test func takeBehindRestart() {
        let once: Signal<Int, String> = sync("1", log, [7], .completed)
        let handle = (once |> restart |> take(1)).start(log)
        #expect(log.text == "S1 N7 C D1")
        handle.dispose()

        let second = Log()
        let source = ManualSource<Int, String>("1", second)
        let async = (source.signal() |> restart |> take(1)).start(second)
        source.next(7)
        #expect(second.text == "S1 N7 C D1")
        async.dispose()
    }

    /// A source that completes inside its own disposal is not started again.
    // Covers: SW-204, B-1
    @Test func nothingIsRestartedByDisposal() {
        let source = Signal<Int, String> { [log] subscriber in
            log.add("S")
            return ActionDisposable {
                log.add("D")
                subscriber.putCompletion()
            }
        }
        (source |> restart).start(log).dispose()
        #expect(log.text == "S D")
    }

    // MARK: restartIfError and its kin

    // Covers: SW-208, C-160
    @Test func restartIfErrorStartsAgainUntilItSucceeds() {
        let handle = (a.signal() |> restartIfError).start(log)
        a.next(1)
        a.fail("x")
        a.next(2)
        a.complete()
        #expect(log.text == "Sa N1 Sa Da N2 C Da")
        handle.dispose()

        let second = Log()
        var round = 0
        let flaky: Signal<Int, String> = deferred {
            round += 1
            return sync("\(round)", second, [round], round < 3 ? .failed("x") : .completed)
        }
        let done = (flaky |> restartIfError).start(second)
        #expect(second.text == "S1 N1 D1 S2 N2 D2 S3 N3 C D3")
        done.dispose()
    }

    // Covers: SW-208, C-160, B-49
    @Test func restartIfErrorLivesOnAfterSynchronousFailures() {
        var round = 0
        let live = a
        let flaky: Signal<Int, String> = deferred {
            round += 1
            return round < 3 ? .fail("x") : live.signal()
        }
        let handle = (flaky |> restartIfError).start(log)
        a.next(5)
        #expect(log.text == "Sa N5")
        handle.dispose()
        #expect(log.text == "Sa N5 Da")
    }

    // Covers: SW-209, SW-210, C-161
    @Test func restartOrMapErrorDoesWhatTheConditionSays() {
        var asked = 0
        let handle =
            (a.signal()
            |> restartOrMapError { (error: String) -> RestartOrMapErrorCondition<Int> in
                asked += 1
                return asked < 2 ? .restart : .error(error.count)
            }).start(log)
        a.fail("one")
        a.next(1)
        a.fail("three")
        #expect(log.text == "Sa Sa Da N1 E5 Da")
        handle.dispose()
        let completing: Signal<Int, Int> =
            sync("a", Log(), [1], SyncEnd<String>.completed) |> restartOrMapError { _ in .restart }
        #expect(completing.trace() == "N1 C")
        let disposed = (a.signal() |> restartOrMapError { (_: String) -> RestartOrMapErrorCondition<Int> in .restart })
            .start(Log())
        disposed.dispose()
        #expect(a.subscribers.isEmpty)
    }

    // Covers: OC-92
    @Test func retryIfAsksThePredicate() {
        let handle = (a.signal() |> retryIf { (error: String) in error == "again" }).start(log)
        a.fail("again")
        a.next(1)
        a.fail("enough")
        #expect(log.text == "Sa Sa Da N1 Eenough Da")
        handle.dispose()
    }
}
