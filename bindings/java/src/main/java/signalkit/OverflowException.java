package signalkit;

/** There was no room for more values. */
public final class OverflowException extends RuntimeException {
    private static final long serialVersionUID = 1;

    OverflowException(String message) {
        super(message);
    }
}
