import Foundation
import Testing
@testable import SignalKitCore

/// A step that consists of closures.
private final class HubEffect: Effect {
    private let work: () -> Void
    private let then: () -> Void

    init(_ work: @escaping () -> Void, then: @escaping () -> Void = {}) {
        self.work = work
        self.then = then
    }

    func perform() { work() }
    func performed() { then() }
}

/// A source of a hub, which only waits for its disposal.
private final class StoredSource: Subscription {
    nonisolated(unsafe) private let action: () -> Void
    init(_ action: @escaping () -> Void) {
        self.action = action
        super.init()
    }
    override func dispose() { action() }
}

/// The life of a hub: opening, inlets that come and go, the end, disposal, and all of these at once.
@Suite struct HubTests {
    private let tracker = LifetimeTracker()

    /// Passes on what its inlets bring; a negative value is a step that comes back as the value 1000 less.
    private final class RelayHub<E>: SuccessionHub<Int, E> {
        let log: Log
        let object: LifetimeTracker.Tracked
        nonisolated(unsafe) var isCleared = false

        init(_ sink: Sink<Int, E>, _ log: Log, _ object: LifetimeTracker.Tracked) {
            self.log = log
            self.object = object
            super.init(sink, places: 2)
        }

        func send(_ event: SignalEvent<Int, E>) {
            submit { [unowned(unsafe) self] in handle(event) }
        }

        private func handle(_ event: SignalEvent<Int, E>) {
            switch event {
            case let .Next(value):
                if value > -1000 && value < 0 {
                    afterwards(HubEffect({}, then: { self.handle(.Next(value - 1000)) }))
                } else {
                    emit(value)
                }
            case let .Error(error): end(.error(error))
            case .Completion: end(.completed)
            }
        }

        override func clear() {
            super.clear()
            isCleared = true
        }
    }

    private func hub(_ log: Log) -> RelayHub<String> {
        let object = tracker.make()
        let sink = CallbackSink<Int, String>(
            { value in
                object.touch()
                log.add("N\(value)")
            }, { log.add("E\($0)") }, { log.add("C") })
        return RelayHub(sink, log, tracker.make())
    }

    @Test func emitsStepsAndEnds() {
        let log = Log(), hub = hub(log)
        hub.open {
            hub.store(StoredSource { log.add("D0") }, at: 0)
            hub.store(StoredSource { log.add("D1") }, at: 1)
            hub.send(.Next(1))
            hub.send(.Next(-5))
            hub.send(.Completion)
            hub.send(.Next(2))
        }
        #expect(log.text == "N1 N-1005 C D0 D1")
        #expect(hub.isCleared)
        // The sink is released, and the hub itself is still retained here.
        #expect(tracker.live == 1)
    }

    @Test func theLastInletThatGoesLetsTheStagesBelowGoButNotTheSources() {
        let log = Log(), hub = hub(log)
        hub.open { hub.store(StoredSource { log.add("D") }, at: 0) }
        #expect(hub.isTerminated && !hub.isDisposed)
        #expect(tracker.live == 1)
        #expect(log.text == "")
        hub.dispose()
        hub.dispose()
        #expect(log.text == "D")
    }

    @Test func whatIsStoredAfterTheEndIsDisposed() {
        let log = Log(), hub = hub(log)
        hub.open {
            hub.send(.Error("x"))
            hub.store(StoredSource { log.add("D") }, at: 1)
        }
        hub.store(StoredSource { log.add("d") }, at: 0)
        #expect(log.text == "Ex D d")
    }

    /// An operator must not emit after the end. Such a value is dropped, and does not reach a released stage.
    @Test func emittingAfterTheEndGoesNowhere() {
        let log = Log(), hub = hub(log)
        hub.addInlet()
        hub.send(.Completion)
        hub.emit(1)
        hub.end(.completed)
        #expect(log.text == "C")
    }

    @Test func disposalFromInsideACallbackStopsWhatWaits() {
        let log = Log()
        nonisolated(unsafe) var hub: RelayHub<NoError>?
        let sink = CallbackSink<Int, NoError>(
            { value in
                log.add("N\(value)")
                hub!.send(.Next(value + 1))
                if value == 3 { hub!.dispose() }
            }, nil, { log.add("C") })
        hub = RelayHub(sink, log, tracker.make())
        hub!.open { hub!.send(.Next(1)) }
        #expect(log.text == "N1 N2 N3")
        #expect(hub!.isCleared)
        #expect(sink.takeUpstream() === hub)
        hub = nil
        #expect(tracker.live == 0)
    }

