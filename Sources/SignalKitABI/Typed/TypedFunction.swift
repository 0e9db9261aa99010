import CSignalKit
import SignalKitSupport

/// A function with its signature and its context.
final class TypedFunction {
    let signature: Signature
    private let function: sgk_function
    private let callback: Callback
    /// On whose behalf it is called, for messages.
    private let name: StaticString

    init(_ function: @escaping sgk_function, _ signature: Signature, _ callback: Callback, _ name: StaticString) {
        self.function = function
        self.signature = signature
        self.callback = callback
        self.name = name
    }

    enum Outcome {
        case result(Value)
        case failure(Value)
    }

    /// Calls the function with as many values as it takes.
    func call(_ values: UnsafePointer<sgk_value>) -> Outcome {
        let parameters = signature.parameters
        return withUnsafeTemporaryAllocation(of: sgk_slot.self, capacity: parameters.count + 1) { slots in
            let slots = slots.baseAddress!, result = slots + parameters.count
            var made: [DataBox] = []
            var taken = 0
            for index in 0..<parameters.count {
                if parameters[index] == SGK_TYPE_ctx {
                    slots[index].pointer = callback.context
                    continue
                }
                if let reason = Conversion.store(values[taken], as: parameters[index], in: slots + index, made: &made) {
                    return .failure(Conversion.mismatch(name, index + 1, parameters[index], Value(borrowing: values[taken]), reason))
                }
                taken += 1
            }
            withExtendedLifetime(made) { sgk_support_call(signature.plan, function, slots, result) }
            if let value = Conversion.load(result, as: signature.result, owned: true) { return .result(value) }
            return .failure(Conversion.mismatch(name, 0, signature.result, nil, Conversion.tooLarge))
        }
    }

    /// Calls it with a value, or with the items of one.
    func call(spreading value: Value) -> Outcome {
        withExtendedLifetime(value) {
            if signature.arity <= 1 { return withUnsafePointer(to: value.raw) { call($0) } }
            guard let array = value.array, array.count == signature.arity else { return unfit(value) }
            return call(array.items)
        }
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
                    guard let array = second.array, array.count == rest else { return unfit(second) }
                    for index in 0..<rest { values[index + 1] = array.items[index] }
                }
                return call(values.baseAddress!)
            }
        }
    }

    /// Calls it with as many values as it takes.
    func call(all values: [Value]) -> Outcome {
        withUnsafeTemporaryAllocation(of: sgk_value.self, capacity: values.count) { items in
            for index in 0..<values.count { items[index] = values[index].raw }
            return withExtendedLifetime(values) { call(UnsafePointer(items.baseAddress!)) }
        }
    }

    /// The failure of a value that has not as many items as the function takes.
    private func unfit(_ value: Value) -> Outcome {
        let shown = DataBox(describing: value.raw)
        return .failure(.boxed(DataBox(printing: { sgk_support_print_unfit($0, $1, cString(name), signature.arity, shown.data) })))
    }
}

extension Value {
    fileprivate var array: ArrayBox? {
        if case let .boxed(box) = self, box.kind == SGK_ARRAY { return unsafeDowncast(box, to: ArrayBox.self) }
        return nil
    }
}
