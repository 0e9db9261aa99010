import SignalKitShims
import Synchronization

/// The tasks of one queue. They run while it is in the ready list or in the hands of a thread.
final class PoolLine: @unchecked Sendable {
    let workers: PoolWorkers
    /// Of tasks, and of the work of queues that are made of this line.
    let tickets = Tickets()
    // The rest belongs to the workers' lock.
    @exclusivity(unchecked) fileprivate var tasks = Fifo<ThreadPoolTask>()
    @exclusivity(unchecked) fileprivate var isScheduled = false

    init(_ workers: PoolWorkers) {
        self.workers = workers
    }

    /// False when the pool has been shut down: the task is let go.
    @discardableResult
    func add(_ task: ThreadPoolTask) -> Bool {
        defer { tickets.count() }
        return put(task)
    }

    /// The same, where the caller counts.
    func put(_ task: ThreadPoolTask) -> Bool { workers.add(task, to: self) }

    var hasTasks: Bool { workers.locked { !self.tasks.isEmpty } }

    func popFirst() -> ThreadPoolTask? {
        let task = workers.locked { self.tasks.popFirst() }
        if task != nil { WorkInFlight.end() }
        return task
    }

    /// Whether the caller is in one of its tasks.
    var isCurrent: Bool { PoolThread.current?.line === self }
}

/// The threads of a pool and what they share; it does not know the pool.
final class PoolWorkers: @unchecked Sendable {
    private let lock = SmallLock()
    /// Moves on whenever there is something new; the threads sleep on it.
    private let news = Synchronization.Atomic<UInt32>(0)
    private let nice: Int32
    @exclusivity(unchecked) private var ready = Fifo<PoolLine>()
    @exclusivity(unchecked) private var isShutDown = false

    init(nice: Int32) {
        self.nice = nice
    }

    func locked<R>(_ f: () -> R) -> R {
        lock.lock()
        defer { lock.unlock() }
        return f()
    }

    /// False when the system refuses another thread.
    func startThread() -> Bool {
        let thread = Unmanaged.passRetained(PoolThread(self))
        let started = sgk_shim_thread_start({ context in
            let thread = Unmanaged<PoolThread>.fromOpaque(context!).takeRetainedValue()
            thread.run()
            return nil
        }, thread.toOpaque())
        if !started { thread.release() }
        return started
    }

    fileprivate func setPriority() {
        if nice != 0 { sgk_shim_thread_set_nice(nice) }
    }

    @discardableResult
    func add(_ task: ThreadPoolTask, to line: PoolLine) -> Bool {
        lock.lock()
        let isAccepted = !isShutDown
        var wakes = false
        if isAccepted {
            WorkInFlight.begin()
            line.tasks.append(task)
            wakes = !line.isScheduled
            if wakes {
                line.isScheduled = true
                ready.append(line)
            }
        }
        lock.unlock()
        if wakes { wake(all: false) }
        return isAccepted
    }

    /// The next task, which the calling thread is to run: waits for it. Nil when the pool is shut down.
    fileprivate func next() -> (ThreadPoolTask, PoolLine)? {
        while true {
            let seen = news.load(ordering: .acquiring)
            lock.lock()
            if isShutDown {
                lock.unlock()
                return nil
            }
            let line = ready.popFirst()
            let task = line?.tasks.popFirst()
            // Somebody has popped the task: the line is not in the ready list any more.
            if task == nil { line?.isScheduled = false }
            lock.unlock()
            if let line, let task { return (task, line) }
            if line == nil { sgk_shim_futex_wait(newsAddress, seen) }
        }
    }

    /// The task of this line has come to its end: the line goes to the back of the ready list if it has more.
    fileprivate func finished(_ line: PoolLine) {
        var dropped = Fifo<ThreadPoolTask>()
        lock.lock()
        if isShutDown { swap(&line.tasks, &dropped) }
        let isReady = !line.tasks.isEmpty
        line.isScheduled = isReady
        if isReady { ready.append(line) }
        lock.unlock()
        PoolWorkers.letGo(&dropped)
        // The caller looks for work itself; it is only when there is more than one line that another thread has to know.
        if isReady { wake(all: false) }
    }

    func shutDown() {
        lock.lock()
        isShutDown = true
        var lines: [PoolLine] = []
        while let line = ready.popFirst() { lines.append(line) }
        var dropped: [Fifo<ThreadPoolTask>] = []
        for line in lines {
            dropped.append(line.tasks)
            line.tasks = Fifo()
        }
        lock.unlock()
        wake(all: true)
        for index in dropped.indices { PoolWorkers.letGo(&dropped[index]) }
    }

    private static func letGo(_ tasks: inout Fifo<ThreadPoolTask>) {
        while tasks.popFirst() != nil { WorkInFlight.end() }
    }

    private func wake(all: Bool) {
        news.add(1, ordering: .releasing)
        if all { sgk_shim_futex_wake_all(newsAddress) } else { sgk_shim_futex_wake_one(newsAddress) }
    }

    private var newsAddress: UInt { withUnsafePointer(to: news) { UInt(bitPattern: $0) } }
}

/// One thread of a pool; the thread carries a mark that leads here.
final class PoolThread {
    private static let key = sgk_shim_thread_key()

    let workers: PoolWorkers
    /// Whose task runs. Only this thread looks at it.
    private(set) var line: PoolLine?

    init(_ workers: PoolWorkers) {
        self.workers = workers
    }

    /// The pool thread that calls this, if it is one.
    static var current: PoolThread? {
        sgk_shim_thread_get(key).map { Unmanaged<PoolThread>.fromOpaque($0).takeUnretainedValue() }
    }

    func run() {
        sgk_shim_thread_set(PoolThread.key, Unmanaged.passUnretained(self).toOpaque())
        workers.setPriority()
        while runNext() { WorkInFlight.end() }
        sgk_shim_thread_set(PoolThread.key, nil)
    }

    /// A function of its own, so that the task is let go before the thread waits for another.
    @inline(never)
    private func runNext() -> Bool {
        guard let (task, line) = workers.next() else { return false }
        self.line = line
        task.execute()
        self.line = nil
        workers.finished(line)
        return true
    }
}
