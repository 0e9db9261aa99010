import SignalKitCore
import Testing

@Suite struct InnerPictures {
    @Test func pictures() {
        picture("mapToSignal(_:)", "mapToSignal { _ in b }", ["-1---2-----|", "x-y-z|"], "-x-y-x-y-z-|") {
            let b = $0[1]
            return $0[0] |> mapToSignal { _ in b }
        }
        picture("switchToLatest(_:)", "map { _ in b } |> switchToLatest", ["-1---2-----|", "x-y-z|"], "-x-y-x-y-z-|") {
            let b = $0[1]
            return $0[0] |> map { _ in b } |> switchToLatest
        }
        picture("mapToQueue(_:)", "mapToQueue { _ in b }", ["-1--2---|", "x-y-z|"], "-x-y-zx-y-z|") {
            let b = $0[1]
            return $0[0] |> mapToQueue { _ in b }
        }
        picture("queue(_:)", "map { _ in b } |> SignalKit.queue", ["-1--2---|", "x-y-z|"], "-x-y-zx-y-z|") {
            let b = $0[1]
            return $0[0] |> map { _ in b } |> SignalKitCore.queue
        }
        picture(
            "mapToThrottled(_:)", "mapToThrottled { $0 == 1 ? b : c }", ["-1-2-3---|", "x-y-z|", "u-v|"], "-x-y-zu-v|"
        ) {
            let b = $0[1], c = $0[2]
            return $0.numbers(0) |> mapToThrottled { $0 == 1 ? b : c }
        }
        picture(
            "throttled(_:)", "map { $0 == 1 ? b : c } |> throttled", ["-1-2-3---|", "x-y-z|", "u-v|"], "-x-y-zu-v|"
        ) {
            let b = $0[1], c = $0[2]
            return $0.numbers(0) |> map { $0 == 1 ? b : c } |> throttled
        }
    }

    @Test func replacedAndBounded() {
        picture(
            "takeUntilReplacement(_:)", "takeUntilReplacement(b |> map { _ in c })",
            ["-1-2-3-4-|", "----x----", "-a-b-|"], "-1-2-a-b-|"
        ) {
            let b = $0[1], c = $0[2]
            return $0[0] |> takeUntilReplacement(b |> map { _ in c })
        }
        picture(
            "mapToSignalPromotingError(_:)", "mapToSignalPromotingError { _ in b }", ["-1--2---|", "-x-y#"],
            "--x--x-y#"
        ) {
            let b = $0[1]
            return $0.safe(0) |> mapToSignalPromotingError { _ in b }
        }
        picture(
            "merged(limit:waiting:overflow:counter:)",
            "map { _ in b } |> merged(limit: 1, waiting: 1, overflow: .dropNewest)",
            ["-123-----|", "x--y|"], "-x--yx--y|"
        ) {
            let b = $0[1]
            return $0[0] |> map { _ in b } |> merged(limit: 1, waiting: 1, overflow: .dropNewest)
        }
        picture(
            "mapToMerged(limit:waiting:overflow:counter:_:)",
            "mapToMerged(limit: 1, waiting: 1, overflow: .dropNewest) { _ in b }",
            ["-123-----|", "x--y|"], "-x--yx--y|"
        ) {
            let b = $0[1]
            return $0[0] |> mapToMerged(limit: 1, waiting: 1, overflow: .dropNewest) { _ in b }
        }
    }

    @Test func inOrder() {
        picture(
            "mapOrdered(limit:waiting:_:)", "mapOrdered(limit: 2, waiting: nil) { $0 == 1 ? b : c }",
            ["-123-----|", "x--y|", "u|"], "-x--y(uu)|"
        ) {
            let b = $0[1], c = $0[2]
            return $0.numbers(0) |> mapOrdered(limit: 2, waiting: nil) { $0 == 1 ? b : c }
        }
        picture(
            "mapOrdered(limit:waiting:overflow:counter:_:)",
            "mapOrdered(limit: 1, waiting: 1, overflow: .dropNewest) { _ in b }",
            ["-123-----|", "x--y|"], "-x--yx--y|"
        ) {
            let b = $0[1]
            return $0[0] |> mapOrdered(limit: 1, waiting: 1, overflow: .dropNewest) { _ in b }
        }
        picture(
            "mergedInOrder(limit:waiting:)", "map { $0 == 1 ? b : c } |> mergedInOrder(limit: 3, waiting: nil)",
            ["-1-2-----|", "--x--y|", "u|"], "---x--yu-|"
        ) {
            let b = $0[1], c = $0[2]
            return $0.numbers(0) |> map { $0 == 1 ? b : c } |> mergedInOrder(limit: 3, waiting: nil)
        }
        picture(
            "mergedInOrder(limit:waiting:overflow:counter:)",
            "map { _ in b } |> mergedInOrder(limit: 1, waiting: 1, overflow: .dropNewest)",
            ["-123-----|", "x--y|"], "-x--yx--y|"
        ) {
            let b = $0[1]
            return $0[0] |> map { _ in b } |> mergedInOrder(limit: 1, waiting: 1, overflow: .dropNewest)
        }
    }

    @Test func perKey() {
        picture(
            "mapToSignal(per:limit:_:)", "mapToSignal(per: { $0 }, limit: nil) { _ in b }", ["-121-----|", "x--y|"],
            "-xxx-yy--|"
        ) {
            let b = $0[1]
            return $0[0] |> mapToSignal(per: { $0 }, limit: nil) { _ in b }
        }
        picture(
            "mapToSignal(per:limit:overflow:counter:_:)",
            "mapToSignal(per: { $0 }, limit: 1, overflow: .dropNewest) { _ in b }", ["-121-----|", "x--y|"],
            "-x-x--y--|"
        ) {
            let b = $0[1]
            return $0[0] |> mapToSignal(per: { $0 }, limit: 1, overflow: .dropNewest) { _ in b }
        }
        picture(
            "grouped(by:limit:_:)", "grouped(by: { $0 }, limit: nil) { _, values in values |> skip(1) }",
            ["-ab-ab-ab|"], "----ab-ab|"
        ) {
            $0[0] |> grouped(by: { $0 }, limit: nil) { _, values in values |> skip(1) }
        }
        picture(
            "grouped(by:limit:overflow:counter:_:)",
            "grouped(by: { $0 }, limit: 1, overflow: .dropNewest) { _, values in values |> skip(1) }",
            ["-ab-ab-ab|"], "----a--a-|"
        ) {
            $0[0] |> grouped(by: { $0 }, limit: 1, overflow: .dropNewest) { _, values in values |> skip(1) }
        }
    }
}
