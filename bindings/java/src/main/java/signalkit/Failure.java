package signalkit;

/**
 * An error of a signal that is not an exception of Java: an error of the library or of another language, with the error
 * that led to it as its cause, or any other value. It also wraps a checked exception, its cause, where none may be
 * thrown.
 */
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The error. */
    private final transient Object value;

    /** Its code. */
    private final int code;

    Failure(Object value) {
        super(value instanceof Throwable thrown ? thrown.getMessage() : String.valueOf(value),
            value instanceof Throwable thrown ? thrown : null);
        this.value = value;
        code = C.ERROR_FAILED;
    }

    Failure(int code, String text, Throwable cause) {
        super(text, cause);
        value = text;
        this.code = code;
    }

    /**
     * A negative status of the library (-8 is a timeout, -13 a full buffer, -12 any other), or a positive number, such as
     * an errno.
     *
     * @return it
     */
    public int code() {
        return code;
    }

    /**
     * The value, or the text of the error.
     *
     * @return it
     */
    public Object value() {
        return value;
    }

    /** The error as an exception. */
    static Throwable of(Object error) {
        return error instanceof Throwable thrown ? thrown : new Failure(error);
    }

    /** The error as one that can be thrown anywhere. */
    static RuntimeException thrown(Object error) {
        if (error instanceof Error severe) throw severe;
        return error instanceof RuntimeException thrown ? thrown : new Failure(error);
    }
}
