import Foundation
import Testing
@testable import SignalKitCore

@Suite struct MappingTests {
    private let log = Log()

    // Covers: SW-47, SW-48, SW-49, SW-50, C-22
    @Test func signalsThatDoEverythingAtOnce() {
        #expect(single(1, String.self).trace() == "N1 C")
        #expect(fail(Int.self, "x").trace() == "Ex")
        #expect(complete(Int.self, String.self).trace() == "C")
        #expect(never(Int.self, String.self).trace() == "")
    }

    // Covers: SW-156, OC-74, MT-21, C-139, C-16
    @Test func mapTransformsAndPassesTheEnd() {
        let source = ManualSource<Int, String>("a", log)
        let handle = (source.signal() |> map { $0 * 2 }).start(log)
        source.next(1)
        source.next(2)
        source.complete()
        #expect(log.text == "Sa N2 N4 C Da")
        handle.dispose()
        #expect(log.text == "Sa N2 N4 C Da")
    }

    // Covers: C-16, B-2
    @Test func disposalFreesWhatTheTransformCaptured() {
        let tracker = LifetimeTracker()
        let source = ManualSource<Int, NoError>("a", log)
        let handle = { () -> any Disposable in
            let probe = tracker.make()
            return
                (source.signal()
                |> map { value -> Int in
                    probe.touch(); return value * 2
                }).start(log)
        }()
        source.next(1)
        #expect(tracker.live == 1)
        handle.dispose()
        handle.dispose()
        #expect(log.text == "Sa N2 Da")
        #expect(tracker.live == 0)
    }

    // Covers: SW-157, OC-75, MT-22, C-139
    @Test func filterForwardsWhatThePredicateAccepts() {
        let source: Signal<Int, String> = sync("a", log, [1, 2, 3, 4], .failed("x"))
        #expect((source |> filter { $0 % 2 == 0 }).trace() == "N2 N4 Ex")
        #expect(log.text == "Sa Da")
    }

    // Covers: SW-158, C-139
    @Test func flatMapMapsInsideTheOptional() {
        let source: Signal<Int?, NoError> = sync("a", log, [1, nil, 3], .completed)
        #expect((source |> flatMap { $0 + 1 }).trace() == "NOptional(2) Nnil NOptional(4) C")
    }

    // Covers: SW19-2
    @Test func compactMapDropsNil() {
        let source: Signal<Int, NoError> = sync("a", log, [1, 2, 3], .completed)
        #expect((source |> compactMap { $0 == 2 ? nil : "v\($0)" }).trace() == "Nv1 Nv3 C")
    }

    // Covers: SW-159, C-139
    @Test func mapErrorChangesOnlyTheError() {
        let failing: Signal<Int, String> = sync("a", log, [1], .failed("x"))
        let completing: Signal<Int, String> = sync("a", log, [1], .completed)
        #expect((failing |> mapError { $0 + "!" }).trace() == "N1 Ex!")
        #expect((completing |> mapError { $0 + "!" }).trace() == "N1 C")
    }

    // Covers: SW-160, SW19-1, C-139
    @Test func castErrorRetypes() {
        let source: Signal<Int, NoError> = sync("a", log, [1, 2], .completed)
        let cast: Signal<Int, String> = source |> castError(String.self)
        let introduced: Signal<Int, String> = source |> introduceError(String.self)
        #expect(cast.trace() == "N1 N2 C")
        #expect(introduced.trace() == "N1 N2 C")
    }

    // Covers: B-67
    @Test func aForgedErrorOfACastStopsTheProgramInsteadOfHanging() async {
        await #expect(processExitsWith: .failure) { _ = (forgedFailure() |> castError(String.self)).start() }
        await #expect(processExitsWith: .failure) {
            _ = (forgedFailure() |> mapToSignalPromotingError { (value: Int) -> Signal<Int, String> in .single(value) })
                .start()
        }
        await #expect(processExitsWith: .failure) {
            _ = (forgedFailure() |> map { (value: Int) -> SignalEvent<Int, String> in .Next(value) } |> fromEvents)
                .start()
        }
    }

    // Covers: SW-161, OC-76, C-139, C-140
    @Test func distinctUntilChangedDropsRepeats() {
        #expect(
            (sync("a", log, [1, 1, 2, 2, 1], SyncEnd<NoError>.completed) |> distinctUntilChanged).trace()
                == "N1 N2 N1 C")
        let optionals: Signal<Int?, NoError> = sync("a", log, [nil, nil, 1, nil], .completed)
        #expect((optionals |> distinctUntilChanged).trace() == "Nnil NOptional(1) Nnil C")
    }

    // Covers: SW-162, C-140
    @Test func thePredicateGetsTheLastForwardedValueAndTheNewOne() {
        let asked = Log()
        let source: Signal<Int, NoError> = sync("a", log, [1, 2, 4, 5], .completed)
        let distinct =
            source
            |> distinctUntilChanged(isEqual: { (old: Int, new: Int) -> Bool in
                asked.add("\(old)-\(new)")
                return new - old < 3
            })
        #expect(distinct.trace() == "N1 N4 C")
        #expect(asked.text == "1-2 1-4 4-5")
        // The state is one subscription's own.
        #expect(distinct.trace() == "N1 N4 C")
    }

    /// A predicate that emits into the source: under a lock this would wait for itself.
    // Covers: SW-162, B-53
    @Test func thePredicateMayEmitIntoTheSource() {
        let source = ManualSource<Int, NoError>()
        var emits = true
        let handle =
            (source.signal()
            |> distinctUntilChanged(isEqual: { (old: Int, new: Int) -> Bool in
                if emits {
                    emits = false
                    source.next(9)
                }
                return old == new
            })).start(log)
        source.next(1)
        source.next(2)
        #expect(log.text == "N1 N2 N9")
        handle.dispose()
    }

    /// Many threads: no two neighbours below are equal.
    // Covers: SW-161, C-181
    @Test func neighboursDifferWhateverTheThreads() {
        let source = ManualSource<Int, NoError>()
        var got: [Int] = []
        let handle = (source.signal() |> distinctUntilChanged).start(next: { got.append($0) })
        race(4) { thread in for index in 0..<2_000 { source.next((index / 3 + thread) % 5) } }
        handle.dispose()
        #expect(got.count > 1)
        #expect(zip(got, got.dropFirst()).allSatisfy { $0 != $1 })
    }

    // Covers: SW-163, C-139
    @Test func ignoreValuesForwardsOnlyTheEnd() {
        #expect((sync("a", log, [1, 2], SyncEnd<String>.failed("x")) |> ignoreValues).trace() == "Ex")
        #expect((sync("a", log, [1, 2], SyncEnd<String>.completed) |> ignoreValues).trace() == "C")
    }
}

/// A signal that cannot fail, and does: the error is forged where the compiler does not see that it is of a type without values.
private func forgedFailure() -> Signal<Int, NoError> { failing(NoError.self) }

// Specialised for a type without values it would crash the compiler.
@_semantics("optimize.sil.specialize.generic.never") @inline(never)
private func failing<E>(_ type: E.Type) -> Signal<Int, E> {
    Signal { subscriber in
        subscriber.putError(unsafeBitCast((), to: E.self))
        return EmptyDisposable
    }
}
