package signalkit;

import java.util.List;

/**
 * A value and its place.
 *
 * @param <T> the value
 * @param index how many came before it
 * @param value the value
 */
public record Indexed<T>(long index, T value) {
    @SuppressWarnings("unchecked")
    static <T> Indexed<T> of(List<Object> items) {
        return new Indexed<>((Long) items.get(0), (T) items.get(1));
    }
}
