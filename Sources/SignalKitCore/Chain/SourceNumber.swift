import Synchronization

/// The number of a source in a hub with successive sources. It has four bytes, and starts again after four billion,
/// when nothing refers to the first ones.
struct SourceNumber: RawRepresentable, AtomicRepresentable, Equatable, ExpressibleByIntegerLiteral {
    private(set) var rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }
    init(integerLiteral value: UInt32) { rawValue = value }

    mutating func advance() { rawValue &+= 1 }

    func isOlder(than other: SourceNumber) -> Bool { Int32(bitPattern: rawValue &- other.rawValue) < 0 }
}
