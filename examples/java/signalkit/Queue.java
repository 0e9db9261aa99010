package signalkit;

import com.sun.jna.Pointer;
import java.util.concurrent.Executor;

/** Runs work in order, one at a time. */
public final class Queue extends Handle {
    private Queue(Pointer pointer) {
        super(pointer);
    }

    /** A queue on threads of the library. */
    public Queue(String name) {
        super(C.sgk_queue_create(name));
    }

    /** A queue on an executor, which must run its tasks one at a time: such as that of a loop. */
    public static Queue on(Executor executor) {
        C.QueueTable table = new C.QueueTable();
        table.size = table.size();
        table.async = Functions.ASYNC;
        table.release = Functions.DESTROY;
        return new Queue(C.sgk_queue_create_custom(table, Functions.context(executor)));
    }
}
