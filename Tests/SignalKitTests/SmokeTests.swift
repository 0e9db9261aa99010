import Testing
@testable import SignalKit
@Suite struct SmokeTests {
    @Test func chain() {
        var got: [Int] = []; var done = 0
        let s = Signal<Int, NoError> { s in for i in 0..<10 { s.putNext(i) }; s.putCompletion(); return EmptyDisposable }
        _ = (s |> map { $0 * 2 } |> filter { $0 > 4 } |> take(2)).start(next: { got.append($0) }, completed: { done += 1 })
        #expect(got == [6, 8] && done == 1)
    }
    @Test func queueRounds() {
        let s = Signal<Int, NoError> { s in for i in 0..<1_000_000 { s.putNext(i) }; s.putCompletion(); return EmptyDisposable }
        var sum = 0; var done = 0
        _ = (s |> mapToQueue { .single($0) }).start(next: { sum &+= $0 }, completed: { done += 1 })
        #expect(sum == 499999500000 && done == 1)
    }
}
