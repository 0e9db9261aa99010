package signalkit;

import com.sun.jna.Callback;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;

/** The C interface, as far as it is used here. */
final class C {
    static {
        Native.register("signalkit");
    }

    private C() {}

    @Structure.FieldOrder({"kind", "reserved", "bits"})
    public static class Value extends Structure {
        public int kind, reserved;
        public long bits;

        public static class ByValue extends Value implements Structure.ByValue {
            public ByValue() {}

            ByValue(int kind, long bits) {
                this.kind = kind;
                this.bits = bits;
            }
        }
    }

    @Structure.FieldOrder({"size", "context", "destroy", "next", "error", "completed", "started"})
    public static class Handlers extends Structure {
        public long size;
        public Pointer context;
        public Destroy destroy;
        public Pointer next;
        public Receive error;
        public Completed completed;
        public Pointer started;
    }

    @Structure.FieldOrder({"size", "async", "isCurrent", "after", "now", "retain", "release"})
    public static class QueueTable extends Structure {
        public long size;
        public Async async;
        public Pointer isCurrent, after, now, retain;
        public Destroy release;
    }

    interface Async extends Callback {
        int call(Pointer context, Pointer work, Pointer workContext, Pointer destroy);
    }

    interface CompactMap extends Callback {
        boolean call(Pointer context, Value.ByValue value, Pointer event);
    }

    interface Receive extends Callback {
        void call(Pointer context, Value.ByValue value);
    }

    interface Completed extends Callback {
        void call(Pointer context);
    }

    interface Destroy extends Callback {
        void call(Pointer context);
    }

    static native String sgk_last_error();
    static native long sgk_live_total();
    static native void sgk_release(Pointer handle);

    static native Value.ByValue sgk_string_n(byte[] text, long length);
    static native Pointer sgk_value_data(Value.ByValue value, long[] length);
    static native long sgk_value_describe(Value.ByValue value, byte[] text, long size);
    static native void sgk_value_release(Value.ByValue value);
    static native Value.ByValue sgk_event_make_next(Value.ByValue value);
    static native Value.ByValue sgk_event_make_error(Value.ByValue error);

    static native Pointer sgk_signal_single(Value.ByValue value);
    static native Pointer sgk_signal_fail(Value.ByValue error);
    static native Pointer sgk_merge_signals(Pointer signals, long count);
    static native Pointer sgk_signal_compact_map(Pointer signal, CompactMap map, Pointer context, Destroy destroy);
    static native Pointer sgk_signal_from_events(Pointer signal);
    static native Pointer sgk_signal_take(Pointer signal, long count);
    static native Pointer sgk_signal_then(Pointer signal, Pointer next);
    static native Pointer sgk_signal_run_on(Pointer signal, Pointer queue);
    static native Pointer sgk_signal_deliver_on(Pointer signal, Pointer queue);
    static native Pointer sgk_signal_start(Pointer signal, Handlers handlers);
    static native int sgk_disposable_dispose(Pointer disposable);

    static native Pointer sgk_pipe_create();
    static native Pointer sgk_pipe_signal(Pointer pipe);
    static native int sgk_pipe_next(Pointer pipe, Value.ByValue value);
    static native int sgk_pipe_complete(Pointer pipe);
    static native Pointer sgk_queue_create(String name);
    static native Pointer sgk_queue_create_custom(QueueTable table, Pointer context);
}
