import SignalKitCore
import SignalKitTesting

/// The sources for the closure of a picture.
struct PictureSources {
    let calls = ValuePipe<String>()
    let colds: [MarbleSource<String, String>]
    private let test: TestScheduler

    init(_ test: TestScheduler, _ diagrams: [String]) {
        self.test = test
        colds = diagrams.map { test.cold($0) }
    }

    var queue: Queue { test.queue }

    /// The source of that diagram, cold.
    subscript(index: Int) -> Signal<String, String> { colds[index].signal }

    /// The same, of numbers.
    func numbers(_ index: Int) -> Signal<Int, String> { self[index] |> map { Int($0)! } }

    /// The same, which cannot fail.
    func safe(_ index: Int) -> Signal<String, NoError> { self[index] |> `catch` { _ in .never() } }

    /// Does something with each value of that diagram, from the beginning on.
    func feed(_ index: Int, _ put: @escaping @Sendable (String) -> Void) {
        let source = safe(index)
        queue.after(0) { _ = source.start(next: put) }
    }

    /// To be called by functions that an operator calls.
    var called: @Sendable (String) -> Void { { [calls] in calls.putNext($0) } }
}
