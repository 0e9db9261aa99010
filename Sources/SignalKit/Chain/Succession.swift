/// A hub whose sources follow each other in its first slot, by their numbers. A source has its number before it is started.
///
/// An event leaves starting it as a step, to be performed outside the section.
class SuccessionHub<T, E>: PairHub<T, E> {
    static var sourceSlot: Int { 0 }

    /// What the event that is being handled has left to do. Touched only in the section.
    @exclusivity(unchecked) private var step: (any Step)?

    /// Whether a source with this number still counts. In the section, like what follows.
    func counts(_ number: SourceNumber) -> Bool { false }

    /// The call that starts a source has returned.
    func started(_ number: SourceNumber) {}

    /// Emits a value of a source, if that counts when the value's turn has come.
    @inline(__always)
    final func pass(_ value: T, of number: SourceNumber) {
        if enter() {
            if counts(number) { emit(value) }
            leave()
        } else {
            wait { [unowned(unsafe) self] in if counts(number) { emit(value) } }
        }
    }

    // MARK: Steps

    /// Leaves something to be done outside the section. The last thing to do in it.
    final func afterwards(_ step: consuming any Step) { self.step = step }

    /// Leaves the section after an event that may have left a step.
    @inline(__always)
    final func leaveWithStep() {
        if step == nil { leave() } else { leaveForStep() }
    }

    override final func takeStep() -> (any Step)? { step.take() }

    override final func performed(_ done: any Step) {
        if !isTerminated { done.performed() }
    }
}

/// The inlet of such a source, which is the step that starts it as well. (`F` is the error of the hub.)
class SuccessorInlet<T, E, F, Owner: SuccessionHub<T, F>>: Inlet<Owner, T, E>, Step {
    final let number: SourceNumber
    /// Gone once it is started. Not of its type, which would be looked up when it is taken out.
    @exclusivity(unchecked) private var signal: AnyObject?

    init(_ hub: Owner, _ signal: Signal<T, E>, number: SourceNumber) {
        self.number = number
        self.signal = signal
        super.init(hub)
    }

    override final func attached(_ upstream: Subscription) {
        hub.isFed(by: upstream)
        hub.store(upstream, in: slot, number: number)
    }
    override final func next(_ value: T) { hub.pass(value, of: number) }

    /// Starts the source, unless a newer one has been started by another thread.
    final func perform() {
        guard let taken = signal.take() else { return }
        let (isNewest, previous) = hub.claim(slot, for: number)
        if !isNewest { return }
        // Not by `unsafeDowncast`, which would count it up.
        let signal = Unmanaged<Signal<T, E>>.fromOpaque(Unmanaged.passUnretained(taken).toOpaque())
        withExtendedLifetime(taken) { signal._withUnsafeGuaranteedRef { start($0, after: previous) } }
    }

    /// Starts the source, and disposes the one before it.
    func start(_ signal: Signal<T, E>, after previous: (any Disposable)?) {
        signal.attach(self)
        previous?.dispose()
    }

    final func performed() { hub.started(number) }
}