    /// The section is handed over to a queue that does not get to it: disposal takes it back and frees the callbacks.
    @Test func disposalDoesNotWaitForABlockedQueue() {
        let queue = Queue(name: "blocked"), proceed = DispatchSemaphore(value: 0), log = Log()
        queue.justDispatch { proceed.wait() }
        let handle: Disposable
        do {
            let object = tracker.make()
            let source = ManualSource<Int, NoError>()
            handle = (source.signal() |> deliverOn(queue)).start(next: { _ in
                object.touch()
                log.add("N")
            })
            source.next(1)
            source.next(2)
        }
        #expect(tracker.live == 1)
        handle.dispose()
        #expect(tracker.live == 0)
        proceed.signal()
        queue.sync {}
        #expect(log.text == "")
    }

    @Test func aQueueThatIsHandedTheSectionWhileOthersDisposeDeliversOnceOrNot() {
        for _ in 0..<200 {
            let queue = Queue(name: "q")
            let tracker = LifetimeTracker(), disposed = Tally()
            do {
                let object = tracker.make()
                let source = ManualSource<Int, NoError>()
                let handle = (source.signal() |> deliverOn(queue)).start(
                    next: { _ in object.touch() }, completed: { disposed.up() })
                let subscriber = source.subscribers[0]
                race(3) { thread in
                    switch thread {
                    case 0: for value in 0..<20 { subscriber.putNext(value) }
                    case 1: handle.dispose()
                    default: subscriber.putCompletion()
                    }
                }
            }
            queue.sync {}
            #expect(disposed.value <= 1)
            #expect(eventually { tracker.live == 0 })
        }
    }

    /// Inlets that submit, end and go on several threads, while another stores and one disposes.
    @Test func everythingAtOnceEndsOnceAndFreesAll() {
        for round in 0..<200 {
            let tracker = LifetimeTracker(), ends = Tally(), stored = Tally(), disposals = Tally()
            do {
                let object = tracker.make()
                let sink = CallbackSink<Int, String>({ _ in object.touch() }, { _ in ends.up() }, { ends.up() })
                let hub = RelayHub(sink, Log(), tracker.make())
                for _ in 0..<4 { hub.addInlet() }
                race(5) { thread in
                    switch thread {
                    case 0, 1:
                        for value in 0..<20 { hub.send(.Next(value % 4 == 3 ? -value : value)) }
                        hub.removeInlet()
                    case 2:
                        for _ in 0..<20 {
                            stored.up()
                            hub.store(StoredSource { disposals.up() }, at: 0)
                        }
                        hub.removeInlet()
                    case 3:
                        hub.send(round % 2 == 0 ? .Completion : .Error("x"))
                        hub.removeInlet()
                    default:
                        if round % 3 == 0 { hub.dispose() }
                    }
                }
                hub.dispose()
                #expect(hub.isCleared)
                #expect(ends.value <= 1)
                #expect(round % 3 == 0 || ends.value == 1)
                #expect(disposals.value == stored.value)
            }
            #expect(tracker.live == 0)
        }
    }

    /// Sources of a join that are attached while it is disposed: each is disposed once, now or then, and nothing of it stays.
    @Test func whatAJoinHoldsIsDisposedOnce() {
        for _ in 0..<500 {
            let tracker = LifetimeTracker(), disposals = Tally()
            do {
                let hub = Hub<Int, NoError>(CallbackSink(nil, nil, nil), places: 8)
                hub.addInlet()
                race(2) { thread in
                    if thread == 1 { return hub.dispose() }
                    for place in 0..<8 {
                        let object = tracker.make()
                        let source = StoredSource {
                            object.touch()
                            disposals.up()
                        }
                        hub.store(source, at: place)
                    }
                }
            }
            #expect(disposals.value == 8)
            #expect(tracker.live == 0)
        }
    }

