#!/usr/bin/env python3
"""Tests the monitor of several machines: one of two machines is killed, and the broker restarts."""
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile

program = sys.argv[1]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = str(free.getsockname()[1])
broker_program = "/usr/sbin/mosquitto" if os.access("/usr/sbin/mosquitto", os.X_OK) else "mosquitto"
running = []


def start(*command):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    running.append(process)
    return process


def line_with(process, *words):
    while line := process.stdout.readline():
        if all(word in line for word in words):
            return
    sys.exit(f"the end came before {words}")


def ends_well(process):
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=60)[0]
    assert process.returncode == 0 and "Objects left alive: 0" in rest, rest


signal.alarm(120)
with tempfile.TemporaryDirectory() as directory:
    configuration = pathlib.Path(directory, "mosquitto.conf")
    privileges = "user root\n" if os.getuid() == 0 else ""  # the directory is this test's alone
    configuration.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n{privileges}")

    def start_broker():
        return start(broker_program, "-c", str(configuration))

    try:
        attic = start(program, "here", "attic", "127.0.0.1", port)  # waits for the broker
        broker = start_broker()
        terminal = start(program, "show", "127.0.0.1", port)
        line_with(terminal, "attic", "cpu")
        cellar = start(program, "here", "cellar", "127.0.0.1", port)
        line_with(terminal, "cellar", "cpu")
        cellar.kill()
        line_with(terminal, "cellar", "gone")  # by its last will
        broker.terminate()
        broker.wait()
        broker = start_broker()
        line_with(terminal, "attic", "cpu")
        attic.send_signal(signal.SIGINT)
        line_with(terminal, "attic", "gone")  # by itself
        ends_well(attic)
        ends_well(terminal)
    finally:
        for process in running:
            if process.poll() is None:
                process.kill()
print("ok")
