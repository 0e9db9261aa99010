package signalkit;

/**
 * A step of {@link Signal#reduceEmitting}.
 *
 * @param <U> the accumulated value
 * @param <T> the values
 * @param <V> the emitted values
 */
@FunctionalInterface
public interface Emitting<U, T, V> {
    /**
     * Folds a value.
     *
     * @param accumulated the accumulated value
     * @param value the value
     * @param emitter emits, during this call
     * @return the new accumulated value
     */
    U apply(U accumulated, T value, Emitter<V> emitter);
}
