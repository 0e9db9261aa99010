import CSignalKit
import SignalKitSupport

/// The object behind a boxed value.
class Box {
    final let kind: sgk_kind

    init(_ kind: sgk_kind) {
        self.kind = kind
        sgk_support_count(UInt32(SGK_LIVE_VALUE.rawValue), 1)
        if sgk_support_is_debug() { Ownership.born(address) }
    }

    deinit {
        if sgk_support_is_debug() { Ownership.died(address) }
        sgk_support_count(UInt32(SGK_LIVE_VALUE.rawValue), -1)
    }

    final var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Only called with a box of the same kind.
    func isEqual(to other: Box) -> Bool { false }
    var hash: UInt64 { UInt64(UInt(bitPattern: address)) }
    func describe(_ text: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
        Int(sgk_support_print_pointer(text, size, address))
    }
}

/// A box with its contents behind its fields: a `sgk_box`, which C makes and writes. C walks through those that contain
/// values (values.c).
class FilledBox: Box {
    /// The release of nested boxes goes down the stack in some builds: so there is a limit.
    static var deepest: UInt32 { 1000 }

    fileprivate final var depth: UInt32 = 0
    final private(set) var count = 0

    fileprivate final var contents: UnsafeMutableRawPointer { address + MemoryLayout<sgk_box>.size }
    private final var box: UnsafePointer<sgk_box> { UnsafePointer(address.assumingMemoryBound(to: sgk_box.self)) }

    override func isEqual(to other: Box) -> Bool {
        sgk_box_nested_equal(box, unsafeDowncast(other, to: FilledBox.self).box)
    }
    override var hash: UInt64 { sgk_box_hash_nested(box) }
    override func describe(_ text: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
        sgk_box_describe_nested(box, text, size)
    }
}

/// An empty one, by which C learns how they begin.
@_cdecl("sgk_support_empty_box")
public func sgk_support_empty_box(_ kind: sgk_kind) -> UnsafeMutableRawPointer {
    let box: FilledBox
    switch kind {
    case SGK_ARRAY: box = ArrayBox(kind)
    case SGK_FAILURE: box = FailureBox(kind)
    default: box = DataBox(kind)
    }
    return Unmanaged.passRetained(box).toOpaque()
}

/// A string or bytes: a copy, with a NUL behind.
final class DataBox: FilledBox {
    var data: UnsafeMutablePointer<CChar> { contents.assumingMemoryBound(to: CChar.self) }

    /// `nil` when there is not so much memory, unless there `must` be.
    static func make(_ kind: sgk_kind, _ source: UnsafeRawPointer?, _ count: Int, must: Bool) -> DataBox? {
        sgk_box_make_data(kind, source, count, must).map { Unmanaged.fromOpaque($0).moved() }
    }

    override func isEqual(to other: Box) -> Bool {
        let other = unsafeDowncast(other, to: DataBox.self)
        return count == other.count && memcmp(data, other.data, count) == 0
    }

    override var hash: UInt64 {
        var hash = UInt64(count)
        for index in 0..<count { hash = sgk_mix(hash, UInt64(UInt8(bitPattern: data[index]))) }
        return hash
    }

    override func describe(_ text: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
        if kind == SGK_BYTES {
            var length = 0
            for index in 0..<count {
                let byte = UInt8(bitPattern: data[index])
                for digit in [byte >> 4, byte & 15] {
                    append(digit < 10 ? 48 + digit : 87 + digit, to: text, size, &length)
                }
            }
            return terminate(text, size, length)
        }
        var length = 0
        for index in 0..<count { append(UInt8(bitPattern: data[index]), to: text, size, &length) }
        return terminate(text, size, length)
    }
}

/// An error: a code, a text and a cause.
final class FailureBox: FilledBox {
    private var content: UnsafeMutablePointer<sgk_failure> { contents.assumingMemoryBound(to: sgk_failure.self) }

    /// An error with a cause. A cause that would be too deep becomes null. `nil` when there is not so much memory,
    /// unless there `must` be.
    static func make(
        _ code: Int32, _ text: UnsafePointer<CChar>, cause: consuming Value, must: Bool
    ) -> FailureBox? {
        guard let box = sgk_box_make_failure(code, text, strlen(text), must) else { return nil }
        let failure = Unmanaged<FailureBox>.fromOpaque(box).moved()
        let below = sgk_value_depth(cause.raw)
        if below < deepest {
            failure.depth = below + 1
            failure.content.pointee.cause = (consume cause).stored()
        }
        return failure
    }

    // The box by which C learns has no contents, and the depth 0.
    deinit {
        if depth > 0 { _ = Value(consuming: content.pointee.cause.settled) }
    }
}

/// An array of values, with one reference to each.
final class ArrayBox: FilledBox {
    var items: UnsafeMutablePointer<sgk_value> { contents.assumingMemoryBound(to: sgk_value.self) }

