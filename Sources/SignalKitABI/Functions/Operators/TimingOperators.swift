import CSignalKit

@_cdecl("sgk_signal_throttle") @implementation
public func sgk_signal_throttle(
    _ signal: OpaquePointer!, _ seconds: Double, _ edges: sgk_edges, _ queue: OpaquePointer!
) -> OpaquePointer! {
    derive(signal, on: queue) { signal, queue in
        if !(1...3).contains(edges.rawValue) {
            record(SGK_ERROR_ARGUMENT, "edges", "must be a sgk_edges")
            return nil
        }
        let edges = ThrottleEdges(rawValue: Int(edges.rawValue))
        return isTime(seconds) ? signal |> throttle(seconds, queue: queue, edges: edges) : nil
    }
}

@_cdecl("sgk_signal_debounce") @implementation
public func sgk_signal_debounce(
    _ signal: OpaquePointer!, _ seconds: Double, _ queue: OpaquePointer!
) -> OpaquePointer! {
    derive(signal, on: queue) { isTime(seconds) ? $0 |> debounce(seconds, queue: $1) : nil }
}

@_cdecl("sgk_signal_deliver_on") @implementation
public func sgk_signal_deliver_on(_ signal: OpaquePointer!, _ queue: OpaquePointer!) -> OpaquePointer! {
    derive(signal, on: queue) { $0 |> deliverOn($1) }
}

@_cdecl("sgk_signal_run_on") @implementation
public func sgk_signal_run_on(_ signal: OpaquePointer!, _ queue: OpaquePointer!) -> OpaquePointer! {
    derive(signal, on: queue) { $0 |> runOn($1) }
}

@_cdecl("sgk_signal_delay_start") @implementation
public func sgk_signal_delay_start(
    _ signal: OpaquePointer!, _ seconds: Double, _ queue: OpaquePointer!
) -> OpaquePointer! {
    derive(signal, on: queue) { isTime(seconds) ? $0 |> delay(seconds, queue: $1) : nil }
}

@_cdecl("sgk_signal_suspend_aware_delay") @implementation
public func sgk_signal_suspend_aware_delay(
    _ signal: OpaquePointer!, _ seconds: Double, _ granularity: Double, _ queue: OpaquePointer!
) -> OpaquePointer! {
    derive(signal, on: queue) { signal, queue in
        guard isTime(seconds), isTime(granularity, "granularity") else { return nil }
        return signal |> suspendAwareDelay(seconds, granularity: granularity, queue: queue)
    }
}
