import SignalKitShims

/// How long a turn of a queue goes on.
///
/// To wake a queue's thread takes microseconds, much of it from the thread that wakes it. So where values come faster than that, a turn that
/// finds nothing more to do stays for a moment. And a turn does not go on for ever: the queue has other work.
struct Pace {
    /// How long it takes, about, to wake a thread.
    private static var waking: Double { 10e-6 }
    /// How long a turn waits for the next value.
    private static var patience: Double { 2e-6 }
    /// After this time it is another's turn.
    private static var share: Double { 50e-6 }

    /// How many values the turn has delivered.
    var count = 0
    /// The time when it was last looked at.
    private(set) var now: Double
    private let lastTurn: Double
    private let start: Double

    /// - Parameter lastTurn: when the turn before came to its end.
    init(since lastTurn: Double) {
        self.lastTurn = lastTurn
        now = DeadlineClock.now
        start = now
    }

    var isSpent: Bool {
        mutating get {
            now = DeadlineClock.now
            return now - start > Pace.share
        }
    }

    /// Nothing waits. Lets other threads run for a moment, if it is likely that something comes meanwhile; returns whether it has.
    mutating func awaitMore(_ hasCome: () -> Bool) -> Bool {
        now = DeadlineClock.now
        if now - lastTurn > Double(count) * Pace.waking { return false }
        let end = now + Pace.patience
        repeat {
            sgk_shim_yield()
            if hasCome() { return true }
            now = DeadlineClock.now
        } while now < end
        return false
    }
}
