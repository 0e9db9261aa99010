/// A signal that is made of others: it counts the stages that a run of it has one behind another.
///
/// A start goes up the stack through all of them, an event down, an end and a disposal as well. So there is a limit to
/// their number. What needs no stack does not count: successors (`then`), and signals that a program's closures make
/// while it runs.
final class ComposedSignal<T, E>: Signal<T, E>, @unchecked Sendable {
    private let stages: Int
    override var depth: Int { stages }

    /// - Parameter depth: what it has, itself included.
    init(depth: Int, attach: @escaping (Sink<T, E>) -> Void) {
        precondition(depth <= Depth.most, "a signal of too many stages")
        stages = depth
        super.init(attach: attach)
    }

    /// One more stage.
    convenience init<U, F>(of signal: Signal<U, F>, attach: @escaping (Sink<T, E>) -> Void) {
        self.init(depth: signal.depth + 1, attach: attach)
    }

    /// One more stage, behind all of them.
    convenience init<U, F>(of signals: [Signal<U, F>], attach: @escaping (Sink<T, E>) -> Void) {
        self.init(depth: signals.reduce(0) { max($0, $1.depth) } + 1, attach: attach)
    }
}

/// How long chains may be, of signals and of links. Half a mebibyte of stack is enough for the longest in Embedded
/// Swift, two in ordinary Swift.
enum Depth {
    static var most: Int { 512 }
}
