package signalkit;

import com.sun.jna.Pointer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The functions at the end of a signal. A value that passes from the library to Java and back costs more than most
 * functions. Therefore neighbouring functions are one stage of the library, with the names of their operators. A
 * subscription also calls its own function in the same call. If all values come from an iterator, a subscription is one
 * call of a loop in Java.
 */
final class Fused {
    /** The library has a limit of 500 for the names of a stage. */
    private static final int LONGEST = 100;

    /** The result for a value that is dropped. */
    static final Object DROPPED = new Object();

    /** Receives a value, and returns it, another one, or {@link #DROPPED}. */
    interface Step {
        Object on(Object value);
    }

    private final Signal<?> source;
    private final String[] names;
    private final Step[] steps;

    private Fused(Signal<?> source, String[] names, Step[] steps) {
        this.source = source;
        this.names = names;
        this.steps = steps;
    }

    /** Returns the functions of a signal and one more, under the name of an operator of the library. */
    static Fused of(Signal<?> signal, String operator, Step step) {
        Fused before = signal.fused;
        if (before == null || before.names.length >= LONGEST) {
            Signal<?> source = signal.again();
            source.hold(signal);
            source.items = signal.items;
            return new Fused(source, new String[] {operator}, new Step[] {step});
        }
        int count = before.names.length;
        String[] names = Arrays.copyOf(before.names, count + 1);
        Step[] steps = Arrays.copyOf(before.steps, count + 1);
        names[count] = operator;
        steps[count] = step;
        return new Fused(before.source, names, steps);
    }

    /** Returns a signal of the last function's results. */
    <U> Signal<U> signal(String name) {
        Receiver receiver = new Receiver(name, this);
        try (Lent lent = new Lent()) {
            return SignalHandle.made(C.sgk_signal_stage(lent.of(source), Border.stage(names, receiver.known())), source,
                receiver);
        }
    }

    /** Returns the signal of a subscription whose last function passes no value on. */
    <U> Signal<U> running(String name) {
        if (source.items == null) return signal(name);
        Receiver receiver = new Receiver(name, new Loop(source.items, this));
        return SignalHandle.made(C.sgk_signal_from_loop(Border.EMIT, receiver.known(), Border.DESTROY), source,
            receiver);
    }

    /** The loop of one subscription, on one thread at a time. */
    static final class Loop {
        /** After so many items the library calls again, unless the program is ending. */
        private static final int BATCH = 1000;

        private final Supplier<? extends Iterator<?>> items;
        private final Fused fused;
        private Iterator<?> iterator;

        Loop(Supplier<? extends Iterator<?>> items, Fused fused) {
            this.items = items;
            this.fused = fused;
        }

        /** Passes items on until a pause or the end. Returns whether there may be more. */
        boolean emit(Pointer inside) {
            Pointer state = inside.getPointer(0); // the fields of sgk_loop
            int stops = inside.getInt(8), ends = inside.getInt(12);
            if (iterator == null) iterator = items.get();
            for (int i = 0; i < BATCH && (state.getInt(0) & stops) == 0; i++) {
                if (!iterator.hasNext()) return false;
                Object item = iterator.next();
                if ((state.getInt(0) & ends) == 0) fused.on(Values.passed(item));
            }
            return true;
        }
    }

    /** Calls the functions. Each gets what it would get from the library. */
    Object on(Object value) {
        Object result = steps[0].on(value);
        for (int i = 1; i < steps.length && result != DROPPED; i++) result = steps[i].on(Values.passed(result));
        return result;
    }

    // ---- The functions of operators ----

    static Step mapping(Function<Object, Object> map) {
        return map::apply;
    }

    static Step filtering(Predicate<Object> filter) {
        return value -> filter.test(value) ? value : DROPPED;
    }

    static Step compacting(Function<Object, Object> map) {
        return value -> {
            Object result = map.apply(value);
            return result == null ? DROPPED : result;
        };
    }

    static Step watching(Consumer<Object> f) {
        return value -> {
            f.accept(value);
            return value;
        };
    }

    /** Of a subscription. */
    static Step receiving(Consumer<Object> next) {
        return value -> {
            next.accept(value);
            return DROPPED;
        };
    }
}
