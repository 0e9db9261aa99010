/// A member of a `Register`. The links are guarded by its lock.
protocol Registered: AnyObject {
    var previousRegistered: Unmanaged<Self>? { get set }
    var nextRegistered: Unmanaged<Self>? { get set }
}

/// Existing objects, for code that inspects all of them. It does not retain them. The owner of an object removes it
/// before it releases it.
final class Register<Item: Registered>: @unchecked Sendable {
    let lock = SmallLock()
    @exclusivity(unchecked) private var newest: Unmanaged<Item>?
    @exclusivity(unchecked) private var count = 0

    func add(_ item: Item) {
        let item = Unmanaged.passUnretained(item)
        lock.lock()
        item._withUnsafeGuaranteedRef { $0.nextRegistered = newest }
        newest?._withUnsafeGuaranteedRef { $0.previousRegistered = item }
        newest = item
        count += 1
        lock.unlock()
    }

    func remove(_ item: Item) {
        lock.lock()
        let (previous, next) = (item.previousRegistered, item.nextRegistered)
        if let previous { previous._withUnsafeGuaranteedRef { $0.nextRegistered = next } } else { newest = next }
        next?._withUnsafeGuaranteedRef { $0.previousRegistered = previous }
        count -= 1
        lock.unlock()
    }

    /// Returns all objects, the newest first.
    func copy() -> [Item] {
        var copied: [Item] = []
        while true {
            let room = lock.withLock { count }
            copied.reserveCapacity(room + 16) // no memory is asked for while the lock is held
            let isEnough = lock.withLock {
                if count > copied.capacity { return false }
                var next = newest
                while let item = next?.takeUnretainedValue() {
                    copied.append(item)
                    next = item.nextRegistered
                }
                return true
            }
            if isEnough { return copied }
        }
    }
}
