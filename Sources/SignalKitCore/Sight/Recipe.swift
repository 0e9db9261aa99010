/// The part of a signal that does not depend on its types: its description.
public class SignalRecipe: @unchecked Sendable {
    init() {}

    /// The number of stages in a row of a subscription, as far as it is known before the start.
    var depth: Int { 0 }

    /// The name of the called function, if the operator is composed of others or has another name here. It is set
    /// before other code has the signal.
    final var called: CString?

    /// How it describes itself.
    var outline: Outline { Outline("signal") }

    /// The name that is nearest to the end, unless several signals meet before.
    final var nearestName: SignalName? {
        var outline = outline
        while true {
            if case let .name(name) = outline.parameter { return name }
            guard case let .one(source) = outline.sources else { return nil }
            outline = source.outline
        }
    }
}

extension CString {
    /// The name of a stage that is not shown.
    static var hidden: CString { "" }

    /// The name of a signal of one value.
    static var single: CString {
        #if SIGNALKIT_LIBRARY
        "just"
        #else
        "single"
        #endif
    }
}

extension SignalRecipe {
    /// The first upstream signal that is shown, including this one. A stage that only converts values is hidden.
    final var shown: SignalRecipe {
        var signal = self
        while true {
            let outline = signal.outline
            guard outline.isHidden, case let .one(source) = outline.sources else { return signal }
            signal = source
        }
    }
}

/// The description of a signal: an operator, its parameter, its sources.
struct Outline {
    /// The `#function` of the operator. Its name ends at the parenthesis. If it is empty, the stage is not shown.
    let operation: CString
    var isHidden: Bool { operation.text[0] == 0 }
    var parameter = Parameter.none
    var sources = Sources.none

    init(_ operation: CString, _ parameter: Parameter = .none, of sources: Sources = .none) {
        self.operation = operation
        self.parameter = parameter
        self.sources = sources
    }
}

/// The description of an operator in addition to its name.
enum Parameter {
    case none
    /// `.max` means no limit.
    case count(Int)
    case seconds(Double)
    case queue(Queue)
    case name(SignalName)
    /// Several of these, in the order in which the operator takes them.
    case several([Parameter])
    /// Several operators in one stage.
    case row(any OperatorRow)
}

/// Neighbouring operators that one stage runs, from the source to the end.
protocol OperatorRow: AnyObject {
    var operatorCount: Int { get }
    func operation(at index: Int) -> CString
}

/// The sources of a signal.
enum Sources {
    case none
    case one(SignalRecipe)
    case several([SignalRecipe])

    /// Those of one type.
    init<T, E>(_ signals: [Signal<T, E>]) {
        // An array of objects has the same layout for each class. (A conversion would visit every element.)
        self = .several(unsafeBitCast(signals, to: [SignalRecipe].self))
    }

    var all: [SignalRecipe] {
        switch self {
        case .none: []
        case let .one(source): [source]
        case let .several(sources): sources
        }
    }

    /// The stages of the longest.
    var depth: Int {
        switch self {
        case .none: 0
        case let .one(source): source.depth
        case let .several(sources): sources.reduce(0) { max($0, $1.depth) }
        }
    }
}

extension Sources: ExpressibleByArrayLiteral {
    init(arrayLiteral sources: SignalRecipe...) { self = .several(sources) }
}
