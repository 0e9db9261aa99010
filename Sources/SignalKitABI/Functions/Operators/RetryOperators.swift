import CSignalKit

@_cdecl("sgk_signal_retry_backoff") @implementation
public func sgk_signal_retry_backoff(
    _ signal: OpaquePointer!, _ attempts: Int64, _ backoff: UnsafePointer<sgk_backoff>!, _ resets: Bool,
    _ queue: OpaquePointer!
) -> OpaquePointer! {
    derive(signal, on: queue) { signal, queue in
        guard let backoff = required(backoff, "backoff") else { return nil }
        var known = sgk_backoff(size: 0, initial: 1, factor: 2, max: 60, jitter: 0, seed: 0)
        guard copyStruct(backoff, to: &known, size: backoff.pointee.size, "backoff"),
            isTime(known.initial, "backoff.initial"), isTime(known.max, "backoff.max")
        else { return nil }
        guard known.factor >= 1, known.jitter >= 0, known.jitter <= 1 else {
            record(SGK_ERROR_ARGUMENT, "backoff", "factor must be 1 or more, and jitter from 0 to 1")
            return nil
        }
        let waits = RetryBackoff.exponential(
            initial: known.initial, factor: known.factor, max: known.max, jitter: known.jitter,
            seed: known.seed == 0 ? nil : known.seed)
        return signal
            |> retry(attempts < 0 ? nil : Int(attempts), backoff: waits, queue: queue, resetOnValue: resets)
    }
}

@_cdecl("sgk_signal_retry_when") @implementation
public func sgk_signal_retry_when(
    _ signal: OpaquePointer!, _ when: sgk_retry_when_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, when, context, destroy, "when") { signal, when, callback in
        signal
            |> retryWhen { error, number in
                withExtendedLifetime(error) { returned(when(callback.context, error.raw, Int64(number))) }
            }
    }
}
