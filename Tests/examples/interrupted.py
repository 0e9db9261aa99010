#!/usr/bin/env python3
"""interrupted.py COMMAND…: sends it a SIGINT when it has printed a line, and says whether it ended by that."""

import signal
import subprocess
import sys

# Background jobs of a shell ignore the signal, and so would the command.
signal.signal(signal.SIGINT, signal.SIG_DFL)
program = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
print(program.stdout.readline(), end="")
program.send_signal(signal.SIGINT)
try:
    rest, complaints = program.communicate(timeout=300)
except subprocess.TimeoutExpired:
    program.kill()
    sys.exit("interrupted: still there")
if program.returncode not in (-signal.SIGINT, 128 + signal.SIGINT):
    sys.exit(f"interrupted: ended with {program.returncode}\n{complaints}")
print(rest + "interrupted: over")
