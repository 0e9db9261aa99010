#if !hasFeature(Embedded)
import SignalKitShims
import Synchronization

extension SignalRecipe: CustomStringConvertible, CustomDebugStringConvertible {
    /// The description of the signal: one stage per line, from the last stage to its sources.
    public var description: String { text(.text) }
    public var debugDescription: String { description }

    /// The description as a graph for Graphviz.
    public var dot: String { text(.dot) }

    /// The description as a JSON object.
    public var json: String { text(.json) }

    private func text(_ format: TextFormat) -> String { String(decoding: described(as: format), as: UTF8.self) }
}

/// An event of a monitored subscription.
public struct SignalTraceEvent: Sendable {
    /// The kinds of events.
    public enum Kind: Sendable {
        /// The start, a value, an error, the completion.
        case start, next, error, completed
        /// The stage was released, after its end or without one.
        case dispose
        /// The next event, which is reported afterwards, arrived from the thread `from`.
        case hop(from: Int)
        /// The callback of the subscription has returned.
        case returned
    }

    /// The kind of this event.
    public let kind: Kind
    /// The number of the record, and the number of its downstream record. For a subscription (`operation` is "run"),
    /// `parent` is the subscription in whose callback it was started. 0 means that there is no such record.
    public let run: Int, parent: Int
    /// The operator at whose stage it has happened.
    public let operation: String
    /// The name that `named` gave it, and the place of that call.
    public let name: String?, file: String?, line: Int
    /// The system's number of the thread.
    public let thread: Int
    /// Seconds of the clock that never jumps.
    public let time: Double
    /// The value of `SignalDiagnostics.traceContext` at the start of the subscription.
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
    /// Starts monitoring later subscriptions (true), or ends it (false). Each true needs one false.
    public static func watch(_ on: Bool) { Sight.watch(on) }

    /// How `graph` is written.
    public enum GraphFormat: Sendable {
        /// For people, for Graphviz, for programs.
        case text, dot, json
    }

    /// Returns the monitored subscriptions: each with its stages, and the numbers of emitted and pending values and the
    /// times of each stage.
    public static func graph(_ format: GraphFormat = .text) -> String {
        let formats: [GraphFormat: TextFormat] = [.text: .text, .dot: .dot, .json: .json]
        return String(decoding: Graph().written(as: formats[format]!), as: UTF8.self)
    }

    /// Receives each event of a subscription that was started while a handler was set.
    ///
    /// The call precedes the delivery, on the delivering thread. Events of subscriptions inside the call are not
    /// reported, except disposals.
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

    /// The trace value of the calling thread. A subscription copies it at its start. Inside the callbacks of a
    /// monitored subscription the delivering thread has the value of that subscription.
    public static var traceContext: UInt64 {
        get { Record.ownContext }
        set { _ = Record.setContext(newValue) }
    }
}
#endif
