/// The decisions of a source that can be paused, on the one word of its subscription, without threads.
///
///     runs ──(a pause)──► paused ──(the loop parks)──► parked ──(the last resume)──► scheduled ──► runs
///
/// The pauses are counted, because the `resume` of one pause can be late, and the next pause overtakes it. The flag
/// `parked` publishes the stored position. It is set only together with a pause in the same word, so each parked loop
/// has a `resume` that is still to come. Whoever clears the flag continues the loop, and nobody else does.
struct PauseWord: Hashable {
    private typealias Flag = Subscription.Flag
    var bits: UInt32 = 0

    /// The bits that stop a loop, and those of its end.
    static var stops: UInt32 { ends | Flag.pauses }
    static var ends: UInt32 { Flag.terminated }

    /// True if the loop may emit its next value.
    @inline(__always)
    var goesOn: Bool { bits & Self.stops == 0 }

    /// True if the loop must leave its position to a later `resume`. Otherwise it looks again, or ends.
    @inline(__always)
    var parks: Bool { bits & Flag.pauses != 0 && bits & Flag.terminated == 0 }

    /// The word after the loop has parked.
    @inline(__always)
    var parked: PauseWord { PauseWord(bits: bits | Flag.parked) }

    /// True if the caller of `resume` must continue the loop.
    @inline(__always)
    var continues: Bool { bits & (Flag.parked | Flag.pauses | Flag.terminated) == Flag.parked }

    /// The word after the caller of `resume` has taken the position.
    @inline(__always)
    var taken: PauseWord { PauseWord(bits: bits & ~Flag.parked) }

    /// True if the thread that ended the subscription must drop the position, given the word before the end. Otherwise
    /// the loop drops it, or has done so.
    @inline(__always)
    var isDroppedByEnd: Bool { bits & (Flag.parked | Flag.terminated) == Flag.parked }
}
