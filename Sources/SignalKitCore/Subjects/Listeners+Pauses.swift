/// The source is paused while any of the listeners is: the slowest one decides.
///
/// The source has one pause, however many listeners are paused. It is taken under the lock. A resumption may schedule
/// work, so it is called after unlocking, by one thread at a time, as in `RunHold`. So the source has at most two of
/// these pauses.
extension Listeners {
    /// Counts a paused listener, if `change` returns true. Calls it with the lock.
    ///
    /// A pause from inside a delivery of this thread makes the thread leave the section by `drain`. So the call that
    /// has sent the value reports the pause, and other calls need no further test.
    ///
    /// - Returns: false, without effect, if it has waited for the lock until `isFutile`.
    func addPause(unless isFutile: () -> Bool, _ change: () -> Bool) -> Bool {
        if !lock.lock(unless: isFutile) { return false }
        if change() {
            paused += 1
            if phase.isOpen { phase = .paused }
            section.stayIfMine()
            if !isSourcePaused {
                isSourcePaused = true
                upstream?.pause()
            }
        }
        lock.unlock()
        return true
    }

    /// Takes a listener out of the count, if `change` returns true. Calls it with the lock.
    func takePause(_ change: () -> Bool) {
        lock.lock()
        if change() { paused -= 1 }
        if paused > 0 { return lock.unlock() }
        if phase.isOpen { phase = .open }
        let resumed = takeWaiting()
        if mustResume { resumeAndUnlock() } else { lock.unlock() }
        for (queue, action) in resumed { queue.executor.enqueue(action) }
    }

    private var mustResume: Bool { paused == 0 && isSourcePaused && !isResuming }

    /// Called with the lock, which it unlocks.
    @inline(never)
    private func resumeAndUnlock(isItsTurn: Bool = false) {
        if !isItsTurn && !Turns.hasRoom {
            lock.unlock()
            return Turns.startDeeply {
                self.lock.lock()
                self.resumeAndUnlock(isItsTurn: true)
            }
        }
        while mustResume {
            isSourcePaused = false
            isResuming = true
            var source = upstream
            lock.unlock()
            source.take()?.resume()
            lock.lock()
            isResuming = false
        }
        lock.unlock()
    }

    /// Called with the lock, for a source that is stored in place of the one before.
    @inline(__always)
    func prepare(_ upstream: Subscription) {
        isSourcePaused = paused > 0
        if isSourcePaused { upstream.pause() }
        if isGoverned { upstream.govern() }
    }

    /// - Parameter isFutile: see `addPause`.
    func govern(unless isFutile: () -> Bool) {
        if !lock.lock(unless: isFutile) { return }
        if !isGoverned { upstream?.govern() }
        isGoverned = true
        lock.unlock()
    }

    /// Called with the lock.
    func takeWaiting() -> [(queue: Queue, action: () -> Void)] {
        defer { waiting = [] }
        return waiting
    }

    /// True while a listener asks for no further value.
    var isPaused: Bool { phase == .paused }

    /// Runs `action` as work of the queue when no listener is paused, or when the list has ended. A closed list
    /// releases it.
    func onResume(_ queue: Queue, _ action: @escaping () -> Void) {
        lock.lock()
        let waits = phase == .paused, isClosed = phase == .closed
        if waits { waiting.append((queue, action)) }
        lock.unlock()
        if !waits && !isClosed { queue.executor.enqueue(action) }
    }
}
