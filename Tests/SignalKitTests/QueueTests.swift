import Dispatch
@testable import SignalKitCore
import Testing

@Suite struct QueueTests {
    // Covers: SW-77, SW-78, SW-79, SW-80, SW-81, SW-82, SW-83, OC-34, OC-35, OC-36, OC-37, OC-38, OC-42, C-120
    // Covers: MT-50, MT-51, MT-52, MT-53, MT-54, MT-55
    @Test func singletonsAndNativeQueues() {
        #expect(Queue.mainQueue() === Queue.mainQueue())
        #expect(Queue.mainQueue().queue.label == DispatchQueue.main.label)
        #expect(Queue.concurrentDefaultQueue() === Queue.concurrentDefaultQueue())
        #expect(Queue.concurrentDefaultQueue().queue.label == DispatchQueue.global(qos: .default).label)
        #expect(Queue.concurrentBackgroundQueue() === Queue.concurrentBackgroundQueue())
        #expect(Queue.concurrentBackgroundQueue().queue.label == DispatchQueue.global(qos: .background).label)
        let native = DispatchQueue(label: "native")
        #expect(Queue(queue: native).queue === native)
        #expect(Queue(name: "named").queue.label == "named")
        #expect(Queue().queue !== Queue(name: nil, qos: .utility).queue)
    }