    /// More steps at once than are performed inside each other: all are performed, none is lost.
    @Test func manyStepsAtOnceAreAllPerformed() {
        final class Fan: SuccessionHub<Int, NoError> {
            let performed = Tally()
            func begin(_ number: Int) {
                submit { [unowned(unsafe) self] in
                    afterwards(
                        HubEffect({
                            self.performed.up()
                            // Each brings two more, from inside.
                            if number < 10_000 {
                                self.begin(number * 2)
                                self.begin(number * 2 + 1)
                            }
                        }))
                }
            }
        }
        let hub = Fan(CallbackSink(nil, nil, nil), places: 0)
        hub.addInlet()
        hub.begin(1)
        // 1 … 19 999: every node whose parent is below 10 000.
        #expect(hub.performed.value == 19_999)
        race(4) { thread in hub.begin(5_000 + thread) }
        #expect(hub.performed.value == 19_999 + 4 * 3)
        hub.dispose()
    }

    /// A hot source and its listeners: subscribing, leaving and the pipe's end at once.
    @Test func listenersComeAndGoWhileThePipeEnds() {
        for _ in 0..<100 {
            let tracker = LifetimeTracker()
            do {
                nonisolated(unsafe) var pipe: ValuePipe<Int>? = ValuePipe()
                let signal = pipe!.signal()
                race(4) { thread in
                    switch thread {
                    case 0:
                        for value in 0..<50 { pipe?.putNext(value) }
                        pipe = nil
                    default:
                        for _ in 0..<25 {
                            let object = tracker.make()
                            let handle = signal.start(next: { _ in object.touch() })
                            if thread != 3 { handle.dispose() }
                        }
                    }
                }
            }
            #expect(tracker.live == 0)
        }
    }
}

/// Whole chains under contention.
@Suite struct ChainStressTests {
    @Test func deepChainsStartedAndDisposedByManyThreadsLeaveNothing() {
        let tracker = LifetimeTracker()
        do {
            let source = ManualSource<Int, NoError>()
            let object = tracker.make()
            var signal = source.signal()
            for level in 0..<30 {
                switch level % 5 {
                case 0:
                    signal = signal
                        |> map { (value: Int) -> Int in
                            object.touch(); return value
                        }
                case 1: signal = signal |> distinctUntilChanged
                case 2: signal = signal |> mapToSignal { (value: Int) -> Signal<Int, NoError> in .single(value) }
                case 3: signal = combineLatest([signal]) |> map { $0[0] }
                default: signal = signal |> take(1_000)
                }
            }
            let chain = signal
            race(8) { thread in
                for round in 0..<25 {
                    let mine = tracker.make()
                    let handle = chain.start(next: { _ in mine.touch() })
                    if thread == 0 { source.next(round) }
                    handle.dispose()
                }
            }
            #expect(source.subscribers.isEmpty)
        }
        #expect(tracker.live == 0)
    }

    /// Values, ends and disposal through a chain with every kind of stage: at most one end, nothing after it, nothing left.
    @Test func everyKindOfStageUnderValuesEndsAndDisposal() {
        for round in 0..<150 {
            let tracker = LifetimeTracker(), ends = Tally(), late = Tally()
            do {
                let object = tracker.make()
                let source = ManualSource<Int, String>()
                nonisolated(unsafe) var hasEnded = false
                let chain =
                    source.signal() |> map { (value: Int) -> Int in value + 1 } |> distinctUntilChanged
                    |> mapToQueue { (value: Int) -> Signal<Int, String> in .single(value) } |> serialized
                let handle = chain.start(
                    next: { _ in
                        object.touch()
                        if hasEnded { late.up() }
                    },
                    error: { _ in
                        hasEnded = true; ends.up()
                    },
                    completed: {
                        hasEnded = true; ends.up()
                    })
                let subscriber = source.subscribers[0]
                race(4) { thread in
                    switch thread {
                    case 0: for value in 0..<30 { subscriber.putNext(value) }
                    case 1: for value in 30..<60 { subscriber.putNext(value) }
                    case 2: if round % 2 == 0 { subscriber.putCompletion() } else { subscriber.putError("x") }
                    default: if round % 3 == 0 { handle.dispose() }
                    }
                }
                #expect(ends.value <= 1 && late.value == 0)
                #expect(round % 3 == 0 || ends.value == 1)
                handle.dispose()
            }
            #expect(tracker.live == 0)
        }
    }
}
