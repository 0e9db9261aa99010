/// How long a thread waits, and the work that it runs while it waits.
struct Patience {
    private let seconds: Double
    private var place: BlockedThread?
    /// By the clock of the place, set at the first wait.
    private var deadline = 0.0

    init(_ seconds: Double) { self.seconds = seconds }

    /// True if there is time left to wait.
    var isLeft: Bool { place.map { $0.now < deadline } ?? (seconds > 0) }

    /// Returns the latch for the next wait, or nil if the caller must not wait.
    mutating func makeLatch() -> Latch? {
        if place == nil {
            guard let here = BlockedThread.ofCaller else { return nil }
            deadline = here.now + seconds
            place = here
        }
        return place?.makeLatch()
    }

    func wait(for latch: Latch) { place?.wait(for: latch, until: deadline) }
}
