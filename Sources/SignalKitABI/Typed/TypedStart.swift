import CSignalKit
import SignalKitSupport

@_cdecl("sgk_signal_start_typed") @implementation
public func sgk_signal_start_typed(
    _ signal: OpaquePointer!, _ next: sgk_function!, _ nextSignature: OpaquePointer!, _ error: sgk_function!,
    _ errorSignature: OpaquePointer!,
    _ completed: sgk_function!, _ completedSignature: OpaquePointer!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let source = source(signal),
        case let .some(next) = optional(next, nextSignature, callback, "next"),
        case let .some(error) = optional(error, errorSignature, callback, "error"),
        case let .some(completed) = optional(completed, completedSignature, callback, "completed")
    else { return nil }
    if let completed, completed.signature.arity > 0 {
        record(SGK_ERROR_ARGUMENT, "completed", "must have no parameters for values")
        return nil
    }
    let checked = next.map { next in
        attempt { run in
            let call = TypedCall(function: next, run: run)
            return source
                |> filter { value in
                    _ = call(value)
                    return false
                }
        }
    }
    let sink = CallbackSink<Value, Value>(
        nil, error.map { error in { report(error.call(spreading: $0)) } } ?? { Unhandled.report($0) },
        completed.map { completed in { report(completed.call(spreading: .null)) } })
    return DisposableHandle((checked ?? source).subscribe(sink)).passedInAnyCase()
}

/// Returns an optional handler, or `nil` after it recorded an error.
private func optional(
    _ f: sgk_function?, _ signature: OpaquePointer?, _ callback: Callback, _ argument: CString,
    in function: CString = #function
) -> TypedFunction?? {
    if f == nil && signature == nil { return .some(nil) }
    return typed(f, signature, callback, argument, .anything, in: function).map { .some($0) }
}

/// After the end, no callback can receive the error.
private func report(_ outcome: TypedFunction.Outcome) {
    guard case let .failure(error) = outcome else { return }
    withExtendedLifetime(error) { Log.write(sgk_error_text(error.raw)) }
}
