package signalkit;

import com.sun.jna.Callback;
import com.sun.jna.CallbackThreadInitializer;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import signalkit.internal.Value;

/**
 * The callbacks that the library calls. Exceptions do not unwind into the library. They fail the subscription, or go to
 * {@link SignalKit#onUnheard}.
 */
final class Border {
    /** They live as long as the process, as the native functions that JNA makes for them must. */
    private static final Queue<Callback> CALLBACKS = new ConcurrentLinkedQueue<>();

    /** A thread of the library stays known to Java after its first call, which is quicker, and does not keep the program
     * from ending. */
    private static final CallbackThreadInitializer THREADS = new CallbackThreadInitializer(true, false, "signalkit");

    static {
        SignalKit.begin();
    }

    private Border() {}

    /** The native function of a callback. */
    static long entry(Callback callback) {
        CALLBACKS.add(callback);
        Native.setCallbackThreadInitializer(callback, THREADS);
        return Direct.memmove(callback, callback, 0);
    }

    /**
     * A function of the system that returns its first argument. JNA makes native functions that call Java directly only
     * of arguments of such methods. The others box their arguments and use reflection, which takes five times as long.
     */
    private static final class Direct {
        static {
            Native.register(Direct.class, NativeLibrary.getProcess());
        }

        static native long memmove(Callback callback, Callback same, long count);
    }

    /** Calls a function of a receiver. */
    interface Call {
        Object on(Receiver receiver);
    }

    /** The same without an answer. */
    interface Act {
        void on(Receiver receiver);
    }

    /**
     * Throws a StackOverflowError if a call of the library, and the functions that it calls, may need more stack than is
     * left. JNA cannot report an overflow between the native code and a function, so the function would not be called.
     */
    static void checkStack() {
        descend(DEPTH, 1, 2, 3, 4, 5);
    }

    /** A frame has at least 64 bytes, also when compiled. */
    private static final int DEPTH = 512;

    /** Uses all values after the inner call, so that each frame stores them. */
    private static long descend(int depth, long a, long b, long c, long d, long e) {
        if (depth == 0) return a;
        long inner = descend(depth - 1, b, c, d, e, a + depth);
        return inner + a * b + c * d + e;
    }

    // ---- The results, by type, and the substitutes after an exception ----

    static void run(long context, Act act) {
        Receiver receiver = Receiver.of(context);
        try {
            act.on(receiver);
        } catch (Throwable thrown) {
            receiver.fail(thrown);
        }
    }

    static Value value(long context, Call call) {
        Receiver receiver = Receiver.of(context);
        try {
            return Values.owned(call.on(receiver));
        } catch (Throwable thrown) {
            receiver.fail(thrown);
            return NOTHING;
        }
    }

    static byte flag(long context, Call call) {
        Receiver receiver = Receiver.of(context);
        try {
            return (byte) ((boolean) call.on(receiver) ? 1 : 0);
        } catch (Throwable thrown) {
            receiver.fail(thrown);
            return 0;
        }
    }

    static long signal(long context, Call call) {
        Receiver receiver = Receiver.of(context);
        try {
            Object answer = call.on(receiver);
            if (answer instanceof Long pointer) return pointer; // of our own making
            if (answer instanceof Signal<?> signal) return signal.forGood();
            if (answer == null) return 0;
            throw new ClassCastException(receiver.name + ": the function is to return a Signal, not " + answer);
        } catch (Throwable thrown) {
            Given error = Values.give(receiver.caught(thrown));
            return C.sgk_signal_fail(error.word(), error.bits());
        }
    }

    static int status(long context, long out, Call call) {
        Receiver receiver = Receiver.of(context);
        try {
            Values.store(out, call.on(receiver), 0);
            return C.OK;
        } catch (Throwable thrown) {
            receiver.fail(thrown);
            return C.ERROR_ARGUMENT;
        }
    }

    private static Value outcome(int outcome) {
        return new Value().with((long) outcome << 32, 0);
    }

    private static final Value NOTHING = outcome(0);

    // ---- Stages that can fail. (JNA is slow at callbacks that return a struct: these store it.) ----

    /** The functions of neighbouring operators, and of a subscription. */
    private static final long STAGE = entry((Entries.Nothing4) (context, k, b, out) -> {
        Receiver receiver = Receiver.of(context);
        try {
            Object value = Values.decode(k, b);
            Object result = receiver.<Fused>function().on(value);
            if (result == Fused.DROPPED) outcome(out, C.OUTCOME_DROPPED);
            else if (result == value) outcome(out, C.OUTCOME_UNCHANGED);
            else Values.store(out, result, 0);
        } catch (Throwable thrown) {
            Values.store(out, receiver.caught(thrown), C.OUTCOME_FAILED);
        }
    });

    private static void outcome(long out, int outcome) {
        new Pointer(out).setLong(0, (long) outcome << 32);
    }

    /** The struct of a stage of functions, under the names of operators of the library. */
    static long[] stage(String[] names, long context) {
        long place = Pointer.nativeValue(NAMES.computeIfAbsent(List.of(names), Border::names));
        return new long[] {C.STAGE_BYTES, context, DESTROY, place, names.length, 0, 0, 0, 0, 0, STAGE, 0};
    }

    /** Arrays of names. The library reads them later, so they stay. */
    private static final Map<List<String>, Memory> NAMES = new ConcurrentHashMap<>();

