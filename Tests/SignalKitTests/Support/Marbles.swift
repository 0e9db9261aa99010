import SignalKitCore
import SignalKitTesting

extension TestScheduler {
    /// A source whose first run is the first diagram, the second run the second, and so on.
    func attempts(_ marbles: String...) -> Signal<String, String> {
        var left = marbles.map { cold($0).signal }[...]
        return deferred { left.removeFirst() }
    }
}
