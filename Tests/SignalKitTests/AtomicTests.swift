@testable import SignalKitCore
import Testing

@Suite struct AtomicTests {
    struct Oops: Error {}

    // Covers: SW-117, SW-118, SW-119, SW-121, SW-122, OC-63, OC-65, OC-66, OC-67, OC-68, MT-45, MT-46, MT-47, MT-48, MT-49, C-116
    @Test func withModifySwapValue() {
        let number = Atomic(value: 1)
        #expect(number.with { $0 + 10 } == 11)
        #expect(number.value == 1)
        #expect(number.modify { $0 + 1 } == 2)
        #expect(number.swap(5) == 2)
        #expect(number.with { $0 } == 5)
        let list = Atomic(value: Bag<Int>())
        list.with { _ = $0.add(7) }
        #expect(list.value.copyItems() == [7])
    }

    // Covers: SW-120, SW-123, C-116
    @Test func tryWith() throws {
        let number = Atomic(value: 1)
        #expect(try number.tryWith { $0 + 1 } == 2)
        // Nested on the same thread.
        number.with { _ -> Void in
            #expect(throws: AtomicLockError.isLocked) { try number.tryWith { $0 } }
        }
        // On another thread.
        let inside = Tally()
        let tried = Tally()
        startThread {
            number.with { _ -> Void in
                inside.up()
                _ = eventually { tried.value == 1 }
            }
        }
        #expect(eventually { inside.value == 1 })
        #expect(throws: AtomicLockError.isLocked) { try number.tryWith { $0 } }
        tried.up()
        #expect(eventually { (try? number.tryWith { $0 }) == 1 })
        #expect(throws: Oops.self) { try number.tryWith { _ in throw Oops() } }
        #expect(try number.tryWith { $0 } == 1)
    }

    // Covers: B-47
    @Test func closuresMayThrow() {
        let number = Atomic(value: 1)
        #expect(throws: Oops.self) { try number.with { _ in throw Oops() } }
        #expect(throws: Oops.self) { try number.modify { _ in throw Oops() } }
        // The lock is free again and the value as before.
        #expect(number.modify { $0 + 1 } == 2)
    }

    // Covers: B-47
    @Test func comingBackEndsTheProgramInsteadOfHanging() async {
        await #expect(processExitsWith: .failure) {
            let number = Atomic(value: 1)
            number.with { _ in _ = number.modify { $0 + 1 } }
        }
        await #expect(processExitsWith: .failure) {
            let lock = Lock()
            lock.locked { lock.locked {} }
        }
    }

    // Covers: OC-64, B-47
    @Test func recursive() async {
        let number = Atomic(value: 1, recursive: true)
        #expect(number.with { outer in number.modify { $0 + outer } } == 2)
        #expect(number.modify { outer in outer + number.value } == 4)
        #expect(number.with { _ in number.with { _ in number.swap(9) } } == 4)
        #expect((try? number.with { _ in try number.tryWith { $0 } }) == 9)
        // A change from inside modify would be overwritten: it is refused.
        await #expect(processExitsWith: .failure) {
            let number = Atomic(value: 1, recursive: true)
            number.modify { _ in number.swap(2) }
        }
    }

    // Covers: SW-121, C-116, C-182
    @Test func concurrentModificationsAreAllCounted() {
        let number = Atomic(value: 0)
        let recursive = Atomic(value: 0, recursive: true)
        race(4) { _ in
            for _ in 0..<1000 {
                number.modify { $0 + 1 }
                _ = recursive.with { _ in recursive.modify { $0 + 1 } }
            }
        }
        #expect(number.value == 4000)
        #expect(recursive.value == 4000)
    }

    // Covers: B-3, C-116, C-184
    @Test func replacedValueGoesOutsideTheLockBeforeTheReturn() {
        let tracker = LifetimeTracker()
        let comesBack = Tally()
        let done = finishes {
            let held = Atomic<LifetimeTracker.Tracked?>(value: nil)
            let reenter: @Sendable () -> Void = { held.with { _ in _ = comesBack.up() } }
            held.swap(tracker.make(onDeinit: reenter))
            held.modify { _ in tracker.make(onDeinit: reenter) }
            #expect(comesBack.value == 1 && tracker.live == 1)
            held.swap(nil)
            #expect(comesBack.value == 2 && tracker.live == 0)
        }
        #expect(done)
        #expect(tracker.live == 0)
    }
}

@Suite struct LockTests {
    struct Oops: Error {}

    // Covers: SW-124, SW-125, SW-126, SW-127, C-117
    @Test func runsAndRethrows() {
        let lock = Lock()
        var runs = 0
        lock.locked { runs += 1 }
        #expect(throws: Oops.self) { try lock.throwingLocked { throw Oops() } }
        lock.locked { runs += 1 }
        #expect(throws: Never.self) { lock.throwingLocked { runs += 1 } }
        #expect(runs == 3)
    }

    // Covers: SW-126, C-117, B-9
    @Test func excludesOthers() {
        final class Box: @unchecked Sendable { var number = 0 }
        let lock = Lock()
        let box = Box()
        race(4) { _ in
            for _ in 0..<1000 { lock.locked { box.number += 1 } }
        }
        #expect(box.number == 4000)
    }

    /// No thread polls: each is woken, also by a thread that has slept.
    /// Covers: C-117
    @Test func whoSleepsIsWoken() {
        final class Room: Sendable {
            let lock = FutexLock()
            var isContended: Bool { lock.isContended }
        }
        let room = Room()
        let inside = Tally()
        for round in 1...20 {
            room.lock.lock()
            for _ in 0..<4 {
                startThread {
                    room.lock.lock()
                    inside.up()
                    room.lock.unlock()
                }
            }
            let waits = eventually { room.isContended }
            #expect(waits && inside.value == 4 * (round - 1))
            room.lock.unlock()
            #expect(eventually { inside.value == 4 * round })
        }
        #expect(!room.isContended)
    }

    /// A thread that has slept does not know whether others sleep. So a thread that acquires the lock in this way wakes
    /// the next one.
    /// Covers: C-117
    @Test func whoHasSleptWakesTheNext() {
        final class Room: Sendable {
            let lock = FutexLock()
            let wasContended = Tally()
            let left = Tally()
            var isContended: Bool { lock.isContended }
        }
        let room = Room()
        room.lock.lock()
        startThread {
            room.lock.lock()
            if room.isContended { room.wasContended.up() }
            room.lock.unlock()
            room.left.up()
        }
        #expect(eventually { room.isContended })
        room.lock.unlock()
        #expect(eventually { room.left.value == 1 })
        #expect(room.wasContended.value == 1)
        #expect(!room.isContended)
    }
}
