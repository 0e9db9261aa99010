/// What holds a shared run although nobody listens: for some time after the last has left, or until it is let go.
///
/// While it holds it keeps the run, by `letGo`. After that it keeps nothing of a user's: it may be released under a lock.
final class Hold: @unchecked Sendable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var lapse: (seconds: Double, queue: Queue)?
    @exclusivity(unchecked) private var timer = Slot.empty
    /// The number of those who had joined when the run became idle, at the latest.
    @exclusivity(unchecked) private var idleSince: UInt = 0
    @exclusivity(unchecked) private var letGo: ((_ joins: UInt) -> Void)?

    /// - Parameter lapse: how long an idle run is held, and by whose clock; for good without.
    init(_ lapse: (seconds: Double, queue: Queue)?) {
        self.lapse = lapse
    }

    /// Called before anybody can join.
    ///
    /// - Parameter letGo: ends the run, if it has been idle since so many had joined.
    func begin(_ letGo: @escaping (_ joins: UInt) -> Void) { lock.withLock { self.letGo = letGo } }

    /// Called without a lock: so what one thread tells may come after what another has seen later.
    func idle(since joins: UInt) {
        guard let lapse = lock.withLock({ lapse }) else { return }
        let timer = lapse.queue.after(lapse.seconds) {
            let letGo = self.lock.withLock { self.letGo }
            letGo?(joins)
        }
        let obsolete: (any Disposable)? = lock.withLock {
            if joins < idleSince { return timer }
            idleSince = joins
            return self.timer.store(timer)
        }
        obsolete?.dispose()
    }

    /// The run is over.
    func end() {
        lock.lock()
        let timer = timer.close(), obsolete = (lapse, letGo)
        lapse = nil
        letGo = nil
        lock.unlock()
        timer?.dispose()
        withExtendedLifetime(obsolete) {}
    }
}
