#!/usr/bin/env python3
"""Asks a running program for its pictures: asked.py PROGRAM DIRECTORY"""
import os
import pathlib
import signal
import subprocess
import sys
import time

program, directory = sys.argv[1:]
for old in pathlib.Path(directory).glob("signalkit-*"):
    old.unlink()
number = int(signal.SIGUSR1)
environment = dict(os.environ, SIGNALKIT_DOT=directory, SIGNALKIT_DOT_SIGNAL=str(number))
with subprocess.Popen([program, "stay"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
    process.stdout.readline()  # it runs
    others = pathlib.Path(directory, "others")
    others.write_text("untouched")
    for count in range(1, 4):  # somebody else expects it
        pathlib.Path(directory, f".signalkit-{process.pid}-{count}-runs.dot").symlink_to(others)
    wanted = pathlib.Path(directory, f"signalkit-{process.pid}-signals.dot")
    process.send_signal(number)
    while not wanted.exists() and process.poll() is None:
        time.sleep(0.01)
    assert "cpu" in wanted.read_text(), "it was not asked"
    process.communicate(b"\n")
assert process.returncode == 0, process.returncode
assert others.read_text() == "untouched"
for old in pathlib.Path(directory).iterdir():
    old.unlink()
subprocess.run([program, "fork"], env=environment, check=True)
assert not list(pathlib.Path(directory).iterdir()), "the parent has answered for its child"
