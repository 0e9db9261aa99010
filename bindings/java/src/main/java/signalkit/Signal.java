package signalkit;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * A description of a stream of values: {@code next* (error | completed)?}. Each start creates a new subscription.
 * Immutable.
 *
 * <p>Functions are called on the emitting thread, which may be a thread of the library. If one throws, the subscription
 * fails with that exception.
 *
 * @param <T> the values
 */
public final class Signal<T> extends Operators<T> {
    /** The functions at its end, or null. */
    Fused fused;

    /** Creates the iterator of a start, or null. */
    Supplier<? extends Iterator<?>> items;

    Signal(long pointer) {
        super(pointer);
    }

    // ---- Starting ----

    /**
     * Starts a subscription. The source runs before this returns. An error is logged.
     *
     * @param next receives the values; its exception ends the subscription
     * @return the subscription; releasing it does not dispose it
     */
    public Subscription start(Consumer<? super T> next) {
        return start(next, null, null);
    }

    /**
     * Starts a subscription. The source runs before this returns.
     *
     * @param next receives the values; its exception ends the subscription
     * @param failed receives the error; null: the error is logged
     * @param completed receives the completion; may be null
     * @return the subscription; releasing it does not dispose it
     */
    public Subscription start(Consumer<? super T> next, Consumer<? super Throwable> failed, Runnable completed) {
        return run(next, failed, completed, false);
    }

    /**
     * Starts a subscription that supports {@link Subscription#disposeAndWait}.
     *
     * @param next receives the values; its exception ends the subscription
     * @param failed receives the error; null: the error is logged
     * @param completed receives the completion; may be null
     * @return the subscription; releasing it does not dispose it
     */
    public Subscription startWaitable(Consumer<? super T> next, Consumer<? super Throwable> failed,
            Runnable completed) {
        return run(next, failed, completed, true);
    }

    private Subscription run(Consumer<? super T> next, Consumer<? super Throwable> failed, Runnable completed,
            boolean waitable) {
        Border.checkStack();
        Fused.Step last = Fused.receiving(plain("start: the function", next));
        try (Signal<T> received = Fused.of(this, "before_next", last).running("start"); Lent lent = new Lent()) {
            lent.of(this); // which is not closed
            long pointer = lent.of(received);
            Receiver.Run receiver = new Receiver.Run(received, failed, completed);
            long[] handlers = receiver.handlers();
            long run = waitable ? C.sgk_signal_start_waitable(pointer, handlers)
                : C.sgk_signal_start(pointer, handlers);
            Subscription subscription = new Subscription(run);
            receiver.stoppedBy(run);
            return subscription;
        }
    }

    /**
     * Starts a subscription and buffers its values for the reader. The emitting thread blocks while 1024 values are
     * pending. The calling thread does not block: a source that emits inside the start exceeds the limit. An endless
     * one needs {@link Overflow#PAUSE}.
     *
     * @return the reader
     */
    public SignalReader<T> read() {
        return read(Bound.of(1024).overflow(Overflow.SUSPEND));
    }

    /**
     * Starts a subscription and buffers its values for the reader.
     *
     * @param bound how many wait, and what happens otherwise
     * @return the reader
     */
    public SignalReader<T> read(Bound bound) {
        Border.checkStack();
        try (Lent lent = new Lent()) {
            bound.check("read: limit");
            long pointer = lent.of(this);
            long counter = lent.optional(bound.counter());
            Given error = Values.give(bound.error("read"));
            SignalReader<T> reader = new SignalReader<>(C.sgk_reader_create(pointer, bound.struct(error, counter)));
            reader.hold(this);
            return reader;
        }
    }

    /**
     * Waits for the first value and returns it. Throws the error of the signal, a checked exception in a
     * {@link Failure}.
     *
     * @return the value
     * @throws NoSuchElementException if the signal completes without one
     */
    public T get() {
        return get(null);
    }

