import Synchronization

/// Counts what has been put into a queue. So `Delivery` sees whether anything stands behind the work that it has put.
///
/// Work is put first and counted afterwards. So work that is in the count stands before all that is put later. A thread
/// reads the count, puts its work and counts it: if the count has moved on by this one only, nothing has come between.
/// (Work that is counted first could still come to stand behind.)
final class Tickets: Sendable {
    /// Never the count.
    static var none: UInt { .max }

    private let number = Synchronization.Atomic<UInt>(0)
    /// 0 for a queue whose work has no order: then nothing is counted.
    let step: UInt

    init(ordered: Bool = true) { step = ordered ? 1 : 0 }

    @inline(__always)
    var current: UInt { number.load(ordering: .acquiring) }

    /// Counts what has been put. Returns the count with it.
    @discardableResult @inline(__always)
    func count() -> UInt { step == 0 ? 0 : number.wrappingAdd(step, ordering: .acquiringAndReleasing).newValue }
}
