import CSignalKit
import SignalKitSupport

@_cdecl("sgk_combine_latest") @implementation
public func sgk_combine_latest(
    _ sources: UnsafePointer<OpaquePointer?>!, _ count: Int, _ queue: OpaquePointer!
) -> OpaquePointer! {
    combined(sources, count, queue).flatMap { SignalHandle($0.latest(boxed)).passed() }
}

@_cdecl("sgk_combine_latest_map") @implementation
public func sgk_combine_latest_map(
    _ sources: UnsafePointer<OpaquePointer?>!, _ count: Int, _ f: sgk_map_array_fn!,
    _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!,
    _ queue: OpaquePointer!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let sources = combined(sources, count, queue), let f = required(f, "map") else { return nil }
    return SignalHandle(sources.latest { callback.value(f, of: $0) }).passed()
}

extension Callback {
    /// The value that a function makes of several.
    @inline(__always)
    func value(_ f: sgk_map_array_fn, of values: UnsafeBufferPointer<Value>) -> Value {
        // Read here, so that the callback is not counted for the closure.
        let (context, function) = (context, function)
        return Value(madeIn: function) { withRaw(values) { f(context, $0, values.count) } }
    }
}

/// Signals to be combined.
struct CombinedSources {
    let signals: [ValueSignal]
    let queue: Queue?

    /// Combines the latest values with `make`. Sources can have initial values.
    func latest<R>(from initial: [Value?] = [], _ make: @escaping (UnsafeBufferPointer<Value>) -> R) -> Signal<R, Value>
    {
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

@_cdecl("sgk_combine_signals") @implementation
public func sgk_combine_signals(
    _ sources: UnsafePointer<OpaquePointer?>!, _ count: Int, _ states: UnsafePointer<UnsafePointer<sgk_value>?>!,
    _ queue: OpaquePointer!
) -> OpaquePointer! {
    let initial =
        states.map { states in (0..<max(count, 0)).map { index in states[index].map { Value(borrowing: $0.pointee) } } }
        ?? []
    return combined(sources, count, queue).flatMap { SignalHandle($0.latest(from: initial, boxed)).passed() }
}

@_cdecl("sgk_merge") @implementation
public func sgk_merge(_ sources: UnsafePointer<OpaquePointer?>!, _ count: Int) -> OpaquePointer! {
    upstreams(sources, count).flatMap { made(mergeSignals($0)) }
}
