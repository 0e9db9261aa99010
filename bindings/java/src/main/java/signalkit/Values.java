package signalkit;

import com.sun.jna.Callback;
import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import signalkit.internal.Value;

/**
 * Conversion between Java objects and values of the library. null, Boolean, Long and Double are converted. For any
 * other object, the value is a reference that retains it.
 */
final class Values {
    private static final long MARK = C.GIVEN << 32;
    private static final long KIND = 0xffff_ffffL;
    private static final Given NOTHING = new Given(C.NULL, 0);

    /** The objects that the library knows by number. */
    private static final Map<Long, Object> OBJECTS = new ConcurrentHashMap<>();

    private static final AtomicLong LAST = new AtomicLong();

    /** An array that travels as one of the library's. */
    record Items(Object... items) {}

    /** Data that the library reads itself, as bytes. */
    record Data(byte[] bytes) {}

    /** Converts strings and bytes for the library; returns other objects unchanged. */
    static Object asData(Object object) {
        if (object instanceof String text) return new Data(text.getBytes(StandardCharsets.UTF_8));
        return object instanceof byte[] bytes ? new Data(bytes) : object;
    }

    private Values() {}

    static Given give(Object object) {
        if (object == null) return NOTHING;
        if (object instanceof Long number) return new Given(C.INT, number);
        if (object instanceof Double number) return new Given(C.DOUBLE, Double.doubleToRawLongBits(number));
        if (object instanceof Boolean flag) return new Given(C.BOOL, flag ? 1 : 0);
        if (object instanceof Signal<?> signal) return signal(signal);
        if (object instanceof Items array) return array(array.items);
        if (object instanceof Data data) return marked(C.sgk_bytes(data.bytes, data.bytes.length));
        long number = LAST.incrementAndGet();
        OBJECTS.put(number, object);
        return new Given(C.OBJECT | MARK, Boxing.box(number, TYPE));
    }

    /** Returns the result of a function as it would arrive at the next one through the library. */
    static Object passed(Object object) {
        if (object instanceof Signal<?> signal) return new Signal<>(signal.forGood());
        if (object instanceof Items array) return Collections.unmodifiableList(Arrays.asList(passed(array.items)));
        return object instanceof Data data ? data.bytes : object;
    }

    private static Object[] passed(Object[] items) {
        return Arrays.stream(items).map(Values::passed).toArray();
    }

    /** The value as a callback returns it. JNA copies it before this thread can be here again. */
    static Value owned(Object object) {
        Given given = give(object);
        return RETURNED.get().with(given.word() & KIND, given.bits());
    }

    private static final ThreadLocal<Value> RETURNED = ThreadLocal.withInitial(Value::new);

    /** Stores the value in a place of the library's. */
    static void store(long place, Object object, int outcome) {
        Given given = give(object);
        Pointer pointer = new Pointer(place);
        pointer.setLong(0, given.word() & KIND | (long) outcome << 32);
        pointer.setLong(8, given.bits());
    }

    /** Returns the object of a borrowed value. */
    static Object decode(long word, long bits) {
        switch ((int) word) {
            case C.NULL:
                return null;
            case C.BOOL:
                return bits != 0;
            case C.INT:
                return bits;
            case C.DOUBLE:
                return Double.longBitsToDouble(bits);
            case C.OBJECT:
                long number = C.sgk_to_object(word & KIND, bits, TYPE);
                if (number == 0) throw new Failure(C.ERROR_KIND, Border.text(C.sgk_last_error()), null);
                return OBJECTS.get(number);
            case C.STRING:
                return new String(data(word & KIND, bits), StandardCharsets.UTF_8);
            case C.BYTES:
                return data(word & KIND, bits);
            case C.ARRAY:
                long[] count = new long[1];
                return items(C.sgk_array_items(word & KIND, bits, count), count[0]);
            case C.SIGNAL:
                return new Signal<>(C.sgk_to_signal(word & KIND, bits));
            case C.FAILURE:
                return failure(word & KIND, bits);
            default:
                return described(word & KIND, bits);
        }
    }

    /** Returns the exception of a borrowed error. If it is unreadable, the reason replaces it. */
    static Throwable error(long word, long bits) {
        try {
            return Failure.of(decode(word, bits));
        } catch (Failure unreadable) {
            return unreadable;
        }
    }

