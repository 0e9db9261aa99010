/// Groups the values by key, and merges the signals that `pipeline` makes of the groups.
///
/// The first value of a key calls `pipeline`. Its signal is started before that value is sent into the group. Groups do
/// not buffer: if the pipeline does not subscribe to its group, the values are dropped.
///
///     readings |> grouped(by: { $0.station }, limit: 1000, overflow: .dropOldest) { station, values in
///         values |> chunked(60) |> map { (station, average($0)) }
///     }
///
/// A group ends when its pipeline completes. Then its signal completes, and the next value of the key creates a new
/// group. The completion of the outer signal completes all groups. The result completes when the outer signal and all
/// pipelines have completed. The first error ends it.
///
/// With `.dropOldest`, the key of one more group completes the oldest group, so that its pipeline can complete. With
/// `.keepLatest` it completes all groups. With `.dropNewest` the value is dropped, and with `.fail` the subscription
/// fails. `.suspend` stops the program, because the suspended thread may be the one that ends a group. So
/// does `.pause`, because no value waits here.
///
/// - Parameters:
///   - key: called once for each value, on the emitting thread. Calls of `key` and `pipeline` are serialized.
///   - limit: the maximum number of groups.
///   - overflow: the policy for the key of one more group.
///   - counter: counts the groups that were completed early, and the dropped values.
///   - pipeline: makes a signal of a key and the hot signal of its values.
@preconcurrency
public func grouped<T, R, E, Key: Hashable>(
    by key: @escaping @Sendable (T) -> Key, limit: Int, overflow: OverflowPolicy<E>, counter: OverflowCounter? = nil,
    _ pipeline: @escaping @Sendable (Key, Signal<T, E>) -> Signal<R, E>
) -> (Signal<T, E>) -> Signal<R, E> {
    group(by: { value, _ in key(value) }, Bound(limit, overflow, counter), pipeline)
}

/// Like `grouped` with a limit, for any number of groups.
///
/// - Parameters:
///   - key: returns the key of a value.
///   - limit: nil.
///   - pipeline: makes the signal of a group.
@preconcurrency
public func grouped<T, R, E, Key: Hashable>(
    by key: @escaping @Sendable (T) -> Key, limit: Never?,
    _ pipeline: @escaping @Sendable (Key, Signal<T, E>) -> Signal<R, E>
) -> (Signal<T, E>) -> Signal<R, E> {
    group(by: { value, _ in key(value) }, .none, pipeline)
}

func group<T, R, E, Key: Hashable>(
    by key: @escaping (T, inout End<E>?) -> Key?, _ bound: Bound<E>, as operation: CString = #function,
    _ pipeline: @escaping (Key, Signal<T, E>) -> Signal<R, E>
) -> (Signal<T, E>) -> Signal<R, E> {
    precondition(bound.limit > 0, "limit must be 1 or more")
    bound.mustNotPause()
    return { signal in
        ComposedSignal(of: signal, .count(bound.limit), as: operation) { sink in
            let hub = GroupHub<T, Key, R, E>(sink, bound)
            hub.open { signal.attach(SortingInlet(hub, key, pipeline)) }
        }
    }
}

/// A key and its values. The lane belongs to its pipeline.
private final class Group<T, Key, E>: KeyLane<Key> {
    /// Nil after the end of the group.
    @exclusivity(unchecked) var feed: Feed<T, E>? = Feed(replay: false)
}

/// It has two sections. In the section `sorting`, a value finds its group and passes through that group's pipeline. The
/// results enter the section of every hub. The two sections do not wait for each other.
private final class GroupHub<T, Key: Hashable, R, E>: GatherHub<R, E> {
    private let sorting = Serial<() -> Void>()
    // Access the following only in the section `sorting`.
    @exclusivity(unchecked) private var groups = KeyLanes<Key>()
    /// Nil when no further value can arrive.
    @exclusivity(unchecked) private var bound: Bound<E>?

