"""Signal handlers that raise, wherever the main thread is. Each program is a process, which ends without a message of Python's."""

import pathlib
import shutil

import pytest

import libsignalkit
from libsignalkit import _library
from test_programs import ended

pytestmark = pytest.mark.skipif(not _library.is_guarded, reason="guard.c is not compiled")

# A function, because Python has a defect here: an exception at the jump of a loop is outside the `try` around the loop (3.13.0).
INTERRUPTS = """
import random, signal
from libsignalkit import *

class Alarm(Exception): pass

def handler(number, frame):
    global count
    count += 1
    raise Alarm

def some(value): return [value]

def generator(subscriber):
    for n in range(5): subscriber.next(some(n))
    subscriber.complete()

def until_interrupted(work):
    before = count
    signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-6, 2e-3))
    while count == before: work()
    for _ in range(10): pass

queue = Queue()
works = {
    "stages": lambda: Signal.range(0, 20).map(some).filter(len).take(3).to_array().get(),
    "signals": lambda: Signal.range(0, 5).concat_map(lambda n: Signal.just(some(n))).take_last().get(),
    "generator": lambda: Signal.create(generator).take_while(lambda value: value != [4]).take_last().get(),
    "a queue": lambda: Signal.just(some(1)).run_on(queue).map(some).get(),
    "subscriptions": lambda: Signal.never().start(some).dispose(),
    "a wait": lambda: Signal.timer(3600, queue=queue).get(),
    "a set": lambda: Signal.from_iterable([[1], [1]]).take(9).map(str).distinct().to_array().get(),
    "a pipe": lambda: pipe.next(1),
}
pipe = Pipe()
run = pipe.signal.map(some).take(10**9).start(some)
count = raised = 0
random.seed(0)
signal.signal(signal.SIGALRM, handler)
for _ in range(INTERRUPTS):
    try:
        until_interrupted(works[NAME])
    except Alarm:
        raised += 1
    if NAME == "a pipe":
        run.dispose()
        run = pipe.signal.map(some).take(10**9).start(some)
run.dispose()
print(count, raised, Signal.range(0, 3).map(some).take(2).to_array(limit=2).get())
"""
NAMES = ["stages", "signals", "generator", "a queue", "subscriptions", "a wait", "a set", "a pipe"]


@pytest.mark.parametrize("name", NAMES)
def test_an_interrupt_is_raised_and_ends_nothing_else(name):
    count = 20 if name == "a wait" else 1000  # a wait looks for interrupts ten times in a second
    end = ended(f"INTERRUPTS, NAME = {count}, {name!r}\n{INTERRUPTS}")
    assert (end.returncode, end.stderr, end.stdout) == (0, "", f"{count} {count} [[0], [1]]\n")


def test_a_value_is_left_to_the_next_call():
    """An interrupt comes before the value. Python raises it when the wait has ended with the value."""
    end = ended("""
import os, signal, threading, time
from itertools import starmap
from libsignalkit import *

class Alarm(Exception): pass

def handler(number, frame):
    if armed: raise Alarm

def send(value):
    while not begun: time.sleep(0)
    os.kill(os.getpid(), signal.SIGALRM)
    pipe.next(value)

signal.signal(signal.SIGALRM, handler)
pipe, seen, raised = Pipe(), [], 0
values = pipe.signal.iterate()
for n in range(300):
    begun = armed = False
    thread = threading.Thread(target=send, args=([n],))
    thread.start()
    try:
        armed = begun = True
        seen.extend(starmap(next, [(values,)]))  # in C: it is seen if it is returned
        for _ in range(10): pass
    except Alarm:
        raised += 1
    armed = False
    thread.join()
pipe.complete()
seen.extend(values)
print(seen == [[n] for n in range(300)], raised > 0)
""")
    assert (end.returncode, end.stderr, end.stdout) == (0, "", "True True\n")


ONCE = """
import signal, sys
from libsignalkit import *
def interrupt(value):
    signal.raise_signal(signal.SIGINT)
    print("not here")
"""


def test_ctrl_c_in_a_callback_is_raised_where_the_library_was_called():
    end = ended(ONCE + """
try:
    Signal.range(0, 3).start(interrupt)
    for _ in range(10): pass
except KeyboardInterrupt: print("interrupted")
Signal.range(0, 3).start(interrupt, on_error=lambda error: print(type(error).__name__))
try: Signal.range(0, 3).map(interrupt).get()
except KeyboardInterrupt: print("interrupted")
""")
    assert (end.returncode, end.stderr, end.stdout) == (0, "", "interrupted\nKeyboardInterrupt\ninterrupted\n")


@pytest.mark.parametrize("source", ["Signal.range(0, 3)", "Signal.from_iterable([1, 2])", "Signal.just(1).run_on(Queue.main())"])
def test_an_exit_in_a_callback_ends_the_program(source):
    end = ended(ONCE + f"""
signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(7))
run = {source}.start(lambda value: signal.raise_signal(signal.SIGTERM))
run_main()
""")
    assert (end.returncode, end.stderr, end.stdout) == (7, "", "")


def test_what_a_thread_raises_is_logged():
    """It is never an interrupt, because Python calls handlers only on the main thread."""
    end = ended("""
import logging, sys, threading
logging.basicConfig(stream=sys.stdout, format="%(message)s %(exc_info)s")
from libsignalkit import *
run = Signal.just(1).run_on(Queue()).start(lambda value: sys.exit(7))
Queue().sync(lambda: None)
while run.__repr__() == "<Run: running>": pass
for _ in range(1000): pass
""")
    assert end.returncode == 0 and "that nobody handles the errors of (<class 'SystemExit'>" in end.stdout


def test_the_package_works_without_the_part_in_c(tmp_path):
    package = pathlib.Path(libsignalkit.__file__).parent
    shutil.copytree(package, tmp_path / "libsignalkit", ignore=shutil.ignore_patterns("_guard-*", "__pycache__"))
    end = ended("""
from libsignalkit import *
from libsignalkit import _library
events = []
Signal.range(0, 3).map(lambda n: [n]).take_while(lambda value: value != [2]).start(events.append, on_completed=lambda: events.append("C"))
Signal.range(0, 3).take_while(lambda n: [1 // (1 - n)]).start(events.append, on_error=lambda error: events.append(type(error)))
Queue().sync(lambda: events.append("sync"))
print(_library.is_guarded, events, live_total())
""", PYTHONPATH=str(tmp_path))
    assert (end.returncode, end.stderr) == (0, "")
    assert end.stdout == "False [[0], [1], 'C', 0, <class 'ZeroDivisionError'>, 'sync'] 0\n"
