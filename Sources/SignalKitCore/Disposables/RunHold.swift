/// A pause of a subscription by the program (see `Disposable.hold`). Its disposal takes the pause back, and so does its
/// release.
public final class RunHold: Disposable, @unchecked Sendable {
    /// The holds of the same subscription. Nil if that was over.
    private let all: RunHolds?
    /// Guarded by the lock of `all`.
    @exclusivity(unchecked) private var isOver = false

    private init(_ all: RunHolds?) { self.all = all }

    deinit { end() }

    /// Returns a new hold of a subscription.
    static func on(_ run: Subscription) -> RunHold {
        while !run.isDone {
            let all = unsafeDowncast(RunHolds(run).enterOnce(run: run), to: RunHolds.self)
            if all.add() { return RunHold(all) }
            // The last hold is ending.
            _ = all.take()
        }
        return RunHold(nil)
    }

    /// Takes the pause back. If no other hold or stage asks for a pause, the source continues, never inside this call.
    public func dispose() { end() }

    private func end() {
        all?.remove {
            defer { isOver = true }
            return !isOver
        }
    }
}

/// The holds of one subscription. It adds one pause to those of the stages, however many holds there are.
///
/// A pause is taken under the lock. A resumption may schedule work, so it is called after unlocking, by one thread at a
/// time. If all holds go while a thread is resuming, that thread resumes once more. So the subscription has at most two
/// of these pauses, and holds cannot exhaust its count.
private final class RunHolds: Membership {
    private let lock = SmallLock()
    // The lock guards the following fields.
    /// The subscription, until it or its last hold ends.
    @exclusivity(unchecked) private var run: Subscription?
    @exclusivity(unchecked) private var count = 0
    /// True if the subscription has a pause that no thread is about to take back.
    @exclusivity(unchecked) private var isPaused = false
    @exclusivity(unchecked) private var isResuming = false

    init(_ run: Subscription) {
        self.run = run
        super.init(of: run)
    }

    /// The subscription is its own container for these.
    override func isIn(_ container: AnyObject) -> Bool { isOf(container) }

    /// Adds a hold. Returns false if these do not count any longer.
    func add() -> Bool {
        lock.withLock {
            guard let run else { return false }
            count += 1
            if !isPaused {
                isPaused = true
                run.pause()
            }
            return true
        }
    }

    /// Removes a hold, if `isThere` returns true. Calls it with the lock.
    func remove(if isThere: () -> Bool) {
        lock.lock()
        if !isThere() || run == nil { return lock.unlock() }
        count -= 1
        resumeAndUnlock()
    }

    /// Called with the lock, which it unlocks. Resumes as long as there is a pause without a hold.
    private func resumeAndUnlock() {
        if isResuming { return lock.unlock() }
        while count == 0 && isPaused, let run {
            isPaused = false
            isResuming = true
            lock.unlock()
            run.resume()
            lock.lock()
            isResuming = false
        }
        let over = count == 0 ? run.take() : nil
        lock.unlock()
        // Its address is the key, so the subscription goes after that.
        if over != nil { _ = take() }
    }

    /// The subscription is over.
    override func leave() {
        let over = lock.withLock { run.take() }
        withExtendedLifetime(over) {}
    }
}

extension Disposable {
    /// Pauses the source of a subscription until the result is disposed or released.
    ///
    /// Holds and the pauses of full buffers (`OverflowPolicy.pause`) are counted together. The source continues after
    /// the last of them. Values that wait for a queue, a delay or their rate go on waiting. Values that wait in an
    /// operator that combines signals still arrive, and so does the end. A source that cannot be paused keeps emitting.
    /// A call from inside `next` lets no further value pass. A call from another thread lets at most one pass.
    ///
    /// A hold does not keep the program's objects alive after the end of the subscription.
    ///
    /// - Returns: the hold, without effect if the subscription is over. Nil if `start`, `startWaitable` or
    ///   `startStrict` did not return this disposable.
    public func hold() -> RunHold? { Membership.run(of: self).map { RunHold.on($0) } }
}