    /// Returns an owned array with the items that `item` gives, or `nil` when there is not so much memory, unless there
    /// `must` be. Its caller sets the depth.
    @inline(__always)
    private static func make(count: Int, must: Bool, _ item: (Int) -> Value) -> Unmanaged<ArrayBox>? {
        guard let box = sgk_box_make_array(count, must) else { return nil }
        let array = Unmanaged<ArrayBox>.fromOpaque(box)
        let items = array._withUnsafeGuaranteedRef { $0.items }
        for index in 0..<count { (items + index).initialize(to: item(index).stored()) }
        return array
    }

    /// The same, of values whose depth the caller has checked.
    static func make(borrowing values: UnsafeBufferPointer<sgk_value>, depth: UInt32) -> Unmanaged<ArrayBox>? {
        let array = make(count: values.count, must: false) { Value(borrowing: values[$0]) }
        array?._withUnsafeGuaranteedRef { $0.depth = 1 + depth }
        return array
    }

    /// The same for an event that is on its way. An item that would be too deep becomes null.
    static func make(count: Int, _ item: (Int) -> Value) -> ArrayBox {
        let array = make(count: count, must: true, item).unsafelyUnwrapped.moved()
        array.depth = 1 + array.limitDepth()
        return array
    }

    /// Makes each item null that is too deep, and returns the depth of the deepest other one.
    private func limitDepth() -> UInt32 {
        var deepest: UInt32 = 0
        for index in 0..<count {
            let depth = sgk_value_depth(items[index])
            if depth >= Self.deepest {
                _ = Value(consuming: items[index].settled)
                items[index] = sgk_null()
            } else {
                deepest = max(deepest, depth)
            }
        }
        return deepest
    }

    deinit {
        for index in 0..<count { _ = Value(consuming: items[index].settled) }
    }
}

extension Value {
    /// An array; one that is made while events flow, so that there must be memory for it.
    static func array(count: Int, _ item: (Int) -> Value) -> Value {
        .boxed(ArrayBox.make(count: count, item))
    }

    static func array(_ values: [Value]) -> Value { array(count: values.count) { values[$0] } }

    /// The array, if that is what it is.
    var array: ArrayBox? {
        if case let .boxed(box) = self, box.kind == SGK_ARRAY { return unsafeDowncast(box, to: ArrayBox.self) }
        return nil
    }
}

/// A signal as a value.
final class SignalBox: Box {
    let signal: Signal<Value, Value>

    init(_ signal: Signal<Value, Value>) {
        self.signal = signal
        super.init(SGK_SIGNAL)
    }

    override func isEqual(to other: Box) -> Bool { signal === unsafeDowncast(other, to: SignalBox.self).signal }
    override var hash: UInt64 { UInt64(UInt(bitPattern: Unmanaged.passUnretained(signal).toOpaque())) }
}

/// An object of the program with its type.
final class ObjectBox: Box {
    let object: UnsafeMutableRawPointer?
    let type: UnsafePointer<sgk_object_type>

    init(_ object: UnsafeMutableRawPointer?, _ type: UnsafePointer<sgk_object_type>) {
        self.object = object
        self.type = type
        super.init(SGK_OBJECT)
        type.pointee.retain?(object)
    }

    deinit {
        type.pointee.release?(object)
    }

    override func isEqual(to other: Box) -> Bool {
        let other = unsafeDowncast(other, to: ObjectBox.self)
        if type != other.type { return false }
        return object == other.object || type.pointee.equal?(object, other.object) == true
    }

    override var hash: UInt64 { type.pointee.hash.map { $0(object) } ?? UInt64(UInt(bitPattern: object)) }

    override func describe(_ text: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
        type.pointee.describe.map { $0(object, text, size) }
            ?? Int(sgk_support_print_object(text, size, type.pointee.name, object))
    }
}

/// Writes a byte if there is space, leaves space for the NUL, and always counts the byte.
private func append(_ byte: UInt8, to text: UnsafeMutablePointer<CChar>?, _ size: Int, _ length: inout Int) {
    if let text, length + 1 < size { text[length] = CChar(bitPattern: byte) }
    length += 1
}

private func terminate(_ text: UnsafeMutablePointer<CChar>?, _ size: Int, _ length: Int) -> Int {
    if let text, size > 0 { text[min(length, size - 1)] = 0 }
    return length
}

/// Any value as text, as snprintf does.
func describeValue(_ raw: sgk_value, _ text: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
    if case let .boxed(box) = Value(borrowing: raw.settled) { return box.describe(text, size) }
    switch sgk_kind(rawValue: raw.kind) {
    case SGK_BOOL: return copy(raw.bits != 0 ? "true" : "false", text, size)
    case SGK_INT: return sgk_support_print_int(text, size, Int64(bitPattern: raw.bits))
    case SGK_DOUBLE: return sgk_support_print_double(text, size, Double(bitPattern: raw.bits))
    case SGK_POINTER: return sgk_support_print_pointer(text, size, UnsafeRawPointer(bitPattern: UInt(raw.bits)))
    default: return copy("null", text, size)
    }
}

private func copy(_ source: StaticString, _ text: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
    var length = 0
    for index in 0..<source.utf8CodeUnitCount { append(source.utf8Start[index], to: text, size, &length) }
    return terminate(text, size, length)
}
