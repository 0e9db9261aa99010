import SignalKitShims

private final class ReadinessRun<T, E>: EmittingRun<T, E>, @unchecked Sendable {
    private let make: (Readiness) -> T

    init(
        _ subscriber: Subscriber<T, E>, _ queue: Queue, _ interest: Readiness, _ make: @escaping (Readiness) -> T,
        _ failure: @escaping (SystemError) -> E
    ) {
        self.make = make
        super.init(subscriber, queue, interest, failure)
    }

    override func handle(_ readiness: Readiness) -> Bool {
        var readiness = readiness
        if readiness.contains(.error) {
            guard let code = use({ sgk_shim_fd_error($0) }) else { return false }
            if code != 0 {
                fail(SystemError(code, "poll"))
                return false
            }
            // A pending error is reported to the next read or write of the program.
            readiness.remove(.error)
            readiness.formUnion(interest)
        }
        subscriber.putNext(make(readiness))
        if readiness == .hangUp { subscriber.putCompletion() }
        return subscriber.isActive
    }
}

extension Signal {
    /// Emits the readiness of a descriptor on `queue`. The caller converts values and errors.
    ///
    /// - Parameter started: receives the subscription, which its caller may pause.
    static func readiness(
        of descriptor: Int32, for interest: Readiness, queue: Queue, failure: @escaping (SystemError) -> E,
        started: ((Gate<T, E>) -> Void)? = nil, make: @escaping (Readiness) -> T
    ) -> Signal {
        watching(.count(Int(descriptor))) {
            started?($0.gate)
            return ReadinessRun($0, queue, interest, make, failure)
        } _: { () throws(SystemError) in
            try .of(descriptor, for: interest, queue)
        }
    }
}
