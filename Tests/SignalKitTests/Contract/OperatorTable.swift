import Foundation
@testable import SignalKitCore

/// Every operator, with its result for a source of 1, 2, 3.
extension OperatorRow {
    static let all: [OperatorRow] =
        mapping + reduce + meta + combine + catching + taking + sideEffects + dispatch + timing + others + timed
        + joining
        + sharing

    // Covers: SW-156, SW-157, SW-158, SW-159, SW-160, SW-161, SW-162, SW-163
    private static let mapping: [OperatorRow] = [
        OperatorRow("map", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) { source, with in
            let probe = with.probe()
            return source
                |> map { (item: Item) -> Item in
                    probe.touch(); return item
                }
        },
        OperatorRow("filter", "1 3 C", "1 3 E9", isSerial: false) { source, with in
            let probe = with.probe()
            return source
                |> filter { (item: Item) -> Bool in
                    probe.touch(); return item.id % 2 == 1
                }
        },
        OperatorRow("flatMap", "1 nil 3 C", "1 nil 3 E9", isSerial: false, count: { $0 }) { source, with in
            let optional = source |> map { (item: Item) -> Item? in item.id == 2 ? nil : item }
            return optional |> flatMap { (item: Item) -> String in "\(item.id)" }
        },
        OperatorRow("compactMap", "1 3 C", "1 3 E9", isSerial: false) { source, with in
            let probe = with.probe()
            return source
                |> compactMap { (item: Item) -> String? in
                    probe.touch(); return item.id == 2 ? nil : "\(item.id)"
                }
        },
        OperatorRow("mapError", "1 2 3 C", "1 2 3 Ex9", isSerial: false, count: { $0 }) { source, with in
            let probe = with.probe()
            return source
                |> mapError { (error: TestError) -> String in
                    probe.touch(); return "x\(error.item.id)"
                }
        },
        OperatorRow("castError", "1 2 3 C", "1 2 3 C", isSerial: false, count: { $0 }) { source, with in
            let safe: Signal<Item, NoError> = source |> `catch` { _ in .complete() }
            return safe |> castError(TestError.self)
        },
        OperatorRow("distinctUntilChanged", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, _ in
            source |> distinctUntilChanged
        },
        OperatorRow("distinctUntilChanged(isEqual:)", "1 3 C", "1 3 E9") { source, with in
            let probe = with.probe()
            return source
                |> distinctUntilChanged(isEqual: { (a: Item, b: Item) in
                    probe.touch(); return b.id - a.id == 1
                })
        },
        OperatorRow("attempt", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) { source, with in
            let probe = with.probe()
            return attempt { _ in source |> beforeNext { (_: Item) in probe.touch() } }
        },
        OperatorRow("ignoreValues", "C", "E9", isDirect: false, count: { _ in 0 }) { source, _ in source |> ignoreValues
        },
        OperatorRow("tryMap", "1 2 E7", "1 2 E7", isSerial: false) { source, with in
            let error = with.error(7)
            return source
                |> tryMap { (item: Item) throws(TestError) -> Item in
                    if item.id == 3 { throw error }
                    return item
                }
        },
        OperatorRow("tryFilter", "1 3 C", "1 3 E9", isSerial: false) { source, with in
            let probe = with.probe()
            return source
                |> tryFilter { (item: Item) throws(TestError) -> Bool in
                    probe.touch(); return item.id % 2 == 1
                }
        },
        OperatorRow("tryCompactMap", "1 3 C", "1 3 E9", isSerial: false) { source, with in
            let probe = with.probe()
            return source
                |> tryCompactMap { (item: Item) throws(TestError) -> String? in
                    probe.touch(); return item.id == 2 ? nil : "\(item.id)"
                }
        },
    ]

