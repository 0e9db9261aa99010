import CSignalKit
import SignalKitSupport

/// The signals that C sees: of any values, with any errors.
typealias ValueSignal = Signal<Value, Value>

/// A signal that is started as it is. NULL passes through: the first error of the pipeline stays.
@inline(never)
func startable(
    _ pointer: OpaquePointer?, _ argument: CString = "signal", in function: CString = #function
) -> Unmanaged<SignalHandle>? {
    if pointer == nil && sgk_support_may_have_failed(SGK_LIVE_SIGNAL.rawValue) || !hasRoom(in: function) { return nil }
    return peek(pointer, as: SignalHandle.self, argument, in: function)
}

func source(_ pointer: OpaquePointer?, in function: CString = #function) -> ValueSignal? {
    startable(pointer, in: function)?._withUnsafeGuaranteedRef { $0.signal }
}

/// The signal that an operator works on. NULL passes through as well.
@inline(never)
func upstream(
    _ pointer: OpaquePointer?, _ argument: CString = "signal", in function: CString = #function
) -> ValueSignal? {
    upstreamHandle(pointer, argument, in: function)?._withUnsafeGuaranteedRef { $0.signal }
}

@inline(never)
func upstreamHandle(
    _ pointer: OpaquePointer?, _ argument: CString = "signal", in function: CString = #function
) -> Unmanaged<SignalHandle>? {
    guard let handle = startable(pointer, argument, in: function) else { return nil }
    if handle._withUnsafeGuaranteedRef({ $0.signal.depth }) < Depth.limit { return handle }
    record(SGK_ERROR_ARGUMENT, argument, "already has the maximum of 500 stages", in: function)
    return nil
}

/// For C, under the name of the function that it called. (`named_at` is `named`, with a place.)
@inline(never)
private func made(_ result: ValueSignal, of signal: ValueSignal, in function: CString) -> OpaquePointer? {
    let shown = result.shown
    if case .name = shown.outline.parameter {} else if shown !== signal { shown.called = function }
    return SignalHandle(result).passed()
}

/// A source for C, under the name of the function that it called.
func made(_ source: ValueSignal, in function: CString = #function) -> OpaquePointer? {
    source.called = function
    return SignalHandle(source).passed()
}

/// Converts values. The list of active subscriptions does not show this stage.
func converted<T, R, E>(_ f: @escaping (T) -> R) -> (Signal<T, E>) -> Signal<R, E> {
    relay(as: .hidden) { value, downstream in downstream.next(f(value)) }
}

/// Creates a signal from another signal.
@inline(__always)
func derive(
    _ pointer: OpaquePointer?, in function: CString = #function, _ transform: (ValueSignal) -> ValueSignal?
) -> OpaquePointer? {
    guard let signal = upstream(pointer, in: function), let result = transform(signal) else { return nil }
    return made(result, of: signal, in: function)
}

/// Creates a signal from another signal and a callback.
@inline(__always)
func derive<F>(
    _ pointer: OpaquePointer?, _ f: F?, _ context: UnsafeMutableRawPointer?, _ destroy: sgk_destroy_fn?,
    _ argument: CString, in function: CString = #function, _ transform: (ValueSignal, F, Callback) -> ValueSignal?
) -> OpaquePointer? {
    let callback = Callback(context, destroy, in: function)
    guard let signal = upstream(pointer, in: function), let f = required(f, argument, in: function),
        let result = transform(signal, f, callback)
    else { return nil }
    return made(result, of: signal, in: function)
}

/// A signal with one more step: for operators without state.
@inline(__always)
func derive<F>(
    _ pointer: OpaquePointer?, _ f: F?, _ context: UnsafeMutableRawPointer?, _ destroy: sgk_destroy_fn?,
    _ argument: CString, canFail: Bool = false, in function: CString = #function,
    step: (F?, UnsafeMutableRawPointer?) -> sgk_step
) -> OpaquePointer? {
    let callback = Callback(context, destroy, in: function)
    guard let handle = upstreamHandle(pointer, in: function), let f = required(f, argument, in: function) else {
        return nil
    }
    return derived(handle, step(f, context), callback, canFail: canFail)
}

@inline(never)
func derived(
    _ handle: Unmanaged<SignalHandle>, _ step: sgk_step, _ callback: Callback, canFail: Bool
) -> OpaquePointer? {
    let (step, owner) = CheckedStep.around(step, callback)
    return SignalHandle(handle.takeUnretainedValue(), adding: step, owner, canFail: canFail).passed()
}