    /**
     * The first value, for which it waits so long, after which there is a {@link TimedOutException}.
     *
     * @param timeout null: for good
     * @return the value
     * @throws NoSuchElementException if the signal completes without one
     */
    public T get(Duration timeout) {
        Times.check("get: timeout", timeout);
        try (Signal<T> first = take(1)) {
            if (timeout == null) return first.one(null);
            // Without it, a source that releases its subscriber would end the wait.
            try (Pipe<T> silence = new Pipe<>();
                    Signal<T> silent = silence.signal();
                    Signal<T> until = first.takeUntil(silent)) {
                return until.one(timeout);
            }
        }
    }

    private T one(Duration timeout) {
        try (SignalReader<T> reader = read(Bound.of(1).overflow(Overflow.DROP_NEWEST))) {
            if (!reader.await(timeout)) throw new NoSuchElementException("get: the signal completed without a value");
            return reader.taken();
        }
    }

    /**
     * All values, for whose end it waits.
     *
     * @return them
     */
    public List<T> collect() {
        return collect(null);
    }

    /**
     * All values, for whose end it waits so long, after which there is a {@link TimedOutException}.
     *
     * @param timeout null: for good
     * @return them
     */
    public List<T> collect(Duration timeout) {
        Times.check("collect: timeout", timeout);
        try (Signal<List<T>> all = toArray()) {
            return all.get(timeout);
        }
    }

    /**
     * Returns the first value as a future. The subscription starts immediately. Cancellation of the future does not
     * dispose it.
     *
     * @return the future
     */
    public CompletableFuture<T> toFuture() {
        CompletableFuture<T> future = new CompletableFuture<>();
        take(1).start(future::complete, future::completeExceptionally, () -> {
            if (!future.isDone())
                future.completeExceptionally(new NoSuchElementException("the signal completed without a value"));
        });
        return future;
    }

    /**
     * Returns the signal as a publisher. Each subscriber has its own subscription, and gets no more values than it
     * requested. At most 16 others are buffered. Then the source is paused ({@link Overflow#PAUSE}). If it cannot be
     * paused, the emitting thread blocks, unless it emits inside {@code subscribe}. The common pool calls the
     * subscribers.
     *
     * @return the publisher
     */
    public Flow.Publisher<T> toPublisher() {
        return toPublisher(ForkJoinPool.commonPool());
    }

    /**
     * The same, with an executor.
     *
     * @param executor calls the subscribers
     * @return the publisher
     */
    public Flow.Publisher<T> toPublisher(Executor executor) {
        if (executor == null) throw new NullPointerException("toPublisher: executor is null");
        return Flows.publisher(this, executor);
    }

    // ---- Operators on single values ----

    private <U> Signal<U> stage(String name, String operator, Fused.Step step) {
        try (Lent lent = new Lent()) {
            lent.of(this); // which is not closed
            Fused fused = Fused.of(this, operator, step);
            Signal<U> signal = fused.signal(name);
            signal.fused = fused;
            return signal;
        }
    }

    /**
     * Calls {@code f()} once for each subscription when it is torn down, by disposal or an end. The source has then been
     * disposed. A source that ends inside the start is disposed when the start returns.
     *
     * @param f the function
     * @return the signal
     */
    public Signal<T> afterDisposed(Runnable f) {
        Signal<T> source = again();
        return keeping("afterDisposed", f, (lent, context) ->
            C.sgk_signal_after_disposed(lent.of(source), Entries.ACTION, context, Border.DESTROY), this);
    }

    /**
     * Emits what the function makes of each value.
     *
     * @param <U> what that is
     * @param map the function
     * @return the signal
     */
    public <U> Signal<U> map(Function<? super T, ? extends U> map) {
        return stage("map", "map", Fused.mapping(plain("map: the function", map)));
    }

    /**
     * Passes the values for which the function is true.
     *
     * @param filter the function
     * @return the signal
     */
    public Signal<T> filter(Predicate<? super T> filter) {
        return stage("filter", "filter", Fused.filtering(plain("filter: the function", filter)));
    }

    /**
     * Emits what the function makes of each value, unless that is null.
     *
     * @param <U> what that is
     * @param map the function
     * @return the signal
     */
    public <U> Signal<U> compactMap(Function<? super T, ? extends U> map) {
        return stage("compactMap", "compact_map", Fused.compacting(plain("compactMap: the function", map)));
    }