    private static let reduce: [OperatorRow] = [
        OperatorRow("reduceLeft", "3 C", "E9", isDirect: false, count: { _ in 0 }) { source, with in
            let zero = with.item(0)
            return source |> reduceLeft(value: zero, f: { (_: Item, new: Item) in new })
        },
        OperatorRow("reduceLeft emitting", "1 2 3 3 C", "1 2 3 E9", count: { $0 }) { source, with in
            let zero = with.item(0)
            return source
                |> reduceLeft(
                    value: zero,
                    f: { (_: Item, new: Item, emit: (Item) -> Void) in
                        emit(new); return new
                    })
        },
        OperatorRow("reduceLeft generator", "1 2 3 3 C", "1 2 3 E9", count: { $0 }) { source, with in
            let zero = with.item(0)
            return source |> reduceLeft(zero, generator: { (_: Item, new: Item) in .single((new, .Some(new))) })
        },
        OperatorRow("pairwise", "(1,2) (2,3) C", "(1,2) (2,3) E9", isDirect: false, count: { max(0, $0 - 1) }) {
            source, _ in source |> pairwise
        },
        OperatorRow("enumerated", "(0,1) (1,2) (2,3) C", "(0,1) (1,2) (2,3) E9", count: { $0 }) { source, _ in
            source |> enumerated
        },
        OperatorRow("toArray", "[1,2,3] C", "E9", isDirect: false, count: { _ in 0 }) { source, _ in
            source |> toArray(limit: nil)
        },
        OperatorRow("distinct", "1 3 C", "1 3 E9") { source, with in
            let probe = with.probe()
            return source
                |> distinct(
                    limit: 5,
                    by: { (item: Item) in
                        probe.touch(); return item.id % 5 == 2 ? 1 : item.id
                    })
        },
        OperatorRow("scan", "[0,1] [0,1,2] [0,1,2,3] C", "[0,1] [0,1,2] [0,1,2,3] E9", count: { $0 }) { source, with in
            source |> scan([with.item(0)]) { (all: [Item], new: Item) in all + [new] }
        },
    ]

    private static let meta: [OperatorRow] = [
        OperatorRow("switchToLatest", "1 2 3 C", "1 2 3 E9") { source, _ in
            source |> map { (item: Item) -> Signal<Item, TestError> in .single(item) } |> switchToLatest
        },
        OperatorRow("queue", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, _ in
            source |> map { (item: Item) -> Signal<Item, TestError> in .single(item) } |> queue
        },
        OperatorRow("throttled", "1 2 3 C", "1 2 3 E9") { source, _ in
            source |> map { (item: Item) -> Signal<Item, TestError> in .single(item) } |> throttled
        },
        OperatorRow("mapToSignal", "1 2 3 C", "1 2 3 E9") { source, with in
            let probe = with.probe()
            return source
                |> mapToSignal { (item: Item) -> Signal<Item, TestError> in
                    probe.touch(); return .single(item)
                }
        },
        OperatorRow("mapToSignal of open inners", "1 2 3", "1 2 3 E9") { source, with in
            let probe = with.probe()
            return source
                |> mapToSignal { (item: Item) -> Signal<Item, TestError> in
                    Signal { subscriber in
                        subscriber.putNext(item)
                        return ActionDisposable { probe.touch() }
                    }
                }
        },
        OperatorRow("mapToSignalPromotingError", "1 2 3 C", "1 2 3 C") { source, _ in
            let safe: Signal<Item, NoError> = source |> `catch` { _ in .complete() }
            return safe |> mapToSignalPromotingError { (item: Item) -> Signal<Item, TestError> in .single(item) }
        },
        OperatorRow("mapToQueue", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, with in
            let probe = with.probe()
            return source
                |> mapToQueue { (item: Item) -> Signal<Item, TestError> in
                    probe.touch(); return .single(item)
                }
        },
        OperatorRow("mapToThrottled", "1 2 3 C", "1 2 3 E9") { source, with in
            let probe = with.probe()
            return source
                |> mapToThrottled { (item: Item) -> Signal<Item, TestError> in
                    probe.touch(); return .single(item)
                }
        },
        OperatorRow("then", "1 2 3 8 C", "1 2 3 E9", count: { $0 }) { source, with in
            source |> then(.single(with.item(8)))
        },
        OperatorRow("then, as the second", "8 1 2 3 C", "8 1 2 3 E9", count: { $0 + 1 }) { source, with in
            Signal.single(with.item(8)) |> then(source)
        },
        OperatorRow("deferred", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) { source, with in
            let probe = with.probe()
            return deferred {
                probe.touch(); return source
            }
        },
        OperatorRow("SignalQueue", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, _ in
            deferred {
                let line = SignalQueue()
                return line.enqueue(source) |> afterDisposed { withExtendedLifetime(line) {} }
            }
        },
    ]

