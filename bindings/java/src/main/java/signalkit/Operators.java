// Written by scripts/java.py from bindings/api.json.
package signalkit;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The operators of the library, and where signals come from. */
abstract class Operators<T> extends SignalHandle<T> {
    Operators(long pointer) {
        super(pointer);
    }

    // ---- Where signals come from ----

    /**
     * Emits ints, the bits of what {@code fd} is ready for (SGK_FD_READ, SGK_FD_WRITE, SGK_FD_HANGUP), of those that
     * {@code events} has: once, and again when that has been handled, as long as it is so. So who does not read gets
     * the same again; a regular file is always ready. Reading and writing is the program's affair. Completes when
     * nothing but SGK_FD_HANGUP is left, which it emits before (not of a socket, which stays readable: who has read its
     * end disposes); fails with the error that waits at a socket, and with EPIPE when nobody reads the pipe that {@code
     * fd} writes to. {@code events} is SGK_FD_READ, SGK_FD_WRITE, or both.
     *
     * @param fd a number
     * @param events a number
     * @param queue where that is done
     * @return the signal
     */
    public static Signal<Long> fd(long fd, long events, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_fd(fd, events, lent.of(queue, "fd.queue")));
        }
    }

    /**
     * Reads lines from {@code fd}, and emits each as a string, without the newline; what else there is, NULs and
     * carriage returns, stays. What comes after the last newline is a line, unless it is empty. Completes at the end of
     * what there is to read. A line of more than {@code limit} bytes (1 or more) fails the run with EMSGSIZE, after the
     * lines before it. Up to 64 KiB are read at once, what is longer than a line included: of that nobody else hears.
     *
     * @param fd a number
     * @param limit how many
     * @param queue where that is done
     * @return the signal
     */
    public static Signal<String> lines(long fd, long limit, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_lines(fd, limit, lent.of(queue, "lines.queue")));
        }
    }

    /**
     * Reads from {@code fd}, at most {@code chunk} bytes (1 or more) at once, and emits them as bytes as they come.
     * Completes at the end of what there is to read. Not for sockets of datagrams, where an empty one would be the end.
     *
     * @param fd a number
     * @param chunk a number
     * @param queue where that is done
     * @return the signal
     */
    public static Signal<byte[]> bytes(long fd, long chunk, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_bytes(fd, chunk, lent.of(queue, "bytes.queue")));
        }
    }

    /**
     * Emits the int {@code signo} for each such signal that comes to the process (several that come at once may be one;
     * what raise and pthread_kill send is for one thread, and does not come here). Never completes. It must be blocked,
     * by pthread_sigmask, in all threads, before any other is made: where it is not blocked it does what it does
     * otherwise, which may end the program. If it is not in the thread that starts a run, the run fails with EINVAL,
     * and the error's text says that; if it is not in another one, each start writes a warning to the log. (The
     * library's own threads block all signals; programs that are started by this one inherit the mask.) Of several runs
     * for one signal each gets some: share one. Only on Linux; elsewhere fails with ENOTSUP.
     *
     * @param signo a number
     * @param queue where that is done
     * @return the signal
     */
    public static Signal<Long> unixSignal(long signo, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_unix_signal(signo, lent.of(queue, "unixSignal.queue")));
        }
    }

    /**
     * Waits for the end of the child process {@code pid}, emits how it was, and completes: its exit status, 0 or more,
     * or less than 0, the signal that has ended it (-9 for SIGKILL). The child is reaped by that, and no other is:
     * start it before anything else waits for it, or this fails with ECHILD, as it does for a process that is none of
     * this one's children, and for each that ends where SIGCHLD is ignored. A child that is not waited for any more, as
     * the run was disposed, is the program's to reap. Needs Linux 5.3, or fails with ENOSYS; on other systems ENOTSUP.
     *
     * @param pid a number
     * @param queue where that is done
     * @return the signal
     */
    public static Signal<Long> child(long pid, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_child(pid, lent.of(queue, "child.queue")));
        }
    }

    /**
     * Emits what happens to the file at {@code path}, or to the folder and what is in it, of what {@code mask} has (the
     * bits SGK_FILE_…, which are inotify's IN_…): arrays of an int, one of those bits, with SGK_FILE_IS_FOLDER perhaps;
     * a string, the name in the folder, empty for what is watched itself; and an int that is the same for both halves
     * of a renaming, otherwise 0. {@code path} is copied. Completes when what is watched is gone, or is not mounted any
     * more; fails with ENOBUFS when so much has happened that some of it is lost (look anew, and start again), with
     * ENOSPC when there are too many watches. Only on Linux; elsewhere fails with ENOTSUP.
     *
     * @param path a text
     * @param mask a number
     * @param queue where that is done
     * @return the signal
     */
    public static Signal<List<Object>> fileChanges(String path, long mask, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_file_changes(path, mask, lent.of(queue, "fileChanges.queue")));
        }
    }

    /**
     * Emits an array of the latest values of all {@code count} signals, in their order, for each value of any of them,
     * once every one has emitted. Completes when all have completed; the first error ends it. With a {@code queue} (may
     * be null) what the signals emit is processed and delivered there; otherwise on the emitting threads, one at a
     * time. No signals: one empty array, and the end.
     *
     * @param <T> what is emitted
     * @param signals them
     * @param queue where that is done
     * @return the signal
     */
    public static <T> Signal<List<T>> combineLatest(List<? extends Signal<? extends T>> signals, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return joined(C.sgk_combine_latest(lent.all(signals), signals.size(), lent.of(queue,
                "combineLatest.queue")), signals);
        }
    }

    /**
     * Emits an array of the latest values of all {@code count} signals, in their order, for each value of any of them,
     * once every one has emitted. Completes when all have completed; the first error ends it. With a {@code queue} (may
     * be null) what the signals emit is processed and delivered there; otherwise on the emitting threads, one at a
     * time. No signals: one empty array, and the end.
     *
     * @param <T> what is emitted
     * @param signals them
     * @return the signal
     */
    public static <T> Signal<List<T>> combineLatest(List<? extends Signal<? extends T>> signals) {
        try (Lent lent = new Lent()) {
            return joined(C.sgk_combine_latest(lent.all(signals), signals.size(), 0), signals);
        }
    }

    /**
     * Starts all {@code count} signals, in their order, and passes every value of any of them on. Completes when all
     * have completed, without signals at once; the first error ends it.
     *
     * @param <T> what is emitted
     * @param signals them
     * @return the signal
     */
    public static <T> Signal<T> mergeSignals(List<? extends Signal<? extends T>> signals) {
        try (Lent lent = new Lent()) {
            return joined(C.sgk_merge_signals(lent.all(signals), signals.size()), signals);
        }
    }

    /**
     * Emits an array of the first values of all {@code count} signals, in their order, then of the second ones, and so
     * on. Of each at most {@code limit} values (1 or more, or none) wait for those of the others; what comes then goes
     * by {@code overflow}. {@link Overflow#SUSPEND} is refused: the thread that would wait may be the one that brings
     * the others. {@code error} is what {@link Overflow#ERROR} ends the run with, at once; otherwise it does not
     * matter; {@code counter} may be null. Completes as soon as one has completed of which no value waits, without
     * signals at once; the first error ends it.
     *
     * @param <T> what is emitted
     * @param signals them
     * @param bound how much has room, and what happens otherwise
     * @return the signal
     */
    public static <T> Signal<List<T>> zip(List<? extends Signal<? extends T>> signals, Bound bound) {
        try (Lent lent = new Lent()) {
            long[] h0 = lent.all(signals);
            long h1 = lent.optional(bound.counter());
            Given v4 = Values.give(bound.error("zip"));
            return joined(C.sgk_zip(h0, signals.size(), bound.limit(), bound.overflow(), v4.word(), v4.bits(), h1),
                signals);
        }
    }

    /**
     * Emits an array of the first values of all {@code count} signals, in their order, then of the second ones, and so
     * on. Of each at most {@code limit} values (1 or more, or none) wait for those of the others; what comes then goes
     * by {@code overflow}. {@link Overflow#SUSPEND} is refused: the thread that would wait may be the one that brings
     * the others. {@code error} is what {@link Overflow#ERROR} ends the run with, at once; otherwise it does not
     * matter; {@code counter} may be null. Completes as soon as one has completed of which no value waits, without
     * signals at once; the first error ends it.
     *
     * @param <T> what is emitted
     * @param signals them
     * @return the signal
     */
    public static <T> Signal<List<T>> zip(List<? extends Signal<? extends T>> signals) {
        Bound bound = Bound.NONE;
        try (Lent lent = new Lent()) {
            long[] h0 = lent.all(signals);
            long h1 = lent.optional(bound.counter());
            Given v4 = Values.give(bound.error("zip"));
            return joined(C.sgk_zip(h0, signals.size(), bound.limit(), bound.overflow(), v4.word(), v4.bits(), h1),
                signals);
        }
    }

    /**
     * Follows the first of {@code count} signals to send an event of any kind; the others are disposed before that is
     * passed on. They are started in their order; one that sends something at once wins, and those behind it are not
     * started. Without signals it completes at once.
     *
     * @param <T> what is emitted
     * @param signals them
     * @return the signal
     */
    public static <T> Signal<T> race(List<? extends Signal<? extends T>> signals) {
        try (Lent lent = new Lent()) {
            return joined(C.sgk_race(lent.all(signals), signals.size()), signals);
        }
    }

    /**
     * A signal that calls {@code generator()} for each start, on the starting thread, and behaves as what that returns.
     *
     * @param <T> what is emitted
     * @param generator the function
     * @return the signal
     */
    public static <T> Signal<T> deferred(Supplier<? extends Signal<? extends T>> generator) {
        Receiver receiver = new Receiver("deferred", generator);
        return made(C.sgk_signal_deferred(Entries.DEFERRED, receiver.known(), Border.DESTROY), receiver);
    }

    /**
     * Runs {@code count} signals one after another, each when the one before has completed, as a row of then does. The
     * first error ends it; without any it completes at once.
     *
     * @param <T> what is emitted
     * @param signals them
     * @return the signal
     */
    public static <T> Signal<T> concat(List<? extends Signal<? extends T>> signals) {
        try (Lent lent = new Lent()) {
            return joined(C.sgk_concat(lent.all(signals), signals.size()), signals);
        }
    }

    /**
     * A signal that emits one value and completes, inside the start.
     *
     * @param <T> what is emitted
     * @param value the value
     * @return the signal
     */
    public static <T> Signal<T> single(T value) {
        Given v0 = Values.give(value);
        return made(C.sgk_signal_single(v0.word(), v0.bits()));
    }

    /**
     * A signal that completes inside the start.
     *
     * @param <T> what is emitted
     * @return the signal
     */
    public static <T> Signal<T> complete() {
        return made(C.sgk_signal_complete());
    }

    /**
     * A signal that emits nothing and never ends.
     *
     * @param <T> what is emitted
     * @return the signal
     */
    public static <T> Signal<T> never() {
        return made(C.sgk_signal_never());
    }

    /**
     * Emits {@code count} ints (0 or more), beginning with {@code first}, each greater by one, inside each start, as
     * long as somebody listens, and completes. The last must be an int64_t as well.
     *
     * @param first a number
     * @param count a number
     * @return the signal
     */
    public static Signal<Long> range(long first, long count) {
        return made(C.sgk_signal_range(first, count));
    }

    /**
     * Emits the ints 0, 1, 2 … on {@code queue}: n at (n + 1) * {@code seconds} after the start by the queue's clock,
     * whatever time the deliveries take. What falls due while a number is being delivered is skipped, as the next
     * number tells. Never ends. {@code seconds} must be more than 0 and finite; less than a microsecond is taken for
     * one.
     *
     * @param seconds seconds
     * @param queue where that is done
     * @return the signal
     */
    public static Signal<Long> interval(double seconds, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_interval(seconds, lent.of(queue, "interval.queue")));
        }
    }

    /**
     * Emits the int 0 on {@code queue}, {@code seconds} after the start by the queue's clock, and completes. {@code
     * seconds} must be 0 or more; infinity is never.
     *
     * @param seconds seconds
     * @param queue where that is done
     * @return the signal
     */
    public static Signal<Long> timer(double seconds, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_timer(seconds, lent.of(queue, "timer.queue")));
        }
    }

    // ---- Operators ----

    /**
     * Writes the strings and bytes that {@code signal} emits to {@code fd}, on {@code queue}, one after another without
     * anything between them; any other kind of value fails the run with EINVAL. Emits nothing; completes, or fails, as
     * {@code signal} does, when all before that is written. At most {@code limit} bytes (1 or more) wait, or one value
     * that is longer, beside as many that are being written: who emits more is blocked until there is room, or the run
     * is disposed. On {@code queue} itself, where that would wait for itself, as much is written as can be, and if that
     * is not enough the run fails with ENOBUFS. When nobody reads any more: EPIPE. Disposal drops what waits. With
     * {@code closes}, {@code fd} becomes the run's, and is closed when it is over, before its end is told, also after a
     * failure; so such a signal is started once. Without, it stays as it is. Not for sockets of datagrams, of which it
     * knows no borders.
     *
     * @param fd a number
     * @param limit how many
     * @param closes whether so
     * @param queue where that is done
     * @return the signal
     */
    public Signal<T> sinkFd(long fd, long limit, boolean closes, DispatchQueue queue) {
        Signal<?> data = ((Signal<T>) this).map(Values::asData);
        try (Lent lent = new Lent()) {
            return made(C.sgk_sink_fd(lent.of(data), fd, limit, closes, lent.of(queue, "sinkFd.queue")), data);
        }
    }

    /**
     * Emits an array of each value and the latest one of {@code other}. Values that come before the first of {@code
     * other} are dropped.
     *
     * @param other the other signal
     * @return the signal
     */
    public Signal<List<Object>> withLatestFrom(Signal<?> other) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_with_latest_from(lent.of(this), lent.of(other, "withLatestFrom.other")), this,
                other);
        }
    }

    /**
     * Calls {@code f(value)} with each value after it has been passed on, also when that has ended or disposed the run.
     *
     * @param f the function
     * @return the signal
     */
    public Signal<T> afterNext(Consumer<? super T> f) {
        Handle source = again();
        return guarded("afterNext", f, (lent, context) -> C.sgk_signal_after_next(lent.of(source), Entries.NEXT,
            context, Border.DESTROY), this);
    }

    /**
     * Calls {@code f()} for each start, before the signal is started.
     *
     * @param f the function
     * @return the signal
     */
    public Signal<T> beforeStarted(Runnable f) {
        Handle source = again();
        return guarded("beforeStarted", f, (lent, context) -> C.sgk_signal_before_started(lent.of(source),
            Entries.ACTION, context, Border.DESTROY), this);
    }

    /**
     * Calls {@code f(error)} before the error is passed on.
     *
     * @param f the function
     * @return the signal
     */
    public Signal<T> beforeError(Consumer<? super Throwable> f) {
        Handle source = again();
        return guarded("beforeError", f, (lent, context) -> C.sgk_signal_before_error(lent.of(source), Entries.ERROR,
            context, Border.DESTROY), this);
    }

    /**
     * Calls {@code f()} before completion is passed on.
     *
     * @param f the function
     * @return the signal
     */
    public Signal<T> beforeCompleted(Runnable f) {
        Handle source = again();
        return guarded("beforeCompleted", f, (lent, context) -> C.sgk_signal_before_completed(lent.of(source),
            Entries.COMPLETED, context, Border.DESTROY), this);
    }

    /**
     * Calls {@code f()} after completion has been passed on and the source disposed (one that completes inside the
     * start is disposed after it).
     *
     * @param f the function
     * @return the signal
     */
    public Signal<T> afterCompleted(Runnable f) {
        try (Lent lent = new Lent()) {
            Receiver receiver = new Receiver("afterCompleted", f);
            return made(C.sgk_signal_after_completed(lent.of(this), Entries.COMPLETED, receiver.known(),
                Border.DESTROY), this, receiver);
        }
    }

    /**
     * Gives {@code signal} a name: what setUnhandledErrorHandler says of an error that goes through here, and on to the
     * end of its run on the same thread. Where several names stand in its way it is that of the last. {@code name} is
     * copied; null is an error.
     *
     * @param name a text
     * @return the signal
     */
    public Signal<T> named(String name) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_named(lent.of(this), name), this);
        }
    }

    /**
     * Writes a line to the log (see setLogHandler) for whatever happens to a run, before it is passed on: {@code name#7
     * next 42}. Each run has a number of its own. Long lines are cut. {@code name} is copied, and is that of named as
     * well; null is an error.
     *
     * @param name a text
     * @return the signal
     */
    public Signal<T> trace(String name) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_trace(lent.of(this), name), this);
        }
    }

    /**
     * Follows the latest inner signal: a new one is started, then the one before it disposed.
     *
     * @param <T> what is emitted
     * @param signals the signal of signals
     * @return the signal
     */
    public static <T> Signal<T> switchToLatest(Signal<? extends Signal<? extends T>> signals) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_switch_to_latest(lent.of(signals, "switchToLatest.signals")), signals);
        }
    }

    /**
     * Runs the inner signals one after another, each to its end; those that wait are kept, without a bound. (The
     * operator {@code queue} of Swift, {@code concat} of Rx. Signals that do not come from one signal are run one after
     * another by a sequencer.)
     *
     * @param <T> what is emitted
     * @param signals the signal of signals
     * @return the signal
     */
    public static <T> Signal<T> queued(Signal<? extends Signal<? extends T>> signals) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_queued(lent.of(signals, "queued.signals")), signals);
        }
    }

    /**
     * Runs one inner signal after another; of those that arrive while one runs only the latest is kept.
     *
     * @param <T> what is emitted
     * @param signals the signal of signals
     * @return the signal
     */
    public static <T> Signal<T> throttled(Signal<? extends Signal<? extends T>> signals) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_throttled(lent.of(signals, "throttled.signals")), signals);
        }
    }

    /**
     * Passes the signal on until {@code replacement}, a signal of signals that is started first, emits another one,
     * which takes its place; the next one replaces that in turn. Completes when the current one has. The completion of
     * {@code replacement} means nothing, its error ends the result.
     *
     * @param replacement the other signal
     * @return the signal
     */
    public Signal<T> takeUntilReplacement(Signal<? extends T> replacement) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_take_until_replacement(lent.of(this), lent.of(replacement,
                "takeUntilReplacement.replacement")), this, replacement);
        }
    }

    /**
     * Follows the signal that {@code map(value)} returns for the latest value, as switchToLatest does.
     *
     * @param <U> what is emitted
     * @param map the function
     * @return the signal
     */
    public <U> Signal<U> mapToSignal(Function<? super T, ? extends Signal<? extends U>> map) {
        try (Lent lent = new Lent()) {
            Receiver receiver = new Receiver("mapToSignal", map);
            return made(C.sgk_signal_map_to_signal(lent.of(this), Entries.MAP_TO_SIGNAL, receiver.known(),
                Border.DESTROY), this, receiver);
        }
    }

    /**
     * Runs the signals that {@code map(value)} returns one after another. {@code map} is called when the value arrives.
     *
     * @param <U> what is emitted
     * @param map the function
     * @return the signal
     */
    public <U> Signal<U> mapToQueue(Function<? super T, ? extends Signal<? extends U>> map) {
        try (Lent lent = new Lent()) {
            Receiver receiver = new Receiver("mapToQueue", map);
            return made(C.sgk_signal_map_to_queue(lent.of(this), Entries.MAP_TO_SIGNAL, receiver.known(),
                Border.DESTROY), this, receiver);
        }
    }

    /**
     * Runs the signals that {@code map(value)} returns one after another; of those that arrive while one runs only the
     * latest is kept. {@code map} is called for every value.
     *
     * @param <U> what is emitted
     * @param map the function
     * @return the signal
     */
    public <U> Signal<U> mapToThrottled(Function<? super T, ? extends Signal<? extends U>> map) {
        try (Lent lent = new Lent()) {
            Receiver receiver = new Receiver("mapToThrottled", map);
            return made(C.sgk_signal_map_to_throttled(lent.of(this), Entries.MAP_TO_SIGNAL, receiver.known(),
                Border.DESTROY), this, receiver);
        }
    }

    /**
     * Runs the inner signals at the same time, at most {@code limit} of them (1 or more; none: all), and passes their
     * values on, one at a time. Those that find no place wait, at most {@code waiting} of them (0 or more, or none);
     * what comes then goes by {@code overflow}. {@link Overflow#SUSPEND} is refused: the thread that would wait may be
     * the one that makes room. {@code error} is what {@link Overflow#ERROR} ends the run with, at once; otherwise it
     * does not matter; {@code counter} may be null. Values of signals: see above.
     *
     * @param <T> what is emitted
     * @param signals the signal of signals
     * @param limit how many
     * @param bound how much has room, and what happens otherwise
     * @return the signal
     */
    public static <T> Signal<T> merged(Signal<? extends Signal<? extends T>> signals, long limit, Bound bound) {
        try (Lent lent = new Lent()) {
            long h0 = lent.of(signals, "merged.signals");
            long h1 = lent.optional(bound.counter());
            Given v4 = Values.give(bound.error("merged"));
            return made(C.sgk_signal_merged(h0, limit, bound.limit(), bound.overflow(), v4.word(), v4.bits(), h1),
                signals);
        }
    }

    /**
     * Runs the inner signals at the same time, at most {@code limit} of them (1 or more; none: all), and passes their
     * values on, one at a time. Those that find no place wait, at most {@code waiting} of them (0 or more, or none);
     * what comes then goes by {@code overflow}. {@link Overflow#SUSPEND} is refused: the thread that would wait may be
     * the one that makes room. {@code error} is what {@link Overflow#ERROR} ends the run with, at once; otherwise it
     * does not matter; {@code counter} may be null. Values of signals: see above.
     *
     * @param <T> what is emitted
     * @param signals the signal of signals
     * @return the signal
     */
    public static <T> Signal<T> merged(Signal<? extends Signal<? extends T>> signals) {
        Bound bound = Bound.NONE;
        try (Lent lent = new Lent()) {
            long h0 = lent.of(signals, "merged.signals");
            long h1 = lent.optional(bound.counter());
            Given v4 = Values.give(bound.error("merged"));
            return made(C.sgk_signal_merged(h0, C.UNBOUNDED, bound.limit(), bound.overflow(), v4.word(), v4.bits(), h1),
                signals);
        }
    }

    /**
     * As merged (also as to {@code limit}, {@code waiting}, {@code overflow}, {@code error} and {@code counter}), of
     * the signals that {@code map(value)} returns. {@code map} is called when the value arrives.
     *
     * @param <U> what is emitted
     * @param limit how many
     * @param bound how much has room, and what happens otherwise
     * @param map the function
     * @return the signal
     */
    public <U> Signal<U> mapToMerged(long limit, Bound bound, Function<? super T, ? extends Signal<? extends U>> map) {
        try (Lent lent = new Lent()) {
            Receiver receiver = new Receiver("mapToMerged", map);
            long h0 = lent.of(this);
            long h1 = lent.optional(bound.counter());
            Given v4 = Values.give(bound.error("mapToMerged"));
            return made(C.sgk_signal_map_to_merged(h0, limit, bound.limit(), bound.overflow(), v4.word(), v4.bits(), h1,
                Entries.MAP_TO_SIGNAL, receiver.known(), Border.DESTROY), this, receiver);
        }
    }

    /**
     * As merged (also as to {@code limit}, {@code waiting}, {@code overflow}, {@code error} and {@code counter}), of
     * the signals that {@code map(value)} returns. {@code map} is called when the value arrives.
     *
     * @param <U> what is emitted
     * @param map the function
     * @return the signal
     */
    public <U> Signal<U> mapToMerged(Function<? super T, ? extends Signal<? extends U>> map) {
        Bound bound = Bound.NONE;
        try (Lent lent = new Lent()) {
            Receiver receiver = new Receiver("mapToMerged", map);
            long h0 = lent.of(this);
            long h1 = lent.optional(bound.counter());
            Given v4 = Values.give(bound.error("mapToMerged"));
            return made(C.sgk_signal_map_to_merged(h0, C.UNBOUNDED, bound.limit(), bound.overflow(), v4.word(),
                v4.bits(), h1, Entries.MAP_TO_SIGNAL, receiver.known(), Border.DESTROY), this, receiver);
        }
    }

    /**
     * Runs the signal that {@code map(value)} returns, unless one runs already: then the value is dropped, and {@code
     * map} not called for it.
     *
     * @param <U> what is emitted
     * @param map the function
     * @return the signal
     */
    public <U> Signal<U> mapToFirst(Function<? super T, ? extends Signal<? extends U>> map) {
        try (Lent lent = new Lent()) {
            Receiver receiver = new Receiver("mapToFirst", map);
            return made(C.sgk_signal_map_to_first(lent.of(this), Entries.MAP_TO_SIGNAL, receiver.known(),
                Border.DESTROY), this, receiver);
        }
    }

    /**
     * Fails with {@code map(error)} when the signal fails; leaves the rest alone.
     *
     * @param map the function
     * @return the signal
     */
    public Signal<T> mapError(Function<? super Throwable, ? extends Throwable> map) {
        Handle source = again();
        return guarded("mapError", Failure.told(map), (lent, context) -> C.sgk_signal_map_error(lent.of(source),
            Entries.MAP, context, Border.DESTROY), this);
    }

    /**
     * Passes only the end.
     *
     * @return the signal
     */
    public Signal<T> ignoreValues() {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_ignore_values(lent.of(this)), this);
        }
    }

    /**
     * Drops a value that equals (valueEqual) the last one that passed. Serial: one value at a time, whatever the number
     * of emitting threads.
     *
     * @return the signal
     */
    public Signal<T> distinctUntilChanged() {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_distinct_until_changed(lent.of(this)), this);
        }
    }

    /**
     * Drops a value for which {@code equal(last that passed, value)} is true. Serial.
     *
     * @param equal the function
     * @return the signal
     */
    public Signal<T> distinctUntilChanged(BiPredicate<? super T, ? super T> equal) {
        Handle source = again();
        return guarded("distinctUntilChanged", equal, (lent, context) ->
            C.sgk_signal_distinct_until_changed_by(lent.of(source), Entries.EQUAL, context, Border.DESTROY), this);
    }

    /**
     * Passes the events of a source that emits from several threads, or from inside its own callbacks, one at a time: a
     * plain chain does not queue, this does. An event that comes while another is being delivered is delivered after
     * it, by whoever is at it.
     *
     * @return the signal
     */
    public Signal<T> serialized() {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_serialized(lent.of(this)), this);
        }
    }

    /**
     * Folds all values into one with {@code reduce}, beginning with {@code initial}, and emits it at completion, also
     * when there were no values. An error drops it. Serial.
     *
     * @param <U> what is accumulated
     * @param initial the value
     * @param reduce the function
     * @return the signal
     */
    public <U> Signal<U> reduceLeft(U initial, BiFunction<? super U, ? super T, ? extends U> reduce) {
        Handle source = again();
        return guarded("reduceLeft", reduce, (lent, context) -> {
            Given v1 = Values.give(initial);
            return C.sgk_signal_reduce_left(lent.of(source), v1.word(), v1.bits(), Entries.REDUCE, context,
                Border.DESTROY);
        }, this);
    }

    /**
     * As reduceLeft, beginning with {@code initial}, with steps ({@code reduce}) that can emit beside accumulating.
     *
     * @param <U> what is accumulated
     * @param <V> what is emitted
     * @param initial the value
     * @param reduce the function
     * @return the signal
     */
    public <U, V> Signal<V> reduceLeftEmitting(U initial, Emitting<U, ? super T, V> reduce) {
        Handle source = again();
        return guarded("reduceLeftEmitting", reduce, (lent, context) -> {
            Given v1 = Values.give(initial);
            return C.sgk_signal_reduce_left_emitting(lent.of(source), v1.word(), v1.bits(), Entries.REDUCE_EMITTING,
                context, Border.DESTROY);
        }, this);
    }

    /**
     * Emits every accumulated value: what {@code reduce} makes of the last one, at first {@code initial}, and each
     * value. Serial.
     *
     * @param <U> what is accumulated
     * @param initial the value
     * @param reduce the function
     * @return the signal
     */
    public <U> Signal<U> scan(U initial, BiFunction<? super U, ? super T, ? extends U> reduce) {
        Handle source = again();
        return guarded("scan", reduce, (lent, context) -> {
            Given v1 = Values.give(initial);
            return C.sgk_signal_scan(lent.of(source), v1.word(), v1.bits(), Entries.REDUCE, context, Border.DESTROY);
        }, this);
    }

    /**
     * Emits each value but the first together with the one before it, as an array of two. Serial.
     *
     * @return the signal
     */
    public Signal<List<T>> pairwise() {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_pairwise(lent.of(this)), this);
        }
    }

    /**
     * Emits each value together with its number, from 0 on, as an array of an int and the value. Serial.
     *
     * @return the signal
     */
    public Signal<Indexed<T>> enumerated() {
        try (Lent lent = new Lent()) {
            return Operators.<List<Object>>made(C.sgk_signal_enumerated(lent.of(this)), this).map(Indexed::of);
        }
    }

    /**
     * Emits all values as one array, at completion, also when there were none; an error drops them. At most {@code
     * limit} (1 or more, or none) are kept; what comes then goes by {@code overflow}. Nobody takes values out before
     * the end, so {@link Overflow#SUSPEND} is an error. {@code error} is what {@link Overflow#ERROR} fails with, at
     * once, otherwise it does not matter; {@code counter} may be null. Serial.
     *
     * @param bound how much has room, and what happens otherwise
     * @return the signal
     */
    public Signal<List<T>> toArray(Bound bound) {
        try (Lent lent = new Lent()) {
            long h0 = lent.of(this);
            long h1 = lent.optional(bound.counter());
            Given v3 = Values.give(bound.error("toArray"));
            return made(C.sgk_signal_to_array(h0, bound.limit(), bound.overflow(), v3.word(), v3.bits(), h1), this);
        }
    }

    /**
     * Emits all values as one array, at completion, also when there were none; an error drops them. At most {@code
     * limit} (1 or more, or none) are kept; what comes then goes by {@code overflow}. Nobody takes values out before
     * the end, so {@link Overflow#SUSPEND} is an error. {@code error} is what {@link Overflow#ERROR} fails with, at
     * once, otherwise it does not matter; {@code counter} may be null. Serial.
     *
     * @return the signal
     */
    public Signal<List<T>> toArray() {
        Bound bound = Bound.NONE;
        try (Lent lent = new Lent()) {
            long h0 = lent.of(this);
            long h1 = lent.optional(bound.counter());
            Given v3 = Values.give(bound.error("toArray"));
            return made(C.sgk_signal_to_array(h0, bound.limit(), bound.overflow(), v3.word(), v3.bits(), h1), this);
        }
    }

    /**
     * Passes the values that have not come before, as valueEqual says. At most {@code limit} (1 or more, or none) are
     * remembered; one that finds no room then goes by {@code overflow}: {@link Overflow#DROP_OLDEST} forgets the
     * oldest, {@link Overflow#KEEP_LATEST} all others, and {@link Overflow#DROP_NEWEST} does not remember it: it
     * passes, and what is forgotten can come again. With {@link Overflow#ERROR} the run fails with {@code error}, which
     * otherwise does not matter; {@link Overflow#SUSPEND} is an error, as nobody makes room. {@code counter} is told
     * how many are forgotten; it may be null. Serial.
     *
     * @param bound how much has room, and what happens otherwise
     * @return the signal
     */
    public Signal<T> distinct(Bound bound) {
        try (Lent lent = new Lent()) {
            long h0 = lent.of(this);
            long h1 = lent.optional(bound.counter());
            Given v3 = Values.give(bound.error("distinct"));
            return made(C.sgk_signal_distinct(h0, bound.limit(), bound.overflow(), v3.word(), v3.bits(), h1), this);
        }
    }

    /**
     * Passes the values that have not come before, as valueEqual says. At most {@code limit} (1 or more, or none) are
     * remembered; one that finds no room then goes by {@code overflow}: {@link Overflow#DROP_OLDEST} forgets the
     * oldest, {@link Overflow#KEEP_LATEST} all others, and {@link Overflow#DROP_NEWEST} does not remember it: it
     * passes, and what is forgotten can come again. With {@link Overflow#ERROR} the run fails with {@code error}, which
     * otherwise does not matter; {@link Overflow#SUSPEND} is an error, as nobody makes room. {@code counter} is told
     * how many are forgotten; it may be null. Serial.
     *
     * @return the signal
     */
    public Signal<T> distinct() {
        Bound bound = Bound.NONE;
        try (Lent lent = new Lent()) {
            long h0 = lent.of(this);
            long h1 = lent.optional(bound.counter());
            Given v3 = Values.give(bound.error("distinct"));
            return made(C.sgk_signal_distinct(h0, bound.limit(), bound.overflow(), v3.word(), v3.bits(), h1), this);
        }
    }

    /**
     * As distinct (also as to {@code limit}, {@code overflow}, {@code error} and {@code counter}), going by what {@code
     * key(value)} makes of the values. Serial.
     *
     * @param bound how much has room, and what happens otherwise
     * @param key the function
     * @return the signal
     */
    public Signal<T> distinct(Bound bound, Function<? super T, ?> key) {
        Handle source = again();
        return guarded("distinct", key, (lent, context) -> {
            long h0 = lent.optional(bound.counter());
            Given v3 = Values.give(bound.error("distinctBy"));
            return C.sgk_signal_distinct_by(lent.of(source), bound.limit(), bound.overflow(), v3.word(), v3.bits(), h0,
                Entries.MAP, context, Border.DESTROY);
        }, this);
    }

    /**
     * As distinct (also as to {@code limit}, {@code overflow}, {@code error} and {@code counter}), going by what {@code
     * key(value)} makes of the values. Serial.
     *
     * @param key the function
     * @return the signal
     */
    public Signal<T> distinct(Function<? super T, ?> key) {
        Bound bound = Bound.NONE;
        Handle source = again();
        return guarded("distinct", key, (lent, context) -> {
            long h0 = lent.optional(bound.counter());
            Given v3 = Values.give(bound.error("distinctBy"));
            return C.sgk_signal_distinct_by(lent.of(source), bound.limit(), bound.overflow(), v3.word(), v3.bits(), h0,
                Entries.MAP, context, Border.DESTROY);
        }, this);
    }

    /**
     * When the signal has completed, goes on with {@code next}, which is started before the first is disposed. The
     * first error ends it.
     *
     * @param next the other signal
     * @return the signal
     */
    public Signal<T> then(Signal<? extends T> next) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_then(lent.of(this), lent.of(next, "then.next")), this, next);
        }
    }

    /**
     * When the signal fails, goes on with the signal that {@code f(error)} returns, which is started before the failed
     * one is disposed. {@code f} is called on the failing thread.
     *
     * @param f the function
     * @return the signal
     */
    public Signal<T> catchError(Function<? super Throwable, ? extends Signal<? extends T>> f) {
        try (Lent lent = new Lent()) {
            Receiver receiver = new Receiver("catchError", Failure.told(f));
            return made(C.sgk_signal_catch(lent.of(this), Entries.MAP_TO_SIGNAL, receiver.known(), Border.DESTROY),
                this, receiver);
        }
    }

    /**
     * Emits {@code value} inside the start, before the signal is started.
     *
     * @param value the value
     * @return the signal
     */
    public Signal<T> startWith(T value) {
        try (Lent lent = new Lent()) {
            long h0 = lent.of(this);
            Given v1 = Values.give(value);
            return made(C.sgk_signal_start_with(h0, v1.word(), v1.bits()), this);
        }
    }

    /**
     * Emits {@code value} when the signal has completed. An error drops it.
     *
     * @param value the value
     * @return the signal
     */
    public Signal<T> endWith(T value) {
        try (Lent lent = new Lent()) {
            long h0 = lent.of(this);
            Given v1 = Values.give(value);
            return made(C.sgk_signal_end_with(h0, v1.word(), v1.bits()), this);
        }
    }

    /**
     * Emits {@code value} if the signal completes without one.
     *
     * @param value the value
     * @return the signal
     */
    public Signal<T> defaultIfEmpty(T value) {
        try (Lent lent = new Lent()) {
            long h0 = lent.of(this);
            Given v1 = Values.give(value);
            return made(C.sgk_signal_default_if_empty(h0, v1.word(), v1.bits()), this);
        }
    }

    /**
     * Goes on with {@code other} if the signal completes without a value; it is started before the first is disposed.
     *
     * @param other the other signal
     * @return the signal
     */
    public Signal<T> switchIfEmpty(Signal<? extends T> other) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_switch_if_empty(lent.of(this), lent.of(other, "switchIfEmpty.other")), this,
                other);
        }
    }

    /**
     * When the signal fails, emits {@code value} and completes instead.
     *
     * @param value the value
     * @return the signal
     */
    public Signal<T> catchAndReturn(T value) {
        try (Lent lent = new Lent()) {
            long h0 = lent.of(this);
            Given v1 = Values.give(value);
            return made(C.sgk_signal_catch_and_return(h0, v1.word(), v1.bits()), this);
        }
    }

    /**
     * Starts the signal again each time it has completed, until it fails or the run is disposed.
     *
     * @return the signal
     */
    public Signal<T> restart() {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_restart(lent.of(this)), this);
        }
    }

    /**
     * Runs the signal {@code count} times, each after the completion of the one before, until it fails. 0 completes at
     * once, without starting it; less is an error.
     *
     * @param count a number
     * @return the signal
     */
    public Signal<T> repeat(long count) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_repeat(lent.of(this), count), this);
        }
    }

    /**
     * Starts the signal again each time it has failed, at once; never fails.
     *
     * @return the signal
     */
    public Signal<T> restartIfError() {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_restart_if_error(lent.of(this)), this);
        }
    }

    /**
     * When the signal fails, starts it again at once, or fails with another error, as {@code condition} says. It is
     * called on the failing thread.
     *
     * @param condition the function
     * @return the signal
     */
    public Signal<T> restartOrMapError(Function<? super Throwable, ? extends Throwable> condition) {
        Handle source = again();
        return guarded("restartOrMapError", condition, (lent, context) ->
            C.sgk_signal_restart_or_map_error(lent.of(source), Entries.RESTART, context, Border.DESTROY), this);
    }

    /**
     * When the signal fails, starts it again at once if {@code predicate(error)} is true, otherwise fails.
     *
     * @param predicate the function
     * @return the signal
     */
    public Signal<T> retryIf(Predicate<? super Throwable> predicate) {
        Handle source = again();
        return guarded("retryIf", Failure.toldWhether(predicate), (lent, context) ->
            C.sgk_signal_retry_if(lent.of(source), Entries.FILTER, context, Border.DESTROY), this);
    }

    /**
     * When the signal fails, waits and starts it again, on {@code queue}; never fails. The first attempt is made on the
     * starting thread. The wait before the second attempt is {@code delay_increment} seconds; each further one is
     * longer by as much, up to {@code max_delay}. With {@code reset_on_value} a value makes the waits short again. The
     * seconds must be 0 or more.
     *
     * @param delayIncrement seconds
     * @param maxDelay seconds
     * @param resetOnValue whether so
     * @param queue where that is done
     * @return the signal
     */
    public Signal<T> retry(double delayIncrement, double maxDelay, boolean resetOnValue, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_retry(lent.of(this), delayIncrement, maxDelay, resetOnValue, lent.of(queue,
                "retry.queue")), this);
        }
    }

    /**
     * As retry (also as to {@code delay_increment}, {@code max_delay} and {@code queue}), after errors for which {@code
     * retry_on_error(error)} is true; any other ends the result. There are {@code max_retries} attempts in all: the
     * error of the last of them ends the result. With 0 or 1 the first error does; less than 0 is without limit. With
     * {@code reset_on_value} a value also makes the attempts uncounted.
     *
     * @param delayIncrement seconds
     * @param maxDelay seconds
     * @param maxRetries a number
     * @param resetOnValue whether so
     * @param predicate the function
     * @param queue where that is done
     * @return the signal
     */
    public Signal<T> retryOnError(double delayIncrement, double maxDelay, long maxRetries, boolean resetOnValue,
            DispatchQueue queue, Predicate<? super Throwable> predicate) {
        Handle source = again();
        Handle queueAgain = queue.again();
        return guarded("retryOnError", Failure.toldWhether(predicate), (lent, context) ->
            C.sgk_signal_retry_on_error(lent.of(source), delayIncrement, maxDelay, maxRetries, resetOnValue,
            Entries.FILTER, context, Border.DESTROY, lent.of(queueAgain, "retryOnError.queue")), this);
    }

    /**
     * When the signal fails, calls {@code when(error, number)}, on the failing thread, and starts it again at the first
     * value of the signal that returns. If that fails, so does the result; if it completes without a value, the result
     * fails with the signal's error.
     *
     * @param when the function
     * @return the signal
     */
    public Signal<T> retryWhen(BiFunction<? super Throwable, ? super Long, ? extends Signal<?>> when) {
        try (Lent lent = new Lent()) {
            Receiver receiver = new Receiver("retryWhen", when);
            return made(C.sgk_signal_retry_when(lent.of(this), Entries.RETRY_WHEN, receiver.known(), Border.DESTROY),
                this, receiver);
        }
    }

    /**
     * Passes the first {@code count} values and completes right after the last of them; the source is stopped. 0
     * completes at once, without starting the source; less is an error. Serial.
     *
     * @param count a number
     * @return the signal
     */
    public Signal<T> take(long count) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_take(lent.of(this), count), this);
        }
    }

    /**
     * Asks {@code until(value)} about each value: whether it passes, and whether the end comes (the source is stopped
     * then). Serial.
     *
     * @param until the function
     * @return the signal
     */
    public Signal<T> takeUntil(Function<? super T, TakeAction> until) {
        Handle source = again();
        return guarded("takeUntil", until, (lent, context) -> C.sgk_signal_take_until(lent.of(source),
            Entries.TAKE_UNTIL, context, Border.DESTROY), this);
    }

    /**
     * Emits the last {@code count} values, or as many as there were, at completion, in their order. An error drops
     * them; less than 0 is an error. Serial.
     *
     * @param count a number
     * @return the signal
     */
    public Signal<T> takeLast(long count) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_take_last(lent.of(this), count), this);
        }
    }

    /**
     * Emits the last value, or null if there was none, at completion. An error drops it. Serial.
     *
     * @return the signal
     */
    public Signal<T> last() {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_last(lent.of(this)), this);
        }
    }

    /**
     * Passes the values as long as {@code filter(value)} is true, and completes at the first for which it is false,
     * which is dropped; the source is stopped. Serial.
     *
     * @param filter the function
     * @return the signal
     */
    public Signal<T> takeWhile(Predicate<? super T> filter) {
        Handle source = again();
        return guarded("takeWhile", filter, (lent, context) -> C.sgk_signal_take_while(lent.of(source), Entries.FILTER,
            context, Border.DESTROY), this);
    }

    /**
     * Drops the first {@code count} values and passes the rest; less than 0 is an error. Serial.
     *
     * @param count a number
     * @return the signal
     */
    public Signal<T> skip(long count) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_skip(lent.of(this), count), this);
        }
    }

    /**
     * Drops the values as long as {@code filter(value)} is true; the first for which it is false, and all that follow,
     * pass without a further question. Serial.
     *
     * @param filter the function
     * @return the signal
     */
    public Signal<T> skipWhile(Predicate<? super T> filter) {
        Handle source = again();
        return guarded("skipWhile", filter, (lent, context) -> C.sgk_signal_skip_while(lent.of(source), Entries.FILTER,
            context, Border.DESTROY), this);
    }

    /**
     * Passes the first value and completes right after it; the source is stopped. Where there is none, the end of the
     * source is the end. Serial.
     *
     * @return the signal
     */
    public Signal<T> first() {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_first(lent.of(this)), this);
        }
    }

    /**
     * Passes the first value and completes right after it; emits {@code value} when the signal completes without one.
     * Serial.
     *
     * @param value the value
     * @return the signal
     */
    public Signal<T> firstOr(T value) {
        try (Lent lent = new Lent()) {
            long h0 = lent.of(this);
            Given v1 = Values.give(value);
            return made(C.sgk_signal_first_or(h0, v1.word(), v1.bits()), this);
        }
    }

    /**
     * Drops the values until {@code until} has emitted one; that is stopped then. {@code until} is started first; its
     * completion means nothing (without a value before it, nothing ever passes), its error ends the result. Serial.
     *
     * @param until the other signal
     * @return the signal
     */
    public Signal<T> skipUntilSignal(Signal<?> until) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_skip_until_signal(lent.of(this), lent.of(until, "skipUntilSignal.until")), this,
                until);
        }
    }

    /**
     * Passes the values until {@code until} emits one, and completes then. {@code until} is started first: if it emits
     * at once, the signal is not started. Its completion means nothing, its error ends the result. Serial.
     *
     * @param until the other signal
     * @return the signal
     */
    public Signal<T> takeUntilSignal(Signal<?> until) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_take_until_signal(lent.of(this), lent.of(until, "takeUntilSignal.until")), this,
                until);
        }
    }

    /**
     * Emits a value at once and then at most one every {@code seconds}: the latest of those that came meanwhile, when
     * the time is over. The end first emits what waits; an error drops it. Delivers on {@code queue}. {@code seconds}
     * must be 0 or more.
     *
     * @param seconds seconds
     * @param queue where that is done
     * @return the signal
     */
    public Signal<T> throttle(double seconds, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_throttle(lent.of(this), seconds, lent.of(queue, "throttle.queue")), this);
        }
    }

    /**
     * Emits a value when no other has followed it for {@code seconds}. The end first emits what waits; an error drops
     * it. Delivers on {@code queue}. {@code seconds} must be 0 or more.
     *
     * @param seconds seconds
     * @param queue where that is done
     * @return the signal
     */
    public Signal<T> debounce(double seconds, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_debounce(lent.of(this), seconds, lent.of(queue, "debounce.queue")), this);
        }
    }

    /**
     * Delivers every event on {@code queue}: inline when it is current and nothing of the run is on its way, otherwise
     * later, in order, one at a time. A serial queue is first in, first out across all that uses it: values and ends of
     * this run and of others, work of queueAsync and queueDispatch, runOn, timers that have fired. However many events
     * come, it gets to its other work in between. Disposal drops what is on its way.
     *
     * @param queue where that is done
     * @return the signal
     */
    public Signal<T> deliverOn(DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_deliver_on(lent.of(this), lent.of(queue, "deliverOn.queue")), this);
        }
    }

    /**
     * Delivers every event on a thread of {@code pool}, later, in the order in which they came; each run has a queue of
     * its own there. The signal keeps the pool.
     *
     * @param pool the threads
     * @return the signal
     */
    public Signal<T> deliverOnThreadPool(ThreadPool pool) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_deliver_on_thread_pool(lent.of(this), lent.of(pool, "deliverOnThreadPool.pool")),
                this);
        }
    }

    /**
     * As deliverOn, with a bound: at most {@code limit} (1 or more) values wait for {@code queue}; what comes then goes
     * by {@code overflow}. Ends need no room. The queue is given to other work after every {@code limit} values. {@code
     * error} is what {@link Overflow#ERROR} fails with, otherwise it does not matter; {@code counter} may be null.
     *
     * @param queue where that is done
     * @param bound how much has room, and what happens otherwise
     * @return the signal
     */
    public Signal<T> deliverOnBounded(DispatchQueue queue, Bound bound) {
        try (Lent lent = new Lent()) {
            long h0 = lent.of(this);
            long h1 = lent.of(queue, "deliverOnBounded.queue");
            long h2 = lent.optional(bound.counter());
            Given v4 = Values.give(bound.error("deliverOnBounded"));
            return made(C.sgk_signal_deliver_on_bounded(h0, h1, bound.limit(), bound.overflow(), v4.word(), v4.bits(),
                h2), this);
        }
    }

    /**
     * As deliverOn, with a bound: at most {@code limit} (1 or more) values wait for {@code queue}; what comes then goes
     * by {@code overflow}. Ends need no room. The queue is given to other work after every {@code limit} values. {@code
     * error} is what {@link Overflow#ERROR} fails with, otherwise it does not matter; {@code counter} may be null.
     *
     * @param queue where that is done
     * @return the signal
     */
    public Signal<T> deliverOnBounded(DispatchQueue queue) {
        Bound bound = Bound.NONE;
        try (Lent lent = new Lent()) {
            long h0 = lent.of(this);
            long h1 = lent.of(queue, "deliverOnBounded.queue");
            long h2 = lent.optional(bound.counter());
            Given v4 = Values.give(bound.error("deliverOnBounded"));
            return made(C.sgk_signal_deliver_on_bounded(h0, h1, bound.limit(), bound.overflow(), v4.word(), v4.bits(),
                h2), this);
        }
    }

    /**
     * Starts the signal on {@code queue}: inside the start when it is current, otherwise later; disposal before that
     * prevents it. Where events are delivered is up to the source.
     *
     * @param queue where that is done
     * @return the signal
     */
    public Signal<T> runOn(DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_run_on(lent.of(this), lent.of(queue, "runOn.queue")), this);
        }
    }

    /**
     * Starts the signal on a thread of {@code pool}, always later; disposal before that prevents it. The signal keeps
     * the pool.
     *
     * @param pool the threads
     * @return the signal
     */
    public Signal<T> runOnThreadPool(ThreadPool pool) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_run_on_thread_pool(lent.of(this), lent.of(pool, "runOnThreadPool.pool")), this);
        }
    }

    /**
     * Delays the start, not the events: the signal is started on {@code queue} after {@code seconds}, by a clock that
     * stands still while the system sleeps. Disposal before that prevents it. {@code seconds} must be 0 or more;
     * infinity is never.
     *
     * @param seconds seconds
     * @param queue where that is done
     * @return the signal
     */
    public Signal<T> delay(double seconds, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_delay(lent.of(this), seconds, lent.of(queue, "delay.queue")), this);
        }
    }

    /**
     * As delay (also as to {@code seconds} and {@code queue}), but time during which the system sleeps counts: after
     * waking up the signal is late by at most about {@code granularity} seconds (4 is a good number; 0: it looks at the
     * clock only once). By the wall clock; whoever sets that changes the delay.
     *
     * @param seconds seconds
     * @param granularity seconds
     * @param queue where that is done
     * @return the signal
     */
    public Signal<T> suspendAwareDelay(double seconds, double granularity, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_suspend_aware_delay(lent.of(this), seconds, granularity, lent.of(queue,
                "suspendAwareDelay.queue")), this);
        }
    }

    /**
     * Goes on with {@code alternate} when nothing has come from the signal within {@code seconds}: it is started on
     * {@code queue}, then the signal disposed. The first event of any kind calls that off for good. {@code seconds}
     * must be 0 or more. Serial.
     *
     * @param seconds seconds
     * @param alternate the other signal
     * @param queue where that is done
     * @return the signal
     */
    public Signal<T> timeout(double seconds, Signal<? extends T> alternate, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_timeout(lent.of(this), seconds, lent.of(alternate, "timeout.alternate"),
                lent.of(queue, "timeout.queue")), this, alternate);
        }
    }

    /**
     * A signal whose start blocks: it starts {@code signal}, then keeps the starting thread until its first event of
     * any kind, or for {@code seconds} (0 or more); nothing is cancelled by that. Never to be used on a thread that the
     * source needs.
     *
     * @param seconds seconds
     * @return the signal
     */
    public Signal<T> blocking(double seconds) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_blocking(lent.of(this), seconds), this);
        }
    }

    /**
     * As blocking, with the {@code seconds} measured by the clock of {@code queue}: a virtual one is moved on by the
     * wait, as far as that takes.
     *
     * @param seconds seconds
     * @param queue where that is done
     * @return the signal
     */
    public Signal<T> blockingOn(double seconds, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_blocking_on(lent.of(this), seconds, lent.of(queue, "blockingOn.queue")), this);
        }
    }

    /**
     * Emits the values in arrays of {@code count} (1 or more); completion first emits those that are left. An error
     * drops them. Serial.
     *
     * @param count a number
     * @return the signal
     */
    public Signal<List<T>> chunked(long count) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_chunked(lent.of(this), count), this);
        }
    }

    /**
     * Emits the values in arrays of {@code count} (1 or more), or of fewer when {@code seconds} have gone by since the
     * first of them came: never an empty one. Completion first emits those that wait; an error drops them. Delivers on
     * {@code queue}. {@code seconds} must be 0 or more; infinity is never.
     *
     * @param count a number
     * @param seconds seconds
     * @param queue where that is done
     * @return the signal
     */
    public Signal<List<T>> chunkedWithin(long count, double seconds, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_chunked_within(lent.of(this), count, seconds, lent.of(queue,
                "chunkedWithin.queue")), this);
        }
    }

    /**
     * Emits the values in arrays, one for each value of {@code boundary}: of those that came since the last one, if
     * there are any; earlier when there are {@code limit} (1 or more). Completion first emits those that wait; an
     * error, also of {@code boundary}, drops them. The completion of {@code boundary} means nothing. It is started
     * first. Serial.
     *
     * @param boundary the other signal
     * @param limit how many
     * @return the signal
     */
    public Signal<List<T>> chunkedBy(Signal<?> boundary, long limit) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_chunked_by(lent.of(this), lent.of(boundary, "chunkedBy.boundary"), limit), this,
                boundary);
        }
    }

    /**
     * Emits each value, and the completion, {@code seconds} after it has come, on {@code queue}. An error comes at
     * once, and drops what waits. (What others call delay.) At most {@code limit} (1 or more) values wait; what comes
     * then goes by {@code overflow}, which must not be {@link Overflow#SUSPEND}: the emitting thread would wait for the
     * time itself. {@code error} is what {@link Overflow#ERROR} fails with, otherwise it does not matter; {@code
     * counter} may be null. {@code seconds} must be 0 or more.
     *
     * @param seconds seconds
     * @param queue where that is done
     * @param bound how much has room, and what happens otherwise
     * @return the signal
     */
    public Signal<T> delayEach(double seconds, DispatchQueue queue, Bound bound) {
        try (Lent lent = new Lent()) {
            long h0 = lent.of(this);
            long h1 = lent.of(queue, "delayEach.queue");
            long h2 = lent.optional(bound.counter());
            Given v5 = Values.give(bound.error("delayEach"));
            return made(C.sgk_signal_delay_each(h0, seconds, h1, bound.limit(), bound.overflow(), v5.word(), v5.bits(),
                h2), this);
        }
    }

    /**
     * Emits each value, and the completion, {@code seconds} after it has come, on {@code queue}. An error comes at
     * once, and drops what waits. (What others call delay.) At most {@code limit} (1 or more) values wait; what comes
     * then goes by {@code overflow}, which must not be {@link Overflow#SUSPEND}: the emitting thread would wait for the
     * time itself. {@code error} is what {@link Overflow#ERROR} fails with, otherwise it does not matter; {@code
     * counter} may be null. {@code seconds} must be 0 or more.
     *
     * @param seconds seconds
     * @param queue where that is done
     * @return the signal
     */
    public Signal<T> delayEach(double seconds, DispatchQueue queue) {
        Bound bound = Bound.NONE;
        try (Lent lent = new Lent()) {
            long h0 = lent.of(this);
            long h1 = lent.of(queue, "delayEach.queue");
            long h2 = lent.optional(bound.counter());
            Given v5 = Values.give(bound.error("delayEach"));
            return made(C.sgk_signal_delay_each(h0, seconds, h1, bound.limit(), bound.overflow(), v5.word(), v5.bits(),
                h2), this);
        }
    }

    /**
     * Goes on with {@code alternate} when {@code seconds} go by without an event of the signal: before the first, or
     * between any two, the delivery of a value not counted. It is started on {@code queue}, then the signal disposed.
     * {@code seconds} must be 0 or more. Serial.
     *
     * @param seconds seconds
     * @param alternate the other signal
     * @param queue where that is done
     * @return the signal
     */
    public Signal<T> timeoutBetween(double seconds, Signal<? extends T> alternate, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_timeout_between(lent.of(this), seconds, lent.of(alternate,
                "timeoutBetween.alternate"), lent.of(queue, "timeoutBetween.queue")), this, alternate);
        }
    }

    /**
     * As throttle (also as to {@code seconds} and {@code queue}), with the values that {@code edges} says.
     *
     * @param seconds seconds
     * @param edges which ends
     * @param queue where that is done
     * @return the signal
     */
    public Signal<T> throttleEdges(double seconds, Edges edges, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_throttle_edges(lent.of(this), seconds, edges.number, lent.of(queue,
                "throttleEdges.queue")), this);
        }
    }

    /**
     * Emits arrays of two: the time at which a value comes, in seconds from any fixed point, by the clock of {@code
     * queue}; and the value.
     *
     * @param queue where that is done
     * @return the signal
     */
    public Signal<Timed<T>> timestamped(DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return Operators.<List<Object>>made(C.sgk_signal_timestamped(lent.of(this), lent.of(queue,
                "timestamped.queue")), this).map(Timed::of);
        }
    }

    /**
     * Emits arrays of two: the seconds since the value before, or since the start, by the clock of {@code queue}; and
     * the value. Serial.
     *
     * @param queue where that is done
     * @return the signal
     */
    public Signal<Timed<T>> timeInterval(DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return Operators.<List<Object>>made(C.sgk_signal_time_interval(lent.of(this), lent.of(queue,
                "timeInterval.queue")), this).map(Timed::of);
        }
    }

    /**
     * Passes what comes within {@code seconds} of the start, then completes, on {@code queue}; the source is stopped.
     * {@code seconds} must be 0 or more. Serial.
     *
     * @param seconds seconds
     * @param queue where that is done
     * @return the signal
     */
    public Signal<T> takeFor(double seconds, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_take_for(lent.of(this), seconds, lent.of(queue, "takeFor.queue")), this);
        }
    }

    /**
     * Emits the latest value at each value of {@code trigger}, if it has come since the last one. Completion first
     * emits the value that waits, if any; an error, also of {@code trigger}, drops it. The completion of {@code
     * trigger} means nothing. It is started first. Serial.
     *
     * @param trigger the other signal
     * @return the signal
     */
    public Signal<T> sampleOn(Signal<?> trigger) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_sample_on(lent.of(this), lent.of(trigger, "sampleOn.trigger")), this, trigger);
        }
    }

    /**
     * The same every {@code seconds}, on {@code queue}, as interval: more than 0 and finite.
     *
     * @param seconds seconds
     * @param queue where that is done
     * @return the signal
     */
    public Signal<T> sample(double seconds, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_sample(lent.of(this), seconds, lent.of(queue, "sample.queue")), this);
        }
    }

    /**
     * Shares one run of the signal among all who listen at the same time: the first one starts it, the last one to
     * leave disposes it, and after that the next one starts it anew. There is no replay of values, but who comes after
     * the end is told of the end, which is kept as long as the shared signal is there. A run that listens to itself, at
     * once, through operators or through other shared runs, is not kept by that: who counts are the listeners from
     * outside.
     *
     * @return the signal
     */
    public Signal<T> multicast() {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_multicast(lent.of(this)), this);
        }
    }

    /**
     * Shares one run of the signal among all who listen: the first one starts it, and a later one gets the latest
     * {@code replay} values (0: none) of it first, in one order with those that follow. Who comes after the end gets
     * these values and the end, which are kept as long as the shared signal is there. {@code keep} says for how many
     * seconds, by the clock of {@code queue}, the run goes on after its last listener has left, for whoever comes by
     * then: with 0 it ends at once, with HUGE_VAL (infinity) only by itself, and in both cases {@code queue} may be
     * null. The next one starts it anew, and nothing of the former run is replayed. What keeps a run that nobody
     * listens to is the shared signal: when that is gone, the run ends with its last listener. A run that listens to
     * itself is not kept by that. A source that lets go of its subscriber without an end, as never() does, has no run
     * that could be joined: each listener starts it anew.
     *
     * @param replay a number
     * @param keep seconds
     * @param queue where that is done
     * @return the signal
     */
    public Signal<T> share(long replay, double keep, DispatchQueue queue) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_share(lent.of(this), replay, keep, lent.of(queue, "share.queue")), this);
        }
    }

    /**
     * Shares one run of the signal among all who listen: the first one starts it, and a later one gets the latest
     * {@code replay} values (0: none) of it first, in one order with those that follow. Who comes after the end gets
     * these values and the end, which are kept as long as the shared signal is there. {@code keep} says for how many
     * seconds, by the clock of {@code queue}, the run goes on after its last listener has left, for whoever comes by
     * then: with 0 it ends at once, with HUGE_VAL (infinity) only by itself, and in both cases {@code queue} may be
     * null. The next one starts it anew, and nothing of the former run is replayed. What keeps a run that nobody
     * listens to is the shared signal: when that is gone, the run ends with its last listener. A run that listens to
     * itself is not kept by that. A source that lets go of its subscriber without an end, as never() does, has no run
     * that could be joined: each listener starts it anew.
     *
     * @param replay a number
     * @param keep seconds
     * @return the signal
     */
    public Signal<T> share(long replay, double keep) {
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_share(lent.of(this), replay, keep, 0), this);
        }
    }
}
