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

@_cdecl("sgk_signal_catch_with") @implementation
public func sgk_signal_catch_with(_ signal: OpaquePointer!, _ other: OpaquePointer!) -> OpaquePointer! {
    derive(signal) { signal in upstream(other, "other").map { other in signal |> `catch` { _ in other } } }
}

@_cdecl("sgk_accumulating_loop") @implementation
public func sgk_accumulating_loop(
    _ once: sgk_once_fn!, _ reduce: sgk_reduce_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let once = required(once, "once"), let reduce = required(reduce, "reduce") else { return nil }
    let loop: ValueSignal = accumulating(
        as: callback.function,
        { state in
            guard case let .loop(accumulated) = state else { return taken(once(callback.context, nil)) }
            return withExtendedLifetime(accumulated) {
                var raw = accumulated.raw
                return taken(once(callback.context, &raw))
            }
        },
        { callback.value(reduce, $0, $1, &$2) })
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
public func sgk_signal_repeat(_ signal: OpaquePointer!, _ rounds: Int64) -> OpaquePointer! {
    derive(signal) { signal in
        count(rounds, "count", atLeast: 0, orUnbounded: true).map { signal |> `repeat`($0) }
    }
}
