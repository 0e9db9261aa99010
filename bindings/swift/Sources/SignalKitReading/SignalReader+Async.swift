import SignalKit

extension SignalReader {
    /// Waits for the next value, error or completion: never `timeout` or `refused`. A caller that is cancelled closes
    /// the reader.
    package func next() async -> Reading<T, E> {
        while true {
            switch poll() {
            case .timeout, .refused: await ready()
            case let reading: return reading
            }
        }
    }

    /// Returns an available event, or `timeout`.
    private func poll() -> Reading<T, E> { next(timeout: 0) }

    private func ready() async {
        await withCheckedContinuation { continuation in whenReady { continuation.resume() } }
    }
}
