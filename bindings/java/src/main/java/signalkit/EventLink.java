package signalkit;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A link of a chain of observers, which retains the link before it. Retain the last one, or put it into a
 * {@link LinkBag}. Exceptions of functions go to {@link SignalKit#onUnheard}.
 *
 * @param <T> the values
 */
public class EventLink<T> extends Handle {
    EventLink(long pointer) {
        super(pointer);
    }

    /** Calls the library. */
    private interface Observing {
        int with(long pointer, long entry, long context, long destroy, long queue);
    }

    private EventLink<T> observe(String name, Object function, DispatchQueue queue, long entry, Observing observing) {
        Receiver receiver = new Receiver(name, function);
        hold(receiver);
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            long place = lent.optional(queue);
            Border.done(observing.with(pointer, entry, receiver.known(), Border.DESTROY, place));
        }
        return this;
    }

    /**
     * Calls the function with each value.
     *
     * @param next the function
     * @return this
     */
    public EventLink<T> onNext(Consumer<? super T> next) {
        return onNext(null, next);
    }

    /**
     * Calls the function with each value, on a queue.
     *
     * @param queue null: where the value is emitted
     * @param next the function
     * @return this
     */
    public EventLink<T> onNext(DispatchQueue queue, Consumer<? super T> next) {
        return observe("onNext", next, queue, Entries.NEXT, C::sgk_event_link_on_next);
    }

    /**
     * Calls the function with the error when the chain fails.
     *
     * @param error the function
     * @return this
     */
    public EventLink<T> onError(Consumer<? super Throwable> error) {
        return observe("onError", error, null, Entries.ERROR, C::sgk_event_link_on_error);
    }

    /**
     * Calls the function when the chain finishes.
     *
     * @param finish the function
     * @return this
     */
    public EventLink<T> onFinish(Runnable finish) {
        return observe("onFinish", finish, null, Entries.COMPLETED, C::sgk_event_link_on_finish);
    }

    /**
     * Emits the function's result for each value.
     *
     * @param <U> the result
     * @param map the function
     * @return the link
     */
    public <U> EventLink<U> map(Function<? super T, ? extends U> map) {
        Receiver receiver = new Receiver("map", map);
        try (Lent lent = new Lent()) {
            return derived(C.sgk_event_link_map(lent.of(this), Entries.MAP, receiver.known(), Border.DESTROY), receiver);
        }
    }

    /**
     * The values for which the function is true.
     *
     * @param filter the function
     * @return the link
     */
    public EventLink<T> filter(Predicate<? super T> filter) {
        Receiver receiver = new Receiver("filter", filter);
        try (Lent lent = new Lent()) {
            return derived(C.sgk_event_link_filter(lent.of(this), Entries.FILTER, receiver.known(), Border.DESTROY),
                receiver);
        }
    }

    /**
     * Emits the function's result for each value, except null.
     *
     * @param <U> the result
     * @param map the function
     * @return the link
     */
    public <U> EventLink<U> compactMap(Function<? super T, ? extends U> map) {
        Receiver receiver = new Receiver("compactMap", map);
        try (Lent lent = new Lent()) {
            return derived(C.sgk_event_link_map(lent.of(this), Border.COMPACT, receiver.known(), Border.DESTROY),
                receiver);
        }
    }

    /**
     * The same events, without the means to emit any.
     *
     * @return the link
     */
    public EventLink<T> observer() {
        try (Lent lent = new Lent()) {
            return derived(C.sgk_event_link_observer(lent.of(this)), null);
        }
    }

    private <U> EventLink<U> derived(long pointer, Receiver receiver) {
        EventLink<U> link = new EventLink<>(pointer);
        if (receiver != null) link.hold(receiver);
        link.hold(this);
        return link;
    }

    /** Releases the previous link and the functions. */
    public void unlink() {
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_event_link_unlink(lent.of(this)));
        }
    }

    /**
     * The events as a signal.
     *
     * @return it
     */
    public Signal<T> signal() {
        try (Lent lent = new Lent()) {
            return Operators.made(C.sgk_event_link_signal(lent.of(this)), this);
        }
    }
}
