/// Which round of a source that is run again and again (or of a row of sources) counts: the decisions of `then`, `catch`, `restart`,
/// `retry` and `feedbackLoop`, without threads.
///
/// A round is a source from its start to its end. Its number is given before it is started. An end that comes while the call that starts
/// the source has not returned is kept until it has: then the loop that starts the rounds goes on, and the stack does not grow.
struct RoundMachine<End> {
    private(set) var current = 0
    private var isStarting = false
    private var hasEnded = true
    private var kept: End?

    /// Whether an event of this round still counts.
    func accepts(_ number: Int) -> Bool { number == current && !hasEnded }

    /// Gives the next round its number.
    mutating func begin() -> Int {
        current += 1
        isStarting = true
        hasEnded = false
        return current
    }

    /// The source of a round has ended. Returns the end if it is to be acted on now.
    mutating func ended(_ number: Int, _ end: End) -> End? {
        guard accepts(number) else { return nil }
        hasEnded = true
        if !isStarting { return end }
        kept = .some(end)
        return nil
    }

    /// The call that starts a round has returned. Returns the end that came meanwhile.
    mutating func started(_ number: Int) -> End? {
        guard number == current else { return nil }
        isStarting = false
        defer { kept = nil }
        return kept
    }
}
