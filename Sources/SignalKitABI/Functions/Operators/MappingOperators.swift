import CSignalKit
import SignalKitSupport

@_cdecl("sgk_signal_map") @implementation
public func sgk_signal_map(
    _ signal: OpaquePointer!, _ f: sgk_map_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "map", canFail: true, step: sgk_step_map)
}

@_cdecl("sgk_signal_filter") @implementation
public func sgk_signal_filter(
    _ signal: OpaquePointer!, _ f: sgk_filter_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "filter", step: sgk_step_filter)
}

@_cdecl("sgk_signal_compact_map") @implementation
public func sgk_signal_compact_map(
    _ signal: OpaquePointer!, _ f: sgk_compact_map_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "map", step: sgk_step_compact_map)
}

@_cdecl("sgk_signal_transform") @implementation
public func sgk_signal_transform(
    _ signal: OpaquePointer!, _ f: sgk_transform_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "transform", canFail: true, step: sgk_step_map)
}

@_cdecl("sgk_signal_map_error") @implementation
public func sgk_signal_map_error(
    _ signal: OpaquePointer!, _ f: sgk_map_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "map") { signal, f, callback in signal |> mapError { callback.value(f, $0) } }
}

@_cdecl("sgk_signal_ignore_values") @implementation
public func sgk_signal_ignore_values(_ signal: OpaquePointer!) -> OpaquePointer! {
    // The core's `ignoreValues` is of the type of values that cannot be; here there is one type of values.
    derive(signal) { $0 |> filter { _ in false } }
}

@_cdecl("sgk_signal_distinct_until_changed") @implementation
public func sgk_signal_distinct_until_changed(_ signal: OpaquePointer!) -> OpaquePointer! {
    derive(signal) { $0 |> distinctUntilChanged }
}

@_cdecl("sgk_signal_distinct_until_changed_by") @implementation
public func sgk_signal_distinct_until_changed_by(
    _ signal: OpaquePointer!, _ equal: sgk_equal_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, equal, context, destroy, "equal") { signal, equal, callback in
        signal |> distinctUntilChanged(isEqual: { last, value in
            withExtendedLifetime((last, value)) { equal(callback.context, last.raw, value.raw) }
        })
    }
}

@_cdecl("sgk_signal_serialized") @implementation
public func sgk_signal_serialized(_ signal: OpaquePointer!) -> OpaquePointer! { derive(signal) { $0 |> serialized } }

// MARK: Folding

@_cdecl("sgk_signal_reduce") @implementation
public func sgk_signal_reduce(
    _ signal: OpaquePointer!, _ initial: sgk_value, _ reduce: sgk_reduce_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let initial = Value(borrowing: initial)
    return derive(signal, reduce, context, destroy, "reduce") { signal, reduce, callback in
        signal |> reduceLeft(value: initial) { (accumulated: Value, value: Value) -> Value in
            callback.value(reduce, accumulated, value)
        }
    }
}

@_cdecl("sgk_signal_reduce_emitting") @implementation
public func sgk_signal_reduce_emitting(
    _ signal: OpaquePointer!, _ initial: sgk_value, _ reduce: sgk_reduce_emitting_fn!,
    _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let initial = Value(borrowing: initial)
    return derive(signal, reduce, context, destroy, "reduce") { signal, reduce, callback in
        signal |> reduceLeft(value: initial) { (accumulated: Value, value: Value, emit: (Value) -> Void) -> Value in
            withoutActuallyEscaping(emit) { emit in
                var emitter = Emitter(emit: emit)
                return withUnsafeMutablePointer(to: &emitter) { emitter in
                        callback.made(of: accumulated, value) {
                            reduce(callback.context, accumulated.raw, value.raw, OpaquePointer(emitter))
                        }
                }
            }
        }
    }
}

@_cdecl("sgk_signal_scan") @implementation
public func sgk_signal_scan(
    _ signal: OpaquePointer!, _ initial: sgk_value, _ reduce: sgk_reduce_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let initial = Value(borrowing: initial)
    return derive(signal, reduce, context, destroy, "reduce") { signal, reduce, callback in
        signal |> scan(initial) { callback.value(reduce, $0, $1) }
    }
}

/// The target of an `sgk_emitter *` while the call that receives it runs.
private struct Emitter {
    let emit: (Value) -> Void
}

@_cdecl("sgk_emitter_next") @implementation
public func sgk_emitter_next(_ emitter: OpaquePointer!, _ value: sgk_value) -> sgk_status {
    let value = Value(borrowing: value)
    guard let emitter else { return failed(SGK_ERROR_NULL, "emitter", "must not be NULL") }
    UnsafeMutablePointer<Emitter>(emitter).pointee.emit(value)
    return SGK_OK
}

// MARK: Keeping

@_cdecl("sgk_signal_pairwise") @implementation
public func sgk_signal_pairwise(_ signal: OpaquePointer!) -> OpaquePointer! {
    derive(signal) { $0 |> pairwise |> converted { .array([$0.0, $0.1]) } }
}

@_cdecl("sgk_signal_enumerated") @implementation
public func sgk_signal_enumerated(_ signal: OpaquePointer!) -> OpaquePointer! {
    derive(signal) { signal in
        signal |> enumerated |> converted { .array([Value(borrowing: sgk_int(Int64($0.index))), $0.value]) }
    }
}

