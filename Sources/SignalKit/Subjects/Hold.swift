/// What holds a shared run although nobody listens: for some time after the last has left, or until it is let go.
///
/// While it holds it keeps the run, by `letGo`.
final class Hold: @unchecked Sendable {
    private let lapse: (seconds: Double, queue: Queue)?
    private let lock = SmallLock()
    @exclusivity(unchecked) private var timer = Slot.empty
    @exclusivity(unchecked) private var letGo: ((_ joins: UInt) -> Void)?
    /// What the timer runs for: it is not begun anew by what happens around an idle run.
    @exclusivity(unchecked) private var idleSince: UInt?

    /// - Parameter lapse: how long an idle run is held, and by whose clock; for good without.
    init(_ lapse: (seconds: Double, queue: Queue)?) {
        self.lapse = lapse
    }

    /// - Parameter letGo: ends the run, if it has been idle since so many had joined.
    func begin(_ letGo: @escaping (_ joins: UInt) -> Void) { lock.withLock { self.letGo = letGo } }

    /// Called without a lock.
    func idle(since joins: UInt) {
        guard let lapse, begins(since: joins) else { return }
        let timer = lapse.queue.after(lapse.seconds) {
            self.lapsed()?(joins)
        }
        lock.withLock { self.timer.store(timer) }?.dispose()
    }

    private func begins(since joins: UInt) -> Bool {
        lock.withLock {
            defer { idleSince = joins }
            return idleSince != joins
        }
    }

    private func lapsed() -> ((UInt) -> Void)? {
        lock.withLock {
            idleSince = nil
            return letGo
        }
    }

    /// The run is over.
    func end() {
        lock.lock()
        let timer = timer.close(), obsolete = letGo
        letGo = nil
        lock.unlock()
        timer?.dispose()
        withExtendedLifetime(obsolete) {}
    }
}
