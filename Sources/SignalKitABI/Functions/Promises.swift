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

@_cdecl("sgk_promise_signal") @implementation
public func sgk_promise_signal(_ promise: OpaquePointer!) -> OpaquePointer! {
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

// MARK: States

@_cdecl("sgk_state_create") @implementation
public func sgk_state_create(_ ignoreRepeated: Bool) -> OpaquePointer! {
    StateHandle(ValuePromiseFeed(nil, ignoring: ignoreRepeated ? Value.equal : nil)).passed()
}

@_cdecl("sgk_state_create_value") @implementation
public func sgk_state_create_value(_ value: sgk_value, _ ignoreRepeated: Bool) -> OpaquePointer! {
    StateHandle(ValuePromiseFeed(Value(borrowing: value), ignoring: ignoreRepeated ? Value.equal : nil)).passed()
}

@_cdecl("sgk_state_set") @implementation
public func sgk_state_set(_ state: OpaquePointer!, _ value: sgk_value) -> sgk_status {
    let value = Value(borrowing: value)
    guard let handle = borrow(state, as: StateHandle.self, "state") else { return lastStatus() }
    return status(of: handle.feed.set(value), "state")
}

@_cdecl("sgk_state_signal") @implementation
public func sgk_state_signal(_ state: OpaquePointer!) -> OpaquePointer! {
    borrow(state, as: StateHandle.self, "state").flatMap { SignalHandle($0.feed.signal()).passed() }
}

@_cdecl("sgk_state_value") @implementation
public func sgk_state_value(_ state: OpaquePointer!) -> sgk_value {
    guard let handle = borrow(state, as: StateHandle.self, "state") else { return sgk_null() }
    return (handle.feed.value ?? .null).handedOut()
}

@_cdecl("sgk_state_modify") @implementation
public func sgk_state_modify(
    _ state: OpaquePointer!, _ f: sgk_modify_fn!, _ context: UnsafeMutableRawPointer!
) -> sgk_status {
    guard let handle = borrow(state, as: StateHandle.self, "state"), let f = required(f, "f")
    else { return lastStatus() }
    do throws(Refusal) {
        let feed = handle.feed
        let put = try feed.modify { (epoch) throws(Refusal) in
            try changed(feed.latest(at: &epoch) ?? .null) { f(context, $0, $1) }
        }.put
        return status(of: put, "state")
    } catch { return error.status }
}

/// Returns the result of a callback that can reject a value.
private func changed(
    _ value: Value, in function: CString = "sgk_state_modify",
    _ f: (sgk_value, UnsafeMutablePointer<sgk_value>) -> sgk_status
) throws(Refusal) -> Value {
    var status = SGK_OK
    let made = withExtendedLifetime(value) {
        Value(madeIn: function, of: value.raw) {
            var result = sgk_null()
            status = f(value.raw, &result)
            return result
        }
    }
    if status != SGK_OK { throw Refusal(status: status) }
    return made
}

private struct Refusal: Error {
    let status: sgk_status
}
