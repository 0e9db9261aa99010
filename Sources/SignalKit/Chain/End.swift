/// How a run ends by itself: with an error, or without one.
enum End<E> {
    case failed(E)
    case completed
}
