#!/usr/bin/env python3
"""Runs a command, and ends all processes that it leaves behind: `contained.py COMMAND…`. Returns its status.
It prints the processor time of all these processes. The variable CONTAINER of the command is the number of this
process."""
import ctypes, os, resource, signal, subprocess, sys

PR_SET_CHILD_SUBREAPER = 36 # a process whose parent has ended becomes a child of this one


def end_children():
    ended = set()
    try:
        while True: # when a child ends, its children come here
            for directory in filter(str.isdigit, os.listdir("/proc")):
                try:
                    name, fields = open(f"/proc/{directory}/stat").read().split("(", 1)[1].rsplit(")", 1)
                except OSError: # it has ended
                    continue
                state, parent = fields.split()[:2]
                if int(parent) == os.getpid() and state != "Z" and directory not in ended:
                    ended.add(directory)
                    print(f"left behind and ended: {name} ({directory})", file=sys.stderr)
                    os.kill(int(directory), signal.SIGKILL)
            os.wait()
    except ChildProcessError:
        pass


if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
    sys.exit(f"{sys.argv[0]}: the system cannot keep the processes of a step together")
try:
    status = subprocess.call(sys.argv[1:], env={**os.environ, "CONTAINER": str(os.getpid())})
finally:
    end_children()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"processor time: {used.ru_utime + used.ru_stime:.1f} s", flush=True)
sys.exit(status if status >= 0 else 128 - status)
