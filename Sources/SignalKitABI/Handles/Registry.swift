import CSignalKit
import SignalKitSupport

/// With SIGNALKIT_DEBUG=1: the handles that C holds. So the use of a released handle, and one release too many, are
/// reported and do nothing.
enum Registry {
    /// Known before anything can be started.
    static let ledger = {
        Sight.origin = { CallSite() }
        return Ledger()
    }()

    static func added(_ pointer: OpaquePointer) {
        if GlobalQueues.contains(pointer) { return }
        let kind = Handle.kind(at: UnsafeRawPointer(pointer))
        let new = Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer))._withUnsafeGuaranteedRef {
            sgk_holding(kind, name: $0.name)
        }
        ledger.gain(UInt(bitPattern: pointer), new)
    }

    /// Counts a reference down; false, with a report, when there was none.
    static func removed(_ pointer: OpaquePointer, in function: CString) -> Bool {
        if GlobalQueues.contains(pointer) { return true }
        let key = UInt(bitPattern: pointer)
        let count = ledger.change {
            let count = $0[key]?.references ?? 0
            if count > 1 { $0[key]!.references = count - 1 } else { $0[key] = nil }
            return count
        }
        if count == 0 { report(pointer, in: function) }
        return count > 0
    }

    static func isLive(_ pointer: OpaquePointer, in function: CString) -> Bool {
        let isLive = ledger.knows(UInt(bitPattern: pointer)) || GlobalQueues.contains(pointer)
        if !isLive { report(pointer, in: function) }
        return isLive
    }

    private static func report(_ pointer: OpaquePointer, in function: CString) {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            sgk_support_print_misuse(
                text.baseAddress, 256, function.text,
                "not a live handle (already released, or of another copy of the library?)", UnsafeRawPointer(pointer))
            Log.write(text.baseAddress!)
        }
    }
}
