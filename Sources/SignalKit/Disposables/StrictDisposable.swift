/// Reports a subscription that is let go without having been disposed.
///
/// A subscription whose signal has ended by itself needs no disposal and is not reported. What the report does is up to `onLeak`.
public final class StrictDisposable: Disposable, @unchecked Sendable {
    /// What is known about a leaked subscription.
    public struct Leak {
        /// Where the strict disposable was made.
        public let file: String
        public let line: Int
    }

    /// Called, on the thread that dropped the last reference, for each disposable that was let go too early. By default a debug build
    /// fails an assertion and a release build ignores it. Set it before the first use; it is read without a lock.
    nonisolated(unsafe) public static var onLeak: (Leak) -> Void = { leak in
        assertionFailure("a strict disposable was let go without dispose")
    }

    private let lock = SmallLock()
    @exclusivity(unchecked) private var wasDisposed = false
    private let disposable: any Disposable
    private let file: String
    private let line: Int

    public init(_ disposable: Disposable, file: String, line: Int) {
        self.disposable = disposable
        self.file = file
        self.line = line
    }

    deinit {
        if !wasDisposed && (disposable as? Subscription)?.isOver != true { StrictDisposable.onLeak(Leak(file: file, line: line)) }
    }

    /// Disposes the wrapped disposable, once.
    public func dispose() {
        lock.lock()
        let first = !wasDisposed
        wasDisposed = true
        lock.unlock()
        if first { disposable.dispose() }
    }
}

extension Disposable {
    /// Wraps this disposable so that letting it go without disposing is reported.
    public func strict(file: String = #file, line: Int = #line) -> Disposable {
        StrictDisposable(self, file: file, line: line)
    }
}
