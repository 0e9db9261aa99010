/// Which inner signals of a signal of signals run, and when: the decisions of `switchToLatest`, `queue` and
/// `throttled`, without threads.
///
/// An inner is known by its number. The number is given before the inner is started, so that a newer one is newer
/// whatever happens during the start; events of any other than the current one do not count. The inners are objects of
/// any type: code that is generic over them would look that type up at each event.
struct InnerMachine {
    enum Mode {
        /// A new inner replaces the current one.
        case latest
        /// A new inner waits for its turn.
        case queue
        /// A new inner waits, and replaces whatever waits already.
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

    /// Whether an inner that arrives now is started at once, and no other has to be disposed for it.
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

    /// The call that starts an inner has returned. If the inner has ended meanwhile, it is only now that the next one
    /// follows: the loop that starts them goes on, and the stack does not grow. (The end of all does not wait for
    /// that.)
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
