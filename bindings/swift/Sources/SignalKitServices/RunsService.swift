import Dispatch
import ServiceLifecycle
import SignalKit

/// Runs of the program's own, which live as long as their service, and are ended from the last to the first.
///
/// One that was started by `startWaitable` is waited for before the one before it is disposed: so what is started
/// first can still be used by the callbacks of those after it.
public struct RunsService: Service {
    private let start: @Sendable () -> [any Disposable]

    /// - Parameter start: called when the service runs.
    public init(_ start: @escaping @Sendable () -> [any Disposable]) { self.start = start }

    public func run() async throws {
        let runs = start()
        // It throws when the task is cancelled.
        let result: Result<Void, any Error>
        do { result = .success(try await gracefulShutdown()) } catch { result = .failure(error) }
        for run in runs.reversed() { await end(run) }
        try result.get()
    }

    private func end(_ run: any Disposable) async {
        guard let run = run as? WaitableDisposable else { return run.dispose() }
        run.dispose()
        // The callbacks may need the threads that tasks run on.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                run.disposeAndWait()
                continuation.resume()
            }
        }
    }
}
