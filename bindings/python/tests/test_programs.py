"""Whole programs: how they end."""

import os
import pathlib
import platform
import re
import signal
import subprocess
import sys

import pytest

import libsignalkit
from conftest import PATIENCE

IMPORTS = "import asyncio, gc, threading\nfrom libsignalkit import *\n"
PROGRAMS = {
    "an error that get raises": "try: Signal.fail(ValueError()).get(1)\nexcept ValueError as error: kept = error",
    "an error that first raises": """
async def main():
    try: await Signal.fail(ValueError()).first()
    except ValueError as error: return error
kept = asyncio.run(main())""",
    "an awaited object": "async def main(): return await Signal.just(object()).first()\nkept = asyncio.run(main())",
    "async for": """
async def main():
    async for value in Signal.from_iterable([object(), object()]).deliver_on(asyncio.get_running_loop()): pass
    return value
kept = asyncio.run(main())""",
    "async for that is left": """
async def main():
    async for value in Signal.from_iterable(range(10)): return value
asyncio.run(main())""",
    "an object that holds a signal that holds it": "class A: pass\na = A()\na.signal = Signal.just(a)",
    "a generator that holds its signal": "class A: pass\na = A()\na.signal = Signal.create(lambda subscriber: a and None)",
    "an object that lets go of a signal last": """
class Late:
    def __del__(self): del self.signal
late = Late()
late.signal = Signal.just(object()).take(1).distinct_until_changed().catch(lambda error: late.signal)
gc.disable()""",
    "a run on another thread": """
began = threading.Event()
run = Signal.interval(0.0001, queue=Queue()).map(lambda n: object()).start(lambda value: began.set())
began.wait()""",
    "a timer, a pool and a promise": """
began = threading.Event()
timer = Timer(0.0001, began.set, queue=Queue(), repeat=True)
timer.start()
pool = ThreadPool(2)
pool.add_task(lambda: began.wait())
state = State(object())
run = state.signal.start(lambda value: None)
began.wait()""",
    "a pipe whose listener holds it": "pipe = Pipe()\nrun = pipe.signal.take(3).start(lambda value: pipe)\npipe.next(1)",
    "reads in reads, up to the limit of the stack": """
def nested(n): return Signal.just(n).map(lambda n: nested(n - 1) + 1).get(10) if n else 0
for n in range(1, 200, 7):
    try: assert nested(n) == n
    except RecursionError: pass""",
    "a queue on a loop that is closed": """
async def main():
    return Signal.interval(0.001, queue=aio.loop_queue()).start(lambda value: None)
kept = asyncio.run(main())""",
}


def interpreters():
    """Returns this interpreter and the other installed and supported interpreters for this kind of processor."""
    places = [*pathlib.Path(os.environ.get("PYENV_ROOT") or "/nowhere").glob("versions/*/bin"), pathlib.Path("/usr/bin")]
    others = {path.name: str(path) for place in places for path in place.glob("python3.1[0-9]")}
    for name, path in list(others.items()):
        shown = subprocess.run([path, "-c", "import platform; print(platform.machine())"], capture_output=True, text=True)
        if shown.stdout.strip() != platform.machine():
            del others[name]
    others["python%d.%d" % sys.version_info[:2]] = sys.executable
    return [others[name] for name in sorted(others)]


def as_at_a_terminal():
    """A background process of a shell ignores Ctrl-C, and so do its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def ended(code, *options, interpreter=sys.executable, **environment):
    package = str(pathlib.Path(libsignalkit.__file__).parent.parent)
    return subprocess.run([interpreter, *options, "-c", code], capture_output=True, text=True, timeout=PATIENCE,
                          preexec_fn=as_at_a_terminal, env={**os.environ, "PYTHONPATH": package, **environment})


@pytest.mark.parametrize("interpreter", interpreters())
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda name: name.replace(" ", "-"))
def test_a_program_ends_well_with(program, interpreter):
    end = ended(IMPORTS + PROGRAMS[program], interpreter=interpreter)
    assert (end.returncode, end.stderr) == (0, "")


def test_ctrl_c_ends_run_main_and_not_the_callback_it_comes_in():
    code = IMPORTS + """
import os, signal
def callback(value):
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(1000): pass
    print("the callback goes on", flush=True)
run = Signal.timer(0.001, queue=Queue.main()).start(callback)
run_main()
"""
    end = ended(code)
    assert end.stdout == "the callback goes on\n" and "KeyboardInterrupt" in end.stderr and end.returncode == -2


def test_ctrl_c_twice_is_raised_in_the_callback():
    code = IMPORTS + """
import os, signal
def callback(value):
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(1000): pass
    print("not here")
run = Signal.timer(0.001, queue=Queue.main()).start(callback, on_error=lambda error: print(type(error).__name__))
try: run_main()
except KeyboardInterrupt: print("run_main")
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
    assert ended(code).stdout == "KeyboardInterrupt\nrun_main\nTrue\n"


def test_run_main_is_for_the_main_thread_outside_of_its_work():
    code = IMPORTS + """
def attempt():
    try: run_main()
    except UsageError as error: print(error)
thread = threading.Thread(target=attempt)
thread.start()
thread.join()
Queue.main().dispatch(attempt)
Queue.main().dispatch(stop_main)
run_main()
stop_main()
run_main()
print("returned")
"""
    thread, nested, returned = ended(code).stdout.splitlines()
    assert "must be the main thread" in thread and "called from work of the main queue" in nested and returned == "returned"


@pytest.mark.parametrize("interpreter", interpreters())
def test_a_subinterpreter_cannot_import_it(interpreter):
    """A callback would wait permanently there. The main interpreter is not affected."""
    end = ended("""
try:
    import _interpreters as interpreters  # Python 3.13
    other = interpreters.create("legacy")
except ImportError:
    import _xxsubinterpreters as interpreters
    other = interpreters.create(isolated=False)
from libsignalkit import Signal
interpreters.run_string(other, '''
try: from libsignalkit import Signal
except ImportError as error: print(error, flush=True)
else: Signal.from_iterable([1, 2]).take(1).get()
''')
interpreters.destroy(other)
print(Signal.from_iterable([1, 2]).take(1).get())
""", interpreter=interpreter)
    assert (end.returncode, end.stderr) == (0, "")
    assert re.fullmatch("libsignalkit needs the main interpreter: .*\n1\n", end.stdout)
