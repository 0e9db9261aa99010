/// Decides which round counts for `then`, `catch`, `restart`, `retry` and `feedbackLoop`, without threads.
///
/// A round is a source from its start to its end. It gets its number before the start. If the source ends inside the
/// call that starts it, the next round is stored until that call returns. Thus a loop starts the rounds, and the stack
/// does not grow.
struct RoundMachine<Next> {
    private(set) var current: SourceNumber = 0
    private var isStarting = false
    private var hasEnded = true
    private var kept: Next?

    /// Returns whether events of this round count.
    func accepts(_ number: SourceNumber) -> Bool { number == current && !hasEnded }

    /// Gives the next round its number.
    mutating func begin() -> SourceNumber {
        current.advance()
        isStarting = true
        hasEnded = false
        return current
    }

    /// The source of a round has ended. Returns true if that counts, and the caller then asks for the next round.
    mutating func ended(_ number: SourceNumber) -> Bool {
        guard accepts(number) else { return false }
        hasEnded = true
        return true
    }

    /// The next round is known. Returns it if the caller must start it now.
    mutating func follows(_ number: SourceNumber, _ next: Next) -> Next? {
        guard number == current && hasEnded else { return nil }
        if !isStarting { return next }
        kept = .some(next)
        return nil
    }

    /// The call that starts a round has returned. Returns the next round if the caller must start it now.
    mutating func started(_ number: SourceNumber) -> Next? {
        guard number == current else { return nil }
        isStarting = false
        defer { kept = nil }
        return kept
    }
}
