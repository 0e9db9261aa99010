import SignalKit

/// `map` with a function that can throw. The thrown error ends the subscription.
func tryMap<T, R, E: Error>(_ f: @escaping (T) throws(E) -> R) -> (Signal<T, E>) -> Signal<R, E> {
    { signal in
        attempt { run in
            signal
                |> compactMap { value -> R? in
                    do throws(E) {
                        return try f(value)
                    } catch {
                        run.fail(error)
                        return nil
                    }
                }
        }
    }
}
