#!/usr/bin/env python3
"""Holds the table of what functions return, in Sources/SignalKitABI/Support/last_error.c, against the headers."""

import re
import sys

from sources import ROOT, functions

source = (ROOT / "Sources/SignalKitABI/Support/last_error.c").read_text()
table = re.findall(r'\{"(\w+)", (\w+)\},', source)
kinds = {
    "sgk_signal *": "SGK_LIVE_SIGNAL", "sgk_event_link *": "SGK_LIVE_EVENT_LINK",
    "sgk_signature *": "SGK_LIVE_SIGNATURE"
}
by_name = {"sgk_retain": "ANYTHING"}
wrong = [
    f"{name} returns {result.strip()}; the table says {found}" for name, result, *_ in functions()
    if (found := next((made for prefix, made in table
                       if name.startswith(prefix)), "NOTHING")) != by_name.get(name, kinds.get(result, "NOTHING"))
]
print("\n".join(wrong))
sys.exit(bool(wrong) or len(table) < 20)
