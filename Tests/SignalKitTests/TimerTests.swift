import Dispatch
import Foundation
@testable import SignalKitCore
import Testing

@Suite struct TimerTests {
    // Covers: SW-112, SW-113, SW-115, SW-116, C-138
    @Test func firesOnceOnItsQueueAndNotEarly() {
        let queue = Queue(name: "timer")
        let fired = Recorded<(Bool, Double)>()
        let timer = SignalKitCore.Timer(
            timeout: 0.02, repeat: false, completion: { fired.add((queue.isCurrent(), queue.now)) }, queue: queue)
        #expect(!timer.isScheduled)
        for round in 1...2 {
            let begin = queue.now
            timer.start()
            #expect(eventually { fired.count == round })
            #expect(fired.all.last!.0 && fired.all.last!.1 - begin >= 0.019)
            #expect(!timer.isScheduled)
        }
    }

    // Covers: SW-112, SW-113, SW-115, SW-116, OC-61, MT-63, C-138
    @Test func firesOnceForEachStartAndNotAfterInvalidate() {
        let time = VirtualTime()
        var fired: [Double] = []
        let timer = SignalKitCore.Timer(
            timeout: 5, repeat: false, completion: { fired.append(time.now) }, queue: time.queue)
        timer.start()
        #expect(timer.isScheduled)
        time.advance(by: 4)
        #expect(fired == [])
        time.advance(by: 100)
        #expect(fired == [5] && !timer.isScheduled)
        timer.start()
        time.advance(by: 4)
        timer.invalidate()
        timer.invalidate()
        #expect(!timer.isScheduled && time.pendingCount == 0)
        time.advance(by: 100)
        #expect(fired == [5])
        timer.start()
        time.advance(by: 100)
        #expect(fired == [5, 213])
    }

    // Covers: SW-114, SW-116, OC-61, MT-63, C-138
    @Test func repeatsUntilInvalidated() {
        let time = VirtualTime()
        var fired: [Double] = []
        let timer = SignalKitCore.Timer(
            timeout: 2, repeat: true,
            completion: { (timer: SignalKitCore.Timer) in
                fired.append(time.now)
                if fired.count == 3 { timer.invalidate() }
            }, queue: time.queue)
        timer.start()
        time.advance(by: 100)
        #expect(fired == [2, 4, 6] && !timer.isScheduled)
        // And again; now it is stopped from outside.
        timer.start()
        time.advance(by: 5)
        timer.invalidate()
        time.advance(by: 100)
        #expect(fired == [2, 4, 6, 102, 104])
    }

    // Covers: SW-114, SW-116, C-138
    @Test func repeatsOnARealQueue() {
        let queue = Queue(name: "timer")
        let fired = Tally(), stopped = Tally()
        let timer = SignalKitCore.Timer(
            timeout: 0.001, repeat: true,
            completion: { (timer: SignalKitCore.Timer) in
                if fired.up() == 3 {
                    timer.invalidate()
                    stopped.up()
                }
            }, queue: queue)
        timer.start()
        #expect(eventually { stopped.value == 1 })
        #expect(!timer.isScheduled)
        let later = Tally()
        queue.after(0.01) { later.up() }
        #expect(eventually { later.value == 1 })
        #expect(fired.value == 3)
    }

    // Covers: SW-112, B-45, C-138
    @Test func lettingGoCancels() {
        let tracker = LifetimeTracker()
        let time = VirtualTime()
        var fired = 0
        var timer: SignalKitCore.Timer? = SignalKitCore.Timer(
            timeout: 2, repeat: true,
            completion: { [tracked = tracker.make()] in
                tracked.touch()
                fired += 1
            }, queue: time.queue)
        weak let weakTimer = timer
        timer!.start()
        time.advance(by: 3)
        timer = nil
        // A running timer does not keep itself, and neither does its schedule keep the closure.
        #expect(weakTimer == nil && tracker.live == 0 && time.pendingCount == 0)
        time.advance(by: 100)
        #expect(fired == 1)
    }

    // Covers: B-46, B-45, C-138, C-183
    @Test func startingTwiceKeepsOneSchedule() {
        let time = VirtualTime()
        var fired: [Double] = []
        let timer = SignalKitCore.Timer(
            timeout: 5, repeat: false, completion: { fired.append(time.now) }, queue: time.queue)
        for _ in 0..<20 {
            timer.start()
            time.advance(by: 1)
        }
        time.advance(by: 100)
        #expect(fired == [24])
    }

    // Covers: OC-58, OC-59, OC-60, OC-62, MT-60, MT-61, MT-62, B-45
    @Test func fireAndInvalidateFiresAtMostOnceAndOnTheQueue() {
        let queue = Queue(name: "timer")
        let fired = Recorded<Bool>()
        let timer = SignalKitCore.Timer(
            timeout: 1000, repeat: true, completion: { fired.add(queue.isCurrent()) }, queue: queue)
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
        var timer: SignalKitCore.Timer? = SignalKitCore.Timer(
            timeout: 1000, repeat: false, completion: { fired.up() }, queue: queue)
        timer!.start()
        timer!.fireAndInvalidate()
        timer = nil
        let other = SignalKitCore.Timer(timeout: 1000, repeat: false, completion: { fired.up() }, queue: queue)
        other.start()
        other.fireAndInvalidate()
        other.invalidate()
        blocked.up()
        queue.sync {}
        #expect(fired.value == 1)
    }

    // Covers: MT-59, MT-64, MT-65, MT-66
    @Test func remainingTime() {
        let time = VirtualTime(date: 1_700_000_000)
        var fired = 0
        let timer = SignalKitCore.Timer(timeout: 1_000, repeat: false, completion: { fired += 1 }, queue: time.queue)
        #expect(timer.remainingTime == .infinity && timer.timeoutDate == .infinity && !timer.isScheduled)
        timer.start()
        time.advance(by: 300)
        #expect(timer.isScheduled && timer.remainingTime == 700 && timer.timeoutDate == 1_700_001_000)
        timer.resetTimeout(2_000)
        #expect(timer.remainingTime == 2_000 && timer.timeoutDate == 1_700_002_300)
        timer.invalidate()
        #expect(timer.remainingTime == .infinity && timer.timeoutDate == 0)
        timer.resetTimeout(10)
        time.advance(by: 10)
        #expect(fired == 1)
        #expect(timer.remainingTime == .infinity && timer.timeoutDate == 0)
    }

    /// Seconds since 1970 by the clock on the wall, which somebody may set.
    // Covers: MT-59, MT-66
    @Test func theDateOfARealTimer() {
        let timer = SignalKitCore.Timer(timeout: 1e6, repeat: false, completion: {}, queue: Queue(name: "timer"))
        timer.start()
        #expect(timer.remainingTime > 0 && timer.remainingTime <= 1e6)
        let ahead = timer.timeoutDate - Date().timeIntervalSince1970
        #expect(ahead > 9e5 && ahead < 1.1e6)
    }

    // Covers: C-138
    @Test func onTheMainQueue() async {
        let fired = Tally()
        let timer = SignalKitCore.Timer(timeout: 0.001, repeat: false, completion: { fired.up() }, queue: .mainQueue())
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
                let timer = SignalKitCore.Timer(
                    timeout: 0.0002, repeat: false,
                    completion: { [tracked = tracker.make()] in
                        tracked.touch()
                        fired.up()
                    }, queue: queue)
                let starts = Tally()
                race(3) { index in
                    for _ in 0..<5 {
                        if index == 0 {
                            timer.invalidate()
                        } else {
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
