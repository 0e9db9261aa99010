/// What waits for its time, in the order of time; what is due at the same time comes in the order in which it was
/// added.
///
/// A binary heap whose elements know their places, so that one out of a hundred thousand is taken out as cheaply as the
/// first.
struct DeadlineHeap {
    private var elements: [ScheduledWork] = []

    var first: ScheduledWork? { elements.first }
    var count: Int { elements.count }

    mutating func insert(_ work: ScheduledWork) {
        elements.append(work)
        work.place = elements.count - 1
        rise(from: work.place)
    }

    mutating func remove(_ work: ScheduledWork) {
        let place = work.place
        let last = elements.removeLast()
        work.place = ScheduledWork.nowhere
        if last === work { return }
        put(last, at: place)
        rise(from: place)
        sink(from: last.place)
    }

    private mutating func put(_ work: ScheduledWork, at place: Int) {
        elements[place] = work
        work.place = place
    }

    private mutating func rise(from start: Int) {
        let work = elements[start]
        var place = start
        while place > 0, work.comes(before: elements[(place - 1) / 2]) {
            put(elements[(place - 1) / 2], at: place)
            place = (place - 1) / 2
        }
        put(work, at: place)
    }

    private mutating func sink(from start: Int) {
        let work = elements[start]
        var place = start
        while true {
            var child = 2 * place + 1
            if child + 1 < elements.count, elements[child + 1].comes(before: elements[child]) { child += 1 }
            guard child < elements.count, elements[child].comes(before: work) else { break }
            put(elements[child], at: place)
            place = child
        }
        put(work, at: place)
    }
}
