import java.util.concurrent.LinkedBlockingQueue;
import signalkit.Pipe;
import signalkit.Queue;
import signalkit.Signal;
import signalkit.SignalKit;
import signalkit.Subscription;

/** The scenes that every language of `examples` plays (docs/languages.md). */
public final class Main {
    private static Subscription show(String name, Signal<?> signal) {
        return signal.start(
            value -> System.out.println(name + ": " + value),
            message -> System.out.println(name + ": " + message),
            () -> System.out.println(name + ": end"));
    }

    private static void halves() {
        try (Pipe<Long> pipe = new Pipe<>()) {
            show("half", pipe.signal().filter(n -> n % 2 == 0).map(n -> n / 2));
            for (long n = 1; n <= 6; n++) pipe.next(n);
        }
    }

    private static void text() {
        show("text", Signal.of("grün").map(word -> word + "!"));
    }

    private static void stopped() {
        try (Pipe<Long> pipe = new Pipe<>()) {
            try (Subscription run = show("stopped", pipe.signal())) {
                pipe.next(1L);
            }
            pipe.next(2L);
        }
    }

    /** Java's own loop: a thread that runs what an executor is given. Here it is this thread. */
    private static final class Loop {
        private final LinkedBlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
        private boolean running = true;

        void run() throws InterruptedException {
            while (running) work.take().run();
        }

        void stop() {
            running = false;
        }
    }

    private static void ownThread() throws InterruptedException {
        Loop loop = new Loop();
        Thread own = Thread.currentThread();
        try (Queue elsewhere = new Queue("elsewhere"); Queue here = Queue.on(loop.work::add)) {
            Signal<Long> source = Signal.of(1L, 2L, 3L).filter(n -> Thread.currentThread() != own).runOn(elsewhere);
            source.deliverOn(here).start(
                n -> System.out.println(place(own) + ": " + n),
                System.out::println,
                () -> {
                    System.out.println(place(own) + ": end");
                    loop.stop();
                });
            loop.run();
        }
    }

    private static String place(Thread own) {
        return Thread.currentThread() == own ? "own thread" : "another thread";
    }

    private static void failed() {
        show("failed", Signal.of(1L).then(Signal.fail("unplugged")));
    }

    private static void thrown() {
        show("thrown", Signal.of(1L, 2L, 3L, 4L).map(n -> {
            if (n == 3) throw new IllegalStateException("three is too many");
            return n * 10;
        }));
    }

    private static void misuse() {
        try {
            show("misuse", Signal.of(1L).take(-1));
        } catch (IllegalArgumentException reason) {
            System.out.println("misuse: " + reason.getMessage());
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        halves();
        text();
        stopped();
        ownThread();
        failed();
        thrown();
        misuse();
        long alive = SignalKit.alive();
        System.out.println("alive: " + alive);
        System.exit(alive == 0 ? 0 : 1);
    }
}