    private static let combine: [OperatorRow] = [
        OperatorRow("combineLatest of an array", "[8,1] [8,2] [8,3] C", "[8,1] [8,2] [8,3] E9", count: { $0 }) {
            source, with in
            combineLatest([.single(with.item(8)), source])
        },
        OperatorRow(
            "combineLatest of an array on a queue", "[8,1] [8,2] [8,3] C", "[8,1] [8,2] [8,3] E9", isDirect: false,
            count: { $0 }
        ) { source, with in
            combineLatest(queue: with.queue, [.single(with.item(8)), source])
        },
        OperatorRow(
            "combineLatest of two", "(1,8) (2,8) (3,8) C", "(1,8) (2,8) (3,8) E9", atOnce: ("(3,8) C", "E9"),
            isDirect: false
        ) { source, with in
            combineLatest(source, Signal<Item, TestError>.single(with.item(8)))
        },
        OperatorRow("combineLatest of three", "(7,8,1) (7,8,2) (7,8,3) C", "(7,8,1) (7,8,2) (7,8,3) E9", count: { $0 })
        { source, with in
            combineLatest(
                Signal<Item, TestError>.single(with.item(7)), Signal<Item, TestError>.single(with.item(8)), source)
        },
        OperatorRow(
            "combineLatest with initial values", "(0,5) (0,8) (1,8) (2,8) (3,8) C", "(0,5) (0,8) (1,8) (2,8) (3,8) E9",
            atOnce: ("(0,5) (1,5) (2,5) (3,5) (3,8) C", "(0,5) (1,5) (2,5) (3,5) E9"), count: { $0 + 2 }
        ) { source, with in
            combineLatest(source, with.item(0), Signal<Item, TestError>.single(with.item(8)), with.item(5))
        },
        OperatorRow(
            "combineSignals with initial states", "[0,5] [1,5] [2,5] [3,5]", "[0,5] [1,5] [2,5] [3,5] E9",
            count: { $0 + 1 }
        ) { source, with in
            combineSignals([source, .never()], initialStates: [with.item(0), with.item(5)])
        },
        OperatorRow("mergeSignals", "8 1 2 3 C", "8 1 2 3 E9", count: { $0 + 1 }) { source, with in
            mergeSignals([.single(with.item(8)), source])
        },
    ]

    private static let catching: [OperatorRow] = [
        OperatorRow("catch", "1 2 3 C", "1 2 3 8 C", count: { $0 }) { source, with in
            let probe = with.item(8)
            return source |> `catch` { (_: TestError) -> Signal<Item, TestError> in .single(probe) }
        },
        OperatorRow("catch, as the alternative", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, with in
            let failing = Signal<Item, TestError>.fail(with.error(5))
            return failing |> `catch` { (_: TestError) -> Signal<Item, TestError> in source }
        },
        OperatorRow("restart", "1 2 3", "1 2 3 E9", atOnce: ("1 2 3 1 2 C", "1 2 3 E9")) { source, _ in
            source |> restart |> take(5)
        },
        OperatorRow("recurse", "1 2 3", "1 2 3 E9", atOnce: ("1 2 3 1 2 C", "1 2 3 E9")) { source, _ in
            source |> recurse(nil) |> take(5)
        },
        OperatorRow("retry", "1 2 3 C", "1 2 3", atOnce: ("1 2 3 C", "1 2 3 1 2 C")) { source, with in
            source |> retry(1, maxDelay: 10, onQueue: with.queue) |> take(5)
        },
        OperatorRow("retry with a condition", "1 2 3 C", "1 2 3", atOnce: ("1 2 3 C", "1 2 3 1 2 3 E9"), count: { $0 })
        { source, with in
            let probe = with.probe()
            return source
                |> retry(
                    retryOnError: { (_: TestError) in
                        probe.touch(); return true
                    }, delayIncrement: 1, maxDelay: 10, maxRetries: 2,
                    onQueue: with.queue)
        },
        OperatorRow("restartIfError", "1 2 3 C", "1 2 3", atOnce: ("1 2 3 C", "1 2 3 1 2 C")) { source, _ in
            source |> restartIfError |> take(5)
        },
        OperatorRow("restartOrMapError", "1 2 3 C", "1 2 3 Ex9", count: { $0 }) { source, with in
            let probe = with.probe()
            return source
                |> restartOrMapError { (error: TestError) -> RestartOrMapErrorCondition<String> in
                    probe.touch()
                    return .error("x\(error.item.id)")
                }
        },
        OperatorRow("retryIf", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, with in
            let probe = with.probe()
            return source
                |> retryIf { (_: TestError) in
                    probe.touch(); return false
                }
        },
        OperatorRow("catchAndReturn", "1 2 3 C", "1 2 3 8 C", count: { $0 }) { source, with in
            source |> catchAndReturn(with.item(8))
        },
        OperatorRow("repeat", "1 2 3", "1 2 3 E9", atOnce: ("1 2 3 1 2 3 C", "1 2 3 E9"), count: { $0 }) { source, _ in
            source |> `repeat`(2)
        },
        OperatorRow("concat", "8 1 2 3 7 C", "8 1 2 3 E9", count: { $0 + 1 }) { source, with in
            concat(.single(with.item(8)), source, .single(with.item(7)))
        },
        OperatorRow("startWith", "8 1 2 3 C", "8 1 2 3 E9", count: { $0 + 1 }) { source, with in
            source |> startWith(with.item(8))
        },
        OperatorRow("endWith", "1 2 3 8 C", "1 2 3 E9", count: { $0 }) { source, with in source |> endWith(with.item(8))
        },
        OperatorRow("defaultIfEmpty", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, with in
            source |> defaultIfEmpty(with.item(8))
        },
        OperatorRow("switchIfEmpty, as the other", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, _ in
            Signal<Item, TestError>.complete() |> switchIfEmpty(source)
        },
    ]

