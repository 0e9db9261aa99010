import CSignalKit

// MARK: Zip and race

@_cdecl("sgk_zip") @implementation
public func sgk_zip(
    _ sources: UnsafePointer<OpaquePointer?>!, _ count: Int, _ bound: UnsafePointer<sgk_bound>!
) -> OpaquePointer! {
    zipped(sources, count, GivenBound(bound)).flatMap {
        SignalHandle($0.joined { $1.emitted(boxed($0)) }).passed()
    }
}

@_cdecl("sgk_zip_map") @implementation
public func sgk_zip_map(
    _ sources: UnsafePointer<OpaquePointer?>!, _ count: Int, _ bound: UnsafePointer<sgk_bound>!, _ f: sgk_map_array_fn!,
    _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let callback = Callback(context, destroy), bound = GivenBound(bound)
    guard let sources = zipped(sources, count, bound), let f = required(f, "map") else {
        return nil
    }
    return SignalHandle(sources.joined { callback.emit(f, of: $0, to: $1) }).passed()
}

/// The blocked thread may be the one that frees space.
private let joinsCannotSuspend: CString = "must not suspend in an operator that combines signals"

/// Signals to be zipped.
struct ZippedSources {
    let signals: [ValueSignal]
    let bound: Bound<Value>

    /// Combines one value of each signal with `make`.
    func joined<R>(by make: @escaping (UnsafeBufferPointer<Value>, Hub<R, Value>) -> End<Value>?) -> Signal<R, Value> {
        zip(signals, bound, make)
    }
}

func zipped(
    _ sources: UnsafePointer<OpaquePointer?>?, _ count: Int, _ bound: GivenBound, in function: CString = #function
) -> ZippedSources? {
    guard let sources = upstreams(sources, count, in: function),
        let bound = joining(bound, mayPause: true, in: function)
    else { return nil }
    return ZippedSources(signals: sources, bound: bound)
}

@_cdecl("sgk_race") @implementation
public func sgk_race(_ sources: UnsafePointer<OpaquePointer?>!, _ count: Int) -> OpaquePointer! {
    upstreams(sources, count).flatMap { SignalHandle(race($0)).passed() }
}

// MARK: A signal with a second signal

@inline(never)
private func derive(
    _ signal: OpaquePointer?, beside other: OpaquePointer?, _ argument: CString, in function: CString = #function,
    _ transform: (ValueSignal, ValueSignal) -> ValueSignal
) -> OpaquePointer? {
    derive(signal, in: function) { signal in
        upstream(other, argument, in: function).map { transform(signal, $0) }
    }
}

@_cdecl("sgk_signal_with_latest_from") @implementation
public func sgk_signal_with_latest_from(_ signal: OpaquePointer!, _ other: OpaquePointer!) -> OpaquePointer! {
    derive(signal, beside: other, "other") { signal, other in
        signal |> withLatestFrom(other) { paired($0, $1, boxed) }
    }
}

@_cdecl("sgk_signal_with_latest_from_map") @implementation
public func sgk_signal_with_latest_from_map(
    _ signal: OpaquePointer!, _ other: OpaquePointer!, _ f: sgk_map_array_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "map") { signal, f, callback in
        upstream(other, "other").map { other in
            signal
                |> latest(of: other, as: callback.function) { value, last, hub in
                    paired(value, last) { callback.emit(f, of: $0, to: hub) }
                }
        }
    }
}

/// Calls a function with two values, stored consecutively.
@inline(__always)
func paired<R>(_ first: Value, _ second: Value, _ make: (UnsafeBufferPointer<Value>) -> R) -> R {
    var both = (first, second)
    return withUnsafeBytes(of: &both) { make($0.assumingMemoryBound(to: Value.self)) }
}

