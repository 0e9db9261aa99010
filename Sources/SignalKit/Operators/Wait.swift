import SignalKitShims
import Synchronization

/// Starts the signal, then blocks the starting thread until the first event of any kind, or for `seconds`; nothing is cancelled by that.
///
/// For programs written for SSignalKit. Never call it on a thread that the source needs: it would wait for itself.
public func wait<T, E>(_ seconds: Double) -> (Signal<T, E>) -> Signal<T, E> {
    { signal in
        Signal(attach: { sink in
            let latch = Latch()
            signal.attach(WaitSink(sink, latch))
            latch.wait(seconds)
        })
    }
}

/// Opens once; one thread waits for it.
private final class Latch {
    private let isOpen = Synchronization.Atomic<UInt32>(0)

    @inline(__always)
    func open() {
        if isOpen.load(ordering: .relaxed) == 0 && isOpen.exchange(1, ordering: .releasing) == 0 { sgk_shim_futex_wake_one(address) }
    }

    func wait(_ seconds: Double) {
        let deadline = sgk_shim_monotonic_seconds() + seconds
        while isOpen.load(ordering: .acquiring) == 0 {
            let remaining = deadline - sgk_shim_monotonic_seconds()
            guard remaining > 0 else { return }
            sgk_shim_futex_wait_for(address, 0, nanoseconds(remaining))
        }
    }

    private var address: UInt { withUnsafePointer(to: isOpen) { UInt(bitPattern: $0) } }
}

private final class WaitSink<T, E>: PassingStage<T, E> {
    private let latch: Latch

    init(_ downstream: Sink<T, E>, _ latch: Latch) {
        self.latch = latch
        super.init(downstream)
    }

    override func next(_ value: T) {
        latch.open()
        downstream.next(value)
    }

    override func error(_ error: E) {
        latch.open()
        downstream.error(error)
    }

    override func completed() {
        latch.open()
        downstream.completed()
    }
}
