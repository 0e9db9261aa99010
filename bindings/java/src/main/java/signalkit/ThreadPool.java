package signalkit;

/** A fixed number of threads. Closing it ends them. */
public final class ThreadPool extends Handle {
    /**
     * Of an ordinary priority.
     *
     * @param threads how many
     */
    public ThreadPool(int threads) {
        this(threads, 0.5);
    }

    /**
     * Of a priority.
     *
     * @param threads how many
     * @param priority from 0 to 1
     */
    public ThreadPool(int threads, double priority) {
        super(C.sgk_thread_pool_create(threads, priority));
    }

    /**
     * Runs the function on any of the threads, unless what is returned is disposed of before.
     *
     * @param work the function
     * @return what stops it
     */
    public Disposable addTask(Runnable work) {
        Receiver receiver = new Receiver("addTask", work);
        try (Lent lent = new Lent()) {
            long task = C.sgk_thread_pool_add_task(lent.of(this), Entries.WORK, receiver.kept(), Border.DESTROY);
            Disposable disposable = new Disposable(task);
            receiver.stoppedBy(task);
            return disposable;
        }
    }

    /**
     * A new serial queue on the pool.
     *
     * @return it
     */
    public DispatchQueue nextQueue() {
        try (Lent lent = new Lent()) {
            return new DispatchQueue(C.sgk_thread_pool_next_queue(lent.of(this)));
        }
    }

    /**
     * The pool as a concurrent queue, which keeps it.
     *
     * @return it
     */
    public DispatchQueue queue() {
        try (Lent lent = new Lent()) {
            return new DispatchQueue(C.sgk_thread_pool_queue(lent.of(this)));
        }
    }

    /**
     * Whether this is one of its threads.
     *
     * @return that
     */
    public boolean isCurrentThreadInPool() {
        try (Lent lent = new Lent()) {
            return C.sgk_thread_pool_is_current_thread_in_pool(lent.of(this)) != 0;
        }
    }

    /** Lets the tasks that wait go, and ends the threads. */
    public void shutdown() {
        try (Lent lent = new Lent()) {
            Border.done(C.sgk_thread_pool_shutdown(lent.of(this)));
        }
    }
}
