import Synchronization

/// Which of the sources that follow each other in a hub. In four bytes: it begins anew after four billion, when nothing
/// of the first is left.
struct SourceNumber: RawRepresentable, AtomicRepresentable, Equatable, ExpressibleByIntegerLiteral {
    private(set) var rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }
    init(integerLiteral value: UInt32) { rawValue = value }

    mutating func advance() { rawValue &+= 1 }

    func isOlder(than other: SourceNumber) -> Bool { Int32(bitPattern: rawValue &- other.rawValue) < 0 }
}
