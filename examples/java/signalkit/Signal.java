package signalkit;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.lang.ref.Reference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A cold stream of values: Boolean, Long, Double, String.
 *
 * <p>Functions are called on the thread that emits, which may be one of the library's. What they throw ends the run as an error.
 */
public final class Signal<T> extends Handle {
    Signal(Pointer pointer) {
        super(pointer);
    }

    /** Emits the values inside the start, and completes. */
    @SafeVarargs
    public static <T> Signal<T> of(T... values) {
        try (Memory singles = new Memory((values.length + 1L) * Native.POINTER_SIZE)) { // one more, so that there is a first
            int count = 0;
            try {
                for (; count < values.length; count++)
                    singles.setPointer((long) count * Native.POINTER_SIZE, Values.lending(values[count], C::sgk_signal_single));
                return new Signal<>(C.sgk_merge_signals(singles, count));
            } finally {
                while (count > 0) C.sgk_release(singles.getPointer((long) --count * Native.POINTER_SIZE));
            }
        }
    }

    public static <T> Signal<T> fail(String message) {
        return new Signal<>(Values.lending(message, C::sgk_signal_fail));
    }

    private <U> Signal<U> derived(Function<Pointer, Pointer> operator) {
        try {
            return new Signal<>(operator.apply(pointer()));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** The stage that all functions run in. Those that return null drop the value. It emits events as values, so that an exception can be one. */
    private <U> Signal<U> stage(Function<T, U> function) {
        return derived(source -> {
            try (Handle events = new Handle(C.sgk_signal_compact_map(source, Functions.CALL, Functions.context(function), Functions.DESTROY))) {
                return C.sgk_signal_from_events(events.pointer());
            }
        });
    }

    public <U> Signal<U> map(Function<? super T, ? extends U> function) {
        return stage(value -> {
            U result = function.apply(value);
            if (result == null) throw new NullPointerException("map: the function returned null");
            return result;
        });
    }

    public Signal<T> filter(Predicate<? super T> predicate) {
        return stage(value -> predicate.test(value) ? value : null);
    }

    public Signal<T> take(long count) {
        return derived(source -> C.sgk_signal_take(source, count));
    }

    /** Goes on with another signal at the end. */
    public Signal<T> then(Signal<T> next) {
        try {
            return derived(source -> C.sgk_signal_then(source, next.pointer()));
        } finally {
            Reference.reachabilityFence(next);
        }
    }

    /** Starts the source on the queue. */
    public Signal<T> runOn(Queue queue) {
        try {
            return derived(source -> C.sgk_signal_run_on(source, queue.pointer()));
        } finally {
            Reference.reachabilityFence(queue);
        }
    }

    /** Delivers every event on the queue. */
    public Signal<T> deliverOn(Queue queue) {
        try {
            return derived(source -> C.sgk_signal_deliver_on(source, queue.pointer()));
        } finally {
            Reference.reachabilityFence(queue);
        }
    }

    /** Starts a run. What `next` throws ends it, and `failed` is told. */
    public Subscription start(Consumer<? super T> next, Consumer<String> failed, Runnable completed) {
        Signal<T> receiving = stage(value -> {
            next.accept(value);
            return null;
        });
        C.Handlers handlers = new C.Handlers();
        handlers.size = handlers.size();
        handlers.context = Functions.context(new Functions.Ends(failed, completed));
        handlers.destroy = Functions.DESTROY;
        handlers.error = Functions.ERROR;
        handlers.completed = Functions.COMPLETED;
        Pointer run = C.sgk_signal_start(receiving.pointer(), handlers);
        Reference.reachabilityFence(receiving);
        if (run == null) throw new IllegalArgumentException(C.sgk_last_error());
        return new Subscription(run);
    }
}
