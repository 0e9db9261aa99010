import SignalKitShims
import Synchronization

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
/// The child of a fork begins with none: what the parent has watched goes on there, and its set is left alone.
final class DescriptorWatch: DescriptorWatcher, StartsAgain, @unchecked Sendable {
    static let shared = DescriptorWatch()

    private typealias Runs = [UInt64: DescriptorRun]
    private final class Table { var runs: Runs = [:] }

    private let process = ProcessMark()
    private let lock = SmallLock()
    // What follows belongs to the lock.
    @exclusivity(unchecked) private var table = Table()
    @exclusivity(unchecked) private var latest: UInt64 = 0
    /// Negative: none has been made.
    @exclusivity(unchecked) private var set: Int32 = -1

    func watch(_ run: DescriptorRun, _ descriptor: Descriptor) -> Int32 {
        process.check(self)
        lock.lock()
        let isMissing = set < 0
        lock.unlock()
        if isMissing, let error = start() { return error }
        let (key, isNew) = enter(run)
        if key == 0 { return 0 }
        let error = sgk_shim_watch_set(set, descriptor.number, run.interest.rawValue, key, !isNew)
        if error != 0 { take(run) }
        return error
    }

    func forget(_ run: DescriptorRun, _ descriptor: Descriptor) {
        process.check(self)
        if take(run) { sgk_shim_watch_remove(set, descriptor.number) }
    }

    /// The number by which the set knows the run; 0 if the parent's set does.
    private func enter(_ run: DescriptorRun) -> (key: UInt64, isNew: Bool) {
        lock.withLock {
            if run.key != 0 { return (table.runs[run.key] == nil ? 0 : run.key, false) }
            latest += 1
            run.key = latest
            table.runs[latest] = run
            return (latest, true)
        }
    }

    @discardableResult
    private func take(_ run: DescriptorRun) -> Bool {
        let taken = lock.withLock {
            defer { run.key = 0 }
            return table.runs.removeValue(forKey: run.key)
        }
        return taken != nil
    }

    // MARK: The thread

    /// Makes the set, and the thread that waits for it; or says why not.
    private func start() -> Int32? {
        let made = sgk_shim_watch_make()
        if made < 0 { return -made }
        lock.lock()
        let isFirst = set < 0
        if isFirst { set = made }
        lock.unlock()
        if !isFirst {
            sgk_shim_watch_forget(made)
        } else if !sgk_shim_thread_start({ _ in DescriptorWatch.shared.run() }, nil) {
            lock.withLock { set = -1 }
            sgk_shim_watch_forget(made)
            return Int32(SGK_SHIM_AGAIN)
        }
        return nil
    }

    private func run() -> Never {
        sgk_shim_thread_set_name("signalkit-watch")
        let room = 64
        let ready = UnsafeMutablePointer<sgk_shim_ready>.allocate(capacity: room)
        while true {
            let count = sgk_shim_watch_wait(set, ready, Int32(room))
            for index in 0..<Int(count) { tell(ready[index]) }
        }
    }

    /// A function of its own, so that no run is held while the thread waits.
    @inline(never)
    private func tell(_ ready: sgk_shim_ready) {
        let run = lock.withLock { table.runs[ready.key] }
        run?.isReady(Readiness(rawValue: ready.events))
    }

    /// In the child of a fork: another thread may have been in the midst of the table.
    func startAgain() {
        lock.forget()
        _ = Unmanaged.passRetained(table)
        table = Table()
        if set >= 0 { sgk_shim_watch_forget(set) }
        set = -1
    }
}
