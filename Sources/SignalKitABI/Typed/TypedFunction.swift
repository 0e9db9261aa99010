import CSignalKit
import SignalKitSupport

/// A function with its signature and its context.
final class TypedFunction {
    let signature: Signature
    private let callback: Callback
    /// The function on whose behalf it is called.
    let function: CString
    /// As C calls it; a step keeps its address.
    let typed: UnsafeMutablePointer<sgk_typed>

    init(_ function: @escaping sgk_function, _ signature: Signature, _ callback: Callback, in caller: CString) {
        self.signature = signature
        self.callback = callback
        self.function = caller
        typed = .allocate(capacity: 1)
        typed.initialize(
            to: sgk_typed(plan: signature.plan, function: function, context: callback.context, name: caller.text))
    }

    deinit { typed.deallocate() }

    enum Outcome {
        case result(Value)
        case failure(Value)
    }

    /// Returns the outcome of a call that borrows these values (and possibly more).
    private func outcome(
        of first: sgk_value, _ second: sgk_value = sgk_null(), _ call: (UnsafeMutablePointer<Bool>) -> sgk_value
    ) -> Outcome {
        var failed = false
        let value = Value(madeIn: function, of: first, second) { call(&failed) }
        return failed ? .failure(value) : .result(value)
    }

    /// Calls the function with as many values as it takes.
    func call(_ values: UnsafePointer<sgk_value>) -> Outcome {
        let arity = signature.arity
        return outcome(of: arity > 0 ? values[0] : sgk_null(), arity > 1 ? values[1] : sgk_null()) {
            sgk_typed_call(typed, values, $0)
        }
    }

    /// Calls it with a value, or with the items of one.
    func call(spreading value: Value) -> Outcome { withExtendedLifetime(value) { call(spreading: value.raw) } }

    func call(spreading raw: sgk_value) -> Outcome { outcome(of: raw) { sgk_typed_call_spreading(typed, raw, $0) } }

    /// Calls it with a value and another one, or with the items of the other.
    func call(_ first: Value, spreading second: Value) -> Outcome {
        withExtendedLifetime((first, second)) {
            let rest = signature.arity - 1
            return withUnsafeTemporaryAllocation(of: sgk_value.self, capacity: rest + 1) { values in
                values[0] = first.raw
                if rest == 1 {
                    values[1] = second.raw
                } else {
                    guard let array = second.array, array.count == rest else {
                        return .failure(
                            Value(consuming: sgk_typed_unfit(typed.pointee.name, signature.arity, second.raw)))
                    }
                    for index in 0..<rest { values[index + 1] = array.items[index] }
                }
                return call(values.baseAddress!)
            }
        }
    }

    /// Calls it with as many values as it takes.
    func call(all values: UnsafeBufferPointer<Value>) -> Outcome { withRaw(values) { call($0) } }
}
