import CSignalKit
import SignalKitShims
import SignalKitSupport

@_cdecl("sgk_queue_create_custom") @implementation
public func sgk_queue_create_custom(_ table: UnsafePointer<sgk_queue_table>!, _ context: UnsafeMutableRawPointer!) -> OpaquePointer! {
    guard let table = required(table, "sgk_queue_create_custom", "table") else { return nil }
    var known = sgk_queue_table()
    guard copyStruct(table, to: &known, size: table.pointee.size, "sgk_queue_create_custom", "table"),
        required(known.async, "sgk_queue_create_custom", "table.async") != nil
    else { return nil }
    let loop = ForeignLoop(known, context)
    return QueueHandle(Queue(loop: loop, clock: known.after == nil ? nil : loop)).passed()
}

@_cdecl("sgk_queue_dropped") @implementation
public func sgk_queue_dropped(_ queue: OpaquePointer!) -> Int64 {
    borrow(queue, as: QueueHandle.self, "sgk_queue_dropped", "queue").map { Int64($0.queue.droppedCount) } ?? -1
}

/// A loop of C's.
private final class ForeignLoop: EventLoop, EventLoopClock {
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

    func async(_ work: @escaping () -> Void) { _ = table.async!(context, runWork, HandedWork(work).passed(), destroyWork) }

    func after(_ seconds: Double, _ work: @escaping () -> Void) { _ = table.after!(context, seconds, runWork, HandedWork(work).passed(), destroyWork) }
}

/// Work that was handed to a loop of C's; counted, so that a loop which forgets some is found out.
private final class HandedWork {
    private let work: () -> Void

    init(_ work: @escaping () -> Void) {
        self.work = work
        sgk_support_count(UInt32(SGK_LIVE_CALLBACK.rawValue), 1)
    }

    deinit { sgk_support_count(UInt32(SGK_LIVE_CALLBACK.rawValue), -1) }

    func passed() -> UnsafeMutableRawPointer {
        let pointer = Unmanaged.passRetained(self).toOpaque()
        sgk_shim_hand_over(pointer)
        return pointer
    }

    func run() { work() }
}

private func runWork(_ context: UnsafeMutableRawPointer?) {
    sgk_shim_take_over(context)
    Unmanaged<HandedWork>.fromOpaque(context!).takeUnretainedValue().run()
}

private func destroyWork(_ context: UnsafeMutableRawPointer?) {
    sgk_shim_take_over(context)
    Unmanaged<HandedWork>.fromOpaque(context!).release()
}