    private static let taking: [OperatorRow] = [
        OperatorRow("take", "1 2 C", "1 2 C", count: { min($0, 2) }) { source, _ in source |> take(2) },
        OperatorRow("take, more than there are", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, _ in
            source |> take(1_000_000)
        },
        OperatorRow("take(until:)", "1 3 C", "1 3 C") { source, with in
            let probe = with.probe()
            return source
                |> take(until: { (item: Item) in
                    probe.touch()
                    return SignalTakeAction(passthrough: item.id != 2, complete: item.id == 3)
                })
        },
        OperatorRow("takeLast", "3 C", "E9", isDirect: false, count: { _ in 0 }) { source, _ in source |> takeLast },
        OperatorRow("last", "3 C", "E9", isDirect: false, count: { _ in 0 }) { source, _ in source |> last },
        OperatorRow("takeUntilReplacement", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, _ in
            source |> takeUntilReplacement(.never())
        },
        OperatorRow("paused(by:)", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, _ in
            source |> paused(by: .never())
        },
        OperatorRow("takeUntilReplacement, as the replacement", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, _ in
            Signal<Item, TestError>.never() |> takeUntilReplacement(.single(source))
        },
        OperatorRow("take(while:)", "1 2 C", "1 2 C") { source, with in
            let probe = with.probe()
            return source
                |> take(while: { (item: Item) in
                    probe.touch(); return item.id < 3
                })
        },
        OperatorRow("takeLast of two", "2 3 C", "E9", isDirect: false, count: { _ in 0 }) { source, _ in
            source |> takeLast(2)
        },
        OperatorRow("first", "1 C", "1 C", count: { min($0, 1) }) { source, _ in source |> first },
        OperatorRow("first(or:)", "1 C", "1 C", count: { min($0, 1) }) { source, with in
            source |> first(or: with.item(8))
        },
        OperatorRow("skip", "2 3 C", "2 3 E9", isDirect: false, count: { max(0, $0 - 1) }) { source, _ in
            source |> skip(1)
        },
        OperatorRow("skip(while:)", "2 3 C", "2 3 E9", isDirect: false) { source, with in
            let probe = with.probe()
            return source
                |> skip(while: { (item: Item) in
                    probe.touch(); return item.id == 1
                })
        },
    ]

