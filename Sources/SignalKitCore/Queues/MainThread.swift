#if SIGNALKIT_LIBRARY
/// The main thread while it waits. It runs the work of the main queue.
enum MainThread {
    static var isInMainQueue: Bool { false } // of that `CurrentWork` knows
    static var owner: CurrentWork.Owner { CurrentWork.owner(MainJobQueue.shared) }
    static func run(until latch: Latch, orAt deadline: Double) { MainJobQueue.shared.run(until: latch, orAt: deadline) }
    static func wake() { MainJobQueue.shared.wake() }
}
#else
import Dispatch
import SignalKitShims
#if canImport(Darwin)
import CoreFoundation
#endif

/// The main thread while it waits. It runs the work of the main queue, like a run loop.
enum MainThread {
    /// True if the caller is in work of the main queue, even if that work did not use `Queue`. On the main thread
    /// libdispatch always reports the queue as current. But inside its work it does not run further work.
    static var isInMainQueue: Bool {
        if !sgk_shim_is_main_thread() { return DispatchExecutor.isInMainQueue }
        let works = Latch()
        DispatchQueue.main.async { works.open() }
        doWhatThereIs(until: works)
        return !works.isOpen
    }

    static var owner: CurrentWork.Owner { Queue.main.executor.workOwner }

    static func run(until latch: Latch, orAt deadline: Double) {
        MainQueueWatch.shared.settle()
        while !latch.isOpen {
            let remaining = deadline - DeadlineClock.now
            if !(remaining > 0) { return }
            doWhatComes(within: remaining)
        }
    }

    static func wake() { DispatchQueue.main.async {} }

    #if canImport(Darwin)
    private static func doWhatComes(within seconds: Double) {
        CFRunLoopRunInMode(.defaultMode, min(seconds, 1e6), true)
    }

    private static func doWhatThereIs(until latch: Latch) {
        while !latch.isOpen, CFRunLoopRunInMode(.defaultMode, 0, true) == .handledSource {}
    }
    #else
    /// By what libdispatch has for run loops.
    private static func doWhatComes(within seconds: Double) {
        let event = sgk_shim_event(_dispatch_get_main_queue_handle_4CF())
        sgk_shim_event_wait_for(event, nanoseconds(seconds))
        sgk_shim_event_clear(event)
        _dispatch_main_queue_callback_4CF(nil)
    }

    private static func doWhatThereIs(until latch: Latch) { _dispatch_main_queue_callback_4CF(nil) }
    #endif
}
#endif
