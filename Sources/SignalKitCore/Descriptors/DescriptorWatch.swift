import SignalKitShims

/// Watches the descriptors of subscriptions: the library's thread, or the loop of a queue.
protocol DescriptorWatcher: AnyObject {
    /// Notifies the subscription once, by `isReady`. Returns 0 or an error, which is SGK_SHIM_NOT_TO_BE_WATCHED for a
    /// descriptor that is always ready. Called again for each notification, by one thread at a time.
    func watch(_ run: DescriptorRun, _ descriptor: Descriptor) -> Int32

    /// Stops watching for this subscription. Called on any thread, also if it is not watched.
    func forget(_ run: DescriptorRun, _ descriptor: Descriptor)
}

/// The descriptors that one thread watches, for all subscriptions whose queue has no loop with a watch.
///
/// The system's set retains each subscription, from its first watch on. The thread takes out a notification under the
/// lock. So a forgotten subscription receives none.
///
/// The child of a fork starts with an empty set. The parent continues to watch, and its set is unchanged.
final class DescriptorWatch: DescriptorWatcher, StartsAgain, @unchecked Sendable {
    static let shared = DescriptorWatch()

    private let process = ProcessMark()
    /// Held during the system calls, which do not block.
    private let lock = FutexLock()
    /// Guarded by the lock. It is negative before the set is created.
    @exclusivity(unchecked) private var set: Int32 = -1

    func watch(_ run: DescriptorRun, _ descriptor: Descriptor) -> Int32 {
        process.check(self)
        lock.lock()
        defer { lock.unlock() }
        if set < 0, let error = start() { return error }
        if run.isParents { return 0 }
        let reference = Unmanaged.passUnretained(run)
        let error = sgk_shim_watch_set(
            set, descriptor.number, run.interest.rawValue, UInt64(UInt(bitPattern: reference.toOpaque())),
            run.isWatched)
        if error == 0 && !run.isWatched {
            _ = reference.retain()
            run.watched = DescriptorWatch.here
        }
        return error
    }

    func forget(_ run: DescriptorRun, _ descriptor: Descriptor) {
        process.check(self)
        lock.lock()
        let isWatched = run.isWatched
        if isWatched { sgk_shim_watch_remove(set, descriptor.number) }
        run.watched = 0
        lock.unlock()
        if isWatched { Unmanaged.passUnretained(run).release() }
    }

    /// The number of this process, as the mark of a subscription.
    fileprivate static var here: UInt32 { sgk_shim_process_number() &+ 1 }

    // MARK: The thread

    /// Called with the lock. Creates the set, and the thread that waits for it. Returns an error if that fails.
    private func start() -> Int32? {
        let made = sgk_shim_watch_make()
        if made < 0 { return -made | Int32(SGK_SHIM_IN_SET) }
        set = made
        if sgk_shim_thread_start({ _ in DescriptorWatch.shared.run() }, nil) { return nil }
        sgk_shim_watch_forget(made)
        set = -1
        return Int32(SGK_SHIM_AGAIN | SGK_SHIM_IN_THREAD)
    }

    private func run() -> Never {
        Worker.begin("signalkit-watch")
        lock.lock()
        let set = set
        lock.unlock()
        while true {
            sgk_shim_watch_wait(set)
            while tellNext(set) {}
        }
    }

    /// A separate function, so that no subscription is retained while the thread waits.
    @inline(never)
    private func tellNext(_ set: Int32) -> Bool {
        var ready = sgk_shim_ready()
        lock.lock()
        let isSome = sgk_shim_watch_take(set, &ready)
        let run = isSome ? DescriptorRun.known(by: ready.key) : nil
        lock.unlock()
        run?.isReady(Readiness(rawValue: ready.events))
        return isSome
    }

    /// In the child process after a fork.
    func startAgain() {
        lock.forget()
        if set >= 0 { sgk_shim_watch_forget(set) }
        set = -1
    }
}

extension DescriptorRun {
    // Under the watch's lock.

    fileprivate var isWatched: Bool { watched == DescriptorWatch.here }

    /// Another process watches it, of which this one is a child.
    fileprivate var isParents: Bool { watched != 0 && !isWatched }

    fileprivate static func known(by key: UInt64) -> DescriptorRun {
        Unmanaged<DescriptorRun>.fromOpaque(UnsafeRawPointer(bitPattern: UInt(key))!).takeUnretainedValue()
    }
}
