package signalkit;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Runs functions. A queue that you create runs one at a time, in order. Their exceptions go to
 * {@link SignalKit#onUnheard}.
 *
 * <p>The library's main queue belongs to the initial thread of the process, which the JVM uses itself. In Java, use a
 * {@link Loop} instead.
 */
public class DispatchQueue extends Handle {
    DispatchQueue(long pointer) {
        super(pointer);
    }

    /**
     * A serial queue, with a thread of the library's whenever it has work.
     *
     * @param name its name, for diagnosis
     */
    public DispatchQueue(String name) {
        super(C.sgk_queue_create(name));
    }

    /**
     * The process-wide concurrent queue.
     *
     * @return it
     */
    public static DispatchQueue concurrent() {
        return new DispatchQueue(C.sgk_queue_concurrent_default());
    }

    /**
     * A concurrent queue with its own threads.
     *
     * @param name its name, for diagnosis
     * @param threads from 1 to 1024
     * @return it
     */
    public static DispatchQueue concurrent(String name, int threads) {
        return new DispatchQueue(C.sgk_queue_create_concurrent(name, threads));
    }

    /**
     * The process-wide concurrent queue of background priority.
     *
     * @return it
     */
    public static DispatchQueue background() {
        return new DispatchQueue(C.sgk_queue_concurrent_background());
    }

    /**
     * A queue on an executor, which must run its tasks in their order and one at a time, as that of a user interface
     * does.
     *
     * @param executor it
     * @return the queue
     */
    public static DispatchQueue on(Executor executor) {
        return new DispatchQueue(Executing.queue(executor, false));
    }

    /**
     * Returns how many jobs a queue {@linkplain #on on an executor} dropped because the executor rejected them.
     *
     * @return the number
     */
    public final long dropped() {
        try (Lent lent = new Lent()) {
            return C.sgk_queue_dropped(lent.of(this));
        }
    }

    /** Another reference. */
    final DispatchQueue again() {
        try (Lent lent = new Lent()) {
            return new DispatchQueue(C.sgk_retain(lent.of(this)));
        }
    }

    /**
     * Returns whether the caller runs on the queue.
     *
     * @return true if the queue is current
     */
    public final boolean isCurrent() {
        try (Lent lent = new Lent()) {
            return C.sgk_queue_is_current(lent.of(this)) != 0;
        }
    }

    /**
     * Returns the time of its clock since a fixed point.
     *
     * @return that
     */
    public final Duration now() {
        try (Lent lent = new Lent()) {
            return Times.of(C.sgk_queue_now(lent.of(this)));
        }
    }

    /**
     * Runs the function inline when the queue is current, otherwise later.
     *
     * @param work the function
     */
    public final void async(Runnable work) {
        Receiver receiver = new Receiver("async", work);
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_queue_async(lent.of(this), Entries.WORK, receiver.kept(), Border.DESTROY));
        }
    }

    /**
     * Runs the function later, never inline.
     *
     * @param work the function
     */
    public final void dispatch(Runnable work) {
        Receiver receiver = new Receiver("dispatch", work);
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_queue_dispatch(lent.of(this), Entries.WORK, receiver.kept(), Border.DESTROY));
        }
    }

    /**
     * Runs the function on the queue, waits for it, and returns its result or throws its exception.
     *
     * @param <U> the result
     * @param work the function
     * @return the result
     */
    public final <U> U sync(Supplier<? extends U> work) {
        if (work == null) throw new NullPointerException("sync: the function is null");
        AtomicReference<U> answer = new AtomicReference<>();
        Receiver.Immediate receiver = new Receiver.Immediate("sync", (Runnable) () -> answer.set(work.get()));
        try (Lent lent = new Lent()) {
            int status = C.sgk_queue_sync(lent.of(this), Entries.WORK, receiver.kept());
            receiver.settle();
            Border.done(status);
            return answer.get();
        } finally {
            receiver.forgotten();
        }
    }

    /**
     * Runs the function on the queue and waits for its end. Throws what it throws.
     *
     * @param work the function
     */
    public final void sync(Runnable work) {
        if (work == null) throw new NullPointerException("sync: the function is null");
        this.<Void>sync(() -> {
            work.run();
            return null;
        });
    }

    /**
     * Runs the function after a time, unless the result is disposed before.
     *
     * @param time the time
     * @param work the function
     * @return what stops it
     */
    public final Disposable after(Duration time, Runnable work) {
        double seconds = Times.seconds(time, "after");
        Receiver receiver = new Receiver("after", work);
        try (Lent lent = new Lent()) {
            long later = C.sgk_queue_after(lent.of(this), seconds, Entries.WORK, receiver.kept(), Border.DESTROY);
            Disposable disposable = new Disposable(later);
            receiver.stoppedBy(later);
            return disposable;
        }
    }
}
