import SignalKit

/// `map` with a function that may throw: what it throws is the error that ends the run.
func tryMap<T, R, E: Error>(_ f: @escaping (T) throws(E) -> R) -> (Signal<T, E>) -> Signal<R, E> {
    { signal in
        attempt { run in
            signal |> compactMap { value -> R? in
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
