import CSignalKit
import SignalKitShims
import SignalKitSupport

@_cdecl("sgk_signal_fd") @implementation
public func sgk_signal_fd(_ fd: Int32, _ events: UInt32, _ queue: OpaquePointer!) -> OpaquePointer! {
    guard isIn(1...3, events, "events", "must be SGK_FD_READ, SGK_FD_WRITE, or both") else { return nil }
    return signal(of: fd, "fd", from: 0, on: queue) {
        .readiness(of: $0, for: Readiness(rawValue: events), queue: $1, failure: systemError()) {
            Value(Int64($0.rawValue))
        }
    }
}

@_cdecl("sgk_signal_fd_lines") @implementation
public func sgk_signal_fd_lines(_ fd: Int32, _ limit: Int64, _ queue: OpaquePointer!) -> OpaquePointer! {
    guard let limit = count(limit, "limit") else { return nil }
    return signal(of: fd, "fd", from: 0, on: queue) {
        .lines(of: $0, limit: limit, queue: $1, failure: systemError()) { Value(SGK_STRING, $0) }
    }
}

@_cdecl("sgk_signal_fd_bytes") @implementation
public func sgk_signal_fd_bytes(_ fd: Int32, _ chunk: Int64, _ queue: OpaquePointer!) -> OpaquePointer! {
    guard isIn(1...1 << 30, chunk, "chunk", "must be from 1 to 2^30") else { return nil }
    return signal(of: fd, "fd", from: 0, on: queue) {
        .bytes(of: $0, chunk: Int(chunk), queue: $1, failure: systemError()) { Value(SGK_BYTES, $0) }
    }
}

@_cdecl("sgk_signal_fd_datagrams") @implementation
public func sgk_signal_fd_datagrams(_ fd: Int32, _ limit: Int64, _ queue: OpaquePointer!) -> OpaquePointer! {
    guard isIn(1...1 << 30, limit, "limit", "must be from 1 to 2^30") else { return nil }
    return signal(of: fd, "fd", from: 0, on: queue) {
        .datagrams(of: $0, limit: Int(limit), queue: $1, failure: systemError()) { data, address in
            .array([Value(SGK_BYTES, data), Value(SGK_BYTES, address)])
        }
    }
}

@_cdecl("sgk_signal_sink_fd") @implementation
public func sgk_signal_sink_fd(
    _ signal: OpaquePointer!, _ fd: Int32, _ closes: Bool, _ bound: UnsafePointer<sgk_bound>!, _ queue: OpaquePointer!
) -> OpaquePointer! {
    let bound = GivenBound(bound)
    return derive(signal, on: queue) { signal, queue in
        let rules = BoundRules(
            limit: 1 << 16, mayPause: true,
            notDropping: "must not drop values: let deliver_on_bounded drop them before")
        guard isIn(0...Int32.max, fd, "fd", "must be 0 or more"), let bound = bound.checked(rules) else { return nil }
        return signal
            |> write(
                to: fd, takes: closes, queue: queue, limit: bound.limit, overflow: bound.overflow,
                counter: bound.counter, failure: systemError(), append: append)
    }
}

@_cdecl("sgk_signal_unix_signal") @implementation
public func sgk_signal_unix_signal(_ signo: Int32, _ queue: OpaquePointer!) -> OpaquePointer! {
    signal(of: signo, "signo", from: 1, on: queue) {
        .unixSignal($0, queue: $1, failure: systemError()) { Value(Int64($0)) }
    }
}

@_cdecl("sgk_signal_child") @implementation
public func sgk_signal_child(_ pid: Int32, _ queue: OpaquePointer!) -> OpaquePointer! {
    signal(of: pid, "pid", from: 1, on: queue) { .child($0, queue: $1, failure: systemError()) { Value(Int64($0)) } }
}

@_cdecl("sgk_signal_wall_clock_timer") @implementation
public func sgk_signal_wall_clock_timer(_ unixTime: Double, _ queue: OpaquePointer!) -> OpaquePointer! {
    guard unixTime.isFinite else {
        record(SGK_ERROR_ARGUMENT, "unix_time", "must be finite")
        return nil
    }
    return signal(on: queue) {
        .wallClockTimer(unixTime: unixTime, queue: $0, failure: systemError()) { Value(Int64($0)) }
    }
}

@_cdecl("sgk_signal_file_changes") @implementation
public func sgk_signal_file_changes(
    _ path: UnsafePointer<CChar>!, _ mask: UInt32, _ queue: OpaquePointer!
) -> OpaquePointer! {
    let all = UInt32(SGK_FILE_MOVED << 1) - 1
    let changes = mask & ~UInt32(SGK_FILE_RECURSIVE)
    guard let path = required(path, "path"), isIn(1...all, changes, "mask", "must consist of SGK_FILE_… bits") else {
        return nil
    }
    return signal(on: queue) {
        .fileChanges(mask, queue: $0, path: copied(path), failure: systemError()) { change in
            .array([Value(Int64(change.mask)), Value(SGK_STRING, change.name), Value(Int64(change.cookie))])
        }
    }
}

