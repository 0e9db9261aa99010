package signalkit;

/**
 * A step of {@link Signal#reduceEmitting}.
 *
 * @param <U> what is accumulated
 * @param <T> the values
 * @param <V> what is emitted
 */
@FunctionalInterface
public interface Emitting<U, T, V> {
    /**
     * Folds a value.
     *
     * @param accumulated what has been accumulated
     * @param value the value
     * @param emitter emits, during this call
     * @return what is accumulated then
     */
    U apply(U accumulated, T value, Emitter<V> emitter);
}
