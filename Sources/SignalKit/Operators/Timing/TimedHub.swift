/// A hub that time comes into. Its alarm is in the other slot.
class TimedHub<T, E>: SuccessionHub<T, E> {
    final let queue: Queue
    private let alarm: Alarm

    init(_ sink: Sink<T, E>, _ queue: Queue) {
        self.queue = queue
        alarm = Alarm(queue.executor)
        super.init(sink)
        store(alarm, in: SuccessionSlot.other)
    }

    /// What waits for a time that does not come any more, since its clock goes, is dropped with its inlet's place: so
    /// no last inlet has gone.
    deinit { tearDown() }

    /// Asks for `timeHasCome` at this time, on the queue, when nothing has been asked for or the time for it has
    /// come. In the section, or inside `open`.
    final func wake(at time: Double) {
        addInlet()
        alarm.set(time) {
            self.submit { [unowned(unsafe) self] in timeHasCome() }
            self.removeInlet()
        }
    }

    /// In the section.
    func timeHasCome() { mustOverride() }
}
