#!/usr/bin/env python3
"""Prints bindings/python/src/libsignalkit/_functions.py: the types of the functions in the headers, as ctypes wants
them."""

from sources import functions

WORD = "c_void_p"  # handles, functions, contexts: numbers
TYPES = {
    "bool ": "c_bool", "double ": "c_double", "int ": "c_int", "int64_t ": "c_int64", "uint64_t ": "c_uint64",
    "size_t ": "c_size_t", "const char *": "c_char_p", "sgk_status ": "c_int", "sgk_kind ": "c_int",
    "sgk_live ": "c_int", "sgk_overflow ": "c_int", "sgk_edges ": "c_int",
    "sgk_value ": "*VALUE", "void ": "None",
}


def result(function):
    return "Value" if function.result == "sgk_value " else TYPES.get(function.result, WORD)


def line(function):
    parameters = [TYPES.get(type, WORD) for type, _ in function.parameters]
    comma = "," if len(parameters) == 1 else ""
    return f'    "{function.name}": ({result(function)}, ({", ".join(parameters)}{comma})),'


print('''"""The types of the library's functions: result and parameters. Written by scripts/python_functions.py from the
headers."""

from __future__ import annotations

import ctypes
from ctypes import c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any

# A sgk_value, 16 bytes, travels in two registers, on the 64-bit machines of today as two integers do: its kind, and its
# bits. Saying so spares a Structure for each event.
VALUE = (c_uint32, c_int64)


class Value(ctypes.Structure):
    """A sgk_value as it lies in memory, and is returned."""

    _fields_ = [("kind", c_uint32), ("reserved", c_uint32), ("bits", c_int64)]


FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {''')
print("\n".join(line(function) for function in functions()) + "\n}")
