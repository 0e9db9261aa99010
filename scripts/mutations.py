"""Small changes to the library for scripts/mutate.py: those in scripts/mutations.tsv, and changes that this script
proposes for a line: a comparison off by one or reversed, a condition always or never true, a part of it or a statement
removed, true for false, a step of zero for a step of one, the maximum for the minimum."""

import hashlib
import os
import re
import sys
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(ROOT, "scripts", "mutations.tsv")
LINES = 24  # of a file, for each change that is proposed in it

# Code that runs before a change can be selected, and code that only informs tools and users.
LEFT_OUT = re.compile(r"(\b|_)(unlock|lock|fatalError|precondition\w*|assert\w*|abort|mustOverride)\(|"
                      r"\bsgk_shim_\w*(tsan|probe|annotate)\w*\(")
NO_FILES = re.compile(r"SignalKitABI/Support/relocate\.c|SignalKitShims/posix/")  # another build has the second


class Change(NamedTuple):
    path: str
    start: int
    end: int
    new: str


# ---- Listed changes ----


def listed():
    """The listed changes by line number."""
    with open(DATA) as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    return {number: row + [""] * (5 - len(row)) for number, row in enumerate(rows, 2)}


def located(rows):
    """The changes with their places in the sources. Exits if a text is not found."""
    changes = {}
    for number, (path, before, old, new, _) in rows.items():
        text = source(path)
        place = text.find(before)
        start = text.find(old, place + len(before))
        if place < 0 or start < 0:
            sys.exit(f"mutations.tsv:{number}: not found: {old}")
        changes[number] = Change(path, start, start + len(old), new)
    return changes


def source(path):
    try:
        with open(os.path.join(ROOT, "Sources", path)) as file:
            return file.read()
    except FileNotFoundError:
        sys.exit(f"mutations.tsv: no such file: {path}")


# ---- Proposed changes ----


