/// A hub with sources of one type.
class JoinHub<Input, T, E>: Hub<T, E> {
    /// Called in the section, for a value of the source at `place`.
    func next(_ value: Input, at place: Int) { mustOverride() }
}

/// A hub with two sources, at the places 0 and 1.
class PairHub<Input, Other, T, E>: JoinHub<Input, T, E> {
    /// Called in the section, for a value of the second source.
    func other(_ value: Other) { mustOverride() }
}
