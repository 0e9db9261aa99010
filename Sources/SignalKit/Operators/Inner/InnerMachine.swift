/// Decides which inner signals run, and when, for `switchToLatest`, `queue` and `throttled`, without threads.
///
/// An inner signal has a number, assigned before its start. Therefore a newer signal has a higher number even if it
/// arrives during that start. Events of other numbers than the current one are ignored. The inner signals are stored as
/// `AnyObject`, because generic code would look up their type at each event.
struct InnerMachine {
    enum Mode {
        /// A new inner replaces the current one.
        case latest
        /// A new inner waits for its turn.
        case queue
        /// A new inner signal is pending, and replaces the one that is pending already.
        case throttled
    }

    enum Action {
        case start(AnyObject, number: SourceNumber)
        case complete
    }

    private var pending = Fifo<AnyObject>()
    private var current: SourceNumber = 0
    private let mode: Mode
    private var isRunning = false
    private var isStarting = false
    private var isOuterDone = false

    init(_ mode: Mode) {
        self.mode = mode
    }

    /// True if a new inner signal is started immediately, and no other one must be disposed for it.
    var isIdle: Bool { !isRunning && !isStarting }

    func isCurrent(_ number: SourceNumber) -> Bool { isRunning && number == current }

    @inline(__always)
    mutating func outer(_ inner: AnyObject) -> Action? {
        if isIdle || mode == .latest { return start(inner) }
        if mode == .throttled { pending.removeAll() }
        pending.append(inner)
        return nil
    }

    mutating func outerCompleted() -> Action? {
        isOuterDone = true
        return isRunning || isStarting ? nil : .complete
    }

    /// The call that starts an inner signal has returned. If that signal ended inside the call, the next one is started
    /// only now. Thus a loop starts them, and the stack does not grow. The completion of the whole does not wait for
    /// this.
    mutating func started(_ number: SourceNumber) -> Action? {
        guard number == current else { return nil }
        isStarting = false
        return isRunning ? nil : proceed()
    }

    mutating func innerCompleted(_ number: SourceNumber) -> Action? {
        guard isCurrent(number) else { return nil }
        isRunning = false
        if isStarting { return isOuterDone && pending.isEmpty ? .complete : nil }
        return proceed()
    }

    private mutating func proceed() -> Action? {
        if let inner = pending.popFirst() { return start(inner) }
        return isOuterDone ? .complete : nil
    }

    @inline(__always)
    private mutating func start(_ inner: AnyObject) -> Action {
        current.advance()
        isRunning = true
        isStarting = true
        return .start(inner, number: current)
    }
}
