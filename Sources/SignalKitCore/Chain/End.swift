/// The end of a subscription, with or without an error.
///
/// The error is in an object, so that an end has the size of a reference. Code that is not specialized would look up
/// the type of an enumeration over `E` at each end, which takes longer than the other work.
enum End<E> {
    case failed(Failure<E>)
    case completed

    static func error(_ error: E) -> End { .failed(Failure(error)) }

    /// The object of the error.
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
