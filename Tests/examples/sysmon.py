#!/usr/bin/env python3
"""Tests the monitor with recordings, in virtual time: alerts, which begin and end at different limits, and the history,
on a terminal of 80 columns."""
import fcntl
import os
import pathlib
import pty
import struct
import subprocess
import sys
import tempfile
import termios

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from terminal import Screen  # noqa: E402

program = sys.argv[1]
place = tempfile.TemporaryDirectory()
GIB = 1 << 30


def recording(percents, gibs=(1,)):
    """A file with one sample per second, of the processor's load and of the used part of 4 GiB."""
    path, busy, text = pathlib.Path(place.name, "recording"), 0, ["cpu 0 0", f"memory {GIB} {4 * GIB}", "net", "disk"]
    for number, percent in enumerate(percents):
        busy += percent
        used = gibs[min(number, len(gibs) - 1)] * GIB
        text += [f"cpu {busy} {100 * (number + 1)}", f"memory {used} {4 * GIB}", "net", "disk"]
    path.write_text("\n".join(text) + "\n")
    return path


def lines(path, *options):
    command = [program, "--replay", str(path), "--interval", "1", *options]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout.splitlines()


def alerts(*arguments):
    return [line for line in lines(*arguments) if line[8:].startswith(("  alert:", "  over:"))]


def last_screen(path, *options):
    """The rows that stay on the terminal at the end."""
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        os.execv(program, [program, "--replay", str(path), "--interval", "1", *options])
    written = b""
    try:
        while piece := os.read(terminal, 65536):
            written += piece
    except OSError:
        pass  # the program has closed it
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    screen = Screen(80, 24)
    assert screen.write(written.decode().rsplit("\x1b[?1049l", 1)[1]) == ""
    return ["".join(letter for letter, _ in row).rstrip() for row in screen.cells]


# An alert begins above one limit, and ends below the other: in between nothing happens.
path = recording([10, 85, 75, 82, 70, 61, 60, 59, 79, 80, 81, 20])
assert alerts(path, "--alert", "cpu=80,60") == [
    "00:00:03  alert: cpu is 85.0 %, above 80.0 %", "00:00:09  over: cpu is 59.0 %, below 60.0 %",
    "00:00:12  alert: cpu is 81.0 %, above 80.0 %", "00:00:13  over: cpu is 20.0 %, below 60.0 %"]
assert "Alerts: 2. Objects left alive: 0." in lines(path, "--alert", "cpu=80,60")[-1]
# Without a second limit it is nine tenths of the first; without any, the processor's is 80 %.
assert [line[10:] for line in alerts(path)] == [
    "alert: cpu is 85.0 %, above 80.0 %", "over: cpu is 70.0 %, below 72.0 %",
    "alert: cpu is 81.0 %, above 80.0 %", "over: cpu is 20.0 %, below 72.0 %"]
# Each figure has its own, and they do not disturb each other.
path = recording([10, 95, 96, 10, 11], [1, 1, 3, 3, 1])
assert alerts(path, "--alert", "cpu=90,50", "--alert", "memory=2G,1.5G") == [
    "00:00:03  alert: cpu is 95.0 %, above 90.0 %", "00:00:04  alert: memory is 3.0 GiB, above 2.0 GiB",
    "00:00:05  over: cpu is 10.0 %, below 50.0 %", "00:00:06  over: memory is 1.0 GiB, below 1.5 GiB"]
# An unchanged number causes no frame, and the alert continues.
assert len(alerts(recording([90] * 50))) == 1
for mistake in "cpu", "cpu=", "cpu=x", "cpu=50,60", "cpu=50,", "cpu=50%", "none=1", "=1", "cpu=nan", "cpu=-1":
    failed = subprocess.run([program, "--alert", mistake], capture_output=True, text=True, timeout=300)
    assert failed.returncode == 2 and "--alert" in failed.stderr, (mistake, failed)

# Sixty-four numbers in twenty-nine columns: each is the highest of four. Older numbers disappear.
numbers = [10 + number % 2 for number in range(64)]
numbers[20] = 100
shown = last_screen(recording(numbers))
assert "the last 64 s" in shown[0], shown
assert shown[2] == f"{'cpu':11}{'11.0 %':>12}  {'▁▁▁▁▁█▁▁▁▁▁▁▁▁▁▁':>29}{'10.0 %':>12}{'100.0 %':>13}", shown
shown = last_screen(recording(numbers), "--minutes", "0.5")
assert "the last 30 s" in shown[0], shown
assert shown[2] == f"{'cpu':11}{'11.0 %':>12}  {'▁' * 15:>29}{'10.0 %':>12}{'11.0 %':>13}", shown
# While they fit, each number has a column, also unchanged ones. Alerts are below.
shown = last_screen(recording([0, 50, 50, 50, 100, 90]))
assert shown[2][25:54] == f"{'▁▄▄▄██':>29}", shown
assert any("alert: cpu is 100.0 %" in row for row in shown), shown

# A recording can be replayed.
path = pathlib.Path(place.name, "recorded")
subprocess.run([program, "--seconds", "1", "--interval", "0.05", "--record", str(path)], check=True, timeout=300,
               capture_output=True)
names = {line.split(maxsplit=1)[0] for line in path.read_text().splitlines()}
assert names == {"cpu", "memory", "net", "disk"}, names
assert "Objects left alive: 0." in lines(path)[-1]
print("ok")
