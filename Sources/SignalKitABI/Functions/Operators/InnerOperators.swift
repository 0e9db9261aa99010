import CSignalKit

// MARK: Signals of signals

@_cdecl("sgk_signal_switch_to_latest") @implementation
public func sgk_signal_switch_to_latest(_ signal: OpaquePointer!) -> OpaquePointer! {
    derive(signal) { $0 |> mapToSignal { $0.signalOrFailure } }
}

@_cdecl("sgk_signal_concat_all") @implementation
public func sgk_signal_concat_all(_ signal: OpaquePointer!) -> OpaquePointer! {
    derive(signal) { $0 |> mapToQueue { $0.signalOrFailure } }
}

@_cdecl("sgk_signal_concat_latest") @implementation
public func sgk_signal_concat_latest(_ signal: OpaquePointer!) -> OpaquePointer! {
    derive(signal) { $0 |> mapToThrottled { $0.signalOrFailure } }
}

@_cdecl("sgk_signal_take_until_replacement") @implementation
public func sgk_signal_take_until_replacement(
    _ signal: OpaquePointer!, _ replacement: OpaquePointer!
) -> OpaquePointer! {
    derive(signal) { signal in
        upstream(replacement, "replacement").map { replacement in
            signal |> takeUntilReplacement(replacement |> converted { $0.signalOrFailure })
        }
    }
}

extension Value {
    /// Returns the signal that a value contains. Any other value becomes a signal that fails with this value.
    var signalOrFailure: ValueSignal { signal ?? .fail(self) }
}

// MARK: Signals created from values

@_cdecl("sgk_signal_switch_map") @implementation
public func sgk_signal_switch_map(
    _ signal: OpaquePointer!, _ f: sgk_map_to_signal_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "map") { signal, f, callback in
        signal |> mapToSignal { callback.signal(f, $0) }
    }
}

@_cdecl("sgk_signal_concat_map") @implementation
public func sgk_signal_concat_map(
    _ signal: OpaquePointer!, _ f: sgk_map_to_signal_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "map") { signal, f, callback in
        signal |> mapToQueue { callback.signal(f, $0) }
    }
}

@_cdecl("sgk_signal_concat_map_latest") @implementation
public func sgk_signal_concat_map_latest(
    _ signal: OpaquePointer!, _ f: sgk_map_to_signal_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "map") { signal, f, callback in
        signal |> mapToThrottled { callback.signal(f, $0) }
    }
}

@_cdecl("sgk_signal_reduce_generator") @implementation
public func sgk_signal_reduce_generator(
    _ signal: OpaquePointer!, _ initial: sgk_value, _ generator: sgk_reduce_generator_fn!,
    _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let initial = Value(borrowing: initial)
    return derive(signal, generator, context, destroy, "generator") { signal, generator, callback in
        reduced(signal, initial) { accumulated, value in
            withExtendedLifetime((accumulated, value)) {
                returned(generator(callback.context, accumulated.raw, value.raw))
            }
        }
    }
}

/// Folds values with signals that `generator` creates.
func reduced(
    _ signal: ValueSignal, _ initial: Value, by generator: @escaping (Value, Value) -> ValueSignal
) -> ValueSignal {
    signal
        |> reduceLeft(
            initial,
            generator: { accumulated, value in
                generator(accumulated, value) |> mapToQueue { value in value.step.map { .single($0) } ?? .fail(value) }
            })
}

extension Value {
    /// Reads a result of a generated signal: an array of the accumulated value and, optionally, a value to pass on.
    fileprivate var step: (Value, Passthrough<Value>)? {
        guard let array else { return nil }
        switch array.count {
        case 1: return (Value(borrowing: array.items[0]), .None)
        case 2: return (Value(borrowing: array.items[0]), .Some(Value(borrowing: array.items[1])))
        default: return nil
        }
    }
}
