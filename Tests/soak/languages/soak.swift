// The soak of the Swift package (see run.py): threads, tasks and interrupts at once. An interrupt cancels the main
// task. The package does not count its objects, so each closure and each value retains an object that is counted.
import Foundation
import SignalKit

struct Boom: Error {}

/// Lives as long as a value or a closure of a round.
final class Alive: Sendable {
    static let count = Atomic(value: 0)
    init() { _ = Alive.count.modify { $0 + 1 } }
    deinit { _ = Alive.count.modify { $0 - 1 } }
}

@Sendable func expect(_ holds: Bool, _ what: @autoclosure () -> String, line: Int = #line) {
    if !holds { fatalError("line \(line): \(what())") }
}

/// Synchronous uses, on any thread.
@Sendable func threadRound(_ queue: Queue, _ pipe: ValuePipe<Alive>) {
    let alive = Alive()
    var seen = 0
    let odd = Signal<Int, NoError>.range(0, count: 9) |> map { $0 + 1 } |> filter { $0 % 2 == 1 }
    _ = (odd |> scan(0) { $0 + $1 } |> takeLast(1)).start { seen = $0 }
    expect(seen == 25, "\(seen)")
    // Values hop to the queue and back to this thread's pipe. The subscriptions are disposed while they do.
    let all = DisposableSet()
    let own = ValuePipe<Int>()
    all.add((pipe.signal() |> deliverOn(queue) |> map { _ in 1 }).start { own.putNext($0) })
    all.add((own.signal() |> take(3)).start { _ in withExtendedLifetime(alive) {} })
    pipe.putNext(Alive())
    // Groups, of which each has its own operators.
    var sums: [Int] = []
    let groups =
        Signal<Int, NoError>.range(0, count: 30)
        |> grouped(by: { $0 % 3 }, limit: nil) { _, values in values |> reduceLeft(value: 0) { $0 + $1 } }
    _ = groups.start { sums.append($0) }
    expect(sums.sorted() == [135, 145, 155], "\(sums)")
    // Two subscriptions share a third one, which nobody completes.
    let shared =
        Signal<Int, NoError>.interval(0.001, queue: queue) |> map { n in withExtendedLifetime(alive) { n } }
        |> share()
    let slot = MetaDisposable()
    slot.set(shared.start { _ in })
    slot.set(shared.start { _ in })
    slot.dispose()
    all.dispose()
}

/// Asynchronous uses. Throws if the task is cancelled.
@Sendable func taskRound(_ queue: Queue, _ pipe: ValuePipe<Alive>) async throws {
    let alive = Alive()
    let caught: Signal<Int, NoError> =
        Signal<Int, Boom>.range(0, count: 9)
        |> mapToSignal { $0 == 7 ? .fail(Boom()) : .single($0) } |> `catch` { _ in .single(-1) }
    var last = 0
    for await value in caught.values { last = value }
    try Task.checkCancellation()
    expect(last == -1, "\(last)")
    _ = try await (Signal<Int, NoError>.timer(0.0001, queue: queue) |> map { _ in Alive() }).getOptional()
    // Each child waits for a value. The last one is cancelled.
    try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
            group.addTask {
                let values =
                    Signal<Int, NoError>.interval(0.0001, queue: queue)
                    |> map { n in withExtendedLifetime(alive) { n } }
                for await value in values.values(buffering: .newest(1)) where value >= number { break }
            }
        }
        group.addTask { for await _ in pipe.signal().values {} }
        for _ in 0..<4 { try await group.next() }
        group.cancelAll()
    }
    try Task.checkCancellation()
}

var interrupt = sigset_t()
sigemptyset(&interrupt)
sigaddset(&interrupt, SIGINT)
pthread_sigmask(SIG_BLOCK, &interrupt, nil)
setvbuf(stdout, nil, _IOLBF, 0)

let queues = [Queue(name: "soak"), Queue.concurrentDefaultQueue()]
let rounds = Atomic(value: 0), over = Atomic(value: false)
let ended = DispatchGroup()
let interrupts = ValuePipe<Int32>()
let received = Signal<Int32, SystemError>.unixSignal(SIGINT, queue: queues[0])
    .start(next: { interrupts.putNext($0) }, error: { fatalError("\($0)") })
var pipe: ValuePipe<Alive>? = ValuePipe()
for queue in queues {
    let pipe = pipe!
    ended.enter()
    Thread.detachNewThread {
        while !over.with({ $0 }) {
            threadRound(queue, pipe)
            _ = rounds.modify { $0 + 1 }
        }
        ended.leave()
    }
}

repeat {
    let main = Task { [pipe] in
        while true {
            try await taskRound(queues[1], pipe!)
            _ = rounds.modify { $0 + 1 }
        }
    }
    let subscription = interrupts.signal().start { _ in main.cancel() }
    print("ready")
    do { try await main.value } catch { expect(error is CancellationError, "\(error)") }
    subscription.dispose()
    print("interrupted")
} while readLine() != "end"

_ = over.swap(true)
await withCheckedContinuation { done in ended.notify(queue: .global()) { done.resume() } }
received.dispose()
pipe!.complete()
pipe = nil
let deadline = Date(timeIntervalSinceNow: 60)
while Alive.count.with({ $0 }) != 0 && Date() < deadline { try await Task.sleep(nanoseconds: 1_000_000) }
print("rounds \(rounds.with { $0 })")
print("alive \(Alive.count.with { $0 })")
