package signalkit;

import java.util.List;

/**
 * An event of a subscription.
 *
 * @param <T> the values
 * @param kind what it is
 * @param value the value of {@link Kind#NEXT}
 * @param error the error of {@link Kind#ERROR}
 */
public record Event<T>(Kind kind, T value, Throwable error) {
    /** The kind of event. */
    public enum Kind {
        /** A value. */
        NEXT,
        /** The end, by an error. */
        ERROR,
        /** The end. */
        COMPLETED
    }

    @SuppressWarnings("unchecked")
    static <T> Event<T> of(List<Object> items) {
        Kind kind = Kind.values()[((Long) items.get(0)).intValue()];
        Object value = items.size() > 1 ? items.get(1) : null;
        return kind == Kind.ERROR ? new Event<>(kind, null, Failure.of(value)) : new Event<>(kind, (T) value, null);
    }

    Object items() {
        return new Values.Items((long) kind.ordinal(), kind == Kind.ERROR ? error : value);
    }
}
