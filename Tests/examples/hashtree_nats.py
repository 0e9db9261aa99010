#!/usr/bin/env python3
"""Repeatedly kills a worker of examples/c/bridges/hashtree.c during its work: `hashtree_nats.py PROGRAM [TIMES]`. The
output must equal that of sha256sum, each file once, in the order of the walk. A client of another server, which has no
workers, must give up with a message."""
import contextlib, os, pathlib, random, signal, socket, subprocess, sys, tempfile, time

program, times = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else 3
FILES, WORKERS, PATIENCE = 600, 2, 120
server_program = "/usr/sbin/nats-server" if os.path.exists("/usr/sbin/nats-server") else "nats-server"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextlib.contextmanager
def running_server(folder):
    port = free_port()
    server = subprocess.Popen(
        [server_program, "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", f"{folder}/store{port}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                assert time.monotonic() < until and server.poll() is None, "no server"
                time.sleep(0.01)
        yield f"nats://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def make_tree(folder):
    for i in range(FILES):
        path = pathlib.Path(folder, f"d{i % 7}", f"file {i}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(random.randbytes(random.choice([0, 1, 1000, 100000])))


def expected(folder):
    files = [str(path) for part in sorted(pathlib.Path(folder).iterdir())
             for path in sorted(part.iterdir(), key=lambda path: os.fsencode(path.name))]
    return subprocess.run(["sha256sum", "--", *files], stdout=subprocess.PIPE, check=True, text=True).stdout


def once(url, folder, right):
    """Returns the number of tasks that were delivered again, and of repeated results."""
    workers = [subprocess.Popen([program, "--work", url]) for _ in range(WORKERS)]
    try:
        errors = tempfile.TemporaryFile("w+")
        asking = subprocess.Popen(
            ["timeout", str(PATIENCE), program, url, folder], stdout=subprocess.PIPE, stderr=errors, text=True)
        lines = [asking.stdout.readline() for _ in range(random.randrange(1, FILES // 2))]
        workers[0].send_signal(signal.SIGKILL)
        lines += asking.stdout
        errors.seek(0)
        said = errors.read()
        assert asking.wait() == 0, (asking.returncode, said, [worker.poll() for worker in workers])
        assert "".join(lines) == right, "not what sha256sum says"
        assert f"Files: {FILES}. " in said and "Objects left alive: 0\n" in said, said
        again, twice = [int(part.split(".")[0]) for part in said.split("\n")[0].split(": ")[2:]]
        return again, twice
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()


@contextlib.contextmanager
def alone(url, folder):
    """A client without a worker gives up."""
    asking = subprocess.Popen([program, url, folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield
        printed, said = asking.communicate(timeout=PATIENCE)
        assert asking.returncode == 1 and not printed and "no worker is there" in said, (asking.returncode, said)
    finally:
        asking.kill()
        asking.wait()


with contextlib.ExitStack() as held:
    folder = held.enter_context(tempfile.TemporaryDirectory())
    tree = os.path.join(folder, "tree")
    make_tree(tree)
    right = expected(tree)
    url, other = (held.enter_context(running_server(folder)) for _ in range(2))
    held.enter_context(alone(other, tree))
    handed_out = 0
    for number in range(times):
        again, twice = once(url, tree, right)
        handed_out += again
        print(f"{number + 1}: right; tasks that were handed out again: {again}, results that came again: {twice}")
    assert handed_out > 0, "no worker was ever killed in the middle"
print(f"{times} of {times}")
