import CSignalKit

@_cdecl("sgk_signal_chunked") @implementation
public func sgk_signal_chunked(_ signal: OpaquePointer!, _ count: Int64) -> OpaquePointer! {
    derive(signal) { isCount(count, "count") ? boxed($0 |> chunked(Int(count))) : nil }
}

@_cdecl("sgk_signal_windowed") @implementation
public func sgk_signal_windowed(_ signal: OpaquePointer!, _ count: Int64, _ every: Int64) -> OpaquePointer! {
    derive(signal) {
        isCount(count, "count") && isCount(every, "every") ? boxed($0 |> windowed(Int(count), every: Int(every))) : nil
    }
}

@_cdecl("sgk_signal_chunked_within") @implementation
public func sgk_signal_chunked_within(
    _ signal: OpaquePointer!, _ count: Int64, _ seconds: Double, _ queue: OpaquePointer!
) -> OpaquePointer! {
    derive(signal, on: queue) {
        isCount(count, "count") && isTime(seconds) ? boxed($0 |> chunked(Int(count), seconds, queue: $1)) : nil
    }
}

@_cdecl("sgk_signal_chunked_by") @implementation
public func sgk_signal_chunked_by(
    _ signal: OpaquePointer!, _ boundary: OpaquePointer!, _ limit: Int64
) -> OpaquePointer! {
    derive(signal) { signal in
        guard let boundary = upstream(boundary, "boundary"), isCount(limit, "limit") else { return nil }
        return boxed(signal |> chunked(by: boundary, limit: Int(limit)))
    }
}

/// Each chunk as a value.
private func boxed(_ chunks: Signal<[Value], Value>) -> ValueSignal { chunks |> converted { .array($0) } }
