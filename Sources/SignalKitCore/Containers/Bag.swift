/// Items in the order in which they were added, each with a separate key: 0, 1, 2 …, never used twice.
///
/// Lookup and removal take logarithmic time. It is not thread-safe: guard it with a lock, and release the result of
/// `take` outside of that lock.
public final class Bag<T> {
    /// The key of an item.
    public typealias Index = Int

    /// In the order of the keys. A removed item leaves a hole. Holes are closed when they are more than half of the
    /// bag.
    private var keys: [Index] = []
    private var items: [T?] = []
    private var nextKey = 0
    private var count = 0
    /// The position of the first item.
    private var start = 0

    /// Creates an empty bag.
    public init() {}

    /// Adds an item and returns its key.
    @discardableResult
    public func add(_ item: T) -> Index {
        let key = nextKey
        nextKey += 1
        keys.append(key)
        items.append(.some(item))
        count += 1
        return key
    }

    /// Returns the item under `index`, or nil if it was removed or never used.
    public func get(_ index: Index) -> T? {
        guard let position = position(of: index) else { return nil }
        return items[position]
    }

    /// Removes an item. An unknown key is ignored.
    public func remove(_ index: Index) { _ = take(index) }

    /// Removes an item and returns it, so that the caller can release it outside of a lock. Returns nil for an unknown
    /// key.
    public func take(_ index: Index) -> T? {
        guard let position = position(of: index), let removed = items[position] else { return nil }
        items[position] = nil
        count -= 1
        while start < items.count && items[start] == nil { start += 1 }
        if items.count - count > 8 && count * 2 < items.count { compact() }
        return removed
    }

    /// Changes an item in place. Returns nil if it was removed or never used.
    func change<R>(_ index: Index, _ f: (inout T) -> R) -> R? {
        guard let position = position(of: index) else { return nil }
        return f(&items[position]!)
    }

    /// Removes all items. Their keys are not used again.
    public func removeAll() {
        keys = []
        start = 0
        count = 0
        // At the end, because the deinitializer of an item may access the bag.
        var removed: [T?] = []
        swap(&items, &removed)
    }

    /// Returns a copy of the items, in order.
    public func copyItems() -> [T] { items.compactMap { $0 } }

    /// Returns a copy of the items with their keys, in order.
    public func copyItemsWithIndices() -> [(Index, T)] {
        var copy: [(Index, T)] = []
        copy.reserveCapacity(count)
        for position in start..<items.count {
            if let item = items[position] { copy.append((keys[position], item)) }
        }
        return copy
    }

    /// Calls `f` with each item that is in the bag now, in order. `f` may change the bag.
    public func enumerateItems(_ f: (T) -> Void) {
        for item in items {
            if let item { f(item) }
        }
    }

    /// True if there are no items.
    public var isEmpty: Bool { count == 0 }

    /// The oldest item that is left.
    public var first: (Index, T)? { count == 0 ? nil : (keys[start], items[start]!) }

    private func position(of key: Index) -> Int? {
        var low = start
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && keys[low] == key && items[low] != nil ? low : nil
    }

    private func compact() {
        var kept = 0
        for position in start..<items.count where items[position] != nil {
            keys.swapAt(kept, position)
            items.swapAt(kept, position)
            kept += 1
        }
        keys.removeLast(keys.count - kept)
        items.removeLast(items.count - kept)
        start = 0
    }
}
