package signalkit;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An object that is made and used on one serial queue only. Any thread may have this.
 *
 * @param <T> the object
 */
public final class QueueLocal<T> extends Handle {
    private final Confined<T> confined;

    /** Makes the object, and is what functions that use it ask for it. The library does not see that. */
    private static final class Confined<T> implements Runnable {
        private Supplier<? extends T> make;
        private T made;
        private Throwable thrown;

        Confined(Supplier<? extends T> make) {
            if (make == null) throw new NullPointerException("QueueLocal: the function is null");
            this.make = make;
        }

        @Override
        public void run() {
            try {
                made = make.get();
            } catch (Throwable error) {
                thrown = error;
            } finally {
                make = null;
            }
        }

        T get() {
            if (thrown != null) throw Failure.thrown(thrown);
            return made;
        }
    }

    /**
     * Creates the object on the queue. If the function throws, each use of the object throws that exception.
     *
     * @param queue a serial queue
     * @param make creates the object
     */
    public QueueLocal(DispatchQueue queue, Supplier<? extends T> make) {
        this(queue, new Confined<>(make));
    }

    private QueueLocal(DispatchQueue queue, Confined<T> confined) {
        super(created(queue, new Receiver("QueueLocal", confined)));
        this.confined = confined;
    }

    private static long created(DispatchQueue queue, Receiver receiver) {
        try (Lent lent = new Lent()) {
            long pointer = lent.of(queue, "QueueLocal.queue");
            return C.sgk_queue_local_create(Border.MAKING, 0, receiver.kept(), Border.DESTROY, pointer);
        }
    }

    /**
     * Calls the function with the object on the queue: inline when that is current, otherwise later.
     *
     * @param use the function
     */
    public void with(Consumer<? super T> use) {
        if (use == null) throw new NullPointerException("with: the function is null");
        Confined<T> thing = confined;
        Receiver receiver = new Receiver("with", (Runnable) () -> use.accept(thing.get()));
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_queue_local_with(lent.of(this), Border.USING, receiver.kept(), Border.DESTROY));
        }
    }

    /**
     * Calls the function with the object on the queue, waits for it, and returns its result or throws its exception.
     *
     * @param <U> the result
     * @param use the function
     * @return the result
     */
    public <U> U syncWith(Function<? super T, ? extends U> use) {
        if (use == null) throw new NullPointerException("syncWith: the function is null");
        AtomicReference<U> answer = new AtomicReference<>();
        Runnable used = () -> answer.set(use.apply(confined.get()));
        Receiver.Immediate receiver = new Receiver.Immediate("syncWith", used);
        try (Lent lent = new Lent()) {
            int status = C.sgk_queue_local_sync_with(lent.of(this), Border.USING, receiver.kept());
            receiver.settle();
            Border.done(status);
            return answer.get();
        } finally {
            receiver.forgotten();
        }
    }

    /**
     * Like {@link Signal#create}, but calls the function on the queue, with the object. It is no longer called after
     * this object was destroyed.
     *
     * @param <U> the values
     * @param generator the function
     * @return the signal
     */
    public <U> Signal<U> signalWith(BiConsumer<? super T, Subscriber<U>> generator) {
        if (generator == null) throw new NullPointerException("signalWith: the function is null");
        Confined<T> thing = confined;
        Consumer<Subscriber<U>> generating = subscriber -> generator.accept(thing.get(), subscriber);
        Receiver receiver = new Receiver("signalWith", generating);
        try (Lent lent = new Lent()) {
            return Signal.made(C.sgk_queue_local_signal_with(lent.of(this), Border.GENERATING, receiver.known(),
                Border.DESTROY), receiver);
        }
    }
}
