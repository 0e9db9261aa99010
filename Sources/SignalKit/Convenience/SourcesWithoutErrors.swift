// The sources of the core that cannot fail, where nothing else says the type of the error: `Signal.single(1)`.

extension Signal where E == Never {
    /// Emits one value and completes, inside `start`.
    public static func single(_ value: T) -> Signal<T, Never> { SignalKitCore.single(value, Never.self) }

    /// Emits the elements of a sequence, inside `start`, and completes. Each subscription iterates over it.
    public static func sequence<Elements: Sequence>(_ elements: Elements) -> Signal<T, Never>
    where Elements.Element == T {
        general(elements, Never.self)
    }

    /// Completes inside `start`.
    public static func complete() -> Signal<T, Never> { SignalKitCore.complete(T.self, Never.self) }

    /// Emits nothing and never ends. It does not retain its subscriber, so an iteration over its `values` ends.
    public static func never() -> Signal<T, Never> { SignalKitCore.never(T.self, Never.self) }
}

extension Signal where T == Int, E == Never {
    /// Emits `count` numbers, the first of which is `first`, inside `start`, and completes.
    public static func range(_ first: Int, count: Int) -> Signal<Int, Never> {
        generalRange(first, count, Never.self)
    }

    /// Emits 0, 1, 2 … on `queue`. The number n is emitted (n + 1) · `seconds` after the start. It never ends.
    ///
    /// - Parameters:
    ///   - seconds: the period by the clock of `queue`, more than 0.
    ///   - queue: where the numbers are delivered.
    public static func interval(_ seconds: Double, queue: Queue) -> Signal<Int, Never> {
        generalInterval(seconds, queue, Never.self)
    }

    /// Emits 0 on `queue`, `seconds` after the start, and completes.
    public static func timer(_ seconds: Double, queue: Queue) -> Signal<Int, Never> {
        generalTimer(seconds, queue, Never.self)
    }
}

// In these functions the type of the error is open, so that only the forms of the core fit.

private func general<Elements: Sequence, E>(_ elements: Elements, _: E.Type) -> Signal<Elements.Element, E> {
    .sequence(elements)
}

private func generalRange<E>(_ first: Int, _ count: Int, _: E.Type) -> Signal<Int, E> { .range(first, count: count) }

private func generalInterval<E>(_ seconds: Double, _ queue: Queue, _: E.Type) -> Signal<Int, E> {
    .interval(seconds, queue: queue)
}

private func generalTimer<E>(_ seconds: Double, _ queue: Queue, _: E.Type) -> Signal<Int, E> {
    .timer(seconds, queue: queue)
}