@_cdecl("sgk_signal_to_array") @implementation
public func sgk_signal_to_array(
    _ signal: OpaquePointer!, _ limit: Int64, _ overflow: sgk_overflow, _ error: sgk_value, _ counter: OpaquePointer!
) -> OpaquePointer! {
    let error = Value(borrowing: error)
    return derive(signal) { signal in
        kept(limit, overflow, error, counter).map {
            signal |> toArray(limit: $0.limit, overflow: $0.overflow, counter: $0.counter)
                |> converted { .array($0) }
        }
    }
}

@_cdecl("sgk_signal_distinct") @implementation
public func sgk_signal_distinct(
    _ signal: OpaquePointer!, _ limit: Int64, _ overflow: sgk_overflow, _ error: sgk_value, _ counter: OpaquePointer!
) -> OpaquePointer! {
    let error = Value(borrowing: error)
    return derive(signal) { signal in
        kept(limit, overflow, error, counter).map { distinct(signal, $0) { $0 } }
    }
}

@_cdecl("sgk_signal_distinct_by") @implementation
public func sgk_signal_distinct_by(
    _ signal: OpaquePointer!, _ limit: Int64, _ overflow: sgk_overflow, _ error: sgk_value, _ counter: OpaquePointer!,
    _ key: sgk_map_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let error = Value(borrowing: error)
    return derive(signal, key, context, destroy, "key") { signal, key, callback in
        kept(limit, overflow, error, counter).map { distinct(signal, $0) { callback.value(key, $0) } }
    }
}

func distinct(
    _ signal: ValueSignal, _ bound: BoundArguments, by key: @escaping (Value) -> Value
) -> ValueSignal {
    signal |> distinct(limit: bound.limit, overflow: bound.overflow, counter: bound.counter, by: key)
}

/// Returns the checked limit of an operator that stores values, or `nil` after it recorded an error.
func kept(
    _ limit: Int64, _ overflow: sgk_overflow, _ error: Value, _ counter: OpaquePointer?,
    in function: CString = #function
) -> BoundArguments? {
    bound(
        limit, orUnbounded: true, overflow, error, counter,
        notSuspending: "must not be SGK_OVERFLOW_SUSPEND: nothing frees space before the end", in: function)
}

// MARK: Functions that can fail

@_cdecl("sgk_signal_try_map") @implementation
public func sgk_signal_try_map(
    _ signal: OpaquePointer!, _ f: sgk_try_map_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "map", canFail: true, step: sgk_step_try_map)
}

@_cdecl("sgk_signal_try_filter") @implementation
public func sgk_signal_try_filter(
    _ signal: OpaquePointer!, _ f: sgk_try_filter_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "filter", canFail: true, step: sgk_step_try_filter)
}

// MARK: Events as values

@_cdecl("sgk_signal_to_events") @implementation
public func sgk_signal_to_events(_ signal: OpaquePointer!) -> OpaquePointer! {
    derive(signal) { signal in
        toEvents(signal: signal) |> converted { Value($0) } |> castError(Value.self, as: .hidden)
    }
}

@_cdecl("sgk_signal_from_events") @implementation
public func sgk_signal_from_events(_ signal: OpaquePointer!) -> OpaquePointer! {
    derive(signal) { signal in
        let events: Signal<SignalEvent<Value, Value>, NoError> =
            signal |> converted { $0.event ?? .Error($0) } |> `catch` { .single(.Error($0)) }
        return fromEvents(signal: events)
    }
}

@_cdecl("sgk_event_make_next") @implementation
public func sgk_event_make_next(_ value: sgk_value) -> sgk_value { Value(.Next(Value(borrowing: value))).handedOut() }

@_cdecl("sgk_event_make_error") @implementation
public func sgk_event_make_error(_ error: sgk_value) -> sgk_value { Value(.Error(Value(borrowing: error))).handedOut() }

@_cdecl("sgk_event_make_completed") @implementation
public func sgk_event_make_completed() -> sgk_value { Value(SignalEvent<Value, Value>.Completion).handedOut() }

extension Value {
    /// An event as an array of its kind and its value.
    fileprivate init(_ event: SignalEvent<Value, Value>) {
        let (kind, value): (sgk_event_kind, Value)
        switch event {
        case let .Next(next): (kind, value) = (SGK_EVENT_NEXT, next)
        case let .Error(error): (kind, value) = (SGK_EVENT_ERROR, error)
        case .Completion: (kind, value) = (SGK_EVENT_COMPLETED, .null)
        }
        self = .array([Value(borrowing: sgk_int(Int64(kind.rawValue))), value])
    }

    /// The event of such an array.
    fileprivate var event: SignalEvent<Value, Value>? {
        guard let array, array.count == 2, array.items[0].kind == SGK_INT.rawValue else { return nil }
        let value = Value(borrowing: array.items[1])
        switch sgk_event_kind(rawValue: UInt32(truncatingIfNeeded: array.items[0].bits)) {
        case SGK_EVENT_NEXT: return .Next(value)
        case SGK_EVENT_ERROR: return .Error(value)
        case SGK_EVENT_COMPLETED: return .Completion
        default: return nil
        }
    }
}
