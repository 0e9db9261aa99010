"""Reads the sources, the headers and the tables in docs, for the scripts that check them and write pages."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

# ---- Tables ----


def read_table(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    names = lines[0].split("\t")
    rows = []
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != len(names):
            sys.exit(f"{path}:{number}: {len(cells)} cells instead of {len(names)}")
        rows.append(dict(zip(names, cells)))
    return rows


# ---- The core ----

MODIFIERS = (r"(?:(?:static|class|final|convenience|override|mutating|nonisolated\(unsafe\)|private\(set\)|weak|"
             r"borrowing)\s+)*")
DECLARATION = re.compile(
    rf"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:nonisolated\(unsafe\)|convenience|override|final|static|class|"
    rf"mutating)\s+)*public\s+{MODIFIERS}"
    r"(func|init|let|var|class|struct|enum|protocol|typealias|actor)\b\s*`?(<(?= )|[^\s`<(:]*)`?")
SCOPE = re.compile(
    rf"^\s*(?:@\w+\s+)*(?:public\s+|private\s+|fileprivate\s+)?{MODIFIERS}(class|struct|enum|protocol|extension|"
    rf"actor)\s+(\w+)"
)
REQUIREMENT = re.compile(r"^\s*(func|var)\s+(\w+)")


def labels(text):
    """The argument labels of the parameter list that `text` begins with, as `(a:_:)`."""
    depth, part, parts = 0, "", []
    for before, letter in zip(" " + text, text):
        if letter in "([{" or (letter == "<" and before not in " <"):
            depth += 1
            if depth == 1:
                continue
        elif letter in ")]}" or (letter == ">" and before != "-" and depth > 1):
            depth -= 1
            if depth == 0:
                break
        if letter == "," and depth == 1:
            parts.append(part)
            part = ""
        else:
            part += letter
    parts.append(part)
    return "(" + "".join(p.split(":")[0].split()[0] + ":" for p in parts if ":" in p) + ")"


def without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def declarations():
    """The public declarations of the core: name -> file; and what a type is derived from or another name of."""
    found, parents = {}, {}
    for path in sorted((ROOT / "Sources" / "SignalKitCore").rglob("*.swift")):
        lines = without_comments(path.read_text(encoding="utf-8")).splitlines()
        scopes, depth = [], 0  # (name, the depth inside, whether a public protocol, whether its members can be public)
        for index, line in enumerate(lines):
            match = DECLARATION.match(line)
            requirement = scopes and scopes[-1][2] and depth == scopes[-1][1] and REQUIREMENT.match(line)
            if match or requirement:
                kind, name = (match or requirement).groups()
                if not all(scope[3] for scope in scopes):
                    continue
                prefix = ".".join(scope[0] for scope in scopes)
                if kind in ("func", "init"):
                    rest = "\n".join(lines[index : index + 20])[(match or requirement).end() :]
                    if rest.startswith("<") or rest.lstrip().startswith("<"):
                        rest = rest[re.match(r"\s*<[^(]*", rest).end() :]
                    label = labels(rest[rest.index("(") :])
                    operator = name and not re.match(r"\w", name)
                    name = (name or "init") + (re.sub(r"\w+:", "_:", label) if operator else label)
                others = re.findall(r", (\w+): ", line) if kind == "let" and "(" not in line else []
                for one in [name, *others]:
                    found[f"{prefix}.{one}" if prefix else one] = path
                if kind == "typealias":
                    parents[name] = re.search(r"=\s*(\w+)", line).group(1)
            scope = SCOPE.match(line)
            opened = line.count("{") - line.count("}")
            if scope and opened > 0:
                is_public = "public" in line.split(scope.group(1))[0]
                scopes.append((scope.group(2), depth + 1, is_public and scope.group(1) == "protocol", is_public
                               or scope.group(1) == "extension"))
                parent = re.search(r":\s*(\w+)", line)
                if scope.group(1) == "class" and parent:
                    parents.setdefault(scope.group(2), parent.group(1))
            depth += opened
            while scopes and depth < scopes[-1][1]:
                scopes.pop()
    return found, parents


# ---- The headers ----


class Function(NamedTuple):
    """A function that the library exports: its name, the type of its result, its parameters, each a type and a name,
    what its comment says, its header, whether the caller owns the result (SGK_OWNED), and whether a printf format
    describes further arguments (SGK_FORMAT)."""

    name: str
    result: str
    parameters: list[tuple[str, str]]
    comment: str = ""
    header: str = "base"
    owned: bool = False
    formatted: bool = False


COMMENT = r"/\*\*(?:(?!\*/).)*\*/"


def documented_headers():
    """The public headers with their names, without function bodies."""
    yield from documented(ROOT / "include/signalkit.h", *sorted((ROOT / "include/signalkit").glob("*.h")))


def companion_headers():
    """The same for the companions."""
    yield from documented(*sorted(ROOT.glob("companions/*/include/signalkit/*.h")))


def documented(*paths):
    for path in paths:
        yield path.stem, re.sub(r"/\*\* @cond.*?@endcond \*/", "", path.read_text(encoding="utf-8"), flags=re.S)


def headers():
    """Their texts without comments."""
    for _, text in documented_headers():
        yield re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def typed(text):
    """The type and the name of a declaration."""
    return re.fullmatch(r"(.*?)(\w+)", " ".join(text.split())).groups()


def spelled_out(text):
    """A comment with each `@param` as an item of a list and `@return` as "Returns: …". Each of them, and each of the
    parts Thread, Order, Ownership and Warning, becomes a paragraph."""

    def part(match):
        return (f"- `{match[1]}`: " if match[1] else "Returns: ") + " ".join(match[2].split())

    text = re.sub(r"\n+(?=@param |@return |(?:Thread|Order|Ownership|Warning): )", "\n\n", text)
    return re.sub(r"^@(?:param (\w+)|return)\s+((?:(?!\n\s*\n).)+)", part, text, flags=re.M | re.S)


def plain(comment):
    """The text of a comment, without its marks: a line for each paragraph and each item of a list."""
    text = re.sub(r"^/\*\*<?|\*/$", "", (comment or "").strip(), flags=re.S)
    lines = [re.sub(r"^ ?\* ?", "", line.strip()) for line in text.splitlines()]
    paragraphs = re.split(r"\n\s*\n|\n(?=- )", spelled_out("\n".join(lines).strip()))
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


MAY_BE_NULL = r"(?: \(?may|:.*\bMay) be NULL"


def explains(comment, name, words):
    """Whether a comment, as `plain` returns it, has these words behind the name of a parameter."""
    return re.search(rf"`{name}(?:\([^`]*\))?`{words}", comment)


def parameters_of(text):
    """The parameters of a declaration, from the text between its brackets."""
    return [] if text.strip() == "void" else [typed(part) for part in text.split(",") if part.strip() != "..."]


# A declaration at the beginning of a line, with its comment before or behind it; or the title of a group.
DECLARED = re.compile(
    rf"^/\* ---- (?P<group>.*?) ----(?P<text>.*?)\*/"
    rf"|(?:^(?P<before>{COMMENT})\n)?^(?:SGK_(?:COMPANION_)?HANDLE\((?P<handle>\w+)\)$"
    r"|(?P<inline>static inline [^;{]*?) ?\{"
    r"|SGK_API (?P<owned>SGK_OWNED )?(?P<formatted>SGK_FORMAT\(\d, \d\) )?(?P<function>[^;{]*);"
    r"|typedef (?P<what>struct|enum) (?P<type>\w+) \{(?P<body>.*?)^\} (?P=type);"
    r"|typedef struct (?P<opaque>\w+) (?P=opaque);"
    r"|typedef (?P<callback>[^;{]*?\(\*\w+\)[^;{]*);"
    r"|#define (?P<macro>SGK_\w+(?:\([^)\n]*\))?)(?P<macro_body>(?:[^\n]*\\\n)*[^\n]*))"
    rf"(?:[ ]*(?P<behind>/\*\*<[^\n]*?\*/))?", flags=re.M | re.S)


def one_line(code):
    return re.sub(r"\( ", "(", " ".join(code.split()))


def signature(declared):
    """The result, the name and the parameters of a function."""
    result, name, parameters = re.fullmatch(r"(.*?)(\w+)\(([^()]*)\)", one_line(declared)).groups()
    return result, name, parameters_of(parameters)


def tables(text):
    """The values of the enumerations that are tables of macros."""
    return {name: re.findall(r'X\((\w+), (-?\d+), "(.*?)"\)', rows)
            for name, rows in re.findall(r"#define (SGK_\w+_MAP)\(X\)((?:.*\\\n)+.*)", text)}


def members(found, maps):
    """The values of an enumeration, or the fields of a structure: each with its value or None, and its comment."""
    table = found["what"] == "enum" and re.search(r"(SGK_\w+_MAP)\(", found["body"])
    if table:
        return maps[table[1]]
    part = r"(SGK_\w+) = (0x[0-9a-f]+|\d+),?" if found["what"] == "enum" else r"([^;/]+)();"
    return [(one_line(declared), value or None, behind or before) for before, declared, value, behind in
            re.findall(rf"({COMMENT})?\s*{part}[ ]*(/\*\*<.*?\*/)?", found["body"], flags=re.S)]


def all_functions():
    """The functions that the headers declare, in their order."""
    for header, text in documented_headers():
        for found in DECLARED.finditer(text):
            if found["function"]:
                result, name, parameters = signature(found["function"])
                yield Function(name, result, parameters, plain(found["before"] or found["behind"]), header,
                               bool(found["owned"]), bool(found["formatted"]))


def functions():
    """The functions that other languages can call. They cannot call a function with a printf format."""
    return (function for function in all_functions() if not function.formatted)


def compiled(*headers):
    """The declarations of the library as the compiler reads them, in its order: each with its kind, its name, its type,
    and the types and names of its parameters, fields or values."""
    swift = Path(shutil.which(os.environ.get("SWIFTC", "swiftc"))).resolve().parent
    text = "".join(f"#include <{header}>\n" for header in headers)
    tree = json.loads(subprocess.run([swift / "clang", "-std=c11", f"-I{ROOT}/include", "-fsyntax-only", "-Xclang",
                                      "-ast-dump=json", "-xc", "-"], input=text.encode(), stdout=subprocess.PIPE,
                                     check=True).stdout)
    parts = {"FunctionDecl": "ParmVarDecl", "RecordDecl": "FieldDecl", "EnumDecl": "EnumConstantDecl"}
    for one in tree["inner"]:
        if one["kind"] in parts and one.get("name", "sgk_").startswith("sgk_") and one.get("storageClass") != "static":
            inner = [(part["type"]["qualType"].replace("_Bool", "bool"), part.get("name"))
                     for part in one.get("inner", []) if part["kind"] == parts[one["kind"]]]
            yield one["kind"], one.get("name"), one.get("type", {}).get("qualType", "").replace("_Bool", "bool"), inner


def c_names():
    """The names that a C program can use: exported functions, and the types, macros and inline functions of headers."""
    text = "".join(headers())
    types = set(re.findall(r"SGK_HANDLE\((sgk_\w+)\)", text)) | set(
        re.findall(r"^typedef (?:struct|enum) (sgk_\w+)", text, flags=re.M))
    others = set(re.findall(r"#define (SGK_\w+)", text)) | set(re.findall(r"static inline [^(]*?(sgk_\w+)\(", text))
    others |= {handle + suffix for handle in types for suffix in ("_retain", "_release")}
    return {function.name for function in all_functions()}, types, others | set(re.findall(r"\b(SGK_[A-Z_]+)\b", text))
