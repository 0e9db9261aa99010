package signalkit;

/** It took too long. */
public final class TimedOutException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TimedOutException(String message) {
        super(message);
    }
}
