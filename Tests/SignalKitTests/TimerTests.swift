import Dispatch
@testable import SignalKit
import Testing

@Suite struct TimerTests {
    // Covers: SW-112, SW-113, SW-115, SW-116, C-138
    @Test func firesOnceOnItsQueueAndNotEarly() {
        let queue = Queue(name: "timer")
        let fired = Recorded<(Bool, Double)>()
        let begin = queue.now
        let timer = SignalKit.Timer(timeout: 0.05, repeat: false, completion: { fired.add((queue.isCurrent(), queue.now)) }, queue: queue)
        #expect(!timer.isScheduled)
        timer.start()
        #expect(timer.isScheduled)
        #expect(eventually { fired.count == 1 })
        #expect(fired.all[0].0)
        #expect(fired.all[0].1 - begin >= 0.049)
        #expect(!timer.isScheduled)
        timer.start()
        #expect(eventually { fired.count == 2 })
        timer.start()
        timer.invalidate()
        timer.invalidate()
        timer.start()
        #expect(eventually { fired.count == 3 })
    }

    // Covers: SW-114, SW-116, C-138
    @Test func repeatsUntilInvalidatedFromInside() {
        let queue = Queue(name: "timer")
        let fired = Tally()
        let timer = SignalKit.Timer(timeout: 0.005, repeat: true, completion: { (timer: SignalKit.Timer) in
            if fired.up() == 3 { timer.invalidate() }
        }, queue: queue)
        timer.start()
        #expect(eventually { fired.value == 3 })
        #expect(!timer.isScheduled)
        // A queue round later, and with one more firing due meanwhile, nothing has been added.
        let later = Tally()
        queue.after(0.03) { later.up() }
        #expect(eventually { later.value == 1 })
        #expect(fired.value == 3)
    }

    // Covers: SW-112, B-45, C-138
    @Test func lettingGoCancels() {
        let tracker = LifetimeTracker()
        let fired = Tally()
        let queue = Queue(name: "timer")
        var timer: SignalKit.Timer? = SignalKit.Timer(timeout: 0.02, repeat: true, completion: { [tracked = tracker.make()] in
            tracked.touch()
            fired.up()
        }, queue: queue)
        weak let weakTimer = timer
        timer!.start()
        timer = nil
        // A running timer does not keep itself, and neither does its schedule keep the closure.
        #expect(weakTimer == nil)
        #expect(eventually { tracker.live == 0 })
        let count = fired.value
        let later = Tally()
        queue.after(0.05) { later.up() }
        #expect(eventually { later.value == 1 })
        #expect(fired.value == count)
    }

    // Covers: B-46, B-45, C-138, C-183
    @Test func startingTwiceKeepsOneSchedule() {
        let queue = Queue(name: "timer")
        let fired = Tally()
        let timer = SignalKit.Timer(timeout: 0.03, repeat: false, completion: { fired.up() }, queue: queue)
        for _ in 0..<20 { timer.start() }
        #expect(eventually { fired.value == 1 })
        let later = Tally()
        queue.after(0.06) { later.up() }
        #expect(eventually { later.value == 1 })
        #expect(fired.value == 1)
    }

    // Covers: OC-58, OC-59, OC-60, OC-61, OC-62, MT-60, MT-61, MT-62, MT-63, B-45
    @Test func fireAndInvalidateFiresAtMostOnceAndOnTheQueue() {
        let queue = Queue(name: "timer")
        let fired = Recorded<Bool>()
        let timer = SignalKit.Timer(timeout: 1000, repeat: true, completion: { fired.add(queue.isCurrent()) }, queue: queue)
        // Not running: nothing to fire.
        timer.fireAndInvalidate()
        timer.start()
        timer.fireAndInvalidate()
        #expect(!timer.isScheduled)
        timer.fireAndInvalidate()
        #expect(eventually { fired.count == 1 })
        queue.sync {
            timer.start()
            timer.fireAndInvalidate()
            // Inline, since the queue is current.
            #expect(fired.count == 2)
            timer.fireAndInvalidate()
        }
        queue.sync {}
        #expect(fired.all == [true, true])
    }

    // Covers: OC-62, B-45
    @Test func aFiringOnItsWayOutlivesTheTimerButNotInvalidate() {
        let queue = Queue(name: "timer")
        let fired = Tally()
        let blocked = Tally()
        queue.justDispatch { _ = eventually { blocked.value == 1 } }
        var timer: SignalKit.Timer? = SignalKit.Timer(timeout: 1000, repeat: false, completion: { fired.up() }, queue: queue)
        timer!.start()
        timer!.fireAndInvalidate()
        timer = nil
        let other = SignalKit.Timer(timeout: 1000, repeat: false, completion: { fired.up() }, queue: queue)
        other.start()
        other.fireAndInvalidate()
        other.invalidate()
        blocked.up()
        queue.sync {}
        #expect(fired.value == 1)
    }

    // Covers: MT-59, MT-64, MT-65, MT-66
    @Test func remainingTime() {
        let queue = Queue(name: "timer")
        let fired = Tally()
        let timer = SignalKit.Timer(timeout: 1000, repeat: false, completion: { fired.up() }, queue: queue)
        #expect(timer.remainingTime == .infinity && timer.timeoutDate == .infinity && !timer.isScheduled)
        timer.start()
        #expect(timer.isScheduled && timer.remainingTime > 900 && timer.remainingTime <= 1000)
        // Seconds since 1970: later than any moment at which this was written.
        #expect(timer.timeoutDate > 1_700_000_000 && timer.timeoutDate < 1e11)
        timer.resetTimeout(2000)
        #expect(timer.remainingTime > 1900)
        timer.invalidate()
        #expect(timer.remainingTime == .infinity && timer.timeoutDate == 0)
        timer.resetTimeout(0.001)
        #expect(eventually { fired.value == 1 })
        #expect(timer.remainingTime == .infinity && timer.timeoutDate == 0)
    }

    // Covers: C-138
    @Test func onTheMainQueue() async {
        let fired = Tally()
        let timer = SignalKit.Timer(timeout: 0.001, repeat: false, completion: { fired.up() }, queue: .mainQueue())
        timer.start()
        #expect(await eventuallyAsync { fired.value == 1 })
        withExtendedLifetime(timer) {}
    }

    // Covers: C-182, B-45, B-46
    @Test func startInvalidateRace() {
        let tracker = LifetimeTracker()
        do {
            let queue = Queue(name: "timer")
            for round in 0..<60 {
                let fired = Tally()
                let timer = SignalKit.Timer(timeout: 0.0002, repeat: false, completion: { [tracked = tracker.make()] in
                    tracked.touch()
                    fired.up()
                }, queue: queue)
                let starts = Tally()
                concurrently(3) { index in
                    for _ in 0..<5 {
                        if index == 0 { timer.invalidate() } else {
                            starts.up()
                            if index == 1 { timer.start() } else { timer.fireAndInvalidate() }
                        }
                    }
                }
                timer.invalidate()
                queue.sync {}
                let count = fired.value
                #expect(count <= starts.value)
                if round % 10 == 0 {
                    let later = Tally()
                    queue.after(0.01) { later.up() }
                    #expect(eventually { later.value == 1 })
                    #expect(fired.value == count)
                }
            }
        }
        #expect(eventually { tracker.live == 0 })
    }
}
