package signalkit;

import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Functions for the library as a whole. */
public final class SignalKit {
    /** The version of this package and of the library it was built for. */
    public static final String VERSION = C.VERSION;

    private static volatile BiConsumer<String, Throwable> unheard;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(SignalKit::end, "signalkit ends"));
    }

    private SignalKit() {}

    /** So that the program's end is known. */
    static void begin() {}

    /** The JVM goes before the library's threads do, which must not call it then. */
    private static void end() {
        Receiver.close();
        DispatchTimer.stopAll();
        C.sgk_drain(1);
    }

    /**
     * The version of the library.
     *
     * @return it
     */
    public static String libraryVersion() {
        return C.sgk_version();
    }

    /**
     * Sets the handler of exceptions that no signal can deliver: from functions for errors, from work of queues, from
     * comparisons of objects. By default they are printed.
     *
     * @param handler receives the place and the exception; null: print again
     */
    public static void onUnheard(BiConsumer<String, Throwable> handler) {
        unheard = handler;
    }

    static void unheard(String name, Throwable thrown) {
        BiConsumer<String, Throwable> handler = unheard;
        try {
            if (handler != null) {
                handler.accept(name, thrown);
                return;
            }
            System.err.print("signalkit: " + name + ": ");
            thrown.printStackTrace();
        } catch (Throwable lost) {
            return; // the handler's own exception has no receiver
        }
    }

    /**
     * Sets the handler of errors of subscriptions without an error callback. It also receives the name of the signal
     * ({@link Signal#named}), or null.
     *
     * @param handler null: the errors are logged again
     */
    public static void onUnhandledError(BiConsumer<? super Throwable, String> handler) {
        if (handler == null) {
            C.sgk_set_unhandled_error_handler(0, 0, 0);
        } else {
            long context = new Receiver("onUnhandledError", handler).kept();
            C.sgk_set_unhandled_error_handler(Entries.UNHANDLED_ERROR, context, Border.DESTROY);
        }
    }

    /**
     * Gets the messages of the library, instead of the standard error stream.
     *
     * @param handler null: they go there again
     */
    public static void onLog(Consumer<String> handler) {
        if (handler == null) {
            C.sgk_set_log_handler(0, 0, 0);
        } else {
            C.sgk_set_log_handler(Entries.LOG, new Receiver("onLog", handler).kept(), Border.DESTROY);
        }
    }

    /**
     * How many objects of the library are alive, after a collection of garbage and the queues' work.
     *
     * @return that
     */
    public static long liveTotal() {
        System.gc();
        C.sgk_drain(0.1);
        return C.sgk_live_total();
    }
}
