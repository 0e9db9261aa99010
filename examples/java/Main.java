import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import signalkit.DispatchQueue;
import signalkit.Edges;
import signalkit.Loop;
import signalkit.Pipe;
import signalkit.Retry;
import signalkit.Signal;
import signalkit.SignalKit;
import signalkit.Subscription;
import signalkit.UsageException;

/**
 * The scenes that the examples of all languages run (docs/languages.md). Two scenes run only as an argument:
 * `leaving`, in which the program exits with a live subscription, and `interrupted`, in which Ctrl-C ends the waiting
 * program.
 */
public final class Main {
    private static Subscription show(String name, Signal<?> signal) {
        return signal.start(
            value -> System.out.println(name + ": " + value),
            error -> System.out.println(name + ": " + error.getMessage()),
            () -> System.out.println(name + ": end"));
    }

    private static void halves() {
        try (Pipe<Integer> pipe = new Pipe<>()) {
            show("half", pipe.signal().filter(n -> n % 2 == 0).map(n -> n / 2));
            for (int n = 1; n <= 6; n++) pipe.next(n);
        }
    }

    private static void text() {
        show("text", Signal.of("grün").map(word -> word + "!"));
    }

    private static void stopped() {
        try (Pipe<Integer> pipe = new Pipe<>()) {
            try (Subscription subscription = show("stopped", pipe.signal())) {
                pipe.next(1);
            }
            pipe.next(2);
        }
    }

    private static void ownThread() throws InterruptedException {
        Thread own = Thread.currentThread();
        try (DispatchQueue elsewhere = new DispatchQueue("elsewhere"); Loop here = new Loop()) {
            Signal<Integer> source = Signal.of(1, 2, 3).filter(n -> Thread.currentThread() != own).runOn(elsewhere);
            source.deliverOn(here).start(n -> System.out.println(place(own) + ": " + n), null, () -> {
                System.out.println(place(own) + ": end");
                here.stop();
            });
            here.run();
        }
    }

    private static String place(Thread own) {
        return Thread.currentThread() == own ? "own thread" : "another thread";
    }

    private static void failed() {
        show("failed", Signal.of(1).concatWith(Signal.fail(new IOException("unplugged"))));
    }

    private static void thrown() {
        show("thrown", Signal.of(1, 2, 3, 4).map(n -> {
            if (n == 3) throw new IllegalStateException("three is too many");
            return n * 10;
        }));
    }

    private static void misuse() {
        try {
            show("misuse", Signal.of(1).take(-1));
        } catch (UsageException refused) {
            System.out.println("misuse: " + refused.getMessage());
        }
    }

    private static void closedTwice() {
        Pipe<Integer> pipe = new Pipe<>();
        Signal<Integer> signal = pipe.signal();
        Subscription subscription = show("closed twice", signal);
        pipe.next(1);
        pipe.complete();
        pipe.complete();
        subscription.close();
        subscription.close();
        pipe.next(2); // after the end: dropped
        pipe.close();
        pipe.close();
        show("used after close", signal);
    }

    /** A function throws an Error. Its subscription fails, and the pipe continues. */
    private static void left() {
        try (Pipe<Integer> pipe = new Pipe<>()) {
            pipe.signal().start(value -> {
                System.out.println("left: " + value);
                throw new StackOverflowError();
            }, error -> System.out.println("left: and out"), null);
            try (Subscription others = pipe.signal().filter(n -> n == 2)
                    .start(n -> System.out.println("left: " + n + " for the others"))) {
                pipe.next(1);
                pipe.next(2);
            }
        }
    }

    private static Signal<Long> ticks(long millis, Loop loop) {
        return Signal.interval(Duration.ofMillis(millis), loop);
    }

