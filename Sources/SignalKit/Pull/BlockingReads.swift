extension Signal {
    /// The first value, or what comes instead of it.
    func readFirst(timeout seconds: Double) -> Reading<T, E> {
        let reader = SignalReader(self |> take(1), limit: 1, until: seconds)
        defer { reader.close() }
        var patience = Patience(seconds)
        return reader.next(&patience)
    }

    /// The values up to the end, or so many of them, each of which `add` is given. `completed` when that has come.
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
/// Why a blocking read has come to nothing.
public enum BlockingReadError: Error {
    /// The time was over before.
    case timeout
    /// It would have had to wait in the work of a serial queue (see `SignalReader`).
    case refused
}

extension Signal {
    /// Starts the signal and blocks until its first value, at most so many seconds; then the run is disposed. What is
    /// done meanwhile, and where nobody may wait, is as with a `SignalReader`.
    ///
    /// Throws the signal's error, `SignalEndedWithoutValue` at its end, and `BlockingReadError`. If the source releases
    /// its subscriber without a terminal event, a wait without a timeout ends as at the end.
    @available(*, noasync)
    public func get(timeout seconds: Double) throws -> T {
        let reading = readFirst(timeout: seconds)
        guard case let .value(value) = reading else { throw reading.reason }
        return value
    }

    /// Starts the signal and blocks until it has completed or so many values have come, at most so many seconds; then
    /// the run is disposed. Otherwise like `get`: after a failure, or when the time is over, the values are lost.
    @available(*, noasync)
    public func collect(limit: Int, timeout seconds: Double) throws -> [T] {
        var values: [T] = []
        let reading = readAll(limit: limit, timeout: seconds) { values.append($0) }
        guard case .completed = reading else { throw reading.reason }
        return values
    }
}

extension Reading {
    /// What is thrown where there is no value.
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
