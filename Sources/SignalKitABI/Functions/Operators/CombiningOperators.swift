import CSignalKit

@_cdecl("sgk_combine_latest") @implementation
public func sgk_combine_latest(_ signals: UnsafePointer<OpaquePointer?>!, _ count: Int, _ queue: OpaquePointer!) -> OpaquePointer! {
    combined(signals, count, queue, "sgk_combine_latest").map { SignalHandle($0 |> map { .boxed(ArrayBox($0)) }).passed() }
}

@_cdecl("sgk_combine_latest_map") @implementation
public func sgk_combine_latest_map(
    _ signals: UnsafePointer<OpaquePointer?>!, _ count: Int, _ f: sgk_map_array_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!,
    _ queue: OpaquePointer!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let signal = combined(signals, count, queue, "sgk_combine_latest_map"), let f = required(f, "sgk_combine_latest_map", "map") else { return nil }
    return SignalHandle(signal |> map { values in
        withUnsafeTemporaryAllocation(of: sgk_value.self, capacity: values.count) { items in
            for index in 0..<values.count { items[index] = values[index].raw }
            return withExtendedLifetime(values) { Value(consuming: f(callback.context, UnsafePointer(items.baseAddress), values.count)) }
        }
    }).passed()
}

/// The latest values of signals, joined.
func combined(
    _ signals: UnsafePointer<OpaquePointer?>?, _ count: Int, _ queue: OpaquePointer?, _ function: StaticString
) -> Signal<[Value], Value>? {
    guard let sources = upstreams(signals, count, function) else { return nil }
    if queue == nil { return combineLatest(sources) }
    return borrow(queue, as: QueueHandle.self, function, "queue").map { combineLatest(queue: $0.queue, sources) }
}

@_cdecl("sgk_combine_signals") @implementation
public func sgk_combine_signals(
    _ signals: UnsafePointer<OpaquePointer?>!, _ count: Int, _ states: UnsafePointer<UnsafePointer<sgk_value>?>!
) -> OpaquePointer! {
    upstreams(signals, count, "sgk_combine_signals").map { sources in
        let initial = states.map { states in (0..<count).map { index in states[index].map { Value(borrowing: $0.pointee) } } } ?? []
        return SignalHandle(combineSignals(sources, initialStates: initial) |> map { .boxed(ArrayBox($0)) }).passed()
    }
}

@_cdecl("sgk_merge_signals") @implementation
public func sgk_merge_signals(_ signals: UnsafePointer<OpaquePointer?>!, _ count: Int) -> OpaquePointer! {
    upstreams(signals, count, "sgk_merge_signals").map { SignalHandle(mergeSignals($0)).passed() }
}
