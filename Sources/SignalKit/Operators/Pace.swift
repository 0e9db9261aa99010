import SignalKitShims

/// How long a turn of a serial queue goes on, and how often it looks.
///
/// To wake a queue's thread takes microseconds, much of it from the thread that wakes it; and a look whether values wait takes from whoever
/// puts them the cache line that they write. So where values come in quick succession, a turn looks for them once in a while, and ends when
/// there were none in that time. And it does not go on for ever: the queue has other work.
struct Pace {
    /// How long it takes, about, to wake a thread.
    private static var waking: Double { 10e-6 }
    /// How often a turn looks.
    private static var interval: Double { 2e-6 }
    /// After how long, and after how many batches, it is another's turn.
    private static var longest: Double { 50e-6 }
    private static var most: Int { 32 }

    private let canStay: Bool
    private let lastTurn: Double
    private let start: Double
    private var lastLook: Double
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
        lastLook = now
    }

    /// A batch of so many values, which was taken at the last look, has been delivered. Returns the time.
    mutating func delivered(_ count: Int) -> Double {
        batches += 1
        values += count
        lastLook = now
        if canStay { now = DeadlineClock.now }
        return now
    }

    /// Whether the queue's other work is to have its chance.
    var isSpent: Bool { batches >= Pace.most || now - start > Pace.longest }

    /// Lets other threads run until it is time to look again, if values come in quick succession.
    mutating func rest() {
        if !canStay || now - lastTurn > Double(values) * Pace.waking { return }
        while now - lastLook < Pace.interval {
            sgk_shim_yield()
            now = DeadlineClock.now
        }
    }
}
