extension Unmanaged {
    /// `takeRetainedValue` as what it is: a reference, moved out of memory. (As Embedded Swift compiles that one for
    /// size, it counts up twice, and down by two.)
    @inline(__always)
    func moved() -> Instance {
        var reference = toOpaque()
        return withUnsafeMutableBytes(of: &reference) {
            $0.assumingMemoryBound(to: Instance.self).baseAddress.unsafelyUnwrapped.move()
        }
    }
}
