import Testing
import SignalKitCore

/// The leak net (SPEC C.8, B-12). One after another: the reaction belongs to the process.
@Suite(.serialized) struct StrictDisposableTests {
    /// The leaks that `body` makes. Only those from this file: other tests run at the same time.
    private func leaks(_ body: () -> Void) -> [Int] {
        let log = Log()
        let before = StrictDisposable.onLeak
        StrictDisposable.onLeak = { leak in if leak.file == "strict" { log.add("\(leak.line)") } }
        body()
        StrictDisposable.onLeak = before
        return log.entries.map { Int($0)! }
    }

    // Covers: SW-25, SW-26, SW-27, B-12
    @Test func whatIsLetGoWithoutDisposalIsReportedWithItsPlace() {
        let found = leaks {
            _ = StrictDisposable(CountingDisposable(), file: "strict", line: 1)
            _ = CountingDisposable().strict(file: "strict", line: 2)
            // A source that retains nothing, so that nothing can leak.
            _ = Signal<Int, NoError> { _ in EmptyDisposable }.startStrict(file: "strict", line: 3)
        }
        #expect(found == [1, 2])
        let source = ManualSource<Int, NoError>()
        #expect(leaks { _ = source.signal().startStrict(file: "strict", line: 4) } == [4])
        source.complete()
    }

    // Covers: SW-28, B-12
    @Test func disposalSatisfiesItAndIsForwardedOnce() {
        let tally = CountingDisposable()
        let found = leaks {
            let strict = StrictDisposable(tally, file: "strict", line: 1)
            strict.dispose()
            strict.dispose()
        }
        #expect(found == [])
        #expect(tally.disposals.value == 1)
    }

    /// The originals assert although there is nothing left to dispose.
    // Covers: B-12, SW-10
    @Test func aNaturalEndSatisfiesIt() {
        let found = leaks {
            _ = Signal<Int, NoError>.single(1).startStrict(file: "strict", line: 1)
            let source = ManualSource<Int, NoError>()
            let handle = (source.signal() |> distinctUntilChanged).startStrict(file: "strict", line: 2)
            source.complete()
            withExtendedLifetime(handle) {}
            _ = combineLatest([Signal<Int, NoError>.single(1)]).startStrict(file: "strict", line: 3)
        }
        #expect(found == [])
    }

    // Covers: SW-25
    @Test func theExtensionWrapsAndNamesThePlace() {
        let strict = CountingDisposable().strict()
        #expect(strict is StrictDisposable)
        strict.dispose()
    }

    @Test func theWrappedObjectIsRetainedUntilTheStrictOneGoes() {
        weak var wrapped: CountingDisposable?
        var strict: Disposable?
        do {
            let tally = CountingDisposable()
            wrapped = tally
            strict = tally.strict()
        }
        strict?.dispose()
        #expect(wrapped != nil)
        strict = nil
        #expect(wrapped == nil)
    }

    // Covers: B-12
    @Test func theReactionCanBeSetWhileOthersLeak() {
        let before = StrictDisposable.onLeak
        let counter = Tally()
        StrictDisposable.onLeak = { _ in counter.up() }
        race(4) { thread in
            for _ in 0..<200 {
                if thread == 0 {
                    StrictDisposable.onLeak = { _ in counter.up() }
                } else {
                    _ = CountingDisposable().strict()
                }
            }
        }
        StrictDisposable.onLeak = before
        #expect(counter.value >= 600)
    }
}
