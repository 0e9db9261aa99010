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

@_cdecl("sgk_signal_map_error") @implementation
public func sgk_signal_map_error(
    _ signal: OpaquePointer!, _ f: sgk_map_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "map") { signal, f, callback in
        ComposedSignal(of: signal, as: "sgk_signal_map_error") { signal.attach(ErrorSink<Never>($0, f, callback)) }
    }
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
        signal
            |> distinctUntilChanged(isEqual: { last, value in
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
        folded(signal, initial, reduce, callback, emitsEach: false)
    }
}

@_cdecl("sgk_signal_scan") @implementation
public func sgk_signal_scan(
    _ signal: OpaquePointer!, _ initial: sgk_value, _ reduce: sgk_reduce_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let initial = Value(borrowing: initial)
    return derive(signal, reduce, context, destroy, "reduce") { signal, reduce, callback in
        folded(signal, initial, reduce, callback, emitsEach: true)
    }
}

private func folded(
    _ signal: ValueSignal, _ initial: Value, _ reduce: @escaping sgk_reduce_fn, _ callback: Callback, emitsEach: Bool
) -> ValueSignal {
    ComposedSignal(of: signal, as: callback.function) {
        signal.attach(ReducingSink<Never>($0, initial, reduce, callback, emitsEach: emitsEach))
    }
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
    _ signal: OpaquePointer!, _ bound: UnsafePointer<sgk_bound>!
) -> OpaquePointer! {
    let bound = GivenBound(bound)
    return derive(signal) { signal in
        kept(bound).map {
            signal |> toArray(limit: $0.limit, overflow: $0.overflow, counter: $0.counter)
                |> converted { .array($0) }
        }
    }
}

@_cdecl("sgk_signal_distinct") @implementation
public func sgk_signal_distinct(
    _ signal: OpaquePointer!, _ bound: UnsafePointer<sgk_bound>!
) -> OpaquePointer! {
    let bound = GivenBound(bound)
    return derive(signal) { signal in
        kept(bound).map { distinct(signal, $0) { value, _ in value } }
    }
}

@_cdecl("sgk_signal_distinct_by") @implementation
public func sgk_signal_distinct_by(
    _ signal: OpaquePointer!, _ bound: UnsafePointer<sgk_bound>!,
    _ key: sgk_map_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let bound = GivenBound(bound)
    return derive(signal, key, context, destroy, "key") { signal, key, callback in
        kept(bound).map { distinct(signal, $0) { callback.key(key, $0, &$1) } }
    }
}

func distinct(
    _ signal: ValueSignal, _ bound: BoundArguments, in function: CString = #function,
    by key: @escaping (Value, inout End<Value>?) -> Value?
) -> ValueSignal {
    signal |> distinct(bound.bound, as: function, by: key)
}

/// Returns the checked limit of an operator that stores values, or `nil` after it recorded an error.
func kept(_ bound: GivenBound, in function: CString = #function) -> BoundArguments? {
    bound.checked(
        BoundRules(notSuspending: "must not suspend: nothing frees space before the end"), in: function)
}

// MARK: Several functions as one stage

@_cdecl("sgk_signal_stage") @implementation
public func sgk_signal_stage(_ signal: OpaquePointer!, _ stage: UnsafePointer<sgk_stage>!) -> OpaquePointer! {
    var table = sgk_stage()
    guard let stage = required(stage, "stage"), copyStruct(stage, to: &table, size: stage.pointee.size, "stage")
    else { return nil }
    let callback = StageCallback(table, in: #function)
    guard let handle = upstreamHandle(signal),
        table.store != nil || table.update != nil || required(table.next, "next") != nil,
        areNamed(table)
    else { return nil }
    let (count, source) = (callback.operatorCount, handle.takeUnretainedValue().signal)
    if source.depth + count > Depth.limit {
        record(SGK_ERROR_ARGUMENT, "signal", "must have at most 500 stages with those of the names")
        return nil
    }
    if table.begin == nil && table.error == nil && table.completed == nil && count <= Steps.most {
        return derived(handle, callback.step, callback, canFail: true)
    }
    let made = ComposedSignal(of: .one(source), depth: source.depth + count, .row(callback), as: "stage") {
        source.attach(StageSink<Never>($0, callback))
    }
    return SignalHandle(made).passed()
}

/// Checks the names of a stage, and records an error if there are too many or one is missing.
private func areNamed(_ table: sgk_stage, in function: CString = "sgk_signal_stage") -> Bool {
    if !(0...Depth.limit).contains(table.name_count) {
        record(SGK_ERROR_ARGUMENT, "name_count", "must be at most 500", in: function)
        return false
    }
    for index in 0..<table.name_count where table.names == nil || table.names[index] == nil {
        record(SGK_ERROR_NULL, "names", "must not be NULL", in: function)
        return false
    }
    return true
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

@_cdecl("sgk_event") @implementation
public func sgk_event(_ kind: sgk_event_kind, _ value: sgk_value) -> sgk_value {
    let value = Value(borrowing: value)
    switch kind {
    case SGK_EVENT_NEXT: return Value(.Next(value)).handedOut()
    case SGK_EVENT_ERROR: return Value(.Error(value)).handedOut()
    case SGK_EVENT_COMPLETED: return Value(SignalEvent<Value, Value>.Completion).handedOut()
    default:
        record(SGK_ERROR_ARGUMENT, "kind", "must be SGK_EVENT_NEXT, SGK_EVENT_ERROR or SGK_EVENT_COMPLETED")
        return sgk_null()
    }
}

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
