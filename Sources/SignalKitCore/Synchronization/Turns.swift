import SignalKitShims

/// A trampoline: nested work (starts, deliveries, disposals, releases) needs a bounded stack, however deep a program
/// nests it.
///
/// Work runs immediately, inside the call that causes it, as long as half of the stack is free, and a few times more.
/// After that it is left to the nearest such work further up the stack. That runs it, and the work that follows from
/// it, before it returns.
///
/// Events are left to the first delivery that has found the stack low. They run in the order in which nested calls
/// would have run them. When a call of a generator returns, its event was delivered.
enum Turns {
    private final class Turn {
        let work: () -> Void
        var next: Unmanaged<Turn>?
        init(_ work: @escaping () -> Void) { self.work = work }
    }

    /// The number of further nested calls when the stack is low.
    private static var few: UInt32 { 16 }

    /// True if work may run immediately.
    @inline(__always)
    static var hasRoom: Bool { !sgk_shim_stack_is_low() }

    /// True if calls that run no work may nest further.
    static var hasRoomForCalls: Bool { !sgk_shim_stack_is_nearly_full() }

    /// Returns true if the caller must do its work now and then call `leave`. Returns false if it must leave its work
    /// to a caller further up the stack.
    @inline(never)
    static func enter() -> Bool {
        let here = sgk_shim_turns_here()!
        if here.pointee.level >= few { return false }
        here.pointee.level += 1
        return true
    }

    /// Runs the work that was left in the meantime.
    @inline(never)
    static func leave() {
        let here = sgk_shim_turns_here()!
        doWhatIsLeft(here)
        here.pointee.level -= 1
    }

    /// Ends run before starts. Otherwise an endless chain could not be stopped.
    private static func doWhatIsLeft(_ here: UnsafeMutablePointer<sgk_shim_turns>) {
        while let turn = take(&here.pointee.ends) ?? take(&here.pointee.starts) { turn.work() }
    }

    private static func take(_ row: inout sgk_shim_row) -> Turn? {
        guard let first = row.first else { return nil }
        let turn = Unmanaged<Turn>.fromOpaque(first).moved()
        row.first = turn.next?.toOpaque()
        if turn.next == nil { row.last = nil }
        return turn
    }

    private static func leave(_ work: @escaping () -> Void, in row: inout sgk_shim_row) {
        let turn = Unmanaged.passRetained(Turn(Record.carried(work)))
        if let last = row.last {
            Unmanaged<Turn>.fromOpaque(last)._withUnsafeGuaranteedRef { $0.next = turn }
        } else {
            row.first = turn.toOpaque()
        }
        row.last = turn.toOpaque()
    }

    private static func append(_ others: sgk_shim_row, to row: inout sgk_shim_row) {
        guard let first = others.first else { return }
        guard let last = row.last else { return row = others }
        Unmanaged<Turn>.fromOpaque(last)._withUnsafeGuaranteedRef { $0.next = .fromOpaque(first) }
        row.last = others.last
    }

    /// Runs `body` as if the stack started here. Work that is left inside it runs before this returns.
    @inline(never)
    static func completely(_ body: () -> Void) {
        let here = sgk_shim_turns_here()!
        let outer = here.pointee
        here.pointee = sgk_shim_turns()
        body()
        doWhatIsLeft(here)
        here.pointee = outer
    }

    // MARK: Work that takes turns

    /// When the stack is low.
    @inline(never)
    static func startDeeply(_ start: @escaping () -> Void) {
        leave(start, in: &sgk_shim_turns_here()!.pointee.starts)
        if enter() { leave() }
    }

    /// Delivers an event when the stack is low.
    @inline(never)
    static func pass(_ event: @escaping () -> Void) {
        let here = sgk_shim_turns_here()!
        let frame = UInt(sgk_shim_frame())
        // If a lower frame is still marked as delivering, a `longjmp` has left it.
        if frame < here.pointee.passing { return leave(event, in: &here.pointee.events) }
        let outer = here.pointee.events
        here.pointee.passing = frame
        here.pointee.events = sgk_shim_row()
        leave(event, in: &here.pointee.events)
        // Ends are not delayed, because they stop the source of the events.
        while let turn = take(&here.pointee.events) ?? take(&here.pointee.ends) {
            let later = here.pointee.events
            here.pointee.events = sgk_shim_row()
            turn.work()
            append(later, to: &here.pointee.events)
        }
        here.pointee.passing = 0
        here.pointee.events = outer
    }

    /// Runs `generator`. Its events are not left to a caller further up the stack.
    @inline(never)
    static func generate<R>(_ generator: () -> R) -> R {
        let here = sgk_shim_turns_here()!
        let outer = here.pointee.passing
        here.pointee.passing = 0
        defer { sgk_shim_turns_here()!.pointee.passing = outer }
        return generator()
    }

    @inline(never)
    private static func endLater(_ end: @escaping () -> Void) { leave(end, in: &sgk_shim_turns_here()!.pointee.ends) }

    @inline(__always)
    static func dispose(_ disposable: any Disposable) {
        if hasRoom { disposable.dispose() } else { disposeDeeply(disposable) }
    }

    @inline(never)
    private static func disposeDeeply(_ disposable: any Disposable) {
        if !enter() { return endLater { disposable.dispose() } }
        disposable.dispose()
        leave()
    }

    /// Releases an object. (It is passed by address, because a parameter of its type would retain it during the call.)
    @inline(never)
    static func release(_ object: UnsafeMutableRawPointer) {
        let object = Unmanaged<AnyObject>.fromOpaque(object)
        if hasRoom { return object.release() }
        if !enter() { return endLater { object.release() } }
        object.release()
        leave()
    }
}
