import CSignalKit
import SignalKitSupport

/// With SIGNALKIT_DEBUG=1: the references that C holds, by address. So the use of a released handle, and one release
/// too many, are reported and do nothing. (A released address that a new handle has got again is taken for the new
/// one.)
enum Registry {
    static let lock = SmallLock()
    nonisolated(unsafe) private static var references: [UInt: Int] = [:]

    static func added(_ pointer: OpaquePointer) {
        lock.lock()
        references[UInt(bitPattern: pointer), default: 0] += 1
        lock.unlock()
    }

    /// Counts a reference down; false, with a report, when there was none.
    static func removed(_ pointer: OpaquePointer, in function: CString) -> Bool {
        let key = UInt(bitPattern: pointer)
        lock.lock()
        let count = references[key] ?? 0
        if count > 1 { references[key] = count - 1 } else { references[key] = nil }
        lock.unlock()
        if count == 0 { report(pointer, in: function) }
        return count > 0
    }

    static func isLive(_ pointer: OpaquePointer, in function: CString) -> Bool {
        lock.lock()
        let isLive = references[UInt(bitPattern: pointer)] != nil
        lock.unlock()
        if !isLive { report(pointer, in: function) }
        return isLive
    }

    private static func report(_ pointer: OpaquePointer, in function: CString) {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            sgk_support_print_misuse(
                text.baseAddress, 256, function.text, "no live handle (released already?)", UnsafeRawPointer(pointer))
            Log.write(text.baseAddress!)
        }
    }
}
