import Dispatch
import Foundation
import Testing
@testable import SignalKitCore

/// The chain of observers (SPEC §27, C.22).
@Suite struct ObservableTests {
    private struct Failure: Error {}
    private let log = Log()
    private let tracker = LifetimeTracker()

    // Covers: OB-8, OB-9, OB-14, OB-15, OB-16
    @Test func valuesWaitForTheFirstHandlerOfValues() {
        let source = Observable<Int>(0)
        source.next(1)
        source.on(next: { [log] in log.add("a\($0)") }).on(next: { [log] in log.add("b\($0)") })
        #expect(log.text == "a0 a1")
        source.next(2)
        #expect(log.text == "a0 a1 a2 b2")
    }

    // Covers: OB-10, OB-11, OB-17, OB-18
    @Test(arguments: [false, true]) func theEndComesOnceAndIsFinal(byError: Bool) {
        let source = Observable<Int>()
        source.on(next: { [log] in log.add("N\($0)") }).on(error: { [log] _ in log.add("E") }).on(finish: { [log] in
            log.add("F")
        })
        source.next(1)
        if byError { source.error(Failure()) } else { source.finish() }
        source.error(Failure())
        source.finish()
        source.next(2)
        #expect(log.text == (byError ? "N1 E" : "N1 F"))
    }

    /// In the original any handler ends the buffering, and the values are lost.
    // Covers: B-71
    @Test func aHandlerOfEndsDoesNotEndTheBuffering() {
        let source = Observable<Int>()
        source.on(error: { _ in }).on(finish: { [log] in log.add("F") })
        source.next(1)
        source.next(2)
        source.on(next: { [log] in log.add("N\($0)") })
        source.finish()
        #expect(log.text == "N1 N2 F")
    }

    // Covers: B-72, OB-10, OB-11
    @Test func whoComesAfterTheEndIsToldOfIt() {
        let source = Observable<Int>()
        source.next(1)
        source.finish()
        source.on(finish: { [log] in log.add("F1") })
        source.on(next: { [log] in log.add("N\($0)") }).on(finish: { [log] in log.add("F2") }).on(error: { [log] _ in
            log.add("E")
        })
        #expect(log.text == "F1 N1 F2")
        let failed = Observable<Int>()
        failed.next(1)
        failed.error(Failure())
        let link = failed.map { $0 * 10 }
        link.on(next: { [log] in log.add("N\($0)") }).on(error: { [log] _ in log.add("E") })
        #expect(log.text == "F1 N1 F2 N10 E")
    }

    // Covers: B-73
    @Test func whatIsEmittedOrRegisteredDuringTheReplayComesAfterIt() {
        let source = Observable<Int>()
        for value in 1...3 { source.next(value) }
        source.on(next: { [log, source] value in
            log.add("a\(value)")
            if value == 1 {
                source.next(4)
                source.on(next: { log.add("b\($0)") })
                source.next(5)
            }
        })
        #expect(log.text == "a1 a2 a3 a4 a5 b5")
        source.finish()
    }

    // Covers: B-74
    @Test func aReentrantValueReachesEveryHandlerAfterTheOneBefore() {
        let source = Observable<Int>()
        source.on(next: { [log, source] value in
            log.add("a\(value)")
            if value == 1 { source.next(2) }
        }).on(next: { [log] in log.add("b\($0)") })
        source.next(1)
        #expect(log.text == "a1 b1 a2 b2")
        source.finish()
    }

    // Covers: B-74
    @Test func manyThreadsEmitAndEveryHandlerSeesOneOrder() {
        let source = Observable<Int>()
        nonisolated(unsafe) var a: [Int] = [], b: [Int] = []
        let link = source.map { $0 + 1 }
        link.on(next: { a.append($0) })
        link.on(next: { b.append($0) })
        race(4) { thread in
            for index in 0..<500 { source.next(thread * 500 + index) }
            if thread == 0 { link.on(next: { _ in }) }
        }
        #expect(a.count == 2_000)
        #expect(a == b)
        for thread in 0..<4 {
            let mine = a.filter { ($0 - 1) / 500 == thread }
            #expect(mine == mine.sorted())
        }
    }

