import CSignalKit

@_cdecl("sgk_signal_retry") @implementation
public func sgk_signal_retry(
    _ signal: OpaquePointer!, _ policy: UnsafePointer<sgk_retry>!, _ queue: OpaquePointer!
) -> OpaquePointer! {
    var known = sgk_retry()
    if let policy, !copyStruct(policy, to: &known, size: policy.pointee.size, "policy") { return nil }
    let callback = Callback(known.context, known.destroy), decide = known.decide
    return derive(signal) { signal in
        guard let policy = RetryPolicy(known) else { return nil }
        var waiting = Queue.concurrentDefault
        if queue != nil {
            guard let handle = borrow(queue, as: QueueHandle.self, "queue") else { return nil }
            waiting = handle.queue
        }
        return retry(signal, policy, waiting, { .end(.error($0)) }) { error, failures in
            guard let decide else { return nil }
            let trigger = withExtendedLifetime(error) {
                taken(decide(callback.context, error.raw, Int64(failures)), in: callback.function)
            }
            return trigger.map { .source($0) }
        }
    }
}

extension RetryPolicy {
    /// Returns `nil` after it recorded an error.
    fileprivate init?(_ known: sgk_retry, in function: CString = "sgk_signal_retry") {
        let isImmediate = known.delay == -1
        func requires(_ isMet: Bool, _ field: CString, _ requirement: CString) -> Bool {
            if !isMet { record(SGK_ERROR_ARGUMENT, field, requirement, in: function) }
            return isMet
        }
        guard requires(known.attempts >= 0, "policy.attempts", "must be 0 or more"),
            requires(isImmediate || known.delay >= 0, "policy.delay", "must be 0 or more, or SGK_AT_ONCE"),
            requires(known.factor == 0 || known.factor >= 1, "policy.factor", "must be 0, or 1 or more"),
            isTime(known.increment, "policy.increment", in: function),
            isTime(known.max_delay, "policy.max_delay", in: function),
            requires(known.jitter >= 0 && known.jitter <= 1, "policy.jitter", "must be from 0 to 1"),
            isTime(known.reset_after, "policy.reset_after", in: function)
        else { return nil }
        func or(_ number: Double, _ otherwise: Double) -> Double { number == 0 ? otherwise : number }
        let backoff = RetryBackoff(
            initial: isImmediate ? 0 : or(known.delay, 1), factor: or(known.factor, 2), increment: known.increment,
            maximum: or(known.max_delay, 60), jitter: known.jitter, seed: known.seed == 0 ? nil : known.seed)
        self.init(
            backoff: backoff, attempts: known.attempts == 0 ? nil : Int(known.attempts),
            resetOnValue: known.reset_on_value, isImmediate: isImmediate,
            resetAfter: or(known.reset_after, .infinity))
    }
}
