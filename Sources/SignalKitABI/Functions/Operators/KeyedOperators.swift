import CSignalKit

// MARK: A signal, or a group, for each key

@_cdecl("sgk_signal_switch_map_per") @implementation
public func sgk_signal_switch_map_per(
    _ signal: OpaquePointer!, _ bound: UnsafePointer<sgk_bound>!,
    _ key: sgk_map_fn!, _ f: sgk_map_to_signal_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let bound = GivenBound(bound)
    return derive(signal, f, context, destroy, "map") { signal, f, callback in
        joining(bound).map { bound in
            signal |> map(per: callback.key(key), bound) { callback.signal(f, $0) }
        }
    }
}

@_cdecl("sgk_signal_group_by") @implementation
public func sgk_signal_group_by(
    _ signal: OpaquePointer!, _ bound: UnsafePointer<sgk_bound>!,
    _ key: sgk_map_fn!, _ pipeline: sgk_pipeline_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let bound = GivenBound(bound)
    return derive(signal, pipeline, context, destroy, "pipeline") { signal, pipeline, callback in
        joining(bound).map { bound in
            signal |> group(by: callback.key(key), bound) { callback.signal(pipeline, $0, $1) }
        }
    }
}

extension Callback {
    /// Returns the function for the key of a value. The default key is the value.
    fileprivate func key(_ key: sgk_map_fn?) -> (Value, inout End<Value>?) -> Value? {
        guard let key else { return { value, _ in value } }
        return { [self] in self.key(key, $0, &$1) }
    }

    /// The signal that a function makes of a key and the signal of its group, both of which it borrows.
    fileprivate func signal(_ pipeline: sgk_pipeline_fn, _ key: Value, _ values: ValueSignal) -> ValueSignal {
        let group = SignalHandle(values).passedInAnyCase()
        defer { sgk_signal_release(group) }
        return returned(withExtendedLifetime(key) { pipeline(context, key.raw, group) }, in: function)
    }
}
