#!/usr/bin/env python3
"""Holds the example `hashtree` to what sha256sum says: `hashtree.py PROGRAM [TEST…]`. `speed` only measures, and
has to be asked for."""
import ctypes, hashlib, os, pathlib, pty, random, re, shutil, signal, socket, subprocess, sys, tempfile, time

program = os.path.abspath(sys.argv[1])
random.seed(4)
# Thousands of small files, in memory if possible.
if os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free > 1 << 28: tempfile.tempdir = "/dev/shm"
odd = ["with space", "new\nline", "back\\slash", "carriage\rreturn", "\ttab", "'quote'", '"', "*", "-", "--help",
       "\xe4\u4e16", os.fsdecode(b"\xff\xfe"), "." * 3, "#", "a" * 255]


def run(*options, expect=0, **how):
    done = subprocess.run([program, *options], stdout=how.pop("stdout", subprocess.PIPE), stderr=subprocess.PIPE, **how)
    errors = done.stderr.decode(errors="surrogateescape")
    assert done.returncode == expect, (options, done.returncode, errors)
    assert expect == 2 or "--stats" not in options or "Objects left alive: 0\n" in errors, errors
    return done.stdout, errors


def in_order(folder):
    """The files of a tree in the expected order: the entries of a directory by their bytes, and the files of a
    subdirectory at its position."""
    for entry in sorted(os.scandir(os.fsencode(folder)), key=lambda entry: entry.name):
        if entry.is_dir(follow_symlinks=False): yield from in_order(entry.path)
        elif entry.is_file(follow_symlinks=False): yield entry.path


def sums(folder):
    files, lines = list(in_order(folder)), b""
    for i in range(0, len(files), 1000):
        lines += subprocess.run(["sha256sum", "--", *files[i:i + 1000]], stdout=subprocess.PIPE, check=True).stdout
    return lines


def make(folder, files=800):
    for i in range(files):
        path = pathlib.Path(folder, f"d{i % 7}", *[f"e{i % 5}"] * (i % 4))
        path.mkdir(parents=True, exist_ok=True)
        (path / f"f{i}").write_bytes(random.randbytes(random.choice([0, 1, 63, 64, 65535, 65536, 65537, 1000])))
    for name in odd: pathlib.Path(folder, name).write_bytes(name.encode(errors="surrogateescape"))
    deep = pathlib.Path(folder, *["deep"] * 200)
    deep.mkdir(parents=True)
    (deep / "file").write_text("deep")
    with open(pathlib.Path(folder, "large"), "wb") as large:
        for _ in range(20): large.write(random.randbytes(1 << 20))


def equal():
    """The same as sha256sum, with any number of workers; it verifies; links and devices are skipped."""
    with tempfile.TemporaryDirectory() as folder:
        make(folder)
        expected = sums(folder)
        os.symlink(folder, os.path.join(folder, "d1", "loop"))
        os.symlink("f1", os.path.join(folder, "d1", "link"))
        os.symlink("nowhere", os.path.join(folder, "d1", "broken"))
        os.mkfifo(os.path.join(folder, "d1", "fifo"))
        unix = socket.socket(socket.AF_UNIX)
        unix.bind(os.path.join(folder, "socket"))
        for jobs in "1", "2", "8", "64":
            output, errors = run("-j", jobs, "--stats", folder)
            assert output == expected, jobs
            assert f"{expected.count(10)} files hashed, 0 failed, 5 skipped" in errors, errors
        subprocess.run(["sha256sum", "--quiet", "-c"], input=output, check=True)
        # Named files are hashed and named links followed, in the order of the arguments.
        link, file = os.path.join(folder, "d1", "loop"), os.path.join(folder, "large")
        parts = [os.path.join(folder, f"d{i}") for i in (2, 0)]
        assert run(link)[0].count(b"\n") == expected.count(b"\n") and run("--", file)[0] == sums_of(file)
        assert run(*sorted(parts))[0] == b"".join(sums(part) for part in sorted(parts))
        os.mkdir(os.path.join(folder, "empty"))
        assert run(os.path.join(folder, "empty"))[0] == b""


def sums_of(*files): return subprocess.run(["sha256sum", *files], stdout=subprocess.PIPE, check=True).stdout


def without_privileges():
    """Drops the two capabilities with which root may read everything."""
    if os.geteuid() == 0: assert all(ctypes.CDLL(None).prctl(24, capability, 0, 0, 0) == 0 for capability in (1, 2))


def failures():
    """An unreadable file is reported at its position, and the rest is hashed."""
    with tempfile.TemporaryDirectory() as folder:
        make(folder, 50)
        expected = sums(folder)
        secret, closed = pathlib.Path(folder, "secret"), pathlib.Path(folder, "closed")
        secret.write_text("secret")
        closed.mkdir()
        (closed / "file").write_text("inside")
        secret.chmod(0)
        closed.chmod(0)
        missing = os.path.join(folder, "missing")
        output, errors = run("--stats", folder, missing, expect=1, preexec_fn=without_privileges)
        assert output == expected
        assert errors.split("\n")[:3] == [
            f"hashtree: {closed}: Permission denied", f"hashtree: {secret}: Permission denied",
            f"hashtree: {missing}: No such file or directory"], errors
        assert "3 failed" in errors, errors
        closed.chmod(0o700)
    with open("/dev/full", "w") as full: assert "No space left" in run("/etc", "--stats", expect=1, stdout=full)[1]