@_cdecl("sgk_signal_file_lines") @implementation
public func sgk_signal_file_lines(
    _ path: UnsafePointer<CChar>!, _ from_start: Bool, _ limit: Int64, _ queue: OpaquePointer!
) -> OpaquePointer! {
    guard let path = required(path, "path"), let limit = count(limit, "limit") else { return nil }
    return signal(on: queue) {
        .fileLines(fromStart: from_start, limit: limit, queue: $0, path: copied(path), failure: systemError()) {
            Value(SGK_STRING, $0)
        }
    }
}

@_cdecl("sgk_signal_process") @implementation
public func sgk_signal_process(
    _ arguments: UnsafePointer<UnsafePointer<CChar>?>!, _ input: OpaquePointer!, _ options: UInt32, _ limit: Int64,
    _ queue: OpaquePointer!
) -> OpaquePointer! {
    let written = input == nil ? nil : upstream(input, "input")
    guard input == nil || written != nil, let arguments = required(arguments, "arguments"),
        isTrue(arguments.pointee != nil, "arguments", "must contain a program"),
        isTrue(options & ~processOptions == 0, "options", "must be SGK_PROCESS_… bits, but not SGK_PROCESS_EXIT"),
        let limit = count(limit, "limit")
    else { return nil }
    let parameter = Parameter.several([.name(SignalName(arguments.pointee!)), .count(limit)])
    let failure = systemError(), isBytes = options & UInt32(SGK_PROCESS_BYTES) != 0
    let event = { (kind: Int32, data: UnsafeRawBufferPointer, status: Int32) in
        Value.array([
            Value(Int64(kind)), Value(isBytes ? SGK_BYTES : SGK_STRING, data), Value(Int64(status)),
        ])
    }
    let start = copied(arguments)
    return signal(on: queue) { queue in
        .process(
            parameter, queue: queue, start: { start($0, written != nil, options) },
            read: { descriptor, stream in
                let make = { event(stream, $0, 0) }
                return isBytes
                    ? .bytes(of: descriptor, chunk: limit, queue: queue, failure: failure, make: make)
                    : .lines(of: descriptor, limit: limit, queue: queue, failure: failure, make: make)
            },
            input: written.map { signal in
                {
                    signal
                        |> write(
                            to: $0, takes: true, mayBeUnread: true, queue: queue, limit: limit, overflow: .pause(),
                            counter: nil, failure: failure, append: append)
                }
            }, failure: failure
        ) { event(SGK_PROCESS_EXIT, UnsafeRawBufferPointer(start: nil, count: 0), $0) }
    }
}

private let processOptions = UInt32(
    SGK_PROCESS_OUTPUT | SGK_PROCESS_ERRORS | SGK_PROCESS_BYTES | SGK_PROCESS_TERMINATE | SGK_PROCESS_OWN_GROUP)

/// Starts a program with a copy of the arguments.
private func copied(
    _ arguments: UnsafePointer<UnsafePointer<CChar>?>
) -> (UnsafeMutablePointer<OpaquePointer?>, _ hasInput: Bool, _ options: UInt32) -> Int32 {
    var copies: [Value] = []
    while let text = arguments[copies.count] {
        copies.append(Value(SGK_STRING, UnsafeRawBufferPointer(start: text, count: strlen(text))))
    }
    return { process, hasInput, options in
        withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: copies.count + 1) { texts in
            for (index, copy) in copies.enumerated() { texts.initializeElement(at: index, to: copy.data!.data) }
            texts.initializeElement(at: copies.count, to: nil)
            return sgk_shim_process_start(texts.baseAddress, hasInput, options, process)
        }
    }
}

@_cdecl("sgk_signal_accept") @implementation
public func sgk_signal_accept(
    _ fd: Int32, _ limit: Int64, _ serve: sgk_connection_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!, _ queue: OpaquePointer!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let limit = count(limit, "limit", orUnbounded: true), let serve = required(serve, "serve") else { return nil }
    return signal(of: fd, "fd", from: 0, on: queue) {
        .accept(from: $0, limit: limit, queue: $1, failure: systemError(), value: Value.null) {
            returned(serve(callback.context, $0))
        }
    }
}

