"""How gdb prints SignalKit's values and handles. It is installed under the name by which gdb loads it together with the
library (docs/debugging.md). Nothing is called in the program: so it works with core files too."""

import struct

import gdb
import gdb.printing

# The texts of sgk_kind and of sgk_live, in their order.
KINDS = ("null", "bool", "int", "double", "pointer", "string", "bytes", "array", "signal", "object", "error")
LIVE = (
    "signal", "subscriber", "disposable", "queue", "timer", "pipe", "boxed value", "callback", "promise",
    "state", "multicast", "sequencer", "thread pool", "object of a queue", "signature", "native callback",
    "multicast signal manager", "event link", "link bag", "overflow counter", "reader",
)
GIVEN = 0x67697665
MARK = 0x53474B00  # "SGK", and the kind, in each handle
SHOWN = 200  # bytes of a text, items of an array


def read(address, layout):
    """Reads memory in the format of struct.unpack."""
    return struct.unpack_from(layout, gdb.selected_inferior().read_memory(address, struct.calcsize(layout)))


class ValuePrinter:
    """Prints the kind and the content of a sgk_value."""

    def __init__(self, value):
        self.value = value
        self.kind, self.bits = int(value["kind"]), int(value["bits"])

    def box(self):
        """The size of the content. A box starts like an object, with a class and a count; its kind follows."""
        kind, _, count = read(self.bits + 16, "<IIQ")
        if kind != self.kind:
            raise gdb.MemoryError("another one is there")
        return count

    def text(self):
        bits = self.bits
        if self.kind >= len(KINDS):
            return f"no value: kind {self.kind}, bits {bits:#x}"
        name = KINDS[self.kind]
        if name == "null":
            return name
        if name == "bool":
            return "true" if bits else "false"
        if name == "int":
            return f"int {struct.unpack('<q', struct.pack('<Q', bits))[0]}"
        if name == "double":
            return f"double {struct.unpack('<d', struct.pack('<Q', bits))[0]!r}"
        if name == "pointer":
            return f"pointer {bits:#x}"
        count = self.box()
        if name in ("string", "bytes", "error"):
            # The cause and the code of an error precede its text.
            place = bits + 52 if name == "error" else bits + 32
            data = bytes(gdb.selected_inferior().read_memory(place, min(count, SHOWN))) if count else b""
            more = "" if count <= SHOWN else f"... ({count} bytes)"
            if name == "error":
                return f"error {read(bits + 48, '<i')[0]} {quoted(data)}{more}"
            return f"bytes {data.hex()}{more}" if name == "bytes" else f"string {quoted(data)}{more}"
        if name == "array":
            return f"array of {count}"
        return f"object {count:#x}" if name == "object" else f"signal in the box at {bits:#x}"

    def to_string(self):
        given = " (given away)" if int(self.value["reserved"]) == GIVEN else ""
        try:
            return self.text() + given
        except gdb.MemoryError:
            return f"{KINDS[self.kind]} that is gone: no box at {self.bits:#x}"

    def children(self):
        try:
            count = self.box() if self.kind in (KINDS.index("array"), KINDS.index("error")) else 0
        except gdb.MemoryError:
            return
        items = gdb.Value(self.bits + 32).cast(self.value.type.unqualified().pointer())
        if self.kind == KINDS.index("error"):
            if int(items["kind"]) != KINDS.index("null"):
                yield "cause", items.dereference()
            return
        for index in range(min(count, SHOWN)):
            yield f"[{index}]", (items + index).dereference()


class ArrayPrinter(ValuePrinter):
    def display_hint(self):
        return "array"


def quoted(data):
    return '"' + data.decode("utf-8", "backslashreplace").replace("\\", "\\\\").replace('"', '\\"') + '"'


class HandlePrinter:
    """A pointer to a handle: its kind, and how many references there are to it, the library's own among them."""

    def __init__(self, value):
        self.address = int(value)

    def to_string(self):
        if self.address == 0:
            return "NULL"
        try:
            count, mark = read(self.address + 8, "<QI")
        except gdb.MemoryError:
            count, mark = 0, 0
        kind = mark ^ MARK
        if kind >= len(LIVE):
            return f"no live handle at {self.address:#x}"
        return f"{LIVE[kind]} at {self.address:#x}, {count} reference{'s' if count != 1 else ''}"


def printer(value):
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_STRUCT and kind.tag == "sgk_value":
        is_array = int(value["kind"]) == KINDS.index("array")
        return ArrayPrinter(value) if is_array else ValuePrinter(value)
    if kind.code == gdb.TYPE_CODE_PTR:
        target = kind.target().strip_typedefs()
        is_opaque = target.code == gdb.TYPE_CODE_STRUCT and not target.fields()
        if is_opaque and (target.tag or "").startswith("sgk_"):
            return HandlePrinter(value)
    return None


printer.name, printer.enabled = "signalkit", True
gdb.printing.register_pretty_printer(gdb.current_objfile(), printer, replace=True)
