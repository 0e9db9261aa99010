/// Stands between the fields that some threads write and those of others, so that they are in different cache lines.
struct Gap {
    private let words: (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0, 0, 0, 0)
}
