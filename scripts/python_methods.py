#!/usr/bin/env python3
"""Prints bindings/python/src/libsignalkit/_methods.py: the operators of operators.py as methods, whose types say what a
pipeline emits."""

import ast
import copy
import pathlib
import textwrap

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "bindings/python/src/libsignalkit/operators.py"


class Renamed(ast.NodeTransformer):
    def __init__(self, names):
        self.names = names

    def visit_Name(self, node):
        return ast.Name(self.names.get(node.id, node.id))


def expression(text):
    return ast.parse(text, mode="eval").body


def parts(annotation):
    """Of `Operator[In, Out]` or `Function[In, Out]`: both. An operator of the type `Passing` keeps the type."""
    if isinstance(annotation, ast.Name) and annotation.id in ("Passing", "Any"):  # Any: behind overloads
        return [ast.Name("T" if annotation.id == "Passing" else "Any")] * 2
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) in ("Operator", "Function"):
        return annotation.slice.elts
    return None


def returns_value(arguments):
    """Whether an argument is a function that returns a T, so that the method needs the exact type of the signal."""
    annotations = [ast.unparse(argument.annotation) for argument in arguments.args]
    return any(text.startswith("Callable[") and text.endswith(", T]") for text in annotations)


def typed(node):
    """Removes the quotes of `"T | None"`."""
    return expression(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else node


def method(function):
    """The method for an operator, or for a function of several signals, of which it is the first; otherwise None."""
    function = copy.deepcopy(function)
    arguments = function.args
    taken = parts(function.returns)
    own = ast.arg("self")
    if taken:
        source, result = map(typed, taken)
        if isinstance(source, ast.Subscript) or returns_value(arguments):  # `self` has a type of its own
            others = Renamed({"T": "V"})
            arguments, result, source = others.visit(arguments), others.visit(result), others.visit(source)
        if ast.unparse(source) not in ("T", "Any"):
            own.annotation = expression(f"Methods[{ast.unparse(source)}]")
        function.returns = expression(f"Signal[{ast.unparse(result)}]")
        called = f"_operators.{function.name}({{}})(self)"
    elif arguments.posonlyargs:  # an overload for several signals
        first = arguments.posonlyargs.pop(0).annotation.slice.id
        function = Renamed({first: "T"}).visit(function)
        called = f"_operators.{function.name}(self, {{}})"
    elif arguments.vararg and ast.unparse(arguments.vararg.annotation).startswith("Signal["):
        if ast.unparse(arguments.vararg.annotation) == "Signal[T]":
            own.annotation = expression("Methods[V]")
            function = Renamed({"T": "V"}).visit(function)
            arguments = function.args
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
    function = Renamed({"T": "T_co"}).visit(function)
    arguments = function.args
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
methods = [made for made in map(method, functions) if made]

print('''# Generated by scripts/python_methods.py. Do not edit.
"""The operators as methods: `signal.filter(f).map(g)` is `signal | filter(f) | map(g)`, with types."""

# mypy: disable-error-code="no-any-return, misc"

from __future__ import annotations

import asyncio
import operator as _operator
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Generic, TypeVar, overload

from ._kinds import Dropping, Event, Overflow, Pausing, Throttle
from ._listeners import NONE
from ._needed import Seconds

if TYPE_CHECKING:
    from .queues import Queue, QueueLike
    from .signal import Signal

T_co = TypeVar("T_co", covariant=True)
U = TypeVar("U")
V = TypeVar("V")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")

_operators: Any = None  # the module, which needs Signal, and says so when it is there


class Methods(Generic[T_co]):
    """The operators as methods of Signal."""

    __slots__ = ()
''')
print("\n\n".join(shown(function) for function in methods))
