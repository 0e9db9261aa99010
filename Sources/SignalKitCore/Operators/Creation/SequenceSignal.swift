extension Signal {
    /// Emits the elements in order, then completes. It stops when the subscription is disposed.
    ///
    /// It emits inside `start`, up to the first pause of a bounded stage. It continues on the serial queue whose work
    /// has called `start`, or on the concurrent default queue. Each subscription iterates again. A sequence that can be
    /// iterated only once emits its elements only once.
    @inlinable
    public static func sequence<Elements: Sequence>(_ elements: Elements) -> Signal<T, E> where Elements.Element == T {
        Signal(SequenceLoop<T, E>.self) {
            var position: Elements.Iterator? = elements.makeIterator()
            return { loop in
                // In a local variable, so that only the first and the last access reach the memory.
                guard loop.goesOn, var iterator = position else { return false }
                position = nil
                while let element = iterator.next() {
                    if loop.put(element) { continue }
                    position = iterator
                    return false
                }
                return true
            }
        }
    }

    @usableFromInline
    convenience init(
        _ loop: SequenceLoop<T, E>.Type, _ make: @escaping () -> (SequenceLoop<T, E>) -> Bool
    ) {
        self.init(attach: { loop.init($0, make).begin() })
    }
}

/// A source whose loop is a closure, so that the compiler specializes it for the elements. The closure stores the
/// position, and returns true if no element is left.
@usableFromInline
final class SequenceLoop<T, E>: LoopSource<T, E> {
    @exclusivity(unchecked) private var make: (() -> (SequenceLoop) -> Bool)?
    @exclusivity(unchecked) private var turn: ((SequenceLoop) -> Bool)?

    init(_ sink: Sink<T, E>, _ make: @escaping () -> (SequenceLoop) -> Bool) {
        self.make = make
        super.init(sink)
    }

    override func emit() -> End<E>? {
        if let make {
            turn = make()
            self.make = nil
        }
        return turn!(self) ? .completed : nil
    }

    override func drop() {
        make = nil
        turn = nil
    }

    /// Emits an element. Returns true if the loop may emit the next one.
    @usableFromInline
    func put(_ element: T) -> Bool {
        emit(element)
        return goesOn
    }
}

extension Signal where T == Int {
    /// Emits `count` numbers, each greater by one, then completes. It emits as `sequence` does.
    @inlinable
    public static func range(_ first: Int, count: Int) -> Signal<Int, E> {
        precondition(count >= 0, "count must be 0 or more")
        return sequence(first..<first + count)
    }
}
