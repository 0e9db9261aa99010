#!/usr/bin/env python3
"""The inspector of a program that runs, looked into by its socket and by sgk-top: `inspect.py PROGRAM SGK_TOP`, where
the program is inspected.c."""
import contextlib
import json
import os
import resource
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading

PROGRAM, TOP = sys.argv[1:]
HERE = tempfile.TemporaryDirectory()
PLACE = os.path.join(HERE.name, "socket")
TAKEN = "must not be in use, and must be a socket if it exists"
os.chmod(HERE.name, 0o755)


class Program:
    """Runs with that path as its inspector's, in a context; there it must end well, having said `complaint` alone."""

    def __init__(self, path=PLACE, complaint="", status=0, program=PROGRAM, **how):
        self.complaint, self.status = complaint, status
        environment = {name: value for name, value in os.environ.items() if name != "SIGNALKIT_INSPECT"}
        if path is not None:
            environment["SIGNALKIT_INSPECT"] = path
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment,
                                        stderr=subprocess.PIPE, text=True, **how)
        self.pid = self.process.pid
        self.said = []
        self.reader = threading.Thread(target=lambda: self.said.extend(self.process.stderr), daemon=True)
        self.reader.start()
        self.do("start")

    def do(self, *words, result=0):
        print(*words, file=self.process.stdin, flush=True)
        number, text = self.process.stdout.readline().split(" ", 1)
        assert int(number) == result, (words, number, text)
        return text

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None and self.process.poll() is None and not self.process.stdin.closed:
            self.do("end")
            self.do("live")
            self.process.stdin.close()
        elif kind is not None:
            self.process.kill()
        assert self.process.wait(300) == self.status or kind, (self.process.returncode, self.said)
        self.reader.join(300)
        # (LeakSanitizer, in the child of a fork: that the threads of the parent are not there.)
        said = "".join(line for line in self.said if "was not suspended" not in line)
        assert kind or bool(said) == bool(self.complaint) and self.complaint in said, said

    def threads(self):
        """The numbers of the inspector's."""
        found = []
        for task in os.listdir(f"/proc/{self.pid}/task"):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it ends just now
                if open(f"/proc/{self.pid}/task/{task}/comm").read() == "sgk-inspect\n":
                    found.append(task)
        return found


def connection(path=PLACE):
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    client.settimeout(300)
    return client


def line_of(client):
    """The next line; b"" when the other end is closed."""
    line = b""
    with contextlib.suppress(ConnectionResetError):
        while not line.endswith(b"\n") and (piece := client.recv(1 << 16, socket.MSG_PEEK)):
            line += client.recv(piece.index(b"\n") + 1 if b"\n" in piece else len(piece))
    assert not line or line.endswith(b"\n"), line[-100:]
    return line


def asked(client, request=b"graph\n"):
    client.sendall(request)
    return json.loads(line_of(client))


def graph(path=PLACE):
    with connection(path) as client:
        return asked(client)


def until(condition):
    while not condition():
        pass


def has_gone(client):
    return line_of(client) == b""


# ---- What it says ----

def off_by_default():
    for path in (None, ""):
        with Program(path) as program:
            assert not program.threads() and not os.path.exists(PLACE)


def what_runs():
    with Program() as program:
        program.do("emit", "5")  # 0 to 4: two are odd, and wait
        found = graph()
        assert (found["version"], found["pid"]) == (1, program.pid)
        run, queue, named, odd, source = found["runs"]
        assert [stage["operator"] for stage in found["runs"]] == ["run", "deliver_on", "named", "filter", "pipe"], found
        assert queue["parent"] == run["id"] and (queue["in"], queue["waiting"], queue["values"]) == (2, 2, 0), queue
        assert (named["name"], named["file"], named["line"]) == ('odd "\x1b\n\ufffd', "numbers.c", 12), named
        assert [stage["values"] for stage in (run, named, odd, source)] == [0, 2, 2, 5], found
        program.do("advance")
        run, queue = graph()["runs"][:2]
        assert (run["values"], queue["values"], queue["waiting"]) == (2, 2, 0), (run, queue)
        assert (run["most_waiting"], queue["most_waiting"]) == (0, 2), (run, queue)
        with connection() as client:
            live = asked(client, b"live\n")
        assert live["pid"] == program.pid and live["live"] == graph()["live"] and live["live"]["pipe"] == 1, live


