import CSignalKit
import SignalKitSupport

// MARK: Plain values, for callers that cannot use the header's inline functions

@_cdecl("sgk_make_null") @implementation
public func sgk_make_null() -> sgk_value { sgk_null() }

@_cdecl("sgk_make_bool") @implementation
public func sgk_make_bool(_ flag: Bool) -> sgk_value { sgk_bool(flag) }

@_cdecl("sgk_make_int") @implementation
public func sgk_make_int(_ number: Int64) -> sgk_value { sgk_int(number) }

@_cdecl("sgk_make_double") @implementation
public func sgk_make_double(_ number: Double) -> sgk_value { sgk_double(number) }

@_cdecl("sgk_make_pointer") @implementation
public func sgk_make_pointer(_ pointer: UnsafeMutableRawPointer!) -> sgk_value { sgk_pointer(pointer) }

@_cdecl("sgk_get_bool") @implementation
public func sgk_get_bool(_ value: sgk_value) -> Bool { sgk_to_bool(value) }

@_cdecl("sgk_get_int") @implementation
public func sgk_get_int(_ value: sgk_value) -> Int64 { sgk_to_int(value) }

@_cdecl("sgk_get_double") @implementation
public func sgk_get_double(_ value: sgk_value) -> Double { sgk_to_double(value) }

@_cdecl("sgk_get_pointer") @implementation
public func sgk_get_pointer(_ value: sgk_value) -> UnsafeMutableRawPointer! { sgk_to_pointer(value) }

// MARK: Boxed values

@_cdecl("sgk_string") @implementation
public func sgk_string(_ text: UnsafePointer<CChar>!) -> sgk_value {
    guard let text else { return null(SGK_ERROR_NULL, "sgk_string", "text", "is NULL") }
    return data(SGK_STRING, text, strlen(text), "sgk_string")
}

@_cdecl("sgk_string_n") @implementation
public func sgk_string_n(_ text: UnsafePointer<CChar>!, _ length: Int) -> sgk_value { data(SGK_STRING, text, length, "sgk_string_n") }

@_cdecl("sgk_bytes") @implementation
public func sgk_bytes(_ bytes: UnsafeRawPointer!, _ length: Int) -> sgk_value { data(SGK_BYTES, bytes, length, "sgk_bytes") }

private func data(_ kind: sgk_kind, _ source: UnsafeRawPointer?, _ length: Int, _ function: StaticString) -> sgk_value {
    if source == nil && length != 0 { return null(SGK_ERROR_NULL, function, "data", "is NULL although there is a length") }
    if length < 0 { return null(SGK_ERROR_ARGUMENT, function, "length", "is more than an object can have") }
    guard hasRoom(function) else { return sgk_null() }
    guard let box = DataBox.make(kind, source, length) else { return null(SGK_ERROR_MEMORY, function, "length", "there is not so much memory") }
    return Value.boxed(box).handedOut()
}

@_cdecl("sgk_array") @implementation
public func sgk_array(_ values: UnsafePointer<sgk_value>!, _ count: Int) -> sgk_value {
    if values == nil && count != 0 { return null(SGK_ERROR_NULL, "sgk_array", "values", "is NULL although there is a count") }
    if count < 0 || count > Int.max / 16 { return null(SGK_ERROR_ARGUMENT, "sgk_array", "count", "is more than an array can have") }
    if let items = room(for: values, count) { return Value.boxed(ArrayBox(items, count) { Value(borrowing: values[$0]) }).handedOut() }
    for index in 0..<count { _ = Value(borrowing: values[index]) } // what is given away is taken over all the same
    return sgk_null()
}

/// Room for the items of an array, or `nil` after having recorded why they cannot be one.
private func room(for values: UnsafePointer<sgk_value>?, _ count: Int) -> UnsafeMutablePointer<sgk_value>? {
    for index in 0..<count where ArrayBox.depth(of: Value(borrowing: values![index].settled)) >= ArrayBox.deepest {
        record(SGK_ERROR_ARGUMENT, "sgk_array", "values", "arrays are nested too deep")
        return nil
    }
    guard hasRoom("sgk_array") else { return nil }
    let items = ArrayBox.room(for: count)
    if items == nil { record(SGK_ERROR_MEMORY, "sgk_array", "count", "there is not so much memory") }
    return items
}

