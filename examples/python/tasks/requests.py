"""Requests with retry, timeout and cancellation over a pool: at most two at a time, each with three attempts."""

import time

from libsignalkit import Signal, Subscriber, ThreadPool

failures: "list[str]" = []


def fetch(url: str) -> Signal[str]:
    """Replaces a network. The first attempt of /flaky fails, and /slow never answers."""

    def generate(subscriber: Subscriber[str]) -> None:
        while url == "/slow" and subscriber.active:
            time.sleep(0.001)  # until it is cancelled
        if url == "/flaky" and not failures:
            failures.append(url)
            raise ConnectionResetError("connection reset")
        subscriber.next(f"{url}: 200 OK")
        subscriber.complete()

    return Signal.create(generate)


pool = ThreadPool(2).as_queue()


def request(url: str) -> Signal[str]:
    patient = fetch(url).run_on(pool).timeout(0.5).retry(3, delay=0.05)
    return patient.catch(lambda error: Signal.just(f"{url}: {error}"))


urls = Signal.from_iterable(["/a", "/slow", "/flaky", "/b"])
for line in urls.merge_map(request, limit=2).take_for(30).iterate():  # the user gives up after 30 seconds
    print(line)
