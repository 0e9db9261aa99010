package signalkit;

import java.util.Objects;

/** What can be disposed of, once: a run, an action, a container of others. Closing it disposes of it; forgetting it
 * does not. */
public class Disposable extends Handle {
    Disposable(long pointer) {
        super(pointer);
    }

    /**
     * What is done when it is disposed of.
     *
     * @param action that
     * @return the disposable
     */
    public static Disposable action(Runnable action) {
        Receiver receiver = new Receiver("action", action);
        return new Disposable(C.sgk_action_disposable_create(Entries.ACTION, receiver.kept(), Border.DESTROY));
    }

    /** Stops what it stands for. Any thread, also inside of its functions; a second time, or after it was closed, does
     * nothing. */
    public void dispose() {
        if (isClosed()) return;
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_disposable_dispose(lent.of(this)));
        } catch (ClosedException meanwhile) {
            return; // by another thread, which disposes of it
        }
    }

    /**
     * One that complains in the log when it is let go of undisposed.
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

    /** Disposes of it, and lets go of it. */
    @Override
    public void close() {
        dispose();
        super.close();
    }
}
