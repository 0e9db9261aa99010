extension Unmanaged {
    /// `takeRetainedValue` as what it is: a reference, moved out of memory. (In Embedded Swift that one counts up twice,
    /// and then down.)
    @inline(__always)
    func moved() -> Instance {
        var reference = toOpaque()
        return withUnsafeMutableBytes(of: &reference) {
            $0.assumingMemoryBound(to: Instance.self).baseAddress.unsafelyUnwrapped.move()
        }
    }
}
