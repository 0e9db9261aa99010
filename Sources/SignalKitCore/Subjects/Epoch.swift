import SignalKitShims

/// The number of the current source, or of the latest value. A value with an older number is rejected.
struct Epoch {
    private(set) var number: UInt = 0
    /// The thread that has moved it on last, and since which epoch no other one has.
    private var changer: UInt = 0
    private var unsharedSince: UInt = 0

    mutating func advance() {
        let me = sgk_shim_thread_pointer()
        if changer != me {
            changer = me
            unsharedSince = number
        }
        number += 1
    }

    /// Moves on to a new one, unless a later one has begun already.
    mutating func begin(_ new: UInt) -> Bool {
        if new <= number { return false }
        number = new
        return true
    }

    /// Returns whether only the calling thread has advanced it since it was `earlier`.
    func isUnshared(since earlier: UInt) -> Bool {
        earlier == number || changer == sgk_shim_thread_pointer() && unsharedSince <= earlier
    }
}