    /**
     * Calls the function with each value before it is passed on.
     *
     * @param f the function
     * @return the signal
     */
    public Signal<T> beforeNext(Consumer<? super T> f) {
        return stage("beforeNext", "before_next", Fused.watching(plain("beforeNext: the function", f)));
    }

    /**
     * Makes an event a value, and completes after that of the end.
     *
     * @return the signal
     */
    public Signal<Event<T>> toEvents() {
        try (Lent lent = new Lent();
                Signal<List<Object>> events = made(C.sgk_signal_to_events(lent.of(this)), this)) {
            return events.map(Event::of);
        }
    }

    /**
     * Converts values to the events that they contain: the reverse of {@link #toEvents}.
     *
     * @param <T> the values
     * @param events emits them
     * @return the signal
     */
    public static <T> Signal<T> fromEvents(Signal<Event<T>> events) {
        Signal<Object> arrays = events.map(Event::items);
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_from_events(lent.of(arrays)), arrays);
        }
    }

    // ---- With arguments that need a word ----

    /**
     * Starts the signal again each time it has completed, without a limit.
     *
     * @return the signal
     */
    public Signal<T> repeat() {
        return repeat(Long.MAX_VALUE);
    }

    /**
     * Starts the signal again each time it fails. The error of the last attempt fails the result.
     *
     * @param policy when it starts again
     * @param queue where it waits
     * @return the signal
     */
    public Signal<T> retry(Retry policy, DispatchQueue queue) {
        policy.check();
        try (Lent lent = new Lent()) {
            return made(C.sgk_signal_retry(
                lent.of(this), policy.struct(0, 0, 0), lent.of(queue, "retry.queue")), this);
        }
    }

    /**
     * Starts the signal again each time it fails. The error of the last attempt fails the result.
     *
     * @param policy when it starts again
     * @param decide receives the error and the number of the failure, from 1 on. It returns null to start again after the
     *     delay of the policy. The first value of another signal starts the next attempt. If that signal fails, the
     *     result fails with its error. If it completes without a value, the result fails with the error of the attempt.
     * @param queue where it waits
     * @return the signal
     */
    public Signal<T> retry(Retry policy, BiFunction<? super Throwable, ? super Long, ? extends Signal<?>> decide,
            DispatchQueue queue) {
        policy.check();
        Receiver receiver = new Receiver("retry", decide);
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this), waiting = lent.of(queue, "retry.queue");
            long[] struct = policy.struct(Entries.RETRY, receiver.known(), Border.DESTROY);
            return made(C.sgk_signal_retry(pointer, struct, waiting), this, receiver);
        }
    }

    /**
     * Folds by signals. The function receives the accumulated value and a value. It returns a signal of new accumulated
     * values, each with an optional value to emit immediately.
     *
     * @param <U> the accumulated value
     * @param initial the first accumulated value
     * @param generator the function
     * @return the signal of the emitted values, and of the accumulated value at completion
     */
    public <U> Signal<U> reduceGenerator(U initial,
            BiFunction<? super U, ? super T, ? extends Signal<Accumulated<U>>> generator) {
        BiFunction<U, T, Signal<Object>> arrays = (accumulated, value) ->
            generator.apply(accumulated, value).map(Accumulated::items);
        Receiver receiver = new Receiver("reduceGenerator", generator == null ? null : arrays);
        try (Lent lent = new Lent()) {
            long pointer = lent.of(this);
            Given value = Values.give(initial);
            return made(C.sgk_signal_reduce_generator(pointer, value.word(), value.bits(),
                Entries.REDUCE_GENERATOR, receiver.known(), Border.DESTROY), this, receiver);
        }
    }

    /**
     * Follows, for each key, the signal that the function creates for the latest value of that key. The signals of
     * different keys run simultaneously.
     *
     * @param <U> the values
     * @param key returns the key of a value
     * @param bound the maximum number of keys and the overflow policy
     * @param map the function
     * @return the signal
     */
    public <U> Signal<U> switchMapPer(Function<? super T, ?> key, Bound bound,
            Function<? super T, ? extends Signal<? extends U>> map) {
        bound.check("switchMapPer: limit");
        Object functions = new Border.Following(plain("switchMapPer: key", key), plain("switchMapPer: map", map));
        Handle source = again();
        return guarded("switchMapPer", functions, (lent, context) -> {
            long counter = lent.optional(bound.counter());
            Given error = Values.give(bound.error("switchMapPer"));
            return C.sgk_signal_switch_map_per(lent.of(source), bound.struct(error, counter), Border.KEYING, Entries.MAP_TO_SIGNAL, context, Border.DESTROY);
        }, this);
    }

    /**
     * Groups the values by keys. At the first value of a key, the function receives the key and the signal of its
     * values, and creates the signal of the group. The values of these signals are merged.
     *
     * @param <K> the keys
     * @param <U> the values
     * @param key returns the key of a value
     * @param bound the maximum number of keys and the overflow policy
     * @param pipeline the function
     * @return the signal
     */
    public <K, U> Signal<U> groupBy(Function<? super T, ? extends K> key, Bound bound,
            BiFunction<? super K, Signal<T>, ? extends Signal<? extends U>> pipeline) {
        bound.check("groupBy: limit");
        Object functions = new Border.Grouping(plain("groupBy: key", key), plain("groupBy: pipeline", pipeline));
        Handle source = again();
        return guarded("groupBy", functions, (lent, context) -> {
            long counter = lent.optional(bound.counter());
            Given error = Values.give(bound.error("groupBy"));
            return C.sgk_signal_group_by(lent.of(source), bound.struct(error, counter), Border.KEYING, Entries.PIPELINE, context, Border.DESTROY);
        }, this);
    }

    /** Removes the types of a function, which do not exist at run time. */
    @SuppressWarnings("unchecked")
    private static <F> F plain(String name, Object function) {
        if (function == null) throw new NullPointerException(name + " is null");
        return (F) function;
    }

    /**
     * Emits the function's result for each value and the latest value of another signal.
     *
     * @param <A> the values of the other signal
     * @param <U> the result
     * @param other the other signal
     * @param map the function
     * @return the signal
     */
    @SuppressWarnings("unchecked")
    public <A, U> Signal<U> withLatestFrom(Signal<A> other, BiFunction<? super T, ? super A, ? extends U> map) {
        return withLatestFrom(other).map(both -> map.apply((T) both.get(0), (A) both.get(1)));
    }

    // ---- Sources ----

    /**
     * Returns a signal whose function is called for each start, on the starting thread.
     *
     * @param <T> the values
     * @param generator receives the subscriber, which it can emit to immediately or later, from any thread; {@link
     *     Subscriber#onDispose} notifies it of the end
     * @return the signal
     */
    public static <T> Signal<T> create(Consumer<Subscriber<T>> generator) {
        Receiver receiver = new Receiver("create", generator);
        return made(C.sgk_signal_create(Border.GENERATOR, receiver.known(), Border.DESTROY), receiver);
    }

    /**
     * Emits the values inside each start, and completes.
     *
     * @param <T> the values
     * @param values the values
     * @return the signal
     */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <T> Signal<T> of(T... values) {
        return from(Arrays.asList(values.clone()));
    }

    /**
     * Emits the values inside each start while the subscription is active, and completes.
     *
     * @param <T> the type of the values
     * @param values the values
     * @return the signal
     */
    public static <T> Signal<T> from(Iterable<? extends T> values) {
        if (values == null) throw new NullPointerException("from: values is null");
        Signal<T> signal = deferred(() -> iterate(values.iterator()));
        signal.items = values::iterator;
        return signal;
    }

    /**
     * Emits the values of a publisher, with a new publisher subscription for each start. It requests more values as it
     * passes values on.
     *
     * @param <T> the values
     * @param publisher the publisher
     * @return the signal
     */
    public static <T> Signal<T> fromPublisher(Flow.Publisher<? extends T> publisher) {
        return Flows.signal(publisher);
    }

    /**
     * Emits the values of the iterator inside the start while the subscription is active. All subscriptions share the
     * iterator.
     *
     * @param <T> the values
     * @param values the iterator
     * @return the signal
     */
    public static <T> Signal<T> iterate(Iterator<? extends T> values) {
        Receiver receiver = new Receiver("iterate", values);
        Signal<T> signal = made(
            C.sgk_signal_from_iterator(Border.ITERATOR, receiver.known(), Border.DESTROY), receiver);
        signal.items = () -> values;
        return signal;
    }

    /**
     * Creates a signal that emits consecutive ints and completes, during each start. It stops when the subscription is
     * no longer active.
     *
     * @param first the first int
     * @param count 0 or more; the last int must not exceed the range of a long
     * @return the signal
     */
    public static Signal<Long> range(long first, long count) {
        Signal<Long> signal = made(C.sgk_signal_range(first, count));
        signal.items = () -> LongStream.range(0, count).map(n -> first + n).iterator();
        return signal;
    }

    /**
     * Returns a signal that fails inside the start.
     *
     * @param <T> the values
     * @param error the error
     * @return the signal
     */
    public static <T> Signal<T> fail(Throwable error) {
        if (error == null) throw new NullPointerException("fail: error is null");
        Given value = Values.give(error);
        return made(C.sgk_signal_fail(value.word(), value.bits()));
    }

    /**
     * Acquires a resource for each start, and behaves like the signal created with it.
     *
     * @param <R> the resource
     * @param <T> the values
     * @param acquire creates the resource
     * @param use creates the signal
     * @param release receives the resource once, when the subscription is torn down
     * @return the signal
     */
    public static <R, T> Signal<T> using(Supplier<? extends R> acquire,
            Function<? super R, ? extends Signal<? extends T>> use, Consumer<? super R> release) {
        return deferred(() -> {
            R resource = acquire.get();
            try {
                return use.apply(resource).afterDisposed(() -> release.accept(resource));
            } catch (Throwable thrown) {
                release.accept(resource);
                throw thrown;
            }
        });
    }

    /**
     * Runs the signals that the first function returns one after another, until it returns null. The second function
     * folds all their values, and the accumulated value is emitted at each value.
     *
     * @param <U> the accumulated value
     * @param <T> the values of the signals
     * @param once receives the accumulated value, null at first
     * @param reduce receives the accumulated value, null at first, and a value
     * @return the signal
     */
    public static <U, T> Signal<U> accumulatingLoop(Function<? super U, ? extends Signal<? extends T>> once,
            BiFunction<? super U, ? super T, ? extends U> reduce) {
        Object functions = new Border.Folding(plain("accumulatingLoop: once", once),
            plain("accumulatingLoop: reduce", reduce));
        return guarded("accumulatingLoop", functions, (lent, context) ->
            C.sgk_accumulating_loop(Entries.ONCE, Border.REDUCING, context, Border.DESTROY));
    }

    /**
     * Emits the function's result for the latest values of both signals, for each value of either.
     *
     * @param <A> the values of the first
     * @param <B> the values of the second
     * @param <U> the result
     * @param a a signal
     * @param b a signal
     * @param map the function
     * @return the signal
     */
    @SuppressWarnings("unchecked")
    public static <A, B, U> Signal<U> combineLatest(Signal<A> a, Signal<B> b,
            BiFunction<? super A, ? super B, ? extends U> map) {
        return Operators.<Object>combineLatest(List.of(a, b)).map(both -> map.apply((A) both.get(0), (B) both.get(1)));
    }

    /**
     * Emits the function's result for the first values of both signals, then for the second ones, and so on.
     *
     * @param <A> the values of the first
     * @param <B> the values of the second
     * @param <U> the result
     * @param a a signal
     * @param b a signal
     * @param map the function
     * @return the signal
     */
    @SuppressWarnings("unchecked")
    public static <A, B, U> Signal<U> zip(Signal<A> a, Signal<B> b,
            BiFunction<? super A, ? super B, ? extends U> map) {
        return Operators.<Object>zip(List.of(a, b)).map(both -> map.apply((A) both.get(0), (B) both.get(1)));
    }

    /**
     * Starts the signal immediately and returns a chain of its values.
     *
     * @return the chain
     */
    public EventLink<T> link() {
        try (Lent lent = new Lent()) {
            EventLink<T> link = new EventLink<>(C.sgk_event_link_from_signal(lent.of(this)));
            link.hold(this);
            return link;
        }
    }
}
