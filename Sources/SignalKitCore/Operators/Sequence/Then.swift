/// Switches to `nextSignal` when the signal has completed. `nextSignal` is started before the first is disposed. The
/// first error ends it.
///
/// One stage runs any number of nested `then` in a loop, so neither the stack nor the chain grows. A recursion by
/// `then` and `deferred` may be endless.
public func then<T, E>(_ nextSignal: Signal<T, E>) -> (Signal<T, E>) -> Signal<T, E> { { ThenSignal($0, nextSignal) } }

/// A signal and its successor. It releases them itself, because automatic releases would recurse for each of them.
private final class ThenSignal<T, E>: Signal<T, E>, @unchecked Sendable {
    private let first: Unmanaged<Signal<T, E>>
    private let next: Unmanaged<Signal<T, E>>
    private let stages: Int

    init(_ first: Signal<T, E>, _ next: Signal<T, E>) {
        self.first = .passRetained(first)
        self.next = .passRetained(next)
        stages = max(ThenSignal.stages(over: first), ThenSignal.stages(over: next))
        super.init()
        precondition(stages <= Depth.most, "a signal has too many stages")
    }

    deinit {
        Turns.release(first.toOpaque())
        Turns.release(next.toOpaque())
    }

    /// A signal that is a chain of successors itself runs in the same stage.
    private static func stages(over signal: Signal<T, E>) -> Int {
        signal.successors == nil ? signal.depth + 1 : signal.depth
    }

    override var depth: Int { stages }
    override var successors: (first: Signal<T, E>, next: Signal<T, E>)? {
        (first.takeUnretainedValue(), next.takeUnretainedValue())
    }

    override var outline: Outline { Outline("then", of: [first.takeUnretainedValue(), next.takeUnretainedValue()]) }

    override func run(to sink: Sink<T, E>) {
        runRounds(to: sink, Successors(self).follow)
    }
}

/// The remaining successors. The next one is the last element.
private final class Successors<T, E> {
    @exclusivity(unchecked) private var left: [Signal<T, E>]

    init(_ signal: Signal<T, E>) { left = [signal] }

    func follow(_ end: End<E>?) -> FollowUp<T, E, E> {
        if case .failed? = end { return .end(end!) }
        var source = left.removeLast()
        while let (first, next) = source.successors {
            left.append(next)
            source = first
        }
        return left.isEmpty ? .last(source) : .source(source)
    }
}
