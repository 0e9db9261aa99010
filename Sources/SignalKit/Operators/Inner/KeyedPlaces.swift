/// The place of a key in a `GatherHub`.
class KeyPlace<Key>: Place {
    final let key: Key
    /// Its key in the bag of all places.
    @exclusivity(unchecked) fileprivate final var rank: Int?

    init(_ key: Key) { self.key = key }
}

/// The places of keys, in an order, the oldest first.
struct KeyedPlaces<Key: Hashable> {
    private var places: [Key: KeyPlace<Key>] = [:]
    private let inOrder = Bag<KeyPlace<Key>>()

    var count: Int { places.count }
    var all: [KeyPlace<Key>] { inOrder.copyItems() }

    subscript(key: Key) -> KeyPlace<Key>? { places[key] }

    /// Adds a place at the end, or moves it there.
    mutating func append(_ place: KeyPlace<Key>) {
        if let rank = place.rank { inOrder.remove(rank) } else { places[place.key] = place }
        place.rank = inOrder.add(place)
    }

    /// Takes a place out, if it is there.
    mutating func remove(_ place: KeyPlace<Key>) {
        guard let rank = place.rank.take() else { return }
        inOrder.remove(rank)
        places.removeValue(forKey: place.key)
    }

    /// Takes the oldest out. There must be one.
    mutating func takeOldest() -> KeyPlace<Key> {
        let oldest = inOrder.first!.1
        remove(oldest)
        return oldest
    }

    mutating func removeAll() {
        places = [:]
        inOrder.removeAll()
    }
}
