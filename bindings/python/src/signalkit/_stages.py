"""Neighbouring stages that need nothing of the library (map, filter, …) as one Python function: one crossing of the border for all of them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Callable

Stage = tuple[str, Callable[..., Any]]
MAP, FILTER, COMPACT_MAP, BEFORE, AFTER = "mfcba"
_MOST = 40  # in one function: each filter indents what follows


@lru_cache(maxsize=256)
def _maker(kinds: str) -> Callable[..., Callable[[Any], None]]:
    """Makes the function of stages of these kinds: `f0`, `f1`… between a value and `out`."""
    lines: list[str] = []
    after: list[str] = []
    indent = " " * 3
    for index, kind in enumerate(kinds):
        if kind == MAP:
            lines.append(f"{indent}v = f{index}(v)")
        elif kind == BEFORE:
            lines.append(f"{indent}f{index}(v)")
        elif kind == AFTER:
            lines.append(f"{indent}v{index} = v")
            after.append(f"{indent}f{index}(v{index})")
        else:
            if kind == COMPACT_MAP:
                lines.append(f"{indent}v = f{index}(v)")
            lines.append(f"{indent}if v is not None:" if kind == COMPACT_MAP else f"{indent}if f{index}(v):")
            indent += " "
    names = "".join(f", f{index}" for index in range(len(kinds)))
    code = "\n".join(
        [f"def make(out, fail{names}):", " def receive(v):", "  try:", *lines, f"{indent}out(v)", *reversed(after)]
        + ["  except BaseException as error:", "   fail(error)", " return receive"]
    )
    scope: dict[str, Any] = {}
    exec(compile(code, "<signalkit stages>", "exec"), scope)
    made: Callable[..., Callable[[Any], None]] = scope["make"]
    return made


def fuse(stages: tuple[Stage, ...], out: Callable[[Any], object], fail: Callable[[BaseException], None]) -> Callable[[Any], None]:
    """A function that takes a value through the stages to `out`; what any of them raises goes to `fail`, never further."""
    for end in range(len(stages), _MOST, -_MOST):
        out = fuse(stages[end - _MOST : end], out, fail)
    part = stages[: (len(stages) - 1) % _MOST + 1] if stages else ()
    return _maker("".join(kind for kind, _ in part))(out, fail, *(function for _, function in part))
