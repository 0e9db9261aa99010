/// How long a thread waits, and what it does meanwhile.
struct Patience {
    private let seconds: Double
    private var place: WaitingPlace?
    /// By the clock of the place; from the first wait on.
    private var deadline = 0.0

    init(_ seconds: Double) { self.seconds = seconds }

    /// Whether it would wait at all.
    var isLeft: Bool { place.map { $0.now < deadline } ?? (seconds > 0) }

    /// What the next wait is for; nil where the caller must not wait.
    mutating func makeLatch() -> Latch? {
        if place == nil {
            guard let here = WaitingPlace.ofCaller else { return nil }
            deadline = here.now + seconds
            place = here
        }
        return place?.makeLatch()
    }

    func wait(for latch: Latch) { place?.wait(for: latch, until: deadline) }
}