@_cdecl("sgk_value_data") @implementation
public func sgk_value_data(_ value: sgk_value, _ length: UnsafeMutablePointer<Int>!) -> UnsafePointer<CChar>! {
    guard let box = Value.box(of: value), box.kind == SGK_STRING || box.kind == SGK_BYTES else {
        length?.pointee = 0
        record(SGK_ERROR_KIND, "sgk_value_data", "value", "is neither string nor bytes")
        return nil
    }
    let data = unsafeDowncast(box, to: DataBox.self)
    length?.pointee = data.count
    return UnsafePointer(data.data)
}

@_cdecl("sgk_array_items") @implementation
public func sgk_array_items(_ array: sgk_value, _ count: UnsafeMutablePointer<Int>!) -> UnsafePointer<sgk_value>! {
    guard let box = arrayBox(array, "sgk_array_items") else {
        count?.pointee = 0
        return nil
    }
    count?.pointee = box.count
    return UnsafePointer(box.items)
}

@_cdecl("sgk_array_at") @implementation
public func sgk_array_at(_ array: sgk_value, _ index: Int) -> sgk_value {
    guard let box = arrayBox(array, "sgk_array_at") else { return sgk_null() }
    if index < 0 || index >= box.count { return null(SGK_ERROR_ARGUMENT, "sgk_array_at", "index", "is out of range") }
    return box.items[index]
}

private func arrayBox(_ value: sgk_value, _ function: StaticString) -> ArrayBox? {
    guard let box = Value.box(of: value), box.kind == SGK_ARRAY else {
        record(SGK_ERROR_KIND, function, "array", "is no array")
        return nil
    }
    return unsafeDowncast(box, to: ArrayBox.self)
}

@_cdecl("sgk_object_value") @implementation
public func sgk_object_value(_ object: UnsafeMutableRawPointer!, _ table: UnsafePointer<sgk_object_table>!) -> sgk_value {
    var known = sgk_object_table()
    if let table, !copyStruct(table, to: &known, size: table.pointee.size, "sgk_object_value", "table") { return sgk_null() }
    return hasRoom("sgk_object_value") ? Value.boxed(ObjectBox(object, known)).handedOut() : sgk_null()
}

@_cdecl("sgk_object_pointer") @implementation
public func sgk_object_pointer(_ value: sgk_value) -> UnsafeMutableRawPointer! {
    guard let box = Value.box(of: value), box.kind == SGK_OBJECT else {
        record(SGK_ERROR_KIND, "sgk_object_pointer", "value", "is no object")
        return nil
    }
    return unsafeDowncast(box, to: ObjectBox.self).object
}

// MARK: Any value

@_cdecl("sgk_value_retain") @implementation
public func sgk_value_retain(_ value: sgk_value) -> sgk_value {
    guard let box = Value.box(of: value) else { return value }
    return value.isGiven ? value.settled : Value.boxed(box).handedOut()
}

@_cdecl("sgk_value_release") @implementation
public func sgk_value_release(_ value: sgk_value) {
    if sgk_support_is_debug() && value.kind >= Value.firstBox && !Ownership.giveBack(value, cString("sgk_value_release")) { return }
    sgk_support_value_release(value)
}

/// The same for a reference that the library holds itself.
@_cdecl("sgk_support_value_release")
public func sgk_support_value_release(_ value: sgk_value) {
    if let box = Value.box(of: value) { Unmanaged.passUnretained(box).release() }
}

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
    guard let handle = borrow(signal, as: SignalHandle.self, "sgk_signal_value", "signal"), hasRoom("sgk_signal_value") else { return sgk_null() }
    return Value.boxed(SignalBox(handle.signal)).handedOut()
}

@_cdecl("sgk_value_signal") @implementation
public func sgk_value_signal(_ value: sgk_value) -> OpaquePointer! {
    guard let signal = Value(borrowing: value).signal else {
        record(SGK_ERROR_KIND, "sgk_value_signal", "value", "is no signal")
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

private func null(_ status: sgk_status, _ function: StaticString, _ argument: StaticString, _ reason: StaticString) -> sgk_value {
    record(status, function, argument, reason)
    return sgk_null()
}

/// Copies a struct that begins with its size: one of an older program is shorter, and the rest stays as it was.
func copyStruct<S>(_ source: UnsafePointer<S>, to copy: inout S, size: Int, _ function: StaticString, _ argument: StaticString) -> Bool {
    // The fields are as large as a pointer: no size of a struct ends inside of one.
    if size < MemoryLayout<Int>.size || size > MemoryLayout<S>.size || size % MemoryLayout<Int>.size != 0 {
        record(SGK_ERROR_ARGUMENT, function, argument, "has a size that this library does not know (use its _INIT macro)")
        return false
    }
    withUnsafeMutableBytes(of: &copy) { _ = memcpy($0.baseAddress!, source, size) }
    return true
}
