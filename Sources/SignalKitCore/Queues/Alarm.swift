/// Calls a closure on a queue at a given time. It can be set repeatedly, also inside the closure. At most one time is
/// pending.
final class Alarm: ScheduledWork, @unchecked Sendable {
    // Under the timeline's lock.
    @exclusivity(unchecked) private var work: (() -> Void)?
    @exclusivity(unchecked) private var isOver = false

    init(_ executor: Executor, _ work: (() -> Void)? = nil) {
        self.work = work
        super.init(executor)
    }

    /// Calls `f` on the queue when its clock shows `time`, never inline. It cancels the previous setting.
    func set(_ time: Double, _ f: @escaping () -> Void) {
        var other: (() -> Void)? = f
        set { _ in
            if isOver { return nil }
            swap(&work, &other)
            return time
        }
    }

    override func run() { timeline.locked { begins() ? work.take() : nil }?() }

    /// Cancels the alarm. Later settings have no effect.
    override func dispose() {
        let dropped = timeline.locked {
            isOver = true
            return callOff() ? work.take() : nil
        }
        withExtendedLifetime(dropped) {}
    }
}
