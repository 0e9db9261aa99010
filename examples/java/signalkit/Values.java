package signalkit;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** Objects of Java as values, and back. Plain ones are made and read here, which is faster than by the library. */
final class Values {
    private static final int NULL = 0, BOOL = 1, INT = 2, DOUBLE = 3, STRING = 5;

    private Values() {}

    /** Calls `f` with an object as a value, which is lent for the call. */
    static <R> R lending(Object object, Function<C.Value.ByValue, R> f) {
        C.Value.ByValue value = wrap(object);
        try {
            return f.apply(value);
        } finally {
            if (value.kind >= STRING) C.sgk_value_release(value);
        }
    }

    private static C.Value.ByValue wrap(Object object) {
        if (object == null) return new C.Value.ByValue(NULL, 0);
        if (object instanceof Boolean flag) return new C.Value.ByValue(BOOL, flag ? 1 : 0);
        if (object instanceof Integer || object instanceof Long) return new C.Value.ByValue(INT, ((Number) object).longValue());
        if (object instanceof Number number) return new C.Value.ByValue(DOUBLE, Double.doubleToRawLongBits(number.doubleValue()));
        if (object instanceof String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return C.sgk_string_n(bytes, bytes.length);
        }
        throw new IllegalArgumentException("a signal cannot carry a " + object.getClass().getName());
    }

    /** A borrowed value as an object: of int a Long; what has no counterpart comes as text. */
    static Object unwrap(C.Value.ByValue value) {
        switch (value.kind) {
            case NULL: return null;
            case BOOL: return value.bits != 0;
            case INT: return value.bits;
            case DOUBLE: return Double.longBitsToDouble(value.bits);
            case STRING:
                long[] length = new long[1];
                return new String(C.sgk_value_data(value, length).getByteArray(0, (int) length[0]), StandardCharsets.UTF_8);
            default:
                byte[] text = new byte[(int) C.sgk_value_describe(value, null, 0) + 1];
                C.sgk_value_describe(value, text, text.length);
                return new String(text, 0, text.length - 1, StandardCharsets.UTF_8);
        }
    }
}
