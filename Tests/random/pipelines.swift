// The pipelines of pipelines.py, run by the Swift package. The package does not count its objects, so each source and
// each of its subscriptions retains an object that is counted.
import Foundation
import SignalKit

let second = 1e6 // of microseconds
typealias Numbers = Signal<Int, Seven>
struct Seven: Error {}
nonisolated(unsafe) var alive = 0

/// Lives as long as a source or a subscription to it.
final class Alive: @unchecked Sendable {
    init() { alive += 1 }
    deinit { alive -= 1 }
}

final class Log: @unchecked Sendable {
    let time = VirtualTime()
    var seen: [String] = []
    var starts: [Int: [String]] = [:], disposals: [Int: [String]] = [:]
    var running: Disposable?

    var now: String { String(Int((time.now * second).rounded())) }

    func cold(_ number: Int, _ events: Substring) -> Numbers {
        let source = Alive()
        return Numbers { subscriber in
            let run = Alive()
            self.starts[number, default: []].append(self.now)
            let timers = DisposableSet()
            for event in events.split(separator: ",") {
                let digits = event.prefix { $0.isNumber }, kind = event.dropFirst(digits.count).first!
                let value = Int(event.dropFirst(digits.count + 1)) ?? 0
                timers.add(
                    self.time.queue.after(Double(digits)! / second) {
                        switch kind {
                        case "=": subscriber.putNext(value)
                        case "|": subscriber.putCompletion()
                        default: subscriber.putError(Seven())
                        }
                    })
            }
            return ActionDisposable {
                withExtendedLifetime((source, run)) { self.disposals[number, default: []].append(self.now) }
                timers.dispose()
            }
        }
    }

    func plain(_ name: Substring, _ s: Numbers, _ n: Int) -> Numbers {
        let queue = time.queue, seconds = Double(n) / second
        switch name {
        case "map": return s |> map { $0 * 10 + n }
        case "filter": return s |> filter { $0 % n != 0 }
        case "take": return s |> take(n)
        case "skip": return s |> skip(n)
        case "take_last": return s |> takeLast(n)
        case "scan": return s |> scan(0) { $0 + $1 }
        case "distinct": return s |> distinctUntilChanged
        case "take_while": return s |> take(while: { $0 < n })
        case "skip_while": return s |> skip(while: { $0 < n })
        case "start_with": return s |> startWith(n)
        case "end_with": return s |> endWith(n)
        case "default": return s |> defaultIfEmpty(n)
        case "first": return s |> take(1)
        case "ignore": return s |> filter { _ in false }
        case "repeat": return s |> SignalKit.repeat(n)
        case "catch_value": return s |> `catch` { _ in .single(n) }
        case "delay_start": return s |> delay(seconds, queue: queue)
        case "delay": return s |> delayEach(seconds, queue: queue, limit: 1000, overflow: .dropNewest)
        case "debounce": return s |> debounce(seconds, queue: queue)
        case "throttle": return s |> throttle(seconds, queue: queue)
        case "take_for": return s |> take(for: seconds, queue: queue)
        case "sample": return s |> sample(seconds, queue: queue)
        default: fatalError("\(name)")
        }
    }

    func joined(_ name: Substring, _ a: Numbers, _ b: Numbers) -> Numbers? {
        switch name {
        case "merge": return mergeSignals([a, b])
        case "then": return a |> then(b)
        case "catch": return a |> `catch` { _ in b }
        case "combine": return combineLatest(a, b) |> map { $0 * 100 + $1 }
        case "zip": return zip(a, b, limit: nil) |> map { $0 * 100 + $1 }
        case "with_latest": return a |> withLatestFrom(b) { $0 * 100 + $1 }
        case "race": return race([a, b])
        case "take_until": return a |> take(untilSignal: b)
        case "skip_until": return a |> skip(untilSignal: b)
        case "switch_if_empty": return a |> switchIfEmpty(b)
        case "switch": return a |> mapToSignal { _ in b }
        case "queue": return a |> mapToQueue { _ in b }
        case "merged": return a |> mapToMerged(limit: Int.max, waiting: nil) { _ in b }
        case "exhaust": return a |> mapToFirst { _ in b }
        default: return nil
        }
    }

    func run(_ line: String) -> String {
        let words = line.split(separator: " ")
        var stack: [Numbers] = []
        for word in words.dropFirst() {
            let parts = word.split(separator: ":", omittingEmptySubsequences: false)
            if parts[0] == "cold" {
                stack.append(cold(Int(parts[1])!, parts[2]))
            } else if stack.count > 1, let both = joined(parts[0], stack[stack.count - 2], stack.last!) {
                stack.removeLast(2)
                stack.append(both)
            } else {
                stack.append(plain(parts[0], stack.removeLast(), parts.count > 1 ? Int(parts[1])! : 0))
            }
        }
        let signal = stack.removeLast()
        time.queue.justDispatch {
            self.running = signal.start(
                next: { self.seen.append("\(self.now)=\($0)") }, error: { _ in self.seen.append("\(self.now)!7") },
                completed: { self.seen.append("\(self.now)|") })
        }
        time.queue.after(Double(words[0])! / second) {
            self.running?.dispose()
            self.running = nil
        }
        time.advance(to: 60)
        for (number, times) in starts.sorted(by: { $0.key < $1.key }) {
            seen.append("\(number)+\(times.joined(separator: ","))")
            seen.append("\(number)-\(disposals[number, default: []].joined(separator: ","))")
        }
        return seen.joined(separator: " ")
    }
}

while let line = readLine() { print(Log().run(line)) }
print("alive \(alive)")
