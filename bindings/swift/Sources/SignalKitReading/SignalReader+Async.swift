import SignalKit

extension SignalReader {
    /// The next value, or what stands in its place: never `timeout` or `refused`. Whoever is told of a cancellation
    /// closes the reader.
    package func next() async -> Reading<T, E> {
        while true {
            switch poll() {
            case .timeout, .refused: await ready()
            case let reading: return reading
            }
        }
    }

    /// What is there already.
    private func poll() -> Reading<T, E> { next(timeout: 0) }

    private func ready() async {
        await withCheckedContinuation { continuation in whenReady { continuation.resume() } }
    }
}
