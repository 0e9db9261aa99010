package signalkit;

import java.util.function.UnaryOperator;
import signalkit.internal.Value;

/**
 * Holds a value and passes it on: first the one that is there, then each that is set.
 *
 * @param <T> the values
 */
public final class State<T> extends Handle {
    private State(long pointer) {
        super(pointer);
    }

    /**
     * With a value.
     *
     * @param value it
     */
    public State(T value) {
        super(created(value, false));
    }

    /**
     * Creates a state without a value.
     *
     * @param <T> the values
     * @return the state
     */
    public static <T> State<T> empty() {
        return new State<>(C.sgk_state_create(false));
    }

    /**
     * One for which setting a value that equals the one that is there does nothing.
     *
     * @param <T> the values
     * @param value the value
     * @return the state
     */
    public static <T> State<T> ignoringRepeated(T value) {
        return new State<>(created(value, true));
    }

    private static long created(Object value, boolean ignoreRepeated) {
        Given given = Values.give(value);
        return C.sgk_state_create_value(given.word(), given.bits(), ignoreRepeated);
    }

    /**
     * The value that is there; null when there is none.
     *
     * @return it
     */
    @SuppressWarnings("unchecked")
    public T value() {
        try (Lent lent = new Lent()) {
            Value value = C.sgk_state_value(lent.of(this));
            return (T) Values.taken(value.word, value.bits);
        }
    }

    /**
     * Sets a value, and delivers it.
     *
     * @param value it
     */
    public void set(T value) {
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            Given given = Values.give(value);
            Border.done(C.sgk_state_set(pointer, given.word(), given.bits()));
        }
    }

    /**
     * Sets the function's result for the newest value. No change of another thread is lost, because the function is
     * then called again. If the function throws, this method throws the exception, and nothing changes.
     *
     * @param modify the function
     */
    public void modify(UnaryOperator<T> modify) {
        Receiver.Immediate receiver = new Receiver.Immediate("modify", modify);
        try (Lent lent = new Lent()) {
            int status = C.sgk_state_modify(lent.of(this), Entries.MODIFY, receiver.kept());
            receiver.settle();
            Border.done(status);
        } finally {
            receiver.forgotten();
        }
    }

    /**
     * The value that is there, then each one that is set; it never ends.
     *
     * @return the signal
     */
    public Signal<T> signal() {
        try (Lent lent = new Lent()) {
            return new Signal<>(C.sgk_state_signal(lent.of(this)));
        }
    }
}
