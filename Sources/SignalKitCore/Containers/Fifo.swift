/// A first-in, first-out list. Removing from the front takes amortized constant time.
struct Fifo<Element> {
    private var front: [Element] = []
    private var back: [Element] = []

    var isEmpty: Bool { front.isEmpty && back.isEmpty }

    mutating func append(_ element: Element) { back.append(element) }

    mutating func popFirst() -> Element? {
        if front.isEmpty {
            swap(&front, &back)
            front.reverse()
        }
        return front.popLast()
    }

    mutating func removeAll() { self = Fifo() }
}

#if !hasFeature(Embedded)
extension Fifo: Equatable where Element: Equatable {}
extension Fifo: Hashable where Element: Hashable {}
#endif
