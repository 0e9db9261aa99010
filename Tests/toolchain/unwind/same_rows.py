#!/usr/bin/env python3
"""Compares the unwind tables of two files at each address that those of the first describe.
    same_rows.py LINKED JOINED
"""
import bisect
import re
import subprocess
import sys


def rows(path):
    """The addresses at which a row begins, and what the row says: {} where no table is."""
    command = ["readelf", "-W", "--debug-dump=frames-interp", path]
    said = subprocess.run(command, check=True, capture_output=True, text=True)
    found, first, columns, end = {}, {}, [], None
    for line in said.stdout.splitlines() + [""]:
        table = re.match(r"\w+ \w+ \w+ (CIE|FDE cie=(\w+) pc=(\w+)\.\.(\w+))", line)
        if table and table[1] == "CIE":
            begin, end, common = None, None, line.split()[0]
        elif table:
            begin, end = int(table[3], 16), int(table[4], 16)
            assert begin == end or not found.get(begin), f"{path}: two tables for {begin:#x}"
            found[begin] = first[table[2]] if begin < end else found.get(begin, {})
            found.setdefault(end, {})
        elif line.startswith("   LOC "):
            columns = line.split()[1:]
        elif re.match(r"[0-9a-f]{16} ", line):
            address, *rules = line.split()
            row = {name: rule for name, rule in zip(columns, rules, strict=True) if rule != "u"}
            if begin is None:
                first[common] = row
            elif int(address, 16) < end:
                found[int(address, 16)] = row
    addresses = sorted(found)
    return addresses, [found[address] for address in addresses]


def at(table, address):
    addresses, states = table
    place = bisect.bisect_right(addresses, address) - 1
    return states[place] if place >= 0 else {}


linked, joined = rows(sys.argv[1]), rows(sys.argv[2])
described = compared = 0
for address in sorted({*linked[0], *joined[0]}):
    row = at(linked, address)
    if row:
        compared += 1
        if row != at(joined, address):
            sys.exit(f"{address:#x}: {row} has become {at(joined, address)}")
print(f"{compared} rows are the same")
sys.exit(compared < 10000)
