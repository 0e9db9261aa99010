package signalkit;

import com.sun.jna.Callback;
import com.sun.jna.Function;
import com.sun.jna.Pointer;
import java.lang.ref.Cleaner;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A queue whose work an executor runs. */
final class Executing {
    private static final Cleaner CLEANER = Cleaner.create();

    interface Async extends Callback {
        int call(long context, Pointer work, long workContext, Pointer destroy);
    }

    private Executing() {}

    /** @param current whether the executor is a {@link Loop.Work}, which knows its thread */
    static long queue(Executor executor, boolean current) {
        Receiver receiver = new Receiver("executor", executor);
        long[] table = new long[C.QUEUE_TABLE_BYTES / Long.BYTES]; // what it has no functions for is null
        table[0] = C.QUEUE_TABLE_BYTES;
        table[1] = ASYNC;
        table[2] = current ? IS_CURRENT : 0;
        table[6] = Border.DESTROY;
        return C.sgk_queue_create_custom(table, receiver.kept());
    }

    /** Work that is released once, run or not, because an executor that ends may drop it. */
    private record Owned(Pointer destroy, long context) implements Runnable {
        @Override
        public void run() {
            call(destroy, context);
        }
    }

    private static final class Work implements Runnable {
        private final Pointer work;
        private final long context;
        private final AtomicBoolean begun = new AtomicBoolean();
        private final Cleaner.Cleanable owned;

        Work(Pointer work, long context, Pointer destroy) {
            this.work = work;
            this.context = context;
            owned = CLEANER.register(this, new Owned(destroy, context));
        }

        /** Releases the work. If the executor still runs it, it does nothing. */
        void refused() {
            if (begun.compareAndSet(false, true)) owned.clean();
        }

        @Override
        public void run() {
            if (!begun.compareAndSet(false, true)) return; // an executor that does things twice
            try {
                call(work, context);
            } finally {
                owned.clean();
            }
        }
    }

    private static void call(Pointer function, long context) {
        Function.getFunction(function).invokeVoid(new Object[] {context});
    }

    private static final long ASYNC = Border.entry((Async) (context, work, workContext, destroy) -> {
        Work task = new Work(work, workContext, destroy);
        try {
            Receiver.of(context).<Executor>function().execute(task);
            return C.OK;
        } catch (RejectedExecutionException refused) {
            task.refused();
            return C.ERROR_ENDED;
        } catch (Throwable thrown) {
            SignalKit.unheard("executor", thrown);
            task.refused();
            return C.ERROR_ENDED;
        }
    });
    private static final long IS_CURRENT = Border.entry((Entries.OfByte1) context -> {
        try {
            return (byte) (Receiver.of(context).<Loop.Work>function().isCurrent() ? 1 : 0);
        } catch (Throwable ended) {
            return 0;
        }
    });
}
