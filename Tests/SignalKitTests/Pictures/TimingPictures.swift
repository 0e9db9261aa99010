import SignalKitCore
import Testing

@Suite struct TimingPictures {
    @Test func pictures() {
        picture("delay(_:queue:)", "delay(2, queue: queue)", ["-a-b-|"], "---a-b-|") {
            let queue = $0.queue; return $0[0] |> delay(2, queue: queue)
        }
        picture("debounce(_:queue:)", "debounce(2, queue: queue)", ["-a-bc---d-|"], "------c---(d|)") {
            let queue = $0.queue
            return $0[0] |> debounce(2, queue: queue)
        }
        picture("throttle(_:queue:)", "throttle(3, queue: queue)", ["-abcde----f-|"], "-a--d--e--f-|") {
            let queue = $0.queue
            return $0[0] |> throttle(3, queue: queue)
        }
        picture(
            "timeout(_:queue:alternate:)", "timeout(3, queue: queue, alternate: b)", ["-----a--|", "-x-|"], "----x-|"
        ) {
            let queue = $0.queue, b = $0[1]
            return $0[0] |> timeout(3, queue: queue, alternate: b)
        }
        picture("runOn(_:)", "runOn(queue)", ["-a-b-|"], "-a-b-|") {
            let queue = $0.queue; return $0[0] |> runOn(queue)
        }
        picture("deliverOn(_:)", "deliverOn(queue)", ["-a-b-|"], "-a-b-|") {
            let queue = $0.queue; return $0[0] |> deliverOn(queue)
        }
    }

    @Test func pauses() {
        picture(
            "paused(by:)", "paused(by: b)", ["-a-b-c-d-|", "--t----f"], "-a-----b-c-d-|", paused: "^--p---r-----!"
        ) {
            let b = $0.safe(1) |> map { $0 == "t" } |> castError(String.self)
            return $0[0] |> paused(by: b)
        }
        picture(
            "delayEach(_:queue:limit:overflow:counter:)", "delayEach(3, queue: queue, limit: 3, overflow: .pause())",
            ["-abcd-|"], "----abc-d-|", paused: "^--p-r-!"
        ) {
            let queue = $0.queue
            return $0[0] |> delayEach(3, queue: queue, limit: 3, overflow: .pause())
        }
    }

    @Test func oldNamesAndTimes() {
        picture("throttleOn(_:delay:)", "throttleOn(queue, delay: 2)", ["-a-bc---d-|"], "------c---(d|)") {
            let queue = $0.queue
            return $0[0] |> throttleOn(queue, delay: 2)
        }
        picture(
            "suspendAwareDelay(_:granularity:queue:)", "suspendAwareDelay(2, granularity: 1, queue: queue)",
            ["-a-b-|"], "---a-b-|"
        ) {
            let queue = $0.queue
            return $0[0] |> suspendAwareDelay(2, granularity: 1, queue: queue)
        }
        picture("timestamped(_:)", "timestamped(queue)", ["-a--b-|"], "-A--B-|", ["A": "1 a", "B": "4 b"]) {
            let queue = $0.queue
            return $0[0] |> timestamped(queue) |> map { "\(Int($0.time)) \($0.value)" }
        }
        picture("timeInterval(_:)", "timeInterval(queue)", ["-a--b-|"], "-A--B-|", ["A": "1 a", "B": "3 b"]) {
            let queue = $0.queue
            return $0[0] |> timeInterval(queue) |> map { "\(Int($0.seconds)) \($0.value)" }
        }
    }
}
