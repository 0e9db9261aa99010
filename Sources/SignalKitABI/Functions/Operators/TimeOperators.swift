import CSignalKit
import SignalKitSupport

@_cdecl("sgk_signal_delay") @implementation
public func sgk_signal_delay(
    _ signal: OpaquePointer!, _ seconds: Double, _ bound: UnsafePointer<sgk_bound>!, _ queue: OpaquePointer!
) -> OpaquePointer! {
    let bound = GivenBound(bound)
    return derive(signal, on: queue) { signal, queue in
        guard isTime(seconds), let bound = bound.checked(BoundRules(notSuspending: timersCannotSuspend, mayPause: true))
        else { return nil }
        return signal
            |> delayEach(
                seconds, queue: queue, limit: bound.limit, overflow: bound.overflow, counter: bound.counter)
    }
}

@_cdecl("sgk_signal_rate_limit") @implementation
public func sgk_signal_rate_limit(
    _ signal: OpaquePointer!, _ number: Int64, _ seconds: Double, _ waiting: UnsafePointer<sgk_bound>!,
    _ queue: OpaquePointer!
) -> OpaquePointer! {
    let waiting = GivenBound(waiting)
    return derive(signal, on: queue) { signal, queue in
        guard let number = count(number, "count"), isFinite(seconds, from: 0, "seconds"),
            let waiting = waiting.checked(
                BoundRules(notSuspending: timersCannotSuspend, isWaiting: true, mayPause: true))
        else { return nil }
        return signal |> limitRate(number, seconds, queue, waiting.bound)
    }
}

private var timersCannotSuspend: CString {
    "must not suspend: the emitting thread would block until a timer fires"
}

@_cdecl("sgk_signal_paused_by") @implementation
public func sgk_signal_paused_by(_ signal: OpaquePointer!, _ condition: OpaquePointer!) -> OpaquePointer! {
    derive(signal) { signal in
        upstream(condition, "condition").map { condition in
            signal
                |> paused(by: condition, as: "sgk_signal_paused_by") { value, hub in
                    if case let .plain(kind, bits) = value, kind == SGK_BOOL.rawValue { return bits != 0 }
                    let text: CString = "the condition must emit bools"
                    hub.end(.error(Value(SGK_ERROR_KIND, text, in: "sgk_signal_paused_by")))
                    return nil
                }
        }
    }
}

@_cdecl("sgk_signal_timeout") @implementation
public func sgk_signal_timeout(_ signal: OpaquePointer!, _ seconds: Double, _ queue: OpaquePointer!) -> OpaquePointer! {
    derive(signal, on: queue) {
        isTime(seconds) ? $0 |> timeoutBetween(seconds, queue: $1, alternate: timedOut()) : nil
    }
}

@_cdecl("sgk_signal_timeout_first") @implementation
public func sgk_signal_timeout_first(
    _ signal: OpaquePointer!, _ seconds: Double, _ queue: OpaquePointer!
) -> OpaquePointer! {
    derive(signal, on: queue) { isTime(seconds) ? $0 |> timeout(seconds, queue: $1, alternate: timedOut()) : nil }
}

private func timedOut(in function: CString = #function) -> ValueSignal {
    .fail(Value(SGK_ERROR_TIMEOUT, "timed out", in: function))
}

@_cdecl("sgk_signal_timestamped") @implementation
public func sgk_signal_timestamped(_ signal: OpaquePointer!, _ queue: OpaquePointer!) -> OpaquePointer! {
    derive(signal, on: queue) { $0 |> timestamped($1) |> converted { pair($0.time, $0.value) } }
}

@_cdecl("sgk_signal_time_interval") @implementation
public func sgk_signal_time_interval(_ signal: OpaquePointer!, _ queue: OpaquePointer!) -> OpaquePointer! {
    derive(signal, on: queue) { $0 |> timeInterval($1) |> converted { pair($0.seconds, $0.value) } }
}

private func pair(_ seconds: Double, _ value: Value) -> Value {
    let time = Value.plain(kind: SGK_DOUBLE.rawValue, bits: seconds.bitPattern)
    return .array(count: 2) { $0 == 0 ? time : value }
}

@_cdecl("sgk_signal_take_for") @implementation
public func sgk_signal_take_for(
    _ signal: OpaquePointer!, _ seconds: Double, _ queue: OpaquePointer!
) -> OpaquePointer! {
    derive(signal, on: queue) { isTime(seconds) ? $0 |> take(for: seconds, queue: $1) : nil }
}

@_cdecl("sgk_signal_sample_on") @implementation
public func sgk_signal_sample_on(_ signal: OpaquePointer!, _ trigger: OpaquePointer!) -> OpaquePointer! {
    derive(signal) { signal in upstream(trigger, "trigger").map { signal |> sample(on: $0) } }
}

@_cdecl("sgk_signal_sample") @implementation
public func sgk_signal_sample(
    _ signal: OpaquePointer!, _ seconds: Double, _ queue: OpaquePointer!
) -> OpaquePointer! {
    derive(signal, on: queue) { isPeriod(seconds) ? $0 |> sample(seconds, queue: $1) : nil }
}
