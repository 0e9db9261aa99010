import CSignalKit
import SignalKitSupport

// MARK: Boxed values (Support/values.c has strings and bytes)

@_cdecl("sgk_array") @implementation
public func sgk_array(_ values: UnsafePointer<sgk_value>!, _ count: Int) -> sgk_value {
    if values == nil && count != 0 { return null(SGK_ERROR_NULL, "values", "must not be NULL if count is not 0") }
    if count < 0 || count > Int.max / 16 { return null(SGK_ERROR_ARGUMENT, "count", "is more than an array can have") }
    let values = UnsafeBufferPointer(start: values, count: count)
    if let depth = depth(of: values), hasRoom() {
        if let array = ArrayBox.make(borrowing: values, depth: depth) { return handedOut(array) }
        record(SGK_ERROR_MEMORY, "count", "out of memory")
    }
    for value in values { _ = Value(borrowing: value) } // what is given away is taken over all the same
    return sgk_null()
}

/// An array for an event that is on its way: so there must be memory for it.
@_cdecl("sgk_support_array")
public func sgk_support_array(_ values: UnsafePointer<sgk_value>, _ count: Int) -> sgk_value {
    Value.array(count: count) { Value(borrowing: values[$0]) }.passed()
}

/// Returns the depth of the deepest item, or `nil` after it recorded that an item is too deep for an array.
private func depth(of values: UnsafeBufferPointer<sgk_value>, in function: CString = #function) -> UInt32? {
    var deepest: UInt32 = 0
    for value in values where sgk_value_is_nested(value) && Value.box(of: value) != nil {
        deepest = max(deepest, sgk_value_depth(value))
    }
    if deepest < ArrayBox.deepest { return deepest }
    record(SGK_ERROR_ARGUMENT, "values", "arrays must not be nested deeper than 1,000", in: function)
    return nil
}

/// Returns the array for a program of C's, as its own.
private func handedOut(_ array: Unmanaged<ArrayBox>) -> sgk_value {
    let bits = UInt64(UInt(bitPattern: array.toOpaque()))
    let value = sgk_value(kind: SGK_ARRAY.rawValue, reserved: 0, bits: bits)
    if sgk_support_is_debug() { Ownership.handOut(value) }
    return value
}

@_cdecl("sgk_array_items") @implementation
public func sgk_array_items(_ array: sgk_value, _ count: UnsafeMutablePointer<Int>!) -> UnsafePointer<sgk_value>! {
    guard let box = arrayBox(array) else {
        count?.pointee = 0
        return nil
    }
    count?.pointee = box.pointee.count
    return items(of: box)
}

@_cdecl("sgk_array_at") @implementation
public func sgk_array_at(_ array: sgk_value, _ index: Int) -> sgk_value {
    guard let box = arrayBox(array) else { return sgk_null() }
    if index < 0 || index >= box.pointee.count {
        return null(SGK_ERROR_ARGUMENT, "index", "must be 0 or more and less than the array's size")
    }
    return items(of: box)[index]
}

/// Returns the array as C represents it, or `nil` after it recorded that the value is not an array.
private func arrayBox(_ value: sgk_value, in function: CString = #function) -> UnsafePointer<sgk_box>? {
    if let box = arrayBox(of: value) { return box }
    record(SGK_ERROR_KIND, "array", "must be an array", in: function)
    return nil
}

private func arrayBox(of value: sgk_value) -> UnsafePointer<sgk_box>? {
    if value.kind != SGK_ARRAY.rawValue { return nil }
    return Value.box(of: value).map { UnsafePointer($0.toOpaque().assumingMemoryBound(to: sgk_box.self)) }
}

private func items(of box: UnsafePointer<sgk_box>) -> UnsafePointer<sgk_value> {
    UnsafeRawPointer(box + 1).assumingMemoryBound(to: sgk_value.self)
}

@_cdecl("sgk_object") @implementation
public func sgk_object(
    _ object: UnsafeMutableRawPointer!, _ type: UnsafePointer<sgk_object_type>!
) -> sgk_value {
    guard let type = required(type, "type") else { return sgk_null() }
    // The library knows the fields of this version, and ignores further fields that are 0.
    var known = sgk_object_type()
    guard copyStruct(type, to: &known, size: type.pointee.size, "type") else { return sgk_null() }
    if known.name == nil { return null(SGK_ERROR_ARGUMENT, "type", "must have a name") }
    return hasRoom() ? Value.boxed(ObjectBox(object, type)).handedOut() : sgk_null()
}

