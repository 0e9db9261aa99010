import CSignalKit
import SignalKitSupport

/// A function pointer made at run time: its calls are events, and are answered by a handler or by a fixed result.
///
/// It owns the executable memory. A call that has begun holds a reference, so the memory outlives it, whoever lets go meanwhile.
final class NativeFunction: Disposable {
    /// Answers a call.
    typealias Handler = (UnsafePointer<sgk_value>) -> TypedFunction.Outcome

    private let signature: Signature
    private let events = ValuePipe<SignalEvent<Value, Value>>()
    /// What is returned without an answer, and what that is made of.
    private let fixedResult: sgk_slot
    private let fixed: Value
    private let text: Value
    private let lock = SmallLock()
    @exclusivity(unchecked) private var handler: Handler?
    private var entry: UnsafeMutableRawPointer?
    private(set) var function: sgk_function?

    /// `nil` after having recorded why there is none.
    init?(_ signature: Signature, fixed: Value, _ handler: Handler?, _ name: StaticString) {
        var slot = sgk_slot()
        var text = sgk_null()
        let reason = fixed == .null ? nil : withExtendedLifetime(fixed) { sgk_typed_store(fixed.raw, signature.result, &slot, &text) }
        self.signature = signature
        self.fixed = fixed
        self.text = Value(consuming: text)
        self.handler = handler
        fixedResult = slot
        if let reason {
            sgk_support_fail(Int32(SGK_ERROR_KIND.rawValue), cString(name), "result", reason)
            return nil
        }
        function = sgk_support_entry_create(signature.plan, { NativeFunction.entered($0!, $1!, $2!) }, Unmanaged.passUnretained(self).toOpaque(), &entry)
        if function == nil {
            record(SGK_ERROR_SYSTEM, name, "signature", "the system gives no executable memory for a function of it")
            return nil
        }
    }

    deinit {
        if let entry { sgk_support_entry_free(entry) }
    }

    var signal: ValueSignal { materialize(signal: events.signal()) }

    /// No more events, no more questions to the handler.
    func dispose() {
        lock.lock()
        let old = handler
        handler = nil
        lock.unlock()
        withExtendedLifetime(old) {}
        events.complete()
    }

    // MARK: Calls

    private static func entered(_ owner: UnsafeMutableRawPointer, _ arguments: UnsafePointer<sgk_slot>, _ result: UnsafeMutablePointer<sgk_slot>) {
        let native = Unmanaged<NativeFunction>.fromOpaque(owner).retain()
        native.takeUnretainedValue().answer(arguments, result)
        native.release()
    }

    private func answer(_ arguments: UnsafePointer<sgk_slot>, _ result: UnsafeMutablePointer<sgk_slot>) {
        if let answer = asked(arguments), give(answer, result) { return }
        result.pointee = fixedResult
        if signature.result == SGK_TYPE_value { _ = fixed.passed() }
    }

    /// Tells of the call, and asks the handler; `nil` when there is no answer.
    private func asked(_ arguments: UnsafePointer<sgk_slot>) -> Value? {
        withUnsafeTemporaryAllocation(of: sgk_value.self, capacity: signature.arity + 1) { values in
            let values = values.baseAddress!
            var count = 0
            defer { for index in 0..<count { sgk_value_release(values[index]) } }
            for (index, type) in signature.parameters.enumerated() where type != SGK_TYPE_ctx {
                if !sgk_typed_load(arguments + index, type, values + count) {
                    complain(index + 1, type, nil, sgk_typed_too_large)
                    return nil
                }
                if type == SGK_TYPE_value { values[count] = Value(borrowing: values[count]).passed() }
                count += 1
            }
            events.putNext(.Next(event(values, count)))
            switch currentHandler?(values) {
            case nil, .result(.null): return nil
            case let .result(value): return value
            case let .failure(error):
                events.putNext(.Error(error))
                return nil
            }
        }
    }

    /// Makes the result of a handler's value, or says that it does not fit.
    private func give(_ value: Value, _ result: UnsafeMutablePointer<sgk_slot>) -> Bool {
        withExtendedLifetime(value) {
            var text = sgk_null() // stays so: no handler answers with a text
            var reason = sgk_typed_store(value.raw, signature.result, result, &text)
            if case .boxed = value, signature.result == SGK_TYPE_ptr { reason = cString("would not outlive the call") }
            if let reason {
                complain(0, signature.result, value, reason)
                return false
            }
            if signature.result == SGK_TYPE_value { _ = value.passed() }
            return true
        }
    }

    /// Ends the runs that listen.
    private func complain(_ parameter: Int, _ type: sgk_type, _ value: Value?, _ reason: UnsafePointer<CChar>?) {
        let error = withExtendedLifetime(value) {
            withUnsafePointer(to: value?.raw ?? sgk_null()) { sgk_typed_mismatch("sgk_callback", parameter, type, value == nil ? nil : $0, reason) }
        }
        events.putNext(.Error(Value(consuming: error)))
    }

    private func event(_ values: UnsafePointer<sgk_value>, _ count: Int) -> Value {
        switch count {
        case 0: return .null
        case 1: return Value(borrowing: values[0])
        default: return .boxed(ArrayBox(count: count) { Value(borrowing: values[$0]) })
        }
    }

    private var currentHandler: Handler? {
        lock.lock()
        defer { lock.unlock() }
        return handler
    }
}
