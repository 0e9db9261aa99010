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
}
