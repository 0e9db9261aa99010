import SignalKitShims

/// How long a turn of a serial queue goes on.
///
/// To wake a queue's thread takes microseconds, much of it from the thread that wakes it. So where values come faster than that, a turn that
/// finds nothing more to do stays for a moment. And a turn does not go on for ever: the queue has other work.
struct Pace {
    /// How long it takes, about, to wake a thread.
    private static var waking: Double { 10e-6 }
    /// How long a turn waits for the next value.
    private static var patience: Double { 2e-6 }
    /// After how long, and after how many batches, it is another's turn.
    private static var longest: Double { 50e-6 }
    private static var most: Int { 32 }

    private let canStay: Bool
    private let lastTurn: Double
    private let start: Double
    private var now: Double
    private var batches = 0
    private var values = 0

    /// - Parameters:
    ///   - canStay: whether the turn may stay, and goes by the time.
    ///   - lastTurn: when the turn before came to its end.
    init(canStay: Bool, since lastTurn: Double) {
        self.canStay = canStay
        self.lastTurn = lastTurn
        now = canStay ? DeadlineClock.now : 0
        start = now
    }

    /// A batch of so many values is to be delivered.
    mutating func began(_ count: Int) {
        batches += 1
        values += count
    }

    /// Looks at the time, and returns it.
    mutating func look() -> Double {
        if canStay { now = DeadlineClock.now }
        return now
    }

    /// Whether the queue's other work is to have its chance.
    var isSpent: Bool { batches >= Pace.most || now - start > Pace.longest }

    /// Lets other threads run for a moment, as long as there is nothing to do, if it is likely that something comes meanwhile.
    func stay(while isIdle: () -> Bool) {
        if !canStay || now - lastTurn > Double(values) * Pace.waking { return }
        while isIdle() && DeadlineClock.now - now < Pace.patience { sgk_shim_yield() }
    }
}
