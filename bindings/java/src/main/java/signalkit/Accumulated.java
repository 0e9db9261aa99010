package signalkit;

/**
 * What {@link Signal#reduceGenerator} goes on with.
 *
 * @param <U> what is accumulated
 * @param value what is accumulated now
 * @param passed what is passed on at once; null: nothing
 */
public record Accumulated<U>(U value, U passed) {
    /**
     * Without anything to be passed on.
     *
     * @param value what is accumulated now
     */
    public Accumulated(U value) {
        this(value, null);
    }

    Object items() {
        return passed == null ? new Values.Items(value) : new Values.Items(value, passed);
    }
}
