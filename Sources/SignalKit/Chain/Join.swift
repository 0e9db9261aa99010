/// A hub that joins several sources: it completes when all of them have; the first error ends it.
class JoinHub<T, E>: Hub<T, E> {
    @exclusivity(unchecked) private var running: Int

    /// - Parameter count: how many sources there are; each has a slot.
    init(_ sink: Sink<T, E>, _ count: Int) {
        running = count
        super.init(sink, slots: count)
    }

    final func sourceCompleted() {
        running -= 1
        if running == 0 { complete() }
    }

    /// Attaches to one after another. One that has failed already ends the result: the others need not start.
    final func attach<Sources: Collection>(_ sources: Sources, _ attach: (Int, Sources.Element) -> Void) {
        for (index, source) in sources.enumerated() {
            if isTerminated { return }
            attach(index, source)
        }
    }
}

/// The inlet of one of them: what is left to say is what a value means.
class JoinInlet<T, E, Joined, Owner: JoinHub<Joined, E>>: Inlet<Owner, T, E> {
    final let index: Int

    init(_ hub: Owner, _ index: Int) {
        self.index = index
        super.init(hub)
    }

    override final var slot: Int { index }

    override final func error(_ error: E) { hub.submit { [unowned(unsafe) hub] in hub.fail(error) } }

    override final func completed() {
        hub.take(from: index)
        hub.submit { [unowned(unsafe) hub] in hub.sourceCompleted() }
    }
}
