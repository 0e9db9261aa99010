/// Scheduled work in the order of its time. Work with the same time keeps the order of its insertion.
///
/// The structure is a heap in which each element has four children, with adjacent times. A comparison therefore reads
/// one cache line. Each element knows its index, so removal from a large heap is cheap. The heap retains its elements.
struct DeadlineHeap {
    private struct Entry {
        let time: Double
        let work: Unmanaged<ScheduledWork>

        @inline(__always)
        func comes(before other: Entry) -> Bool {
            if time != other.time { return time < other.time }
            return work._withUnsafeGuaranteedRef { $0.order } < other.work._withUnsafeGuaranteedRef { $0.order }
        }
    }

    private static var width: Int { 4 }

    private var entries = UnsafeMutablePointer<Entry>.allocate(capacity: 16)
    private var capacity = 16
    private(set) var count = 0

    /// The earliest time, or infinity if the heap is empty.
    var next: Double { count > 0 ? entries[0].time : .infinity }
    var first: ScheduledWork? { count > 0 ? entries[0].work.takeUnretainedValue() : nil }

    func time(of work: ScheduledWork) -> Double { entries[Int(work.place)].time }

    mutating func insert(_ work: ScheduledWork, at time: Double) {
        if count == capacity { resize(to: capacity * 2) }
        count += 1
        rise(Entry(time: time, work: .passRetained(work)), from: count - 1)
    }

    /// Changes the time of an element.
    mutating func move(_ work: ScheduledWork, to time: Double) {
        settle(Entry(time: time, work: .passUnretained(work)), at: Int(work.place))
    }

    /// Returns the reference that the heap had.
    mutating func remove(_ work: ScheduledWork) -> Unmanaged<ScheduledWork> {
        let place = Int(work.place)
        work.place = ScheduledWork.nowhere
        count -= 1
        let removed = entries[place].work
        if place < count { settle(entries[count], at: place) }
        if count < capacity / 4 && capacity > 64 { resize(to: capacity / 2) }
        return removed
    }

    /// In the child process after a fork. The elements and the memory belong to the parent, which may have been
    /// changing them.
    mutating func forget() { self = DeadlineHeap() }

    func deallocate() { entries.deallocate() }

    @inline(never)
    private mutating func resize(to capacity: Int) {
        let resized = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
        resized.moveInitialize(from: entries, count: count)
        entries.deallocate()
        entries = resized
        self.capacity = capacity
    }

    @inline(__always)
    private func put(_ entry: Entry, at place: Int) {
        (entries + place).initialize(to: entry)
        entry.work._withUnsafeGuaranteedRef { $0.place = Int32(truncatingIfNeeded: place) }
    }

    /// The place is free.
    private func settle(_ entry: Entry, at place: Int) {
        if place > 0 && entry.comes(before: entries[(place - 1) / DeadlineHeap.width]) {
            rise(entry, from: place)
        } else {
            sink(entry, from: place)
        }
    }

    private func rise(_ entry: Entry, from start: Int) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / DeadlineHeap.width
            if !entry.comes(before: entries[parent]) { break }
            put(entries[parent], at: place)
            place = parent
        }
        put(entry, at: place)
    }

    private func sink(_ entry: Entry, from start: Int) {
        var place = start
        while true {
            var child = DeadlineHeap.width * place + 1
            if child >= count { break }
            for other in child + 1..<max(child + 1, min(child + DeadlineHeap.width, count))
            where entries[other].comes(before: entries[child]) { child = other }
            if !entries[child].comes(before: entry) { break }
            put(entries[child], at: place)
            place = child
        }
        put(entry, at: place)
    }
}
