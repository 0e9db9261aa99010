#!/usr/bin/env python3
"""Writes the addresses of the project into bindings/python/pyproject.toml, or compares them (--check).

The variable SIGNALKIT_SITE is the address where it is published."""

import re

from bindings import SITE, write
from sources import ROOT

PLACE = ROOT / "bindings/python"
ADDRESSES = {"Homepage": "", "Documentation": "", "Repository": "/signalkit", "Issues": "/signalkit/issues",
             "Changelog": "/signalkit/blob/main/CHANGELOG.md"}


def main():
    text = (PLACE / "pyproject.toml").read_text(encoding="utf-8")
    table = "[project.urls]\n" + "".join(f'{name} = "{SITE}{path}"\n' for name, path in ADDRESSES.items())
    made, count = re.subn(r"\[project\.urls\]\n(?:\w.*\n)*", table, text)
    assert count == 1
    write({PLACE / "pyproject.toml": made})


if __name__ == "__main__":
    main()