def start(*options, stderr=subprocess.PIPE):  # SIGINT would be ignored by a background job of a plain shell
    return subprocess.Popen([program, *options], stdout=subprocess.PIPE, stderr=stderr,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def endless(folder, name):
    """A file that takes long and uses no space."""
    with open(os.path.join(folder, name), "wb") as file: file.truncate(1 << 40)


def vanishing():
    """While one worker hashes a long file, files that were found later are deleted or replaced."""
    with tempfile.TemporaryDirectory() as folder:
        endless(folder, "a")
        for name in "bcd": pathlib.Path(folder, name).write_text(name)
        process = start("-j", "1", "--stats", folder)
        wait_until_only_at(process, "/a")
        os.remove(os.path.join(folder, "b"))
        os.remove(os.path.join(folder, "c"))
        os.symlink("d", os.path.join(folder, "c"))
        os.truncate(os.path.join(folder, "a"), 0)
        output, errors = process.communicate()
        assert process.returncode == 1, process.returncode
        assert [line[66:] for line in output.decode().split("\n")] == [f"{folder}/a", f"{folder}/d", ""], output
        for said in f"{folder}/b: No such file", f"{folder}/c: Too many levels", "alive: 0":
            assert said in errors.decode(), errors


def opened(process):
    folder = f"/proc/{process.pid}/fd"
    for name in os.listdir(folder):
        try: yield os.readlink(f"{folder}/{name}")
        except OSError: pass


def wait_until_only_at(process, name):
    """One thread hashes this file, and the others are idle. A thread that waits for the processor is not asleep."""
    looks = 0
    while looks < 5:
        awake = sum(") S " not in path.read_text() for path in pathlib.Path(f"/proc/{process.pid}/task").glob("*/stat"))
        looks = looks + 1 if awake <= 1 and any(link.endswith(name) for link in opened(process)) else 0
        time.sleep(0.002)


def interrupt():
    """Finished files are printed, also those after the file in progress. The walk is blocked by then, and wakes up."""
    with tempfile.TemporaryDirectory() as folder:
        for i in range(3000): pathlib.Path(folder, f"f{i:04}").write_text(str(i))
        endless(folder, "f0100-endless")
        for jobs in "2", "8":
            process = start("-j", jobs, "--stats", folder)
            wait_until_only_at(process, "endless")
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate()
            took = time.monotonic() - began
            assert process.returncode == 130, (process.returncode, errors)
            assert "Objects left alive: 0" in errors.decode(), errors
            lines = output.decode().splitlines()
            right = [f"{hashlib.sha256(str(i).encode()).hexdigest()}  {folder}/f{i:04}" for i in range(len(lines))]
            assert 1000 < len(lines) < 1200 and lines == right, len(lines)
        print(f"stopped after {took * 1000:.0f} ms")
        for wait in range(8):  # at any time
            process = start("-j", "3", "--stats", folder)
            time.sleep(wait * 0.004)
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate()
            if process.returncode != -2:  # it had not begun
                assert process.returncode == 130 and "alive: 0" in errors.decode(), (process.returncode, errors)


def memory():
    """The peak does not grow with the number of files."""
    peaks = []
    for folders in 5, 20:
        with tempfile.TemporaryDirectory() as folder:
            for i in range(folders):
                os.mkdir(os.path.join(folder, str(i)))
                for j in range(300):
                    open(os.path.join(folder, str(i), f"a file with a name that is not too short{j}"), "wb").close()
            process = start("-j", "4", folder, stderr=subprocess.DEVNULL)
            count = process.stdout.read().count(b"\n")
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
            assert status == 0 and count == folders * 300, (status, count)
            peaks.append(usage.ru_maxrss)
    print("peak memory:", peaks[0], "kB for 1500 files,", peaks[1], "kB for 6000")
    assert peaks[1] < peaks[0] + 2000, peaks


def speed():
    with tempfile.TemporaryDirectory() as folder:
        make(folder, 2000)
        files = list(in_order(folder))
        began = time.monotonic()
        expected = sums(folder)
        theirs = time.monotonic() - began
        times = []
        for jobs in 1, os.cpu_count():
            began = time.monotonic()
            assert run("-j", str(jobs), folder)[0] == expected
            times.append(time.monotonic() - began)
        megabytes = sum(os.stat(file).st_size for file in files) / 1e6
        print(f"{len(files)} files, {megabytes:.0f} MB: sha256sum {theirs:.2f} s, -j 1 {times[0]:.2f} s,"
              f" -j {os.cpu_count()} {times[1]:.2f} s")


def progress():
    """The bar on a terminal; lines when they are asked for; nothing otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        make(folder, 20)
        assert run(folder)[1] == ""
        endless(folder, "endless")
        for options, terminal in (["--progress"], False), ([], True):
            ours, theirs = pty.openpty() if terminal else os.pipe()
            process = start(*options, folder, stderr=theirs)
            os.close(theirs)
            seen = b""
            while len(re.findall(rb"\d+ files, [\d.]+ MB, \d+ MB/s", seen)) < 2: seen += os.read(ours, 65536)
            process.send_signal(signal.SIGINT)
            process.communicate()
            os.close(ours)
            assert process.returncode == 130 and (b"\r" in seen) == terminal, seen


def mistakes():
    for options in [], *(["-j", jobs, "/"] for jobs in ("0", "1025", "x", "")), ["-j"], ["--nonsense", "/"]:
        assert run(*options, expect=2)[0] == b"", options
    assert run("--help")[0].startswith(b"Usage")
    assert "No such file" in run("no such directory", expect=1)[1]
    run("", expect=1)


usual = equal, failures, vanishing, interrupt, memory, progress, mistakes
for test in [globals()[name] for name in sys.argv[2:]] or usual:
    began = time.monotonic()
    test()
    print(f"{test.__name__}: {time.monotonic() - began:.1f} s", flush=True)