    private static let sideEffects: [OperatorRow] = [
        OperatorRow("beforeNext", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) { source, with in
            let probe = with.probe()
            return source |> beforeNext { (_: Item) in probe.touch() }
        },
        OperatorRow("afterNext", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) { source, with in
            let probe = with.probe()
            return source |> afterNext { (_: Item) in probe.touch() }
        },
        OperatorRow("beforeStarted", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) { source, with in
            let probe = with.probe()
            return source |> beforeStarted { probe.touch() }
        },
        OperatorRow("beforeError", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) { source, with in
            let probe = with.probe()
            return source |> beforeError { (_: TestError) in probe.touch() }
        },
        OperatorRow("beforeCompleted", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) { source, with in
            let probe = with.probe()
            return source |> beforeCompleted { probe.touch() }
        },
        OperatorRow("afterCompleted", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) { source, with in
            let probe = with.probe()
            return source |> afterCompleted { probe.touch() }
        },
        OperatorRow("afterDisposed", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) { source, with in
            let probe = with.probe()
            return source |> afterDisposed { probe.touch() }
        },
        OperatorRow("withState", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) { source, with in
            let tracker = with.tracker
            return withState(source, { tracker.make() }, next: { _, state in state.touch() }, disposed: { $0.touch() })
        },
    ]

    private static let dispatch: [OperatorRow] = [
        OperatorRow("serialized", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, _ in source |> serialized },
        OperatorRow("deliverOn", "1 2 3 C", "1 2 3 E9", isDirect: false, count: { $0 }) { source, with in
            source |> deliverOn(with.queue)
        },
        OperatorRow("runOn", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) { source, with in
            source |> runOn(with.queue)
        },
        OperatorRow("throttleOn", "1 2 3 C", "1 2 3 E9", atOnce: ("3 C", "E9"), isDirect: false) { source, with in
            source |> throttleOn(with.queue, delay: 1)
        },
        OperatorRow("throttle", "1 2 3 C", "1 2 3 E9", atOnce: ("1 3 C", "1 E9"), isDirect: false) { source, with in
            source |> throttle(1, queue: with.queue)
        },
    ]

    private static let timing: [OperatorRow] = [
        OperatorRow("delay", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) { source, with in
            source |> delay(5, queue: with.queue)
        },
        OperatorRow("suspendAwareDelay", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) { source, with in
            source |> suspendAwareDelay(50, queue: with.queue)
        },
        OperatorRow("timeout in time", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, with in
            source |> timeout(5_000_000, queue: with.queue, alternate: .single(with.item(8)))
        },
        OperatorRow("timeout, as the alternative", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, with in
            Signal<Item, TestError>.never() |> timeout(5, queue: with.queue, alternate: source)
        },
        OperatorRow("wait", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) { source, _ in source |> wait(0) },
    ]

