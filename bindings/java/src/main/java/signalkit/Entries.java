// Written by scripts/java.py from bindings/api.json.
package signalkit;

import com.sun.jna.Callback;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import signalkit.internal.Value;

/** The native functions that the library calls, one for each shape of callbacks. The program's function is found by its
 * context, a number. What they return is made by {@link Border}. */
final class Entries {
    private Entries() {}

    static final long LOG = Border.entry((Nothing2) (context, p0) ->
        Border.run(context, r -> r.<Consumer<Object>>function().accept(Values.text(p0))));
    static final long ACTION = Border.entry((Nothing1) (context) ->
        Border.run(context, r -> r.<Runnable>function().run()));
    static final long MAP_ARRAY = Border.entry((OfValue3) (context, p0, n) ->
        Border.value(context, r -> r.<Function<Object, Object>>function().apply(Values.items(p0, n))));
    static final long MAP_TO_SIGNAL = Border.entry((OfLong3) (context, k0, b0) ->
        Border.signal(context, r -> r.<Function<Object, Object>>function().apply(Values.decode(k0, b0))));
    static final long REDUCE_GENERATOR = Border.entry((OfLong5) (context, k0, b0, k1, b1) ->
        Border.signal(context, r -> r.<BiFunction<Object, Object, Object>>function().apply(Values.decode(k0, b0),
            Values.decode(k1, b1))));
    static final long PIPELINE = Border.entry((OfLong4) (context, k0, b0, p1) ->
        Border.signal(context, r -> r.<BiFunction<Object, Object, Object>>function().apply(Values.decode(k0, b0), new
            Signal<>(C.sgk_signal_retain(p1)))));
    static final long MAP = Border.entry((OfValue3) (context, k0, b0) ->
        Border.value(context, r -> r.<Function<Object, Object>>function().apply(Values.decode(k0, b0))));
    static final long FILTER = Border.entry((OfByte3) (context, k0, b0) ->
        Border.flag(context, r -> r.<Predicate<Object>>function().test(Values.decode(k0, b0))));
    static final long EQUAL = Border.entry((OfByte5) (context, k0, b0, k1, b1) ->
        Border.flag(context, r -> r.<BiPredicate<Object, Object>>function().test(Values.decode(k0, b0),
            Values.decode(k1, b1))));
    static final long REDUCE = Border.entry((OfValue5) (context, k0, b0, k1, b1) ->
        Border.value(context, r -> r.<BiFunction<Object, Object, Object>>function().apply(Values.decode(k0, b0),
            Values.decode(k1, b1))));
    static final long REDUCE_EMITTING = Border.entry((OfValue6) (context, k0, b0, k1, b1, p2) ->
        Border.value(context, r -> r.<Emitting<Object, Object, Object>>function().apply(Values.decode(k0, b0),
            Values.decode(k1, b1), new Emitter<>(p2))));
    static final long DEFERRED = Border.entry((OfLong1) (context) ->
        Border.signal(context, r -> r.<Supplier<Object>>function().get()));
    static final long LOOP = Border.entry((OfLong2) (context, p0) ->
        Border.signal(context, r -> r.<Function<Object, Object>>function().apply((p0 == 0 ? null : Values.at(p0)))));
    static final long RESTART = Border.entry((OfByte4) (context, k0, b0, out) ->
        Border.restart(context, out, r -> r.<Function<Object, Object>>function().apply(Failure.of(Values.decode(k0,
            b0)))));
    static final long RETRY_WHEN = Border.entry((OfLong4) (context, k0, b0, i1) ->
        Border.signal(context, r -> r.<BiFunction<Object, Object, Object>>function().apply(Failure.of(Values.decode(k0,
            b0)), i1)));
    static final long TAKE_UNTIL = Border.entry((OfInt3) (context, k0, b0) ->
        Border.action(context, r -> r.<Function<Object, Object>>function().apply(Values.decode(k0, b0))));
    static final long MODIFY = Border.entry((OfInt4) (context, k0, b0, out) ->
        Border.status(context, out, r -> r.<Function<Object, Object>>function().apply(Values.decode(k0, b0))));
    static final long WORK = Border.entry((Nothing1) (context) ->
        Border.run(context, r -> r.<Runnable>function().run()));
    static final long NEXT = Border.entry((Nothing3) (context, k0, b0) ->
        Border.run(context, r -> r.<Consumer<Object>>function().accept(Values.decode(k0, b0))));
    static final long ERROR = Border.entry((Nothing3) (context, k0, b0) ->
        Border.run(context, r -> r.<Consumer<Object>>function().accept(Failure.of(Values.decode(k0, b0)))));
    static final long COMPLETED = Border.entry((Nothing1) (context) ->
        Border.run(context, r -> r.<Runnable>function().run()));
    static final long UNHANDLED_ERROR = Border.entry((Nothing4) (context, k0, b0, p1) ->
        Border.run(context, r -> r.<BiConsumer<Object, Object>>function().accept(Failure.of(Values.decode(k0, b0)),
            Values.text(p1))));

    interface Nothing1 extends Callback {
        void call(long a);
    }

    interface Nothing2 extends Callback {
        void call(long a, long b);
    }

    interface Nothing3 extends Callback {
        void call(long a, long b, long c);
    }

    interface Nothing4 extends Callback {
        void call(long a, long b, long c, long d);
    }

    interface OfByte1 extends Callback {
        byte call(long a);
    }

    interface OfByte2 extends Callback {
        byte call(long a, long b);
    }

    interface OfByte3 extends Callback {
        byte call(long a, long b, long c);
    }

    interface OfByte4 extends Callback {
        byte call(long a, long b, long c, long d);
    }

    interface OfByte5 extends Callback {
        byte call(long a, long b, long c, long d, long e);
    }

    interface OfInt3 extends Callback {
        int call(long a, long b, long c);
    }

    interface OfInt4 extends Callback {
        int call(long a, long b, long c, long d);
    }

    interface OfInt5 extends Callback {
        int call(long a, long b, long c, long d, long e);
    }

    interface OfLong1 extends Callback {
        long call(long a);
    }

    interface OfLong2 extends Callback {
        long call(long a, long b);
    }

    interface OfLong3 extends Callback {
        long call(long a, long b, long c);
    }

    interface OfLong4 extends Callback {
        long call(long a, long b, long c, long d);
    }

    interface OfLong5 extends Callback {
        long call(long a, long b, long c, long d, long e);
    }

    interface OfValue3 extends Callback {
        Value call(long a, long b, long c);
    }

    interface OfValue5 extends Callback {
        Value call(long a, long b, long c, long d, long e);
    }

    interface OfValue6 extends Callback {
        Value call(long a, long b, long c, long d, long e, long f);
    }
}
