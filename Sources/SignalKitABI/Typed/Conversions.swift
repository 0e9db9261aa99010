import CSignalKit
import SignalKitSupport

/// What a value becomes as an argument, and a result as a value. (The table at the top of `typed.h`.)
enum Conversion {
    /// Stores a value where an argument is taken from, or says why it cannot. Texts that have to be made for it go to `made`.
    static func store(_ value: sgk_value, as type: sgk_type, in slot: UnsafeMutablePointer<sgk_slot>, made: inout [DataBox]) -> StaticString? {
        switch type {
        case SGK_TYPE_bool:
            if value.kind != SGK_BOOL.rawValue { return "is no bool" }
            slot.pointee.flag = value.bits != 0
        case SGK_TYPE_i8: return integer(value) { slot.pointee.i8 = $0 }
        case SGK_TYPE_i16: return integer(value) { slot.pointee.i16 = $0 }
        case SGK_TYPE_i32: return integer(value) { slot.pointee.i32 = $0 }
        case SGK_TYPE_i64: return integer(value) { slot.pointee.i64 = $0 }
        case SGK_TYPE_u8: return integer(value) { slot.pointee.u8 = $0 }
        case SGK_TYPE_u16: return integer(value) { slot.pointee.u16 = $0 }
        case SGK_TYPE_u32: return integer(value) { slot.pointee.u32 = $0 }
        case SGK_TYPE_u64: return integer(value) { slot.pointee.u64 = $0 }
        case SGK_TYPE_f32:
            switch sgk_kind(rawValue: value.kind) {
            case SGK_INT:
                guard let exact = Float(exactly: Int64(bitPattern: value.bits)) else { return "cannot be held exactly" }
                slot.pointee.f32 = exact
            case SGK_DOUBLE:
                let number = Double(bitPattern: value.bits)
                if number.isFinite && !Float(number).isFinite { return "is out of range" }
                slot.pointee.f32 = Float(number)
            default: return "is no number"
            }
        case SGK_TYPE_f64:
            switch sgk_kind(rawValue: value.kind) {
            case SGK_INT:
                guard let exact = Double(exactly: Int64(bitPattern: value.bits)) else { return "cannot be held exactly" }
                slot.pointee.f64 = exact
            case SGK_DOUBLE: slot.pointee.f64 = Double(bitPattern: value.bits)
            default: return "is no number"
            }
        case SGK_TYPE_ptr:
            switch sgk_kind(rawValue: value.kind) {
            case SGK_NULL: slot.pointee.pointer = nil
            case SGK_POINTER: slot.pointee.pointer = sgk_to_pointer(value)
            case SGK_OBJECT: slot.pointee.pointer = sgk_object_pointer(value)
            case SGK_BYTES: slot.pointee.pointer = UnsafeMutableRawPointer(mutating: sgk_value_data(value, nil))
            default: return "is no pointer"
            }
        case SGK_TYPE_cstr:
            switch sgk_kind(rawValue: value.kind) {
            case SGK_NULL: slot.pointee.pointer = nil
            case SGK_STRING:
                var length = 0
                let text = sgk_value_data(value, &length)
                if let text, strlen(text) != length { return "has a NUL inside" }
                slot.pointee.pointer = UnsafeMutableRawPointer(mutating: text)
            default: return "is no string"
            }
        case SGK_TYPE_text:
            if value.kind == SGK_STRING.rawValue {
                slot.pointee.pointer = UnsafeMutableRawPointer(mutating: sgk_value_data(value, nil))
            } else {
                let text = DataBox(describing: value)
                made.append(text)
                slot.pointee.pointer = UnsafeMutableRawPointer(text.data)
            }
        default: slot.pointee.value = value
        }
        return nil
    }

    private static func integer<N: FixedWidthInteger>(_ value: sgk_value, _ store: (N) -> Void) -> StaticString? {
        if value.kind != SGK_INT.rawValue { return "is no int" }
        guard let number = N(exactly: Int64(bitPattern: value.bits)) else { return "is out of range" }
        store(number)
        return nil
    }

    /// The value of an argument or result; `nil` for an integer that a value cannot hold.
    /// - Parameter owned: whether a `value` comes with a reference that is to be taken over.
    static func load(_ slot: UnsafePointer<sgk_slot>, as type: sgk_type, owned: Bool) -> Value? {
        switch type {
        case SGK_TYPE_void: return .null
        case SGK_TYPE_bool: return plain(sgk_bool(slot.pointee.flag))
        case SGK_TYPE_i8: return plain(sgk_int(Int64(slot.pointee.i8)))
        case SGK_TYPE_i16: return plain(sgk_int(Int64(slot.pointee.i16)))
        case SGK_TYPE_i32: return plain(sgk_int(Int64(slot.pointee.i32)))
        case SGK_TYPE_i64: return plain(sgk_int(slot.pointee.i64))
        case SGK_TYPE_u8: return plain(sgk_int(Int64(slot.pointee.u8)))
        case SGK_TYPE_u16: return plain(sgk_int(Int64(slot.pointee.u16)))
        case SGK_TYPE_u32: return plain(sgk_int(Int64(slot.pointee.u32)))
        case SGK_TYPE_u64: return Int64(exactly: slot.pointee.u64).map { plain(sgk_int($0)) }
        case SGK_TYPE_f32: return plain(sgk_double(Double(slot.pointee.f32)))
        case SGK_TYPE_f64: return plain(sgk_double(slot.pointee.f64))
        case SGK_TYPE_cstr, SGK_TYPE_text:
            guard let text = slot.pointee.pointer else { return .null }
            return .boxed(DataBox(SGK_STRING, text, strlen(text.assumingMemoryBound(to: CChar.self))))
        case SGK_TYPE_value: return owned ? Value(consuming: slot.pointee.value) : Value(borrowing: slot.pointee.value)
        default: return plain(sgk_pointer(slot.pointee.pointer))
        }
    }

    /// What is wrong when `load` gives `nil`.
    static var tooLarge: StaticString { "the number is more than an int can be" }

    /// The message about an argument (from 1 on) or a result (0) that does not fit.
    static func mismatch(_ function: StaticString, _ parameter: Int, _ type: sgk_type, _ value: Value?, _ reason: StaticString) -> Value {
        let shown = value.map { value in withExtendedLifetime(value) { DataBox(describing: value.raw) } }
        return .boxed(DataBox(printing: { sgk_support_print_mismatch($0, $1, cString(function), parameter, type, shown?.data, cString(reason)) }))
    }

    private static func plain(_ raw: sgk_value) -> Value { .plain(kind: raw.kind, bits: raw.bits) }
}

extension DataBox {
    /// A value as text for people.
    convenience init(describing value: sgk_value) {
        let length = describeValue(value, nil, 0)
        self.init(SGK_STRING, nil, length)
        _ = describeValue(value, data, length + 1)
    }

    /// A text that a function of C's writes, as snprintf does; cut at 256 bytes.
    convenience init(printing print: (UnsafeMutablePointer<CChar>?, Int) -> Int) {
        self.init(SGK_STRING, nil, min(print(nil, 0), 255))
        _ = print(data, count + 1)
    }
}
