import CSignalKit
import SignalKitSupport

/// The links that C sees.
typealias ValueLink = EventLink<Value, Value>
private typealias ValueEmitter = EventEmitter<Value, Value>

// MARK: Emitting

@_cdecl("sgk_event_emitter_create") @implementation
public func sgk_event_emitter_create() -> OpaquePointer! { ObjectHandle(ValueEmitter()).passed() }

@_cdecl("sgk_event_emitter_create_value") @implementation
public func sgk_event_emitter_create_value(_ value: sgk_value) -> OpaquePointer! {
    ObjectHandle(ValueEmitter(Value(borrowing: value))).passed()
}

@_cdecl("sgk_event_emitter_next") @implementation
public func sgk_event_emitter_next(_ emitter: OpaquePointer!, _ value: sgk_value) -> sgk_status {
    let value = Value(borrowing: value)
    return emit(emitter) { $0.next(value) }
}

@_cdecl("sgk_event_emitter_error") @implementation
public func sgk_event_emitter_error(_ emitter: OpaquePointer!, _ error: sgk_value) -> sgk_status {
    let error = Value(borrowing: error)
    return emit(emitter) { $0.error(error) }
}

@_cdecl("sgk_event_emitter_finish") @implementation
public func sgk_event_emitter_finish(_ emitter: OpaquePointer!) -> sgk_status { emit(emitter) { $0.finish() } }

private func emit(
    _ pointer: OpaquePointer?, in function: CString = #function, _ put: (ValueEmitter) -> Void
) -> sgk_status {
    guard let link = borrow(pointer, as: ValueLink.self, "emitter", in: function) else { return lastStatus() }
    guard let emitter = link as? ValueEmitter else {
        return failed(SGK_ERROR_HANDLE, "emitter", "must be an emitter", in: function)
    }
    put(emitter)
    return SGK_OK
}

// MARK: Observing

@_cdecl("sgk_event_link_on_next") @implementation
public func sgk_event_link_on_next(
    _ link: OpaquePointer!, _ next: sgk_next_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!,
    _ queue: OpaquePointer!
) -> sgk_status {
    observe(link, next, context, destroy, queue, "next") { link, next, callback, queue in
        link.on(queue: queue, next: { callback.call(next, $0) })
    }
}

@_cdecl("sgk_event_link_on_error") @implementation
public func sgk_event_link_on_error(
    _ link: OpaquePointer!, _ error: sgk_error_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!,
    _ queue: OpaquePointer!
) -> sgk_status {
    observe(link, error, context, destroy, queue, "error") { link, error, callback, queue in
        link.on(queue: queue, error: { callback.call(error, $0) })
    }
}

@_cdecl("sgk_event_link_on_finish") @implementation
public func sgk_event_link_on_finish(
    _ link: OpaquePointer!, _ finish: sgk_completed_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!, _ queue: OpaquePointer!
) -> sgk_status {
    observe(link, finish, context, destroy, queue, "finish") { link, finish, callback, queue in
        link.on(queue: queue, finish: { finish(callback.context) })
    }
}

@inline(__always)
private func observe<F>(
    _ pointer: OpaquePointer?, _ f: F?, _ context: UnsafeMutableRawPointer?, _ destroy: sgk_destroy_fn?,
    _ queue: OpaquePointer?, _ argument: CString, in function: CString = #function,
    _ register: (ValueLink, F, Callback, Queue?) -> ValueLink
) -> sgk_status {
    let callback = Callback(context, destroy, in: function)
    guard let link = borrow(pointer, as: ValueLink.self, "link", in: function),
        let f = required(f, argument, in: function)
    else { return lastStatus() }
    var place: Queue?
    if queue != nil {
        guard let handle = borrow(queue, as: QueueHandle.self, "queue", in: function) else { return lastStatus() }
        place = handle.queue
    }
    _ = register(link, f, callback, place)
    return SGK_OK
}

// MARK: Derived links

@_cdecl("sgk_event_link_map") @implementation
public func sgk_event_link_map(
    _ link: OpaquePointer!, _ f: sgk_map_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(link, f, context, destroy, "map") { link, f, callback in mapped(link, f, callback) }
}

