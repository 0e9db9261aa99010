package signalkit;

import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Starts a signal, buffers its values, and waits for each requested value. Throws the error of the signal. Closing it
 * disposes the subscription and wakes a waiting thread.
 *
 * @param <T> the values
 */
public final class SignalReader<T> extends Handle implements Iterator<T>, Iterable<T> {
    /** Waiting is refused where it must not be; looking is not. */
    private static final double LOOK = 1e-9;

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private boolean there;
    private boolean over;
    private T value;

    SignalReader(long pointer) {
        super(pointer);
    }

    /** Waits for a value, interruptibly.
     *
     * @return false: the signal has completed, or this is closed */
    synchronized boolean await(Duration timeout) {
        if (there || over) return there;
        long start = System.nanoTime();
        long limit = nanos(timeout);
        while (!look()) {
            if (over) return false;
            pause(timeout == null ? limit : limit - (System.nanoTime() - start));
        }
        return there;
    }

    /** The longest time that a long can hold, 292 years, for longer ones and for null. */
    private static long nanos(Duration timeout) {
        if (timeout == null || timeout.compareTo(LONGEST) > 0) return Long.MAX_VALUE;
        return timeout.toNanos();
    }

    /** Returns whether a value is available, without waiting for it. Throws the error of the signal. */
    @SuppressWarnings("unchecked")
    synchronized boolean look() {
        if (there || over) return there;
        long[] place = new long[2];
        int status;
        try (Lent lent = new Lent()) {
            status = C.sgk_reader_next(lent.of(this), LOOK, place);
        } catch (ClosedException closed) {
            status = C.ERROR_ENDED;
        }
        switch (status) {
            case C.OK:
                value = (T) Values.taken(place[0], place[1]);
                there = true;
                return true;
            case C.ERROR_COMPLETED, C.ERROR_ENDED:
                over = true;
                return false;
            case C.ERROR_FAILED:
                throw Failure.thrown(Values.taken(place[0], place[1]));
            case C.ERROR_TIMEOUT:
                return false;
            default:
                throw Border.refused();
        }
    }

    /** Returns whether the end was reached. */
    synchronized boolean isOver() {
        return over;
    }

    /** Calls the function once, as soon as it is worth while to look again. */
    void whenReady(Runnable ready) {
        Receiver receiver = new Receiver("reader", ready);
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_reader_when_ready(lent.of(this), Entries.ACTION, receiver.kept(), Border.DESTROY));
        } catch (ClosedException closed) {
            ready.run();
        }
    }

    private void pause(long nanos) {
        if (nanos <= 0) throw new TimedOutException("nothing has come in time");
        CountDownLatch ready = new CountDownLatch(1);
        whenReady(ready::countDown);
        try {
            ready.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Failure(interrupted);
        }
    }

    /** The value that is there. */
    synchronized T taken() {
        there = false;
        T taken = value;
        value = null;
        return taken;
    }

    /** Waits until there is another value, or the end. A thread that is interrupted gets a {@link Failure}. */
    @Override
    public boolean hasNext() {
        return await(null);
    }

    /** The next value. */
    @Override
    public T next() {
        return next(null);
    }

    /**
     * The next value, for which it waits so long, after which there is a {@link TimedOutException}.
     *
     * @param timeout null: for good
     * @return the value
     */
    public synchronized T next(Duration timeout) {
        Times.check("next: timeout", timeout);
        if (!await(timeout)) throw new NoSuchElementException("the signal has completed");
        return taken();
    }

    /** Itself: the values are there once. */
    @Override
    public Iterator<T> iterator() {
        return this;
    }

    /**
     * Returns the values as a stream.
     *
     * @return the stream; closing it closes this
     */
    public Stream<T> stream() {
        return StreamSupport.stream(spliterator(), false).onClose(this::close);
    }

    @Override
    public void close() {
        try (Lent lent = new Lent()) {
            C.sgk_reader_close(lent.of(this));
        } catch (ClosedException again) {
            return;
        }
        super.close();
    }
}