def masked(text):
    """Replaces the letters of comments and strings by others."""
    text = re.sub(r'"""[\s\S]*?"""|/\*[\s\S]*?\*/|//[^\n]*', lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', lambda match: '"' + "_" * (len(match[0]) - 2) + '"', text)


OPENING, CLOSING = "([{", ")]}"
WEAKER = re.compile(r"&&|\|\||,| = | [-+|&*]= |;| \? | : |\b(?:return|in|where|if|while|guard|for|case|else)\b|: ")


def edges(line, start, end):
    """The start and end of the operands of a comparison."""
    depth, left = 0, start
    while left > 0:
        letter = line[left - 1]
        depth += (letter in CLOSING) - (letter in OPENING)
        if depth < 0:
            break
        left -= 1
    inner = line[left:start]
    cuts = [left + match.end() for match in WEAKER.finditer(inner) if level(inner, match.start()) == level(inner)]
    left = max(cuts, default=left)
    depth, right = 0, end
    while right < len(line):
        letter = line[right]
        if letter == "{" and depth == 0:
            break
        depth += (letter in OPENING) - (letter in CLOSING)
        if depth < 0:
            break
        right += 1
    inner = line[end:right]
    cuts = [end + match.start() for match in WEAKER.finditer(inner) if level(inner, match.start()) == 0]
    right = min(cuts, default=right)
    while line[left] == " ": left += 1
    while line[right - 1] == " ": right -= 1
    return left, right


def level(text, end=None):
    """How deep in brackets it is there."""
    part = text[:end]
    return sum(part.count(letter) for letter in OPENING) - sum(part.count(letter) for letter in CLOSING)


def parts(line, start, end, separator):
    """The parts of line[start:end] between separators outside brackets."""
    begun = start
    for match in re.finditer(re.escape(separator), line[start:end]):
        if level(line[start:end], match.start()) == 0:
            yield begun, start + match.start()
            begun = start + match.end()
    yield begun, end


def trimmed(line, start, end):
    while start < end and line[start] == " ": start += 1
    while end > start and line[end - 1] == " ": end -= 1
    return start, end


def conditions(line, is_c):
    """The conditions of an `if`, `guard` or `while`, and what each becomes."""
    match = re.match(r"\s*(?:\} else )?(if|while|guard)\b ?", line)
    if not match:
        return
    start = match.end()
    if is_c:
        if line[start:start + 1] != "(":
            return
        depth, end = 0, start
        for end in range(start, len(line)):
            depth += (line[end] == "(") - (line[end] == ")")
            if depth == 0:
                break
        else:
            return
        start += 1
    else:
        end = line.find(" else", start) if match[1] == "guard" else line.find(" {", start)
        if end < 0 or level(line[start:end]) != 0:
            return
    for left, right in parts(line, start, end, ","):
        left, right = trimmed(line, left, right)
        if left == right or re.match(r"(let|var|case|#)\b|#", line[left:right]) or " = " in line[left:right]:
            continue
        yield left, right, "true" if match[1] == "guard" else "false"
        if match[1] == "if":
            yield left, right, "true"


KEYWORDS = (r"(?:let|var|if|guard|while|for|switch|case|return|func|init|deinit|class|struct|enum|import|default|"
            r"defer|throw|break|continue|fallthrough|else|do|extension|protocol|private|public|static|final|override|"
            r"typealias|goto|const|super|typedef|extern|unsigned|int|char|bool|size_t|void|self\.init|yield|\w+_t|"
            r"sgk_\w+)\b(?!\()")
DECLARED = re.compile(
    r"\s*(?:@\w+(?:\([^)]*\))? )*(?:\w+(?:\(set\))? )*"
    r"(?:func|init|class|struct|enum|extension|protocol|where|typealias|associatedtype|subscript)\b"
    r"|\s*(?:where|for|case|default)\b")
SKIPPED = re.compile(
    r"\bwhile true\b|\b(static )?let \w+(: \w+)? = (true|false)$|^\s*@|\bstatic (let|var|const)\b")


def is_statement(line, before, after, is_c):
    text = line.strip()
    if is_c:
        text = text.removesuffix(";") if text.endswith(";") else ""
    if not text or re.match(KEYWORDS, text) or level(text) != 0 or text[0] in "}).@#{\"'0123456789":
        return False
    if before and not re.search(r"[{};)]$" if is_c else r"[{}\w)\]!?]$", before):
        return False
    if re.search(r"\b(else|return)$", before):
        return False
    if after and re.match(r"[.?:&|+*/=]|else", after.strip()):
        return False
    call = re.fullmatch(r"(?:_ = )?[\w.?!$\[\]>*-]+(?:\(.*\))?(?:\.\w+)*\(.*\)(?: \{.*\})?", text)
    return bool(call or re.fullmatch(r"\*?[\w.$\[\]>-]+ (?:[-+|&]|)= .+|[\w.>-]+(\+\+|--)", text))


TURNED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}


def proposals(line, before, after, is_c):
    """The proposed changes of a line: (start, end, new)."""
    declared = DECLARED.match(line)
    begins = 0
    if declared:
        begins = line.find("{") + 1 if "{" in line else line.find("): ") + 2 if "): " in line else len(line)
    if is_statement(line, before, after, is_c):
        yield (*trimmed(line, 0, len(line)), "")
    match = re.search(r"\{ ([^{}]+) \}$", line)
    if match and (declared or re.match(r"\s*(if|guard|override|deinit)\b", line)):
        if is_statement(match[1], "{", "", is_c) and not re.search(r"->|\binit\b", line):
            yield match.start(1), match.end(1), ""
    if not declared:
        yield from conditions(line, is_c)
    for match in re.finditer(r" (<|<=|>|>=|==|!=) ", line[begins:]):
        place = begins + match.start()
        left, right = edges(line, place, place + len(match[0]))
        operator = place + 1 - left, place + 1 - left + len(match[1])
        whole = line[left:right]
        if left < place and right > place + len(match[0]):
            yield left, right, (whole[:operator[0]], TURNED[match[1]], whole[operator[1]:])
    for match in re.finditer(r" (&&|\|\|) ", line[begins:]):
        place = begins + match.start()
        for start, end in ((place, place), (place + len(match[0]),) * 2):
            left, right = edges(line, start, end)
            if right > left and " ? " not in line[left:right] and " = " not in line[left:right]:
                yield left, right, "true" if match[1] == "&&" else "false"
    for match in re.finditer(r" [-+] (1)\b(?![.\w])", line[begins:]):
        yield begins + match.start(1), begins + match.end(1), "0"
    for match in re.finditer(r"(?<![\w.])(true|false)\b(?!:)", line[begins:]):
        yield begins + match.start(), begins + match.end(), "false" if match[1] == "true" else "true"
    for match in re.finditer(r"(?<![\w.])(min|max)\(", line[begins:]):
        start = begins + match.start()
        end = next((at for at in range(start + 4, len(line)) if level(line[start:at + 1]) == 0), None)
        if end:
            yield start, end + 1, ("max" if match[1] == "min" else "min", line[start + 3:end + 1], "")