    /** The object of a value in memory. */
    static Object at(long place) {
        long[] value = new Pointer(place).getLongArray(0, 2);
        return decode(value[0], value[1]);
    }

    /** The objects of several. */
    static List<Object> items(long place, long count) {
        if (count == 0) return List.of();
        long[] values = new Pointer(place).getLongArray(0, (int) count * 2);
        Object[] objects = new Object[(int) count];
        for (int i = 0; i < objects.length; i++) objects[i] = decode(values[2 * i], values[2 * i + 1]);
        return Collections.unmodifiableList(Arrays.asList(objects));
    }

    /** The object of a value that is the caller's to release. */
    static Object taken(long word, long bits) {
        try {
            return decode(word, bits);
        } finally {
            C.sgk_value_release(word, bits);
        }
    }

    static String text(long text) {
        return text == 0 ? null : new Pointer(text).getString(0, "UTF-8");
    }

    private static Given marked(Value value) {
        return new Given(value.word | MARK, value.bits);
    }

    private static Given signal(Signal<?> signal) {
        long kept = signal.forGood();
        try {
            return marked(C.sgk_signal_value(kept));
        } finally {
            C.sgk_release(kept);
        }
    }

    private static Given array(Object[] items) {
        long[] values = new long[Math.max(2 * items.length, 1)];
        int made = 0;
        try {
            for (; made < items.length; made++) {
                Given given = give(items[made]);
                values[2 * made] = given.word() & ~MARK;
                values[2 * made + 1] = given.bits();
            }
            return marked(C.sgk_array(values, items.length));
        } finally {
            for (int i = 0; i < made; i++) C.sgk_value_release(values[2 * i], values[2 * i + 1]);
        }
    }

    private static byte[] data(long word, long bits) {
        long[] length = new long[1];
        return new Pointer(C.sgk_value_data(word, bits, length)).getByteArray(0, (int) length[0]);
    }

    private static Failure failure(long word, long bits) {
        Value cause = C.sgk_error_cause(word, bits);
        long kind = cause.word, led = cause.bits; // before another call replaces them
        return new Failure(
            C.sgk_error_code(word, bits), Border.text(C.sgk_error_text(word, bits)), kind == C.NULL ? null : error(kind, led));
    }

    /** Returns a pointer, or a value of a later version, as text. */
    private static String described(long word, long bits) {
        byte[] text = new byte[(int) C.sgk_value_describe(word, bits, null, 0) + 1];
        C.sgk_value_describe(word, bits, text, text.length);
        return new String(text, 0, text.length - 1, StandardCharsets.UTF_8);
    }

    // ---- Functions of an object that the library calls. Their exceptions are logged. ----

    interface Release extends Callback {
        void call(long number);
    }

    interface Equal extends Callback {
        byte call(long a, long b);
    }

    interface Hash extends Callback {
        long call(long number);
    }

    interface Describe extends Callback {
        long call(long number, Pointer text, long size);
    }

    private interface Question {
        long ask();
    }

    private static long answering(Question question) {
        try {
            return question.ask();
        } catch (Throwable thrown) {
            SignalKit.unheard("an object", thrown);
            return 0;
        }
    }

    private static final Memory NAME = new Memory(8);
    private static final Memory TYPE_MEMORY = new Memory(C.OBJECT_TYPE_BYTES);
    private static final long TYPE = Pointer.nativeValue(TYPE_MEMORY);

    static {
        NAME.setString(0, "Java", "UTF-8");
        long[] type = {
            C.OBJECT_TYPE_BYTES, Pointer.nativeValue(NAME), 0,
            Border.entry((Release) OBJECTS::remove),
            Border.entry((Equal) (a, b) ->
                (byte) answering(() -> Objects.equals(OBJECTS.get(a), OBJECTS.get(b)) ? 1 : 0)),
            Border.entry((Hash) number -> answering(() -> Objects.hashCode(OBJECTS.get(number)))),
            Border.entry((Describe) (number, text, size) -> answering(() -> describe(OBJECTS.get(number), text, size))),
        };
        TYPE_MEMORY.write(0, type, 0, type.length);
    }

    private static long describe(Object object, Pointer place, long size) {
        byte[] text = String.valueOf(object).replace("\0", "").getBytes(StandardCharsets.UTF_8);
        if (size > 0) {
            int length = (int) Math.min(text.length, size - 1);
            place.write(0, text, 0, length);
            place.setByte(length, (byte) 0);
        }
        return text.length;
    }
}
