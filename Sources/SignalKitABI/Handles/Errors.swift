import CSignalKit
import SignalKitSupport

/// A static text as C sees it. (All static strings in this layer are ASCII with a NUL behind.)
@inline(__always)
func cString(_ text: StaticString) -> UnsafePointer<CChar> { UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self) }

/// Records the thread's last error.
@inline(never)
func record(_ status: sgk_status, _ function: StaticString, _ argument: StaticString, _ reason: StaticString) {
    sgk_support_fail(Int32(status.rawValue), cString(function), cString(argument), cString(reason))
}

/// Records the error and returns its status, for functions that return one.
func failed(_ status: sgk_status, _ function: StaticString, _ argument: StaticString, _ reason: StaticString) -> sgk_status {
    record(status, function, argument, reason)
    return status
}

/// The status that the call which has just failed recorded.
func lastStatus() -> sgk_status { sgk_status(rawValue: sgk_support_error_status()) }

/// Where the library's messages go.
enum Log {
    private final class Handler {
        let log: sgk_log_fn
        let callback: Callback
        init(_ log: @escaping sgk_log_fn, _ callback: Callback) {
            self.log = log
            self.callback = callback
        }
    }

    private static let lock = SmallLock()
    nonisolated(unsafe) private static var handler: Handler?

    /// Looked at before anything that may warn: the core's warnings come here.
    static let receivesWarnings: Void = { Warnings.sink = { Log.write(cString($0)) } }()

    static func setHandler(_ log: sgk_log_fn?, _ callback: Callback) {
        receivesWarnings
        let new = log.map { Handler($0, callback) }
        lock.lock()
        let old = handler
        handler = new
        lock.unlock()
        withExtendedLifetime(old) {}
    }

    static func write(_ message: UnsafePointer<CChar>) {
        lock.lock()
        let current = handler
        lock.unlock()
        if let current { current.log(current.callback.context, message) } else { sgk_support_log_to_stderr(message) }
    }
}

/// A callback that must be there, or `nil` after having recorded that it is not. (The context's `destroy` runs when the caller, who holds the
/// `Callback`, returns.)
@inline(__always)
func required<F>(_ function: F?, _ name: StaticString, _ argument: StaticString) -> F? {
    if function == nil { record(SGK_ERROR_NULL, name, argument, "is NULL") }
    return function
}