/// The function is not called after it has ended the link.
private func mapped(_ link: ValueLink, _ f: @escaping sgk_map_fn, _ callback: Callback) -> ValueLink {
    let life = Life()
    return link.derived { value, below in
        if life.isOver { return }
        let decision = callback.decision(of: value) { f(callback.context, value.raw) }
        switch decision {
        case let .value(new): below.send(.Next(new))
        case .unchanged: below.send(.Next(value))
        case .dropped: break
        case let .last(last):
            life.end()
            below.send(.Next(last))
            below.send(.Completion)
        case let .end(end):
            life.end()
            below.send(end.failure.map { .Error($0.error) } ?? .Completion)
        }
    }
}

@_cdecl("sgk_event_link_filter") @implementation
public func sgk_event_link_filter(
    _ link: OpaquePointer!, _ f: sgk_filter_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    derive(link, f, context, destroy, "filter") { link, f, callback in link.filter { callback.call(f, $0) } }
}

@_cdecl("sgk_event_link_observer") @implementation
public func sgk_event_link_observer(_ link: OpaquePointer!) -> OpaquePointer! {
    above(link).flatMap { ObjectHandle($0.observer()).passed() }
}

@_cdecl("sgk_event_link_unlink") @implementation
public func sgk_event_link_unlink(_ link: OpaquePointer!) -> sgk_status {
    guard let link = borrow(link, as: ValueLink.self, "link") else { return lastStatus() }
    link.unlink()
    return SGK_OK
}

/// The link that another one is derived from. NULL passes through: the first error of the chain stays.
private func above(_ pointer: OpaquePointer?, in function: CString = #function) -> ValueLink? {
    if pointer == nil && sgk_support_may_have_failed(SGK_LIVE_EVENT_LINK.rawValue) { return nil }
    guard let link = borrow(pointer, as: ValueLink.self, "link", in: function) else { return nil }
    if link.depth < Depth.limit { return link }
    record(SGK_ERROR_ARGUMENT, "link", "already has the maximum number of links upstream", in: function)
    return nil
}

@inline(__always)
private func derive<F>(
    _ pointer: OpaquePointer?, _ f: F?, _ context: UnsafeMutableRawPointer?, _ destroy: sgk_destroy_fn?,
    _ argument: CString, in function: CString = #function, _ transform: (ValueLink, F, Callback) -> ValueLink
) -> OpaquePointer? {
    let callback = Callback(context, destroy, in: function)
    guard let link = above(pointer, in: function), let f = required(f, argument, in: function) else { return nil }
    return ObjectHandle(transform(link, f, callback)).passed()
}

// MARK: Links and signals

@_cdecl("sgk_event_link_signal") @implementation
public func sgk_event_link_signal(_ link: OpaquePointer!) -> OpaquePointer! {
    above(link).flatMap { SignalHandle($0.signal(keeping: borrowed(link))).passed() }
}

@_cdecl("sgk_event_link_from_signal") @implementation
public func sgk_event_link_from_signal(_ signal: OpaquePointer!) -> OpaquePointer! {
    upstream(signal).flatMap { ObjectHandle($0.link()).passed() }
}

// MARK: Bags

@_cdecl("sgk_link_bag_create") @implementation
public func sgk_link_bag_create() -> OpaquePointer! { ObjectHandle(LinkBag()).passed() }

@_cdecl("sgk_link_bag_add") @implementation
public func sgk_link_bag_add(_ bag: OpaquePointer!, _ link: OpaquePointer!) -> sgk_status {
    guard let bag = borrow(bag, as: LinkBag.self, "bag"),
        let link = borrow(link, as: ValueLink.self, "link")
    else { return lastStatus() }
    bag.add(link)
    return SGK_OK
}

@_cdecl("sgk_link_bag_clear") @implementation
public func sgk_link_bag_clear(_ bag: OpaquePointer!) -> sgk_status {
    guard let bag = borrow(bag, as: LinkBag.self, "bag") else { return lastStatus() }
    bag.clear()
    return SGK_OK
}
