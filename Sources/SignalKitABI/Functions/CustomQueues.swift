import CSignalKit
import SignalKitShims
import SignalKitSupport
import Synchronization

@_cdecl("sgk_queue_create_custom") @implementation
public func sgk_queue_create_custom(
    _ table: UnsafePointer<sgk_queue_table>!, _ context: UnsafeMutableRawPointer!
) -> OpaquePointer! {
    guard let table = required(table, "table") else { return nil }
    var known = sgk_queue_table()
    guard copyStruct(table, to: &known, size: table.pointee.size, "table"),
        required(known.dispatch, "table.dispatch") != nil,
        known.watch == nil || required(known.unwatch, "table.unwatch") != nil
    else { return nil }
    let loop = ForeignLoop(known, context)
    return QueueHandle(
        Queue(loop: loop, clock: known.after == nil ? nil : loop, watch: known.watch == nil ? nil : loop)
    ).passed()
}

@_cdecl("sgk_queue_dropped") @implementation
public func sgk_queue_dropped(_ queue: OpaquePointer!) -> Int64 {
    borrow(queue, as: QueueHandle.self, "queue").map { Int64($0.queue.droppedCount) } ?? -1
}

/// A loop of C's.
private final class ForeignLoop: EventLoop, EventLoopClock, EventLoopWatch {
    private let table: sgk_queue_table
    private let context: UnsafeMutableRawPointer?

    init(_ table: sgk_queue_table, _ context: UnsafeMutableRawPointer?) {
        self.table = table
        self.context = context
        table.retain?(context)
    }

    deinit { table.release?(context) }

    var isCurrent: Bool { table.is_current?(context) ?? false }
    var now: Double { table.now?(context) ?? DeadlineClock.now }

    func async(_ work: @escaping () -> Void) { _ = tryAsync(work) }

    func tryAsync(_ work: @escaping () -> Void) -> Bool {
        HandedWork.accepts(work) { table.dispatch!(context, runWork, $0, destroyWork) }
    }

    func after(_ seconds: Double, _ work: @escaping () -> Void) {
        _ = HandedWork.accepts(work) { table.after!(context, seconds, runWork, $0, destroyWork) }
    }

    func watch(_ descriptor: Int32, for readiness: Readiness, _ ready: @escaping (Readiness) -> Void) -> Bool {
        HandedWork.accepts({ ready($0) }) {
            table.watch!(context, descriptor, Int64(readiness.rawValue), tellReady, $0, destroyWork)
        }
    }

    func unwatch(_ descriptor: Int32) { table.unwatch!(context, descriptor) }
}

/// Work that was handed to a loop of C's; counted, so that a loop which forgets some is found out.
private final class HandedWork {
    private let work: (Readiness) -> Void
    /// The loop's reference has been given back.
    private let isLetGo = Synchronization.Atomic<Bool>(false)

    private init(_ work: @escaping (Readiness) -> Void) {
        self.work = work
        sgk_support_count(UInt32(SGK_LIVE_CALLBACK.rawValue), 1)
    }

    deinit { sgk_support_count(UInt32(SGK_LIVE_CALLBACK.rawValue), -1) }

    /// Hands work to a loop. When that refuses it, what the loop has not destroyed is let go for it: nobody else would.
    static func accepts(_ work: @escaping () -> Void, _ hand: (UnsafeMutableRawPointer) -> sgk_status) -> Bool {
        accepts({ _ in work() }, hand)
    }

    /// The same for what is told what a descriptor is ready for.
    static func accepts(
        _ work: @escaping (Readiness) -> Void, _ hand: (UnsafeMutableRawPointer) -> sgk_status
    ) -> Bool {
        let handed = Unmanaged.passRetained(HandedWork(work))
        let pointer = handed.retain().toOpaque()
        sgk_shim_hand_over(pointer)
        let accepts = hand(pointer).rawValue >= 0
        if !accepts { handed._withUnsafeGuaranteedRef { $0.letGo() } }
        handed.release()
        return accepts
    }

    func run(_ readiness: Readiness = []) { work(readiness) }

    /// Gives the loop's reference back, once.
    func letGo() {
        if !isLetGo.exchange(true, ordering: .acquiringAndReleasing) { Unmanaged.passUnretained(self).release() }
    }
}

private func runWork(_ context: UnsafeMutableRawPointer?) {
    sgk_shim_take_over(context)
    Unmanaged<HandedWork>.fromOpaque(context!).takeUnretainedValue().run()
}

private func tellReady(_ context: UnsafeMutableRawPointer?, _ events: Int64) {
    sgk_shim_take_over(context)
    let known: Readiness = [.readable, .writable, .hangUp]
    let readiness = known.intersection(Readiness(rawValue: UInt32(truncatingIfNeeded: events)))
    Unmanaged<HandedWork>.fromOpaque(context!).takeUnretainedValue().run(readiness)
}

private func destroyWork(_ context: UnsafeMutableRawPointer?) {
    sgk_shim_take_over(context)
    Unmanaged<HandedWork>.fromOpaque(context!)._withUnsafeGuaranteedRef { $0.letGo() }
}
