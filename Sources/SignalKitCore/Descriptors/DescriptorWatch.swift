import SignalKitShims

/// The descriptor of a subscription, a duplicate of the program's. So the program may close its own, and reuse the
/// number, while the subscription continues. It also allows several subscriptions to watch one descriptor, because a
/// set accepts each number once. It is closed after its last use.
///
/// A connection belongs to the library. So a subscription that reads and one that writes use its number, without
/// duplicates. The last of them and its owner closes it.
final class Descriptor: Sendable {
    let number: Int32
    /// What it uses of a connection, as SGK_SHIM_READ, SGK_SHIM_WRITE and SGK_SHIM_OWN. 0 if the number is its own.
    let part: UInt32
    /// The file that the subscription follows, if it does. The number reports the changes then.
    nonisolated(unsafe) let tail: OpaquePointer?
    /// The program that the subscription has started, if it has. The number reports its end then.
    nonisolated(unsafe) let process: OpaquePointer?
    /// The folders in which the subscription sees changes, if it does. The number reports the changes then.
    nonisolated(unsafe) let changes: OpaquePointer?

    init(
        _ number: Int32, part: UInt32 = 0, tail: OpaquePointer? = nil, process: OpaquePointer? = nil,
        changes: OpaquePointer? = nil
    ) {
        self.number = number
        self.part = part
        self.tail = tail
        self.process = process
        self.changes = changes
    }

    deinit {
        sgk_shim_tail_close(tail)
        sgk_shim_process_free(process)
        sgk_shim_changes_free(changes)
        if part == 0 || DescriptorWatch.shared.giveBack(number, part) { sgk_shim_fd_close(number) }
    }

    /// The owner of a connection.
    static func connection(_ number: Int32) -> Descriptor {
        DescriptorWatch.shared.lend(number)
        return Descriptor(number, part: UInt32(SGK_SHIM_OWN))
    }

    /// The descriptor of a subscription that works on `queue`. A loop with a watch may accept each number once, too.
    static func of(_ number: Int32, for interest: Readiness, _ queue: Queue) throws(SystemError) -> Descriptor {
        let watch = DescriptorWatch.shared
        if queue.executor.watcher === watch && watch.borrow(number, interest.rawValue) {
            return Descriptor(number, part: interest.rawValue)
        }
        return try duplicate(of: number)
    }

    /// Takes a descriptor that was opened for the subscription. A negative number is an error.
    static func opened(_ number: Int32, by call: StaticString) throws(SystemError) -> Descriptor {
        if number < 0 { throw SystemError(-number, call) }
        return Descriptor(number)
    }

    static func duplicate(of number: Int32) throws(SystemError) -> Descriptor {
        try opened(sgk_shim_fd_duplicate(number), by: "dup")
    }

    static func receiving(from socket: Int32) throws(SystemError) -> Descriptor {
        try opened(sgk_shim_socket_of_datagrams(socket), by: "recvmsg")
    }

    /// - Parameter path: called with a function, to which it passes the path as a C string.
    static func following(
        _ path: ((UnsafePointer<CChar>) -> Int32) -> Int32, fromStart: Bool
    ) throws(SystemError) -> Descriptor {
        var tail: OpaquePointer?
        let number = path { sgk_shim_tail_open($0, fromStart, &tail) }
        if number < 0 { throw SystemError(-number, "open") }
        return Descriptor(number, tail: tail)
    }

    /// - Parameter path: called with a function, to which it passes the path as a C string.
    static func watching(
        _ path: ((UnsafePointer<CChar>) -> Int32) -> Int32, _ mask: UInt32
    ) throws(SystemError) -> Descriptor {
        var changes: OpaquePointer?
        let number = path { sgk_shim_changes_open($0, mask, &changes) }
        if number < 0 { throw SystemError(-number, "inotify_add_watch") }
        return Descriptor(number, changes: changes)
    }

    /// - Parameter start: calls `sgk_shim_process_start`.
    static func starting(
        _ start: (UnsafeMutablePointer<OpaquePointer?>) -> Int32
    ) throws(SystemError) -> Descriptor {
        var process: OpaquePointer?
        let number = start(&process)
        if number < 0 { throw SystemError(-number, "posix_spawn") }
        return Descriptor(number, process: process)
    }
}

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
        if isWatched { sgk_shim_watch_remove(set, descriptor.number, run.interest.rawValue) }
        run.watched = 0
        lock.unlock()
        if isWatched { Unmanaged.passUnretained(run).release() }
    }

    /// The number of this process, as the mark of a subscription.
    fileprivate static var here: UInt32 { sgk_shim_process_number() &+ 1 }

    // MARK: Connections

    /// Lets subscriptions use the number, until its owner gives it back.
    func lend(_ number: Int32) { locked { sgk_shim_fd_lend(number) } }

    /// Returns false if the number was not lent, or if this part is in use.
    func borrow(_ number: Int32, _ part: UInt32) -> Bool { locked { sgk_shim_fd_borrow(number, part) } }

    /// Returns whether the caller must close the number.
    func giveBack(_ number: Int32, _ part: UInt32) -> Bool { locked { sgk_shim_fd_give_back(number, part) } }

    private func locked<R>(_ body: () -> R) -> R {
        process.check(self)
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

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
        sgk_shim_fd_forget()
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
