import SignalKit

// Stages as users of RxSwift, Combine and AsyncAlgorithms write them. The test is that they compile without a warning.

enum AppError: Error { case offline, denied }
struct Other: Error {}
struct Wrapped: Error {
    let cause: AppError
    init(_ cause: AppError) { self.cause = cause }
}
struct Address: Sendable { let city: String }
struct User: Sendable {
    let name: String
    let isActive: Bool
    let address: Address?
}
final class Token: Sendable { func cancel() {} }
final class Model: Sendable {
    func set(_ number: Int) {}
    func observe(_ f: @escaping @Sendable (Int) -> Void) -> Token { Token() }
}
@Sendable func describe(_ text: String) -> Int { text.count }
@Sendable func parse(_ text: String) throws -> Int {
    guard let number = Int(text) else { throw Other() }
    return number
}
@Sendable func parseTyped(_ text: String) throws(AppError) -> Int {
    guard let number = Int(text) else { throw .denied }
    return number
}
@Sendable func fetch(_ text: String) async -> Int { text.count }
@Sendable func fetchThrowing(_ text: String) async throws -> Int { text.count }
func load(_ text: String) -> Signal<Int, NoError> { .single(text.count) }
func loadRisky(_ text: String) -> Signal<Int, AppError> { .single(text.count) }

struct Stages {
    let ints: Signal<Int, NoError>, strings: Signal<String, NoError>, optionals: Signal<Int?, NoError>
    let users: Signal<User, NoError>, risky: Signal<Int, AppError>, failing: Signal<String, AppError>
    let anything: Signal<String, any Error>, queue: Queue, model: Model, stream: AsyncStream<Int>

