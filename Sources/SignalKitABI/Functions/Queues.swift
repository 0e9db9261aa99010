import CSignalKit
import SignalKitShims
import SignalKitSupport

@_cdecl("sgk_queue_create") @implementation
public func sgk_queue_create(_ name: UnsafePointer<CChar>!) -> OpaquePointer! {
    QueueHandle(Queue(cName: name)).passed()
}

@_cdecl("sgk_queue_main") @implementation
public func sgk_queue_main() -> OpaquePointer! {
    Log.receivesWarnings
    return GlobalQueues.main
}

@_cdecl("sgk_queue_concurrent_default") @implementation
public func sgk_queue_concurrent_default() -> OpaquePointer! { GlobalQueues.concurrentDefault }

@_cdecl("sgk_queue_concurrent_background") @implementation
public func sgk_queue_concurrent_background() -> OpaquePointer! { GlobalQueues.concurrentBackground }

/// The handles of the queues that live as long as the process. To retain or release one has no effect, and they are no
/// live objects.
private enum GlobalQueues {
    static let main = immortal(Queue.mainQueue())
    static let concurrentDefault = immortal(Queue.concurrentDefaultQueue())
    static let concurrentBackground = immortal(Queue.concurrentBackgroundQueue())

    private static func immortal(_ queue: Queue) -> OpaquePointer {
        let handle = Unmanaged.passRetained(QueueHandle(queue)).toOpaque()
        sgk_support_make_immortal(handle)
        sgk_support_count(UInt32(SGK_LIVE_QUEUE.rawValue), -1)
        return OpaquePointer(handle)
    }
}

@_cdecl("sgk_queue_is_current") @implementation
public func sgk_queue_is_current(_ queue: OpaquePointer!) -> Bool {
    borrow(queue, as: QueueHandle.self, "queue")?.queue.isCurrent() ?? false
}

