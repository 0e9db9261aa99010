import SignalKitCore
import Testing

/// Sources of time, and operators that gather or go by time.
@Suite struct TimedPictures {
    @Test func pictures() {
        picture("Signal.interval(_:queue:)", "interval(2, queue: queue) |> take(3)", [], "--0-1-(2|)") {
            let queue = $0.queue
            return Signal<Int, String>.interval(2, queue: queue) |> take(3)
        }
        picture("Signal.timer(_:queue:)", "timer(3, queue: queue)", [], "---(0|)") {
            let queue = $0.queue
            return Signal<Int, String>.timer(3, queue: queue)
        }
        picture("Signal.range(_:count:)", "range(1, count: 3)", [], "(123|)") { _ in
            Signal<Int, String>.range(1, count: 3)
        }
        picture("chunked(_:)", "chunked(2)", ["-a-b--c--d-e-|"], "---x-----y---(e|)", ["x": "ab", "y": "cd"]) {
            $0[0] |> chunked(2) |> map { $0.joined() }
        }
        picture("chunked(_:_:queue:)", "chunked(3, 3, queue: queue)", ["-a-bc---d---|"], "----x------d|", ["x": "abc"])
        {
            let queue = $0.queue
            return $0[0] |> chunked(3, 3, queue: queue) |> map { $0.joined() }
        }
        picture(
            "chunked(by:limit:)", "chunked(by: b, limit: 9)", ["-a-b--c--d-|", "----x---x-"], "----x---c--(d|)",
            ["x": "ab"]
        ) {
            let b = $0[1]
            return $0[0] |> chunked(by: b, limit: 9) |> map { $0.joined() }
        }
        picture(
            "windowed(_:every:)", "windowed(3, every: 2)", ["-a-b-c-d-e--f-|"], "-----x---y----|",
            ["x": "abc", "y": "cde"]
        ) {
            $0[0] |> windowed(3, every: 2) |> map { $0.joined() }
        }
        picture(
            "rateLimit(_:per:queue:waiting:overflow:counter:)",
            "rateLimit(2, per: 4, queue: queue, waiting: 0, overflow: .dropNewest)", ["-abcd----e|"], "-abc-----e|"
        ) {
            let queue = $0.queue
            return $0[0] |> rateLimit(2, per: 4, queue: queue, waiting: 0, overflow: .dropNewest)
        }
        picture(
            "rateLimit(_:per:queue:waiting:)", "rateLimit(2, per: 4, queue: queue, waiting: nil)", ["-abcd----e|"],
            "-abc-d---e|"
        ) {
            let queue = $0.queue
            return $0[0] |> rateLimit(2, per: 4, queue: queue, waiting: nil)
        }
        picture(
            "delayEach(_:queue:limit:overflow:counter:)", "delayEach(2, queue: queue, limit: 9, overflow: .dropOldest)",
            ["-a-bc-|"], "---a-bc-|"
        ) {
            let queue = $0.queue
            return $0[0] |> delayEach(2, queue: queue, limit: 9, overflow: .dropOldest)
        }
        picture(
            "timeoutBetween(_:queue:alternate:)", "timeoutBetween(3, queue: queue, alternate: b)",
            ["-a-b----c-|", "-x-|"], "-a-b---x-|"
        ) {
            let queue = $0.queue, b = $0[1]
            return $0[0] |> timeoutBetween(3, queue: queue, alternate: b)
        }
        picture(
            "throttle(_:queue:edges:)", "throttle(3, queue: queue, edges: .trailing)", ["-abc----d---|"],
            "----c------d|"
        ) {
            let queue = $0.queue
            return $0[0] |> throttle(3, queue: queue, edges: .trailing)
        }
        picture("sample(_:queue:)", "sample(3, queue: queue)", ["-ab--c----d|"], "---b--c----(d|)") {
            let queue = $0.queue
            return $0[0] |> sample(3, queue: queue)
        }
        picture("sample(on:)", "sample(on: b)", ["-ab--c---d-|", "---x--x-x--"], "---b--c----(d|)") {
            let b = $0[1]; return $0[0] |> sample(on: b)
        }
        picture("take(for:queue:)", "take(for: 4, queue: queue)", ["-a-b-c-|"], "-a-b|") {
            let queue = $0.queue
            return $0[0] |> take(for: 4, queue: queue)
        }
        picture("retryWhen(_:)", "retryWhen { _, _ in b }", ["-a#", "--x|"], "-a---a---a---(a|)") {
            let b = $0[1]
            return $0[0] |> retryWhen { _, _ in b } |> take(4)
        }
        picture(
            "retry(_:backoff:queue:resetOnValue:)",
            "retry(3, backoff: .exponential(initial: 1, max: 60), queue: queue)", ["-a#"], "-a--a---a#"
        ) {
            let queue = $0.queue
            return $0[0] |> retry(3, backoff: .exponential(initial: 1, max: 60), queue: queue)
        }
    }
}
