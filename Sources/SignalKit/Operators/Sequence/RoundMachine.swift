/// Which round of a source that is run again and again (or of a row of sources) counts: the decisions of `then`,
/// `catch`, `restart`, `retry` and `feedbackLoop`, without threads.
///
/// A round is a source from its start to its end. Its number is given before it is started. What follows an end that
/// comes while the call that starts the source has not returned is kept until it has: then the loop that starts the
/// rounds goes on, and the stack does not grow.
struct RoundMachine<Next> {
    private(set) var current: SourceNumber = 0
    private var isStarting = false
    private var hasEnded = true
    private var kept: Next?

    /// Whether an event of this round still counts.
    func accepts(_ number: SourceNumber) -> Bool { number == current && !hasEnded }

    /// Gives the next round its number.
    mutating func begin() -> SourceNumber {
        current.advance()
        isStarting = true
        hasEnded = false
        return current
    }

    /// The source of a round has ended. Returns whether that counts, so that it is to be asked what follows.
    mutating func ended(_ number: SourceNumber) -> Bool {
        guard accepts(number) else { return false }
        hasEnded = true
        return true
    }

    /// It is known what follows a round. Returns it if it is to be started now.
    mutating func follows(_ number: SourceNumber, _ next: Next) -> Next? {
        guard number == current && hasEnded else { return nil }
        if !isStarting { return next }
        kept = .some(next)
        return nil
    }

    /// The call that starts a round has returned. Returns what is to be started now.
    mutating func started(_ number: SourceNumber) -> Next? {
        guard number == current else { return nil }
        isStarting = false
        defer { kept = nil }
        return kept
    }
}