def proposed(path):
    """The changes of a file that are tried, at most one in a line. The text of the line selects them, so that they do
    not depend on other lines."""
    text = source(path)
    mask = masked(text)
    is_c = path.endswith(".c")
    lines, drawn, place, initial, seen = mask.split("\n"), [], 0, None, {}
    for index, line in enumerate(lines):
        begin, place = place, place + len(line) + 1
        depth = len(line) - len(line.lstrip())
        if initial is not None and line.strip() and depth <= initial and line.strip()[0] not in "){":
            initial = None
        if initial is None and re.match(r"\s*(?:@\w+ )*(?:\w+ )*init\b[?(<]", line) and not line.rstrip().endswith("}"):
            initial = depth
        if initial is not None or not line.strip() or line.lstrip().startswith("#") or "\\(" in text[begin:place]:
            continue
        if is_c and (line.rstrip().endswith("\\") or not line.startswith(" ")):
            continue
        if LEFT_OUT.search(line) or SKIPPED.search(line):
            continue
        before = next((other.rstrip() for other in reversed(lines[:index]) if other.strip()), "")
        after = next((other for other in lines[index + 1:] if other.strip()), "")
        for start, end, new in proposals(line, before, after, is_c):
            original = text[begin:place - 1]
            if isinstance(new, tuple):
                old = original[start:end]
                at = len(new[0]) if new[2] else 0
                new = (old[:at] + new[1] + old[len(old) - len(new[2]):]) if new[2] else new[0] + old[3:]
            key = f"{path}|{original.strip()}|{start - depth}|{new}"
            seen[key] = seen.get(key, 0) + 1
            order = hashlib.sha256(f"{key}|{seen[key]}".encode()).hexdigest()
            drawn.append((order, index, Change(path, begin + start, begin + end, new)))
    chosen, of_line = [], set()
    for _, index, change in sorted(drawn):
        if index not in of_line and len(chosen) < max(1, round(len(lines) / LINES)):
            of_line.add(index)
            chosen.append(change)
    return sorted(chosen, key=lambda change: change.start)


def row_of(change):
    """How scripts/mutations.tsv would list it: with the shortest line before it that leads to it."""
    text = source(change.path)
    old = text[change.start:change.end]
    befores = [line.strip() for line in text[:change.start].split("\n")]
    for before in [befores[-1], *reversed(befores[:-1])]:
        if before and "\t" not in before:
            place = text.find(before)
            if text.find(old, place + len(before)) == change.start:
                return "\t".join((change.path, before, old, change.new))
    return "\t".join((change.path, "", old, change.new))


def files():
    for folder in ("SignalKitCore", "SignalKitABI/Support", "SignalKitShims"):
        for place, _, names in sorted(os.walk(os.path.join(ROOT, "Sources", folder))):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(place, name), os.path.join(ROOT, "Sources"))
                if not NO_FILES.match(path) and name.endswith(".swift" if folder == "SignalKitCore" else ".c"):
                    yield path
