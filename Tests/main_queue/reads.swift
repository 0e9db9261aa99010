// A program without a loop that waits for values on its main thread: the main queue runs during the wait. Work of the
// main queue must not wait, on any thread. (The tests of the Swift package are such work themselves.)
import Dispatch
import Foundation
import SignalKit

let later = Signal<Int, NoError>.timer(0.05, queue: Queue(name: "other"))
func ask(_ source: Signal<Int, NoError>, _ expected: String) {
    let found: String
    do { found = "\(try source.get(timeout: .infinity))" } catch { found = "\(error)" }
    if found != expected { fatalError("\(found) instead of \(expected)") }
}
ask(later, "0")
ask(later |> deliverOnMainQueue, "0")
Queue.mainQueue().async { ask(later, "0") } // inline: no work of the queue
let turns = Turns()
DispatchQueue.main.async {
    ask(later, "refused")
    Queue.mainQueue().justDispatch {
        ask(later, "refused")
        turns.areOver = true
    }
}
while !turns.areOver { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01)) }
DispatchQueue.main.async { // on another thread
    ask(later, "refused")
    print("6 questions")
    exit(0)
}
dispatchMain()

final class Turns: @unchecked Sendable {
    var areOver = false
}
