import SignalKit
import Testing

@Suite struct TimingPictures {
    @Test func pictures() {
        picture("delay(_:queue:)", "delay(2, queue: queue)", ["-a-b-|"], "---a-b-|") { let queue = $0.queue; return $0[0] |> delay(2, queue: queue) }
        picture("debounce(_:queue:)", "debounce(2, queue: queue)", ["-a-bc---d-|"], "------c---(d|)") {
            let queue = $0.queue
            return $0[0] |> debounce(2, queue: queue)
        }
        picture("throttle(_:queue:)", "throttle(3, queue: queue)", ["-abcde----f-|"], "-a--d--e--f-|") {
            let queue = $0.queue
            return $0[0] |> throttle(3, queue: queue)
        }
        picture("timeout(_:queue:alternate:)", "timeout(3, queue: queue, alternate: b)", ["-----a--|", "-x-|"], "----x-|") {
            let queue = $0.queue, b = $0[1]
            return $0[0] |> timeout(3, queue: queue, alternate: b)
        }
        picture("runOn(_:)", "runOn(queue)", ["-a-b-|"], "-a-b-|") { let queue = $0.queue; return $0[0] |> runOn(queue) }
        picture("deliverOn(_:)", "deliverOn(queue)", ["-a-b-|"], "-a-b-|") { let queue = $0.queue; return $0[0] |> deliverOn(queue) }
    }
}
