@testable import SignalKitCore

/// The rows of operators that share a source. The bench retains only the subscription, not the shared signal. So no
/// later subscription is possible, and nothing may be stored for one. (A retained source is not stopped by its last
/// subscriber while it starts.)
extension OperatorRow {
    static let sharing: [OperatorRow] = [
        OperatorRow("share", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, _ in source |> share() },
        OperatorRow("share of the latest value", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, _ in
            source |> share(replay: 1)
        },
        OperatorRow("share of several values, kept for a time", "1 2 3 C", "1 2 3 E9", isDirect: false, count: { $0 }) {
            source, with in
            source |> share(replay: 2, keep: .for(5, with.queue))
        },
        OperatorRow("share, kept for good", "1 2 3 C", "1 2 3 E9", isDirect: false, count: { $0 }) { source, _ in
            source |> share(replay: 1, keep: .forever)
        },
        OperatorRow("multicast", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, _ in source |> multicast },
    ]
}
