package signalkit;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** Objects of Java as values, and back. */
final class Values {
    private Values() {}

    /** Calls `f` with an object as a value, which is lent for the call. */
    static <R> R lending(Object object, Function<C.Value.ByValue, R> f) {
        C.Value.ByValue value = wrap(object);
        try {
            return f.apply(value);
        } finally {
            C.sgk_value_release(value);
        }
    }

    private static C.Value.ByValue wrap(Object object) {
        if (object == null) return C.sgk_make_null();
        if (object instanceof Boolean flag) return C.sgk_make_bool(flag);
        if (object instanceof Integer || object instanceof Long) return C.sgk_make_int(((Number) object).longValue());
        if (object instanceof Number number) return C.sgk_make_double(number.doubleValue());
        if (object instanceof String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return C.sgk_string_n(bytes, bytes.length);
        }
        throw new IllegalArgumentException("a signal cannot carry a " + object.getClass().getName());
    }

    /** A borrowed value as an object: of int a Long; what has no counterpart comes as text. */
    static Object unwrap(C.Value.ByValue value) {
        switch (value.kind) {
            case 0: return null;
            case 1: return C.sgk_get_bool(value) != 0;
            case 2: return C.sgk_get_int(value);
            case 3: return C.sgk_get_double(value);
            case 5:
                long[] length = new long[1];
                return new String(C.sgk_value_data(value, length).getByteArray(0, (int) length[0]), StandardCharsets.UTF_8);
            default:
                byte[] text = new byte[(int) C.sgk_value_describe(value, null, 0) + 1];
                C.sgk_value_describe(value, text, text.length);
                return new String(text, 0, text.length - 1, StandardCharsets.UTF_8);
        }
    }
}
