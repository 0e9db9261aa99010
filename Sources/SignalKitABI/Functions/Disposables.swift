import CSignalKit
import SignalKitSupport

@_cdecl("sgk_disposable_dispose") @implementation
public func sgk_disposable_dispose(_ disposable: OpaquePointer!) -> sgk_status {
    guard let handle = peek(disposable, as: DisposableHandle.self, "disposable") else { return lastStatus() }
    handle._withUnsafeGuaranteedRef { $0.disposable }.dispose()
    return SGK_OK
}

@_cdecl("sgk_disposable_dispose_and_wait") @implementation
public func sgk_disposable_dispose_and_wait(_ disposable: OpaquePointer!) -> sgk_status {
    guard
        let run = container(
            disposable, WaitableDisposable.self, "disposable", "must be a subscription that was started as waitable")
    else { return lastStatus() }
    return run.disposeAndWait() ? SGK_OK : SGK_ERROR_THREAD
}

@_cdecl("sgk_action_disposable_create") @implementation
public func sgk_action_disposable_create(
    _ action: sgk_action_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: sgk_destroy_fn!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let action = required(action, "action") else { return nil }
    return DisposableHandle(ActionDisposable { action(callback.context) }).passed()
}

@_cdecl("sgk_disposable_hold") @implementation
public func sgk_disposable_hold(_ subscription: OpaquePointer!) -> OpaquePointer! {
    guard let handle = borrow(subscription, as: DisposableHandle.self, "subscription") else { return nil }
    guard let run = run(of: handle) else {
        record(SGK_ERROR_KIND, "subscription", "must be a subscription")
        return nil
    }
    return hasRoom() ? DisposableHandle(RunHold.on(run)).passed() : nil
}

// MARK: Containers

@_cdecl("sgk_disposable_slot_create") @implementation
public func sgk_disposable_slot_create() -> OpaquePointer! { DisposableHandle(MetaDisposable()).passed() }

@_cdecl("sgk_disposable_slot_set") @implementation
public func sgk_disposable_slot_set(_ slot: OpaquePointer!, _ child: OpaquePointer!) -> sgk_status {
    guard let container = container(slot, MetaDisposable.self, "slot", "must be a disposable slot") else {
        return lastStatus()
    }
    if child == nil {
        container.set(nil)
        return SGK_OK
    }
    guard let child = borrow(child, as: DisposableHandle.self, "child") else { return lastStatus() }
    container.set(child.disposable)
    return SGK_OK
}

@_cdecl("sgk_disposable_bag_create") @implementation
public func sgk_disposable_bag_create() -> OpaquePointer! { DisposableHandle(DisposableSet()).passed() }

@_cdecl("sgk_disposable_bag_add") @implementation
public func sgk_disposable_bag_add(_ bag: OpaquePointer!, _ member: OpaquePointer!) -> sgk_status {
    guard let container = container(bag, DisposableSet.self, "bag", "must be a disposable bag"),
        let member = borrow(member, as: DisposableHandle.self, "member")
    else { return lastStatus() }
    container.add(member.disposable, run: run(of: member))
    return SGK_OK
}

@_cdecl("sgk_disposable_bag_remove") @implementation
public func sgk_disposable_bag_remove(_ bag: OpaquePointer!, _ member: OpaquePointer!) -> sgk_status {
    guard let container = container(bag, DisposableSet.self, "bag", "must be a disposable bag"),
        let member = borrow(member, as: DisposableHandle.self, "member")
    else { return lastStatus() }
    container.remove(member.disposable, run: run(of: member))
    return SGK_OK
}

@_cdecl("sgk_disposable_dict_create") @implementation
public func sgk_disposable_dict_create() -> OpaquePointer! { DisposableHandle(DisposableDict<Value>()).passed() }

@_cdecl("sgk_disposable_dict_set") @implementation
public func sgk_disposable_dict_set(_ dict: OpaquePointer!, _ key: sgk_value, _ member: OpaquePointer!) -> sgk_status {
    let key = Value(borrowing: key)
    guard let container = container(dict, DisposableDict<Value>.self, "dict", "must be a disposable dict") else {
        return lastStatus()
    }
    if member == nil {
        container.set(nil, forKey: key)
        return SGK_OK
    }
    guard let member = borrow(member, as: DisposableHandle.self, "member") else { return lastStatus() }
    container.set(member.disposable, forKey: key, run: run(of: member))
    return SGK_OK
}

/// Returns the subscription that a disposable represents, if there is one.
private func run(of handle: DisposableHandle) -> Subscription? {
    Membership.run(of: (handle.disposable as? StrictRun)?.core.disposable ?? handle.disposable)
}

/// Returns the object of a certain class behind a handle, or `nil` after it recorded an error.
private func container<C: AnyObject>(
    _ pointer: OpaquePointer?, _ type: C.Type, _ argument: CString, _ reason: CString, in function: CString = #function
) -> C? {
    guard let handle = borrow(pointer, as: DisposableHandle.self, argument, in: function) else { return nil }
    if let container = handle.disposable as? C { return container }
    record(SGK_ERROR_HANDLE, argument, reason, in: function)
    return nil
}

@_cdecl("sgk_disposable_state") @implementation
public func sgk_disposable_state(_ disposable: OpaquePointer!) -> UnsafePointer<CChar>! {
    guard let handle = borrow(disposable, as: DisposableHandle.self, "disposable") else { return nil }
    let run = (handle.disposable as? StrictRun)?.core.disposable ?? handle.disposable
    return (run.runState ?? CString("no run")).text
}

// MARK: Strict

@_cdecl("sgk_disposable_strict") @implementation
public func sgk_disposable_strict(
    _ disposable: OpaquePointer!, _ file: UnsafePointer<CChar>!, _ line: Int32
) -> OpaquePointer! {
    guard let handle = borrow(disposable, as: DisposableHandle.self, "disposable") else { return nil }
    guard let file = required(file, "file"), hasRoom() else { return nil }
    guard let place = DataBox.make(SGK_STRING, file, strlen(file), must: false) else {
        record(SGK_ERROR_MEMORY, "file", "out of memory")
        return nil
    }
    return DisposableHandle(StrictRun(handle.disposable, place, Int(line))).passed()
}

/// The core's strict disposable reports through a Swift closure with a Swift string; this one through the log, with C's
/// `__FILE__`.
private final class StrictRun: Disposable {
    let core: StrictCore
    private let file: DataBox
    private let line: Int

    init(_ disposable: any Disposable, _ file: DataBox, _ line: Int) {
        core = StrictCore(disposable)
        self.file = file
        self.line = line
    }

    deinit {
        if !core.isLeaked { return }
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { text in
            sgk_support_print_leak(text.baseAddress, 512, file.data, Int64(line))
            Log.write(text.baseAddress!)
        }
    }

    func dispose() { core.dispose() }
}
