/// A string as a key of a dictionary, compared byte by byte. (Swift compares strings by Unicode equivalence, whose
/// tables are larger than this library.)
struct NameKey: Hashable {
    private let bytes: [UInt8]

    init(_ name: String) {
        bytes = Array(name.utf8)
    }

    init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = Array(bytes)
    }
}
