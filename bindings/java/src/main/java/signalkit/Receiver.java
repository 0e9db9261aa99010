package signalkit;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A function of the program's that the library may call, under a number. */
class Receiver {
    private static final Map<Long, Object> KNOWN = new ConcurrentHashMap<>();
    private static final AtomicLong LAST = new AtomicLong();

    /** Replaces a receiver that was released, or must not be called because the program ends. */
    private static final Receiver GONE = new Receiver("", "") {
        @Override
        <F> F function() {
            throw new IllegalStateException("the program ends");
        }

        @Override
        void fail(Throwable thrown) {}
    };

    private static volatile boolean closed;

    final String name;
    private final long number = LAST.incrementAndGet();
    private final Object function;
    private long stopped;
    private boolean gone;

    Receiver(String name, Object function) {
        if (function == null) throw new NullPointerException(name + ": the function is null");
        this.name = name;
        this.function = function;
    }

    /** The context of one that an object of Java's keeps as long as the library needs it. The function often sees that
     * object, and a table that keeps it would keep both for good. */
    long known() {
        KNOWN.put(number, new WeakReference<>(this));
        return number;
    }

    /** Returns the context of a receiver that is retained until the library releases it. */
    long kept() {
        KNOWN.put(number, this);
        return number;
    }

    static Receiver of(long context) {
        Object found = closed ? null : KNOWN.get(context);
        if (found instanceof WeakReference<?> weak) found = weak.get();
        return found == null ? GONE : (Receiver) found;
    }

    /** Called when the library cannot call the receiver again. */
    static void forget(long context) {
        if (KNOWN.remove(context) instanceof Receiver receiver) receiver.letGo();
    }

    @SuppressWarnings("unchecked")
    <F> F function() {
        return (F) function;
    }

    /** Was thrown, and no signal can carry it. */
    void fail(Throwable thrown) {
        SignalKit.unheard(name, thrown);
    }

    /** The error that the subscription must end with. */
    Throwable caught(Throwable thrown) {
        return thrown;
    }

    /** Stores the borrowed subscription. The library may have released this object already. */
    synchronized void stoppedBy(long run) {
        if (!gone) stopped = C.sgk_retain(run);
    }

    /** One that the library knows no destructor of. */
    final void forgotten() {
        KNOWN.remove(number);
    }

    void letGo() {
        long run;
        synchronized (this) {
            gone = true;
            run = stopped;
            stopped = 0;
        }
        if (run != 0) C.sgk_release(run);
    }

    private void stop() {
        long run;
        synchronized (this) {
            run = stopped == 0 ? 0 : C.sgk_retain(stopped);
        }
        if (run == 0) return;
        C.sgk_disposable_dispose(run);
        C.sgk_release(run);
    }

    /** Stops all activities. No function of the program is called after that. */
    static void close() {
        stopAll();
        // What is called from now on fails, so what runs is stopped before. A start that has not returned cannot be
        // stopped. Its error has no receiver either, and the library must not log it.
        C.sgk_set_unhandled_error_handler(Entries.UNHANDLED_ERROR, 0, 0);
        closed = true;
        stopAll();
    }

    private static void stopAll() {
        for (Object found : KNOWN.values()) if (found instanceof Receiver receiver) receiver.stop();
    }

    /** One that is called before the call that it was given to returns, which throws what it throws. */
    static final class Immediate extends Receiver {
        private volatile Throwable thrown;

        Immediate(String name, Object function) {
            super(name, function);
        }

        @Override
        void fail(Throwable error) {
            thrown = error;
        }

        @Override
        Throwable caught(Throwable error) {
            thrown = error;
            return error;
        }

        /** The call is over. */
        void settle() {
            if (thrown instanceof RuntimeException error) throw error;
            if (thrown instanceof Error error) throw error;
            if (thrown != null) throw new Failure(thrown);
        }
    }

    /** A receiver whose error ends the subscription through a pipe. */
    static final class Guarded extends Receiver {
        final long pipe = C.sgk_pipe_create();

        Guarded(String name, Object function) {
            super(name, function);
        }

        @Override
        void fail(Throwable thrown) {
            Given error = Values.give(thrown);
            C.sgk_pipe_error(pipe, error.word(), error.bits());
        }

        @Override
        void letGo() {
            C.sgk_release(pipe);
        }
    }

    /** The functions of a subscription, which retains its signal. */
    static final class Run extends Receiver {
        final Consumer<? super Throwable> failed;
        final Runnable completed;

        Run(Signal<?> signal, Consumer<? super Throwable> failed, Runnable completed) {
            super("start", signal);
            this.failed = failed;
            this.completed = completed;
        }

        long[] handlers() {
            return new long[] {
                C.HANDLERS_BYTES, kept(), Border.DESTROY, 0, failed == null ? 0 : Border.FAILING,
                completed == null ? 0 : Border.COMPLETING, 0, 0,
            };
        }
    }
}
