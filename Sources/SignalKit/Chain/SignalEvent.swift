/// An event as a value.
public enum SignalEvent<T, E> {
    case Next(T)
    case Error(E)
    case Completion
}
