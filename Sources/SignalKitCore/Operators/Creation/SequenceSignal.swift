extension Signal {
    /// Emits the elements inside `start`, in order, then completes. It stops when the subscription is disposed.
    ///
    /// Each subscription iterates again. A sequence that can be iterated only once emits its elements only once.
    @inlinable
    public static func sequence<Elements: Sequence>(_ elements: Elements) -> Signal<T, E> where Elements.Element == T {
        Signal { subscriber in
            var iterator = elements.makeIterator()
            while subscriber.isActive, let element = iterator.next() { subscriber.putNext(element) }
            subscriber.putCompletion()
            return EmptyDisposable
        }
    }
}

extension Signal where T == Int {
    /// Emits `count` numbers, each greater by one, inside `start`, then completes. It stops when the subscription is
    /// disposed.
    @inlinable
    public static func range(_ first: Int, count: Int) -> Signal<Int, E> {
        precondition(count >= 0, "count must be 0 or more")
        return sequence(first..<first + count)
    }
}
