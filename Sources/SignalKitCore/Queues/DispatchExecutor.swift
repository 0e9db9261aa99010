#if !SIGNALKIT_LIBRARY
import Dispatch
import SignalKitShims

/// Runs the work of a `Queue` on a dispatch queue, with the Swift overlay of libdispatch, because Swift programs
/// exchange such queues.
final class DispatchExecutor: Executor {
    private enum Kind { case main, global, untagged, tagged }

    let native: DispatchQueue
    private let kind: Kind
    private let tag: Tag?

    fileprivate static let main = DispatchExecutor(.main, .main)

    fileprivate static func global(background: Bool) -> DispatchExecutor {
        DispatchExecutor(.global(qos: background ? .background : .default), .global)
    }

    static func serial(label: String, qos: DispatchQoS) -> DispatchExecutor {
        DispatchExecutor(DispatchQueue(label: label, qos: qos), .tagged)
    }

    static func wrapping(_ native: DispatchQueue, isSerial: Bool) -> DispatchExecutor {
        DispatchExecutor(native, isSerial ? .tagged : .untagged)
    }

    private init(_ native: DispatchQueue, _ kind: Kind) {
        self.native = native
        self.kind = kind
        tag = kind == .tagged || kind == .main ? Tag.of(native) : nil
        super.init(tag?.tickets ?? Tickets(ordered: kind != .global))
    }

    /// Identifies a queue within its work, and within the work of queues that target it, by a separate key. The native
    /// queue retains the tag. So no other key can have its address while work of the queue can run.
    private final class Tag: Sendable {
        private static let tagOfQueue = DispatchSpecificKey<Tag>()
        let key = DispatchSpecificKey<Tag>()
        /// Shared by all `Queue`s that wrap the dispatch queue.
        let tickets = Tickets()
        /// It retains this tag. Access only in its work.
        unowned let native: DispatchQueue

        private init(_ native: DispatchQueue) { self.native = native }

        /// Returns the queue's tag. A queue that is wrapped again keeps its tag.
        static func of(_ native: DispatchQueue) -> Tag {
            if let tag = native.getSpecific(key: tagOfQueue) { return tag }
            let tag = Tag(native)
            native.setSpecific(key: tag.key, value: tag)
            native.setSpecific(key: tagOfQueue, value: tag)
            return tag
        }
    }

    override var isCurrent: Bool {
        switch kind {
        case .global, .untagged: return false
        case .tagged: return DispatchQueue.getSpecific(key: tag!.key) != nil
        // In a program that waits in `dispatchMain`, such as one with an asynchronous main, the queue's work runs on
        // any thread.
        case .main: return DispatchQueue.getSpecific(key: tag!.key) != nil || sgk_shim_is_main_thread()
        }
    }

    /// Returns an executor of the serial queue whose work the caller runs, by its owner.
    static func current(of owner: CurrentWork.Owner) -> DispatchExecutor {
        let tag = Unmanaged<Tag>.fromOpaque(UnsafeRawPointer(bitPattern: owner)!).takeUnretainedValue()
        return tag === main.tag ? main : DispatchExecutor(tag.native, .tagged)
    }

    /// Whether the caller is in work of the main queue, even if other code enqueued it.
    static var isInMainQueue: Bool { DispatchQueue.getSpecific(key: main.tag!.key) != nil }

    override var isConcurrent: Bool { kind == .global }
    override var canStay: Bool { kind == .tagged }

    override func put(_ work: @escaping () -> Void) -> Bool {
        put(qos: .unspecified, flags: [], work)
        return true
    }

    func enqueue(qos: DispatchQoS, flags: DispatchWorkItemFlags, _ work: @escaping () -> Void) {
        put(qos: qos, flags: flags, work)
        tickets.count()
    }

    private func put(qos: DispatchQoS, flags: DispatchWorkItemFlags, _ work: @escaping () -> Void) {
        if kind == .main { MainQueueWatch.shared.sent() }
        let baton = Baton(section, kind == .main, work)
        baton.handOver()
        native.async(qos: qos, flags: flags) { baton.runAndLetGo() }
    }

    override func enqueueAndWait(_ work: () -> Void) {
        if kind == .main { MainQueueWatch.shared.sent() }
        tickets.count()
        let baton = Baton(section, kind == .main)
        baton.handOver()
        native.sync { baton.run(work) }
        baton.takeOver()
    }

    override var workOwner: CurrentWork.Owner { section.map { .init(bitPattern: $0) } ?? super.workOwner }

    /// By what ThreadSanitizer knows the queue's work to run one after another, if it does.
    private var section: UnsafeMutableRawPointer? { tag.map { Unmanaged.passUnretained($0).toOpaque() } }

    /// Informs ThreadSanitizer that the work after the hand-over sees the writes before it.
    private final class Baton: @unchecked Sendable {
        private let section: UnsafeMutableRawPointer?
        private var work: (() -> Void)?

        private let isMain: Bool

        init(_ section: UnsafeMutableRawPointer?, _ isMain: Bool, _ work: (() -> Void)? = nil) {
            self.section = section
            self.isMain = isMain
            self.work = work
        }

        func runAndLetGo() {
            run { work?() }
            work = nil
        }

        func handOver() { sgk_shim_hand_over(Unmanaged.passUnretained(self).toOpaque()) }
        func takeOver() { sgk_shim_take_over(Unmanaged.passUnretained(self).toOpaque()) }

        func run(_ work: () -> Void) {
            takeOver()
            if isMain { MainQueueWatch.shared.settle() }
            if let section { sgk_shim_take_over(section) }
            if let section { CurrentWork.runDispatched(of: .init(bitPattern: section), work) } else { work() }
            if let section { sgk_shim_hand_over(section) }
            handOver()
        }
    }
}

extension Queue {
    /// The queue of the main thread, as `queue: .main`.
    public static let main = Queue(executor: DispatchExecutor.main)
    static let concurrentDefault = Queue(executor: DispatchExecutor.global(background: false))
    static let concurrentBackground = Queue(executor: DispatchExecutor.global(background: true))

    /// A new serial queue, tagged so that it knows itself.
    public convenience init(name: String? = nil, qos: DispatchQoS = .default) {
        self.init(executor: DispatchExecutor.serial(label: name ?? "", qos: qos))
    }

    /// Wraps an existing queue.
    ///
    /// - Parameters:
    ///   - queue: runs the work.
    ///   - isSerial: whether `queue` is serial. The caller must know, because a dispatch queue does not report it. If
    ///     true, `isCurrent` is true inside its work, and `async` and `sync` run inline there. If false, it is never
    ///     current. Then `sync` inside its own work ends the program if the native queue is serial.
    public convenience init(queue: DispatchQueue, isSerial: Bool = false) {
        self.init(executor: DispatchExecutor.wrapping(queue, isSerial: isSerial))
    }

    /// The native queue. Queues of a thread pool, of a custom event loop and of virtual time have no native queue.
    public var queue: DispatchQueue {
        guard let executor = executor as? DispatchExecutor else {
            preconditionFailure("this Queue does not run on a dispatch queue")
        }
        return executor.native
    }

    /// Runs `f` later, never inline, with its own quality of service if the queue supports that.
    @preconcurrency
    public func justDispatchWithQoS(qos: DispatchQoS, _ f: @escaping @Sendable () -> Void) {
        if let executor = executor as? DispatchExecutor {
            executor.enqueue(qos: qos, flags: .enforceQoS, f)
        } else {
            executor.enqueue(f)
        }
    }
}
#endif
