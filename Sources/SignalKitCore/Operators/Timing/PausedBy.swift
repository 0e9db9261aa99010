/// Pauses the source while the latest value of `condition` is true.
///
/// `condition` is started first, so a value that it emits during its start holds back the first value. It is never
/// paused itself. Its completion is ignored, and its last value stays. Its error ends the result.
///
/// The operator stores no value. A source that cannot be paused keeps emitting, and its values pass (see
/// `OverflowPolicy`).
public func paused<T, E>(by condition: Signal<Bool, E>) -> (Signal<T, E>) -> Signal<T, E> {
    { source in beside(condition, source) { ValveHub<T, E>($0) } }
}

/// Its effect is the resumption. Inside the section the source could continue on another thread, and leave each value
/// to this one.
private final class ValveHub<T, E>: CompanionHub<T, Bool, T, E>, Effect {
    // Access only in the section.
    /// True if the hub has a pause of its own.
    @exclusivity(unchecked) private var isShut = false
    @exclusivity(unchecked) private var mustResume = false

    override init(_ sink: Sink<T, E>) {
        super.init(sink)
        govern()
    }

    override func next(_ value: T, at place: Int) { emit(value) }

    override func other(_ shuts: Bool) {
        if shuts == isShut { return }
        isShut = shuts
        if shuts { return pause() }
        mustResume = true
        enqueue {} // the thread that handles this event takes the effect
    }

    override func takeEffect() -> (any Effect)? {
        defer { mustResume = false }
        return mustResume ? self : nil
    }

    func perform() { resume() }
    func performed() {}
}
