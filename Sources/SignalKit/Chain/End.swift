/// How a run ends by itself: with an error, or without one.
///
/// The error is in an object, so that an end is as large as a reference. Code that is not specialised would have to
/// look up an enumeration of `E` at each end, which takes longer than all the rest.
enum End<E> {
    case failed(Failure<E>)
    case completed

    static func error(_ error: E) -> End { .failed(Failure(error)) }

    /// What it holds.
    @inline(__always)
    var failure: Failure<E>? {
        if case let .failed(failure) = self { return failure }
        return nil
    }
}

final class Failure<E> {
    let error: E
    init(_ error: E) { self.error = error }
}
