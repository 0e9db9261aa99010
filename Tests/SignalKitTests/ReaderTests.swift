import Dispatch
import Foundation
import SignalKitCore
import Testing

private struct Reason: Error, Equatable {}

/// The tests wait on separate threads.
private func blocking<R: Sendable>(_ body: @escaping @Sendable () throws -> R) throws -> R {
    let result = Recorded<Result<R, any Error>>()
    #expect(finishes { result.add(Result { try body() }) })
    return try #require(result.all.first).get()
}

private func text<T, E>(_ reading: Reading<T, E>) -> String {
    switch reading {
    case let .value(value): return "\(value)"
    case let .failed(error): return "failed(\(error))"
    case .completed: return "|"
    case .timeout: return "timeout"
    case .closed: return "closed"
    case .refused: return "refused"
    }
}

@Suite struct ReaderTests {
    @Test func valuesThenTheEnd() throws {
        let source = ManualSource<Int, Reason>()
        let reader = SignalReader(source.signal(), limit: 2)
        source.next(1)
        let emitting = Tally()
        startThread {
            for value in 2...4 { source.next(value) }
            source.fail(Reason())
            emitting.up()
        }
        let seen = try blocking { (0..<6).map { _ in text(reader.next(timeout: .infinity)) } }
        #expect(seen == ["1", "2", "3", "4", "failed(Reason())", "failed(Reason())"])
        #expect(eventually { emitting.value == 1 })
        reader.close()
        #expect(try blocking { text(reader.next(timeout: .infinity)) } == "closed")
        #expect(source.disposals == 1)
    }

    @Test func whatGoesWithTheReader() {
        let tracker = LifetimeTracker()
        let source = ManualSource<LifetimeTracker.Tracked, NoError>(tracker: tracker)
        do {
            let reader = SignalReader(source.signal(), limit: 1, overflow: .dropOldest)
            for _ in 0..<3 { source.next(tracker.make()) }
            #expect(reader.descriptor() != nil)
        }
        #expect(source.disposals == 1)
        #expect(tracker.live == 0)
    }

    @Test func firstAndAll() throws {
        let queue = Queue()
        let numbers =
            Signal<Int, Reason> { subscriber in
                for number in 1...5 { subscriber.putNext(number) }
                subscriber.putCompletion()
                return EmptyDisposable
            } |> deliverOn(queue)
        #expect(try blocking { try numbers.get(timeout: 300) } == 1)
        #expect(try blocking { try numbers.collect(limit: 9, timeout: 300) } == [1, 2, 3, 4, 5])
        #expect(try blocking { try numbers.collect(limit: 2, timeout: 300) } == [1, 2])
        #expect(throws: Reason.self) { try blocking { try Signal<Int, Reason>.fail(Reason()).get(timeout: 1) } }
        #expect(throws: SignalEndedWithoutValue.self) {
            try blocking { try Signal<Int, NoError>.complete().get(timeout: 1) }
        }
        let silent = ManualSource<Int, NoError>()
        #expect(throws: BlockingReadError.timeout) { try blocking { try silent.signal().get(timeout: 0.01) } }
        #expect(throws: BlockingReadError.timeout) {
            try blocking { try silent.signal().collect(limit: 1, timeout: 0) }
        }
        #expect(silent.disposals == 2)
        let never = Signal<Int, NoError>.never()
        #expect(throws: BlockingReadError.timeout) { try blocking { try never.get(timeout: 0.01) } }
        #expect(throws: BlockingReadError.timeout) { try blocking { try never.collect(limit: 1, timeout: 0.01) } }
        #expect(throws: SignalEndedWithoutValue.self) { try blocking { try never.get(timeout: .infinity) } }
    }

    /// The source may need the serial queue. Work that bypasses `Queue` is not detected.
    @Test func oneMustNotWaitOnASerialQueue() throws {
        let queues = [Queue(), Queue(queue: DispatchQueue(label: "wrapped"), isSerial: true)]
        for queue in queues {
            let later = Signal<Int, NoError>.single(1) |> delay(0.001, queue: queue)
            let cases: [(Signal<Int, NoError>, String)] = [(later, "refused"), (.single(1), "value")]
            for (signal, expected) in cases {
                let seen = Recorded<String>()
                queue.justDispatch {
                    do {
                        _ = try signal.get(timeout: .infinity)
                        seen.add("value")
                    } catch { seen.add("\(error)") }
                }
                #expect(eventually { seen.all == [expected] })
            }
        }
    }

    @Test func inVirtualWorkTheTimeMovesOn() throws {
        let time = VirtualTime()
        let tomorrow = Signal<Int, NoError>.single(1) |> delay(86_400, queue: time.makeQueue())
        var found: [Int] = []
        time.queue.sync { found = (try? tomorrow.collect(limit: 1, timeout: .infinity)) ?? [] }
        #expect(found == [1] && time.now == 86_400)
    }

    /// On the main thread, the main queue's work runs during the wait, also in a program with a run loop.
    @Test @MainActor func onTheMainThreadTheMainQueueWorks() {
        guard Foundation.Thread.isMainThread else { return }
        // (This runs in work of the main queue: there is no waiting.)
        let later = Signal<Int, NoError>.single(1) |> delay(0.001, queue: .mainQueue())
        #expect(throws: BlockingReadError.refused) { try later.get(timeout: .infinity) }
    }
}