def what_is_alive():
    for debug in (False, True):
        os.environ.pop("SIGNALKIT_DEBUG", None)
        if debug:
            os.environ["SIGNALKIT_DEBUG"] = "1"
        with Program() as program, connection() as client:
            program.do("emit", "1")
            found = asked(client, b"dump\n")
            assert (found["version"], found["pid"]) == (1, program.pid), found
            lines = found["dump"].splitlines()
            assert lines[0].startswith("alive: ") and "     1 pipe" in lines, lines
            assert any('run "odd "?' in line for line in lines) == debug, lines  # its place
            shown = subprocess.check_output([TOP, "--dump", PLACE], timeout=300).decode()
            assert shown.startswith("alive: ") and ("subscriptions:" in shown) == debug, shown
            # (A static function of a program that was not linked with -rdynamic.)
            assert ("(start+0x" in shown) == debug, shown
    os.environ.pop("SIGNALKIT_DEBUG")


def what_sgk_top_shows():
    with Program() as program:
        program.do("emit", "5")
        for target in (PLACE, str(program.pid)):
            table = subprocess.check_output([TOP, "--once", target], timeout=300).decode()
            rows = [line.split(None, 12) for line in table.split("\n\n")[0].splitlines()[2:]]
            assert [(int(row[1]), int(row[3]), int(row[4]), row[12].split()[0]) for row in rows] == [
                (0, 0, 0, "run"), (0, 2, 2, "deliver_on(queue)"), (2, 0, 0, "named"), (2, 0, 0, "filter"),
                (5, 0, 0, "pipe")], table
            assert f"process {program.pid}: 1 run of 5 stages" in table and "numbers.c:12" in table, table
        printed = subprocess.check_output([TOP, "--json", PLACE], timeout=300)
        assert json.loads(printed)["runs"][1]["waiting"] == 2


# ---- Clients ----

def requests():
    with Program(), connection() as client:
        for request in (b"\n", b"grap\n", b"graphs\n", b"graph\r\n", b"\0\n", b"\xff" * 255 + b"\n"):
            assert asked(client, request) == {"version": 1, "error": "unknown request"}, request
        client.sendall(b"live\ngraph\nnix\nli")
        answers = [json.loads(line_of(client)) for _ in range(3)]
        assert [("live" in answer, "runs" in answer) for answer in answers] == [
            (True, False), (True, True), (False, False)]
        client.sendall(b"ve\ngraph")
        client.shutdown(socket.SHUT_WR)  # what it has asked is answered, but not half a request
        assert "live" in json.loads(line_of(client)) and has_gone(client)
        for request in (b"x" * 256, b"graph\n" + b"x" * 10000):
            with connection() as other:
                other.sendall(request)
                answers = list(iter(lambda: line_of(other), b""))
                assert json.loads(answers[-1]) == {"version": 1, "error": "the request is too long"}, answers


def many_clients():
    with Program():
        clients = [connection() for _ in range(8)]
        for client in clients:
            assert asked(client)["runs"]
        with connection() as another:
            assert json.loads(line_of(another))["error"] == "there are too many clients" and has_gone(another)
        clients.pop().close()

        def is_let_in():
            with connection() as another, contextlib.suppress(BrokenPipeError, ConnectionResetError):
                return "runs" in asked(another)
        until(is_let_in)
        for client in clients:
            assert asked(client)["runs"]
            client.close()


def many_silent_clients():
    """Idle clients do not block others: the client that was idle longest is disconnected."""
    with Program(), contextlib.ExitStack() as stack:
        clients = [stack.enter_context(connection()) for _ in range(8)]
        assert asked(clients[0])["runs"]
        for silent in clients[1:4]:
            assert asked(stack.enter_context(connection()))["runs"] and has_gone(silent)
        for client in clients[:1] + clients[4:]:
            assert asked(client)["runs"]


