import CSignalKit
import SignalKitSupport

/// Records the thread's last error: in the function that calls this, or in the one that the caller helps and passes on.
@inline(never)
func record(_ status: sgk_status, _ argument: CString, _ reason: CString, in function: CString = #function) {
    sgk_support_fail(Int32(status.rawValue), function.text, argument.text, reason.text)
}

/// Reports whether there is memory for a new object, and records an error otherwise.
@inline(__always)
func hasRoom(in function: CString = #function) -> Bool { sgk_support_has_room() || recordNoMemory(function.text) }

@inline(never) @discardableResult
func recordNoMemory(_ function: UnsafePointer<CChar>) -> Bool {
    sgk_support_fail(
        Int32(SGK_ERROR_MEMORY.rawValue), function, CString("memory").text, CString("out of memory").text)
    return false
}

/// Records the error and returns its status, for functions that return one.
func failed(
    _ status: sgk_status, _ argument: CString, _ reason: CString, in function: CString = #function
) -> sgk_status {
    record(status, argument, reason, in: function)
    return status
}

/// Returns the status of a sent value. It is SGK_OK also if nobody receives the value.
@inline(never)
func status(of put: Put, _ argument: CString, in function: CString = #function) -> sgk_status {
    if put != .left { return SGK_OK }
    return failed(
        SGK_ERROR_LEFT, argument, "a callback exited by longjmp or with its thread; no event can be delivered any more",
        in: function)
}

/// The last error as the error of a subscription.
func lastError() -> Value {
    let text = sgk_support_error_text().unsafelyUnwrapped
    return Value(consuming: sgk_value_of_failure(sgk_support_error_status(), text, strlen(text)))
}

extension Value {
    /// An error of the library.
    init(_ status: sgk_status, _ reason: CString, in function: CString) {
        self.init(consuming: sgk_support_own_error(Int32(status.rawValue), function.text, reason.text))
    }
}

/// The status that the call which has just failed recorded.
func lastStatus() -> sgk_status { sgk_status(rawValue: sgk_support_error_status()) }

/// A process-wide function of the program with its context. It is not counted as a live object because it stays
/// permanently.
final class Handler<F> {
    let function: F
    private let owner: ForeignObject
    var context: UnsafeMutableRawPointer? { owner.object }

    init(_ function: F, _ owner: ForeignObject) {
        self.function = function
        self.owner = owner
    }
}

/// Where such a handler is put, and where it is found.
final class HandlerSlot<F>: @unchecked Sendable {
    let lock = SmallLock()
    @exclusivity(unchecked) private var handler: Handler<F>?

    func set(_ function: F?, _ context: UnsafeMutableRawPointer?, _ destroy: sgk_destroy_fn?) {
        let owner = ForeignObject(context, destroy)
        let new = function.map { Handler($0, owner) }
        lock.lock()
        let old = handler
        handler = new
        lock.unlock()
        withExtendedLifetime(old) {}
    }

    /// The handler is retained during the call because another thread can replace it.
    var current: Handler<F>? {
        lock.lock()
        defer { lock.unlock() }
        return handler
    }

    var isSet: Bool {
        lock.lock()
        defer { lock.unlock() }
        return handler != nil
    }
}

/// The receiver of the library's messages.
enum Log {
    static let handler = HandlerSlot<sgk_log_fn>()

    /// Looked at before anything that may warn: the core's warnings come here.
    static let receivesWarnings: Void = { Warnings.sink = { Log.write($0.text) } }()

    static func write(_ message: UnsafePointer<CChar>) {
        if let handler = handler.current {
            handler.function(handler.context, message)
        } else {
            sgk_support_log_to_stderr(message)
        }
    }

    /// Writes a line that begins with the text of `beginning`, which prints like snprintf, and ends with a value, if
    /// there is one. A line that is too long is cut.
    static func write(_ value: Value?, after beginning: (UnsafeMutablePointer<CChar>, Int) -> Int) {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { line in
            let line = line.baseAddress!
            let length = min(beginning(line, 512), 511)
            if let value { withExtendedLifetime(value) { _ = describeValue(value.raw, line + length, 512 - length) } }
            write(line)
        }
    }
}

@_cdecl("sgk_support_log")
public func sgk_support_log(_ message: UnsafePointer<CChar>) { Log.write(message) }

/// Errors of subscriptions without an error callback.
enum Unhandled {
    static let handler = HandlerSlot<sgk_unhandled_error_fn>()

    @inline(never)
    static func report(_ error: Value) {
        let name = SignalName.current
        if let handler = handler.current {
            return withExtendedLifetime((error, name)) {
                handler.function(handler.context, error.raw, name.map { UnsafePointer($0.text) })
            }
        }
        Log.write(error) { sgk_support_print_unhandled($0, $1, name?.text, name?.file, name?.line ?? 0) }
    }
}

/// A callback that must be there, or `nil` after having recorded that it is not. (The caller holds the `Callback`: so
/// the context's `destroy` runs when it returns.)
@inline(__always)
func required<F>(_ callback: F?, _ argument: CString, in function: CString = #function) -> F? {
    if callback == nil { record(SGK_ERROR_NULL, argument, "must not be NULL", in: function) }
    return callback
}
