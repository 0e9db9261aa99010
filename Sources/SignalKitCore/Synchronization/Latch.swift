import SignalKitShims
import Synchronization

/// Opens once. One thread waits for it, or a closure is called.
final class Latch: @unchecked Sendable {
    /// 0 until it is open.
    let word = Synchronization.Atomic<UInt32>(0)
    private let hasOpened: (() -> Void)?

    init(_ hasOpened: (() -> Void)? = nil) { self.hasOpened = hasOpened }

    var isOpen: Bool { word.load(ordering: .acquiring) == 1 }

    @inline(__always)
    func open() {
        if word.load(ordering: .relaxed) == 0 && word.exchange(1, ordering: .releasing) == 0 { wake() }
    }

    @inline(never)
    private func wake() {
        sgk_shim_futex_wake_one(address)
        hasOpened?()
    }

    func wait(_ seconds: Double) {
        let deadline = sgk_shim_monotonic_seconds() + seconds
        while word.load(ordering: .acquiring) == 0 {
            let remaining = deadline - sgk_shim_monotonic_seconds()
            guard remaining > 0 else { return }
            sgk_shim_futex_wait_for(address, 0, nanoseconds(remaining))
        }
    }

    private var address: UInt { withUnsafePointer(to: word) { UInt(bitPattern: $0) } }
}
