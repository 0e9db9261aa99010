package signalkit;

import java.time.Duration;
import java.util.List;

/**
 * A value and a time.
 *
 * @param <T> the value
 * @param time since a fixed point, or since the previous value
 * @param value the value
 */
public record Timed<T>(Duration time, T value) {
    @SuppressWarnings("unchecked")
    static <T> Timed<T> of(List<Object> items) {
        return new Timed<>(Times.of((Double) items.get(0)), (T) items.get(1));
    }
}