@_cdecl("sgk_signal_skip_until") @implementation
public func sgk_signal_skip_until(_ signal: OpaquePointer!, _ until: OpaquePointer!) -> OpaquePointer! {
    derive(signal, beside: until, "until") { $0 |> skip(untilSignal: $1) }
}

@_cdecl("sgk_signal_take_until") @implementation
public func sgk_signal_take_until(_ signal: OpaquePointer!, _ until: OpaquePointer!) -> OpaquePointer! {
    derive(signal, beside: until, "until") { $0 |> take(untilSignal: $1) }
}

// MARK: Several at the same time

/// Creates a signal from a signal of signals, of which `limit` run at the same time.
private func derive(
    _ pointer: OpaquePointer?, _ limit: Int64, _ waiting: UnsafePointer<sgk_bound>?, in function: CString = #function,
    _ transform: (ValueSignal, Int, Bound<Value>) -> ValueSignal
) -> OpaquePointer? {
    let waiting = GivenBound(waiting)
    return derive(pointer, in: function) { signal in
        places(limit, waiting, in: function).map { transform(signal, $0.limit, $0.bound) }
    }
}

@_cdecl("sgk_signal_merge_all") @implementation
public func sgk_signal_merge_all(
    _ signal: OpaquePointer!, _ limit: Int64, _ waiting: UnsafePointer<sgk_bound>!
) -> OpaquePointer! {
    derive(signal, limit, waiting) { $0 |> merge($1, $2) { $0.signalOrFailure } }
}

@_cdecl("sgk_signal_merge_map") @implementation
public func sgk_signal_merge_map(
    _ signal: OpaquePointer!, _ limit: Int64, _ waiting: UnsafePointer<sgk_bound>!, _ f: sgk_map_to_signal_fn!,
    _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let waiting = GivenBound(waiting)
    return derive(signal, f, context, destroy, "map") { signal, f, callback in
        places(limit, waiting).map { places in
            signal |> merge(places.limit, places.bound) { callback.signal(f, $0) }
        }
    }
}

@_cdecl("sgk_signal_merge_all_ordered") @implementation
public func sgk_signal_merge_all_ordered(
    _ signal: OpaquePointer!, _ limit: Int64, _ waiting: UnsafePointer<sgk_bound>!
) -> OpaquePointer! {
    derive(signal, limit, waiting) { $0 |> order($1, $2) { $0.signalOrFailure } }
}

@_cdecl("sgk_signal_map_ordered") @implementation
public func sgk_signal_map_ordered(
    _ signal: OpaquePointer!, _ limit: Int64, _ waiting: UnsafePointer<sgk_bound>!, _ f: sgk_map_to_signal_fn!,
    _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let waiting = GivenBound(waiting)
    return derive(signal, f, context, destroy, "map") { signal, f, callback in
        places(limit, waiting).map { places in
            signal |> order(places.limit, places.bound) { callback.signal(f, $0) }
        }
    }
}

/// How many run at the same time, and how many wait.
func places(
    _ limit: Int64, _ waiting: GivenBound, in function: CString = #function
) -> (limit: Int, bound: Bound<Value>)? {
    guard let limit = count(limit, "limit", orUnbounded: true, in: function),
        let bound = waiting.checked(
            BoundRules(notSuspending: joinsCannotSuspend, isWaiting: true, mayPause: true), in: function)
    else { return nil }
    return (limit, bound.bound)
}

/// The limit of an operator that combines signals, or of its keys, which do not wait.
func joining(_ bound: GivenBound, mayPause: Bool = false, in function: CString = #function) -> Bound<Value>? {
    bound.checked(BoundRules(notSuspending: joinsCannotSuspend, mayPause: mayPause), in: function)?.bound
}

@_cdecl("sgk_signal_exhaust_map") @implementation
public func sgk_signal_exhaust_map(
    _ signal: OpaquePointer!, _ f: sgk_map_to_signal_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "map") { signal, f, callback in
        signal |> mapToFirst { callback.signal(f, $0) }
    }
}
