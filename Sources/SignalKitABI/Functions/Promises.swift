import CSignalKit

@_cdecl("sgk_promise_create") @implementation
public func sgk_promise_create() -> OpaquePointer! { PromiseHandle(PromiseFeed()).passed() }

@_cdecl("sgk_promise_create_value") @implementation
public func sgk_promise_create_value(_ value: sgk_value) -> OpaquePointer! {
    PromiseHandle(PromiseFeed(Value(borrowing: value))).passed()
}

@_cdecl("sgk_promise_create_initialize_on_first_access") @implementation
public func sgk_promise_create_initialize_on_first_access(_ signal: OpaquePointer!) -> OpaquePointer! {
    guard let signal = source(signal) else { return nil }
    return PromiseHandle(PromiseFeed(initializeOnFirstAccess: signal)).passed()
}

@_cdecl("sgk_promise_set") @implementation
public func sgk_promise_set(_ promise: OpaquePointer!, _ signal: OpaquePointer!) -> sgk_status {
    guard let handle = borrow(promise, as: PromiseHandle.self, "promise"), let signal = source(signal)
    else { return lastStatus() }
    handle.promise.follow(signal)
    return SGK_OK
}

@_cdecl("sgk_promise_get") @implementation
public func sgk_promise_get(_ promise: OpaquePointer!) -> OpaquePointer! {
    borrow(promise, as: PromiseHandle.self, "promise").flatMap { SignalHandle($0.promise.signal()).passed() }
}

@_cdecl("sgk_promise_on_deinit") @implementation
public func sgk_promise_on_deinit(
    _ promise: OpaquePointer!, _ f: sgk_action_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> sgk_status {
    let callback = Callback(context, destroy)
    guard let handle = borrow(promise, as: PromiseHandle.self, "promise") else { return lastStatus() }
    handle.promise.onDeinit = f.map { f in { f(callback.context) } }
    return SGK_OK
}

// MARK: Promises of values

@_cdecl("sgk_value_promise_create") @implementation
public func sgk_value_promise_create(_ ignoreRepeated: Bool) -> OpaquePointer! {
    ValuePromiseHandle(ValuePromiseFeed(nil, ignoreRepeated: ignoreRepeated)).passed()
}

@_cdecl("sgk_value_promise_create_value") @implementation
public func sgk_value_promise_create_value(_ value: sgk_value, _ ignoreRepeated: Bool) -> OpaquePointer! {
    ValuePromiseHandle(ValuePromiseFeed(Value(borrowing: value), ignoreRepeated: ignoreRepeated)).passed()
}

@_cdecl("sgk_value_promise_set") @implementation
public func sgk_value_promise_set(_ promise: OpaquePointer!, _ value: sgk_value) -> sgk_status {
    let value = Value(borrowing: value)
    guard let handle = borrow(promise, as: ValuePromiseHandle.self, "promise") else { return lastStatus() }
    return status(of: handle.promise.set(value), "promise")
}

@_cdecl("sgk_value_promise_get") @implementation
public func sgk_value_promise_get(_ promise: OpaquePointer!) -> OpaquePointer! {
    borrow(promise, as: ValuePromiseHandle.self, "promise").flatMap { SignalHandle($0.promise.signal()).passed() }
}
