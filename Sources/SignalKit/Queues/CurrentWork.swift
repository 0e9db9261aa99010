import SignalKitShims

/// Whose work the calling thread runs. It is a stack, and the innermost is current; work that somebody waits for has the stack of who waits beside
/// its own.
enum CurrentWork {
    struct Frame {
        fileprivate let line: Unmanaged<SerialLine>?
        /// What the thread was doing before.
        fileprivate let below: UnsafeMutablePointer<Frame>?
        /// What the thread that waits for this is doing.
        fileprivate let waiting: UnsafeMutablePointer<Frame>?

        fileprivate func contains(_ line: SerialLine) -> Bool {
            self.line?.toOpaque() == Unmanaged.passUnretained(line).toOpaque() || below?.pointee.contains(line) == true || waiting?.pointee.contains(line) == true
        }
    }

    private static let key = sgk_shim_thread_key()

    /// The innermost; it lies on the thread's stack.
    static var frame: UnsafeMutablePointer<Frame>? { sgk_shim_thread_get(key)?.assumingMemoryBound(to: Frame.self) }

    static func isOf(_ line: SerialLine) -> Bool { frame?.pointee.line?.toOpaque() == Unmanaged.passUnretained(line).toOpaque() }

    /// Whether it comes back to the line by way of others, or of those who wait for it.
    static func isPart(of line: SerialLine) -> Bool { frame?.pointee.contains(line) ?? false }

    /// Runs `body` as work of the line; of none, on a queue that is never current.
    @inline(__always)
    static func run(of line: SerialLine?, _ body: () -> Void) {
        run(Frame(line: line.map { Unmanaged.passUnretained($0) }, below: frame, waiting: nil), body)
    }

    /// Runs `body`, for which another thread waits, as work of the line whose work it is already.
    static func run(for waiting: UnsafeMutablePointer<Frame>?, _ body: () -> Void) {
        run(Frame(line: frame?.pointee.line, below: frame, waiting: waiting), body)
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
