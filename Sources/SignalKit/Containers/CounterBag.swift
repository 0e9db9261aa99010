/// A set of numbers that it gives out itself, from 1 upward, none twice. Not safe from several threads: put a lock
/// around it.
public final class CounterBag {
    private var issued: Set<Int> = []
    private var next = 1

    /// Begins empty.
    public init() {}

    /// Puts the next number in and returns it.
    public func add() -> Int {
        let number = next
        next += 1
        issued.insert(number)
        return number
    }

    /// Takes a number out; an unknown one is ignored.
    public func remove(_ index: Int) { issued.remove(index) }

    /// True if it contains no number.
    public var isEmpty: Bool { issued.isEmpty }
}
