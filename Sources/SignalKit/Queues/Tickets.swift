import Synchronization

/// How much has been put into a queue: by that a run that delivers there sees whether anything stands behind what it has put itself.
///
/// Whoever puts something counts it *afterwards*, and looks at the count before. So what somebody sees counted stands before what they put then;
/// and if the count has moved on by their own only, nothing has come between. (Counted before, it could still come to stand behind.)
final class Tickets: Sendable {
    /// Never the count.
    static var none: UInt { .max }

    private let number = Synchronization.Atomic<UInt>(0)
    /// 0 for a queue whose work has no order: then nothing is counted.
    let step: UInt

    init(ordered: Bool = true) { step = ordered ? 1 : 0 }

    @inline(__always)
    var current: UInt { number.load(ordering: .acquiring) }

    /// Something has been put. Returns the count with it.
    @discardableResult @inline(__always)
    func count() -> UInt { step == 0 ? 0 : number.wrappingAdd(step, ordering: .acquiringAndReleasing).newValue }
}
