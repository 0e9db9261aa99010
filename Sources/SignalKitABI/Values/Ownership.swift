import CSignalKit
import SignalKitSupport

/// With SIGNALKIT_DEBUG=1: the live boxes, including boxes without a reference of the program. The ledger detects a
/// value that is used after its release, a release too many, and a callback that returns a borrowed value without
/// SGK_LENT. The library reports these errors and ignores the operation.
enum Ownership {
    static let ledger = Ledger()

    @inline(never)
    static func born(_ box: UnsafeRawPointer) {
        let kind = box.load(fromByteOffset: SGK_OBJECT_HEADER, as: UInt32.self)
        let new = sgk_holding(SGK_LIVE_VALUE.rawValue, value: kind)
        ledger.change { $0[UInt(bitPattern: box)] = new }
    }

    @inline(never)
    static func died(_ box: UnsafeRawPointer) { ledger.change { $0[UInt(bitPattern: box)] = nil } }

    /// Reports whether a value that is not plain can have a box: its kind is known and its address is not 0.
    private static func mayHaveBox(_ raw: sgk_value) -> Bool {
        raw.kind >= Value.firstBox && raw.kind <= SGK_FAILURE.rawValue && raw.bits != 0
    }

    /// Whether there is such a box; if there is none where one could be, that is reported.
    @inline(never)
    static func isAlive(_ raw: sgk_value) -> Bool {
        if !mayHaveBox(raw) { return false }
        let isAlive = ledger.knows(UInt(raw.bits))
        if !isAlive { report(raw, noLiveValue, in: "value") }
        return isAlive
    }

    private static var noLiveValue: CString {
        "not a live value (already released, or of another copy of the library?)"
    }

    /// The program gets a reference.
    @inline(never)
    static func handOut(_ raw: sgk_value) {
        ledger.gain(UInt(raw.bits))
        note(raw, 1)
    }

    /// The program gives a reference back; false, with a report, when it holds none.
    @inline(never)
    static func giveBack(_ raw: sgk_value, in function: CString) -> Bool {
        if raw.isLent {
            if isAlive(raw) { report(raw, "a borrowed value; only an owned value can be released", in: function) }
            return false
        }
        note(raw, -1)
        let count = lose(raw)
        if count == nil { report(raw, noLiveValue, in: function) }
        if count == 0 {
            report(
                raw, "a value that you do not own (already released, or returned by a callback?)",
                in: function)
        }
        return (count ?? 0) > 0
    }

    /// Removes one reference of the program and returns the count before.
    private static func lose(_ raw: sgk_value, unless isBorrowed: Bool = false) -> Int? {
        ledger.change {
            let count = $0[UInt(raw.bits)]?.references
            if let count, count > 0, !isBorrowed { $0[UInt(raw.bits)]!.references = count - 1 }
            return count
        }
    }

    // MARK: What callbacks return

    /// Counts the changes of the running callback to its borrowed values.
    private static func note(_ raw: sgk_value, _ change: Int) {
        let watch = sgk_support_watch()!
        if watch.pointee.first == raw.bits { watch.pointee.first_retained += change }
        if watch.pointee.second == raw.bits { watch.pointee.second_retained += change }
    }

    /// Records the borrowed values of a callback that begins. Returns the record of the enclosing callback.
    @inline(never)
    static func lend(_ first: sgk_value, _ second: sgk_value = sgk_null()) -> sgk_watch {
        let watch = sgk_support_watch()!
        let outer = watch.pointee
        watch.pointee = sgk_watch(first: box(first), second: box(second), first_retained: 0, second_retained: 0)
        return outer
    }

    /// Checks the result of a callback, and returns a corrected result.
    @inline(never)
    static func take(_ result: sgk_value, in function: CString, _ outer: sgk_watch) -> sgk_value {
        let watch = sgk_support_watch()!
        let seen = watch.pointee
        watch.pointee = outer
        if result.kind < Value.firstBox { return result }
        if !mayHaveBox(result) { return noValue(result, in: function) }
        let isBorrowed =
            seen.first == result.bits && seen.first_retained <= 0
            || seen.second == result.bits && seen.second_retained <= 0
        let count = lose(result, unless: isBorrowed || result.isLent)
        if count == nil {
            report(result, "the callback returned a released value", in: function)
            return null(insteadOf: result)
        }
        if Value.box(of: result) == nil { return noValue(result, in: function) }
        if result.isLent { return result }
        if isBorrowed || count == 0 {
            report(
                result, "the callback returned a borrowed value; return sgk_value_retain(value)",
                in: function)
            _ = Value.box(of: result)?.retain()
        }
        return result
    }

