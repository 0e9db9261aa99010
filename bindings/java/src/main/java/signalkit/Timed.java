package signalkit;

import java.util.List;

/**
 * A value and a time.
 *
 * @param <T> the value
 * @param seconds the time
 * @param value the value
 */
public record Timed<T>(double seconds, T value) {
    @SuppressWarnings("unchecked")
    static <T> Timed<T> of(List<Object> items) {
        return new Timed<>((Double) items.get(0), (T) items.get(1));
    }
}
