"""The soak of the Python package (see run.py): threads, the garbage collector and KeyboardInterrupt at once."""

import gc
import signal
import sys
import threading

from libsignalkit import Pipe, Queue, Signal, live_total


class Boom(Exception):
    pass


def fails_at_seven(n):
    if n == 7:
        raise Boom(n)
    return [n]


def instead(error):
    return Signal.just("caught") if isinstance(error, Boom) else Signal.fail(error)


def cycle(value):
    """Returns an object that only the collector can free, and that holds a signal."""
    holder = [value]
    holder.append(Signal.never().map(lambda _: holder))
    return holder


def emit(subscriber):
    for n in range(5):
        subscriber.next([n])
    subscriber.complete()


def a_round(queue, pipe):
    assert Signal.range(0, 9).map(lambda n: n + 1).filter(lambda n: n % 2).reduce(lambda a, n: a + n, 0).get(60) == 25
    assert Signal.range(0, 9).map(fails_at_seven).catch(instead).take_last().get(60) == "caught"
    elsewhere = Signal.create(emit).run_on(queue)
    assert elsewhere.concat_map(Signal.just).to_array(limit=9).get(60) == [[n] for n in range(5)]
    assert Signal.timer(0.0001, queue=queue).map(cycle).map(len).get(60) == 2
    seen = []
    with pipe.signal.take(3).deliver_on(queue).start(seen.append):
        pipe.next([1])
    cycle(Signal.never().start(seen.append))  # nobody disposes it
    queue.sync(lambda: seen.append(1))
    assert seen


def each_round(place, queue, pipe):
    while not over.is_set():
        a_round(queue, pipe)
        rounds[place] += 1


def interrupt(number, frame):
    """Raises in a function of this file. In the package, an exception could leave objects of a call alive."""
    global interrupted
    interrupted = True
    if frame.f_code.co_filename == __file__:
        raise KeyboardInterrupt


def interrupted_work(queue, pipe):
    global interrupted
    try:
        print("ready", flush=True)
        while not interrupted:
            a_round(queue, pipe)
            rounds[0] += 1
    except KeyboardInterrupt:
        pass
    interrupted = False


def collect():
    while not over.wait(0.01):
        gc.collect()


def main():
    signal.signal(signal.SIGINT, interrupt)
    queues, pipe = [Queue(), Queue()], Pipe()
    threads = [threading.Thread(target=each_round, args=(n, queues[n % 2], pipe)) for n in (1, 2)]
    threads.append(threading.Thread(target=collect))
    for thread in threads:
        thread.start()
    answer = "continue\n"
    try:
        while answer == "continue\n":
            interrupted_work(queues[0], pipe)
            print("interrupted", flush=True)
            answer = sys.stdin.readline()
    finally:
        over.set()
    for thread in threads:
        thread.join()


over, interrupted, rounds = threading.Event(), False, [0, 0, 0]
main()
for _ in range(600):
    gc.collect()
    if live_total() == 0:
        break
    threading.Event().wait(0.1)
print("rounds", sum(rounds))
print("alive", live_total())
