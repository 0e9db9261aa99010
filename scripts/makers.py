#!/usr/bin/env python3
"""Holds the table of what functions return, in Sources/SignalKitABI/Support/last_error.c, against the headers."""

import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
source = (root / "Sources/SignalKitABI/Support/last_error.c").read_text()
table = re.findall(r'\{"(\w+)", (\w+)\},', source)
kinds = {"sgk_signal *": "SGK_LIVE_SIGNAL", "sgk_event_link *": "SGK_LIVE_EVENT_LINK", "sgk_signature *": "SGK_LIVE_SIGNATURE"}
text = "\n".join(re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S) for header in sorted((root / "include/signalkit").glob("*.h")))
declared = [(f"{handle} *", f"{handle}_retain") for handle in re.findall(r"^SGK_HANDLE\((\w+)\)", text, flags=re.M)]
declared += [("void ", f"{handle}_release") for handle in re.findall(r"^SGK_HANDLE\((\w+)\)", text, flags=re.M)]
declared += re.findall(r"^SGK_API (?:const )?(\w+ \*?)(sgk_\w+)\(", text, flags=re.M)
wrong = [
    f"{name} returns {result.strip()}; the table says {found}"
    for result, name in declared
    if (found := next((made for prefix, made in table if name.startswith(prefix)), "NOTHING")) != kinds.get(result, "NOTHING")
]
print("\n".join(wrong))
sys.exit(bool(wrong) or len(table) < 20)
