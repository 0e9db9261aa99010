/// What waits in a word: nodes pushed by any thread, the newest first, that a holder takes out all at once.
///
/// `next` is an owned reference, kept as bits: a pusher must not touch the count of a node that a holder may be freeing.
class Waiting {
    final var next: UInt = 0

    /// Turns the nodes around, so that the oldest comes first.
    static func reversed(_ newest: UInt) -> UInt {
        var ordered: UInt = 0
        var bits = newest
        while let node = Unmanaged<Waiting>(bits: bits) {
            let older = node._withUnsafeGuaranteedRef { $0.next }
            node._withUnsafeGuaranteedRef { $0.next = ordered }
            ordered = bits
            bits = older
        }
        return ordered
    }
}

extension Unmanaged where Instance: Waiting {
    /// The reference that stands in a word; `nil` for none.
    init?(bits: UInt) {
        guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return nil }
        self = .fromOpaque(pointer)
    }

    var bits: UInt { UInt(bitPattern: toOpaque()) }
}
