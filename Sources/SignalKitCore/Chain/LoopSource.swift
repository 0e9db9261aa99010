import Synchronization

/// A source that emits in a loop. It stops at a pause after the current value, and continues after the last resume.
///
///     start ──► [ loop: the caller's thread ] ──► parked ──► [ loop: the queue of the start ] ──► … ──► the end
///
/// A subclass has the position in its fields. Its loop copies that to local variables, and stores it when it stops.
/// Only one thread at a time is inside the loop. A loop that goes on later is work of the queue whose work or `runOn`
/// has started it. If there was none, it is work of the concurrent default queue, or in virtual time of the queue that
/// resumes it.
/// It never continues inside `resume`.
@usableFromInline
class LoopSource<T, E>: CountedSubscription<T, E> {
    /// The queue on which the loop continues, if its work has started the loop. The loop sets it before it parks. Tests
    /// set it before the start.
    @exclusivity(unchecked) final var executor: Executor?

    // MARK: The loop

    /// Emits values as long as `goesOn` is true. Returns the terminal event if no value is left, otherwise nil.
    func emit() -> End<E>? { mustOverride() }

    /// Releases the program's objects in the position, because the loop does not continue.
    func drop() {}

    /// True if the loop may emit its next value.
    @usableFromInline @inline(__always)
    final var goesOn: Bool { PauseWord(bits: state.load(ordering: .relaxed)).goesOn }

    /// The word of `goesOn`, for loops that are not in Swift.
    final var word: UnsafePointer<UInt32> {
        withUnsafePointer(to: state) { UnsafeRawPointer($0).assumingMemoryBound(to: UInt32.self) }
    }

    /// Emits a value in the loop, which has checked `goesOn`.
    @inline(__always)
    final func emit(_ value: T) { sink._withUnsafeGuaranteedRef { $0.next(value) } }

    /// Passes itself downstream, and emits on the calling thread up to the first pause.
    final func begin() {
        enter()
        sink._withUnsafeGuaranteedRef { $0.attached(self) }
        if Turns.hasRoom { run() } else { Turns.generate { run() } }
        leave()
    }

    final private func run() {
        repeat {
            if let end = emit() { return finish(end) }
            if isTerminated { return drop() }
        } while !park()
    }

    final private func finish(_ end: End<E>) {
        if raiseDone(Flag.terminated) & Flag.terminated == 0 { sink._withUnsafeGuaranteedRef { $0.end(end) } }
        drop()
    }

    /// Leaves the position to the thread that resumes or disposes. Returns false if the loop must look again. A parked
    /// source retains itself. After parking, this thread accesses none of its fields.
    final private func park() -> Bool {
        if executor == nil { executor = CurrentWork.executor }
        var kept: Unmanaged<LoopSource>?
        let isParked = replaceFlags(where: { PauseWord(bits: $0).parks }) {
            if kept == nil { kept = .passRetained(self) }
            return PauseWord(bits: $0).parked.bits
        }
        if !isParked { kept?.release() }
        return isParked
    }

    // MARK: Pauses

    override final func pause() { _ = addPause() }

    override final func resume() {
        guard takePause(),
            replaceFlags(where: { PauseWord(bits: $0).continues }, { PauseWord(bits: $0).taken.bits })
        else { return }
        let continuation = Continuation(Unmanaged.passUnretained(self).takeRetainedValue())
        let executor = executor ?? CurrentWork.virtualExecutor ?? Queue.concurrentDefaultQueue().executor
        executor.enqueue(continuation)
    }

    /// Continues the loop, in its queue.
    fileprivate final func goOn() {
        enter()
        run()
        leave()
    }

    /// The queue has ended, so the loop does not continue.
    fileprivate final func abandon() {
        terminate()
        raiseDone(0)
        drop()
    }

    override final func dispose() {
        let before = PauseWord(bits: terminate(raising: Flag.terminated | Flag.disposed))
        raiseDone(Flag.disposed)
        if !before.isDroppedByEnd { return }
        drop()
        Unmanaged.passUnretained(self).release()
    }
}

/// Continues a loop as work of a queue. If the queue has ended, abandons it.
private final class Continuation<T, E>: Job, @unchecked Sendable {
    private var source: LoopSource<T, E>?

    init(_ source: LoopSource<T, E>) { self.source = source }

    deinit { source?.abandon() }

    override func run() {
        let source = source
        self.source = nil
        source?.goOn()
    }
}

extension Signal {
    /// Creates a source that emits in a loop, which `make` creates for each start. Its description has the name of the
    /// calling function.
    static func loop(
        _ parameter: Parameter = .none, as operation: CString = #function,
        _ make: @escaping (Sink<T, E>) -> LoopSource<T, E>
    ) -> Signal<T, E> {
        ComposedSignal(parameter, as: operation) { make($0).begin() }
    }
}