def no_more_descriptors():
    """A client beyond the limit waits until another disconnects."""
    with Program() as program, contextlib.ExitStack() as stack:
        highest = max(int(name) for name in os.listdir(f"/proc/{program.pid}/fd"))
        before = resource.prlimit(program.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(program.pid, resource.RLIMIT_NOFILE, (12, before[1]))
        clients = [stack.enter_context(connection()) for _ in range(11 - highest)]
        for client in clients:
            assert asked(client)["runs"]
        waiting = stack.enter_context(connection())
        waiting.sendall(b"graph\n")
        assert asked(clients[0])["runs"]
        clients[0].close()
        assert json.loads(line_of(waiting))["runs"]
        resource.prlimit(program.pid, resource.RLIMIT_NOFILE, before)  # LeakSanitizer looks at the end


def clients_that_go_away():
    with Program() as program:
        for number in range(200):
            with connection() as client:
                client.sendall(b"graph\n" * (number % 5))
        assert graph()["runs"] and len(program.threads()) == 1


def clients_that_are_slow():
    """Slow clients are disconnected after some seconds, and no thread waits for them."""
    with Program() as program, connection() as reads_nothing, connection() as says_half, connection() as idle:
        assert asked(idle)["runs"]  # that is all it wants for now
        says_half.sendall(b"gra")
        reads_nothing.settimeout(0.2)
        with contextlib.suppress(TimeoutError):
            while True:
                reads_nothing.sendall(b"graph\n")
        assert graph()["runs"] and has_gone(says_half)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            while True:
                with contextlib.suppress(TimeoutError):
                    reads_nothing.sendall(b"graph\n")
        assert asked(idle)["runs"] and len(program.threads()) == 1


# ---- The socket ----

def only_for_its_user():
    for mask in (0, 0o777):
        with Program(umask=mask) as program:
            found = os.lstat(PLACE)
            assert stat.S_ISSOCK(found.st_mode) and stat.S_IMODE(found.st_mode) == 0o600, oct(found.st_mode)
            until(program.threads)  # it gives itself its name
            thread, = program.threads()
            status = open(f"/proc/{program.pid}/task/{thread}/status").read()
            blocked = int(status.split("SigBlk:")[1].split()[0], 16)
            assert all(blocked >> number - 1 & 1 for number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE)), status
            with connection() as client:
                assert asked(client)["runs"]
                for name in os.listdir(f"/proc/{program.pid}/fd"):
                    if int(name) > 2:
                        flags = open(f"/proc/{program.pid}/fdinfo/{name}").read().split("flags:")[1].split()[0]
                        assert int(flags, 8) & os.O_CLOEXEC, (name, os.readlink(f"/proc/{program.pid}/fd/{name}"))
    if os.getuid() == 0:  # a program with another user's rights does not open the socket
        copy = os.path.join(HERE.name, "set-user-id")
        shutil.copy(PROGRAM, copy)
        os.chown(copy, 65534, 65534)
        os.chmod(copy, 0o4755)
        other = os.path.join("/tmp", os.path.basename(HERE.name) + "-not")
        with Program(other, status=-signal.SIGKILL, program=copy) as program:
            assert not program.threads() and not os.path.exists(other)
            program.process.kill()  # a sanitizer may not look for leaks in there
            program.process.wait(300)
    else:
        print("skipped: set-user-ID, without the right to make such a program")


def removed_at_the_end():
    with Program():
        pass
    assert not os.path.exists(PLACE)
    with Program() as program:
        program.process.stdin.close()  # returns from main, with everything alive
        program.process.wait(300)
    assert not os.path.exists(PLACE)
    with Program() as program:
        other = PLACE + "-other"
        socket.socket(socket.AF_UNIX).bind(other)
        os.rename(other, PLACE)
    os.unlink(PLACE)  # it was not the program's


def a_path_that_is_taken():
    with open(PLACE, "w") as file:
        file.write("mine")
    with Program(complaint=f"SIGNALKIT_INSPECT: {TAKEN}: {PLACE}\n") as program:
        assert not program.threads()
    assert open(PLACE).read() == "mine"
    os.unlink(PLACE)
    os.symlink("nowhere", PLACE)
    with Program(complaint=TAKEN):
        pass
    os.unlink(PLACE)
    datagrams = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    datagrams.bind(PLACE)
    with Program(complaint=TAKEN):
        pass
    os.unlink(PLACE)
    with Program() as first, connection() as client:
        with Program(complaint=TAKEN):
            assert asked(client)["pid"] == graph()["pid"] == first.pid
        assert asked(client)["pid"] == graph()["pid"] == first.pid
    with Program(status=-signal.SIGKILL) as first:
        first.process.kill()
        first.process.wait(300)
    assert os.path.exists(PLACE)  # left over, and taken over
    with Program() as second:
        assert graph()["pid"] == second.pid and stat.S_IMODE(os.lstat(PLACE).st_mode) == 0o600


