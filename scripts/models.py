#!/usr/bin/env python3
"""Compares the models (Tests/SignalKitTests/Models) with the code.

A model lists every atomic operation of its types, in the order of the code, in lines `/// - Type.function: operation
ordering → place, place`. A place is a step of the model. Brackets contain the reason why an operation is not a step.

    models.py [--print TYPE…]   the lines of types, without places"""

import re
import sys

from atomics import operations
from sources import ROOT

MODELS = ROOT / "Tests/SignalKitTests/Models"
LINE = re.compile(r"/// - (\w+)\.(\w+): (\w+) ([\w/]+) → (.+)")


code = [found[:4] for found in operations()]
if sys.argv[1:2] == ["--print"]:
    for owner, member, operation, order in (step for name in sys.argv[2:] for step in code if step[0] == name):
        print(f"/// - {owner}.{member}: {operation} {order} → ")
    sys.exit()

complaints, count = [], 0
for path in sorted(MODELS.glob("*Model.swift")):
    text = path.read_text(encoding="utf-8")
    named = [match.groups() for match in LINE.finditer(text)]
    for owner in dict.fromkeys(name for name, *_ in named):
        model = [step[:4] for step in named if step[0] == owner]
        real = [step for step in code if step[0] == owner]
        count += len(real)
        if model != real:
            at = next((i for i, (a, b) in enumerate(zip(model, real)) if a != b), min(len(model), len(real)))
            complaints.append(f"{path.name}: {(model + [None])[at]} is in the model, {(real + [None])[at]} in the code")
    places = set(re.findall(r"[\w]+", " ".join(re.findall(r"^ *(?:indirect )?case (.*)", text, flags=re.M))))
    for *step, at in named:
        if not at.startswith("("):
            complaints += [f"{path.name}: {place}, of {step}, is no place"
                           for place in at.split(", ") if place not in places]
    if not named:
        complaints.append(f"{path.name} names no steps")
print("\n".join(complaints) or f"{count} atomic operations are as the models have them")
sys.exit(bool(complaints))
