/// Pauses the source while the latest value of `condition` is true.
///
/// `condition` is started first, so a value that it emits during its start holds back the first value. It is never
/// paused itself. Its completion is ignored, and its last value stays. Its error ends the result.
///
/// The operator stores no value. A source that cannot be paused keeps emitting, and its values pass (see
/// `OverflowPolicy`).
public func paused<T, E>(by condition: Signal<Bool, E>) -> (Signal<T, E>) -> Signal<T, E> {
    paused(by: condition) { isTrue, _ in isTrue }
}

/// Like `paused`, for a condition of any type. `isTrue` may end the hub, and returns nil then.
func paused<T, U, E>(
    by condition: Signal<U, E>, as operation: CString = #function, _ isTrue: @escaping (U, Hub<T, E>) -> Bool?
) -> (Signal<T, E>) -> Signal<T, E> {
    { source in beside(condition, source, as: operation) { ValveHub<T, U, E>($0, isTrue) } }
}

/// Its effect is the resumption. Inside the section the source could continue on another thread, and leave each value
/// to this one.
private final class ValveHub<T, U, E>: CompanionHub<T, U, T, E>, Effect {
    private let isTrue: (U, Hub<T, E>) -> Bool?
    /// Access only in the section.
    @exclusivity(unchecked) private var mustResume = false

    init(_ sink: Sink<T, E>, _ isTrue: @escaping (U, Hub<T, E>) -> Bool?) {
        self.isTrue = isTrue
        super.init(sink)
        govern()
    }

    override func next(_ value: T, at place: Int) { emit(value) }

    override func other(_ value: U) {
        let isShut = flags & Flag.ownPause != 0
        guard let shuts = isTrue(value, self), shuts != isShut else { return }
        lock.lock()
        let source = source(at: 0) // if it is not there yet, it starts as the flag says
        if shuts {
            _ = raise(Flag.ownPause)
            source?.pause()
        } else {
            lower(Flag.ownPause)
            mustResume = source != nil
        }
        lock.unlock()
        if mustResume { enqueue {} } // the thread that handles this event takes the effect
    }

    override func takeEffect() -> (any Effect)? {
        defer { mustResume = false }
        return mustResume ? self : nil
    }

    func perform() { lock.withLock { source(at: 0) }?.resume() }
    func performed() {}
}
