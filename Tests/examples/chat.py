#!/usr/bin/env python3
"""Tests the chat: all clients receive all lines, one that does not read is disconnected, and further ones wait."""
import signal
import socket
import subprocess
import sys

program = sys.argv[1]
signal.alarm(120)


def start(*arguments):
    process = subprocess.Popen([program, *arguments], stdout=subprocess.PIPE, text=True)
    return process, int(process.stdout.readline())


def join(port, receives=None):
    client = socket.socket()
    if receives:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
    client.connect(("127.0.0.1", port))
    return client, client.makefile("r")


def end(process, how):
    process.send_signal(how)
    assert process.wait(timeout=60) == 0


process, port = start()
(one, from_one), (two, from_two), (slow, from_slow) = join(port), join(port), join(port, 4096)
slow.sendall(b"all are here\n")  # accepted last
for reader in from_one, from_two, from_slow:
    assert reader.readline() == "all are here\n"
two.sendall(b"to")
two.sendall(b"day\n\n")
for reader in from_one, from_two:
    assert [reader.readline(), reader.readline()] == ["today\n", "\n"]
for number in range(10000):  # 10 MB, which a system does not buffer
    one.sendall(b"%d%s\n" % (number, b"." * 1000))
    if number % 10 == 9:
        for _ in range(10):
            assert from_one.readline() == from_two.readline()
try:
    last = from_slow.readlines()[-1]
except ConnectionResetError:
    last = "reset"
assert not last.startswith("9999"), last
two.sendall(b"x" * 5000)  # a line that is too long ends only its client
assert from_two.readline() == ""
one.sendall(b"still here\n")
assert from_one.readline() == "still here\n"
end(process, signal.SIGTERM)
assert from_one.readline() == ""

process, port = start("0", "2")
(one, from_one), (two, from_two), (third, from_third) = join(port), join(port), join(port)
two.sendall(b"two are here\n")
assert from_one.readline() == from_two.readline() == "two are here\n"
third.sendall(b"and me\n")
third.settimeout(0.2)
try:
    sys.exit(f"the third client was served: {third.recv(100)}")
except TimeoutError:
    pass
two.close(), from_two.close()
third.settimeout(60)
assert third.recv(100) == b"and me\n" and from_one.readline() == "and me\n"
end(process, signal.SIGINT)
