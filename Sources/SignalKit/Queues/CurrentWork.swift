import SignalKitShims

/// Whose work the calling thread runs. It is a stack, and the innermost is current; work that somebody waits for has the stack of who waits beside
/// its own.
enum CurrentWork {
    struct Frame {
        fileprivate let line: Unmanaged<SerialLine>?
        /// Beside a line: what else stands still, or is moved, while this runs.
        fileprivate let place: Place
        /// What the thread was doing before.
        fileprivate let below: UnsafeMutablePointer<Frame>?
        /// What the thread that waits for this is doing.
        fileprivate let waiting: UnsafeMutablePointer<Frame>?

        fileprivate var standing: Standing {
            if line != nil { return .still }
            switch place {
            case .serial: return .still
            case let .virtual(clock): return .moving(clock.takeUnretainedValue())
            case .none:
                if let below, case let found = below.pointee.standing, !found.isFree { return found }
                return waiting?.pointee.standing ?? .free
            }
        }

        fileprivate func contains(_ line: SerialLine) -> Bool {
            self.line?.toOpaque() == Unmanaged.passUnretained(line).toOpaque() || below?.pointee.contains(line) == true || waiting?.pointee.contains(line) == true
        }
    }

    fileprivate enum Place {
        case none
        /// A serial queue that is no line.
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

    private static let key = sgk_shim_thread_key()

    /// The innermost; it lies on the thread's stack.
    static var frame: UnsafeMutablePointer<Frame>? { sgk_shim_thread_get(key)?.assumingMemoryBound(to: Frame.self) }

    static func isOf(_ line: SerialLine) -> Bool { frame?.pointee.line?.toOpaque() == Unmanaged.passUnretained(line).toOpaque() }

    /// Whether it comes back to the line by way of others, or of those who wait for it.
    static func isPart(of line: SerialLine) -> Bool { frame?.pointee.contains(line) ?? false }

    /// Runs `body` as work of the line; of none, on a queue that is never current.
    @inline(__always)
    static func run(of line: SerialLine?, _ body: () -> Void) {
        run(Frame(line: line.map { Unmanaged.passUnretained($0) }, place: .none, below: frame, waiting: nil), body)
    }

    /// Runs `body` as work of a serial queue that is no line.
    static func runSerial(_ body: () -> Void) { run(Frame(line: nil, place: .serial, below: frame, waiting: nil), body) }

    /// Runs `body` as work of virtual time, on the thread that moves that.
    static func run(of clock: VirtualClock, _ body: () -> Void) {
        run(Frame(line: nil, place: .virtual(Unmanaged.passUnretained(clock)), below: frame, waiting: nil), body)
    }

    /// Runs `body`, for which another thread waits, as work of the line whose work it is already.
    static func run(for waiting: UnsafeMutablePointer<Frame>?, _ body: () -> Void) {
        run(Frame(line: frame?.pointee.line, place: .none, below: frame, waiting: waiting), body)
    }

    @inline(__always)
    private static func run(_ frame: Frame, _ body: () -> Void) {
        var frame = frame
        withUnsafeMutablePointer(to: &frame) {
            sgk_shim_thread_set(key, $0)
            body()
        }
        sgk_shim_thread_set(key, frame.below)
    }

    /// In the child of a fork: the lines whose work its only thread is in go on with it.
    static func comeIntoChild() {
        var next = frame
        while let frame = next {
            frame.pointee.line?._withUnsafeGuaranteedRef { $0.process.renew() }
            next = frame.pointee.below
        }
    }
}
