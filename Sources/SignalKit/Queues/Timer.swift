/// Calls a closure on a queue after some time, once or again and again.
///
/// A running timer does not keep itself: letting go of it cancels it. Starting a running timer replaces its schedule; one that has fired
/// or was invalidated can be started again. After `invalidate` on the timer's queue it does not fire again; from elsewhere one firing may
/// be in progress.
public final class Timer: @unchecked Sendable {
    private let timeout: Double
    private let repeats: Bool
    private let queue: Queue
    private let completion: () -> Void
    private let schedule = MetaDisposable()

    /// - Parameters:
    ///   - timeout: seconds until the first firing, and between firings.
    ///   - completion: runs on `queue`.
    public init(timeout: Double, repeat: Bool, completion: @escaping () -> Void, queue: Queue) {
        self.timeout = timeout
        repeats = `repeat`
        self.queue = queue
        self.completion = completion
    }

    deinit {
        schedule.dispose()
    }

    public func start() {
        schedule.set(nil)
        schedule.set(queue.executor.schedule(after: timeout, every: repeats ? timeout : nil, completion))
    }

    public func invalidate() {
        schedule.set(nil)
    }
}

#if !hasFeature(Embedded)
extension Timer {
    /// The completion receives the timer, which it may `invalidate` or `start` again.
    public convenience init(timeout: Double, repeat: Bool, completion: @escaping (Timer) -> Void, queue: Queue) {
        final class Reference: @unchecked Sendable { weak var timer: Timer? }
        let reference = Reference()
        self.init(timeout: timeout, repeat: `repeat`, completion: { if let timer = reference.timer { completion(timer) } }, queue: queue)
        reference.timer = self
    }
}
#endif