def a_path_that_is_none():
    longest = os.path.join(HERE.name, "x" * (106 - len(HERE.name)))
    assert len(longest) == 107
    with Program(longest) as program:
        assert graph(longest)["pid"] == program.pid
    for path, complaint in [(longest + "x", "must be shorter"), ("/" + "x" * 5000, "must be shorter"),
                            (HERE.name + "/no/socket", "No such file"), (HERE.name, TAKEN)]:
        with Program(path, complaint=complaint) as program:
            assert not program.threads()
    with Program(HERE.name + "/of-%p-%p") as program:
        assert graph(f"{HERE.name}/of-{program.pid}-%p")["pid"] == program.pid


def opened_by_the_program():
    with Program(None) as program:
        program.do("inspect", PLACE)
        client = connection()
        assert asked(client)["runs"] == []  # earlier subscriptions are not watched
        program.do("end")
        program.do("start")
        assert len(asked(client)["runs"]) == 5
        second = PLACE + "-2"
        program.do("inspect", second)
        assert has_gone(client) and not os.path.exists(PLACE) and graph(second)["pid"] == program.pid
        assert "path: must be shorter" in program.do("inspect", "/" + "x" * 200, result=-3)
        assert not os.path.exists(second)
        until(lambda: not program.threads())
        assert "path: No such file" in program.do("inspect", HERE.name + "/no/socket", result=-7)
        for _ in range(50):
            program.do("inspect", PLACE)
            client = connection()
            client.sendall(b"graph\n")
        program.do("inspect")
        assert not os.path.exists(PLACE)
        until(lambda: not program.threads())
        assert len(os.listdir(f"/proc/{program.pid}/fd")) == 3


# ---- Under load ----

def forks():
    with Program() as program, connection() as client:
        assert asked(client)["runs"]
        program.do("fork")
        assert asked(client)["runs"] and graph()["pid"] == program.pid
        program.do("keep")
        program.do("inspect")
        assert has_gone(client)  # the child has nothing of it
        until(lambda: not os.path.exists(PLACE))
        program.do("inspect", PLACE)
        program.do("drop")
        assert graph()["pid"] == program.pid


def consistent(found):
    numbers = {stage["id"] for stage in found["runs"]}
    assert len(numbers) == len(found["runs"])
    for stage in found["runs"]:
        assert stage["parent"] < stage["id"] and stage["values"] >= 0 and stage["waiting"] >= 0, stage


def looks(enough):
    """Inspects repeatedly until the event is set, also with clients that connect and disconnect."""
    with connection() as client:
        while not enough.is_set():
            for _ in range(20):
                consistent(asked(client))
            consistent(graph())


def while_four_threads_emit():
    enough = threading.Event()
    with Program() as program:
        program.do("storm")
        looker = threading.Thread(target=looks, args=(enough,))
        looker.start()
        for _ in range(20):
            program.do("fork", "quickly")
        for _ in range(5):
            top = subprocess.run([TOP, "--once", "--interval", "0.05", PLACE], capture_output=True, timeout=300)
            assert top.returncode == 0, top
        enough.set()
        looker.join()
        program.do("calm")
    assert not os.path.exists(PLACE)


def exit_while_clients_look():
    for round in range(10):
        with Program() as program:
            clients = [connection() for _ in range(4)]
            if round % 2:
                program.do("storm")
            for client in clients:
                client.sendall(b"graph\n" * 40)
            print("exit", file=program.process.stdin, flush=True)
            program.process.wait(300)
            program.process.stdin.close()
        assert not os.path.exists(PLACE)


for test in (off_by_default, what_runs, what_is_alive, what_sgk_top_shows, requests, many_clients,
             many_silent_clients, no_more_descriptors,
             clients_that_go_away, clients_that_are_slow, only_for_its_user, removed_at_the_end, a_path_that_is_taken,
             a_path_that_is_none, opened_by_the_program, forks, while_four_threads_emit, exit_while_clients_look):
    print(test.__name__, flush=True)
    test()
