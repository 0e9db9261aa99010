#!/usr/bin/env python3
"""Prints the functions of the core as `#function` names them (`take(for:queue:)`), but for those that have a namesake
in the layer above it."""

import re

from sources import ROOT, labels, without_comments

FUNCTION = re.compile(r"\bfunc\s+`?(\w+)`?\s*(?:<[^(]*)?(?=\()")


def functions(module):
    for path in (ROOT / "Sources" / module).rglob("*.swift"):
        text = without_comments(path.read_text(encoding="utf-8"))
        for function in FUNCTION.finditer(text):
            yield function[1] + labels(text[function.end():])


print("\n".join(sorted({*functions("SignalKit")} - {*functions("SignalKitABI")})))
