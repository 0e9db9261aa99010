#!/usr/bin/env python3
"""Tests the output of sgk-top, also with arbitrary data from the other end of the socket: `top.py SGK_TOP`."""
import contextlib
import json
import os
import pty
import random
import select
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading

TOP = os.path.abspath(sys.argv[1])
HERE = tempfile.TemporaryDirectory()
PLACE = os.path.join(HERE.name, "socket")


@contextlib.contextmanager
def process(*answers, ends=False):
    """Replaces a process: each request receives the next answer, and then always the last one. With `ends` it closes
    the connection instead."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(PLACE)
    listener.listen()
    requests = []

    def serve():
        with contextlib.suppress(OSError):
            while True:
                client = listener.accept()[0]
                left = list(answers)
                while line := client.makefile("rb").readline():
                    requests.append(line)
                    client.sendall(left[0])
                    if len(left) > 1:
                        left.pop(0)
                    elif ends:
                        client.close()
                        break

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield requests
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        os.unlink(PLACE)


def answer(**what):
    return json.dumps({"version": 1, "time": 1.0, "pid": 7, **what}).encode() + b"\n"


def said(*arguments, status=0):
    """The output; or what it complains of."""
    done = subprocess.run([TOP, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    assert done.returncode == status, (arguments, done)
    assert bool(done.stderr) == (status != 0), (arguments, done)
    return (done.stderr if status else done.stdout).decode()


def stage(number, parent=0, operator="map", **what):
    return {"id": number, "parent": parent, "operator": operator, "values": 0, **what}


# ---- Tables ----

def what(table):
    """The last column, of the runs."""
    lines = table.splitlines()
    titles = next(line for line in lines if "WHAT" in line)
    first = titles.index("WHAT")
    rows = lines[lines.index(titles) + 1:]
    return [row[first:] for row in rows[:rows.index("") if "" in rows else None]]


def tables():
    runs = [
        stage(5, 0, "run", name="clock", file="clock.c", line=12, values=10),
        stage(6, 5, "concat_map", parameter="db", values=10, waiting=3, most_waiting=5, slowest=0.25, dropped=2,
              errors=1, thread=99),
        stage(9, 6, "just", values=1, state="completed"),
        stage(8, 6, "just", values=2),
        stage(7, 0, "run", values=1234567890123, age=90000, idle=59.96, busy=0.0000021),
    ]
    queues = [{"name": "db\n", "depth": 3, "done": 1234567890123, "running": True, "more": []},
              {"name": None, "depth": 0, "done": 0, "running": False}]
    with process(answer(runs=runs, queues=queues, live={"signal": 4, "queue": 0})) as requests:
        table = said("--once", PLACE)
        assert requests == [b"graph\n"]
        assert table == """\
process 7: 2 runs of 5 stages, 4 live
   RUN    VALUES   RATE/s   WAIT   MOST   DROP  ERR SLOWEST    BUSY    IDLE     AGE   THREAD WHAT
     5        10        -      0      0      0    0       0       0       0       0        0 run 'clock' clock.c:12
     6        10        -      3      5      2    1   250ms       0       0       0       99   concat_map(db)
     8         2        -      0      0      0    0       0       0       0       0        0     just
     9         1        -      0      0      0    0       0       0       0       0        0     just, completed
     7    1.235T        -      0      0      0    0       0     2us     60s   1d01h        0 run

 DEPTH      DONE QUEUE
     3    1.235T db?, running
     0         0 (no name)

 COUNT LIVE
     4 signal
