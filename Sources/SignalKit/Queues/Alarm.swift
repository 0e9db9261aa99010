/// Calls a closure on a queue when its time has come. It can be set again and again, also from inside what it calls; at
/// most one of its times is ahead.
final class Alarm: ScheduledWork, @unchecked Sendable {
    // Under the timeline's lock.
    @exclusivity(unchecked) private var work: (() -> Void)?
    @exclusivity(unchecked) private var isOver = false

    init(_ executor: Executor, _ work: (() -> Void)? = nil) {
        self.work = work
        super.init(executor)
    }

    /// Calls `f` on the queue when its clock shows `time`, never inline. What it was set to before is called off.
    func set(_ time: Double, _ f: @escaping () -> Void) {
        var other: (() -> Void)? = f
        set { _ in
            if isOver { return nil }
            swap(&work, &other)
            return time
        }
    }

    override func run() { timeline.locked { begins() ? work.take() : nil }?() }

    /// From now on it is not set any more.
    override func dispose() {
        let dropped = timeline.locked {
            isOver = true
            return callOff() ? work.take() : nil
        }
        withExtendedLifetime(dropped) {}
    }
}
