import SignalKitShims

/// Which queue's work the calling thread runs. It is a stack, whose innermost frame is current. The frame of work that
/// another thread waits for leads to the stack of that thread as well.
enum CurrentWork {
    struct Frame {
        fileprivate let queue: Unmanaged<JobQueue>?
        /// Without a queue: what else stands still, or is moved, while this runs.
        fileprivate let place: Place
        /// What the thread was doing before.
        fileprivate let below: UnsafeMutablePointer<Frame>?
        /// What the thread that waits for this is doing.
        fileprivate let waiting: UnsafeMutablePointer<Frame>?

        fileprivate var standing: Standing {
            if queue != nil { return .still }
            switch place {
            case .serial: return .still
            case let .virtual(clock): return .moving(clock.takeUnretainedValue())
            case .none:
                if let below, case let found = below.pointee.standing, !found.isFree { return found }
                return waiting?.pointee.standing ?? .free
            }
        }

        fileprivate func isOf(_ queue: JobQueue) -> Bool {
            self.queue?.toOpaque() == Unmanaged.passUnretained(queue).toOpaque()
        }

        fileprivate func contains(_ queue: JobQueue) -> Bool {
            isOf(queue) || below?.pointee.contains(queue) == true || waiting?.pointee.contains(queue) == true
        }
    }

    fileprivate enum Place {
        case none
        /// A serial queue on a loop of the program's own.
        case serial
        case virtual(Unmanaged<VirtualClock>)
    }

    /// What waits for what the calling thread does.
    enum Standing {
        case free
        /// A serial queue.
        case still
        /// The thread can move the time itself.
        case moving(VirtualClock)

        fileprivate var isFree: Bool {
            if case .free = self { return true }
            return false
        }
    }

    /// The innermost queue decides; if there is none, that of who waits for the work.
    static var standing: Standing { frame?.pointee.standing ?? .free }

    /// The innermost; it lies on the thread's stack.
    static var frame: UnsafeMutablePointer<Frame>? { sgk_shim_work_here()?.assumingMemoryBound(to: Frame.self) }

    static func isOf(_ queue: JobQueue) -> Bool { frame?.pointee.isOf(queue) ?? false }

    /// Whether the queue's work is on the thread's stack, or on that of a thread that waits for it.
    static func isPart(of queue: JobQueue) -> Bool { frame?.pointee.contains(queue) ?? false }

    /// Runs `body` as work of the queue; nil stands for a queue that is never current.
    @inline(__always)
    static func run(of queue: JobQueue?, _ body: () -> Void) {
        run(Frame(queue: queue.map { Unmanaged.passUnretained($0) }, place: .none, below: frame, waiting: nil), body)
    }

    /// Runs `body` as work of a serial queue on a loop of the program's own.
    static func runSerial(_ body: () -> Void) {
        run(Frame(queue: nil, place: .serial, below: frame, waiting: nil), body)
    }

    /// Runs `body` as work of virtual time, on the thread that moves that.
    static func run(of clock: VirtualClock, _ body: () -> Void) {
        run(Frame(queue: nil, place: .virtual(Unmanaged.passUnretained(clock)), below: frame, waiting: nil), body)
    }

    /// Runs `body`, for which another thread waits, as work of the current queue.
    static func run(for waiting: UnsafeMutablePointer<Frame>?, _ body: () -> Void) {
        run(Frame(queue: frame?.pointee.queue, place: .none, below: frame, waiting: waiting), body)
    }

    @inline(__always)
    private static func run(_ frame: Frame, _ body: () -> Void) {
        var frame = frame
        withUnsafeMutablePointer(to: &frame) {
            sgk_shim_set_work_here($0)
            body()
        }
        sgk_shim_set_work_here(frame.below)
    }

    /// In the child of a fork: the queues whose work its only thread is in go on as they are.
    static func comeIntoChild() {
        var next = frame
        while let frame = next {
            frame.pointee.queue?._withUnsafeGuaranteedRef { $0.process.renew() }
            next = frame.pointee.below
        }
    }
}
