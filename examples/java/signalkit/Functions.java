package signalkit;

import com.sun.jna.CallbackThreadInitializer;
import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Functions of Java behind the C callbacks: one callback of each type, whose context is a number, under which the function is kept until the library
 * lets go of it. */
final class Functions {
    /** What is told of the end of a run. */
    record Ends(Consumer<String> failed, Runnable completed) {}

    private static final int OK = 0, ENDED = -4;

    private static final Map<Long, Object> kept = new ConcurrentHashMap<>();
    private static final AtomicLong last = new AtomicLong();

    private Functions() {}

    static Pointer context(Object function) {
        long number = last.incrementAndGet();
        kept.put(number, function);
        return new Pointer(number);
    }

    private static Object of(Pointer context) {
        return kept.get(Pointer.nativeValue(context));
    }

    static final C.Destroy DESTROY = context -> kept.remove(Pointer.nativeValue(context));

    /** Stores what comes of a value as an event; nothing if that is null. What is thrown must not unwind into the library: it is an event, too. */
    @SuppressWarnings("unchecked")
    static final C.CompactMap CALL = (context, value, event) -> {
        try {
            Object result = ((java.util.function.Function<Object, Object>) of(context)).apply(Values.unwrap(value));
            if (result == null) return false;
            store(Values.lending(result, C::sgk_event_make_next), event);
        } catch (Throwable thrown) {
            store(Values.lending(message(thrown), C::sgk_event_make_error), event);
        }
        return true;
    };

    /** What is thrown by these goes to JNA's handler, which prints it: the run is over. */
    static final C.Receive ERROR = (context, error) -> ((Ends) of(context)).failed.accept(String.valueOf(Values.unwrap(error)));

    static final C.Completed COMPLETED = context -> ((Ends) of(context)).completed.run();

    /** Runs the library's work on an executor. */
    static final C.Async ASYNC = (context, work, workContext, destroy) -> {
        Runnable destruction = () -> Function.getFunction(destroy).invokeVoid(new Object[] {workContext});
        try {
            ((Executor) of(context)).execute(() -> {
                Function.getFunction(work).invokeVoid(new Object[] {workContext});
                destruction.run();
            });
            return OK;
        } catch (RuntimeException refused) {
            destruction.run();
            return ENDED;
        }
    };

    static {
        // A thread of the library stays known to Java after its first callback, which is cheaper, and does not keep the program from ending.
        CallbackThreadInitializer initializer = new CallbackThreadInitializer(true, false, "signalkit");
        for (com.sun.jna.Callback callback : new com.sun.jna.Callback[] {DESTROY, CALL, ERROR, COMPLETED, ASYNC}) {
            Native.setCallbackThreadInitializer(callback, initializer);
        }
    }

    private static String message(Throwable thrown) {
        return thrown.getMessage() != null ? thrown.getMessage() : thrown.toString();
    }

    private static void store(C.Value.ByValue value, Pointer place) {
        place.setInt(0, value.kind);
        place.setInt(4, value.reserved);
        place.setLong(8, value.bits);
    }
}
