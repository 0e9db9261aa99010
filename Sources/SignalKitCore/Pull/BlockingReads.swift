extension Signal {
    /// Returns the first value, or the reason why there is none.
    func readFirst(timeout seconds: Double) -> Reading<T, E> {
        let reader = SignalReader(self |> take(1), limit: 1, until: seconds)
        defer { reader.close() }
        var patience = Patience(seconds)
        return reader.next(&patience)
    }

    /// Passes at most `limit` values to `add`. Returns `completed` after the last of them or at completion.
    func readAll(limit: Int, timeout seconds: Double, _ add: (T) -> Void) -> Reading<T, E> {
        let reader = SignalReader(self |> take(limit), limit: limit, until: seconds)
        defer { reader.close() }
        var patience = Patience(seconds)
        while true {
            let reading = reader.next(&patience)
            guard case let .value(value) = reading else { return reading }
            add(value)
        }
    }
}

#if !hasFeature(Embedded)
/// The reason why a blocking read failed.
public enum BlockingReadError: Error {
    /// The read timed out.
    case timeout
    /// It would have had to wait in the work of a serial queue (see `SignalReader`).
    case refused
}

extension Signal {
    /// Starts the signal, blocks until its first value, then disposes the subscription.
    ///
    /// The thread blocks at most `seconds`. Like `SignalReader`, it runs other work while it is blocked, and fails
    /// where no thread may block.
    ///
    /// Throws the signal's error, `SignalEndedWithoutValue` at its completion, and `BlockingReadError`. If the source
    /// releases its subscriber without a terminal event, a wait without a timeout ends as at completion.
    @available(*, noasync)
    public func get(timeout seconds: Double) throws -> T {
        let reading = readFirst(timeout: seconds)
        guard case let .value(value) = reading else { throw reading.reason }
        return value
    }

    /// Starts the signal, blocks until it has completed or emitted `limit` values, then disposes the subscription.
    ///
    /// The thread blocks at most `seconds`. After an error or a timeout the values are lost. Otherwise it is like
    /// `get`.
    @available(*, noasync)
    public func collect(limit: Int, timeout seconds: Double) throws -> [T] {
        var values: [T] = []
        let reading = readAll(limit: limit, timeout: seconds) { values.append($0) }
        guard case .completed = reading else { throw reading.reason }
        return values
    }
}

extension Reading {
    /// The error to throw if there is no value.
    fileprivate var reason: any Error {
        switch self {
        case let .failed(error): return error as? any Error ?? SignalEndedWithoutValue()
        case .timeout: return BlockingReadError.timeout
        case .refused: return BlockingReadError.refused
        case .value, .completed, .closed: return SignalEndedWithoutValue()
        }
    }
}
#endif
