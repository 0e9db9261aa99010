/// An event of one subscription that `trace` reports.
public enum TraceEvent<T, E> {
    /// The subscription begins.
    case started
    /// A value.
    case next(T)
    /// The end, with an error.
    case error(E)
    /// The end, without one.
    case completed
    /// The subscription was disposed, or its source was disposed after the end.
    case disposed
}

/// Reports each event of each subscription before it is forwarded, on the same thread.
@preconcurrency
public func trace<T, E>(_ sink: @escaping @Sendable (TraceEvent<T, E>) -> Void) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        signal
            |> beforeNext { sink(.next($0)) }
            |> beforeError { sink(.error($0)) }
            |> beforeCompleted { sink(.completed) }
            |> afterDisposed { sink(.disposed) }
            |> beforeStarted { sink(.started) }
    }
}

#if !hasFeature(Embedded)
import SignalKitShims
import Synchronization

/// The default outputs of the diagnostic operators.
public enum SignalDiagnostics {
    /// Receives one line at a time, on the thread that wrote it. Set it before the first use, because it is read
    /// without a lock.
    nonisolated(unsafe) public static var log: (String) -> Void = { print($0) }

    /// Receives reports about wrong use of the library, on any thread. An example is a main queue that no thread runs.
    /// By default a report is written to the standard error output. Set it before the first use, because it is read
    /// without a lock.
    nonisolated(unsafe) public static var warn: (String) -> Void = { text in
        text.withCString { sgk_shim_complain($0) }
    }
}

private let traceNumber = Synchronization.Atomic<UInt32>(0)

/// Writes a line for each event of a subscription.
///
/// A line is, for example, `12.345678 [4242] name#7 (Module/File.swift:12) next 42`. It starts with the seconds of the
/// monotonic clock and the system's thread number. Each subscription has a separate number. The operator also names the
/// signal like `named`.
///
/// - Parameters:
///   - name: the name of the signal.
///   - sink: receives the lines. By default `SignalDiagnostics.log` receives them.
///   - file: the file of the call.
///   - line: the line of the call.
@preconcurrency
public func trace<T, E>(
    _ name: String, to sink: (@Sendable (String) -> Void)? = nil, file: String = #fileID, line: Int = #line
) -> (Signal<T, E>) -> Signal<T, E> {
    { source in
        let signal = source.named(SignalName(name, file, Int32(clamping: line)))
        return deferred(of: .one(signal), depth: signal.depth + 5) {
            let title = "\(name)#\(traceNumber.add(1, ordering: .relaxed).newValue) (\(file):\(line))"
            let sink = sink ?? SignalDiagnostics.log
            let write: (String) -> Void = { what in
                let time = Double(sgk_shim_nanoseconds() / 1000) / 1e6
                sink("\(time) [\(sgk_shim_own_number())] \(what)")
            }
            return signal
                |> trace { (event: TraceEvent<T, E>) in
                    switch event {
                    case .started: write("\(title) started")
                    case let .next(value): write("\(title) next \(value)")
                    case let .error(error): write("\(title) error \(error)")
                    case .completed: write("\(title) completed")
                    case .disposed: write("\(title) disposed")
                    }
                }
        }
    }
}

extension Signal {
    /// Adds `trace(name)` to the signal. Each event of each subscription becomes a line of `SignalDiagnostics.log`.
    public func debug(_ name: String, file: String = #fileID, line: Int = #line) -> Signal<T, E> {
        self |> trace(name, file: file, line: line)
    }
}

/// Reports the time until the first value of each subscription, in debug builds. In release builds it returns the
/// signal unchanged.
///
/// - Parameters:
///   - label: the name of the signal in the report.
///   - sink: receives the label and the milliseconds. By default a line is written to `SignalDiagnostics.log`.
@preconcurrency
public func debug_measureTimeToFirstEvent<T, E>(
    label: String, to sink: (@Sendable (_ label: String, _ milliseconds: Double) -> Void)? = nil
) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        #if DEBUG
        return deferred(of: .one(signal), depth: signal.depth + 1) {
            let start = sgk_shim_monotonic_seconds()
            let hasReported = ReportedOnce()
            return signal
                |> beforeNext { _ in
                    guard hasReported.isFirst() else { return }
                    let milliseconds = (sgk_shim_monotonic_seconds() - start) * 1000
                    if let sink {
                        sink(label, milliseconds)
                    } else {
                        SignalDiagnostics.log("\(label): first event after \(milliseconds) ms")
                    }
                }
        }
        #else
        return signal
        #endif
    }
}

private final class ReportedOnce {
    private let done = Synchronization.Atomic<Bool>(false)
    func isFirst() -> Bool { !done.exchange(true, ordering: .relaxed) }
}
#endif
