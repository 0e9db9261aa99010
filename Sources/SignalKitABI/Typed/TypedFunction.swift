import CSignalKit
import SignalKitSupport

/// A function with its signature and its context.
final class TypedFunction {
    let signature: Signature
    private let callback: Callback
    /// As C calls it; a step keeps its address.
    let typed: UnsafeMutablePointer<sgk_typed>

    /// - Parameter caller: the function on whose behalf it is called, for messages.
    init(_ function: @escaping sgk_function, _ signature: Signature, _ callback: Callback, in caller: CString) {
        self.signature = signature
        self.callback = callback
        typed = .allocate(capacity: 1)
        typed.initialize(
            to: sgk_typed(plan: signature.plan, function: function, context: callback.context, name: caller.text))
    }

    deinit { typed.deallocate() }

    enum Outcome {
        case result(Value)
        case failure(Value)

        init(_ call: (UnsafeMutablePointer<Bool>) -> sgk_value) {
            var failed = false
            let value = Value(consuming: call(&failed))
            self = failed ? .failure(value) : .result(value)
        }
    }

    /// Calls the function with as many values as it takes.
    func call(_ values: UnsafePointer<sgk_value>) -> Outcome { Outcome { sgk_typed_call(typed, values, $0) } }

    /// Calls it with a value, or with the items of one.
    func call(spreading value: Value) -> Outcome {
        withExtendedLifetime(value) { Outcome { sgk_typed_call_spreading(typed, value.raw, $0) } }
    }

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

extension Value {
    fileprivate var array: ArrayBox? {
        if case let .boxed(box) = self, box.kind == SGK_ARRAY { return unsafeDowncast(box, to: ArrayBox.self) }
        return nil
    }
}
