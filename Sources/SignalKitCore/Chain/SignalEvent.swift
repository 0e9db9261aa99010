/// An event as a value.
public enum SignalEvent<T, E> {
    /// A value.
    case Next(T)
    /// The end, with an error.
    case Error(E)
    /// The end, without one.
    case Completion
}
