#if !hasFeature(Embedded)
import Dispatch
import SignalKitShims

/// A dispatch queue, by libdispatch's Swift overlay, which is what Swift programs exchange queues in.
final class DispatchExecutor: Executor {
    private enum Kind { case main, untagged, own }

    let native: DispatchQueue
    private let kind: Kind
    private let key = DispatchSpecificKey<Void>()

    static let main = DispatchExecutor(.main, .main)

    static func global(background: Bool) -> DispatchExecutor {
        DispatchExecutor(.global(qos: background ? .background : .default), .untagged)
    }

    static func serial(label: String, qos: DispatchQoS) -> DispatchExecutor {
        DispatchExecutor(DispatchQueue(label: label, qos: qos), .own)
    }

    static func wrapping(_ native: DispatchQueue) -> DispatchExecutor {
        DispatchExecutor(native, .untagged)
    }

    private init(_ native: DispatchQueue, _ kind: Kind) {
        self.native = native
        self.kind = kind
        super.init()
        if kind == .own { native.setSpecific(key: key, value: ()) }
    }

    override var isCurrent: Bool {
        switch kind {
        case .main: return sgk_shim_is_main_thread()
        case .untagged: return false
        case .own: return DispatchQueue.getSpecific(key: key) != nil
        }
    }

    override var now: Double { sgk_shim_monotonic_seconds() }

    override func enqueue(_ work: @escaping () -> Void) {
        enqueue(qos: .unspecified, flags: [], work)
    }

    func enqueue(qos: DispatchQoS, flags: DispatchWorkItemFlags, _ work: @escaping () -> Void) {
        let baton = Baton()
        baton.handOver()
        native.async(qos: qos, flags: flags) {
            baton.takeOver()
            work()
        }
    }

    override func enqueueAndWait(_ work: () -> Void) {
        let baton = Baton()
        baton.handOver()
        native.sync {
            baton.takeOver()
            work()
            baton.handOver()
        }
        baton.takeOver()
    }

    override func schedule(after delay: Double, every interval: Double?, _ work: @escaping () -> Void) -> any Disposable {
        let source = DispatchSource.makeTimerSource(queue: native)
        let scheduled = DispatchTimer(source, repeats: interval != nil, work)
        let start = DispatchTime.now() + .nanoseconds(Int(nanoseconds(delay)))
        source.schedule(deadline: start, repeating: interval.map { .nanoseconds(Int(max(nanoseconds($0), 1))) } ?? .never)
        let baton = Baton()
        baton.handOver()
        source.setEventHandler {
            baton.takeOver()
            scheduled.fire()
            baton.handOver()
        }
        source.resume()
        return scheduled
    }

    private final class DispatchTimer: ScheduledWork {
        private let source: any DispatchSourceTimer

        init(_ source: any DispatchSourceTimer, repeats: Bool, _ work: @escaping () -> Void) {
            self.source = source
            super.init(repeats: repeats, work)
        }

        override func stop() { source.cancel() }
    }

    /// Tells ThreadSanitizer that what one thread did before the hand-over is seen by the other after it.
    private final class Baton: @unchecked Sendable {
        func handOver() { sgk_shim_hand_over(Unmanaged.passUnretained(self).toOpaque()) }
        func takeOver() { sgk_shim_take_over(Unmanaged.passUnretained(self).toOpaque()) }
    }
}

extension Queue {
    /// A new serial queue, tagged so that it knows itself.
    public convenience init(name: String? = nil, qos: DispatchQoS = .default) {
        self.init(executor: DispatchExecutor.serial(label: name ?? "", qos: qos))
    }

    /// The same, named by a C string.
    convenience init(cName: UnsafePointer<CChar>?) {
        self.init(name: cName.map { String(cString: $0) })
    }

    /// Wraps an existing queue. It is never current.
    public convenience init(queue: DispatchQueue) {
        self.init(executor: DispatchExecutor.wrapping(queue))
    }

    /// The native queue.
    public var queue: DispatchQueue { (executor as! DispatchExecutor).native }

    /// Runs `f` later, never inline, with a quality of service of its own.
    public func justDispatchWithQoS(qos: DispatchQoS, _ f: @escaping () -> Void) {
        (executor as! DispatchExecutor).enqueue(qos: qos, flags: .enforceQoS, f)
    }
}
#endif
