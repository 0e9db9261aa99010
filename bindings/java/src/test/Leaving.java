import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import signalkit.DispatchQueue;
import signalkit.Pipe;
import signalkit.Signal;

/** Ends as its argument says, with runs alive on other threads. */
public final class Leaving {
    public static void main(String[] arguments) throws InterruptedException {
        CountDownLatch ticked = new CountDownLatch(8);
        for (int i = 0; i < 8; i++)
            Signal.interval(Duration.ofNanos(100_000), new DispatchQueue("ticks")).map(n -> "" + n)
                .start(n -> ticked.countDown());
        ticked.await();
        switch (arguments[0]) {
            case "exit in a callback" -> {
                Pipe<Integer> pipe = new Pipe<>();
                pipe.signal().map(n -> n).start(System::exit);
                pipe.next(7);
            }
            case "exit on a thread of the library" -> {
                new DispatchQueue("exits").dispatch(() -> System.exit(7));
                new CountDownLatch(1).await();
            }
            case "exit during an endless start" -> {
                CountDownLatch started = new CountDownLatch(1);
                new Thread(() -> Signal.iterate(Stream.iterate(1, n -> n + 1).iterator()).skip(0).map(n -> n + 1)
                    .start(n -> started.countDown())).start();
                started.await();
                System.exit(7);
            }
            case "uncaught" -> throw new IllegalStateException("uncaught, as it is to be");
            default -> { }
        }
    }
}
