@testable import SignalKitCore
import Testing

/// The number of steps to decide whether shared signals that subscribe to each other are needed. Steps are counted
/// because times vary.
extension Demand.Need {
    fileprivate var isNone: Bool {
        if case .none = self { return true }
        return false
    }
}

extension Demand {
    fileprivate func join(_ listener: AnyObject, feeding run: Demand) -> Need {
        var isForward = false
        return join(listener, feeding: run, &isForward)
    }

    /// Returns whether the demand takes the listener for a step forward, not back to a source.
    fileprivate func joinsForward(_ listener: AnyObject, feeding run: Demand) -> Bool {
        var isForward = false
        _ = (join(), join(listener, feeding: run, &isForward))
        return isForward
    }
}

@Suite struct DemandTests {
    private final class Who {}

    /// A shared signal whose source is another, whose source is another …, as when each start leads to the next.
    private func chain(_ count: Int) -> (runs: [Demand], listeners: [Who]) {
        let runs = (0..<count).map { _ in Demand() }, listeners = (0..<count).map { _ in Who() }
        for index in 0..<count {
            #expect(runs[index].join())
            if index > 0 { #expect(!runs[index].join(listeners[index], feeding: runs[index - 1]).isNone) }
        }
        return (runs, listeners)
    }

    @Test(arguments: [10, 1000])
    func aChainOfRunsTakesAFewLooksARun(count: Int) {
        let (runs, listeners) = chain(count)
        for index in 0..<count { #expect(runs[index].leave(listeners[index]).isNone) }
        #expect(runs.reduce(0) { $0 + $1.looks } <= 2 * count)
        #expect(runs.allSatisfy { !$0.join() })
    }

    /// Another listener that comes and goes at the source of all of them.
    @Test func theSourceOfAChainTakesNoMoreLooks() {
        let (runs, listeners) = chain(1000)
        for _ in 0..<1000 {
            #expect(runs[999].join())
            #expect(!runs[999].leave(Who()).isNone)
        }
        #expect(runs.reduce(0) { $0 + $1.looks } <= 2 * 1000)
        for index in 0..<1000 { #expect(runs[index].leave(listeners[index]).isNone) }
    }

    /// Nothing that is fed from where it feeds is taken to be wanted.
    @Test(arguments: [1, 2, 100])
    func aCircleIsFoundWhereverItIsClosed(count: Int) {
        let (runs, listeners) = chain(count)
        let closing = Who(), beside = Who(), side = Demand()
        #expect(runs[0].join())
        #expect(!runs[0].join(closing, feeding: runs[count - 1]).isNone)
        #expect(side.join())
        #expect(!side.join(beside, feeding: runs[count - 1]).isNone)
        #expect(runs[0].leave(listeners[0]).isNone)
        #expect(runs.allSatisfy { !$0.join() })
        #expect(side.leave(beside).isNone)
    }

    private final class Feeding: Sink<Int, NoError> {
        private let run: Demand
        init(_ run: Demand) { self.run = run }
        override func attached(_ upstream: Subscription) { upstream.feeds(run) }
        override func next(_ value: Int) {}
        override func end(_ end: End<NoError>) {}
    }

    /// An ended signal is not left by its subscribers: it forgets that it was its own source.
    @Test func aRunThatListensToItselfEndsWhole() {
        weak var left: Demand?
        do {
            let demand = Demand(), run = Listeners<Int, NoError>(demand: demand)
            left = demand
            run.add(CallbackSink(nil, nil, nil))
            run.add(Feeding(demand))
            run.finish(.completed)
        }
        #expect(left == nil)
    }

    /// An ended source no longer counts as a source.
    @Test func whoHasLeftIsNoSource() {
        let (runs, _) = chain(100)
        let source = Demand(), listener = Who()
        #expect(source.join())
        #expect(!source.join(listener, feeding: runs[99]).isNone)
        #expect(source.leave(listener).isNone)
        let before = runs.reduce(0) { $0 + $1.looks }
        #expect(runs[99].join())
        #expect(!runs[99].leave(Who()).isNone)
        #expect(runs.reduce(0) { $0 + $1.looks } == before)
        let ended = Demand(), other = Who()
        #expect(ended.join())
        #expect(!ended.join(other, feeding: runs[99]).isNone)
        ended.end()
        #expect(runs[99].join())
        #expect(!runs[99].leave(Who()).isNone)
        #expect(runs.reduce(0) { $0 + $1.looks } == before)
    }

    /// The listener that closes a loop is the only one that passes no pause.
    @Test(arguments: [1, 2, 100])
    func aListenerThatClosesALoopIsFound(count: Int) {
        let (runs, listeners) = chain(count)
        let side = Demand(), above = Demand(), way = Who(), back = Who(), again = Who()
        // runs[count - 1] → … → runs[0]
        #expect(runs[count - 1].joinsForward(way, feeding: side))
        #expect(above.joinsForward(way, feeding: runs[count - 1]))
        #expect(!runs[0].joinsForward(back, feeding: runs[count - 1]))
        #expect(!runs[0].joinsForward(again, feeding: above))
        // Once it has left, there is no loop any longer.
        if count == 2 {
            #expect(runs[1].join())
            #expect(!runs[1].leave(listeners[1]).isNone)
            #expect(runs[0].joinsForward(Who(), feeding: runs[1]))
        }
        // Of a source that is over, the demand does not know what it feeds.
        above.end()
        #expect(!side.joinsForward(Who(), feeding: above))
        #expect(!above.joinsForward(Who(), feeding: side))
    }
}
