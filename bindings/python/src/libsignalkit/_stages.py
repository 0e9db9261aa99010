"""Neighbouring stages that need nothing of the library (map, filter, …) as one Python function: one crossing of the border for all of them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Callable, NamedTuple

MAP, FILTER, COMPACT_MAP, BEFORE, AFTER = "mfcba"
NAMES = {MAP: "map", FILTER: "filter", COMPACT_MAP: "compact_map", BEFORE: "before_next", AFTER: "after_next"}
MAP_ANEW, FILTER_ANEW = "MF"  # with separate state in each subscription: the stage stores the maker of its function
_MOST = 40  # stages in one function: each filter indents the next ones


_DEEPEST = 128  # spaces: the library describes deeper stages at this depth


def in_one_line(described: str) -> str:
    """Converts the library's description, which has one stage in each line from the end to the sources, to one line in the order of the source code."""
    row: list[tuple[int, str]] = []  # stages without a consumer yet, and their depth; the nearest last
    for line in reversed(described.splitlines()):
        text = line.lstrip(" ")
        depth = len(line) - len(text)
        sources: list[str] = []
        while row and row[-1][0] >= min(depth + 1, _DEEPEST):
            sources.append(row.pop()[1])
        if depth == _DEEPEST:
            text = "…"
        elif sources:
            text = f"{sources[0] if len(sources) == 1 else '(' + '; '.join(sources) + ')'} | {text}"
        row.append((depth, text))
    return row[0][1]


class Stages(NamedTuple):
    """Their kinds, a letter each, and their functions."""

    kinds: str = ""
    functions: tuple[Callable[..., Any], ...] = ()

    def plus(self, kind: str, function: Callable[..., Any]) -> Stages:
        return Stages(self.kinds + kind, (*self.functions, function))

    @property
    def names(self) -> list[str]:
        return [NAMES[kind.lower()] for kind in self.kinds]

    @property
    def has_state(self) -> bool:
        return not self.kinds.islower() and bool(self.kinds)

    def fuse(self, out: Callable[[Any], object], run: Any = None) -> Callable[[Any], object]:
        """A function that takes a value through the stages to `out`, unless a stage has closed the `run` by then. It raises what they raise."""
        kinds, functions = self
        if not kinds:
            return out
        if self.has_state:
            functions = tuple(function() if kind.isupper() else function for kind, function in zip(kinds, functions))
            return Stages(kinds.lower(), functions).fuse(out, run)
        if len(kinds) <= _MOST:
            return _maker(kinds, run is not None)(out, run, *functions)
        behind = Stages(kinds[_MOST:], functions[_MOST:]).fuse(out, run)
        return Stages(kinds[:_MOST], functions[:_MOST]).fuse(behind, run)


@lru_cache(maxsize=1024)
def _maker(kinds: str, gated: bool) -> Callable[..., Callable[[Any], None]]:
    """Makes the function of stages of these kinds, `f0`, `f1`…"""
    lines: list[str] = []
    after: list[str] = []
    indent = "  "
    value = "v"  # maps nest: the value between two of them is not stored

    def settle() -> None:
        nonlocal value
        if value != "v":
            lines.append(f"{indent}v = {value}")
            value = "v"

    for index, kind in enumerate(kinds):
        if kind == MAP or kind == COMPACT_MAP:
            value = f"f{index}({value})"
        else:
            settle()
        if kind == BEFORE:
            lines.append(f"{indent}f{index}(v)")
        elif kind == AFTER:
            lines.append(f"{indent}v{index} = v")
            after.append(f"{indent}f{index}(v{index})")
        elif kind == FILTER or kind == COMPACT_MAP:
            settle()
            lines.append(f"{indent}if f{index}(v):" if kind == FILTER else f"{indent}if v is not None:")
            indent += " "
    settle()
    lines.append(f"{indent}if run._open: out(v)" if gated else f"{indent}out(v)")
    names = "".join(f", f{index}" for index in range(len(kinds)))
    code = "\n".join([f"def make(out, run{names}):", " def receive(v):", *lines, *reversed(after), " return receive"])
    scope: dict[str, Any] = {}
    exec(compile(code, "<libsignalkit stages>", "exec"), scope)
    made: Callable[..., Callable[[Any], None]] = scope["make"]
    return made