    func mapStage() { _ = ints |> map { $0 * 2 } }
    func mapStatementsStage() {
        _ = ints
            |> map { n in
                let half = n / 2; return half + 1
            }
    }
    func mapStatementsStringStage() {
        _ = ints
            |> map { n in
                let text = "\(n)"; return text.count
            }
    }
    func mapConditionalStage() { _ = ints |> map { n in if n > 0 { return "positive" } else { return "negative" } } }
    func mapIfExpressionStage() { _ = ints |> map { $0 > 0 ? "a" : "b" } }
    func mapSwitchExpressionStage() {
        _ = ints
            |> map { n in
                switch n {
                case 0: "none";
                case 1: "one";
                default: "many"
                }
            }
    }
    func mapKeypathStage() { _ = users |> map(\.name) }
    func mapKeypathChainStage() { _ = users |> map(\.address?.city) }
    func mapOptionalChainStage() { _ = users |> map { $0.address?.city.uppercased() } }
    func mapInitializerStage() { _ = ints |> map(String.init) }
    func mapFunctionStage() { _ = strings |> map(describe) }
    func mapMethodStage() { _ = strings |> map { $0.uppercased() } }
    func mapTupleStage() { _ = combineLatest(ints, strings) |> map { n, s in "\(n)\(s)" } }
    func mapTuplePositionsStage() { _ = combineLatest(ints, strings) |> map { "\($0)\($1)" } }
    func tryMapThrowingStage() { _ = anything |> tryMap { try parse($0) } }
    func tryMapTypedStage() { _ = failing |> tryMap { try parseTyped($0) } }
    func tryMapStatementsStage() {
        _ = failing
            |> tryMap { text throws(AppError) in
                let n = try parseTyped(text); return n + 1
            }
    }
    func tryMapFromNoErrorStage() { let s: Signal<Int, any Error> = strings |> tryMap { try parse($0) }; _ = s }
    func tryFilterStage() { _ = anything |> tryFilter { try parse($0) > 0 } }
    func filterStage() { _ = ints |> filter { $0 % 2 == 0 } }
    func filterKeypathStage() { _ = users |> filter(\.isActive) }
    func filterStatementsStage() {
        _ = strings
            |> filter { text in
                let n = text.count; return n > 2 && n < 9
            }
    }
    func compactMapInitStage() { _ = strings |> compactMap(Int.init) }
    func compactMapClosureStage() { _ = strings |> compactMap { Int($0) } }
    func compactMapSelfStage() { _ = optionals |> compactMap { $0 } }
    func compactMapKeypathStage() { _ = users |> compactMap(\.address) }
    func scanStage() { _ = ints |> scan(0) { $0 + $1 } }
    func scanOperatorStage() { _ = ints |> scan(0, +) }
    func scanArrayStage() { _ = ints |> scan([]) { $0 + [$1] } }
    func scanIntoStage() { _ = ints |> scan(into: [:]) { (counts: inout [Int: Int], n) in counts[n, default: 0] += 1 } }
    func reduceStage() { _ = ints |> reduceLeft(value: 0) { $0 + $1 } }
    func distinctStage() { _ = ints |> distinctUntilChanged }
    func distinctKeypathStage() { _ = users |> distinctUntilChanged(\.name) }
    func distinctClosureStage() { _ = users |> distinctUntilChanged { $0.name == $1.name } }
    func takeWhileStage() { _ = ints |> take(while: { $0 < 3 }) }
    func takeWhileTrailingStage() { _ = ints |> take { $0 < 3 } }
    func skipWhileStage() { _ = ints |> skip(while: { $0 < 3 }) }
    func takeUntilSignalStage() { _ = ints |> take(untilSignal: strings) }
    func firstStage() { _ = ints |> first }
    func toArrayStage() { _ = ints |> toArray() }
    func mapToSignalStage() { _ = strings |> mapToSignal { load($0) } }
    func mapToSignalStatementsStage() {
        _ = strings
            |> mapToSignal { text in
                let key = text.uppercased(); return load(key)
            }
    }
    func mapToSignalGuardStage() {
        _ = strings
            |> mapToSignal { text in
                guard !text.isEmpty else { return .single(0) }; return load(text)
            }
    }
    func mapToSignalDotStage() { _ = ints |> mapToSignal { .single($0) } }
    func mapToSignalPipelineStage() { _ = strings |> mapToSignal { load($0) |> map { $0 + 1 } } }
    func mapToSignalFailingStage() { _ = strings |> castError(AppError.self) |> mapToSignal { loadRisky($0) } }
    func mapToSignalWideningStage() { _ = strings |> mapToSignal { loadRisky($0) } }
    func mapToSignalNarrowingStage() { _ = risky |> mapToSignal { n in load("\(n)") } }
    func mapToSignalTaskStage() async { _ = strings |> mapToSignal { text in .task { await fetch(text) } } }
    func mapToSignalTaskThrowingStage() async {
        _ = strings |> castError((any Error).self) |> mapToSignal { text in .task { try await fetchThrowing(text) } }
    }
    func taskSingleStage() async { let s = Signal.task { await fetch("a") }; _ = s }
    func taskThrowingStage() async { let s = Signal.task { try await fetchThrowing("a") }; _ = s }
    func taskStatementsStage() async {
        let s = Signal.task {
            let text = await fetch("a"); return text + 1
        }; _ = s
    }
    func fromStreamStage() { let s = Signal.from(stream); _ = s }
    func mapToMergedStage() { _ = strings |> mapToMerged(limit: 4) { load($0) } }
    func mapToMergedWaitingStage() { _ = strings |> mapToMerged(limit: 4, waiting: nil) { load($0) } }
    func catchSignalStage() { _ = risky |> `catch` { _ in .single(0) } }
    func catchTypedStage() { let s: Signal<Int, NoError> = risky |> `catch` { _ in .single(0) }; _ = s }
    func catchSwitchStage() {
        let s: Signal<Int, NoError> =
            risky
            |> `catch` { e in
                switch e {
                case .offline: return .single(0);
                case .denied: return .single(1)
                }
            }
        ;
        _ = s
    }
    func catchAndReturnStage() { _ = risky |> catchAndReturn(0) }
    func mapErrorStage() { _ = risky |> mapError { _ in Other() } }
    func mapErrorInitStage() { _ = risky |> mapError(Wrapped.init) }
    func retryCountStage() { _ = risky |> retry(3) }
    func retryBackoffStage() { _ = risky |> retry(3, backoff: .exponential(initial: 1, max: 30), queue: queue) }
    func timeoutAlternateStage() { _ = risky |> timeout(2, queue: queue, alternate: .fail(.offline)) }
    func debounceStage() { _ = strings |> debounce(0.3, queue: queue) }
    func debounceDurationStage() { _ = strings |> debounce(.milliseconds(300), queue: queue) }
    func throttleDurationStage() { _ = strings |> throttle(.seconds(1), queue: queue) }
    func delayDurationStage() { _ = strings |> delay(.seconds(1), queue: queue) }
    func intervalStage() { let s: Signal<Int, NoError> = .interval(1, queue: queue); _ = s }
    func intervalBareStage() { let s = Signal.interval(1, queue: queue); _ = s }
    func singleBareStage() { let s = Signal.single(1); _ = s }
    func sequenceBareStage() { let s = Signal.sequence([1, 2, 3]); _ = s }
    func neverTypedStage() { let s: Signal<Int, Never> = .never(); _ = s }
    func justNeverStage() { let s: Signal<Int, Never> = ints; _ = s }
    func failStage() { let s = Signal<Int, AppError>.fail(.offline); _ = s }
    func generatorStage() {
        let s = Signal<Int, NoError> { sub in
            sub.putNext(1); sub.putCompletion(); return EmptyDisposable
        }; _ = s
    }
    func generatorActionStage() {
        let s = Signal<Int, NoError> { sub in
            let t = model.observe { sub.putNext($0) }; return ActionDisposable { t.cancel() }
        }; _ = s
    }
    func combineMapStage() { _ = combineLatest(ints, ints) |> map(+) }
    func combineArrayStage() { _ = combineLatest([ints, ints]) |> map { $0.reduce(0, +) } }
    func mergeStage() { _ = mergeSignals([ints, ints]) }
    func mergeVariadicStage() { _ = merge(ints, ints) }
    func zipStage() { _ = zip(ints, strings) }
    func withLatestFromStage() { _ = ints |> withLatestFrom(strings) }
    func withLatestFromMapStage() { _ = ints |> withLatestFrom(strings) { n, s in "\(n)\(s)" } }
    func startWithStage() { _ = ints |> startWith(0) }
    func thenStage() { _ = ints |> then(ints) }
    func shareStage() { _ = ints |> share(replay: 1) }
    func multicastStage() { _ = ints |> multicast }
    func beforeNextStage() { _ = ints |> beforeNext { print($0) } }
    func afterDisposedStage() { _ = ints |> afterDisposed { print("gone") } }
    func deliverOnMainStage() { _ = ints |> deliverOnMainQueue }
    func switchToLatestStage() { _ = ints |> map { load("\($0)") } |> switchToLatest }
    func chainLongStage() {
        _ = strings |> map { $0.uppercased() } |> filter { !$0.isEmpty } |> compactMap { Int($0) }
            |> scan(0) { $0 + $1 } |> distinctUntilChanged |> take(3) |> map { "\($0)" }
    }
    func chainStartStage() { _ = (ints |> map { $0 + 1 }).start { print($0) } }
    func startNextStage() { _ = ints.start(next: { print($0) }) }
    func startNextTrailingStage() { _ = ints.start { print($0) } }
    func startWeakStage() { _ = ints.start { [weak model] n in model?.set(n) } }
    func forAwaitStage() async { for await n in ints.values { _ = n } }
    func forTryAwaitStage() async throws { for try await n in risky.values { _ = n } }
    func catchTypedAwaitStage() async {
        do { for try await n in risky.values { _ = n } } catch {
            switch error {
            case .offline: break;
            case .denied: break
            }
        }
    }
    func getStage() async { let n = await ints.get(); _ = n }
    func getTypedStage() async throws { do { let n = try await risky.get(); _ = n } catch AppError.offline {} }
    func memberMapStage() { _ = ints.map { $0 * 2 } }
    func memberChainStage() { _ = strings.compactMap { Int($0) }.filter { $0 > 0 }.take(3) }
    func memberDebounceStage() { _ = strings.debounce(.milliseconds(300), queue: queue).mapToSignal { load($0) } }
    func memberCatchStage() { _ = risky.catch { _ in .single(0) } }
    func memberWideningStage() { _ = strings.mapToSignal { loadRisky($0) } }
    func memberTimeoutStage() { _ = anything.timeout(.seconds(1), queue: queue) }
    func memberScansStage() {
        _ = ints.map { $0 + 1 }.scan(0) { $0 + $1 }.map { $0 + 1 }.scan(0) { $0 + $1 }
    }
    func combineMembersStage() {
        _ = combineLatest(ints, ints).map { ($0 + $1) / 2 }.distinctUntilChanged { abs($0 - $1) < 5 }.scan(0) {
            $0 + $1
        }
        .compactMap { $0 > 3 ? $0 : nil }.share()
    }
    func combineStage() {
        _ = combineLatest(ints, ints) |> map { ($0 + $1) / 2 } |> distinctUntilChanged(isEqual: { abs($0 - $1) < 5 })
            |> scan(0) { $0 + $1 } |> compactMap { $0 > 3 ? $0 : nil } |> share()
    }
}