    /// Reports an invalid result: an unknown kind, no box, or a box of another kind.
    private static func noValue(_ result: sgk_value, in function: CString) -> sgk_value {
        write { sgk_support_print_no_value($0, $1, function.text, result.kind, result.bits) }
        return null(insteadOf: result)
    }

    private static func null(insteadOf result: sgk_value) -> sgk_value {
        sgk_value(kind: SGK_NULL.rawValue, reserved: result.reserved & ~SGK_LENT, bits: 0)
    }

    private static func box(_ raw: sgk_value) -> UInt64 { raw.kind >= Value.firstBox ? raw.bits : 0 }

    private static func report(_ raw: sgk_value, _ what: CString, in function: CString) {
        write {
            sgk_support_print_misuse($0, $1, function.text, what.text, UnsafeRawPointer(bitPattern: UInt(raw.bits)))
        }
    }

    private static func write(_ print: (UnsafeMutablePointer<CChar>, Int) -> Void) {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            print(text.baseAddress!, text.count)
            Log.write(text.baseAddress!)
        }
    }
}

// The functions that Support/values.c calls.

@_cdecl("sgk_support_box_born")
public func sgk_support_box_born(_ box: UnsafeRawPointer) { Ownership.born(box) }

@_cdecl("sgk_support_is_alive")
public func sgk_support_is_alive(_ value: sgk_value) -> Bool { Ownership.isAlive(value) }

@_cdecl("sgk_support_hand_out")
public func sgk_support_hand_out(_ value: sgk_value) { Ownership.handOut(value) }

@_cdecl("sgk_support_give_back")
public func sgk_support_give_back(_ value: sgk_value) -> Bool { Ownership.giveBack(value, in: "sgk_value_release") }

extension Value {
    /// Checks the result of a callback that borrowed these values.
    @inline(__always)
    init(
        madeIn function: CString, of first: sgk_value = sgk_null(), _ second: sgk_value = sgk_null(),
        _ call: () -> sgk_value
    ) {
        if _fastPath(!sgk_support_is_debug()) {
            self.init(consuming: call())
        } else {
            let outer = Ownership.lend(first, second)
            self.init(consuming: Ownership.take(call(), in: function, outer))
        }
    }
}

/// With SIGNALKIT_DEBUG=1: a step with checked results.
final class CheckedStep {
    private let step: sgk_step
    private let owner: any StepOwner
    let function: CString

    private init(_ step: sgk_step, _ owner: any StepOwner, _ function: CString) {
        self.step = step
        self.owner = owner
        self.function = function
    }

    var operatorCount: Int { owner.operatorCount }
    func operation(at index: Int) -> CString { owner.operation(at: index) }

    /// The step, and what owns it: a checked one if it makes values.
    @inline(never)
    static func around(_ step: sgk_step, _ callback: Callback) -> (sgk_step, any StepOwner) {
        if !sgk_support_is_debug() { return (step, callback) }
        let checked = CheckedStep(step, callback, callback.function)
        let pointer = Unmanaged.passUnretained(checked).toOpaque()
        switch step.action {
        case SGK_STEP_MAP: return (sgk_step_map({ CheckedStep.at($0).mapped($1) }, pointer), checked)
        case SGK_STEP_UPDATE: return (sgk_step_update({ CheckedStep.at($0).update($1!) }, pointer), checked)
        default: return (step, callback)
        }
    }

    /// The same with a typed function.
    @inline(never)
    static func around(_ step: sgk_step, _ function: TypedFunction) -> (sgk_step, any StepOwner) {
        if !sgk_support_is_debug() || step.action == SGK_STEP_FILTER_TYPED { return (step, function) }
        let checked = CheckedStep(step, function, function.function)
        return (
            sgk_step_map({ CheckedStep.at($0).typed($1) }, Unmanaged.passUnretained(checked).toOpaque()), checked
        )
    }

    private func typed(_ value: sgk_value) -> sgk_value {
        switch unsafeDowncast(owner as AnyObject, to: TypedFunction.self).call(spreading: value) {
        case let .result(made): return step.action == SGK_STEP_MAP_TYPED ? made.passed() : sgk_unchanged()
        case let .failure(error): return sgk_failed(error.passed())
        }
    }

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> CheckedStep {
        Unmanaged<CheckedStep>.fromOpaque(pointer!).takeUnretainedValue()
    }

    private func mapped(_ value: sgk_value) -> sgk_value {
        let outer = Ownership.lend(value)
        return Ownership.take(step.function.map(step.context, value), in: function, outer)
    }

    /// The callback owns the value.
    private func update(_ value: UnsafeMutablePointer<sgk_value>) {
        if value.pointee.kind >= Value.firstBox { Ownership.handOut(value.pointee) }
        let outer = Ownership.lend(sgk_null())
        step.function.update(step.context, value)
        value.pointee = Ownership.take(value.pointee, in: function, outer)
    }
}
