/// The signals of a description, in the order in which they are written: from the last stage to the sources.
///
/// It does not recurse, because successors (`then`) can be nested without limit. It visits each signal once. If signals
/// share sources, the number of paths can be much larger than the number of signals.
struct RecipeWalk {
    enum Step {
        /// A signal, before its sources. If it was visited before, `known` is its first number, and its sources are
        /// omitted.
        case stage(Node, known: Int64?)
        /// After its sources.
        case end(Node)
    }

    /// (As a struct, copied here and there, it would be six kilobytes of code.)
    final class Node {
        private let outline: Outline
        private let title: CString
        /// The number of its first stage. Its stages are numbered from the last stage to the source.
        let number: Int64
        /// The number of downstream stages.
        let level: Int64
        /// The number of the stage that it feeds.
        let below: Int64?
        /// True if it is the first source of that stage.
        let isFirst: Bool
        /// The number of its stages: one, or the number of operators in its row.
        let count: Int64
        fileprivate let sources: [SignalRecipe]
        fileprivate var gone = 0

        fileprivate init(_ signal: SignalRecipe, _ number: Int64, of below: Node?) {
            let outline = signal.outline
            self.outline = outline
            title = signal.called ?? outline.operation
            self.number = number
            level = below.map { $0.level + $0.count } ?? 0
            self.below = below.map { $0.number + $0.count - 1 }
            isFirst = below?.gone == 1
            if case let .row(row) = outline.parameter { count = Int64(row.operatorCount) } else { count = 1 }
            sources = outline.sources.all
        }

        var hasSources: Bool { !sources.isEmpty }

        /// Visits its stages, the last one first.
        @inline(never)
        func stages(_ each: (CString, Parameter) -> Void) {
            guard case let .row(row) = outline.parameter else { return each(title, outline.parameter) }
            for index in (0..<row.operatorCount).reversed() { each(row.operation(at: index), .none) }
        }
    }

    /// The next number.
    private(set) var count: Int64
    private var known: [UInt: Int64] = [:]
    private var open: [Node] = []
    private var top: SignalRecipe?

    init(_ signal: SignalRecipe, from number: Int64 = 0) {
        top = signal
        count = number
    }

    @inline(never)
    mutating func next() -> Step? {
        if let top {
            self.top = nil
            return stage(top, of: nil)
        }
        guard let last = open.last else { return nil }
        if last.gone == last.sources.count { return .end(open.removeLast()) }
        last.gone += 1
        return stage(last.sources[last.gone - 1], of: last)
    }

    private mutating func stage(_ signal: SignalRecipe, of below: Node?) -> Step {
        let signal = signal.shown
        let key = UInt(bitPattern: Unmanaged.passUnretained(signal).toOpaque())
        let node = Node(signal, count, of: below)
        if let known = known[key] { return .stage(node, known: known) }
        known[key] = count
        count += node.count
        open.append(node)
        return .stage(node, known: nil)
    }
}
