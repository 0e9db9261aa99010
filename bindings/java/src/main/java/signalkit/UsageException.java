package signalkit;

/** The library refused a call: an argument out of range, or not of the kind that is needed. */
public final class UsageException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }
}
