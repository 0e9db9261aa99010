#!/usr/bin/env python3
"""Holds the example `lines` to what Python counts: `lines.py COMMAND…`, where the command is the program, or something
that runs it."""
import collections, fcntl, os, pathlib, pty, random, re, signal, struct, subprocess, sys
import tempfile, termios, threading, time

command = sys.argv[1:]
random.seed(4)


def run(*options, data=b"", expect=0, **how):
    how = how or {"input": data}
    how.setdefault("stdout", subprocess.PIPE)
    done = subprocess.run([*command, *options], stderr=subprocess.PIPE, **how)
    errors = done.stderr.decode()
    assert done.returncode == expect, (options, done.returncode, errors)
    assert "left alive" not in errors, errors
    assert expect == 0 or "lines: " in errors or "Try" in errors, (options, errors)
    return done.stdout


def parts(output):
    """The totals, and the rows of the top values: numbers and the value."""
    head, _, table = output.partition(b"\n\n")
    totals = {key.decode(): int(number) for key, number in re.findall(rb"^(\w+) +(\d+)", head, re.M)}
    rows = [re.fullmatch(rb" *(?:(\d+) +)?(\d+) +[\d.]+%  (.*)", row) for row in table.split(b"\n")[2:] if row]
    return totals, [(int(row[1] or row[2]), int(row[2]), row[3]) for row in rows]


def shown(value):
    text = b"".join(b"\\t" if c == 9 else b"\\\\" if c == 92 else b"\\x%02x" % c if c < 32 or c == 127 else bytes([c])
                    for c in value[:240])
    return text + (b"..." if len(value) > 240 else b"")


def check(data, *options, match=None, key=lambda line: line, **how):
    """Compares the totals and the ordered list of values with those that Python computes."""
    lines = data.split(b"\n")
    if lines[-1] == b"": lines.pop()
    found = [line for line in lines if match is None or match in line]
    # A CR goes only together with the newline: the last line may not have one.
    whole = [line[:-1] if line.endswith(b"\r") and not (line is lines[-1] and not data.endswith(b"\n")) else line
             for line in found]
    values = [value for value in (key(line[:1 << 20]) for line in whole) if value is not None]
    top = sorted(collections.Counter(values).items(), key=lambda item: (-item[1], item[0]))[:1000]
    more = ["--match", match.decode()] if match is not None else []
    totals, rows = parts(run("--top", "1000", "--counters", "100000", *more, *options, **how or {"data": data}))
    assert totals["lines"] == len(lines) and totals["bytes"] == len(data), (options, totals, len(lines), len(data))
    assert match is None or totals["matching"] == len(found), totals
    assert totals.get("missing", 0) == len(found) - len(values), totals
    assert totals.get("cut", 0) == sum(len(line) > 1 << 20 for line in lines), totals
    assert rows == [(count, count, shown(value)) for value, count in top], (options, rows[:5], top[:5])


def blank_field(number): return lambda line: (re.findall(rb"[^ \t]+", line)[number - 1:] or [None])[0]
def field(number, separator): return lambda line: (line.split(separator)[number - 1:] or [None])[0]


def million():
    users = [b"user%d" % i for i in range(2000)]
    def level(): return random.choice([b"INFO", b"WARN", b"ERROR"])
    def user(): return users[int(min(random.paretovariate(0.5), 1999))]
    chunk = [b"%d %s,%s took %d\n" % (i, level(), user(), i % 97) for i in range(100000)]
    data = b"".join(chunk) * 10
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        check(data, "--field", "2", file.name, key=blank_field(2), stdin=subprocess.DEVNULL)
    check(data, "--field", "2", "--separator", ",", match=b"WARN", key=field(2, b","))


def shapes():
    mib = 1 << 20
    edges = [b"x" * (mib + extra) + end for extra in (-1, 0, 1, 1 << 16, 3 * mib + 5) for end in (b"\n", b"\r\n", b"")]
    blocks = [b"y" * ((1 << 16) + extra) + b"\nz" for extra in (-2, -1, 0, 1)]
    others = [b"", b"\n", b"\n\n", b"a", b"a\n", b"a\nb", b"a\r\nb\r\na\r\n", b"a\r", b"\r\n",
              b"a\0b\na\0b\na\0c\n", bytes(range(256)) * 9, b"k" * 300 + b"1\n" + b"k" * 300 + b"2\n"]
    for data in [*others, *edges, *blocks, edges[-1] + b"\n" + b"short\n" * 3, os.urandom(3 * mib)]: check(data)
    for match in (b"7", b"77", b"a\nb", b"\na", b"z"):
        for data in (b"7\na\nb7\n\n77\n7", b"".join(b"%d\n" % i for i in range(60000)), *blocks):
            check(data, match=match)
    check(b"a;b;\n;;\nx\n\n", "--field", "3", "--separator", ";", key=field(3, b";"))
    check(b"a\tb\n\t\n", "--field", "2", "--separator", "\\t", key=field(2, b"\t"))
    check(b"  a  b \n\t c\n\n   \nd\te f\n", "--field", "2", key=blank_field(2))


def approximate():
    values = [b"often%d" % (i % 7) if i % 2 else b"rare%d" % random.randrange(50000) for i in range(200000)]
    true = collections.Counter(values)
    _, rows = parts(run("--counters", "100", "--top", "100", data=b"\n".join(values)))
    assert len(rows) == 100 and all(least <= true[value] <= most for least, most, value in rows)
    assert {value for value, count in true.items() if count > len(values) / 100} <= {value for _, _, value in rows}
    assert sum(most for _, most, _ in rows) == len(values)


