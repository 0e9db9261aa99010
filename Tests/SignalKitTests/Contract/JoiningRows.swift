@testable import SignalKitCore

/// The rows of operators that join a source with others, and signals of signals that run at the same time.
extension OperatorRow {
    private static func none() -> Signal<Item, TestError> { .never() }

    static let joining: [OperatorRow] = [
        OperatorRow("merged", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, with in
            source |> map { (item: Item) -> Signal<Item, TestError> in .single(item) } |> merged(limit: 2, waiting: nil)
        },
        OperatorRow("mapToMerged", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, with in
            let probe = with.probe(), full = with.error(8)
            let later = { @Sendable (item: Item) -> Signal<Item, TestError> in
                probe.touch()
                return deferred { .single(item) }
            }
            return source |> mapToMerged(limit: 3, waiting: 10_000, overflow: .fail(full), later)
        },
        OperatorRow("mapToMerged of open inners", "1 2 3", "1 2 3 E9", count: { $0 }) { source, with in
            let probe = with.probe()
            return source
                |> mapToMerged(limit: .max, waiting: nil) { (item: Item) -> Signal<Item, TestError> in
                    Signal { subscriber in
                        subscriber.putNext(item)
                        return ActionDisposable { probe.touch() }
                    }
                }
        },
        OperatorRow("mapOrdered", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, with in
            let probe = with.probe(), full = with.error(8)
            let later = { @Sendable (item: Item) -> Signal<Item, TestError> in
                probe.touch()
                return deferred { .single(item) }
            }
            return source |> mapOrdered(limit: 3, waiting: 10_000, overflow: .fail(full), later)
        },
        OperatorRow("mergedInOrder of open inners", "1", "1 E9", count: { min($0, 1) }) { source, with in
            let probe = with.probe()
            return source
                |> map { (item: Item) -> Signal<Item, TestError> in
                    Signal { subscriber in
                        subscriber.putNext(item)
                        return ActionDisposable { probe.touch() }
                    }
                } |> mergedInOrder(limit: .max, waiting: nil)
        },
        OperatorRow("mapToFirst", "1 2 3 C", "1 2 3 E9") { source, with in
            let probe = with.probe()
            return source
                |> mapToFirst { (item: Item) -> Signal<Item, TestError> in
                    probe.touch()
                    return .single(item)
                }
        },
        OperatorRow("mapToSignal(per:)", "1 2 3 C", "1 2 3 E9") { source, with in
            let probe = with.probe(), full = with.error(8)
            return source
                |> mapToSignal(per: { $0.id % 2 }, limit: 2, overflow: .fail(full)) {
                    (item: Item) -> Signal<Item, TestError> in
                    probe.touch()
                    return deferred { .single(item) }
                }
        },
        OperatorRow("mapToSignal(per:) of open inners", "1 2 3", "1 2 3 E9") { source, with in
            let probe = with.probe()
            return source
                |> mapToSignal(per: { $0.id }, limit: 2, overflow: .dropOldest) {
                    (item: Item) -> Signal<Item, TestError> in
                    Signal { subscriber in
                        subscriber.putNext(item)
                        return ActionDisposable { probe.touch() }
                    }
                }
        },
        OperatorRow("grouped", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, with in
            let probe = with.probe(), full = with.error(8)
            return source
                |> grouped(by: { $0.id % 2 }, limit: 2, overflow: .fail(full)) { _, values in
                    values
                        |> map { (item: Item) -> Item in
                            probe.touch(); return item
                        }
                }
        },
        OperatorRow("grouped, a group a value", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, with in
            source |> grouped(by: { $0.id }, limit: nil) { _, values in values |> take(1) }
        },
        OperatorRow("withLatestFrom", "(1,7) (2,7) (3,7) C", "(1,7) (2,7) (3,7) E9", count: { $0 }) { source, with in
            source |> withLatestFrom(Signal<Item, TestError>.single(with.item(7)))
        },
        OperatorRow("withLatestFrom, as the other", "", "E9", atOnce: ("(7,3)", "E9"), isDirect: false) {
            source, with in
            (Signal<Item, TestError>.single(with.item(7)) |> then(none())) |> withLatestFrom(source)
        },
        OperatorRow("skip(untilSignal:)", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, with in
            source |> skip(untilSignal: Signal<Item, TestError>.single(with.item(7)))
        },
        OperatorRow("skip(untilSignal:), as the signal", "", "E9", isDirect: false, count: { _ in 0 }) { source, with in
            none() |> skip(untilSignal: source |> filter { $0.id < 0 })
        },
        OperatorRow("take(untilSignal:)", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, _ in
            source |> take(untilSignal: none())
        },
        OperatorRow("take(untilSignal:), as the signal", "C", "C", isDirect: false, count: { _ in 0 }) { source, with in
            none() |> take(untilSignal: source)
        },
        OperatorRow("sample, as the trigger", "7", "7 E9", atOnce: ("", "E9"), isDirect: false) { source, with in
            (Signal<Item, TestError>.single(with.item(7)) |> then(none())) |> sample(on: source)
        },
        OperatorRow(
            "zip", "[1,1] [2,2] [3,3] C", "[1,1] [2,2] [3,3] E9", atOnce: ("[1,1] [2,2] [3,3] C", "E9"),
            isDirect: false
        ) { source, with in
            zip([source, source], limit: 1_000, overflow: .fail(with.error(8)))
        },
        OperatorRow("zip of one", "[1] [2] [3] C", "[1] [2] [3] E9", count: { $0 }) { source, with in
            zip(
                [source],
                limit: nil)
        },
        OperatorRow("race", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, with in race([none(), source]) },
    ]
}
