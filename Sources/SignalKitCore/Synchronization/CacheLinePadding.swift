/// Separates fields that different threads write, so that they are in different cache lines.
struct CacheLinePadding {
    private let words: (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0, 0, 0, 0)
}
