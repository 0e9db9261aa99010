import CSignalKit
import SignalKitSupport

@_cdecl("sgk_combine_latest") @implementation
public func sgk_combine_latest(
    _ sources: UnsafePointer<OpaquePointer?>!, _ count: Int, _ queue: OpaquePointer!
) -> OpaquePointer! {
    combined(sources, count, queue).flatMap { SignalHandle($0.latest { $1.emitted(boxed($0)) }).passed() }
}

@_cdecl("sgk_combine_latest_map") @implementation
public func sgk_combine_latest_map(
    _ sources: UnsafePointer<OpaquePointer?>!, _ count: Int, _ f: sgk_map_array_fn!,
    _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!,
    _ queue: OpaquePointer!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let sources = combined(sources, count, queue), let f = required(f, "map") else { return nil }
    return SignalHandle(sources.latest { callback.emit(f, of: $0, to: $1) }).passed()
}

extension Callback {
    /// Emits the value that a function makes of several. Returns the terminal event, if the subscription ends.
    @inline(__always)
    func emit(
        _ f: sgk_map_array_fn, of values: UnsafeBufferPointer<Value>, to hub: Hub<Value, Value>
    ) -> End<Value>? {
        // Read here, so that the callback is not counted for the closure.
        let (context, function) = (context, function)
        let raw = checked(in: function) { withRaw(values) { f(context, $0, values.count) } }
        if _fastPath(raw.reserved == SGK_OUTCOME_REPLACED.rawValue) { return hub.emitted(Value(consuming: raw)) }
        return Decision(raw, in: function).emit(to: hub, unchanged: values)
    }
}

extension Decision {
    /// Emits the value, if there is one. An array of `values` counts as unchanged.
    @inline(never)
    fileprivate func emit(to hub: Hub<Value, Value>, unchanged values: UnsafeBufferPointer<Value>) -> End<Value>? {
        var end: End<Value>?
        if let value = value(&end, unchanged: boxed(values)) { hub.emit(value) }
        return end
    }
}

/// Returns the result of a call, checked if SIGNALKIT_DEBUG is 1.
@inline(__always)
private func checked(in function: CString, _ call: () -> sgk_value) -> sgk_value {
    if _fastPath(!sgk_support_is_debug()) { return call() }
    let outer = Ownership.lend(sgk_null())
    return Ownership.take(call(), in: function, outer)
}

/// Signals to be combined.
struct CombinedSources {
    let signals: [ValueSignal]
    let queue: Queue?

    /// Combines the latest values with `make`. Sources can have initial values.
    func latest<R>(
        from initial: [Value?] = [], _ make: @escaping (UnsafeBufferPointer<Value>, Hub<R, Value>) -> End<Value>?
    ) -> Signal<R, Value> {
        combineLatest(queue: queue, signals, initial, make: make)
    }
}

func combined(
    _ sources: UnsafePointer<OpaquePointer?>?, _ count: Int, _ queue: OpaquePointer?, in function: CString = #function
) -> CombinedSources? {
    guard let sources = upstreams(sources, count, in: function) else { return nil }
    if queue == nil { return CombinedSources(signals: sources, queue: nil) }
    return borrow(queue, as: QueueHandle.self, "queue", in: function).map {
        CombinedSources(signals: sources, queue: $0.queue)
    }
}

func boxed(_ values: UnsafeBufferPointer<Value>) -> Value {
    .array(count: values.count) { values[$0] }
}

@_cdecl("sgk_merge") @implementation
public func sgk_merge(_ sources: UnsafePointer<OpaquePointer?>!, _ count: Int) -> OpaquePointer! {
    upstreams(sources, count).flatMap { made(mergeSignals($0)) }
}
