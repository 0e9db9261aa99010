#if !hasFeature(Embedded)
import SignalKitShims
import Synchronization

extension SignalRecipe: CustomStringConvertible, CustomDebugStringConvertible {
    /// What the signal is made of: one stage in a line, from its end to its sources.
    public var description: String { text(.text) }
    public var debugDescription: String { description }

    /// The same as a graph for Graphviz.
    public var dot: String { text(.dot) }

    /// The same as a JSON object.
    public var json: String { text(.json) }

    private func text(_ format: TextFormat) -> String { String(decoding: described(as: format), as: UTF8.self) }
}

/// What has happened to a run that is watched.
public struct SignalTraceEvent: Sendable {
    /// What can happen.
    public enum Kind: Sendable {
        /// The run has begun; a value; the two ends.
        case start, next, error, completed
        /// The stage has been let go, after its end or without one.
        case dispose
        /// The next event, which is told afterwards, has come from the thread `from`.
        case hop(from: Int)
        /// The run's callback has returned.
        case returned
    }

    /// What has happened.
    public let kind: Kind
    /// The run's number, and that of what it feeds; of the end of a run (`operation` is "run"), the number of the run
    /// in whose callback it was started. 0: none.
    public let run: Int, parent: Int
    /// The operator at whose stage it has happened.
    public let operation: String
    /// What `named` has called it, and where.
    public let name: String?, file: String?, line: Int
    /// The system's number of the thread.
    public let thread: Int
    /// Seconds of the clock that never jumps.
    public let time: Double
    /// What `SignalDiagnostics.traceContext` was where the run was started.
    public let context: UInt64

    fileprivate init(_ happening: Happening, _ record: Record, _ time: Int64, _ from: Int32) {
        kind =
            switch happening {
            case .start: .start
            case .next: .next
            case .error: .error
            case .completed: .completed
            case .dispose: .dispose
            case .hop: .hop(from: Int(from))
            case .return: .returned
            }
        run = Int(record.number)
        parent = Int(record.parent)
        operation = String(cString: record.title.text)
        name = record.name.map { String(cString: $0.text) }
        file = record.name?.file.map { String(cString: $0) }
        line = Int(record.name?.line ?? 0)
        thread = Int(sgk_shim_own_number())
        self.time = Double(time) * 1e-9
        context = record.context
    }
}

extension SignalDiagnostics {
    /// Has what is started from now on watched (true), or not watched by this any more (false). Each true needs a
    /// false.
    public static func watch(_ on: Bool) { Sight.watch(on) }

    /// How `graph` is written.
    public enum GraphFormat: Sendable {
        /// For people, for Graphviz, for programs.
        case text, dot, json
    }

    /// What runs, as far as it is watched: each run with its stages, how many values each has passed on, how many wait
    /// in it, since when.
    public static func graph(_ format: GraphFormat = .text) -> String {
        let formats: [GraphFormat: TextFormat] = [.text: .text, .dot: .dot, .json: .json]
        return String(decoding: Graph().written(as: formats[format]!), as: UTF8.self)
    }

    /// Gets each thing that happens to a run that was started while it was set, before that is passed on, on the thread
    /// on which it happens. What happens to runs inside of the call is not told, but for disposals.
    public static var traceHandler: ((SignalTraceEvent) -> Void)? {
        get { tracer.with { $0 } }
        set {
            isTold
            _ = tracer.swap(newValue)
            Sight.trace { tracer.with { $0 != nil } }
        }
    }

    private static let isTold: Void = {
        Sight.teller = { happening, record, time, from in
            tracer.with { $0 }?(SignalTraceEvent(happening, record, time, from))
        }
    }()

    private static let tracer = Atomic<((SignalTraceEvent) -> Void)?>(value: nil)

    /// The calling thread's value for traces: a run that is started takes it over, and it is the thread's inside of the
    /// run's callbacks, on whichever thread they are called, as far as the run is watched.
    public static var traceContext: UInt64 {
        get { Record.ownContext }
        set { _ = Record.setContext(newValue) }
    }
}
#endif
