/// A set of numbers that it assigns, from 1 upwards. No number is used twice. It is not thread-safe: guard it with a
/// lock.
public final class CounterBag {
    private var issued: Set<Int> = []
    private var next = 1

    /// Creates an empty set.
    public init() {}

    /// Puts the next number in and returns it.
    public func add() -> Int {
        let number = next
        next += 1
        issued.insert(number)
        return number
    }

    /// Removes a number. An unknown number is ignored.
    public func remove(_ index: Int) { issued.remove(index) }

    /// True if it contains no number.
    public var isEmpty: Bool { issued.isEmpty }
}
