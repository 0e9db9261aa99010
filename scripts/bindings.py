"""Shared code of the generators of bindings: reads the description, converts operators to methods for languages without
types, and writes or compares files."""

import json
import os
import pathlib
import re
import sys
from typing import NamedTuple

from sources import ROOT

API = json.loads((ROOT / "bindings/api.json").read_text(encoding="utf-8"))
# The shapes of the callbacks that have an entry in languages with one entry for each. That of `retry` is in a struct.
# These languages have their own sockets.
USED_SHAPES = {"sgk_retry_fn"} | {
    part["shape"] for function in API["functions"] for part in function["parameters"]
    if part["role"] == "callback"} - {"sgk_connection_fn", "sgk_emit_fn"}
# Operators whose callback receives an error, although its shape is that of values: the name of their own entry.
ENTRY_OF_ERRORS = {"catch": "catch", "map_error": "map_error"}
TYPED = [function for function in API["functions"] if function["kind"] in ("operator", "source", "combination")]
# For languages without types, where a date is a number.
OPERATORS = [{**function, "parameters": [{**part, "role": "number"} if part["role"] == "unix_time" else part
                                         for part in function["parameters"]]} for function in TYPED]

# Where the project is published: the metadata of the packages for Python, Rust, Java, Ruby, Lua and Perl.
SITE = os.environ.get("SIGNALKIT_SITE", "https://signalkit.dev")


def without_context(comment):
    """The comment of a callback, for closures, which have no context."""
    return re.sub(r"\bcontext, ", "", comment).replace("(context)", "()")


def split(comment, names):
    """A header's comment without its items for these parameters, and their texts by name."""
    texts = {}

    def take(match):
        if match[1] not in names:
            return match[0]
        texts[match[1]] = match[2]
        return ""

    return re.sub(r"\n- `(\w+)`: (.*)", take, comment), texts


# Operators whose buffer cannot pause the source: its values do not leave the buffer before the end.
UNPAUSED = {"sgk_signal_" + name for name in ("to_array", "distinct", "distinct_by", "group_by", "switch_map_per")}


# Operators that write: the loss of a value would damage the data, and they have a default limit, which languages that
# require a bound need not mention.
WRITING = {"sgk_signal_sink_fd"}
DEFAULT_LIMIT = " The default limit is 65,536."


def policies(function, quoted, pair):
    """The text of the option `overflow`. `quoted` returns a policy as the language writes it, and `pair` is an example
    of two policies."""
    writes = function["name"] in WRITING
    names = ["suspend"] * (writes or function["name"] == "sgk_signal_deliver_on_bounded")
    names += [] if writes else ["drop_oldest", "drop_newest", "keep_latest"]
    pair = pair.replace("drop_oldest", "error") if writes else pair
    pauses = function["name"] not in UNPAUSED
    text = f"{', '.join(map(quoted, names))}{',' if pauses else ' or'} {quoted('error')} (the default)"
    until = "the buffered data is being written" if writes else "half of the values have passed"
    return text + (f" or {quoted('pause')}, which pauses the source until {until}. With {pair} the second "
                   "policy decides about values of a source that cannot be paused" if pauses else "")


# Optional parameters are named options in such a language: for each role its options and their texts.
def limit_of(bound):
    """The name of the option for the limit of a sgk_bound."""
    return "limit" if bound == "bound" else bound


def bound_text(text, unbuffered="It may be 0: none is buffered."):
    """A header's text of a sgk_bound, for a language that has no such pointer. A comment may contain it."""
    text = re.sub(r"(?m)((?:^- `(?:bound|waiting)`|^Limits).*) May be NULL\.$", r"\1", text)
    return text.replace("Its limit may be SGK_UNBUFFERED.", unbuffered)


OPTIONS = {
    "queue": lambda word, free: [("queue", "a queue" + ("" if free else "; by default the main queue"))],
    "limit": lambda word, free: [(word, "a number" + ("; by default without a limit" if free else ""))],
    "bound": lambda word, free: [(limit_of(word), "a number" + ("; by default without a limit" if free else "")),
                                 ("overflow", ""),
                                 ("error", "any value"), ("counter", "an OverflowCounter")],
    "enum": lambda word, free: [(word, "'leading', 'trailing' or 'both', which is the default")],
    "flag": lambda word, free: [(word, "a flag")],
}


# Arguments that are options in languages with named arguments, and their defaults.
DEFAULTS = {("sgk_signal_share", "replay"): 0, ("sgk_signal_share", "keep"): 0}


def default_of(function, part):
    """The default of an argument that C requires, or None."""
    return DEFAULTS.get((function["name"], part["name"]))


# Enumerations instead of flags, which a reader of a call without names could not understand: the parameter, the
# enumeration, and the member that means true.
ENUMERATIONS = {"closes": ("at_end", "AtEnd", "Close"), "from_start": ("begin", "Begin", "AtStart")}


