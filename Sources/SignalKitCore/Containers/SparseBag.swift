/// Items in no particular order, each with a separate key: 0, 1, 2 …, never used twice. Each operation takes constant
/// time.
///
/// It is not thread-safe: guard it with a lock.
public final class SparseBag<T>: Sequence {
    /// The key of an item.
    public typealias Index = Int

    private var items: [Index: T] = [:]
    private var nextKey = 0

    /// Creates an empty bag.
    public init() {}

    /// Adds an item and returns its key.
    @discardableResult
    public func add(_ item: T) -> Index {
        let key = nextKey
        nextKey += 1
        items[key] = .some(item)
        return key
    }

    /// Returns the item under `index`, or nil if it was removed or never used.
    public func get(_ index: Index) -> T? { items[index] }

    /// Removes an item. An unknown key is ignored.
    public func remove(_ index: Index) { _ = take(index) }

    /// Removes an item and returns it, so that the caller can release it outside of a lock. Returns nil for an unknown
    /// key.
    public func take(_ index: Index) -> T? { items.removeValue(forKey: index) }

    /// Removes all items. Their keys are not used again.
    public func removeAll() {
        // Emptied first, because the deinitializer of an item may access the bag.
        var removed: [Index: T] = [:]
        swap(&items, &removed)
    }

    /// True if there are no items.
    public var isEmpty: Bool { items.isEmpty }

    /// Goes over the items that are in the bag now.
    public func makeIterator() -> AnyIterator<T> { AnyIterator(items.values.makeIterator()) }
}
