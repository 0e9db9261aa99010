/// What holds a shared run although nobody listens: for some time after the last has left, or until it is let go.
///
/// While it holds it keeps the run, by `letGo`. After that it keeps nothing of a user's: it may be released under a
/// lock.
final class Hold: @unchecked Sendable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var lapse: (seconds: Double, queue: Queue)?
    @exclusivity(unchecked) private var timer = Slot.empty
    @exclusivity(unchecked) private var letGo: ((_ joins: UInt) -> Void)?
    /// What the timer runs for: it is not begun anew by what happens around an idle run.
    @exclusivity(unchecked) private var idleSince: UInt?
    /// How many timers have begun: the latest counts, whichever thread stores its own last.
    @exclusivity(unchecked) private var timers: UInt = 0

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
        guard let (number, lapse) = next(since: joins) else { return }
        let timer = lapse.queue.after(lapse.seconds) { self.lapsed(number)?(joins) }
        lock.withLock { number == timers ? self.timer.store(timer) : timer }?.dispose()
    }

    private func next(since joins: UInt) -> (number: UInt, lapse: (seconds: Double, queue: Queue))? {
        lock.withLock {
            guard let lapse else { return nil }
            if let idleSince, joins <= idleSince { return nil }
            idleSince = joins
            timers += 1
            return (timers, lapse)
        }
    }

    private func lapsed(_ number: UInt) -> ((UInt) -> Void)? {
        lock.withLock {
            if number != timers { return nil }
            idleSince = nil
            return letGo
        }
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
