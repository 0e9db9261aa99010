import CSignalKit

@_cdecl("sgk_signal_deferred") @implementation
public func sgk_signal_deferred(_ generator: sgk_deferred_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let generator = required(generator, "sgk_signal_deferred", "generator") else { return nil }
    return SignalHandle(deferred { returned(generator(callback.context), "sgk_signal_deferred") }).passed()
}

@_cdecl("sgk_signal_then") @implementation
public func sgk_signal_then(_ signal: OpaquePointer!, _ next: OpaquePointer!) -> OpaquePointer! {
    derive(signal, "sgk_signal_then") { signal in upstream(next, "sgk_signal_then", "next").map { signal |> then($0) } }
}

@_cdecl("sgk_signal_catch") @implementation
public func sgk_signal_catch(
    _ signal: OpaquePointer!, _ f: sgk_map_to_signal_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "sgk_signal_catch", "f") { signal, f, callback in
        signal |> `catch` { callback.signal(f, $0, "sgk_signal_catch") }
    }
}

@_cdecl("sgk_accumulating_loop") @implementation
public func sgk_accumulating_loop(
    _ once: sgk_loop_fn!, _ reduce: sgk_reduce_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let callback = Callback(context, destroy, "sgk_accumulating_loop")
    guard let once = required(once, "sgk_accumulating_loop", "once"), let reduce = required(reduce, "sgk_accumulating_loop", "reduce") else { return nil }
    let loop: ValueSignal = accumulatingLoop(
        once: { state in
            guard case let .loop(accumulated) = state else { return taken(once(callback.context, nil), "sgk_accumulating_loop") }
            return withExtendedLifetime(accumulated) {
                var raw = accumulated.raw
                return taken(once(callback.context, &raw), "sgk_accumulating_loop")
            }
        },
        reduce: { callback.value(reduce, $0, $1) })
    return SignalHandle(loop).passed()
}

// MARK: Again

@_cdecl("sgk_signal_restart") @implementation
public func sgk_signal_restart(_ signal: OpaquePointer!) -> OpaquePointer! { derive(signal, "sgk_signal_restart") { $0 |> restart } }

@_cdecl("sgk_signal_restart_if_error") @implementation
public func sgk_signal_restart_if_error(_ signal: OpaquePointer!) -> OpaquePointer! {
    derive(signal, "sgk_signal_restart_if_error") { restartIfError($0) |> castError(Value.self) }
}

@_cdecl("sgk_signal_restart_or_map_error") @implementation
public func sgk_signal_restart_or_map_error(
    _ signal: OpaquePointer!, _ condition: sgk_restart_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, condition, context, destroy, "sgk_signal_restart_or_map_error", "condition") { signal, condition, callback in
        signal |> restartOrMapError { error in
            let (restarts, other) = callback.answer(condition, error)
            return restarts ? .restart : .error(other)
        }
    }
}

@_cdecl("sgk_signal_retry_if") @implementation
public func sgk_signal_retry_if(
    _ signal: OpaquePointer!, _ predicate: sgk_filter_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, predicate, context, destroy, "sgk_signal_retry_if", "predicate") { signal, predicate, callback in
        signal |> retryIf { callback.call(predicate, $0) }
    }
}

@_cdecl("sgk_signal_retry") @implementation
public func sgk_signal_retry(
    _ signal: OpaquePointer!, _ increment: Double, _ maximum: Double, _ resets: Bool, _ queue: OpaquePointer!
) -> OpaquePointer! {
    derive(signal, on: queue, "sgk_signal_retry") { signal, queue in
        guard isTime(increment, "sgk_signal_retry", "delay_increment"), isTime(maximum, "sgk_signal_retry", "max_delay") else { return nil }
        return signal |> retry(increment, maxDelay: maximum, onQueue: queue, resetOnValue: resets) |> castError(Value.self)
    }
}

@_cdecl("sgk_signal_retry_on_error") @implementation
public func sgk_signal_retry_on_error(
    _ signal: OpaquePointer!, _ increment: Double, _ maximum: Double, _ attempts: Int64, _ resets: Bool, _ isRetried: sgk_filter_fn!,
    _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!, _ queue: OpaquePointer!
) -> OpaquePointer! {
    derive(signal, isRetried, context, destroy, "sgk_signal_retry_on_error", "retry_on_error") { signal, isRetried, callback in
        guard let queue = borrow(queue, as: QueueHandle.self, "sgk_signal_retry_on_error", "queue")?.queue,
            isTime(increment, "sgk_signal_retry_on_error", "delay_increment"), isTime(maximum, "sgk_signal_retry_on_error", "max_delay")
        else { return nil }
        return signal |> retry(
            retryOnError: { callback.call(isRetried, $0) }, delayIncrement: increment, maxDelay: maximum, maxRetries: attempts < 0 ? nil : Int(attempts),
            onQueue: queue, resetOnValue: resets)
    }
}
