import CSignalKit
import SignalKitSupport

/// A function pointer made at run time: its calls are events, and are answered by a handler or by a fixed result.
final class NativeFunction: Disposable, @unchecked Sendable {
    private let answers: NativeAnswers
    private let entry: OpaquePointer
    let function: sgk_function

    /// `nil` after having recorded why there is none. (In Embedded Swift an `init` that fails before it is through
    /// leaks the object.)
    static func create(
        _ signature: Signature, fixed: Value, _ handler: NativeAnswers.Handler, in caller: CString
    ) -> NativeFunction? {
        guard let answers = NativeAnswers.create(signature, fixed: fixed, handler, in: caller) else { return nil }
        var entry: OpaquePointer?
        guard let function = sgk_entry_create(answers.native, &entry), let entry else {
            record(
                SGK_ERROR_SYSTEM, "signature", "the system rejects executable memory", in: caller)
            return nil
        }
        return NativeFunction(answers, entry, function)
    }

    private init(_ answers: NativeAnswers, _ entry: OpaquePointer, _ function: @escaping sgk_function) {
        _ = Unmanaged.passRetained(answers) // until `gone`
        self.answers = answers
        self.entry = entry
        self.function = function
    }

    deinit { sgk_entry_free(entry) }

    var signal: ValueSignal { answers.events.signal() }

    /// No more events, no more questions to the handler.
    func dispose() {
        sgk_entry_end(entry)
        answers.events.complete()
    }
}

/// The data of a native function's calls. A call retains it, so that the function can be released during the call.
final class NativeAnswers {
    enum Handler {
        case none
        case values(sgk_map_array_fn, Callback)
        case typed(TypedFunction)

        var exists: Bool {
            if case .none = self { return false }
            return true
        }
    }

    let events = Feed<Value, Value>(replay: false)
    let native: UnsafeMutablePointer<sgk_native>
    private let signature: Signature
    /// The parts of the fixed result.
    private let fixed: Value
    private let text: Value
    /// Retains the handler's context. Set at creation, and cleared after the last possible call of the handler.
    @exclusivity(unchecked) private var handlerOwner: AnyObject?

    /// `nil` after having recorded why there is none.
    fileprivate static func create(
        _ signature: Signature, fixed: Value, _ handler: Handler, in caller: CString
    ) -> NativeAnswers? {
        var result = sgk_slot()
        var text = sgk_null()
        let reason =
            fixed == .null
            ? nil : withExtendedLifetime(fixed) { sgk_typed_store(fixed.raw, signature.result, &result, &text) }
        if let reason {
            sgk_support_fail(Int32(SGK_ERROR_KIND.rawValue), caller.text, "result", reason)
            return nil
        }
        return NativeAnswers(signature, fixed, Value(consuming: text), result, handler)
    }

    private init(_ signature: Signature, _ fixed: Value, _ text: Value, _ result: sgk_slot, _ handler: Handler) {
        self.signature = signature
        self.fixed = fixed
        self.text = text
        self.native = .allocate(capacity: 1)
        var native = sgk_native()
        native.plan = signature.plan
        native.fixed = result
        switch handler {
        case .none: break
        case let .values(function, callback):
            native.handler = function
            native.context = callback.context
            handlerOwner = callback
        case let .typed(function):
            native.typed = UnsafePointer(function.typed)
            if signature.arity == 1 { native.ask_one = sgk_typed_caller(function.signature.plan) }
            handlerOwner = function
        }
        native.events = Unmanaged.passUnretained(events.listeners).toOpaque()
        native.happened = { events, value in
            let listeners = NativeAnswers.listeners(events!)
            if let plain = Value(plain: value) {
                _ = Listeners.put(plain, into: listeners)
            } else {
                NativeAnswers.putBox(value, listeners)
            }
        }
        native.failed = { NativeAnswers.listeners($0!).takeUnretainedValue().fail(Value(consuming: $1)) }
        native.owner = Unmanaged.passUnretained(self).toOpaque()
        native.ended = { Unmanaged<NativeAnswers>.fromOpaque($0!).takeUnretainedValue().letHandlerGo() }
        native.gone = { Unmanaged<NativeAnswers>.fromOpaque($0!).release() }
        self.native.initialize(to: native)
    }

    deinit { native.deallocate() }

    @inline(__always)
    private static func listeners(_ pointer: UnsafeMutableRawPointer) -> Unmanaged<Listeners<Value, Value>> {
        .fromOpaque(pointer)
    }

    /// Apart from the plain values, for which nothing is counted.
    @inline(never)
    private static func putBox(_ value: sgk_value, _ listeners: Unmanaged<Listeners<Value, Value>>) {
        _ = Listeners.put(Value(borrowing: value), into: listeners)
    }

    private func letHandlerGo() {
        let old = handlerOwner
        handlerOwner = nil
        withExtendedLifetime(old) {}
    }
}
