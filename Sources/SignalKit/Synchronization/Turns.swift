import SignalKitShims

/// Work that leads to more of its kind, as deep as a program has nested it: starting, disposing, letting go.
///
/// It is done at once, inside of what it follows from, as long as there is stack. When half of that is used up, it is left to the work
/// further up that is the nearest; this does it, and what follows from it in turn, before it returns to its caller.
enum Turns {
    private final class Turn {
        let work: () -> Void
        var next: Unmanaged<Turn>?
        init(_ work: @escaping () -> Void) { self.work = work }
    }

    /// So many are done inside of each other before anybody looks at the stack.
    private static var few: UInt32 { 16 }

    /// Whether the work may be done at once, followed by `leave`. Otherwise it is to be left to `later`.
    @inline(__always)
    static func enter() -> Bool {
        let here = sgk_shim_turns_here()!
        if here.pointee.level >= few && sgk_shim_stack_is_low() { return false }
        here.pointee.level += 1
        return true
    }

    /// Does what has been left meanwhile.
    @inline(__always)
    static func leave() {
        let here = sgk_shim_turns_here()!
        if here.pointee.first != nil { doWhatIsLeft(here) }
        here.pointee.level -= 1
    }

    @inline(never)
    static func later(_ work: @escaping () -> Void) {
        let here = sgk_shim_turns_here()!
        let turn = Unmanaged.passRetained(Turn(work))
        if let last = here.pointee.last { Unmanaged<Turn>.fromOpaque(last)._withUnsafeGuaranteedRef { $0.next = turn } }
        here.pointee.last = turn.toOpaque()
        if here.pointee.first == nil { here.pointee.first = turn.toOpaque() }
    }

    @inline(never)
    private static func doWhatIsLeft(_ here: UnsafeMutablePointer<sgk_shim_turns>) {
        while let first = here.pointee.first {
            let turn = Unmanaged<Turn>.fromOpaque(first).takeRetainedValue()
            here.pointee.first = turn.next?.toOpaque()
            if turn.next == nil { here.pointee.last = nil }
            turn.work()
        }
    }

    // MARK: What takes turns

    @inline(never)
    static func dispose(_ disposable: any Disposable) {
        if !enter() { return later { disposable.dispose() } }
        disposable.dispose()
        leave()
    }

    /// Gives a reference back.
    @inline(never)
    static func release(_ object: AnyObject) {
        let object = Unmanaged.passUnretained(object)
        if !enter() { return later { object.release() } }
        object.release()
        leave()
    }
}
