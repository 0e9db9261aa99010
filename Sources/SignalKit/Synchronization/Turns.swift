import SignalKitShims

/// Work that leads to more of its kind, as deep as a program has nested it: starting, disposing, letting go.
///
/// It is done at once, inside of what it follows from, as long as half of the stack is free; and a few times more. Then it is left to the work
/// further up that is the nearest; this does it, and what follows from it in turn, before it returns to its caller.
enum Turns {
    private final class Turn {
        let work: () -> Void
        var next: Unmanaged<Turn>?
        init(_ work: @escaping () -> Void) { self.work = work }
    }

    /// So many are still done inside of each other then.
    private static var few: UInt32 { 16 }

    /// Whether work may simply be done.
    @inline(__always)
    static var hasRoom: Bool { !sgk_shim_stack_is_low() }

    /// Whether there is somebody further up to leave work to; otherwise it is done between `enter` and `leave`.
    @inline(never)
    static func enter() -> Bool {
        let here = sgk_shim_turns_here()!
        if here.pointee.level >= few { return false }
        here.pointee.level += 1
        return true
    }

    /// Does what has been left meanwhile.
    @inline(never)
    static func leave() {
        let here = sgk_shim_turns_here()!
        doWhatIsLeft(here)
        here.pointee.level -= 1
    }

    /// Ends come before starts: what goes on for ever could not be stopped otherwise.
    private static func doWhatIsLeft(_ here: UnsafeMutablePointer<sgk_shim_turns>) {
        while let turn = take(&here.pointee.ends) ?? take(&here.pointee.starts) { turn.work() }
    }

    private static func take(_ row: inout sgk_shim_row) -> Turn? {
        guard let first = row.first else { return nil }
        let turn = Unmanaged<Turn>.fromOpaque(first).takeRetainedValue()
        row.first = turn.next?.toOpaque()
        if turn.next == nil { row.last = nil }
        return turn
    }

    private static func leave(_ work: @escaping () -> Void, in row: inout sgk_shim_row) {
        let turn = Unmanaged.passRetained(Turn(work))
        if let last = row.last { Unmanaged<Turn>.fromOpaque(last)._withUnsafeGuaranteedRef { $0.next = turn } } else { row.first = turn.toOpaque() }
        row.last = turn.toOpaque()
    }

    // MARK: What takes turns

    @inline(never)
    static func startLater(_ start: @escaping () -> Void) { leave(start, in: &sgk_shim_turns_here()!.pointee.starts) }

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

    /// Gives the reference to an object back. (Whoever named the object here would hold it meanwhile.)
    @inline(never)
    static func release(_ object: UnsafeMutableRawPointer) {
        let object = Unmanaged<AnyObject>.fromOpaque(object)
        if hasRoom { return object.release() }
        if !enter() { return endLater { object.release() } }
        object.release()
        leave()
    }
}
