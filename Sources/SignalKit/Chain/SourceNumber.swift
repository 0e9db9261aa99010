/// Which of the sources that follow each other in a hub. In four bytes: it begins anew after four billion, when nothing of the first is left.
struct SourceNumber: Equatable, ExpressibleByIntegerLiteral {
    private var bits: UInt32

    init(integerLiteral bits: UInt32) { self.bits = bits }

    mutating func advance() { bits &+= 1 }

    func isOlder(than other: SourceNumber) -> Bool { Int32(bitPattern: bits &- other.bits) < 0 }
}
