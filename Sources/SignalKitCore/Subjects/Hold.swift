/// Keeps a shared subscription alive without listeners, for some time after the last one has left, or until `end`.
///
/// While it holds, it retains the subscription through `letGo`. After that it retains no object of the user, so it may
/// be released under a lock.
final class Hold: @unchecked Sendable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var lapse: (seconds: Double, queue: Queue)?
    @exclusivity(unchecked) private var timer = Slot.empty
    @exclusivity(unchecked) private var letGo: ((_ joins: UInt) -> Void)?
    /// The number of joins for which the timer was started. Events of an idle subscription do not restart it.
    @exclusivity(unchecked) private var idleSince: UInt?
    /// The number of timers so far. Only the latest counts, even if an older one is stored after it.
    @exclusivity(unchecked) private var timers: UInt = 0

    /// - Parameter lapse: how long an idle subscription is held, and the queue whose clock measures it. Nil holds it
    ///   until the end.
    init(_ lapse: (seconds: Double, queue: Queue)?) {
        self.lapse = lapse
    }

    /// Called before a listener can join.
    ///
    /// - Parameter letGo: ends the subscription if no listener has joined since the given number of joins.
    func begin(_ letGo: @escaping (_ joins: UInt) -> Void) { lock.withLock { self.letGo = letGo } }

    /// Called without a lock. So a call may be older than a call that has already returned on another thread.
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

    /// The subscription is over.
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
