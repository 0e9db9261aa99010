import CSignalKit
import SignalKitSupport

/// A `sgk_value` that owns its box, as the signals inside carry it.
enum Value {
    case plain(kind: UInt32, bits: UInt64)
    case boxed(Box)

    static var firstBox: UInt32 { SGK_STRING.rawValue }

    static var null: Value { .plain(kind: SGK_NULL.rawValue, bits: 0) }

    /// `nil` when there is a box (or something unknown).
    @inline(__always)
    init?(plain raw: sgk_value) {
        if raw.kind >= Value.firstBox { return nil }
        self = .plain(kind: raw.kind, bits: raw.bits)
    }

    /// Retains the box, if there is one, or takes over the reference of a transferred value (`sgk_give`). An invalid
    /// value (an unknown kind, a box without an address) becomes null.
    @inline(__always)
    init(borrowing raw: sgk_value) {
        self = Value(plain: raw) ?? Value.boxed(borrowing: raw)
    }

    /// Takes over the reference of the value. Retains a lent value.
    @inline(__always)
    init(consuming raw: sgk_value) {
        self = Value(plain: raw) ?? Value.boxed(consuming: raw)
    }

    /// For C, valid as long as this value lives: marked by SGK_LENT, if it has a box.
    @inline(__always)
    var raw: sgk_value {
        let head: UInt64
        let bits: UInt64
        switch self {
        case let .plain(kind, plain): (head, bits) = (UInt64(kind), plain)
        case let .boxed(box):
            head = UInt64(box.kind.rawValue) | UInt64(SGK_LENT) << 32
            bits = UInt64(UInt(bitPattern: Unmanaged.passUnretained(box).toOpaque()))
        }
        return sgk_value_composed(head, bits)
    }

    /// Returns the value for C, with one reference.
    @inline(__always)
    consuming func passed() -> sgk_value { (consume self).stored().settled }

    /// Returns a part of another value, with one reference of that value: the program reads it as a lent value.
    @inline(__always)
    consuming func stored() -> sgk_value {
        let raw = raw
        if case let .boxed(box) = consume self { _ = Unmanaged.passRetained(consume box) }
        return raw
    }

    /// For a program of C's, as its own.
    @inline(__always)
    consuming func handedOut() -> sgk_value {
        let raw = (consume self).passed()
        if raw.kind >= Value.firstBox, sgk_support_is_debug() { Ownership.handOut(raw) }
        return raw
    }

    // The two functions for the usual case save no register: they call others only as their last act.

    @inline(never)
    private static func boxed(borrowing raw: sgk_value) -> Value {
        if !sgk_support_is_debug_off() { return examined(borrowing: raw) }
        return Value(sgk_value_box(raw).map { .fromOpaque($0) }, moved: raw.isGiven)
    }

    @inline(never)
    private static func boxed(consuming raw: sgk_value) -> Value {
        if !sgk_support_is_debug_off() { return examined(consuming: raw) }
        return Value(sgk_value_box(raw).map { .fromOpaque($0) }, moved: !raw.isLent)
    }

    @inline(never)
    private static func examined(borrowing raw: sgk_value) -> Value {
        guard let box = box(of: raw) else { return .null }
        let isOurs = raw.isGiven && (!sgk_support_is_debug() || Ownership.giveBack(raw, in: "sgk_value_release"))
        return Value(box, moved: isOurs)
    }

    @inline(never)
    private static func examined(consuming raw: sgk_value) -> Value { Value(box(of: raw), moved: !raw.isLent) }

    /// Takes over the reference of a box that is moved here, otherwise retains it.
    @inline(__always)
    private init(_ box: Unmanaged<Box>?, moved isMoved: Bool) {
        guard let box else {
            self = .null
            return
        }
        self = .boxed(isMoved ? box.moved() : box.takeUnretainedValue())
    }

    /// The box of a value of C's, if it has one of that kind. (Not counted for the look.)
    @inline(__always)
    static func box(of raw: sgk_value) -> Unmanaged<Box>? {
        if sgk_support_is_debug() && !Ownership.isAlive(raw) { return nil }
        return sgk_value_box(raw).map { .fromOpaque($0) }
    }

    static func equal(_ a: Value, _ b: Value) -> Bool {
        switch (a, b) {
        case let (.plain(kind, bits), .plain(otherKind, otherBits)): return kind == otherKind && bits == otherBits
        case let (.boxed(box), .boxed(other)): return box === other || box.kind == other.kind && box.isEqual(to: other)
        default: return false
        }
    }

    var hash: UInt64 {
        switch self {
        case let .plain(kind, bits): return sgk_mix(UInt64(kind), bits)
        case let .boxed(box): return sgk_mix(UInt64(box.kind.rawValue), box.hash)
        }
    }
}

extension sgk_value {
    /// Reports whether the function that receives the value takes over its reference.
    var isGiven: Bool { reserved == SGK_GIVEN }
    /// Reports whether the value belongs to the library, and a function that returns it gives no reference away.
    var isLent: Bool { reserved & SGK_LENT != 0 }
    /// The value as callbacks receive it.
    var lent: sgk_value { sgk_value_lent(self) }
    /// The value with `reserved` set to 0.
    var settled: sgk_value { sgk_value(kind: kind, reserved: 0, bits: bits) }
}

/// Calls `body` with the values as C sees them.
@inline(__always)
func withRaw<R>(_ values: UnsafeBufferPointer<Value>, _ body: (UnsafePointer<sgk_value>) -> R) -> R {
    withUnsafeTemporaryAllocation(of: sgk_value.self, capacity: values.count) { items in
        let items = items.baseAddress.unsafelyUnwrapped
        for index in 0..<values.count { sgk_value_store(items + index, values[index].raw) }
        return body(items)
    }
}

extension Value: Hashable {
    static func == (a: Value, b: Value) -> Bool { equal(a, b) }
    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
