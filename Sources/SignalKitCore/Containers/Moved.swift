extension Unmanaged {
    /// Like `takeRetainedValue`: moves a reference out of memory. (Embedded Swift, when it compiles for size, adds
    /// retain and release operations to that function.)
    @inline(__always)
    func moved() -> Instance {
        var reference = toOpaque()
        return withUnsafeMutableBytes(of: &reference) {
            $0.assumingMemoryBound(to: Instance.self).baseAddress.unsafelyUnwrapped.move()
        }
    }
}
