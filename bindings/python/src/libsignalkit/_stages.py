"""Neighbouring stages that need nothing of the library (map, filter, …) as one Python function: one crossing of the border for all of them."""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from itertools import islice
from types import TracebackType
from typing import Any, Callable, NamedTuple

MAP, FILTER, COMPACT_MAP, BEFORE, AFTER = "mfcba"
# With separate state in each subscription: the stage stores the maker of its function. Each is a map or a filter.
SCAN, PAIRWISE, ENUMERATED, DISTINCT, DISTINCT_UNTIL_CHANGED, SKIP_WHILE, REDUCE = "SPNDUWR"
_LIKE = {"s": MAP, "p": MAP, "n": MAP, "d": FILTER, "u": FILTER, "w": FILTER, "r": FILTER}
NAMES = {
    MAP: "map", FILTER: "filter", COMPACT_MAP: "compact_map", BEFORE: "before_next", AFTER: "after_next", "s": "scan", "p": "pairwise", "n": "enumerated",
    "d": "distinct", "u": "distinct_until_changed", "w": "skip_while", "r": "reduce",
}
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


def _source(kinds: str, gated: bool) -> list[str]:
    """The lines of a function that makes the function of stages of these kinds, from `f0`, `f1`…"""
    lines: list[str] = []
    after: list[str] = []
    indent = "  "
    value = "v"  # maps nest: the value between two of them is not stored

    def settle() -> None:
        nonlocal value
        if value != "v":
            lines.append(f"{indent}v = {value}")
            value = "v"

    for index, kind in enumerate(_LIKE.get(kind, kind) for kind in kinds):
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
    return [f"def make(out, run{names}):", " def receive(v):", *lines, *reversed(after), " return receive"]


_FILE = "<libsignalkit stages "


@lru_cache(maxsize=1024)
def _maker(kinds: str, gated: bool) -> Callable[..., Callable[[Any], None]]:
    scope: dict[str, Any] = {}
    exec(compile("\n".join(_source(kinds, gated)), f"{_FILE}{kinds}>", "exec"), scope)
    made: Callable[..., Callable[[Any], None]] = scope["make"]
    return made


def note(error: BaseException, stage: str = "") -> None:
    """Adds a note about the stage that raised an exception, if it has none yet: the given one, or one of the function of several stages."""
    if sys.version_info < (3, 11) or not isinstance(error, Exception):
        return
    if any(text.startswith(_NOTE) for text in getattr(error, "__notes__", ())):
        return
    stage = stage or _raising_stage(error.__traceback__)
    if stage:
        error.add_note(_NOTE + stage)


_NOTE = "libsignalkit: in "


def _raising_stage(trace: TracebackType | None) -> str:
    """Returns the stage whose function was called by the first function of stages in a traceback: the frame knows the place of the call."""
    while trace:
        code = trace.tb_frame.f_code
        if code.co_filename.startswith(_FILE):
            kinds = code.co_filename[len(_FILE):-1]
            line, _, column, _ = next(islice(code.co_positions(), trace.tb_lasti // 2, None))
            called = re.match(r"f(\d+)\(", _source(kinds, True)[line - 1].encode()[column:].decode()) if line and column is not None else None
            if called:
                names, index = Stages(kinds).names, int(called[1])
                return names[0] if len(names) == 1 else f"{names[index]}, stage {index + 1} of {' | '.join(names)}"
        trace = trace.tb_next
    return ""
