extension Bound {
    /// Like `add`, for a value of one source of a hub. Calls `isFull` of the hub if no further value of
    /// that source has space.
    @inline(__always)
    func add<T>(_ value: T, to waiting: inout Batch<T>, from place: Int, of hub: HubCore) -> End<E>? {
        hasRoom(for: value, in: &waiting) ? nil : addAndTell(value, &waiting, place, hub)
    }

    @inline(never)
    private func addAndTell<T>(_ value: T, _ waiting: inout Batch<T>, _ place: Int, _ hub: HubCore) -> End<E>? {
        let end = add(value, to: &waiting)
        if waiting.count >= marks.high { hub.isFull(at: place) }
        return end
    }
}
