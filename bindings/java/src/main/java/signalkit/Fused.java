package signalkit;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The functions at the end of a signal. A value that passes from the library to Java and back costs more than most
 * functions. Therefore neighbouring functions are one stage of the library, with the names of their operators. A
 * subscription also calls its own function in the same call.
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