    /** The pointers, then the texts. */
    private static Memory names(List<String> names) {
        int pointers = Long.BYTES * names.size(), bytes = pointers;
        for (String name : names) bytes += name.length() + 1;
        Memory memory = new Memory(bytes);
        for (int i = 0, place = pointers; i < names.size(); i++) {
            memory.setLong((long) Long.BYTES * i, Pointer.nativeValue(memory) + place);
            memory.setString(place, names.get(i), "US-ASCII");
            place += names.get(i).length() + 1;
        }
        return memory;
    }

    // ---- Callbacks with other signatures ----

    static final long GENERATOR = entry((Entries.OfLong2) Border::generate);
    static final long GENERATING = entry((Entries.OfLong3) (context, object, pointer) -> generate(context, pointer));
    static final long MAKING = entry((Entries.OfLong1) context -> {
        run(context, r -> r.<Runnable>function().run());
        return context;
    });
    static final long USING = entry((Entries.Nothing2) (context, object) ->
        run(context, r -> r.<Runnable>function().run()));

    private static long generate(long context, long pointer) {
        Subscriber<Object> subscriber = new Subscriber<>(C.sgk_retain(pointer));
        Receiver receiver = Receiver.of(context);
        try {
            receiver.<Consumer<Object>>function().accept(subscriber);
        } catch (Throwable thrown) {
            Given error = Values.give(receiver.caught(thrown));
            C.sgk_subscriber_error(pointer, error.word(), error.bits());
        }
        return 0;
    }

    static final long ITERATOR = entry((Entries.OfByte2) (context, out) -> {
        Receiver receiver = Receiver.of(context);
        try {
            Iterator<?> iterator = receiver.function();
            if (!iterator.hasNext()) return 0;
            Values.store(out, iterator.next(), 0);
            return 1;
        } catch (Throwable thrown) {
            Values.store(out, receiver.caught(thrown), C.OUTCOME_FAILED);
            return 0;
        }
    });
    static final long EMIT = entry((Entries.OfByte3) (context, inside, end) -> {
        Receiver receiver = Receiver.of(context);
        try {
            return (byte) (receiver.<Fused.Loop>function().emit(new Pointer(inside)) ? 1 : 0);
        } catch (Throwable thrown) {
            Values.store(end, receiver.caught(thrown), C.OUTCOME_FAILED);
            return 0;
        }
    });
    static final long COMPACT = entry((Entries.OfValue3) (context, k, b) -> {
        Value answer = value(context, r -> r.<Function<Object, Object>>function().apply(Values.decode(k, b)));
        return answer.word == 0 ? new Value().with((long) C.OUTCOME_DROPPED << 32, 0) : answer; // null
    });
    static final long FAILING = entry((Entries.Nothing3) (context, k, b) ->
        run(context, r -> ((Receiver.Run) r).failed.accept(Values.error(k, b))));
    static final long CATCH = entry((Entries.OfLong3) (context, k, b) ->
        signal(context, r -> r.<Function<Object, Object>>function().apply(Values.error(k, b))));
    static final long MAP_ERROR = entry((Entries.OfValue3) (context, k, b) ->
        value(context, r -> r.<Function<Object, Object>>function().apply(Values.error(k, b))));
    static final long COMPLETING = entry((Entries.Nothing1) context ->
        run(context, r -> ((Receiver.Run) r).completed.run()));
    static final long KEYING = entry((Entries.OfValue3) (context, k, b) ->
        value(context, r -> r.<Keyed>function().key().apply(Values.decode(k, b))));
    static final long REDUCING = entry((Entries.OfValue5) (context, k0, b0, k1, b1) ->
        value(context, r -> r.<Folding>function().reduce().apply(Values.decode(k0, b0), Values.decode(k1, b1))));
    static final long DESTROY = entry((Entries.Nothing1) Receiver::forget);

    /** The functions of an operator with keys. */
    interface Keyed {
        Function<Object, Object> key();
    }

    record Following(Function<Object, Object> key, Function<Object, Object> make)
            implements Keyed, Function<Object, Object> {
        @Override
        public Object apply(Object value) {
            return make.apply(value);
        }
    }

    record Grouping(Function<Object, Object> key, BiFunction<Object, Object, Object> make)
            implements Keyed, BiFunction<Object, Object, Object> {
        @Override
        public Object apply(Object value, Object values) {
            return make.apply(value, values);
        }
    }

    /** The functions of a loop. */
    record Folding(Function<Object, Object> once, BiFunction<Object, Object, Object> reduce)
            implements Function<Object, Object> {
        @Override
        public Object apply(Object accumulated) {
            return once.apply(accumulated);
        }
    }

    // ---- Statuses ----

    /** Returns whether the call succeeded; false if the status is one of these answers. */
    static boolean done(int status, int... answers) {
        if (status >= 0) return true;
        for (int answer : answers) if (status == answer) return false;
        throw refused();
    }

    static UsageException refused() {
        return new UsageException(text(C.sgk_last_error()));
    }

    /** Returns a text of the library with the name of the method in Java: `take: count: must be 0 or more`. */
    static String text(String ofLibrary) {
        if (!ofLibrary.startsWith("sgk_")) return ofLibrary;
        String text = ofLibrary.replaceFirst("^sgk_(signal_|disposable_|queue_(create_)?|to_object: )?", "");
        int end = text.indexOf(':');
        if (end < 0) return text;
        Matcher words = Pattern.compile("_(.)").matcher(text.substring(0, end));
        return words.replaceAll(word -> word.group(1).toUpperCase(Locale.ROOT)) + text.substring(end);
    }
}