def start(*options, stderr=subprocess.PIPE):  # SIGINT would be ignored by a background job of a plain shell
    return subprocess.Popen([*command, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def wait_until(condition):
    while not condition(): time.sleep(0.001)


def is_read(process):
    """The program has read all input from the pipe, and none of its threads is working on it."""
    left, = struct.unpack("i", fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4)))
    tasks = pathlib.Path(f"/proc/{process.pid}/task").iterdir()
    return left == 0 and all(") S " in (task / "stat").read_text() for task in tasks)


def memory():
    """Many different lines, many long values, one line of 40 MB: the peak is looked up when the program has read them
    all and waits for more."""
    process = start("--counters", "1000", "--every", "0")
    for i in range(12): process.stdin.write(b"".join(b"%d %s\n" % (i * 40000 + j, b"v" * 200) for j in range(40000)))
    for i in range(40): process.stdin.write(b"l" * 1000000)
    process.stdin.write(b"\n")
    process.stdin.flush()
    wait_until(lambda: is_read(process))
    peak = int(re.search(r"VmHWM:\s+(\d+) kB", open(f"/proc/{process.pid}/status").read())[1])
    output, _ = process.communicate()
    totals, _ = parts(output)
    print("peak memory:", peak, "kB for", totals["bytes"] // 1000, "kB")
    assert process.returncode == 0 and totals["lines"] == 480001 and totals["cut"] == 1, totals
    assert peak < 10000, peak


def interrupt():
    process = start("--every", "0.1")  # one that waits for input
    process.stdin.write(b"a\nb\na\n")
    process.stdin.flush()
    while b" 3 lines" not in process.stderr.readline(): pass
    process.send_signal(signal.SIGINT)
    process.wait()
    output = process.stdout.read()
    assert process.returncode == 130 and b"interrupted" in output, output
    assert parts(output)[1] == [(2, 2, b"a"), (1, 1, b"b")], output
    process = start("--every", "0")  # one that is at it
    fed = 0
    def feed():
        nonlocal fed
        try:
            while True: fed += process.stdin.write(b"line\n" * 10000)
        except OSError: pass
    feeder = threading.Thread(target=feed)
    feeder.start()
    wait_until(lambda: fed > 1 << 20)  # more than a pipe holds: it has begun
    process.send_signal(signal.SIGINT)
    output = process.stdout.read()
    assert process.wait() == 130 and parts(output)[0]["lines"] > 10000, output
    feeder.join()
    try: process.stdin.close()
    except OSError: pass


def pieces():
    """Input that comes in small pieces."""
    process = start("--every", "0")
    for piece in (b"a", b"b\r", b"\n", b"ab", b"\nab\r\nlast"):
        process.stdin.write(piece)
        process.stdin.flush()
        wait_until(lambda: is_read(process))
    assert parts(process.communicate()[0])[1] == [(3, 3, b"ab"), (1, 1, b"last")]


def progress():
    """The bar on a terminal, when the size is known; plain lines otherwise."""
    with tempfile.NamedTemporaryFile() as file:
        shares = []
        while len(shares) < 2:  # a file that takes so long that the bar is seen to move
            file.write(b"some line\n" * 1000000)
            file.flush()
            ours, theirs = pty.openpty()
            process = subprocess.Popen([*command, "--every", "0.001", file.name],
                                       stdout=subprocess.DEVNULL, stderr=theirs)
            os.close(theirs)
            seen = b""
            try:
                while piece := os.read(ours, 65536): seen += piece
            except OSError: pass  # how a terminal says that nobody is left
            os.close(ours)
            assert process.wait() == 0
            shares = [int(share) for share in re.findall(rb"\r *(\d+) % \[#*-*\] ", seen)]
            assert shares == sorted(shares) and (not shares or b"MB/s" in seen), seen
    plain = start("--every", "0.05")
    plain.stdin.write(b"a\n")
    plain.stdin.flush()
    assert plain.stderr.readline().startswith(b"lines: ")
    _, errors = plain.communicate()
    assert b"\r" not in errors and b"1 lines, 2B" in errors, errors


def mistakes():
    for options in (["--nonsense"], ["--field", "0"], ["--field", "1.5"], ["--field", "x"], ["--top"], ["--top", "-1"],
                    ["--counters", "0"], ["--counters", "nan"], ["--separator", ","],
                    ["--field", "1", "--separator", ",,"], ["--field", "1", "--separator", ""], ["--top", ""],
                    ["--every", "-1"], ["--every", "nan"], ["a", "b"]):
        assert run(*options, expect=2) == b"", options
    assert run("no such file", expect=1) == b""
    run("/", expect=1)
    run(expect=1, preexec_fn=lambda: os.close(0))
    with open("/dev/full", "w") as full: run(expect=1, stdin=subprocess.DEVNULL, stdout=full)
    assert run("--help").startswith(b"Usage")
    assert parts(run("--top", "0", "-", data=b"a\nb\n")) == ({"lines": 2, "bytes": 4}, [])


for test in (million, shapes, approximate, memory, interrupt, pieces, progress, mistakes):
    began = time.monotonic()
    test()
    print(f"{test.__name__}: {time.monotonic() - began:.1f} s")
