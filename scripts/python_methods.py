#!/usr/bin/env python3
"""Prints bindings/python/src/libsignalkit/_methods.py: the operators of operators.py as methods, whose types say what a
pipeline emits."""

import ast
import copy
import pathlib
import textwrap

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "bindings/python/src/libsignalkit/operators.py"
AWAITED = {"first"}  # a method of that name is there already, which is awaited


class Renamed(ast.NodeTransformer):
    def __init__(self, names):
        self.names = names

    def visit_Name(self, node):
        return ast.Name(self.names.get(node.id, node.id))


def expression(text):
    return ast.parse(text, mode="eval").body


def parts(annotation):
    """Of `Operator[In, Out]`: both."""
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Operator":
        return annotation.slice.elts
    return None


def typed(node):
    """`"T | None"` in quotes is what is in them."""
    return expression(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else node


def method(function):
    """The method for an operator, or for a function of several signals, of which it is the first; otherwise None."""
    function = copy.deepcopy(function)
    arguments = function.args
    taken = parts(function.returns)
    own = ast.arg("self")
    if taken:
        source, result = map(typed, taken)
        if isinstance(source, ast.Subscript):  # a signal of signals: its own type is that of the inner ones
            others = Renamed({"T": "U"})
            arguments, result, source = others.visit(arguments), others.visit(result), others.visit(source)
        if ast.unparse(source) not in ("T", "Any"):
            own.annotation = expression(f"Methods[{ast.unparse(source)}]")
        function.returns = expression(f"Signal[{ast.unparse(result)}]")
        called = f"_operators.{function.name}({{}})(self)"
    elif arguments.posonlyargs:  # an overload for so many signals
        first = arguments.posonlyargs.pop(0).annotation.slice.id
        function = Renamed({first: "T"}).visit(function)
        called = f"_operators.{function.name}(self, {{}})"
    elif arguments.vararg and ast.unparse(arguments.vararg.annotation).startswith("Signal["):
        called = f"_operators.{function.name}(self, {{}})"
    else:
        return None
    passed = [argument.arg for argument in arguments.args]
    passed += [f"*{arguments.vararg.arg}"] if arguments.vararg else []
    passed += [f"{argument.arg}={argument.arg}" for argument in arguments.kwonlyargs]
    documentation = function.body[0] if ast.get_docstring(function) else None
    (arguments.posonlyargs or arguments.args).insert(0, own)
    is_overload = any(ast.unparse(decorator) == "overload" for decorator in function.decorator_list)
    ends = ast.parse("..." if is_overload else "return " + called.format(", ".join(passed))).body
    function.body = ([documentation] if documentation else []) + ends
    return function


def wrapped(line):
    """A line with the head of a function, broken between arguments where it would be too long."""
    if not line.startswith("def ") or len(line) <= 110:
        return line
    head, rest = line.split("(", 1)
    arguments, tail = rest.rsplit(") -> ", 1)
    depth, kept = 0, ""
    for before, character in zip(" " + arguments, arguments):
        depth += (character in "([") - (character in ")]")
        kept += "\0" if character == " " and (depth or before != ",") else character
    lines = textwrap.wrap(kept, 110, initial_indent="    ", subsequent_indent="    ")
    return "\n".join([head + "(", *(line.replace("\0", " ") for line in lines), ") -> " + tail])


def shown(function):
    lines = ast.unparse(ast.fix_missing_locations(function)).splitlines()
    return textwrap.indent("\n".join(map(wrapped, lines)), "    ").replace("]:\n        ...", "]: ...")


tree = ast.parse(SOURCE.read_text())
public = next(ast.literal_eval(node.value) for node in tree.body
              if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__")
functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in public]
methods = [made for made in map(method, functions) if made and made.name not in AWAITED]

print('''"""The operators as methods: `signal.filter(f).map(g)` is `signal | filter(f) | map(g)`, with types.
Written by scripts/python_methods.py from operators.py."""

# mypy: disable-error-code="no-any-return, misc"

from __future__ import annotations

import asyncio
import operator as _operator
from typing import TYPE_CHECKING, Any, Callable, Generic, TypeVar, overload

from ._kinds import Event, TakeAction, Throttle

if TYPE_CHECKING:
    from .queues import Queue
    from .signal import Signal

T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")

_operators: Any = None  # the module, which needs Signal, and says so when it is there


class Methods(Generic[T]):
    """What Signal has of the operators."""

    __slots__ = ()
''')
print("\n\n".join(shown(function) for function in methods))
