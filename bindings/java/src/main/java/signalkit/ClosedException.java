package signalkit;

/** An object was used after it had been closed. */
public final class ClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    ClosedException(String message) {
        super(message);
    }
}
