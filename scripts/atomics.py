"""The atomic operations of the core, as its sources have them."""

import re
from typing import NamedTuple

from sources import ROOT

TYPE = re.compile(r"^(?:\w+ )*(?:struct|class|enum|extension) (\w+)")
MEMBER = re.compile(r"^    (?:@\S+ )*(?:\w+(?:\(set\))? )*?(?:(func|var) (\w+)|(deinit|init)\b)")
OPERATION = re.compile(r"\.(load|store|exchange|(?:weakC|c)ompareExchange|bitwiseOr|bitwiseAnd|wrappingAdd|"
                       r"wrappingSubtract|add|subtract)\(")


class Operation(NamedTuple):
    owner: str
    member: str
    kind: str
    order: str  # of a success, and of a failure if that is given
    file: str
    line: int


def argument_end(text, at):
    depth = 1
    while depth:
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at


def operations_of(path):
    text = re.sub(r"//.*", lambda comment: " " * len(comment[0]), path.read_text(encoding="utf-8"))
    owner = member = None
    begins, found = 0, []
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if match := TYPE.match(line):
            owner = match[1]
        elif match := MEMBER.match(line):
            member = match[2] or match[3]
        for match in OPERATION.finditer(line):
            start = begins + match.end()
            orders = re.findall(r"rdering: \.(\w+)", text[start:argument_end(text, start)])
            if orders:
                found.append(Operation(owner, member, match[1], "/".join(orders), str(path.relative_to(ROOT)), number))
        begins += len(line)
    return found


def operations():
    paths = sorted((ROOT / "Sources/SignalKitCore").rglob("*.swift"))
    return [found for path in paths for found in operations_of(path)]
