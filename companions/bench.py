#!/usr/bin/env python3
"""Compares all companions, or only NAME…, with their client libraries, and writes the table of docs/bridges.md: `make
bench-companions`. The contenders of a row run in turns, ROUNDS times, each in a separate process. The table contains
the medians, and the median of the rounds' ratios. Companions that are not built are skipped. --smoke only checks that
everything runs.

A companion NAME needs companions/NAME/bench_NAME.c, a program for `plain-rate`, `own-rate`, `plain-latency` and
`own-latency` (companions/bench.h), and a line of COMPANIONS with its last argument."""
import contextlib, os, pathlib, re, socket, statistics, subprocess, sys, tempfile, time

root = pathlib.Path(__file__).resolve().parent.parent
page = root / "docs" / "bridges.md"
smoke = "--smoke" in sys.argv
ROUNDS, LATENCY = (1, 200) if smoke else (5, 20000)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextlib.contextmanager
def running(port, folder, *command):
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    try:
        for _ in range(1000):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                break
            time.sleep(0.01)
        yield
    finally:
        server.terminate()
        server.wait()


def installed(name): return f"/usr/sbin/{name}" if os.path.exists(f"/usr/sbin/{name}") else name


@contextlib.contextmanager
def nats_server():
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        with running(port, folder, installed("nats-server"), "-a", "127.0.0.1", "-p", str(port)):
            yield f"nats://127.0.0.1:{port}"


@contextlib.contextmanager
def mosquitto():
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        settings = pathlib.Path(folder, "mosquitto.conf")
        settings.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n"
                            "max_queued_messages 0\n")
        settings.chmod(0o644)
        pathlib.Path(folder).chmod(0o755)  # it is no longer root when it reads
        with running(port, folder, installed("mosquitto"), "-c", str(settings)):
            yield str(port)


@contextlib.contextmanager
def no_server(): yield None


@contextlib.contextmanager
def dbus_daemon():
    with tempfile.TemporaryDirectory() as folder:
        daemon = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={folder}/bus",
             "--print-address"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            yield daemon.stdout.readline().strip()
        finally:
            daemon.terminate()
            daemon.wait()


# The name, the server, and a number of messages that takes some seconds.
COMPANIONS = {"nats": ("NATS", nats_server, 500000), "mqtt": ("MQTT", mosquitto, 500000),
              "zmq": ("ZeroMQ", no_server, 500000), "dbus": ("D-Bus", dbus_daemon, 100000)}


def asked(*question): return subprocess.run(question, check=True, stdout=subprocess.PIPE, text=True).stdout.split()


def program(name):
    made = root / "build" / "bench" / f"bench_{name}"
    made.parent.mkdir(parents=True, exist_ok=True)
    client = re.search(r"^client=(.*)", (root / f"companions/{name}/signalkit-{name}.pc.in").read_text(), re.M)[1]
    library = root / "build/embedded/lib"
    subprocess.run(
        ["cc", "-std=c11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{root}/include",
         f"-I{root}/companions", f"-I{root}/companions/{name}/include", f"{root}/companions/{name}/bench_{name}.c",
         f"-L{library}", "-lsignalkit", f"-lsignalkit-{name}", f"-Wl,-rpath,{library}", "-lpthread",
         *asked("pkg-config", "--cflags", "--libs", client), "-o", made], check=True)
    return made


def measured(made, contender, messages, argument):
    count = LATENCY if not contender.endswith("rate") else 2000 if smoke else messages
    return [float(word) for word in asked(made, contender, str(count), argument or str(free_port()))]


def rows(name):
    title, server, messages = COMPANIONS[name]
    made = program(name)
    results = {}
    with server() as argument:
        for _ in range(ROUNDS):
            for contender in "plain-rate", "own-rate", "plain-latency", "own-latency":
                results.setdefault(contender, []).append(measured(made, contender, messages, argument))
    for kind, part, text in (("rate", 0, "messages per second"), ("latency", 0, "question and answer, p50, µs"),
                             ("latency", 1, "the same, p99, µs")):
        plain, own = ([run[part] for run in results[f"{who}-{kind}"]] for who in ("plain", "own"))
        ratio = statistics.median(ours / theirs for ours, theirs in zip(own, plain))
        yield f"| {title}: {text} | {statistics.median(own):,.0f} | {statistics.median(plain):,.0f} | {ratio:.2f} |"


wanted = [word for word in sys.argv[1:] if word != "--smoke"]
names = [name for name in wanted or COMPANIONS
         if (root / f"build/embedded/lib/libsignalkit-{name}.so").exists()]
begin, end = "<!-- make bench-companions -->\n", "<!-- until here -->"
before, rest = page.read_text().split(begin)
old, after = rest.split(end)
measurements = {name: list(rows(name)) for name in names}
for name, (title, *_) in COMPANIONS.items():
    measurements.setdefault(name, [line for line in old.splitlines() if line.startswith(f"| {title}: ")])
table = "\n".join(["| | the companion | the client library | ratio |", "| --- | ---: | ---: | ---: |",
                   *(row for name in COMPANIONS for row in measurements[name])]) + "\n"
print(table)
if not smoke: page.write_text(before + begin + "\n" + table + "\n" + end + after)