""", table
        assert [line.split()[0] for line in what(said("--once", "--sort", "values", PLACE))] == [
            "run", "run", "concat_map(db)", "just", "just,"]
        for key in "waiting", "most":
            assert what(said("--once", "--sort", key, PLACE))[0] == "run 'clock' clock.c:12"
        assert what(said("--once", "--sort", "age", PLACE))[0] == "run"


def pauses_are_shown():
    runs = [stage(1, 0, "run"), stage(2, 1, "deliver_on"), stage(3, 2, "range", pauses=1, paused=2.5, paused_by=2),
            stage(4, 0, "run", pauses=2), stage(5, 4, "pipe", pauses=3, paused=0.25, paused_by=0),
            stage(6, 0, "run"), stage(7, 6, "pipe", pauses=4, paused=0.5, paused_by=6),
            stage(8, 6, "pipe", pauses=5, paused=0.75, paused_by=9), stage(9, 6, "pipe", pauses=1)]
    with process(answer(runs=runs)):
        shown = what(said("--once", PLACE))
        assert shown == [
            "run", "  deliver_on", "    range, 1 pause, paused by 2 for 2.5s", "2 x run, 2 pauses",
            "  4 x pipe, 13 pauses, paused by 9 for 750ms"], shown
        sorted_ = [line.strip() for line in what(said("--once", "--sort", "paused", "--all", PLACE))]
        assert sorted_[2:6] == ["range, 1 pause, paused by 2 for 2.5s", "run",
                                "pipe, 5 pauses, paused by 9 for 750ms", "pipe, 4 pauses, paused by 6 for 500ms"]


def watched_files(count):
    """The answer of a program that watches many files: equal pipelines, and a different one."""
    runs, number = [], 0
    for file in range(count):
        run = number + 1
        state = "failed" if file == 3 else "running"
        runs += [stage(run, 0, "run", values=file, age=file, idle=count - file, slowest=file / 10, thread=file),
                 stage(run + 1, run, "debounce", parameter="1 s", values=2),
                 stage(run + 2, run + 1, "deliver_on", parameter='"fs"', waiting=1, most_waiting=file, values=3),
                 stage(run + 3, run + 2, "changes", name="log", values=4, state=state)]
        number = run + 3
        for _ in range(file % 3):  # as many inner ones as there happen to be: that makes no difference
            number += 1
            runs.append(stage(number, run + 2, "just", values=1))
    return runs


QUEUES = [{"name": "fs", "depth": 1, "done": 10, "running": number == 2} for number in range(3)] + [
    {"name": None, "depth": 0, "done": 1, "running": False}] * 2 + [
    {"name": "other", "depth": 9, "done": 5, "running": False}]


def siblings_are_folded():
    with process(answer(runs=watched_files(40), queues=QUEUES)):
        table = said("--once", PLACE)
        assert table == """\
process 7: 40 runs of 199 stages, 0 live
   RUN    VALUES   RATE/s   WAIT   MOST   DROP  ERR SLOWEST    BUSY    IDLE     AGE   THREAD WHAT
     1       270        -      0      0      0    0    3.9s       0      1s     39s       39 13 x run
     2        26        -      0      0      0    0       0       0       0       0        0   13 x debounce(1 s)
     3        39        -     13     39      0    0       0       0       0       0        0     13 x deliver_on("fs")
     4        52        -      0      0      0    0       0       0       0       0        0       13 x changes 'log'
     5       507        -      0      0      0    0    3.8s       0      2s     38s       38 26 x run
     6        52        -      0      0      0    0       0       0       0       0        0   26 x debounce(1 s)
     7        78        -     26     38      0    0       0       0       0       0        0     26 x deliver_on("fs")
     8       104        -      0      0      0    0       0       0       0       0        0       26 x changes 'log'
     9        39        -      0      0      0    0       0       0       0       0        0       39 x just
    16         3        -      0      0      0    0   300ms       0     37s      3s        3 run
    17         2        -      0      0      0    0       0       0       0       0        0   debounce(1 s)
    18         3        -      1      3      0    0       0       0       0       0        0     deliver_on("fs")
    19         4        -      0      0      0    0       0       0       0       0        0       changes 'log', failed

 DEPTH      DONE QUEUE
     3        30 3 x fs, running
     9         5 other
     0         2 2 x (no name)
