/// The lane of a key in a `GatherHub`.
class KeyLane<Key>: Lane {
    final let key: Key
    /// Its key in the bag of all lanes.
    @exclusivity(unchecked) fileprivate final var rank: Int?

    init(_ key: Key) { self.key = key }
}

/// The lanes of keys, in an order, the oldest first.
struct KeyLanes<Key: Hashable> {
    private var lanes: [Key: KeyLane<Key>] = [:]
    private let inOrder = Bag<KeyLane<Key>>()

    var count: Int { lanes.count }
    var all: [KeyLane<Key>] { inOrder.copyItems() }

    subscript(key: Key) -> KeyLane<Key>? { lanes[key] }

    /// Adds a lane at the end, or moves it there.
    mutating func append(_ lane: KeyLane<Key>) {
        if let rank = lane.rank { inOrder.remove(rank) } else { lanes[lane.key] = lane }
        lane.rank = inOrder.add(lane)
    }

    /// Takes a lane out, if it is there.
    mutating func remove(_ lane: KeyLane<Key>) {
        guard let rank = lane.rank.take() else { return }
        inOrder.remove(rank)
        lanes.removeValue(forKey: lane.key)
    }

    /// Takes the oldest out. There must be one.
    mutating func takeOldest() -> KeyLane<Key> {
        let oldest = inOrder.first!.1
        remove(oldest)
        return oldest
    }

    mutating func removeAll() {
        lanes = [:]
        inOrder.removeAll()
    }
}
