import CSignalKit
import SignalKitSupport

/// A typed function as the closures of an operator call it in one subscription. A value that does not fit ends the
/// subscription with an error.
struct TypedCall {
    let function: TypedFunction
    let run: Attempt<Value, Value>

    /// Returns the result, or `nil` if the subscription has ended. The result of the closure is then ignored.
    func callAsFunction(_ value: Value) -> Value? { run.isActive ? checked(function.call(spreading: value)) : nil }
    func callAsFunction(_ values: UnsafeBufferPointer<Value>) -> Value? {
        run.isActive ? checked(function.call(all: values)) : nil
    }
    func callAsFunction(_ first: Value, _ second: Value) -> Value? {
        run.isActive ? checked(function.call(first, spreading: second)) : nil
    }

    /// The answer of a predicate.
    func says(_ value: Value) -> Bool { self(value).integer != 0 }
    func says(_ first: Value, _ second: Value) -> Bool { self(first, second).integer != 0 }

    func integer(_ value: Value) -> UInt64 { self(value).integer }

    /// The signal of a function that returns one.
    func signal(_ value: Value) -> ValueSignal { made(self(value)) }
    func signal(_ first: Value, _ second: Value) -> ValueSignal { made(self(first, second)) }

    private func made(_ result: @autoclosure () -> Value?) -> ValueSignal {
        returned(OpaquePointer(bitPattern: UInt(result().integer)), in: function.function)
    }

    private func checked(_ outcome: TypedFunction.Outcome) -> Value? {
        switch outcome {
        case let .result(value): return value
        case let .failure(error): return run.fail(error, instead: nil)
        }
    }
}

/// The kinds of results that an operator expects from its function.
enum Wanted {
    case anything, something, yesOrNo, number, signal

    func isGiven(by type: sgk_type) -> Bool {
        switch self {
        case .anything: return true
        case .something: return type != SGK_TYPE_void
        case .yesOrNo: return type == SGK_TYPE_bool || Wanted.number.isGiven(by: type)
        case .number: return type.rawValue >= SGK_TYPE_i8.rawValue && type.rawValue <= SGK_TYPE_u64.rawValue
        case .signal: return type == SGK_TYPE_ptr
        }
    }

    var complaint: CString {
        switch self {
        case .anything, .something: return "must have a result"
        case .yesOrNo: return "must return bool or an integer"
        case .number: return "must return an integer"
        case .signal: return "must return ptr"
        }
    }
}

/// A function that fits an operator, or `nil` after having recorded why it does not.
/// - Parameter arity: how many values it is to take at least.
func typed(
    _ f: sgk_function?, _ text: OpaquePointer?, _ callback: Callback, _ argument: CString, _ wanted: Wanted,
    arity: Int = 0,
    in function: CString = #function
) -> TypedFunction? {
    guard let f = required(f, argument, in: function), let signature = signature(text, in: function) else { return nil }
    if !wanted.isGiven(by: signature.result) {
        record(SGK_ERROR_ARGUMENT, "signature", wanted.complaint, in: function)
        return nil
    }
    if signature.arity < arity {
        record(SGK_ERROR_ARGUMENT, "signature", "must have more parameters", in: function)
        return nil
    }
    return TypedFunction(f, signature, callback, in: function)
}

extension Value? {
    fileprivate var integer: UInt64 {
        if case let .plain(_, bits) = self { return bits }
        return 0
    }
}
