#!/usr/bin/env python3
"""The corpus of the fuzzers: Tests/fuzz/corpus/NAME.txt has one input in each line, as base64.

  unpack NAME DIRECTORY       writes each input into a separate file, for the fuzzer
  pack NAME PROGRAM BYTES     adds the inputs of campaigns (build/fuzz/found/NAME) to the corpus, reduced to a set with
                              the same coverage (libFuzzer's merge), the smallest first, up to BYTES bytes
"""

import base64
import hashlib
import pathlib
import shutil
import subprocess
import sys

from sources import ROOT


def text_of(name):
    return ROOT / "Tests/fuzz/corpus" / f"{name}.txt"


def unpack(name, directory):
    place = pathlib.Path(directory)
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for line in text_of(name).read_text(encoding="ascii").splitlines():
        data = base64.b64decode(line)
        (place / hashlib.sha1(data).hexdigest()).write_bytes(data)


def pack(name, program, most):
    seeds, merged = (ROOT / "build/fuzz" / place / name for place in ("seeds", "merged"))
    if text_of(name).exists():
        unpack(name, seeds)
    shutil.rmtree(merged, ignore_errors=True)
    merged.mkdir(parents=True)
    seeds.mkdir(parents=True, exist_ok=True)
    subprocess.run([program, "-set_cover_merge=1", "-verbosity=0", merged, ROOT / "build/fuzz/found" / name, seeds],
                   check=True)
    lines, left = [], int(most)
    for data in sorted((path.read_bytes() for path in merged.iterdir()), key=lambda data: (len(data), data)):
        line = base64.b64encode(data).decode("ascii")
        left -= len(line) + 1
        if left < 0:
            break
        lines.append(line + "\n")
    text_of(name).parent.mkdir(exist_ok=True)
    text_of(name).write_text("".join(lines), encoding="ascii")
    print(f"{name}: {len(lines)} inputs, {text_of(name).stat().st_size} bytes")


{"unpack": unpack, "pack": pack}[sys.argv[1]](*sys.argv[2:])