""", table
        assert len(what(said("--once", "--all", PLACE))) == 199
        assert what(said("--once", "--sort", "count", PLACE))[0] == "26 x run"  # with its 39 below
        table = said("--once", "--sort", "waiting", PLACE)
        assert what(table)[0] == "26 x run" and table.split("QUEUE\n")[1].splitlines()[0].endswith("other"), table
    different = [stage(number, **{key: f"{value}{number}"}) for number, (key, value) in enumerate([
        ("operator", "o"), ("parameter", "p"), ("name", "n"), ("file", "f"), ("state", "s")] * 2, 1)]
    with process(answer(runs=different)):
        assert len(what(said("--once", PLACE))) == 10


def only_some_are_shown():
    runs = [stage(1, 0, "run"), stage(2, 1, "throttle"), stage(3, 2, "deliver_on", parameter='"db"'),
            stage(4, 3, "pipe", name="Clock"), stage(5, 2, "just"),
            stage(6, 0, "run"), stage(7, 6, "deliver_on", parameter='1 s, "fs"'), stage(8, 7, "map", parameter="db")]
    with process(answer(runs=runs, queues=QUEUES)):
        def shown(*arguments):
            return [line.split()[0] for line in said("--once", *arguments, PLACE).splitlines()[2:8] if line]
        assert shown("--name", "clock")[:4] == ["1", "2", "3", "4"]
        assert shown("--name", "DELIVER", "--queue", "db") == ["1", "2", "3", "4"]
        assert shown("--queue", "fs")[:3] == ["6", "7", "8"]
        assert "other" not in said("--once", "--queue", "file", PLACE)
        assert shown("--name", "nix")[0] == "DEPTH" and said("--once", "--name", "nix", PLACE).startswith(
            "process 7: 2 runs of 8 stages")
        assert "shorter than" in said("--name", "x" * 64, PLACE, status=2)


def rates():
    before, after = [stage(1, values=100)], [stage(1, values=150), stage(2, operator="filter", values=10)]
    with process(answer(runs=before), answer(time=3.0, runs=after)):
        rows = said("--once", "--interval", "0.05", PLACE).splitlines()[2:]
        assert [row.split()[2] for row in rows] == ["25.0", "5.0"], rows


def json_is_passed_on():
    one, two = answer(runs=[stage(1, name="\t\u2028é")]), answer(time=2.0, more={"a": [1, None]})
    with process(one, two, ends=True):
        assert said("--json", PLACE).encode() == one
        done = subprocess.run([TOP, "--json", "--interval", "0.05", PLACE], capture_output=True, timeout=300)
        assert (done.stdout, done.returncode) == (one + two, 0) and b"has ended" in done.stderr, done
    with process(b'{"version":1\n'):
        assert "byte 12" in said("--json", PLACE, status=1)


def texts_cannot_write_on_the_terminal():
    name = "a\x1b[2J\nb\x7f\u009b31m\u202e\u2066\u2028é\U0001f600"
    with process(answer(runs=[stage(1, name=name)])):
        assert what(said("--once", PLACE)) == ["map 'a?[2J?b??31m???é\U0001f600'"]


def odd_trees():
    circle = [stage(1, 2), stage(2, 3), stage(3, 1), stage(4, 4), stage(5, 99), stage(6, 3)]
    deep = [stage(number, number - 1) for number in range(1, 3001)]
    with process(answer(runs=circle), answer(runs=deep)):
        assert sorted(map(str.strip, what(said("--once", "--all", PLACE)))) == ["map"] * 6
        rows = what(said("--once", "--interval", "0.05", PLACE))
        assert len(rows) == 3000 and max(map(len, rows)) == 83


def dumps():
    with process(b'{"version":1,"pid":7,"dump":"alive: 1\\n     1 pipe \\u001b[2J\\u2028\\n"}\n') as requests:
        assert said("--dump", PLACE) == "alive: 1\n     1 pipe ?[2J?\n" and requests == [b"dump\n"]
    with process(b'{"version":1,"error":"unknown request"}\n'):  # an older library
        assert "unknown request" in said("--dump", PLACE, status=1)


# ---- Names of functions ----

SOURCE = """
__attribute__((noinline)) static int hidden(int x) { __asm__(""); return x; }
int main(int count, char **texts) { (void)texts; return hidden(count - 1); }
"""


def address_of(function, program):
    lines = subprocess.check_output(["nm", program], text=True).split("\n")
    return next(int(line.split()[0], 16) for line in lines if line.endswith(f" {function}"))


def static_functions_have_names():
    program = os.path.join(HERE.name, "pro gram")
    subprocess.run(["cc", "-x", "c", "-", "-o", program], input=SOURCE.encode(), check=True)
    hidden = address_of("hidden", program)
    places = (f"alive: 1\n   {program}(+{hidden + 2:#x}) [0x5]\n  ./pro gram(+{hidden:#x})\n  {program}(+0x1)\n\n)\n"
              "/x(+0x")
    named = f"alive: 1\n   {program}(hidden+0x2) [0x5]\n  ./pro gram(hidden+0x0)\n  {program}(+0x1)\n\n)\n/x(+0x\n"
    with process(json.dumps({"version": 1, "pid": os.getpid(), "dump": places}).encode() + b"\n"):
        before = os.getcwd()
        os.chdir(HERE.name)
        assert said("--dump", PLACE) == named, said("--dump", PLACE)
        done = subprocess.run([TOP, "--symbols"], input=places.encode(), capture_output=True, timeout=300)
        assert done.stdout.decode() == named and not done.stderr and done.returncode == 0, done
        os.chdir(before)
    # Whatever the file is.
    whole = open(program, "rb").read()
    sections = int.from_bytes(whole[40:48], "little")
    kinds = [whole[at + 4:at + 8] for at in range(sections, len(whole), 64)]
    table = sections + 64 * kinds.index(b"\2\0\0\0")
    random.seed(34)
    broken = os.path.join(HERE.name, "broken")
    for number in range(400):
        bytes_ = bytearray(whole[:random.randrange(len(whole))] if number % 4 == 0 else whole)
        for _ in range(1 + number % 3):
            place = random.choice([0, table, table + 64]) + random.randrange(64)
            if place < len(bytes_):
                bytes_[place] = random.choice([0, 1, 255, random.randrange(256)])
        with open(broken, "wb") as file:
            file.write(bytes_)
        done = subprocess.run([TOP, "--symbols"], input=f"{broken}(+{hidden:#x})".encode(), capture_output=True,
                              timeout=300)
        assert done.returncode == 0 and not done.stderr and done.stdout.count(b"\n") == 1, (number, done)
    for path in ("/dev/zero", "/", HERE.name + "/none", "x" * 5000):
        done = subprocess.run([TOP, "--symbols"], input=f"{path}(+0x10)".encode(), capture_output=True, timeout=300)
        assert done.stdout.decode() == f"{path}(+0x10)\n", done


# ---- Invalid answers ----

RIGHT = [
    b'{"version":1}', b' \t{ "version" : 1.0e0 , "runs" : [ ] }\r', b'{"version":1,"a":{"b":[[],{},"",-0.5E+3,true]}}',
    rb'{"version":1,"runs":[{"id":1,"name":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\u0000"}]}',
    b'{"version":1,"runs":[{"id":1,"name":null,"values":null}],"runs":[{"id":2}]}',
    b'{"version":1,"a":' + b"[" * 31 + b"]" * 31 + b"}",
]
WRONG = [
    b"", b"null", b"[]", b"1", b'"a"', b"{", b"}", b"{}", b'{"version":2}', b'{"version":1}x', b'{"version":1}{}',
    b'{"version":1,}', b'{,"version":1}', b'{"version" 1}', b'{version:1}', b"{'version':1}", b'{"version":1 "a":2}',
    b'{"version":01}', b'{"version":1.}', b'{"version":.1}', b'{"version":+1}', b'{"version":1e}', b'{"version":0x1}',
    b'{"version":1,"time":1e999}', b'{"version":1,"time":NaN}', b'{"version":1,"time":"1"}', b'{"version":1,"a":nul}',
    b'{"version":1,"a":tru}', b'{"version":1,"a":[1,]}', b'{"version":1,"a":[1}', b'{"version":1,"a":"',
    b'{"version":1,"a',
    rb'{"version":1,"a":"\x"}', rb'{"version":1,"a":"\u12"}', rb'{"version":1,"a":"\ud800"}',
    rb'{"version":1,"a":"\udc00\ud800"}', rb'{"version":1,"a":"\ud800\u0041"}', b'{"version":1,"a":"\t"}',
    b'{"version":1,"a":"\xff"}', b'{"version":1,"a":"\xc0\x80"}', b'{"version":1,"a":"\xed\xa0\x80"}',
    b'{"version":1,"a":"\xf4\x90\x80\x80"}', b'{"version":1,"a":"\xe2\x82"}', b'{"version":1,"a":"\xe0\x80\x80"}',
    b'{"version":1,"a":' + b"[" * 32 + b"]" * 32 + b"}", b'{"version":1,"a":' + b'{"a":' * 100000,
    b'{"version":1,"runs":{}}', b'{"version":1,"runs":[1]}', b'{"version":1,"runs":[{}]}', b'{"version":1,"runs":null}',
    b'{"version":1,"runs":[{"id":"1"}]}', b'{"version":1,"runs":[{"id":-1}]}',
    b'{"version":1,"queues":{}}', b'{"version":1,"queues":[1]}', b'{"version":1,"queues":[{"running":1}]}',
    b'{"version":1,"queues":[{"depth":"1"}]}', b'{"version":1,"queues":[{"name":1}]}', b'{"version":1,"dump":1}',
    b'{"version":1,"live":[]}', b'{"version":1,"live":{"a":"b"}}', b'{"version":1,\0}', b"\0",
    b'\xef\xbb\xbf{"version":1}',
]


def right_and_wrong_answers():
    for text in RIGHT:
        with process(text + b"\n"):
            said("--once", PLACE)
    for text in WRONG:
        with process(text + b"\n"):
            complaint = said("--once", PLACE, status=1)
            assert complaint.startswith(f"sgk-top: {PLACE}: ") and complaint.count("\n") == 1, (text, complaint)
            assert "byte " in complaint or "version" in complaint, (text, complaint)


def processes_that_do_otherwise():
    good = answer()
    for answers, ends, complaint in [
        ((b'{"version":1,"error":"no"}\n',), False, "the process says: no"), ((b"",), True, "the process has ended"),
        ((b'{"version"',), True, "breaks off"), ((b"",), False, "no answer"), ((good + good,), False, "more than one"),
        ((b" " * (65 << 20),), False, "too long"),
    ]:
        with process(*answers, ends=ends):
            assert complaint in (found := said("--once", PLACE, status=1)), found


def nobody_there():
    assert said("--once", PLACE, status=1) == f"sgk-top: {PLACE}: No such file or directory\n"
    assert "nobody listens" in said("--once", "", status=1)
    assert "longer than" in said("--once", "/" + "a" * 200, status=1)
    assert "nobody listens" in said("--once", HERE.name, status=1)
    assert "No such file" in said("--once", "4194305", status=1)
    assert "was not started with" in said("--once", str(os.getpid()), status=1)
    left = socket.socket(socket.AF_UNIX)
    left.bind(PLACE)
    left.close()
    assert "nobody listens" in said("--once", PLACE, status=1)
    os.unlink(PLACE)


def arguments():
    assert "--interval" in said("--help") and said("--version").startswith("sgk-top ")
    for wrong in [(), ("a", "b"), ("--interval", "0", "a"), ("--interval", "x", "a"), ("--interval", "nan", "a"),
                  ("--sort", "x", "a"), ("--once", "--json", "a"), ("--dump", "--json", "a"),
                  ("--dump", "--once", "a"), ("--dump", "--interval", "1", "a"), ("--symbols", "a"),
                  ("--once", "--symbols"), ("--nix", "a")]:
        said(*wrong, status=2)


def found_by_number():
    for pattern in (PLACE, os.path.relpath(PLACE, "/")):
        other = subprocess.Popen(["sleep", "1000"], cwd="/", env={"SIGNALKIT_INSPECT": pattern})
        with process(answer(pid=3)):
            assert said("--once", str(other.pid)).startswith("process 3:")
        other.kill()
        other.wait()
    other = subprocess.Popen(["sleep", "1000"], env={"SIGNALKIT_INSPECT": HERE.name + "/of-%p"})
    assert f"{HERE.name}/of-{other.pid}: No such file" in said("--once", str(other.pid), status=1)
    other.kill()
    other.wait()


# ---- On a terminal ----

class Terminal:
    def __init__(self, *arguments, rows=12, columns=100):
        self.main, side = pty.openpty()
        termios.tcsetwinsize(self.main, (rows, columns))
        self.side, self.before, self.seen = side, termios.tcgetattr(side), b""
        self.top = subprocess.Popen([TOP, *arguments, PLACE], stdin=side, stdout=side, stderr=side, preexec_fn=self.own)

    def own(self):
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)  # whatever the tests are run by ignores
        os.setsid()
        os.close(os.open(os.ttyname(self.side), os.O_RDWR))  # so that its keys make signals

    def until(self, text):
        """Reads until the text has arrived since the last call."""
        while text not in self.seen:
            assert select.select([self.main], [], [], 300)[0], (text, self.seen)
            self.seen += os.read(self.main, 65536)
        seen, self.seen = self.seen.split(text, 1)
        return seen

    def type(self, keys):
        os.write(self.main, keys)

    def ended(self, status):
        """The terminal is what it was."""
        self.until(b"\x1b[?7h\x1b[?25h\x1b[?1049l")
        while self.top.poll() is None:
            if select.select([self.main], [], [], 0.05)[0]:
                self.seen += os.read(self.main, 65536)
        assert self.top.returncode == status, (self.top.returncode, self.seen)
        assert termios.tcgetattr(self.side) == self.before
        os.close(self.main), os.close(self.side)


def keys():
    runs = [stage(number, 0, "run", name=f"number-{number}-", values=-number) for number in range(1, 31)]
    runs += [stage(31 + number, 1, "deliver_on", parameter='"db"') for number in range(3)]
    with process(answer(runs=runs)):
        terminal = Terminal("--interval", "0.05")
        terminal.until(b"\x1b[?1049h")
        assert termios.tcgetattr(terminal.side)[3] & (termios.ICANON | termios.ECHO) == 0
        terminal.until(b"33 stages")
        terminal.until(b"3 x deliver_on")
        terminal.until(b"number-8-")
        assert b"number-9-" not in terminal.until(b"by number, more lines")  # only the lines that fit
        termios.tcsetwinsize(terminal.main, (40, 200))
        terminal.until(b"\x1b[40;1H")
        termios.tcsetwinsize(terminal.main, (12, 200))
        for keys, shown in [(b"j", b"number-9-"), (b"\x1b[B", b"number-10-"), (b"\x1b[6~", b"number-19-"),
                            (b"\x1b[F", b"number-30-"), (b"\x1b[H", b"number-1-"), (b"i", b"by idle"),
                            (b"v", b"by values"), (b"v\x1b[F", b"number-30-"), (b" ", b"held"),
                            (b"\x1bxn", b"by number"), (b" ", b"every"), (b"c", b"by count"),
                            (b"f", b", all"), (b"f/ber-2x", b"name contains: ber-2x_"), (b"\x7f7", b"number-27-"),
                            (b"\r", b"by count, name ber-27;"), (b"/\x1b", b"more lines;"),
                            (b"uq", b"queue contains: q_"), (b"\x7fdb\n", b", queue db;")]:
            terminal.type(keys)
            terminal.until(shown)
        terminal.type(b"q")
        terminal.ended(0)


def ends():
    with process(answer()):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGABRT):
            terminal = Terminal()
            terminal.until(b"keys:")
            if number == signal.SIGINT:
                terminal.type(b"\x03")
            else:
                terminal.top.send_signal(number)
            terminal.ended(-number)
        terminal = Terminal()
        terminal.until(b"keys:")
        terminal.type(b"\x1a")
        terminal.until(b"\x1b[?1049l")
        while not os.WIFSTOPPED(os.waitpid(terminal.top.pid, os.WUNTRACED)[1]):
            pass
        assert termios.tcgetattr(terminal.side) == terminal.before
        terminal.top.send_signal(signal.SIGCONT)
        terminal.until(b"keys:")
        terminal.type(b"q")
        terminal.ended(0)
    for last, status, complaint in [(answer(), 0, b"has ended"), (b"{}\n", 1, b"version 0")]:
        with process(answer(), last, ends=True):
            terminal = Terminal("--interval", "0.05")
            terminal.ended(status)
            assert complaint in terminal.seen, terminal.seen


def without_a_terminal():
    with process(answer(), answer(), answer(), ends=True):
        done = subprocess.run([TOP, "--interval", "0.05", PLACE], stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=300)
        assert done.returncode == 0 and done.stdout.count(b"process 7") == 3 and b"\x1b" not in done.stdout, done
    with process(answer()), open("/dev/full", "w") as full:
        done = subprocess.run([TOP, "--once", PLACE], stdout=full, stderr=subprocess.PIPE, timeout=300)
        assert done.returncode == 1 and b"cannot be written" in done.stderr, done
    with process(answer()):
        top = subprocess.Popen([TOP, "--json", "--interval", "0.05", PLACE], stdout=subprocess.PIPE)
        top.stdout.readline()
        top.stdout.close()
        assert top.wait(300) == -signal.SIGPIPE


for test in (tables, pauses_are_shown, siblings_are_folded, only_some_are_shown, rates, json_is_passed_on,
             texts_cannot_write_on_the_terminal, odd_trees, dumps, static_functions_have_names, right_and_wrong_answers,
             processes_that_do_otherwise, nobody_there, arguments, found_by_number, keys, ends, without_a_terminal):
    print(test.__name__, flush=True)
    test()
