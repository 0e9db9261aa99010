import CSignalKit

@_cdecl("sgk_signal_deferred") @implementation
public func sgk_signal_deferred(
    _ generator: sgk_deferred_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let generator = required(generator, "generator") else { return nil }
    return SignalHandle(deferred { returned(generator(callback.context)) }).passed()
}

@_cdecl("sgk_signal_concat_with") @implementation
public func sgk_signal_concat_with(_ signal: OpaquePointer!, _ next: OpaquePointer!) -> OpaquePointer! {
    derive(signal) { signal in upstream(next, "next").map { signal |> then($0) } }
}

@_cdecl("sgk_signal_catch") @implementation
public func sgk_signal_catch(
    _ signal: OpaquePointer!, _ f: sgk_map_to_signal_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "f") { signal, f, callback in
        signal |> `catch` { callback.signal(f, $0) }
    }
}

@_cdecl("sgk_accumulating_loop") @implementation
public func sgk_accumulating_loop(
    _ once: sgk_loop_fn!, _ reduce: sgk_reduce_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let once = required(once, "once"), let reduce = required(reduce, "reduce") else { return nil }
    let loop: ValueSignal = accumulatingLoop(
        once: { state in
            guard case let .loop(accumulated) = state else { return taken(once(callback.context, nil)) }
            return withExtendedLifetime(accumulated) {
                var raw = accumulated.raw
                return taken(once(callback.context, &raw))
            }
        },
        reduce: { callback.value(reduce, $0, $1) })
    return SignalHandle(loop).passed()
}

@_cdecl("sgk_concat") @implementation
public func sgk_concat(_ sources: UnsafePointer<OpaquePointer?>!, _ count: Int) -> OpaquePointer! {
    upstreams(sources, count).flatMap { SignalHandle(concat($0)).passed() }
}

@_cdecl("sgk_signal_start_with") @implementation
public func sgk_signal_start_with(_ signal: OpaquePointer!, _ value: sgk_value) -> OpaquePointer! {
    let value = Value(borrowing: value)
    return derive(signal) { $0 |> startWith(value) }
}

@_cdecl("sgk_signal_end_with") @implementation
public func sgk_signal_end_with(_ signal: OpaquePointer!, _ value: sgk_value) -> OpaquePointer! {
    let value = Value(borrowing: value)
    return derive(signal) { $0 |> endWith(value) }
}

@_cdecl("sgk_signal_default_if_empty") @implementation
public func sgk_signal_default_if_empty(_ signal: OpaquePointer!, _ value: sgk_value) -> OpaquePointer! {
    let value = Value(borrowing: value)
    return derive(signal) { $0 |> defaultIfEmpty(value) }
}

@_cdecl("sgk_signal_switch_if_empty") @implementation
public func sgk_signal_switch_if_empty(_ signal: OpaquePointer!, _ other: OpaquePointer!) -> OpaquePointer! {
    derive(signal) { signal in upstream(other, "other").map { signal |> switchIfEmpty($0) } }
}

@_cdecl("sgk_signal_catch_and_return") @implementation
public func sgk_signal_catch_and_return(_ signal: OpaquePointer!, _ value: sgk_value) -> OpaquePointer! {
    let value = Value(borrowing: value)
    return derive(signal) { $0 |> catchAndReturn(value) |> castError(Value.self, as: .hidden) }
}

// MARK: Again

@_cdecl("sgk_signal_repeat") @implementation
public func sgk_signal_repeat(_ signal: OpaquePointer!, _ count: Int64) -> OpaquePointer! {
    derive(signal) { isNotNegative(count) ? $0 |> `repeat`(Int(count)) : nil }
}

@_cdecl("sgk_signal_restart") @implementation
public func sgk_signal_restart(_ signal: OpaquePointer!) -> OpaquePointer! { derive(signal) { $0 |> restart } }

@_cdecl("sgk_signal_restart_if_error") @implementation
public func sgk_signal_restart_if_error(_ signal: OpaquePointer!) -> OpaquePointer! {
    derive(signal) { restartIfError($0) |> castError(Value.self, as: .hidden) }
}

@_cdecl("sgk_signal_restart_or_map_error") @implementation
public func sgk_signal_restart_or_map_error(
    _ signal: OpaquePointer!, _ condition: sgk_restart_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, condition, context, destroy, "condition") { signal, condition, callback in
        signal
            |> restartOrMapError { error in
                let (restarts, other) = callback.answer(condition, error)
                return restarts ? .restart : .error(other)
            }
    }
}

@_cdecl("sgk_signal_retry_if") @implementation
public func sgk_signal_retry_if(
    _ signal: OpaquePointer!, _ predicate: sgk_filter_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, predicate, context, destroy, "predicate") { signal, predicate, callback in
        signal |> retryIf { callback.call(predicate, $0) }
    }
}

@_cdecl("sgk_signal_retry") @implementation
public func sgk_signal_retry(
    _ signal: OpaquePointer!, _ increment: Double, _ maximum: Double, _ resets: Bool, _ queue: OpaquePointer!
) -> OpaquePointer! {
    derive(signal, on: queue) { signal, queue in
        guard isTime(increment, "delay_increment"), isTime(maximum, "max_delay") else { return nil }
        return signal |> retry(increment, maxDelay: maximum, onQueue: queue, resetOnValue: resets)
            |> castError(Value.self, as: .hidden)
    }
}

@_cdecl("sgk_signal_retry_on_error") @implementation
public func sgk_signal_retry_on_error(
    _ signal: OpaquePointer!, _ increment: Double, _ maximum: Double, _ attempts: Int64, _ resets: Bool,
    _ isRetried: sgk_filter_fn!,
    _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!, _ queue: OpaquePointer!
) -> OpaquePointer! {
    derive(signal, isRetried, context, destroy, "retry_on_error") { signal, isRetried, callback in
        RetryPauses(increment, maximum, attempts, resets, queue)?.retried(signal) { callback.call(isRetried, $0) }
    }
}

/// How `retry_on_error` waits, and how often.
struct RetryPauses {
    private let increment, maximum: Double
    private let attempts: Int64
    private let resets: Bool
    private let queue: Queue

    /// Returns `nil` after it recorded an error.
    init?(
        _ increment: Double, _ maximum: Double, _ attempts: Int64, _ resets: Bool, _ queue: OpaquePointer?,
        in function: CString = #function
    ) {
        guard let queue = borrow(queue, as: QueueHandle.self, "queue", in: function)?.queue,
            isTime(increment, "delay_increment", in: function), isTime(maximum, "max_delay", in: function)
        else { return nil }
        self.increment = increment
        self.maximum = maximum
        self.attempts = attempts
        self.resets = resets
        self.queue = queue
    }

    func retried(_ signal: ValueSignal, if isRetried: @escaping (Value) -> Bool) -> ValueSignal {
        signal
            |> retry(
                retryOnError: isRetried, delayIncrement: increment, maxDelay: maximum,
                maxRetries: attempts < 0 ? nil : Int(attempts), onQueue: queue, resetOnValue: resets)
    }
}
