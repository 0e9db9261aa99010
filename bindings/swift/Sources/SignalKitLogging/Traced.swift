import Logging
import SignalKit
import Synchronization

private let runNumber = Synchronization.Atomic<UInt64>(0)

/// Logs each event of a subscription, before it is passed on, with `signal`, the number of the `run`, and the value or
/// the error as metadata. If `logger` does not log at this level when the signal is created, returns the signal itself.
public func trace<T, E>(
    _ name: String, to logger: Logger, level: Logger.Level = .trace
) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        if logger.logLevel > level { return signal }
        return deferred {
            var logger = logger
            logger[metadataKey: "signal"] = "\(name)"
            logger[metadataKey: "run"] = "\(runNumber.add(1, ordering: .relaxed).newValue)"
            return signal
                |> trace { [logger] (event: TraceEvent<T, E>) in
                    switch event {
                    case .started: logger.log(level: level, "started")
                    case let .next(value): logger.log(level: level, "next", metadata: ["value": "\(value)"])
                    case let .error(error): logger.log(level: level, "failed", metadata: ["error": "\(error)"])
                    case .completed: logger.log(level: level, "completed")
                    case .disposed: logger.log(level: level, "disposed")
                    }
                }
        }
    }
}