    // MARK: Queues

    // Covers: OB-9, OB-10, OB-11
    @Test func handlersOnAQueueRunThereInOrderAndNeverInline() {
        let queue = Queue(name: "q"), source = Observable<Int>(), done = DispatchSemaphore(value: 0)
        source.on(queue: queue, next: { [log, queue] in log.add(queue.isCurrent() ? "N\($0)" : "?") })
        source.on(
            queue: queue,
            finish: { [log, queue] in
                log.add(queue.isCurrent() ? "F" : "?")
                done.signal()
            })
        queue.sync {
            for value in 0..<5 { source.next(value) }
            source.finish()
            log.add("later")
        }
        done.wait()
        #expect(log.text == "later N0 N1 N2 N3 N4 F")
    }

    @Test func aSerialQueueKeepsTheOrderOfAllHandlers() {
        for _ in 0..<200 {
            let log = Log(), queue = Queue(name: "q"), source = Observable<Int>()
            // The handler of the end is registered first, and must not overtake the pending values.
            source.on(queue: queue, finish: { log.add("F") })
            source.on(queue: queue, next: { log.add("\($0)") })
            for value in 0..<5 { source.next(value) }
            source.finish()
            queue.sync {}
            #expect(log.text == "0 1 2 3 4 F")
        }
    }

    // Covers: OB-9, OB-10, OB-11, B-72
    @Test func dispatchQueuesWorkAsWell() {
        let queue = DispatchQueue(label: "q"), done = DispatchSemaphore(value: 0)
        let source = Observable<Int>()
        source.on(queue: queue, next: { [log] in log.add("N\($0)") })
        source.on(queue: queue, error: { [log] _ in log.add("E") })
        source.next(1)
        source.error(Failure())
        source.on(
            queue: queue,
            error: { [log] _ in
                log.add("late")
                done.signal()
            })
        source.on(queue: queue, finish: { [log] in log.add("F") })
        done.wait()
        queue.sync {}
        #expect(log.text == "N1 E late")
    }

    // Covers: B-74
    @Test func aConcurrentQueueKeepsTheOrderOfOneHandler() {
        let source = Observable<Int>(), done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var got: [Int] = []
        source.on(
            queue: Queue.concurrentDefaultQueue(),
            next: { value in
                got.append(value)
                if value == 999 { done.signal() }
            })
        for value in 0..<1_000 { source.next(value) }
        done.wait()
        #expect(got == Array(0..<1_000))
    }

    // MARK: Derived links

    // Covers: OB-8, OB-19
    @Test func operatorsDeriveLinks() {
        let source = Observable<Int>()
        let shown = source.observer()
        let evens = shown.filter { $0 % 2 == 0 }
        let texts = evens.map { "\($0)" }
        let long = texts.compactMap { $0.count > 1 ? $0 + "!" : nil }
        texts.on(next: { [log] in log.add($0) })
        long.on(next: { [log] in log.add($0) }).on(finish: { [log] in log.add("F") })
        for value in [1, 2, 10, 11] { source.next(value) }
        source.finish()
        // In the order of registration: `long` was derived before the handler.
        #expect(log.text == "2 10! 10 F")
        #expect(!(shown is Observable<Int>))
    }

    // Covers: OB-8, B-76
    @Test func aChainIsFreedWhenItsLastLinkGoes() {
        let source = Observable<Int>()
        weak var first: Observer<Int>?
        do {
            let object = tracker.make()
            let last: Observer<Int>
            do {
                let link = source.map { $0 + 1 }
                first = link
                last = link.filter { _ in
                    object.touch()
                    return true
                }
            }
            #expect(first != nil)
            last.on(next: { [log] in log.add("\($0)") })
            source.next(1)
        }
        #expect(first == nil)
        #expect(tracker.live == 0)
        source.next(2)
        #expect(log.text == "2")
    }

