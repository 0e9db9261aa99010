#!/usr/bin/env python3
"""slim_dispatch.py OBJECT: takes the table of queue attributes out of libdispatch's init.c.o, in place.

All possible attributes are there, 63 KiB of them, each with an address that has to be written at load time; but of one only its place in the table is
ever looked at, and this library passes none. So the table becomes zeroed memory, which takes no room in the file and no page. An object that
is not as expected stays as it is, and says so."""

import struct
import sys

TABLE = b"_dispatch_queue_attrs"
SYMTAB, RELA, PROGBITS, NOBITS, SECTION = 2, 4, 1, 8, 3
ABSOLUTE = {62: 1, 183: 257}  # the type of a relocation to a whole address, by machine


class Refused(Exception):
    pass


class Table:
    """Fixed-size records inside the file's bytes."""

    def __init__(self, data, offset, size, layout):
        self.data, self.offset, self.layout = data, offset, struct.Struct(layout)
        self.count = size // self.layout.size

    def __getitem__(self, index):
        if index >= self.count:
            raise IndexError
        return list(self.layout.unpack_from(self.data, self.offset + index * self.layout.size))

    def __setitem__(self, index, record):
        self.layout.pack_into(self.data, self.offset + index * self.layout.size, *record)


def only(found, what):
    if len(found) != 1:
        raise Refused(f"{len(found)} {what}")
    return found[0]


def slim(data):
    if data[:6] != b"\x7fELF\x02\x01":
        raise Refused("no object of 64 bits")
    machine, = struct.unpack_from("<H", data, 18)
    start, = struct.unpack_from("<Q", data, 40)
    count, = struct.unpack_from("<H", data, 60)
    sections = Table(data, start, count * 64, "<IIQQQQIIQQ")  # name, type, flags, address, offset, size, link, info, alignment, entry

    symtab = only([s for s in sections if s[1] == SYMTAB], "symbol tables")
    symbols = Table(data, symtab[4], symtab[5], "<IBBHQQ")  # name, info, other, section, value, size
    names = sections[symtab[6]][4]
    name = lambda symbol: bytes(data[names + symbol[0] : data.index(0, names + symbol[0])])  # noqa: E731
    _, _, _, home, first, size = only([s for s in symbols if name(s) == TABLE], "tables")
    section = sections[home]
    bss_index, bss = only([(i, s) for i, s in enumerate(sections) if s[1] == NOBITS and not s[2] & 0x400], "sections of zeroes")
    if section[1] != PROGBITS or size % section[8]:
        raise Refused("the table is not where it can be cut out")
    end, bss_start = first + size, -(-bss[5] // 64) * 64

    for index, symbol in enumerate(symbols):
        if symbol[3] == home and first <= symbol[4] < end:
            symbol[3:5] = bss_index, symbol[4] - first + bss_start
        elif symbol[3] == home and symbol[4] >= end:
            symbol[4] -= size
        symbols[index] = symbol

    for index, table in enumerate(sections):
        if table[1] != RELA:
            continue
        records = Table(data, table[4], table[5], "<QQq")
        kept = []
        for place, info, addend in records:
            symbol = symbols[info >> 32]
            if table[7] == home and first <= place < end:
                continue
            if table[7] == home and place >= end:
                place -= size
            if symbol[1] & 15 == SECTION and symbol[3] == home:
                if info & 0xFFFFFFFF != ABSOLUTE[machine] or first <= addend < end:
                    raise Refused("something else points into the section")
                addend -= size if addend >= end else 0
            kept.append([place, info, addend])
        for position, record in enumerate(kept):
            records[position] = record
        table[5] = len(kept) * 24
        sections[index] = table

    data[section[4] + first : section[4] + section[5] - size] = data[section[4] + end : section[4] + section[5]]
    section[5] -= size
    sections[home] = section
    bss[5], bss[8] = bss_start + size, max(bss[8], 64)
    sections[bss_index] = bss


def main():
    with open(sys.argv[1], "rb") as file:
        data = bytearray(file.read())
    try:
        slim(data)
    except Refused as reason:
        print(f"{sys.argv[1]} stays as it is: {reason}", file=sys.stderr)
        return
    with open(sys.argv[1], "wb") as file:
        file.write(data)


if __name__ == "__main__":
    main()
