// Requests with retry, timeout and cancellation over a pool: at most two at a time, each with three attempts.
import Foundation
import SignalKit

struct Failure: Error, CustomStringConvertible { let description: String }

let failures = Atomic(value: 0)

/// Replaces a network. The first attempt of /flaky fails, and /slow never answers.
func fetch(_ url: String) -> Signal<String, any Error> {
    Signal { subscriber in
        while url == "/slow" && subscriber.isActive { Thread.sleep(forTimeInterval: 0.001) } // until it is cancelled
        if url == "/flaky" && failures.swap(1) == 0 {
            subscriber.putError(Failure(description: "connection reset"))
        }
        subscriber.putNext("\(url): 200 OK")
        subscriber.putCompletion()
        return EmptyDisposable
    }
}

func request(_ url: String, on pool: ThreadPool) -> Signal<String, Never> {
    fetch(url)
        .runOn(pool)
        .timeout(.milliseconds(500), queue: .concurrent)
        .retry(3, backoff: .exponential(initial: 0.05, max: 1), queue: .concurrent)
        .catch { error in .single("\(url): \(error)") }
}

let pool = ThreadPool(threadCount: 2)
let answers = Signal.sequence(["/a", "/slow", "/flaky", "/b"])
    .mapToMerged(limit: 2) { request($0, on: pool) }
    .take(for: .seconds(30), queue: .concurrent) // the user gives up: this cancels the requests
for await answer in answers.values { print(answer) }