    /// Operators that collect values or use time.
    private static let timed: [OperatorRow] = [
        OperatorRow("using", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) { source, with in
            let tracker = with.tracker
            return .using({ tracker.make() }, release: { $0.touch() }) { _ in source }
        },
        OperatorRow("chunked", "[1,2] [3] C", "[1,2] E9", isDirect: false) { source, _ in source |> chunked(2) },
        OperatorRow(
            "chunked by time", "[1] [2] [3] C", "[1] [2] [3] E9", atOnce: ("[1,2] [3] C", "[1,2] E9"), isDirect: false
        ) { source, with in
            source |> chunked(2, 5, queue: with.queue)
        },
        OperatorRow("chunked by a signal", "[1,2] [3] C", "[1,2] E9", isDirect: false) { source, _ in
            source |> chunked(by: Signal<Int, TestError>.never(), limit: 2)
        },
        OperatorRow("windowed", "[1,2] [2,3] C", "[1,2] [2,3] E9", isDirect: false) { source, _ in
            source |> windowed(2)
        },
        OperatorRow("rateLimit with tokens", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, with in
            source |> rateLimit(5_000_000, per: 1, queue: with.queue, waiting: nil)
        },
        OperatorRow("rateLimit without tokens", "1", "1 E9", count: { min($0, 1) }) { source, with in
            source |> rateLimit(1, per: 5_000_000, queue: with.queue, waiting: 5_000_000, overflow: .dropNewest)
        },
        OperatorRow("delayEach", "1 2 3 C", "1 2 3 E9", atOnce: ("1 2 3 C", "E9"), isDirect: false) { source, with in
            source |> delayEach(5, queue: with.queue, limit: 5_000_000, overflow: .dropNewest)
        },
        OperatorRow("timeoutBetween in time", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, with in
            source |> timeoutBetween(5_000_000, queue: with.queue, alternate: .single(with.item(8)))
        },
        OperatorRow("timeoutBetween, as the alternative", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, with in
            Signal<Item, TestError>.never() |> timeoutBetween(5, queue: with.queue, alternate: source)
        },
        OperatorRow("throttle, leading", "1 2 3 C", "1 2 3 E9", atOnce: ("1 C", "1 E9"), isDirect: false) {
            source, with in
            source |> throttle(1, queue: with.queue, edges: .leading)
        },
        OperatorRow("throttle, trailing", "1 2 3 C", "1 2 3 E9", atOnce: ("3 C", "E9"), isDirect: false) {
            source, with in
            source |> throttle(1, queue: with.queue, edges: .trailing)
        },
        OperatorRow("timestamped", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) { source, with in
            source |> timestamped(with.queue) |> map { $0.value }
        },
        OperatorRow("timeInterval", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, with in
            source |> timeInterval(with.queue) |> map { $0.value }
        },
        // Between 2 and 3, where each value takes its time.
        OperatorRow("take(for:)", "1 2 C", "1 2 C", atOnce: ("1 2 3 C", "1 2 3 E9")) { source, with in
            source |> take(for: 2_500, queue: with.queue)
        },
        OperatorRow("sample", "3 C", "E9", isDirect: false) { source, _ in
            source |> sample(on: Signal<Int, TestError>.never())
        },
        OperatorRow("sample by time", "1 2 3 C", "1 2 3 E9", atOnce: ("3 C", "E9"), isDirect: false) { source, with in
            source |> sample(500, queue: with.queue)
        },
        OperatorRow("retry with backoff", "1 2 3 C", "1 2 3", atOnce: ("1 2 3 C", "1 2 3 1 2 C")) { source, with in
            source |> retry(nil, backoff: .exponential(initial: 1, max: 10), queue: with.queue) |> take(5)
        },
        OperatorRow("retryWhen", "1 2 3 C", "1 2 3", atOnce: ("1 2 3 C", "1 2 3 1 2 C")) { source, with in
            let probe = with.probe()
            return source
                |> retryWhen { _, _ -> Signal<Int, TestError> in
                    probe.touch(); return .single(1)
                } |> take(5)
        },
    ]

    private static let others: [OperatorRow] = [
        OperatorRow("feedbackLoop", "", "E9", atOnce: ("C", "E9"), isDirect: false) { source, with in
            deferred {
                // Two rounds.
                let rounds = Rounds(2)
                let loop: Signal<Item, TestError> = feedbackLoop(
                    once: { _ in rounds.next() ? source : nil }, reduce: { a, _ in a })
                return loop
            }
        },
        OperatorRow("accumulatingLoop", "1 2 3", "1 2 3 E9", atOnce: ("1 2 3 1 2 3 C", "1 2 3 E9"), count: { $0 }) {
            source, with in
            deferred {
                let rounds = Rounds(2)
                return accumulatingLoop(once: { _ in rounds.next() ? source : nil }, reduce: { _, new in new })
            }
        },
        OperatorRow("toEvents", "n1 n2 n3 c C", "n1 n2 n3 e9 C", count: { $0 }) { source, _ in source |> toEvents },
        OperatorRow("fromEvents", "1 2 3 C", "1 2 3 E9", count: { $0 }) { source, _ in source |> toEvents |> fromEvents
        },
        OperatorRow("named", "1 2 3 C", "1 2 3 E9", isSerial: false) { source, _ in source |> named("name") },
        OperatorRow("trace", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) { source, with in
            let probe = with.probe()
            return source |> trace("name", to: { _ in probe.touch() })
        },
        OperatorRow("debug_measureTimeToFirstEvent", "1 2 3 C", "1 2 3 E9", isSerial: false, count: { $0 }) {
            source, with in
            let probe = with.probe()
            return source |> debug_measureTimeToFirstEvent(label: "label", to: { _, _ in probe.touch() })
        },
    ]
}

/// Returns true a limited number of times.
private final class Rounds: @unchecked Sendable {
    private var left: Int
    init(_ count: Int) { left = count }

    func next() -> Bool {
        left -= 1
        return left >= 0
    }
}
