package signalkit;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;

/** A queue whose functions run on the thread that calls {@link #run}: that of {@code main}, or any other. */
public final class Loop extends DispatchQueue {
    private final Work work;

    /** The pending work of the thread. */
    static final class Work implements Executor {
        private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        private volatile Thread thread;
        private volatile boolean running;
        private volatile boolean closed;

        @Override
        public void execute(Runnable task) {
            if (closed) throw new RejectedExecutionException("the loop is closed");
            tasks.add(task);
        }

        boolean isCurrent() {
            return Thread.currentThread() == thread;
        }
    }

    /** One that nobody runs yet. */
    public Loop() {
        this(new Work());
    }

    private Loop(Work work) {
        super(Executing.queue(work, true));
        this.work = work;
    }

    /**
     * Runs the pending work on this thread, until {@link #stop}.
     *
     * @throws InterruptedException if the thread is interrupted during the call
     */
    public void run() throws InterruptedException {
        begin();
        try {
            work.running = true;
            while (work.running) work.tasks.take().run();
        } finally {
            work.thread = null;
        }
    }

    /** Runs what there is to do by now. */
    public void drain() {
        begin();
        try {
            for (int left = work.tasks.size(); left > 0; left--) {
                Runnable task = work.tasks.poll();
                if (task == null) return;
                task.run();
            }
        } finally {
            work.thread = null;
        }
    }

    private void begin() {
        synchronized (work) {
            if (work.thread != null) throw new UsageException("Loop: runs already");
            work.thread = Thread.currentThread();
        }
    }

    /** Makes {@link #run} return. Any thread. */
    public void stop() {
        work.tasks.add(() -> work.running = false);
    }

    /** Releases it and its pending work. */
    @Override
    public void close() {
        work.closed = true;
        super.close();
    }
}