@_cdecl("sgk_queue_async") @implementation
public func sgk_queue_async(
    _ queue: OpaquePointer!, _ work: sgk_work_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> sgk_status {
    guard let executor = executor(of: queue), let work = required(work, "work")
    else { return refused(context, destroy) }
    if !executor._withUnsafeGuaranteedRef({ $0.isCurrent }) { return put(work, context, destroy, on: executor) }
    let context = Context(context, destroy)
    work(context.pointer)
    return SGK_OK
}

@_cdecl("sgk_queue_dispatch") @implementation
public func sgk_queue_dispatch(
    _ queue: OpaquePointer!, _ work: sgk_work_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> sgk_status {
    guard let executor = executor(of: queue), let work = required(work, "work")
    else { return refused(context, destroy) }
    return put(work, context, destroy, on: executor)
}

@inline(__always)
private func put(
    _ work: @escaping sgk_work_fn, _ context: UnsafeMutableRawPointer?, _ destroy: sgk_destroy_fn?,
    on executor: Unmanaged<Executor>, in function: CString = #function
) -> sgk_status {
    // The executor is retained because the work can release the queue before this call returns.
    let executor = executor.takeUnretainedValue()
    if !isServed(executor, in: function) { return refused(context, destroy) }
    return executor.enqueue(WorkJob(work, context, destroy)) ? SGK_OK : ended(in: function)
}

@_cdecl("sgk_queue_sync") @implementation
public func sgk_queue_sync(
    _ queue: OpaquePointer!, _ work: sgk_work_fn!, _ context: UnsafeMutableRawPointer!
) -> sgk_status {
    guard let executor = executor(of: queue), let work = required(work, "work") else { return lastStatus() }
    // Not held, which `runIfIdle` does not need.
    if executor._withUnsafeGuaranteedRef({ $0.runIfIdle { work(context) } }) { return SGK_OK }
    return wait(for: executor.takeUnretainedValue()) { work(context) }
}

/// Returns the executor of the queue, or `nil` after it recorded an error.
@inline(__always)
private func executor(of queue: OpaquePointer?, in function: CString = #function) -> Unmanaged<Executor>? {
    peek(queue, as: QueueHandle.self, "queue", in: function)?._withUnsafeGuaranteedRef { $0.executor }
}

/// `sgk_queue_sync` of a queue that is not idle, or whose work does not run on the caller's thread.
@inline(never)
func wait(
    for executor: Executor, _ argument: CString = "queue", in function: CString = #function, _ work: () -> Void
) -> sgk_status {
    guard let hasRun = executor.runAndWait(work) else {
        Slowness.refusedToWait()
        return failed(
            SGK_ERROR_THREAD, argument, "would deadlock: the caller runs inside the work that this queue waits for",
            in: function)
    }
    if hasRun { return SGK_OK }
    return isServed(executor, in: function) ? ended(argument, in: function) : lastStatus()
}

private func ended(_ argument: CString = "queue", in function: CString) -> sgk_status {
    failed(SGK_ERROR_ENDED, argument, "the loop or thread pool of the queue has ended", in: function)
}

/// The last status, for work that will not run.
private func refused(_ context: UnsafeMutableRawPointer?, _ destroy: sgk_destroy_fn?) -> sgk_status {
    let status = lastStatus()
    _ = Context(context, destroy)
    return status
}

@_cdecl("sgk_queue_after") @implementation
public func sgk_queue_after(
    _ queue: OpaquePointer!, _ seconds: Double, _ work: sgk_work_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    guard let executor = executor(of: queue)?.takeUnretainedValue(), let work = required(work, "work"),
        isNumber(seconds), isServed(executor, after: seconds), hasRoom()
    else {
        _ = Context(context, destroy)
        return nil
    }
    let later = LaterWork(executor, work, context, destroy)
    later.set { now in now + seconds }
    return DisposableHandle(later).passedInAnyCase()
}

@_cdecl("sgk_drain") @implementation
public func sgk_drain(_ seconds: Double) -> sgk_status {
    guard isTime(seconds) else { return lastStatus() }
    let deadline = sgk_shim_monotonic_seconds() + seconds
    while true {
        if sgk_shim_is_main_thread() { MainJobQueue.shared.drain() }
        if WorkInFlight.isNone { return SGK_OK }
        if sgk_shim_monotonic_seconds() >= deadline {
            return failed(SGK_ERROR_TIMEOUT, "seconds", "timed out; work is still pending")
        }
        sgk_shim_sleep(200)
    }
}

// MARK: The library's threads

@_cdecl("sgk_set_thread_hooks") @implementation
public func sgk_set_thread_hooks(
    _ begin: sgk_thread_hook_fn!, _ end: sgk_thread_hook_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) {
    let owner = ForeignObject(context, destroy)
    let isNone = begin == nil && end == nil
    Worker.set(isNone ? nil : { name, begins in (begins ? begin : end)?(owner.object, name.text) })
}

// MARK: The main queue's loop

@_cdecl("sgk_main_run") @implementation
public func sgk_main_run() -> sgk_status {
    guard isMainThread() else { return lastStatus() }
    if MainJobQueue.shared.isDraining {
        return failed(SGK_ERROR_THREAD, "queue", "called from work of the main queue")
    }
    MainQueueWatch.shared.settle()
    return MainJobQueue.shared.runUntilStopped()
        ? SGK_OK : failed(SGK_ERROR_SYSTEM, "descriptor", "the system cannot create a descriptor")
}

@_cdecl("sgk_main_run_until") @implementation
public func sgk_main_run_until(_ subscription: OpaquePointer!, _ seconds: Double) -> sgk_status {
    guard let handle = borrow(subscription, as: DisposableHandle.self, "subscription"), isTime(seconds),
        isMainThread()
    else { return lastStatus() }
    guard let run = Membership.run(of: handle.disposable) else {
        return failed(SGK_ERROR_HANDLE, "subscription", "must be a subscription")
    }
    if MainJobQueue.shared.isDraining {
        return failed(SGK_ERROR_THREAD, "queue", "called from work of the main queue")
    }
    let end = EndOfRun(of: run)
    end.enter(run: run)
    MainJobQueue.shared.run(until: end.latch, orAt: DeadlineClock.now + seconds)
    if !end.take() || end.latch.isOpen { return SGK_OK }
    return failed(SGK_ERROR_TIMEOUT, "seconds", "timed out; the subscription has not ended")
}

/// Ends `sgk_main_run_until` when the subscription is over.
private final class EndOfRun: Membership {
    let latch = Latch { MainJobQueue.shared.wake() }

    override func leave() { latch.open() }
}

@_cdecl("sgk_main_stop") @implementation
public func sgk_main_stop() -> sgk_status {
    MainJobQueue.shared.stop()
    return SGK_OK
}

@_cdecl("sgk_main_drain") @implementation
public func sgk_main_drain() -> sgk_status {
    guard isMainThread() else { return lastStatus() }
    MainQueueWatch.shared.settle()
    MainJobQueue.shared.drain()
    return SGK_OK
}

@_cdecl("sgk_main_fd") @implementation
public func sgk_main_fd() -> Int32 {
    let descriptor = MainJobQueue.shared.readable()
    if descriptor >= 0 {
        MainQueueWatch.shared.settle()
        return descriptor
    }
    record(SGK_ERROR_SYSTEM, "descriptor", "the system cannot create a descriptor")
    return SGK_ERROR_SYSTEM.rawValue
}

private func isMainThread(in function: CString = #function) -> Bool {
    if sgk_shim_is_main_thread() { return true }
    record(SGK_ERROR_THREAD, "thread", "must be the main thread", in: function)
    return false
}

private func isNumber(_ seconds: Double, in function: CString = #function) -> Bool {
    if !seconds.isNaN { return true }
    record(SGK_ERROR_ARGUMENT, "seconds", "must be a number", in: function)
    return false
}

/// Reports whether an executor will run the work, and records an error otherwise.
@inline(__always)
func isServed(_ executor: Executor, after seconds: Double = 0, in function: CString = #function) -> Bool {
    if executor.isServed && (!(seconds > 0) || executor.isTimed) { return true }
    record(SGK_ERROR_SYSTEM, "queue", "the system cannot create a thread", in: function)
    return false
}

/// Work of C's that waits for its time.
private final class LaterWork: ScheduledWork, @unchecked Sendable {
    // Under the timeline's lock.
    @exclusivity(unchecked) private var work: sgk_work_fn?
    private let context: UnsafeMutableRawPointer?
    private let destroy: sgk_destroy_fn?

    init(
        _ executor: Executor, _ work: sgk_work_fn?, _ context: UnsafeMutableRawPointer?, _ destroy: sgk_destroy_fn?
    ) {
        self.work = work
        self.context = context
        self.destroy = destroy
        super.init(executor)
        Context.begins()
    }

    deinit { if work != nil { Context.ends(context, destroy) } }

    override func run() {
        guard let work = timeline.locked({ begins() ? work.take() : nil }) else { return }
        work(context)
        Context.ends(context, destroy)
    }

    override func dispose() {
        if timeline.locked({ callOff() ? work.take() : nil }) != nil { Context.ends(context, destroy) }
    }
}

/// Work of C's.
private final class WorkJob: Job, @unchecked Sendable {
    private let work: sgk_work_fn
    private let context: Context

    init(_ work: @escaping sgk_work_fn, _ context: UnsafeMutableRawPointer?, _ destroy: sgk_destroy_fn?) {
        self.work = work
        self.context = Context(context, destroy)
    }

    override func run() { work(context.pointer) }
}
