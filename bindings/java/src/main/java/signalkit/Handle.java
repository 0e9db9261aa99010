package signalkit;

import java.lang.ref.Cleaner;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** An object of the library. It is released with the Java object, or immediately by {@link #close}. */
public abstract class Handle implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Owned owned;
    private final Cleaner.Cleanable cleanable;
    private Object[] held = {};

    /** A reference of the library's, which is released when it is closed and no call uses it. */
    static final class Owned implements Runnable {
        final long pointer;
        private final AtomicInteger uses = new AtomicInteger(1);
        private final AtomicBoolean closed = new AtomicBoolean();

        Owned(long pointer) {
            this.pointer = pointer;
        }

        private boolean enter() {
            while (!closed.get()) {
                int now = uses.get();
                if (now > 0 && uses.compareAndSet(now, now + 1)) return true;
            }
            return false;
        }

        void leave() {
            if (uses.decrementAndGet() == 0) C.sgk_release(pointer);
        }

        @Override
        public void run() {
            if (closed.compareAndSet(false, true)) leave();
        }
    }

    Handle(long pointer) {
        if (pointer == 0) throw Border.refused();
        owned = new Owned(pointer);
        cleanable = CLEANER.register(this, owned);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + (isClosed() ? " (closed)" : "@" + Integer.toHexString(hashCode()));
    }

    /** Not supported: a copy would be used after the collector has released its reference. */
    @Override
    protected final Object clone() throws CloneNotSupportedException {
        throw new CloneNotSupportedException(getClass().getName());
    }

    /** Lends it for a call. */
    final Owned lend() {
        if (!owned.enter()) throw new ClosedException(getClass().getSimpleName() + ": used after it was closed");
        return owned;
    }

    /** Keeps what functions of it need, which the library knows by their numbers alone. */
    final synchronized void hold(Object... things) {
        Object[] needed = Arrays.stream(things).filter(thing -> !(thing instanceof Handle other) || other.holds())
            .toArray();
        if (needed.length == 0) return;
        int before = held.length;
        held = Arrays.copyOf(held, before + needed.length);
        System.arraycopy(needed, 0, held, before, needed.length);
    }

    final synchronized void letGo() {
        held = new Object[0];
    }

    final synchronized boolean holds() {
        return held.length > 0;
    }

    /** The objects that it retains. */
    final synchronized Object[] held() {
        return held;
    }

    /**
     * Returns whether it was closed.
     *
     * @return true after close
     */
    public final boolean isClosed() {
        return owned.closed.get();
    }

    /**
     * Releases it. A second call does nothing. Any other use after it throws a {@link ClosedException}. Objects that
     * retain it continue: subscriptions of a signal, signals derived from it.
     */
    @Override
    public void close() {
        cleanable.clean();
    }
}
