/// A hub that starts sources while it runs. An event starts one as an effect, outside the section.
class StartingHub<T, E>: Hub<T, E> {
    /// The effect of the current event. Access only in the section.
    @exclusivity(unchecked) final private var effect: (any Effect)?

    /// Called in the section, when the outer source has emitted a signal.
    func arrived(_ signal: Signal<T, E>) { mustOverride() }

    /// Leaves an effect for outside the section. Call it as the last action in the section.
    final func afterwards(_ effect: consuming any Effect) { self.effect = effect }

    /// Leaves the section after an event that may have left an effect.
    @inline(__always)
    final func leaveWithEffect() {
        if effect == nil { leave() } else { leaveForEffect() }
    }

    override final func takeEffect() -> (any Effect)? { effect.take() }
}