    init(_ sink: Sink<R, E>, _ bound: Bound<E>) {
        self.bound = bound
        super.init(sink)
    }

    @inline(__always)
    func enterSorting() -> Bool { sorting.enter() }

    @inline(__always)
    func leaveSorting() {
        if !sorting.leave() { sortWaiting() }
    }

    @inline(never)
    func sortLater(_ event: @escaping () -> Void) {
        if sorting.enqueue(event) { sortWaiting() }
    }

    private func sortWaiting() {
        sorting.drain { event in
            event?()
            return true
        }
    }

    // MARK: Sorting

    var isSorting: Bool { bound != nil && !isTerminated }

    func group(_ key: Key) -> Group<T, Key, E>? { groups[key].map(typed) }

    private func typed(_ lane: Lane) -> Group<T, Key, E> { unsafeDowncast(lane, to: Group<T, Key, E>.self) }

    /// Adds a group for a new key, unless the overflow policy prevents it.
    func addGroup(_ key: Key) -> Group<T, Key, E>? {
        guard isSorting, let bound, makeRoom(bound) else { return nil }
        let group = Group<T, Key, E>(key)
        groups.append(group)
        return group
    }

    private func makeRoom(_ bound: Bound<E>) -> Bool {
        if !bound.isFull(groups.count) { return true }
        let (going, end) = bound.overflow(of: groups.count)
        if let end { submit { [unowned(unsafe) self] in self.end(end) } }
        for _ in 0..<going { complete(groups.takeOldest()) }
        return going > 0
    }

    private func complete(_ group: KeyLane<Key>) {
        groups.remove(group)
        typed(group).feed.take()?.complete()
    }

    func sourceEnded(_ end: End<E>) {
        bound = nil
        if case .completed = end { groups.all.forEach(complete) }
        sourceEnded(end, at: 0)
    }

    /// Releases all groups without an event.
    func forget() {
        bound = nil
        let all = groups.all
        groups.removeAll()
        for group in all { typed(group).feed = nil }
    }

    // MARK: In the other section

    override func completed(_ lane: Lane) {
        let group = typed(lane)
        sortLater { [unowned(unsafe) self] in complete(group) }
    }

    override func clear() { sortLater { [unowned(unsafe) self] in forget() } }
}

private final class SortingInlet<T, Key: Hashable, R, E>: PlacedInlet<T, R, E, GroupHub<T, Key, R, E>> {
    private let key: (T, inout End<E>?) -> Key?
    private let pipeline: (Key, Signal<T, E>) -> Signal<R, E>

    init(
        _ hub: GroupHub<T, Key, R, E>, _ key: @escaping (T, inout End<E>?) -> Key?,
        _ pipeline: @escaping (Key, Signal<T, E>) -> Signal<R, E>
    ) {
        self.key = key
        self.pipeline = pipeline
        super.init(hub, at: 0)
    }

    /// If the source releases the inlet without an end, no further value reaches the groups.
    deinit {
        let hub = hub
        hub.sortLater { hub.forget() }
    }

    override func next(_ value: T) {
        if hub.enterSorting() {
            sort(value)
            hub.leaveSorting()
        } else {
            hub.sortLater { [self] in sort(value) }
        }
    }

    private func sort(_ value: T) {
        if !hub.isSorting { return }
        var end: End<E>?
        guard let key = key(value, &end) else { return hub.gotNoKey(end) }
        let group = hub.group(key) ?? start(key)
        group?.feed?.listeners.put(value)
    }

    private func start(_ key: Key) -> Group<T, Key, E>? {
        guard let group = hub.addGroup(key), let feed = group.feed else { return nil }
        hub.startAtOnce(pipeline(key, feed.signal()), at: group)
        return group
    }

    override func end(_ end: End<E>) {
        hub.sortLater { [self] in
            if hub.isSorting { hub.sourceEnded(end) }
        }
    }
}
