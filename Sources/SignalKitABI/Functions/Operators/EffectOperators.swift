import CSignalKit
import SignalKitShims
import SignalKitSupport
import Synchronization

@_cdecl("sgk_signal_before_next") @implementation
public func sgk_signal_before_next(
    _ signal: OpaquePointer!, _ f: sgk_next_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "f", step: sgk_step_tap)
}

@_cdecl("sgk_signal_after_next") @implementation
public func sgk_signal_after_next(
    _ signal: OpaquePointer!, _ f: sgk_next_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "f") { signal, f, callback in signal |> afterNext { callback.call(f, $0) } }
}

@_cdecl("sgk_signal_before_started") @implementation
public func sgk_signal_before_started(
    _ signal: OpaquePointer!, _ f: sgk_action_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "f") { signal, f, callback in signal |> beforeStarted { f(callback.context) } }
}

@_cdecl("sgk_signal_before_error") @implementation
public func sgk_signal_before_error(
    _ signal: OpaquePointer!, _ f: sgk_error_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "f") { signal, f, callback in signal |> beforeError { callback.call(f, $0) } }
}

@_cdecl("sgk_signal_before_completed") @implementation
public func sgk_signal_before_completed(
    _ signal: OpaquePointer!, _ f: sgk_completed_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "f") { signal, f, callback in signal |> beforeCompleted { f(callback.context) }
    }
}

@_cdecl("sgk_signal_after_completed") @implementation
public func sgk_signal_after_completed(
    _ signal: OpaquePointer!, _ f: sgk_completed_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "f") { signal, f, callback in signal |> afterCompleted { f(callback.context) } }
}

@_cdecl("sgk_signal_after_disposed") @implementation
public func sgk_signal_after_disposed(
    _ signal: OpaquePointer!, _ f: sgk_action_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(signal, f, context, destroy, "f") { signal, f, callback in signal |> afterDisposed { f(callback.context) } }
}

// MARK: Trace

/// Creates a signal from another signal and a name for it.
private func titled(
    _ pointer: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ file: UnsafePointer<CChar>? = nil, _ line: Int32 = 0,
    as make: (ValueSignal, SignalName) -> ValueSignal, in function: CString = #function
) -> OpaquePointer? {
    derive(pointer, in: function) { signal in
        required(name, "name", in: function).map { make(signal, SignalName($0, file, line)) }
    }
}

@_cdecl("sgk_signal_trace") @implementation
public func sgk_signal_trace(_ signal: OpaquePointer!, _ name: UnsafePointer<CChar>!) -> OpaquePointer! {
    titled(signal, name, as: traced)
}

@_cdecl("sgk_signal_trace_at") @implementation
public func sgk_signal_trace_at(
    _ signal: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ file: UnsafePointer<CChar>!, _ line: Int32
) -> OpaquePointer! {
    titled(signal, name, file, line, as: traced)
}

private func traced(_ signal: ValueSignal, _ title: SignalName) -> ValueSignal {
    let signal = signal.named(title)
    return deferred(of: .one(signal), depth: signal.depth + 5, as: "trace") {
        let number = Tracer.number.add(1, ordering: .relaxed).newValue
        return signal |> trace { (event: TraceEvent<Value, Value>) in Tracer.write(title, number, event) }
    }
}

@_cdecl("sgk_signal_named") @implementation
public func sgk_signal_named(_ signal: OpaquePointer!, _ name: UnsafePointer<CChar>!) -> OpaquePointer! {
    titled(signal, name, as: named)
}

@_cdecl("sgk_signal_named_at") @implementation
public func sgk_signal_named_at(
    _ signal: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ file: UnsafePointer<CChar>!, _ line: Int32
) -> OpaquePointer! {
    titled(signal, name, file, line, as: named)
}

/// With SIGNALKIT_TRACE=pattern those with such names are traced.
private func named(_ signal: ValueSignal, _ name: SignalName) -> ValueSignal {
    sgk_shim_is_traced(name.text) ? traced(signal, name) : signal.named(name)
}

private enum Tracer {
    static let number = Synchronization.Atomic<Int64>(0)

    static func write(_ title: SignalName, _ number: Int64, _ event: TraceEvent<Value, Value>) {
        let (what, value): (CString, Value?)
        switch event {
        case .started: (what, value) = ("started", nil)
        case let .next(next): (what, value) = ("next ", next)
        case let .error(error): (what, value) = ("error ", error)
        case .completed: (what, value) = ("completed", nil)
        case .disposed: (what, value) = ("disposed", nil)
        }
        Log.write(value) { sgk_support_print_trace($0, $1, title.text, title.file, title.line, number, what.text) }
    }
}
