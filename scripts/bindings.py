"""What the generators of all bindings have in common: the description, and how their files are written or compared."""

import json
import pathlib
import re
import sys

from sources import ROOT

API = json.loads((ROOT / "bindings/api.json").read_text(encoding="utf-8"))
OPERATORS = [function for function in API["functions"] if function["kind"] in ("operator", "source", "combination")]


def without_context(comment):
    """What a header says of a callback, for closures: they have no context."""
    return re.sub(r"\bcontext, ", "", comment).replace("(context)", "()")


def write(pages, faults=()):
    """Writes texts to their paths, and ends the program. With --check it writes nothing and fails if one is not what it
    would be."""
    wrong = []
    for path, text in pages.items():
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            wrong.append(f"{path.relative_to(ROOT)}: stale; run scripts/{pathlib.Path(sys.argv[0]).name}")
    wrong += faults
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(bool(wrong))
