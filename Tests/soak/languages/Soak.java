import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import signalkit.DispatchQueue;
import signalkit.Failure;
import signalkit.Pipe;
import signalkit.Signal;
import signalkit.SignalKit;
import signalkit.Subscription;

/** The soak of the Java package (see run.py): threads, collections and interrupts of the waiting thread at once. */
public final class Soak {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final AtomicLong ROUNDS = new AtomicLong();
    private static volatile boolean over;

    private static void expect(Object wanted, Object got) {
        if (!wanted.equals(got)) throw new AssertionError(got + " instead of " + wanted);
    }

    private static List<Integer> failsAtSeven(int n) {
        if (n == 7) throw new IllegalStateException("boom");
        return List.of(n);
    }

    /** An object that only the collector frees, and that holds a signal. */
    private static List<Object> cycle(Object value) {
        List<Object> holder = new ArrayList<>(List.of(value));
        holder.add(Signal.<Integer>never().map(n -> 1));
        return holder;
    }

    private static void round(DispatchQueue queue, Pipe<Integer> pipe) {
        Signal<Integer> numbers = Signal.of(0, 1, 2, 3, 4, 5, 6, 7, 8);
        expect(25, numbers.map(n -> n + 1).filter(n -> n % 2 == 1).reduce(0, Integer::sum).get(PATIENCE));
        expect(List.of(-1), numbers.map(Soak::failsAtSeven)
            .catchError(error -> error instanceof IllegalStateException ? Signal.of(List.of(-1)) : Signal.fail(error))
            .takeLast(1).get(PATIENCE));
        expect(2, Signal.timer(Duration.ofNanos(100_000), queue).map(n -> cycle(n).size()).get(PATIENCE));
        AtomicLong seen = new AtomicLong();
        try (Subscription subscription = pipe.signal().take(3).map(n -> List.of(n)).deliverOn(queue)
                .start(values -> seen.addAndGet(values.get(0)))) {
            pipe.next(1);
        }
        ROUNDS.incrementAndGet();
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(() -> {
            while (!over) work.run();
        });
        thread.setUncaughtExceptionHandler((where, error) -> {
            error.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        thread.start();
        return thread;
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread main = Thread.currentThread();
        sun.misc.Signal.handle(new sun.misc.Signal("INT"), number -> main.interrupt());
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        try (DispatchQueue queue = new DispatchQueue("soak"); DispatchQueue shared = DispatchQueue.concurrent();
                Pipe<Integer> pipe = new Pipe<>()) {
            Runnable collect = () -> {
                System.gc();
                pause();
            };
            List<Thread> threads = List.of(
                thread(() -> round(queue, pipe)), thread(() -> round(shared, pipe)), thread(collect));
            do {
                System.out.println("ready");
                while (!Thread.interrupted()) {
                    try {
                        round(queue, pipe);
                    } catch (Failure interrupted) {
                        if (!Thread.currentThread().isInterrupted()) throw interrupted;
                    }
                }
                System.out.println("interrupted");
            } while ("continue".equals(input.readLine()));
            over = true;
            for (Thread thread : threads) thread.join();
        }
        for (int left = 600; SignalKit.liveTotal() > 0 && left > 0; left--) {
            System.gc();
            Thread.sleep(100);
        }
        System.out.println("rounds " + ROUNDS + "\nalive " + SignalKit.liveTotal());
    }
}