@_cdecl("sgk_signal_connect") @implementation
public func sgk_signal_connect(
    _ address: UnsafeRawPointer!, _ size: Int, _ use: sgk_connection_fn!, _ context: UnsafeMutableRawPointer!,
    _ destroy: sgk_destroy_fn!, _ queue: OpaquePointer!
) -> OpaquePointer! {
    let callback = Callback(context, destroy)
    guard let address = required(address, "address"),
        isIn(2...Int(SGK_SHIM_ADDRESS), size, "size", "must be from 2 to 128"), let use = required(use, "use")
    else { return nil }
    let copy = Value(SGK_BYTES, UnsafeRawBufferPointer(start: address, count: size))
    return signal(on: queue) {
        .connect(
            queue: $0, open: { sgk_shim_socket_connect(copy.data!.data, size) }, failure: systemError(),
            value: Value.null
        ) { returned(use(callback.context, $0)) }
    }
}

/// Passes a copy of the path to a function.
private func copied(_ path: UnsafePointer<CChar>) -> ((UnsafePointer<CChar>) -> Int32) -> Int32 {
    let path = Value(SGK_STRING, UnsafeRawBufferPointer(start: path, count: strlen(path)))
    return { open in open(path.data!.data) }
}

/// Appends what a descriptor receives of a value: data, or an array of data and an address, whose size it returns.
private func append(_ value: Value, _ bytes: inout [UInt8]) throws(SystemError) -> Int {
    guard case let .boxed(box) = value else { throw notData }
    defer { withExtendedLifetime(box) {} }
    let pointer = UnsafeRawPointer(Unmanaged.passUnretained(box).toOpaque()).assumingMemoryBound(to: sgk_box.self)
    if pointer.pointee.kind != SGK_ARRAY.rawValue || pointer.pointee.count != 2 {
        _ = try append(pointer, &bytes)
        return 0
    }
    let items = UnsafeRawPointer(pointer + 1).assumingMemoryBound(to: sgk_value.self)
    let address = try append(sgk_value_box(items[1]), &bytes)
    _ = try append(sgk_value_box(items[0]), &bytes)
    return address
}

/// Appends a string or bytes, and returns the number of bytes.
@inline(never)
private func append(_ box: UnsafePointer<sgk_box>?, _ bytes: inout [UInt8]) throws(SystemError) -> Int {
    guard let box, box.pointee.kind <= SGK_BYTES.rawValue else { throw notData }
    bytes.append(contentsOf: UnsafeRawBufferPointer(start: box + 1, count: box.pointee.count))
    return box.pointee.count
}

private var notData: SystemError {
    SystemError(Int32(SGK_SHIM_INVALID), "write of a value that is neither a string nor bytes")
}

/// Whether the number is in a range. If not, it records the error.
@inline(__always)
private func isIn<N: FixedWidthInteger>(
    _ range: ClosedRange<N>, _ number: N, _ argument: CString, _ reason: CString, in function: CString = #function
) -> Bool {
    isTrue(range.contains(number), argument, reason, in: function)
}

/// Returns `isRight`, and records the error if it is false.
private func isTrue(
    _ isRight: Bool, _ argument: CString, _ reason: CString, in function: CString = #function
) -> Bool {
    if !isRight { record(SGK_ERROR_ARGUMENT, argument, reason, in: function) }
    return isRight
}

/// A signal of such a number, and a queue.
@inline(__always)
private func signal(
    of number: Int32, _ argument: CString, from first: Int32, on queue: OpaquePointer?,
    in function: CString = #function, _ make: (Int32, Queue) -> ValueSignal
) -> OpaquePointer? {
    let reason: CString = first == 0 ? "must be 0 or more" : "must be 1 or more"
    guard isIn(first...Int32.max, number, argument, reason, in: function) else { return nil }
    return signal(on: queue, in: function) { make(number, $0) }
}

@inline(__always)
private func signal(
    on queue: OpaquePointer?, in function: CString = #function, _ make: (Queue) -> ValueSignal
) -> OpaquePointer? {
    guard let queue = borrow(queue, as: QueueHandle.self, "queue", in: function)?.queue else { return nil }
    return made(make(queue), in: function)
}

/// Makes an error of the system an error with its number.
private func systemError(in function: CString = #function) -> @Sendable (SystemError) -> Value {
    { error in
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
            let text = text.baseAddress.unsafelyUnwrapped
            _ = sgk_support_print_system_error(text, 128, CString(error.call).text, error.code)
            return Value(consuming: sgk_support_own_error(error.code, function.text, text))
        }
    }
}

extension Value {
    /// Creates a string or bytes for received data. The reserve supplies the memory if necessary.
    fileprivate init(_ kind: sgk_kind, _ bytes: UnsafeRawBufferPointer) {
        self = .boxed(DataBox.make(kind, bytes.baseAddress, bytes.count, must: true).unsafelyUnwrapped)
    }

    /// The string or the bytes, if that is what it is.
    fileprivate var data: DataBox? {
        if case let .boxed(box) = self, box.kind == SGK_STRING || box.kind == SGK_BYTES {
            return unsafeDowncast(box, to: DataBox.self)
        }
        return nil
    }
}