/// Creates a signal from another signal and a queue.
@inline(__always)
func derive(
    _ pointer: OpaquePointer?, on queue: OpaquePointer?, in function: CString = #function,
    _ transform: (ValueSignal, Queue) -> ValueSignal?
) -> OpaquePointer? {
    guard let signal = upstream(pointer, in: function),
        let queue = borrow(queue, as: QueueHandle.self, "queue", in: function)?.queue,
        let result = transform(signal, queue)
    else { return nil }
    return made(result, of: signal, in: function)
}

/// Whether a time is one, or an error having been recorded that it is not.
func isTime(_ seconds: Double, _ argument: CString = "seconds", in function: CString = #function) -> Bool {
    if seconds >= 0 { return true }
    record(SGK_ERROR_ARGUMENT, argument, "must be 0 or more", in: function)
    return false
}

/// Checks that a time is finite, and records an error otherwise.
func isFinite(
    _ time: Double, from least: Double, _ argument: CString, in function: CString = #function
) -> Bool {
    if time.isFinite && time >= least { return true }
    record(SGK_ERROR_ARGUMENT, argument, "must be finite and 0 or more", in: function)
    return false
}

/// Checks that a count of values or repetitions is not negative, and records an error otherwise.
func isNotNegative(_ count: Int64, in function: CString = #function) -> Bool {
    if count >= 0 { return true }
    record(SGK_ERROR_ARGUMENT, "count", "must be 0 or more", in: function)
    return false
}

/// Returns the signals of an array, or `nil` after it recorded an error.
func upstreams(
    _ sources: UnsafePointer<OpaquePointer?>?, _ count: Int, in function: CString = #function
) -> [ValueSignal]? {
    if sources == nil && count != 0 {
        record(SGK_ERROR_NULL, "sources", "must not be NULL if count is not 0", in: function)
        return nil
    }
    if count < 0 {
        record(SGK_ERROR_ARGUMENT, "count", "must not exceed the maximum size of an array", in: function)
        return nil
    }
    var signals: [ValueSignal] = []
    for index in 0..<count {
        guard let signal = upstream(sources![index], in: function) else { return nil }
        signals.append(signal)
    }
    return signals
}

extension Callback {
    /// Calls a function with the context and a value, which it borrows.
    @inline(__always)
    func call<R>(_ f: (UnsafeMutableRawPointer?, sgk_value) -> R, _ value: Value) -> R {
        withExtendedLifetime(value) { f(context, value.raw) }
    }

    /// Returns the answer of a function about a value, and the value that the function stored. The caller owns that
    /// value in either case.
    func answer(
        _ f: (UnsafeMutableRawPointer?, sgk_value, UnsafeMutablePointer<sgk_value>?) -> Bool, _ value: Value
    ) -> (Bool, Value) {
        var says = false
        let stored = made(of: value) {
            var stored = sgk_null()
            says = f(context, value.raw, &stored)
            return stored
        }
        return (says, stored)
    }

    /// Returns the result of a call that borrows these values.
    @inline(__always)
    func made(of first: Value = .null, _ second: Value = .null, _ call: () -> sgk_value) -> Value {
        withExtendedLifetime((first, second)) { Value(madeIn: function, of: first.raw, second.raw, call) }
    }

    /// The signal that a function makes of a value.
    func signal(
        _ f: (UnsafeMutableRawPointer?, sgk_value) -> OpaquePointer?, _ value: Value, in function: CString = #function
    ) -> ValueSignal {
        returned(call(f, value), in: function)
    }
}

/// The signal that a callback returns. NULL is a signal that completes when it starts.
@inline(__always)
func returned(_ call: @autoclosure () -> OpaquePointer?, in function: CString = #function) -> ValueSignal {
    taken(call(), in: function) ?? nothing()
}

@inline(never)
private func nothing() -> ValueSignal { .complete() }

/// The signal that a callback returns, or `nil` for NULL. If a call of the library has failed inside the callback, its
/// error is why the callback has no signal. So the result is a signal that fails with that error.
@inline(__always)
func taken(_ call: @autoclosure () -> OpaquePointer?, in function: CString = #function) -> ValueSignal? {
    let failures = sgk_support_failure_count()
    let pointer = call()
    if pointer != nil, let handle = peek(pointer, as: SignalHandle.self, "the callback's result", in: function) {
        let signal = handle._withUnsafeGuaranteedRef { $0.signal }
        sgk_signal_release(pointer)
        return signal
    }
    return failure(since: failures)
}

@inline(never)
private func failure(since failures: UInt64) -> ValueSignal? {
    sgk_support_failed_since(failures) ? .fail(lastError()) : nil
}
