import CSignalKit
import SignalKitShims
import SignalKitSupport

@_cdecl("sgk_signal_fd") @implementation
public func sgk_signal_fd(_ fd: Int32, _ events: Int32, _ queue: OpaquePointer!) -> OpaquePointer! {
    descriptorSignal(fd, "fd", on: queue) { queue in
        let interest = Readiness(rawValue: UInt32(truncatingIfNeeded: events))
        if interest.isEmpty || !interest.isSubset(of: [.readable, .writable]) {
            record(SGK_ERROR_ARGUMENT, "events", "is neither SGK_FD_READ nor SGK_FD_WRITE, nor both")
            return nil
        }
        return .readiness(of: fd, for: interest, queue: queue, failure: Value.init) { Value(Int64($0.rawValue)) }
    }
}

@_cdecl("sgk_signal_lines") @implementation
public func sgk_signal_lines(_ fd: Int32, _ limit: Int64, _ queue: OpaquePointer!) -> OpaquePointer! {
    descriptorSignal(fd, "fd", on: queue) { queue in
        guard isCount(limit, "limit") else { return nil }
        return .lines(of: fd, limit: Int(limit), queue: queue, failure: Value.init) { Value(SGK_STRING, $0) }
    }
}

@_cdecl("sgk_signal_bytes") @implementation
public func sgk_signal_bytes(_ fd: Int32, _ chunk: Int64, _ queue: OpaquePointer!) -> OpaquePointer! {
    descriptorSignal(fd, "fd", on: queue) { queue in
        guard isCount(chunk, "chunk") else { return nil }
        if chunk > 1 << 30 {
            record(SGK_ERROR_ARGUMENT, "chunk", "is more than is read at once")
            return nil
        }
        return .bytes(of: fd, chunk: Int(chunk), queue: queue, failure: Value.init) { Value(SGK_BYTES, $0) }
    }
}

@_cdecl("sgk_sink_fd") @implementation
public func sgk_sink_fd(
    _ signal: OpaquePointer!, _ fd: Int32, _ limit: Int64, _ closes: Bool, _ queue: OpaquePointer!
) -> OpaquePointer! {
    derive(signal, on: queue) { signal, queue in
        guard isDescriptor(fd), isCount(limit, "limit") else { return nil }
        return signal |> write(to: fd, takes: closes, limit: Int(limit), queue: queue, failure: Value.init) {
            (value: Value, bytes: inout [UInt8]) throws(SystemError) in
            guard let data = value.data else { throw SystemError(Int32(SGK_SHIM_INVALID), "write") }
            bytes.append(contentsOf: UnsafeRawBufferPointer(start: data.data, count: data.count))
        }
    }
}

@_cdecl("sgk_signal_unix_signal") @implementation
public func sgk_signal_unix_signal(_ signo: Int32, _ queue: OpaquePointer!) -> OpaquePointer! {
    descriptorSignal(signo - 1, "signo", on: queue) {
        .unixSignal(signo, queue: $0, failure: Value.init) { Value(Int64($0)) }
    }
}

@_cdecl("sgk_signal_child") @implementation
public func sgk_signal_child(_ pid: Int32, _ queue: OpaquePointer!) -> OpaquePointer! {
    descriptorSignal(pid - 1, "pid", on: queue) { .child(pid, queue: $0, failure: Value.init) { Value(Int64($0)) } }
}

@_cdecl("sgk_signal_file_changes") @implementation
public func sgk_signal_file_changes(
    _ path: UnsafePointer<CChar>!, _ mask: Int32, _ queue: OpaquePointer!
) -> OpaquePointer! {
    guard let path = required(path, "path") else { return nil }
    return descriptorSignal(mask - 1, "mask", on: queue) {
        let path = Value(SGK_STRING, UnsafeRawBufferPointer(start: path, count: strlen(path)))
        return .fileChanges(
            UInt32(mask), queue: $0, path: { open in open(path.data!.data) }, failure: Value.init
        ) { change in
            .array([Value(Int64(change.mask)), Value(SGK_STRING, change.name), Value(Int64(change.cookie))])
        }
    }
}

private func isDescriptor(_ fd: Int32, _ argument: CString = "fd", in function: CString = #function) -> Bool {
    if fd >= 0 { return true }
    record(SGK_ERROR_ARGUMENT, argument, "is less than there can be", in: function)
    return false
}

/// A signal of a number that is not negative, and a queue.
private func descriptorSignal(
    _ number: Int32, _ argument: CString, on queue: OpaquePointer?, in function: CString = #function,
    _ make: (Queue) -> ValueSignal?
) -> OpaquePointer? {
    guard isDescriptor(number, argument, in: function),
        let queue = borrow(queue, as: QueueHandle.self, "queue", in: function)?.queue, let signal = make(queue)
    else { return nil }
    return SignalHandle(signal).passed()
}

extension Value {
    /// A string or bytes that have come; so there must be memory for them.
    fileprivate init(_ kind: sgk_kind, _ bytes: UnsafeRawBufferPointer) {
        guard let box = DataBox.make(kind, bytes.baseAddress, bytes.count) else { sgk_support_out_of_memory() }
        self = .boxed(box)
    }

    /// The number and the text of an error, as C programs get it.
    fileprivate init(_ error: SystemError) {
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
            let length = sgk_support_print_system_error(
                text.baseAddress!, 128, CString(error.call).text, error.code)
            return Value(SGK_STRING, UnsafeRawBufferPointer(start: text.baseAddress, count: min(length, 127)))
        }
        self = .array([Value(Int64(error.code)), text])
    }

    /// The string or the bytes, if that is what it is.
    fileprivate var data: DataBox? {
        if case let .boxed(box) = self, box.kind == SGK_STRING || box.kind == SGK_BYTES {
            return unsafeDowncast(box, to: DataBox.self)
        }
        return nil
    }
}
