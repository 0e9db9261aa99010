/// A place under a key of a manager, for the shared signal that a producer makes. A call for the key before the
/// producer has returned gets a signal that waits for it.
///
/// If a producer asks for its own key, it gets a signal that does not retain the shared signal:
///
///     the manager's signal ──► Keeper ──► Origin ──► the producer's signal
///     the producer's signal ──► the signal that the producer got ──► Origin
final class Reservation<T, E>: @unchecked Sendable {
    let token = ReservationToken()
    private let published = Listeners<Signal<T, E>, E>(keepsLatest: true)
    private let producing = ThreadMark()
    /// For the producer. Touched only by its thread, until it has returned.
    @exclusivity(unchecked) private var inside: Listeners<Signal<T, E>, E>?

    /// Makes the signal of the place.
    func publish(_ producer: () -> Signal<T, E>, _ share: (Signal<T, E>) -> Signal<T, E>) -> Signal<T, E> {
        var made: Signal<T, E>?
        producing.run { made = producer() }
        let shared = inside.map { shareBoth(made!, inside: $0, share) } ?? share(made!)
        published.put(shared)
        return shared
    }

    private func shareBoth(
        _ made: Signal<T, E>, inside: Listeners<Signal<T, E>, E>, _ share: (Signal<T, E>) -> Signal<T, E>
    ) -> Signal<T, E> {
        let origin = Origin(made)
        // The description omits the source, because it would retain it.
        let shared = share(
            ComposedSignal(of: .none, depth: made.depth, as: "multicastedSignal") { origin.signal.attach($0) })
        inside.put(shared)
        let keeper = Keeper(origin)
        return ComposedSignal(of: .one(shared), depth: shared.depth, as: "multicastedSignal") { sink in
            withExtendedLifetime(keeper) { shared.attach(sink) }
        }
    }

    var signal: Signal<T, E> {
        if let signal = published.current.latest { return signal }
        return producing.isMine ? waiting(for: insideOrNew()) : waiting(for: published)
    }

    private func insideOrNew() -> Listeners<Signal<T, E>, E> {
        if inside == nil { inside = Listeners(keepsLatest: true) }
        return inside!
    }

    private func waiting(for signal: Listeners<Signal<T, E>, E>) -> Signal<T, E> {
        ComposedSignal(as: "multicastedSignal") { signal.addOrStaySilent($0) } |> take(1) |> switchToLatest
    }
}

/// Tells one reservation of a key from the next.
final class ReservationToken: @unchecked Sendable {}

/// The source of a shared signal, until the shared signal is released.
private final class Origin<T, E>: @unchecked Sendable {
    private let lock = SmallLock()
    @exclusivity(unchecked) private var made: Signal<T, E>?

    init(_ made: Signal<T, E>) {
        self.made = made
    }

    var signal: Signal<T, E> { lock.withLock { made } ?? .never() }

    func close() { withExtendedLifetime(lock.withLock { made.take() }) {} }
}

private final class Keeper<T, E>: @unchecked Sendable {
    private let origin: Origin<T, E>

    init(_ origin: Origin<T, E>) {
        self.origin = origin
    }

    deinit {
        origin.close()
    }
}
