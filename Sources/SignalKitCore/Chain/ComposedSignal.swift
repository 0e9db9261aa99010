/// A signal that is composed of others, or a source with a name. It counts the stages of a subscription, and describes
/// its sources.
///
/// A start, an event, an end and a disposal each use the stack for every stage. So their number is limited. Stages that
/// use no stack do not count: successors (`then`), and signals that closures of the program create at run time.
final class ComposedSignal<T, E>: Signal<T, E>, @unchecked Sendable {
    private let operation: CString
    private let parameter: Parameter
    private let sources: Sources
    private let stages: Int
    override var depth: Int { stages }
    override var outline: Outline { Outline(operation, parameter, of: sources) }

    /// - Parameters:
    ///   - depth: the number of its stages, including itself. By default one more than that of its sources.
    ///   - parameter: the parameter in the description.
    ///   - operation: the operator.
    @inline(never) // there are as many that make one as there are operators
    init(
        of sources: Sources, depth: Int? = nil, _ parameter: Parameter = .none, as operation: CString = #function,
        attach: @escaping (Sink<T, E>) -> Void
    ) {
        stages = depth ?? sources.depth + 1
        precondition(stages <= Depth.most, "a signal has too many stages")
        self.operation = operation
        self.parameter = parameter
        self.sources = sources
        super.init(attach: attach)
    }

    /// One more stage.
    convenience init(
        of signal: SignalRecipe, _ parameter: Parameter = .none, as operation: CString = #function,
        attach: @escaping (Sink<T, E>) -> Void
    ) {
        self.init(of: .one(signal), parameter, as: operation, attach: attach)
    }

    /// A source.
    convenience init(
        _ parameter: Parameter = .none, as operation: CString = #function, attach: @escaping (Sink<T, E>) -> Void
    ) {
        self.init(of: .none, depth: 0, parameter, as: operation, attach: attach)
    }
}

extension Signal {
    /// Creates a source with a generator. Its description has the name of the calling function.
    static func source(
        _ parameter: Parameter = .none, as operation: CString = #function,
        _ generator: @escaping (Subscriber<T, E>) -> any Disposable
    ) -> Signal<T, E> {
        let kinds = (gate: Gate<T, E>.self, subscriber: Subscriber<T, E>.self)
        return ComposedSignal(parameter, as: operation) { sink in
            openGate(kinds.gate, to: sink) { generator(kinds.subscriber.init($0)) }
        }
    }
}

/// The limits for chains of signals and links.
///
/// Half a mebibyte of stack is enough for the longest chain in Embedded Swift, two mebibytes in ordinary Swift.
enum Depth {
    /// The documented limit. From C, an operator on a signal that has this many stages fails.
    static var limit: Int { 500 }
    /// A longer chain stops the program. It exceeds `limit` because one operator may consist of several stages.
    static var most: Int { limit + 12 }
}
