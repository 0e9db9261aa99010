import SignalKitShims

/// What watches the descriptors of runs: the library's thread, or the loop on which a queue's work runs.
protocol DescriptorWatcher: AnyObject {
    /// Tells the run once, by `isReady`, what its descriptor is ready for. 0, or an error: SGK_SHIM_NOT_TO_BE_WATCHED
    /// for what is always ready. Called again for each time, by one thread at a time.
    func watch(_ run: DescriptorRun, _ descriptor: Descriptor) -> Int32

    /// Watches no more for it. Any thread, also when it does not watch.
    func forget(_ run: DescriptorRun, _ descriptor: Descriptor)
}

/// The descriptors for which one thread waits, for all runs whose queue has no loop that does.
///
/// The system's set holds the runs: a reference each, from the first time that it is asked to watch. The thread takes
/// out what it tells of under the lock, so that a run which is forgotten is not told of anything.
///
/// The child of a fork begins with none: what the parent has watched goes on there, and its set is left alone.
final class DescriptorWatch: DescriptorWatcher, StartsAgain, @unchecked Sendable {
    static let shared = DescriptorWatch()

    private let process = ProcessMark()
    /// Held during the system's calls, which wait for nothing.
    private let lock = FutexLock()
    /// Belongs to the lock. Negative: none has been made.
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

    /// This process, as a run is marked by it.
    fileprivate static var here: UInt32 { sgk_shim_process_number() &+ 1 }

    // MARK: The thread

    /// Called with the lock: makes the set, and the thread that waits for it; or says why not.
    private func start() -> Int32? {
        let made = sgk_shim_watch_make()
        if made < 0 { return -made }
        set = made
        if sgk_shim_thread_start({ _ in DescriptorWatch.shared.run() }, nil) { return nil }
        sgk_shim_watch_forget(made)
        set = -1
        return Int32(SGK_SHIM_AGAIN)
    }

    private func run() -> Never {
        sgk_shim_thread_set_name("signalkit-watch")
        lock.lock()
        let set = set
        lock.unlock()
        while true {
            sgk_shim_watch_wait(set)
            while tellNext(set) {}
        }
    }

    /// A function of its own, so that no run is held while the thread waits.
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

    /// In the child of a fork.
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