@_cdecl("sgk_to_object") @implementation
public func sgk_to_object(
    _ value: sgk_value, _ type: UnsafePointer<sgk_object_type>!
) -> UnsafeMutableRawPointer! {
    guard let type = required(type, "type") else { return nil }
    guard value.kind == SGK_OBJECT.rawValue, let box = Value.box(of: value) else {
        sgk_support_fail_object(type.pointee.name, nil)
        return nil
    }
    return Unmanaged<ObjectBox>.fromOpaque(box.toOpaque())._withUnsafeGuaranteedRef {
        if $0.type == type { return $0.object }
        sgk_support_fail_object(type.pointee.name, $0.type.pointee.name)
        return nil
    }
}

@_cdecl("sgk_error_from") @implementation
public func sgk_error_from(_ code: Int32, _ text: UnsafePointer<CChar>!, _ cause: sgk_value) -> sgk_value {
    let cause = Value(borrowing: cause)
    guard let text = required(text, "text"), hasRoom() else { return sgk_null() }
    if sgk_value_depth(cause.raw) >= FailureBox.deepest {
        record(SGK_ERROR_ARGUMENT, "cause", "errors must not be nested deeper than 1,000")
    }
    if let failure = FailureBox.make(code, text, cause: cause, must: false) {
        return Value.boxed(failure).handedOut()
    }
    return null(SGK_ERROR_MEMORY, "text", "out of memory")
}

// MARK: Any value

@_cdecl("sgk_value_equal") @implementation
public func sgk_value_equal(_ a: sgk_value, _ b: sgk_value) -> Bool { Value(borrowing: a) == Value(borrowing: b) }

@_cdecl("sgk_value_hash") @implementation
public func sgk_value_hash(_ value: sgk_value) -> UInt64 { Value(borrowing: value).hash }

@_cdecl("sgk_value_describe") @implementation
public func sgk_value_describe(_ value: sgk_value, _ text: UnsafeMutablePointer<CChar>!, _ size: Int) -> Int {
    withExtendedLifetime(Value(borrowing: value)) { describeValue(value, text, text == nil ? 0 : size) }
}

// MARK: Signals as values

@_cdecl("sgk_signal_value") @implementation
public func sgk_signal_value(_ signal: OpaquePointer!) -> sgk_value {
    guard let handle = borrow(signal, as: SignalHandle.self, "signal"), hasRoom() else { return sgk_null() }
    return Value.boxed(SignalBox(handle.signal)).handedOut()
}

@_cdecl("sgk_to_signal") @implementation
public func sgk_to_signal(_ value: sgk_value) -> OpaquePointer! {
    guard let signal = Value(borrowing: value).signal else {
        record(SGK_ERROR_KIND, "value", "must be a signal")
        return nil
    }
    return SignalHandle(signal).passed()
}

extension Value {
    /// The signal of a value that holds one.
    var signal: Signal<Value, Value>? {
        if case let .boxed(box) = self, box.kind == SGK_SIGNAL { return unsafeDowncast(box, to: SignalBox.self).signal }
        return nil
    }
}

private func null(
    _ status: sgk_status, _ argument: CString, _ reason: CString, in function: CString = #function
) -> sgk_value {
    record(status, argument, reason, in: function)
    return sgk_null()
}

/// Copies a struct that begins with its size. The struct of a newer program is longer, and is accepted if its further
/// fields are 0. No program has a shorter one, because no earlier version exists. (A later version that adds fields
/// must accept the sizes of this version, and keep the defaults of `copy` in the rest.)
func copyStruct<S>(
    _ source: UnsafePointer<S>, to copy: inout S, size: Int, _ argument: CString, in function: CString = #function
) -> Bool {
    if copied(source, to: &copy, size: size) { return true }
    record(SGK_ERROR_ARGUMENT, argument, unknownStruct, in: function)
    return false
}

/// The same without a record of the error.
func copied<S>(_ source: UnsafePointer<S>, to copy: inout S, size: Int) -> Bool {
    if size == MemoryLayout<S>.size {
        copy = source.pointee
        return true
    }
    return withUnsafeMutableBytes(of: &copy) { copyFields(of: source, size: size, to: $0) }
}

let unknownStruct: CString = "unknown size or field; its size must be the sizeof of the struct, and unknown fields 0"

private func copyFields(of source: UnsafeRawPointer, size: Int, to copy: UnsafeMutableRawBufferPointer) -> Bool {
    // Each field has the size of a pointer, so the size of a struct is a multiple of it. No struct will be larger than
    // 4096 bytes.
    let word = MemoryLayout<Int>.size
    if size < copy.count || size > 4096 || size % word != 0 { return false }
    for offset in stride(from: copy.count, to: size, by: word)
    where source.load(fromByteOffset: offset, as: Int.self) != 0 { return false }
    memcpy(copy.baseAddress!, source, copy.count)
    return true
}
