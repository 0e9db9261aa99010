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
    return QueueHandle(Queue(executor: ForeignExecutor(ForeignLoop(known, context)))).passed()
}

@_cdecl("sgk_queue_dropped") @implementation
public func sgk_queue_dropped(_ queue: OpaquePointer!) -> Int64 {
    borrow(queue, as: QueueHandle.self, "queue").map { Int64($0.queue.droppedCount) } ?? -1
}

/// Runs the work of a queue on a loop of C's, which gets each turn as one object.
private final class ForeignExecutor: LoopExecutor, @unchecked Sendable {
    private let loop: ForeignLoop

    init(_ loop: ForeignLoop) {
        self.loop = loop
        super.init(loop, loop.table.after == nil ? nil : loop, loop.table.watch == nil ? nil : loop)
    }

    /// A turn that has run and is used again, as an owned reference in bits, or 0.
    private let spare = Synchronization.Atomic<UInt>(0)

    deinit { _ = takeSpare() }

    override func requestTurn() -> Bool {
        let turn = takeSpare() ?? HandedTurn()
        turn.executor = self
        return loop.tryAsync(turn)
    }

    private func takeSpare() -> HandedTurn? { exchangeSpare(0) }

    fileprivate func keepSpare(_ turn: HandedTurn) {
        _ = exchangeSpare(UInt(bitPattern: Unmanaged.passRetained(turn).toOpaque()))
    }

    private func exchangeSpare(_ bits: UInt) -> HandedTurn? {
        let before = UnsafeRawPointer(bitPattern: spare.exchange(bits, ordering: .acquiringAndReleasing))
        return before.map { Unmanaged<HandedTurn>.fromOpaque($0).takeRetainedValue() }
    }
}

/// A loop of C's.
private final class ForeignLoop: EventLoop, EventLoopClock, EventLoopWatch {
    let table: sgk_queue_table
    private let context: UnsafeMutableRawPointer?

    init(_ table: sgk_queue_table, _ context: UnsafeMutableRawPointer?) {
        self.table = table
        self.context = context
        table.retain?(context)
    }

    deinit { table.release?(context) }

    var isCurrent: Bool { table.is_current?(context) ?? false }
    var now: Double { table.now?(context) ?? DeadlineClock.now }

    func async(_ work: @escaping () -> Void) { _ = tryAsync(HandedClosure { _ in work() }) }

    func tryAsync(_ work: HandedWork) -> Bool {
        work.isAccepted { table.dispatch!(context, runWork, $0, destroyWork) }
    }

    func after(_ seconds: Double, _ work: @escaping () -> Void) {
        _ = HandedClosure { _ in work() }.isAccepted { table.after!(context, seconds, runWork, $0, destroyWork) }
    }

    func watch(_ descriptor: Int32, for readiness: Readiness, _ ready: @escaping (Readiness) -> Void) -> Bool {
        HandedClosure(ready).isAccepted {
            table.watch!(context, descriptor, readiness.rawValue, tellReady, $0, destroyWork)
        }
    }

    func unwatch(_ descriptor: Int32) { table.unwatch!(context, descriptor) }
}

/// Work that was handed to a loop of C's; counted, so that a loop which forgets some is found out.
private class HandedWork {
    /// False while the loop has a reference.
    private let isLetGo = Synchronization.Atomic<Bool>(true)

    func run(_ readiness: Readiness) { mustOverride() }

    /// The loop has destroyed the work.
    func ended() {}

    /// Passes the work to a loop. If the loop rejects it without destroying it, this function releases it.
    final func isAccepted(_ hand: (UnsafeMutableRawPointer) -> sgk_status) -> Bool {
        let pointer = Unmanaged.passRetained(self).toOpaque()
        isLetGo.store(false, ordering: .relaxed)
        sgk_support_count(UInt32(SGK_LIVE_CALLBACK.rawValue), 1)
        sgk_shim_hand_over(pointer)
        let isAccepted = hand(pointer).rawValue >= 0
        if !isAccepted { letGo() }
        return isAccepted
    }

    /// True if the loop has destroyed the work.
    final var isOver: Bool { isLetGo.load(ordering: .acquiring) }

    /// Gives the loop's reference back, once.
    final func letGo() {
        if isLetGo.exchange(true, ordering: .acquiringAndReleasing) { return }
        ended()
        sgk_support_count(UInt32(SGK_LIVE_CALLBACK.rawValue), -1)
        Unmanaged.passUnretained(self).release()
    }
}

/// A closure that receives the readiness of a descriptor.
private final class HandedClosure: HandedWork {
    private let work: (Readiness) -> Void

    init(_ work: @escaping (Readiness) -> Void) { self.work = work }

    override func run(_ readiness: Readiness) { work(readiness) }
}

/// A turn of a queue.
private final class HandedTurn: HandedWork {
    private enum State { case pending, running, hasRun }

    /// Nil while the loop has no reference.
    var executor: ForeignExecutor?
    private var state = State.pending

    override func run(_ readiness: Readiness) {
        guard state == .pending, let executor else { return }
        state = .running
        executor.run { executor.takeTurn { isOver } }
        if !isOver { state = .hasRun }
    }

    override func ended() {
        guard let executor = executor.take() else { return }
        switch state {
        case .pending: executor.refuseTurn()
        case .running: break
        case .hasRun:
            state = .pending
            executor.keepSpare(self)
        }
    }
}

private func runWork(_ context: UnsafeMutableRawPointer?) {
    sgk_shim_take_over(context)
    Unmanaged<HandedWork>.fromOpaque(context!).takeUnretainedValue().run([])
}

private func tellReady(_ context: UnsafeMutableRawPointer?, _ events: UInt32) {
    sgk_shim_take_over(context)
    let known: Readiness = [.readable, .writable, .hangUp]
    let readiness = known.intersection(Readiness(rawValue: events))
    Unmanaged<HandedWork>.fromOpaque(context!).takeUnretainedValue().run(readiness)
}

private func destroyWork(_ context: UnsafeMutableRawPointer?) {
    sgk_shim_take_over(context)
    Unmanaged<HandedWork>.fromOpaque(context!)._withUnsafeGuaranteedRef { $0.letGo() }
}