    // Covers: B-76
    @Test func handlersAreReleasedAtTheEnd() {
        let source = Observable<Int>()
        let link = source.observer()
        do {
            let object = tracker.make()
            link.on(next: { _ in object.touch() }).on(error: { _ in object.touch() }).on(finish: { object.touch() })
            source.on(next: { _ in object.touch() })
        }
        #expect(tracker.live == 1)
        source.finish()
        #expect(tracker.live == 0)
        do {
            let object = tracker.make()
            link.on(next: { _ in object.touch() }).on(error: { _ in object.touch() })
        }
        #expect(tracker.live == 0)
    }

    // MARK: Unlinking

    // Covers: OB-1, OB-2, OB-12
    @Test func unlinkingWithoutSiblingsFreesTheChainAbove() {
        let source = Observable<Int>()
        weak var middle: Observer<Int>?
        let last: Observer<Int>
        do {
            let link = source.map { $0 + 1 }
            middle = link
            last = link.map { $0 * 10 }
        }
        do {
            let object = tracker.make()
            last.on(next: { [log] in
                object.touch()
                log.add("\($0)")
            })
        }
        source.next(1)
        let unlinkable: Unlinkable = last
        unlinkable.unlink()
        #expect(middle == nil)
        #expect(tracker.live == 0)
        source.next(2)
        last.unlink()
        #expect(log.text == "20")
    }

    /// In the original the count of records never decreases: neither of two siblings ever releases the parent, and the
    /// handler of the released one is still called.
    /// Covers: OB-12, B-75
    @Test func unlinkingOneSiblingLeavesTheOtherAndBothFreeTheParent() {
        let source = Observable<Int>()
        var calls = 0
        weak var parent: Observer<Int>?
        let a: Observer<Int>, b: Observer<Int>
        do {
            let link = source.map { $0 }
            parent = link
            link.on(finish: {})
            a = link.filter { _ in
                calls += 1
                return true
            }
            b = link.map { $0 }
        }
        a.on(next: { [log] in log.add("a\($0)") })
        b.on(next: { [log] in log.add("b\($0)") })
        source.next(1)
        a.unlink()
        source.next(2)
        #expect(calls == 1)
        #expect(parent != nil)
        b.unlink()
        #expect(parent == nil)
        source.next(3)
        #expect(log.text == "a1 b1 b2")
    }

    /// A link that is retained elsewhere stays in place when its downstream links are released.
    /// Covers: B-75
    @Test func aParentThatIsHeldElsewhereStaysLinked() {
        let source = Observable<Int>()
        let held = source.map { $0 + 1 }
        held.map { $0 }.unlink()
        let other = held.map { $0 }
        other.on(next: { [log] in log.add("\($0)") })
        source.next(1)
        #expect(log.text == "2")
        source.unlink()
        source.next(2)
        #expect(log.text == "2 3")
        other.unlink()
    }

    // Covers: OB-12
    @Test func unlinkingFromInsideAHandlerStopsWhatWaits() {
        let source = Observable<Int>()
        nonisolated(unsafe) var link: Observer<Int>?
        link = source.observer()
        link!.on(next: { [log] value in
            log.add("\(value)")
            source.next(2)
            link?.unlink()
        })
        source.next(1)
        source.next(3)
        #expect(log.text == "1")
        link = nil
    }

    // Covers: OB-12, B-74
    @Test func unlinkingWhileOthersEmit() {
        for _ in 0..<100 {
            let tracker = LifetimeTracker()
            do {
                let source = Observable<Int>()
                let bag = LinkBag()
                for _ in 0..<3 {
                    let object = tracker.make()
                    source.map { $0 }.on(next: { _ in object.touch() }).add(to: bag)
                }
                race(4) { thread in
                    switch thread {
                    case 0: bag.clear()
                    case 1: source.observer().on(next: { _ in }).add(to: bag)
                    default: for value in 0..<50 { source.next(value) }
                    }
                }
                bag.clear()
            }
            #expect(tracker.live == 0)
        }
    }

    // MARK: LinkBag

    private final class Unlinked: Unlinkable {
        let log: Log
        init(_ log: Log) { self.log = log }
        func unlink() { log.add("unlinked") }
    }

