import Foundation
import Testing
@testable import SignalKitCore

/// Disposal that waits for callbacks which run elsewhere.
@Suite struct WaitableTests {
    private enum Kind: CaseIterable { case gate, hub, listener, serial }

    /// A source of each kind of subscription, and what feeds it.
    private func source(_ kind: Kind) -> (Signal<Int, NoError>, put: @Sendable (Int) -> Void) {
        if kind == .listener {
            let pipe = ValuePipe<Int>()
            return (pipe.signal(), { pipe.putNext($0) })
        }
        let source = ManualSource<Int, NoError>()
        let signal = source.signal()
        switch kind {
        case .hub: return (combineLatest([signal]) |> map { $0[0] }, { source.next($0) })
        case .serial: return (signal |> distinctUntilChanged, { source.next($0) })
        default: return (signal, { source.next($0) })
        }
    }

    // Covers: B-6
    @Test func waitsForACallbackThatRunsElsewhere() {
        for kind in Kind.allCases {
            let (signal, put) = source(kind)
            let entered = DispatchSemaphore(value: 0), proceed = DispatchSemaphore(value: 0),
                waited = DispatchSemaphore(value: 0)
            let log = Log()
            let handle = signal.startWaitable(next: { _ in
                entered.signal()
                proceed.wait()
                log.add("returned")
            })
            race(3) { thread in
                switch thread {
                case 0: put(1)
                case 1:
                    entered.wait()
                    let ended = handle.disposeAndWait()
                    log.add(ended ? "disposed" : "?")
                    waited.signal()
                default:
                    // It cannot have returned while the callback is held up.
                    if waited.wait(timeout: .now() + 0.02) == .success { log.add("too early") }
                    proceed.signal()
                }
            }
            #expect(log.text == "returned disposed")
            put(2)
            #expect(log.text == "returned disposed")
        }
    }

    // Covers: B-6
    @Test func fromInsideItsOwnCallbackItDoesNotWaitForItself() {
        for kind in Kind.allCases {
            let (signal, put) = source(kind)
            let log = Log()
            nonisolated(unsafe) var handle: WaitableDisposable?
            handle = signal.startWaitable(next: { value in
                log.add("\(value) \(handle!.disposeAndWait())")
                if value == 1 { put(2) }
            })
            put(1)
            put(3)
            #expect(log.text == "1 false")
            #expect(handle!.disposeAndWait())
            handle = nil
        }
    }

    @Test func twoCallbacksThatWaitForEachOtherBothReturn() {
        let source = ManualSource<Int, NoError>()
        let both = DispatchSemaphore(value: 0), other = DispatchSemaphore(value: 0), count = Tally()
        nonisolated(unsafe) var handle: WaitableDisposable?
        handle = source.signal().startWaitable(next: { value in
            if value == 1 {
                both.signal()
                other.wait()
            } else {
                other.signal()
                both.wait()
            }
            handle!.disposeAndWait()
            count.up()
        })
        let subscriber = source.subscribers[0]
        race(2) { thread in subscriber.putNext(thread + 1) }
        #expect(count.value == 2)
        #expect(handle!.disposeAndWait())
        handle = nil
    }

    /// A value that is blocked upstream of the callbacks during a disposal does not reach them afterwards.
    /// Covers: B-6
    @Test func noCallbackBeginsAfterDisposalOnAnyThread() {
        let source = ManualSource<Int, NoError>(), log = Log()
        let arrived = DispatchSemaphore(value: 0), proceed = DispatchSemaphore(value: 0)
        let signal =
            source.signal()
            |> map { (value: Int) -> Int in
                arrived.signal()
                proceed.wait()
                return value
            }
        let handle = signal.startWaitable(next: { log.add("N\($0)") })
        let subscriber = source.subscribers[0]
        race(2) { thread in
            if thread == 0 { return subscriber.putNext(1) }
            arrived.wait()
            #expect(handle.disposeAndWait())
            proceed.signal()
        }
        #expect(log.text == "")
    }

    @Test func eventsEndAndFreeAsWithStart() {
        let tracker = LifetimeTracker(), log = Log()
        do {
            let object = tracker.make()
            let source = ManualSource<Int, String>("", log)
            let handle = source.signal().startWaitable(
                next: {
                    object.touch(); log.add("N\($0)")
                }, error: { log.add("E\($0)") })
            source.next(1)
            source.fail("x")
            #expect(handle.disposeAndWait())
            _ = Signal<Int, String>.single(1).startWaitable(
                next: { log.add("N\($0)") },
                completed: {
                    object.touch(); log.add("C")
                })
        }
        #expect(log.text == "S N1 Ex D N1 C")
        #expect(tracker.live == 0)
    }

    /// The point of it: what the callback uses is torn down after the wait, while other threads go on emitting.
    // Covers: B-6
    @Test func whatACallbackUsesCanBeTornDownAfterwards() {
        final class Resource: @unchecked Sendable { var isOpen = true; var value = 0 }
        for _ in 0..<200 {
            let (signal, put) = source(.serial)
            let resource = Resource(), misused = Tally()
            let handle = signal.startWaitable(next: { value in
                if !resource.isOpen { misused.up() }
                resource.value = value
            })
            race(3) { thread in
                if thread == 0 {
                    handle.disposeAndWait()
                    resource.isOpen = false
                } else {
                    for value in 0..<20 { put(value) }
                }
            }
            #expect(misused.value == 0)
        }
    }
}

/// The serialising operator.
@Suite struct SerializedTests {
    // Covers: B-5
    @Test func neverTwoCallbacksAtOnceAndNothingAfterTheEnd() {
        for _ in 0..<50 {
            let source = ManualSource<Int, NoError>()
            nonisolated(unsafe) var inside = 0, overlaps = 0, ended = false, afterEnd = 0, values = 0
            let handle = (source.signal() |> serialized).start(
                next: { _ in
                    inside += 1
                    if inside > 1 { overlaps += 1 }
                    if ended { afterEnd += 1 }
                    values += 1
                    inside -= 1
                },
                completed: { ended = true })
            let subscriber = source.subscribers[0]
            race(4) { thread in
                for value in 0..<100 { subscriber.putNext(value) }
                if thread == 0 { subscriber.putCompletion() }
            }
            #expect(overlaps == 0 && afterEnd == 0 && ended)
            #expect(values >= 100 && values <= 400)
            handle.dispose()
        }
    }

    // Covers: B-5
    @Test func whatIsPutFromInsideACallbackComesAfterIt() {
        let source = ManualSource<Int, NoError>(), log = Log()
        let handle = (source.signal() |> serialized).start(
            next: { value in
                log.add("(\(value)")
                if value == 1 {
                    source.next(2)
                    source.complete()
                    source.next(3)
                }
                log.add("\(value))")
            },
            completed: { log.add("C") })
        source.next(1)
        #expect(log.text == "(1 1) (2 2) C")
        handle.dispose()
    }

    // Covers: B-5
    @Test func disposalDropsWhatWaits() {
        let source = ManualSource<Int, NoError>(), log = Log()
        let handle = MetaDisposable()
        handle.set(
            (source.signal() |> serialized).start(next: { value in
                log.add("\(value)")
                source.next(2)
                handle.dispose()
            }))
        source.next(1)
        #expect(log.text == "1")
    }
}
