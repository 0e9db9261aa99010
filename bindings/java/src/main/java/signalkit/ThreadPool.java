package signalkit;

/** A fixed number of threads. Closing it ends them. */
public final class ThreadPool extends Handle {
    /**
     * Creates a pool of normal priority.
     *
     * @param threads the number of threads
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
     * Runs the function on any thread of the pool, unless the returned object is disposed before.
     *
     * @param work the function
     * @return the disposable
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
     * Returns whether the caller runs on a thread of the pool.
     *
     * @return true on a thread of the pool
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