    // Covers: SW-84, OC-43, MT-56, C-121, B-37
    @Test @MainActor func mainIsCurrentInItsWork() {
        // A program with an asynchronous main, such as this one, runs the main queue's work on whichever thread.
        #expect(Queue.mainQueue().isCurrent())
        let other = Queue(name: "other")
        other.sync { #expect(other.isCurrent()) }
        let elsewhere = Recorded<Bool>()
        let done = finishes { elsewhere.add(Queue.mainQueue().isCurrent()) }
        #expect(done && elsewhere.all == [false])
    }

    // Covers: SW-85, SW-86, C-32, C-125, B-41
    @Test @MainActor func mainQueueWorksInline() {
        var ran = 0
        Queue.mainQueue().async { ran += 1 }
        #expect(ran == 1)
        Queue.mainQueue().sync { ran += 1 }
        #expect(ran == 2)
        // The rule by which it answers is the rule by which it dispatches.
        #expect(Queue.mainQueue().isCurrent())
    }

    // Covers: SW-84, SW-85, B-37, C-121
    @Test func mainQueueFromElsewhere() async {
        let log = Recorded<Bool>()
        startThread {
            Queue.mainQueue().async { log.add(Queue.mainQueue().isCurrent()) }
            DispatchQueue.main.async { Queue.mainQueue().sync { log.add(true) } }
        }
        #expect(await eventuallyAsync { log.all == [true, true] })
    }

    // Covers: SW-84, OC-43, MT-56, C-122, B-38, B-41
    @Test func currentOnlyInItsOwnWork() {
        let a = Queue(name: "a")
        let unnamed = Queue()
        let targeting = DispatchQueue(label: "targeting", target: a.queue)
        #expect(!a.isCurrent())
        a.sync {
            #expect(a.isCurrent() && !unnamed.isCurrent())
            // Inside another queue's sync the outer one is not current: this is documented.
            unnamed.sync { #expect(!a.isCurrent() && unnamed.isCurrent()) }
        }
        targeting.sync { #expect(a.isCurrent()) }
        // Queues of the same name are not the same queue.
        Queue(name: "a").sync { #expect(!a.isCurrent()) }
    }

    // Covers: C-123, C-124, SW-84
    @Test func wrappedAndGlobalQueuesAreNeverCurrent() {
        let wrapped = Queue(queue: DispatchQueue(label: "native"))
        let ran = Recorded<String>()
        wrapped.sync {
            #expect(!wrapped.isCurrent())
            wrapped.async { ran.add("later") }
            ran.add("now")
        }
        wrapped.sync {}
        #expect(ran.all == ["now", "later"])
        for queue in [Queue.concurrentDefaultQueue(), .concurrentBackgroundQueue()] {
            queue.sync { #expect(!queue.isCurrent()) }
        }
        let named = Queue(name: "named")
        let around = Queue(queue: named.queue)
        named.sync { #expect(!around.isCurrent()) }
    }

    // Covers: B-36
    @Test func wrappedSerialQueueKnowsItself() {
        let done = finishes {
            let native = DispatchQueue(label: "native")
            let wrapped = Queue(queue: native, isSerial: true)
            let again = Queue(queue: native, isSerial: true)
            let ran = Tally()
            wrapped.sync {
                // Without a tag this waits for itself.
                wrapped.sync { ran.up() }
                again.sync { ran.up() }
                wrapped.async { ran.up() }
            }
            #expect(ran.value == 3)
            native.sync { #expect(wrapped.isCurrent()) }
            #expect(!wrapped.isCurrent())
        }
        #expect(done)
    }

    // Covers: B-36
    @Test func aWrappedQueueThatIsNotSaidToBeSerialDoesNotKnowItself() async {
        await #expect(processExitsWith: .failure) {
            let wrapped = Queue(queue: DispatchQueue(label: "native"))
            wrapped.sync { wrapped.sync {} }
        }
    }

    // Covers: B-41
    @Test func tagsDoNotComeBack() {
        // The native queue outlives the Queue. If the tag's address were free, one of many new queues would take it for its own.
        let natives = (0..<50).map { _ in Queue(name: "gone").queue }
        let fresh = (0..<50).map { _ in Queue(name: "fresh") }
        for native in natives {
            native.sync { for queue in fresh { #expect(!queue.isCurrent()) } }
        }
    }

    // Covers: SW-85, SW-86, OC-39, OC-40, OC-41, MT-57, MT-58, C-125
    @Test func asyncAndSync() {
        let queue = Queue(name: "queue")
        let log = Recorded<Int>()
        let release = Tally()
        queue.async { _ = eventually { release.value == 1 } }
        queue.async {
            log.add(1)
            queue.async { log.add(2) }
            queue.sync { log.add(3) }
            log.add(4)
        }
        #expect(log.count == 0)
        release.up()
        queue.sync { log.add(5) }
        #expect(log.all == [1, 2, 3, 4, 5])
    }

    // Covers: SW-87, SW-88, SW-89, C-126
    @Test func neverInline() {
        let queue = Queue(name: "queue")
        let log = Recorded<Int>()
        queue.sync {
            queue.justDispatch { log.add(1) }
            queue.justDispatchWithQoS(qos: .userInitiated) { log.add(queue.isCurrent() ? 2 : -2) }
            queue.justDispatch { log.add(3) }
            queue.after(0) { log.add(queue.isCurrent() ? 0 : -1) }
            #expect(log.count == 0)
        }
        #expect(eventually { log.count == 4 })
        #expect(log.all.filter { $0 > 0 } == [1, 2, 3] && log.all.contains(0))
    }

    // Covers: SW-89, C-126
    @Test func afterKeepsTimeAndOrder() {
        let queue = Queue(name: "queue")
        var log = Recorded<(Int, Double)>(), begin = 0.0, asked = 0.0
        repeat { // again if this thread was kept from asking for both at about the same time
            let events = Recorded<(Int, Double)>()
            (log, begin) = (events, queue.now)
            queue.after(0.06) { events.add((2, queue.now)) }
            queue.after(0.02) { events.add((1, queue.now)) }
            asked = queue.now
            #expect(eventually { events.count == 2 })
        } while asked - begin > 0.03
        #expect(log.all.map { $0.0 } == [1, 2])
        #expect(log.all[0].1 - begin >= 0.019 && log.all[1].1 - begin >= 0.059)
    }

    // Covers: B-42
    @Test func afterCanBeCancelled() {
        let tracker = LifetimeTracker()
        let queue = Queue(name: "queue")
        let cancelled = queue.after(1_000) { [tracked = tracker.make()] in tracked.touch() }
        cancelled.dispose()
        // The closure goes at once, long before its time.
        #expect(tracker.live == 0)
        // When its time comes, nothing happens.
        let release = Tally(), later = Tally()
        queue.async { _ = eventually { release.value == 1 } }
        queue.after(0.001) { Issue.record("it was cancelled") }.dispose()
        queue.after(0.005) { later.up() }
        release.up()
        #expect(eventually { later.value == 1 })
    }
}

@Suite struct QueueLocalObjectTests {
    final class Local {
        let queue: Queue
        let tracked: LifetimeTracker.Tracked
        init(_ queue: Queue, _ tracker: LifetimeTracker) {
            #expect(queue.isCurrent())
            self.queue = queue
            tracked = tracker.make(7)
        }
        deinit { #expect(queue.isCurrent()) }
    }

    // Covers: SW-90, SW-91, SW-92, SW-93, SW-94, SW-95, OC-44, OC-45, C-127
    @Test func madeUsedAndFreedOnTheQueue() {
        let tracker = LifetimeTracker()
        let queue = Queue(name: "local")
        let made = Tally()
        do {
            let local = QueueLocalObject(queue: queue) { () -> Local in
                made.up()
                return Local(queue, tracker)
            }
            #expect(local.queue === queue)
            #expect(local.syncWith { queue.isCurrent() ? $0.tracked.id : -1 } == 7)
            let used = Tally()
            local.with { _ in
                if queue.isCurrent() { used.up() }
            }
            queue.sync { #expect(local.unsafeGet()?.tracked.id == 7) }
            #expect(used.value == 1 && made.value == 1)
        }
        queue.sync {}
        #expect(tracker.live == 0)
    }

    // Covers: SW-91, SW-94, C-127
    @Test func inlineWhenCurrent() {
        let tracker = LifetimeTracker()
        let queue = Queue(name: "local")
        queue.sync {
            do {
                let local = QueueLocalObject(queue: queue) { Local(queue, tracker) }
                #expect(tracker.live == 1)
                var used = false
                local.with { _ in used = true }
                #expect(used && local.unsafeGet() != nil)
            }
            #expect(tracker.live == 0)
        }
    }

    // Covers: SW-93, B-43
    @Test func nothingGoesWithoutTheObject() {
        let tracker = LifetimeTracker()
        // A wrapped queue never works inline, and a wrapped concurrent one does not even keep the order: the object is made when needed.
        let queue = Queue(queue: DispatchQueue(label: "concurrent", attributes: .concurrent))
        let used = Tally()
        for round in 1...200 {
            let local = QueueLocalObject(queue: queue) { tracker.make(1) }
            local.with { object in if object.id == 1 { used.up() } }
            #expect(local.syncWith { $0.id } == 1)
            // The release of the owner could overtake the closure.
            withExtendedLifetime(local) { _ = eventually { used.value == round } }
        }
        #expect(used.value == 200)
        #expect(eventually { tracker.live == 0 })
    }

    // Covers: B-43
    @Test func concurrentQueuesAreRefused() async {
        await #expect(processExitsWith: .failure) {
            _ = QueueLocalObject(queue: .concurrentDefaultQueue()) { Bag<Int>() }
        }
    }

    // Covers: SW-96, C-128
    @Test func signalWith() {
        let tracker = LifetimeTracker()
        let queue = Queue(name: "local")
        let log = Recorded<Int>()
        let disposed = Tally()
        var local: QueueLocalObject<Local>? = QueueLocalObject(queue: queue) { Local(queue, tracker) }
        let signal: Signal<Int, NoError> = local!.signalWith { object, subscriber in
            #expect(queue.isCurrent())
            subscriber.putNext(object.tracked.id)
            return ActionDisposable { disposed.up() }
        }
        let subscription = signal.start(next: { log.add($0) })
        queue.sync {}
        #expect(log.all == [7])
        subscription.dispose()
        #expect(disposed.value == 1)
        queue.sync {
            // Inline when started on the queue.
            let inline = signal.start(next: { log.add($0 + 1) })
            #expect(log.all == [7, 8])
            inline.dispose()
        }
        // Disposed before the queue runs it.
        let release = Tally()
        queue.async { _ = eventually { release.value == 1 } }
        let early = signal.start(next: { log.add($0) })
        early.dispose()
        release.up()
        queue.sync {}
        #expect(log.count == 2 && disposed.value == 2)
        // The owner is released: no calls.
        local = nil
        let late = signal.start(next: { log.add($0) }, completed: { Issue.record("silent") })
        queue.sync {}
        #expect(log.count == 2 && tracker.live == 0)
        late.dispose()
    }

    // Covers: SW-96, C-182
    @Test func signalWithStress() {
        let tracker = LifetimeTracker()
        let begun = Tally()
        let ended = Tally()
        do {
            let queue = Queue(name: "local")
            race(4) { _ in
                for round in 0..<100 {
                    let local = QueueLocalObject(queue: queue) { tracker.make() }
                    let signal: Signal<Int, NoError> = local.signalWith { _, _ in
                        begun.up()
                        return ActionDisposable { ended.up() }
                    }
                    let subscription = signal.start(next: { _ in })
                    if round % 2 == 0 { queue.justDispatch { subscription.dispose() } } else { subscription.dispose() }
                }
            }
            queue.sync {}
        }
        #expect(begun.value == ended.value)
        #expect(eventually { tracker.live == 0 })
    }
}
