import CSignalKit

/// The signal that an operator works on. NULL passes through: the first error of the pipeline stays.
@inline(__always)
func upstream(_ pointer: OpaquePointer?, _ function: StaticString) -> Signal<Value, Value>? {
    if pointer == nil && lastStatus() != SGK_OK { return nil }
    return borrow(pointer, as: SignalHandle.self, function, "signal")?.signal
}

/// A signal made of a signal.
@inline(__always)
private func derive(
    _ pointer: OpaquePointer?, _ function: StaticString, _ transform: (Signal<Value, Value>) -> Signal<Value, Value>?
) -> OpaquePointer? {
    guard let signal = upstream(pointer, function), let result = transform(signal) else { return nil }
    return SignalHandle(result).passed()
}

/// A signal made of a signal and a callback.
@inline(__always)
private func derive<F>(
    _ pointer: OpaquePointer?, _ f: F?, _ context: UnsafeMutableRawPointer?, _ destroy: sgk_destroy_fn?, _ function: StaticString, _ argument: StaticString,
    _ transform: (Signal<Value, Value>, F, Callback) -> Signal<Value, Value>
) -> OpaquePointer? {
    let callback = Callback(context, destroy)
    guard let signal = upstream(pointer, function), let f = required(f, function, argument) else { return nil }
    return SignalHandle(transform(signal, f, callback)).passed()
}

@_cdecl("sgk_signal_map") @implementation
public func sgk_signal_map(
    _ signal: OpaquePointer!, _ f: sgk_map_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "sgk_signal_map", "map") { signal, f, callback in
        signal |> map { value in Value(consuming: withExtendedLifetime(value) { f(callback.context, value.raw) }) }
    }
}

@_cdecl("sgk_signal_filter") @implementation
public func sgk_signal_filter(
    _ signal: OpaquePointer!, _ f: sgk_filter_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "sgk_signal_filter", "filter") { signal, f, callback in
        signal |> filter { value in withExtendedLifetime(value) { f(callback.context, value.raw) } }
    }
}

@_cdecl("sgk_signal_distinct_until_changed") @implementation
public func sgk_signal_distinct_until_changed(_ signal: OpaquePointer!) -> OpaquePointer! {
    derive(signal, "sgk_signal_distinct_until_changed") { $0 |> distinctUntilChanged }
}

@_cdecl("sgk_signal_distinct_until_changed_by") @implementation
public func sgk_signal_distinct_until_changed_by(
    _ signal: OpaquePointer!, _ equal: sgk_equal_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, equal, context, destroy, "sgk_signal_distinct_until_changed_by", "equal") { signal, equal, callback in
        signal |> distinctUntilChanged(isEqual: { last, value in
            withExtendedLifetime((last, value)) { equal(callback.context, last.raw, value.raw) }
        })
    }
}

@_cdecl("sgk_signal_take") @implementation
public func sgk_signal_take(_ signal: OpaquePointer!, _ count: Int64) -> OpaquePointer! {
    derive(signal, "sgk_signal_take") { signal in
        if count >= 0 { return signal |> take(Int(count)) }
        record(SGK_ERROR_ARGUMENT, "sgk_signal_take", "count", "is negative")
        return nil
    }
}

@_cdecl("sgk_combine_latest") @implementation
public func sgk_combine_latest(_ signals: UnsafePointer<OpaquePointer?>!, _ count: Int, _ queue: OpaquePointer!) -> OpaquePointer! {
    if signals == nil && count != 0 {
        record(SGK_ERROR_NULL, "sgk_combine_latest", "signals", "is NULL although there is a count")
        return nil
    }
    if count < 0 {
        record(SGK_ERROR_ARGUMENT, "sgk_combine_latest", "count", "is more than an array can have")
        return nil
    }
    var target: Queue?
    if queue != nil {
        guard let handle = borrow(queue, as: QueueHandle.self, "sgk_combine_latest", "queue") else { return nil }
        target = handle.queue
    }
    var sources: [Signal<Value, Value>] = []
    for index in 0..<count {
        guard let source = upstream(signals[index], "sgk_combine_latest") else { return nil }
        sources.append(source)
    }
    return SignalHandle(combineLatest(queue: target, sources) |> map { .boxed(ArrayBox($0)) }).passed()
}

@_cdecl("sgk_signal_throttled") @implementation
public func sgk_signal_throttled(_ signal: OpaquePointer!) -> OpaquePointer! {
    derive(signal, "sgk_signal_throttled") { $0 |> mapToThrottled { $0.signal ?? .fail($0) } }
}

@_cdecl("sgk_signal_throttle") @implementation
public func sgk_signal_throttle(_ signal: OpaquePointer!, _ seconds: Double, _ queue: OpaquePointer!) -> OpaquePointer! {
    timed(signal, seconds, queue, "sgk_signal_throttle") { throttle($0, queue: $1) }
}

@_cdecl("sgk_signal_debounce") @implementation
public func sgk_signal_debounce(_ signal: OpaquePointer!, _ seconds: Double, _ queue: OpaquePointer!) -> OpaquePointer! {
    timed(signal, seconds, queue, "sgk_signal_debounce") { debounce($0, queue: $1) }
}

private func timed(
    _ pointer: OpaquePointer?, _ seconds: Double, _ queue: OpaquePointer?, _ function: StaticString,
    _ make: (Double, Queue) -> (Signal<Value, Value>) -> Signal<Value, Value>
) -> OpaquePointer? {
    derive(pointer, function) { signal in
        guard let queue = borrow(queue, as: QueueHandle.self, function, "queue")?.queue else { return nil }
        if seconds >= 0 { return make(seconds, queue)(signal) }
        record(SGK_ERROR_ARGUMENT, function, "seconds", "is negative or not a number")
        return nil
    }
}

@_cdecl("sgk_signal_deliver_on") @implementation
public func sgk_signal_deliver_on(_ signal: OpaquePointer!, _ queue: OpaquePointer!) -> OpaquePointer! {
    derive(signal, "sgk_signal_deliver_on") { signal in
        borrow(queue, as: QueueHandle.self, "sgk_signal_deliver_on", "queue").map { signal |> deliverOn($0.queue) }
    }
}