    // Covers: OB-3, OB-4, OB-5, OB-6, OB-13
    @Test func clearingABagUnlinksAndForgets() {
        let source = Observable<Int>(), bag = LinkBag()
        source.observer().on(next: { [log] in log.add("\($0)") }).add(to: bag)
        bag.add(Unlinked(log))
        source.next(1)
        bag.clear()
        source.next(2)
        bag.clear()
        #expect(log.text == "1 unlinked")
        #expect(bag.members.items.count == 0)
    }

    // Covers: OB-7
    @Test func aBagThatGoesUnlinks() {
        let source = Observable<Int>()
        do {
            let bag = LinkBag(), object = tracker.make()
            source.observer().on(next: { [log] in
                object.touch()
                log.add("\($0)")
            }).add(to: bag)
            bag.add(Unlinked(log))
            source.next(1)
        }
        source.next(2)
        #expect(log.text == "1 unlinked")
        #expect(tracker.live == 0)
    }

    // Covers: B-76, OB-5, OB-13
    @Test func aBagForgetsWhatIsUnlinkedAndTakesALinkOnce() {
        let source = Observable<Int>(), bag = LinkBag(), other = LinkBag()
        let link = source.observer()
        bag.add(link)
        link.add(to: bag)
        other.add(link)
        #expect(bag.members.items.count == 1)
        let twice = Unlinked(log)
        bag.add(twice)
        bag.add(twice)
        link.unlink()
        #expect(bag.members.items.count == 1)
        #expect(other.members.items.count == 0)
        bag.add(link)
        #expect(bag.members.items.count == 1)
        bag.clear()
        #expect(log.text == "unlinked")
    }

    // MARK: Signals

    @Test func aLinkAsASignal() {
        let source = Observable<Int>(), log = log
        do {
            let signal = source.map { $0 * 10 }.signal()
            source.next(1)
            let object = tracker.make()
            let handle = (signal |> take(2)).start(
                next: { value in
                    object.touch()
                    log.add("N\(value)")
                }, completed: { log.add("C") })
            source.next(2)
            source.next(3)
            let other = signal.start(next: { log.add("n\($0)") }, error: { _ in log.add("E") })
            source.next(4)
            source.error(Failure())
            handle.dispose()
            other.dispose()
        }
        #expect(log.text == "N10 N20 C n40 E")
        #expect(tracker.live == 0)
    }

    /// Neither a value that nobody has seen, nor a run, keeps an emitter.
    @Test func anEmitterIsNotKeptByItsSignals() {
        final class Holder { var signal: Signal<Holder, any Error>? }
        weak var held: Holder?
        weak var emitter: Observable<Holder>?
        let run: Disposable
        do {
            let source = Observable<Holder>(), holder = Holder(), object = tracker.make()
            (held, emitter) = (holder, source)
            holder.signal = source.signal()
            source.next(holder)
            let other = Observable<Int>()
            run = other.signal().start(next: { _ in object.touch() })
        }
        #expect(held == nil && emitter == nil)
        #expect(tracker.live == 0) // the subscription was released: no thread can emit
        run.dispose()
    }

    @Test func aSignalAsALink() {
        let pipe = ValuePipe<Int>(), log = log
        weak var weakLink: Observer<Int>?
        do {
            let object = tracker.make()
            let link =
                (pipe.signal()
                |> map { (value: Int) -> Int in
                    object.touch()
                    return value + 1
                }).observer()
            weakLink = link
            pipe.putNext(1)
            link.on(next: { log.add("\($0)") })
            pipe.putNext(2)
        }
        #expect(weakLink == nil)
        #expect(tracker.live == 0)
        pipe.putNext(3)
        #expect(log.text == "2 3")

        let failing = Signal<Int, Failure>.fail(Failure()).observer()
        failing.on(error: { log.add($0 is Failure ? "E" : "?") })
        let typed = Signal<Int, String>.fail("x").link()
        typed.on(error: { log.add($0) })
        Signal<Int, NoError>.complete().observer().on(finish: { log.add("F") })
        #expect(log.text == "2 3 E x F")
    }
}
