import Dispatch
import ServiceLifecycle
import SignalKit

/// Subscriptions that the program starts. They last as long as their service, and end from the last to the first.
///
/// The service waits for a subscription from `startWaitable` before it disposes the previous one. Therefore callbacks
/// can still use subscriptions that were started earlier.
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
