package signalkit;

import java.util.Objects;

/** Can be disposed once: a subscription, an action, a container of disposables. Closing it disposes it; releasing it
 * does not. */
public class Disposable extends Handle {
    Disposable(long pointer) {
        super(pointer);
    }

    /**
     * Returns a disposable that runs an action.
     *
     * @param action the action
     * @return the disposable
     */
    public static Disposable action(Runnable action) {
        Receiver receiver = new Receiver("action", action);
        return new Disposable(C.sgk_action_disposable_create(Entries.ACTION, receiver.kept(), Border.DESTROY));
    }

    /** Disposes it. Any thread, also inside its own functions. It does nothing the second time or after close. */
    public void dispose() {
        if (isClosed()) return;
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_disposable_dispose(lent.of(this)));
        } catch (ClosedException meanwhile) {
            return; // by another thread, which disposes of it
        }
    }

    /**
     * Pauses the source of a subscription until the result is closed: {@code try (var hold = run.hold()) { … }}. Holds
     * are counted. Values that wait for a queue or a time go on waiting. A source that cannot be paused keeps
     * emitting.
     *
     * @return the hold
     */
    public Disposable hold() {
        try (Lent lent = new Lent()) {
            return new Disposable(C.sgk_disposable_hold(lent.of(this)));
        }
    }

    /**
     * Returns a disposable that logs a warning if it is released without disposal.
     *
     * @return the disposable
     */
    public Disposable strict() {
        StackWalker.StackFrame place = StackWalker.getInstance().walk(frames -> frames.skip(1).findFirst()).get();
        try (Lent lent = new Lent()) {
            String file = Objects.requireNonNullElse(place.getFileName(), "?"); // no debug information
            return new Disposable(C.sgk_disposable_strict(lent.of(this), file, place.getLineNumber()));
        }
    }

    /** Disposes and releases it. */
    @Override
    public void close() {
        dispose();
        super.close();
    }
}
