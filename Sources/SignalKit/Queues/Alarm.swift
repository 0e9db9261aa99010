/// A timer that is set again and again, also from inside what it calls; at most one of its times is ahead.
final class Alarm: Disposable {
    private let queue: Queue
    private let lock = SmallLock()
    @exclusivity(unchecked) private var slot = Slot.empty
    /// Counts how often it was set: a timer that has fired before it is put into the slot finds a newer one there.
    @exclusivity(unchecked) private var settings: UInt32 = 0

    init(_ queue: Queue) { self.queue = queue }

    /// Calls `f` on the queue when its clock shows `time`, never inline. What it was set to before is called off.
    func set(_ time: Double, _ f: @escaping () -> Void) {
        lock.lock()
        settings &+= 1
        let mine = settings
        let (previous, isOver) = (slot.take(), slot.isClosed)
        lock.unlock()
        previous?.dispose()
        if isOver { return }
        let timer = queue.after(time - queue.now, f)
        lock.withLock { settings == mine ? slot.store(timer) : timer }?.dispose()
    }

    func dispose() { lock.withLock { slot.close() }?.dispose() }
}
