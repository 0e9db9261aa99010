import Testing
@testable import SignalKitCore

@Suite struct BatchTests {
    /// More than a block has.
    private let many = 100

    @Test func valuesComeOutInTheirOrder() {
        var batch = Batch<Int>()
        for number in 0..<many { batch.append(number) }
        for number in 0..<many / 2 {
            #expect(batch.head == number)
            #expect(batch.takeFirst() == number)
            batch.append(many + number)
        }
        #expect(batch.count == many)
        #expect(batch.takeAll() == Array(many / 2..<many + many / 2))
        #expect(batch.count == 0)
    }

    @Test func twoExchangeWhatTheyHave() {
        var first = Batch<Int>(), second = Batch<Int>()
        for number in 0..<many { first.append(number) }
        second.append(-1)
        first.exchange(&second)
        #expect(first.takeAll() == [-1])
        #expect(second.takeAll() == Array(0..<many))
    }

    /// Also where none, or only some, have been taken out, of one block or several.
    @Test(arguments: [0, 1, 5, 100], [0, 1, 60])
    func whatIsLeftIsLetGo(count: Int, taken: Int) {
        let lifetime = LifetimeTracker()
        func fill(_ batch: inout Batch<LifetimeTracker.Tracked>) {
            for _ in 0..<count { batch.append(lifetime.make()) }
            for _ in 0..<min(taken, count) { _ = batch.takeFirst() }
            #expect(lifetime.live == max(count - taken, 0))
        }
        var dropped = Batch<LifetimeTracker.Tracked>()
        fill(&dropped)
        dropped = Batch()
        #expect(lifetime.live == 0)
        var closed = Batch<LifetimeTracker.Tracked>()
        fill(&closed)
        closed.close()
        #expect(lifetime.live == 0)
    }
}
