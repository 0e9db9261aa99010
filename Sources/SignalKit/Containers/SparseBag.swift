/// Items in no particular order, each under a key of its own: 0, 1, 2 …, never given twice. Everything takes constant
/// time.
///
/// Not safe from several threads: put a lock around it.
public final class SparseBag<T>: Sequence {
    /// The key of an item.
    public typealias Index = Int

    private var items: [Index: T] = [:]
    private var nextKey = 0

    /// Begins empty.
    public init() {}

    /// Adds an item and returns its key.
    @discardableResult
    public func add(_ item: T) -> Index {
        let key = nextKey
        nextKey += 1
        items[key] = .some(item)
        return key
    }

    /// The item under `index`; nil if it was removed or never given.
    public func get(_ index: Index) -> T? { items[index] }

    /// Removes an item. An unknown key is ignored.
    public func remove(_ index: Index) { _ = take(index) }

    /// Removes an item and returns it, so that the caller can release it outside of a lock; nil for an unknown key.
    public func take(_ index: Index) -> T? { items.removeValue(forKey: index) }

    /// Takes out all items. Keys that were given are not given again.
    public func removeAll() {
        // Emptied first: an item that goes may look at the bag.
        var removed: [Index: T] = [:]
        swap(&items, &removed)
    }

    /// Whether no item is left.
    public var isEmpty: Bool { items.isEmpty }

    /// Goes over the items that are in the bag now.
    public func makeIterator() -> AnyIterator<T> { AnyIterator(items.values.makeIterator()) }
}
