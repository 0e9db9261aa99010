#!/usr/bin/env python3
"""Prints the functions of the core in the format of `#function` (`take(for:queue:)`), without those whose names also
exist in the ABI layer."""

import re

from sources import ROOT, labels, without_comments

FUNCTION = re.compile(r"\bfunc\s+`?(\w+)`?\s*(?:<[^(]*)?(?=\()")


def functions(module):
    for path in (ROOT / "Sources" / module).rglob("*.swift"):
        text = without_comments(path.read_text(encoding="utf-8"))
        for function in FUNCTION.finditer(text):
            yield function[1] + labels(text[function.end():])


print("\n".join(sorted({*functions("SignalKitCore")} - {*functions("SignalKitABI")})))
