/// Work that waits for its time: once or again and again, until it is disposed. What holds the native timer derives from it.
class ScheduledWork: Disposable {
    private let lock = SmallLock()
    private let repeats: Bool
    @exclusivity(unchecked) private var work: (() -> Void)?

    init(repeats: Bool, _ work: @escaping () -> Void) {
        self.repeats = repeats
        self.work = work
    }

    /// Stops the native timer; called once, without a lock.
    func stop() {}

    /// The time has come. Work that is running when it is disposed lives until it returns; then it is let go, before this returns.
    @inline(never)
    final func fire() {
        lock.lock()
        let current = work
        if !repeats { work = nil }
        lock.unlock()
        if current != nil && !repeats { stop() }
        current?()
    }

    final func dispose() {
        lock.lock()
        let taken = work
        work = nil
        lock.unlock()
        if taken != nil { stop() }
    }
}
