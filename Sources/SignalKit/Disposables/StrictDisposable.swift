import Synchronization

/// Reports a subscription that is let go without having been disposed.
///
/// A subscription whose signal has ended by itself, or whose source is gone, needs no disposal and is not reported.
/// What the report does is up to `onLeak`. The wrapped disposable is retained until the strict one goes.
public final class StrictDisposable: Disposable, @unchecked Sendable {
    /// What is known about a leaked subscription.
    public struct Leak {
        /// Where the strict disposable was made.
        public let file: String
        /// The line there.
        public let line: Int
    }

    /// Called, on the thread that dropped the last reference, for each disposable that was let go too early. By default
    /// a debug build fails an assertion and a release build ignores it. Can be set at any time from any thread; applies
    /// to the whole process.
    public static var onLeak: (Leak) -> Void {
        get { reaction.current }
        set { reaction.current = newValue }
    }

    private static let reaction = Reaction()

    private final class Reaction: @unchecked Sendable {
        private let lock = SmallLock()
        @exclusivity(unchecked) private var stored: (Leak) -> Void = { leak in
            assertionFailure("strict disposable released without dispose: \(leak.file):\(leak.line)")
        }

        var current: (Leak) -> Void {
            get {
                lock.lock()
                defer { lock.unlock() }
                return stored
            }
            set {
                var value = newValue
                lock.lock()
                swap(&stored, &value)
                lock.unlock()
            }
        }
    }

    let core: StrictCore
    private let file: String
    private let line: Int

    /// Watches `disposable`, which was made at `line` of `file`.
    public init(_ disposable: Disposable, file: String, line: Int) {
        core = StrictCore(disposable)
        self.file = file
        self.line = line
    }

    deinit {
        if core.isLeaked { StrictDisposable.onLeak(Leak(file: file, line: line)) }
    }

    /// Disposes the wrapped disposable, once.
    public func dispose() { core.dispose() }
}

/// A disposable that has to be disposed before it is let go. Its holder asks, when it goes, whether that was forgotten.
struct StrictCore: ~Copyable {
    unowned(unsafe) let disposable: any Disposable
    /// The reference to it.
    private let held: UnsafeMutableRawPointer
    private let wasDisposed = Synchronization.Atomic<Bool>(false)

    init(_ disposable: any Disposable) {
        self.disposable = disposable
        held = Unmanaged<AnyObject>.passRetained(disposable).toOpaque()
    }

    deinit { Turns.release(held) }

    borrowing func dispose() {
        if !wasDisposed.exchange(true, ordering: .acquiringAndReleasing) { Turns.dispose(disposable) }
    }

    /// Whether it has not been disposed, although its run, if it is one, has something left to dispose.
    var isLeaked: Bool {
        if wasDisposed.load(ordering: .relaxed) { return false }
        if let run = disposable as? Subscription { return !run.isOver }
        return !((disposable as? WaitableDisposable)?.isOver ?? false)
    }
}

extension Disposable {
    /// Wraps this disposable so that letting it go without disposing is reported.
    public func strict(file: String = #file, line: Int = #line) -> Disposable {
        StrictDisposable(self, file: file, line: line)
    }
}
