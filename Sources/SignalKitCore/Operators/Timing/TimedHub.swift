/// A hub with one source and a timer.
class TimedHub<Input, T, E>: JoinHub<Input, T, E> {
    final let queue: Queue
    private let alarm: Alarm

    init(_ sink: Sink<T, E>, _ queue: Queue) {
        self.queue = queue
        alarm = Alarm(queue.executor)
        super.init(sink, places: 1)
    }

    override final func disposeSources() {
        super.disposeSources()
        Turns.dispose(alarm)
    }

    /// If a clock is destroyed, its pending timers never fire. The inlet's place is dropped with the timer, so the last
    /// inlet was not released.
    deinit { tearDown() }

    /// Requests a call of `timeHasCome` at this time, on the queue. Call it only if no request is pending, in the
    /// section or inside `open`.
    final func wake(at time: Double) {
        addInlet()
        set(time)
    }

    final private func set(_ time: Double) {
        alarm.set(time) {
            self.submit { [unowned(unsafe) self] in timeHasCome() }
            self.removeInlet()
        }
    }

    /// In the section.
    func timeHasCome() { mustOverride() }

    /// Returns true if values wait for the end of a pause. Then `timeHasCome` is called again.
    final func waitsForResumption() -> Bool {
        if !parks() { return false }
        addInlet()
        return true
    }

    override final func goOn() { set(queue.now) }
}
