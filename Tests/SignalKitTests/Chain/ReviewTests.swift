import Foundation
import Testing
@testable import SignalKitCore

/// Faults that a review of the chain found, each with the interleaving that showed it.
@Suite struct ReviewTests {
    /// A value that has passed the gate, and is held up above a serial stage while the end overtakes it, must not come after the end.
    @Test func noValueAfterTheEndOfASerialStage() {
        let log = Log(), source = ManualSource<Int, NoError>()
        let arrived = DispatchSemaphore(value: 0), proceed = DispatchSemaphore(value: 0)
        let signal =
            source.signal()
            |> map { (value: Int) -> Int in
                arrived.signal()
                proceed.wait()
                return value
            } |> distinctUntilChanged
        let handle = signal.start(next: { log.add("N\($0)") }, completed: { log.add("C") })
        let subscriber = source.subscribers[0]
        Foundation.Thread.detachNewThread {
            subscriber.putNext(1)
            arrived.signal()
        }
        arrived.wait()
        subscriber.putCompletion()
        #expect(log.text == "C")
        proceed.signal()
        arrived.wait()
        #expect(log.text == "C")
        handle.dispose()
    }

    /// Two threads start an inner each, and the one with the older inner is late: the newer one stays.
    // Covers: B-49
    @Test func anInnerThatIsStartedLateLeavesTheNewerOneAlone() {
        let log = Log()
        let a = ManualSource<Int, NoError>("a", log), b = ManualSource<Int, NoError>("b", log)
        let hub = InnerHub<Int, NoError>(CallbackSink({ log.add("N\($0)") }, nil, nil), .latest)
        hub.addInlet()
        for inner in [.never(), b.signal()] { hub.submit { [unowned(unsafe) hub] in hub.arrived(inner) } }
        // The action of the thread that was about to start the first.
        InnerSource(hub, a.signal(), 1).perform()
        #expect(log.text == "Sb")
        b.next(1)
        #expect(log.text == "Sb N1")
        hub.dispose()
        #expect(log.text == "Sb N1 Db")
    }

    /// Outer values that wait while another is being delivered are handled in a loop, however many there are.
    // Covers: B-51
    @Test func manyInnersThatWaitNeedNoStack() {
        let count = 30_000
        let source = ManualSource<Int, NoError>()
        var last = -1
        let signal = source.signal() |> mapToSignal { emitting($0) }
        let handle = signal.start(next: { value in
            if value == 0 { for next in 1..<count { source.next(next) } }
            last = value
        })
        source.next(0)
        #expect(last == count - 1)
        handle.dispose()
    }

    /// A callback that repeatedly emits into the outer signal does not use more and more stack.
    /// Covers: B-51
    @Test func aCallbackThatFeedsTheOuterSignalNeedsNoStack() {
        let count = manyRounds
        onSmallStack {
            let source = ManualSource<Int, NoError>()
            nonisolated(unsafe) var last = -1
            let signal = source.signal() |> mapToSignal { emitting($0) }
            let handle = signal.start(next: { value in
                last = value
                if value < count { source.next(value + 1) }
            })
            source.next(0)
            #expect(last == count)
            handle.dispose()
        }
    }

    /// A new inner is started although the one before it is still inside its generator, which the disposal then stops.
    @Test func anInnerCanBeReplacedWhileItsGeneratorRuns() {
        let log = Log(), source = ManualSource<Int, NoError>("o", log)
        let next = ManualSource<Int, NoError>("n", log)
        let signal =
            source.signal()
            |> mapToSignal { (value: Int) -> Signal<Int, NoError> in
                if value == 1 { return next.signal() }
                return Signal { subscriber in
                    var count = 0
                    while subscriber.isActive {
                        subscriber.putNext(count)
                        count += 1
                    }
                    return ActionDisposable { log.add("Dx") }
                }
            }
        let handle = signal.start(next: { value in
            log.add("N\(value)")
            if value == 2 { source.next(1) }
        })
        source.next(0)
        #expect(log.text == "So N0 N1 N2 Sn Dx")
        handle.dispose()
        #expect(log.text == "So N0 N1 N2 Sn Dx Dn Do")
    }
}

/// A value and the completion, from a generator, because a plain value is not started as an inner signal.
private func emitting(_ value: Int) -> Signal<Int, NoError> {
    Signal { subscriber in
        subscriber.putNext(value)
        subscriber.putCompletion()
        return EmptyDisposable
    }
}