    /** Two timers are combined and throttled. The first attempt fails and is retried. Callbacks run on this thread. */
    private static void timers() throws InterruptedException {
        try (Loop loop = new Loop()) {
            AtomicInteger attempts = new AtomicInteger();
            Signal<Long> both = Signal.deferred(() -> {
                System.out.println("timers: attempt " + attempts.incrementAndGet());
                if (attempts.get() == 1) return Signal.fail(new IOException("not yet"));
                return Signal.combineLatest(ticks(1, loop), ticks(2, loop), Long::sum);
            });
            AtomicInteger number = new AtomicInteger();
            show("timers", both.retry(Retry.FOREVER.delay(Duration.ofMillis(1)), loop)
                .throttle(Duration.ofMillis(3), Edges.BOTH, loop)
                .map(n -> number.incrementAndGet()).take(3).afterCompleted(loop::stop));
            loop.run();
        }
    }

    /** Memory is flat when it has grown by less than a kilobyte for each of the 10,000, after as many before. */
    private static void subscriptions() throws InterruptedException {
        try (Pipe<Integer> source = new Pipe<>(); Signal<Integer> numbers = source.signal().map(n -> n + 1).take(2)) {
            makeAndDrop(numbers);
            long alive = settled(Long.MIN_VALUE);
            long before = memory();
            makeAndDrop(numbers);
            long left = settled(alive) - alive;
            long grown = memory() - before;
            System.out.println("subscriptions: 10000 made, " + left + " left");
            System.out.println("subscriptions: memory " + (grown < 10_000 ? "flat" : grown + " KiB more"));
        }
    }

    private static void makeAndDrop(Signal<Integer> numbers) {
        for (int i = 0; i < 10_000; i++) numbers.start(System.out::println).close();
    }

    /** Waits until the number of live objects is the wanted one, or no longer falls, and returns it. */
    private static long settled(long wanted) throws InterruptedException {
        long alive = SignalKit.liveTotal();
        for (long then = Long.MAX_VALUE; alive != wanted && alive < then; alive = SignalKit.liveTotal()) {
            then = alive;
            Thread.sleep(20); // cleaners let go in their own time
        }
        return alive;
    }

    /** Returns the used heap in KiB. */
    private static long memory() {
        System.gc();
        return (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) / 1024;
    }

    private static void ownSubscription() {
        try (Pipe<Integer> pipe = new Pipe<>()) {
            Subscription[] subscription = new Subscription[1];
            subscription[0] = pipe.signal().take(3).start(value -> {
                System.out.println("own subscription: " + value);
                subscription[0].close();
            }, null, () -> System.out.println("own subscription: end"));
            pipe.next(1);
            pipe.next(2);
        }
        System.out.println("own subscription: over");
    }

    /** The program ends with a timer running that calls it all the time. */
    private static void leaving() throws InterruptedException {
        CountDownLatch ticked = new CountDownLatch(1);
        Consumer<Long> tick = n -> ticked.countDown();
        Signal.interval(Duration.ofNanos(100_000), new DispatchQueue("ticks")).start(tick);
        ticked.await();
        System.out.println("leaving: with a live subscription");
    }

    /** Waits until a signal ends the program. The test sends SIGINT after the line, and checks the exit status. */
    private static void interrupted() throws InterruptedException {
        Loop loop = new Loop();
        AtomicInteger ticks = new AtomicInteger();
        Signal.interval(Duration.ofMillis(1), loop).start(n -> {
            if (ticks.incrementAndGet() == 2) System.out.println("interrupted: waiting");
        });
        loop.run();
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments.length == 0 ? "" : arguments[0]) {
            case "leaving" -> leaving();
            case "interrupted" -> interrupted();
            default -> {
                halves();
                text();
                stopped();
                ownThread();
                failed();
                thrown();
                misuse();
                closedTwice();
                left();
                timers();
                subscriptions();
                ownSubscription();
                long end = System.nanoTime() + 60_000_000_000L;
                while (SignalKit.liveTotal() != 0 && System.nanoTime() < end) Thread.sleep(5);
                System.out.println("alive: " + SignalKit.liveTotal());
            }
        }
    }
}
