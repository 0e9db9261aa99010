import com.sun.jna.Callback;
import com.sun.jna.Native;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.function.Function;
import signalkit.Pipe;
import signalkit.Signal;

/** A map and a filter in Java, as described in ../python/languages.py. */
public final class Languages {
    private Languages() {}

    private long sum;

    private void range(int count) {
        Signal.range(0, count).map(n -> n + 1).filter(n -> n % 2 == 0).start(n -> sum += n);
    }

    private void pipe(int count) {
        try (Pipe<Integer> pipe = new Pipe<>()) {
            pipe.signal().map(n -> n + 1).filter(n -> n % 2 == 0).start(n -> sum += n);
            for (int n = 0; n < count; n++) pipe.next(n);
        }
    }

    /** All values are delivered on this thread, as by the library. (Two stages on the common pool can block each other
     * where it has one thread.) */
    private void publishers(int count) {
        try (SubmissionPublisher<Long> source = new SubmissionPublisher<>(Runnable::run, Flow.defaultBufferSize())) {
            Stage<Long, Long> map = new Stage<>(n -> n + 1), filter = new Stage<>(n -> n % 2 == 0 ? n : null);
            source.subscribe(map);
            map.subscribe(filter);
            filter.consume(n -> sum += n);
            for (long n = 0; n < count; n++) source.submit(n);
        }
    }

    /** A stage as in the documentation of SubmissionPublisher. A null drops the value. */
    private static final class Stage<T, R> extends SubmissionPublisher<R> implements Flow.Processor<T, R> {
        private final Function<T, R> function;

        Stage(Function<T, R> function) {
            super(Runnable::run, Flow.defaultBufferSize());
            this.function = function;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(T value) {
            R result = function.apply(value);
            if (result != null) submit(result);
        }

        @Override
        public void onError(Throwable error) {
            closeExceptionally(error);
        }

        @Override
        public void onComplete() {
            close();
        }
    }

    /** A function of C calls a function for each value, which counts the calls. */
    private void call(int count) {
        C.lfind(0, 0, new long[] {count}, 0, (a, b) -> {
            sum++;
            return 1;
        });
    }

    /** Functions of C. */
    static final class C {
        interface Compare extends Callback {
            int call(long a, long b);
        }

        static native long lfind(long key, long base, long[] count, long size, Compare compare);

        static {
            Native.register("c");
        }
    }

    private long run(String name, int count) {
        switch (name) {
            case "call" -> call(count);
            case "range" -> range(count);
            case "pipe" -> pipe(count);
            default -> publishers(count);
        }
        return sum;
    }

    public static void main(String[] arguments) {
        int warm = Integer.parseInt(arguments[1]), count = Integer.parseInt(arguments[2]);
        new Languages().run(arguments[0], warm);
        long start = System.nanoTime();
        long sum = new Languages().run(arguments[0], count);
        System.out.println((double) (System.nanoTime() - start) / count + " " + sum);
    }
}
