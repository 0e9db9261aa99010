import Synchronization

/// Reports a subscription that is released without having been disposed.
///
/// A subscription that has ended, or whose source was released, needs no disposal and is not reported. `onLeak` handles
/// the report. The wrapped disposable is retained until this object is released.
public final class StrictDisposable: Disposable, @unchecked Sendable {
    /// The data of a leaked subscription.
    public struct Leak {
        /// The file that created the strict disposable.
        public let file: String
        /// The line there.
        public let line: Int
    }

    /// Called for each disposable that was released without `dispose`, on the thread that released the last reference.
    /// By default a debug build fails an assertion and a release build ignores it. It applies to the whole process. Any
    /// thread may set it at any time.
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

    /// Watches `disposable`, which was created at `line` of `file`.
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

/// A disposable that must be disposed before its release. The deinitializer of its owner checks `isLeaked`.
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

    /// True if it was not disposed, although there is something to dispose.
    var isLeaked: Bool {
        if wasDisposed.load(ordering: .relaxed) { return false }
        if let run = disposable as? Subscription { return !run.isOver }
        return !((disposable as? WaitableDisposable)?.isOver ?? false)
    }
}

extension Disposable {
    /// Wraps this disposable so that a release without disposal is reported.
    public func strict(file: String = #file, line: Int = #line) -> Disposable {
        StrictDisposable(self, file: file, line: line)
    }
}
