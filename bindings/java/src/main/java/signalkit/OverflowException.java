package signalkit;

/** A buffer was full. */
public final class OverflowException extends RuntimeException {
    private static final long serialVersionUID = 1;

    OverflowException(String message) {
        super(message);
    }
}