def typed(written):
    """The operators, sources and combinations for a language with types, whose arguments have no names in a call.
    Enumerations are there instead of flags, and `date` instead of the number `unix_time`. `written` returns a member as
    the comments have it."""
    names = {"unix_time": "date"}
    texts = {"`unix_time`: Seconds since 1970-01-01 00:00 UTC, finite. A time in the past: at once.":
                 "`date`: If it is in the past: at once.", "`unix_time`": "`date`",
             "If false, `fd` stays open.": "Otherwise `fd` stays open.", "If false, it skips": "Otherwise it skips"}
    for flag, (name, kind, member) in ENUMERATIONS.items():
        names[flag] = name
        texts[f"`{flag}`: If true, the"] = f"`{name}`: With {written(kind, member)} the"

    def commented(text):
        for old, new in texts.items():
            text = text.replace(old, new)
        return text

    def named(part):
        kind = {"enumeration": ENUMERATIONS[part["name"]][1:]} if part["role"] == "flag" else {}
        return {**part, **kind, "name": names.get(part["name"], part["name"])}

    return [{**function, "comment": commented(function["comment"]),
             "parameters": [named(part) for part in function["parameters"]]}
            for function in TYPED]


# Parameters that are sets of flags, and the prefix of their constants in C.
FLAGS = {("sgk_signal_fd", "events"): "SGK_FD_", ("sgk_signal_file_changes", "mask"): "SGK_FILE_"}


def flags(prefix):
    """The constants of a set: name, number and comment."""
    return [(constant["name"].removeprefix(prefix), constant["value"], constant["comment"])
            for constant in API["constants"] if constant["name"].startswith(prefix)]


def in_words(text, named, collection="set", timeout="The error has the code -8."):
    """A header's text of an operator without names of C: `named(prefix, name)` is the word for a flag. The language has
    sets of flags, in a `collection`, or bits like C."""
    if collection:
        article = "an" if collection == "array" else "a"
        text = text.replace("Emits ints: the events for which `fd` is ready, as bits (",
                            f"Emits {collection}s of the events for which `fd` is ready (")
        text = text.replace("is an int, one bit of `mask`", f"is {article} {collection}, one of the changes in `mask`")
        text = text.replace("SGK_FILE_… bits, at least one. They have the values of IN_… of inotify.", "at least one.")
    text = re.sub(r"SGK_(FD|FILE)_([A-Z_]+|…)", lambda match: named(match[1], match[2]), text)
    text = text.replace("With the limit SGK_UNBUFFERED and", "With the limit 0 and")
    return text.replace("The error has the code SGK_ERROR_TIMEOUT.", timeout)


class Method(NamedTuple):
    """An operator, source or combination as a method or function of a language without types."""

    name: str
    takes: list  # of role, word and class
    options: list  # of word and text
    arguments: list  # of the call, as they are written
    first: list  # arguments that are checked before the bound: its error is transferred, so no check may fail after it
    shape: str  # that of its callback, if it has one


def method_of(function, written, truth, renamed=None):
    """`written` has a format of the call's argument for each role, with the words of the parameter in braces. `truth`
    contains the language's words for false and true."""
    renamed = renamed or {}
    name = renamed.get(function["short"], function["short"])
    own = function["kind"] == "operator"
    rest = function["parameters"][own:]
    takes, options, arguments, first, shape = [], [], [], [], None
    is_bound = False
    for part in rest:
        role, word = part["role"], renamed.get(part["name"], part["name"])
        of = part.get("of", "").removeprefix("sgk_")
        free = bool(part.get("optional") or part.get("unbounded"))
        kind = "".join(piece.capitalize() for piece in of.split("_"))
        if role == "handle" and (of == "signal" or of == "queue" and len(rest) > 1):
            role = of
        if role == "integer" and part["type"] in ("int", "uint32_t"):
            role = "flags" if (function["name"], part["name"]) in FLAGS else "integer32"
        if role == "callback":
            shape = part["shape"].removeprefix("sgk_").removesuffix("_fn")
        if role not in written:
            sys.exit(f"{function['name']}: {part}")
        default = default_of(function, part)
        if default is not None:
            check = "integer" if role == "integer" else "number"
            arguments.append(written["default"].format(check=check, name=name, word=word, default=default))
            options.append((word, f"a number; otherwise {default}"))
            continue
        if written[role]:
            text = written[role].format(name=name, word=limit_of(word) if role == "bound" else word, kind=kind,
                                        enum=of.upper(), free=truth[free],
                                        prefix=FLAGS.get((function["name"], part["name"]), "").removeprefix("SGK_"))
            if is_bound and role == "queue":
                first.append(text)
            arguments.append(written["first"] if is_bound and role == "queue" else text)
        is_bound = is_bound or role == "bound"
        if role in OPTIONS:
            if function["name"] in WRITING and role == "bound":
                free = None
            options += [(option, text or policies(function, lambda policy: f"'{policy}'", written["pair"]))
                        for option, text in OPTIONS[role](word, free)]
        elif role not in ("length", "context", "destroy"):
            takes.append((role, word, kind))
    return Method(name, takes, options, arguments, first, shape)


def with_options(function, options, word_of=None):
    """A function's comment without the texts of its options, and the options with these texts."""
    names = {word_of(part["name"]) if word_of else part["name"]: part["name"] for part in function["parameters"]}
    names |= {limit_of(part["name"]): part["name"] for part in function["parameters"] if part["role"] == "bound"}
    text, texts = split(function["comment"], {names[word] for word, _ in options if word in names})
    full = []
    for word, kind in options:
        of_header = bound_text(texts.get(names.get(word), ""))
        full.append((word, f"{kind}. {of_header}" if of_header else kind))
    return text, full


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
    wrong += [f"{path.relative_to(ROOT)}: contains a name of C: {line.strip()}" for path, text in pages.items()
              if path.stem.lower() == "operators" for line in text.split("\n") if "SGK_" in line]
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(bool(wrong))
