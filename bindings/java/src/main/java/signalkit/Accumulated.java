package signalkit;

/**
 * The value of a signal that {@link Signal#reduceGenerator} uses.
 *
 * @param <U> the accumulated value
 * @param value the accumulated value
 * @param passed the value to emit immediately; null: none
 */
public record Accumulated<U>(U value, U passed) {
    /**
     * Omits the value to emit.
     *
     * @param value the accumulated value
     */
    public Accumulated(U value) {
        this(value, null);
    }

    Object items() {
        return passed == null ? new Values.Items(value) : new Values.Items(value, passed);
    }
}
