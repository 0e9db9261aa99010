package signalkit;

import java.util.List;

/**
 * A value and its index.
 *
 * @param <T> the value
 * @param index the number of earlier values
 * @param value the value
 */
public record Indexed<T>(long index, T value) {
    @SuppressWarnings("unchecked")
    static <T> Indexed<T> of(List<Object> items) {
        return new Indexed<>((Long) items.get(0), (T) items.get(1));
    }
}
