import Synchronization

/// Counts the work that was put into a queue. Thus `Delivery` knows whether other work follows its own.
///
/// Work is first put, then counted. So counted work precedes all later work. A thread reads the count, puts its work
/// and counts it. If the count has advanced only by this work, no other work was put in between. (If work were counted
/// first, it could be put after later work.)
final class Tickets: Sendable {
    /// Never the count.
    static var none: UInt { .max }

    private let number = Synchronization.Atomic<UInt>(0)
    /// 0 for a queue whose work has no order. Then nothing is counted.
    let step: UInt

    init(ordered: Bool = true) { step = ordered ? 1 : 0 }

    @inline(__always)
    var current: UInt { number.load(ordering: .acquiring) }

    /// Counts one unit of work. Returns the new count.
    @discardableResult @inline(__always)
    func count() -> UInt { step == 0 ? 0 : number.wrappingAdd(step, ordering: .acquiringAndReleasing).newValue }
}
