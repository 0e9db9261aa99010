#!/usr/bin/env python3
"""Writes what of bindings/rust is made of bindings/api.json: the declarations (signalkit-sys), and the operators as
methods. With --check it writes nothing and fails if a file is not what it would be."""

import re
import sys
import textwrap

from bindings import API, OPERATORS, without_context, write
from sources import ROOT

RUST = ROOT / "bindings/rust"
SHAPES = {callback["name"]: callback for callback in API["callbacks"]}
ENUMS = {enum["name"] for enum in API["enums"]}
TOP = "// Written by scripts/rust.py from bindings/api.json.\n"

# ---- The declarations ----

TYPES = {
    "void": "()", "bool": "bool", "double": "f64", "int": "c_int", "int64_t": "i64", "uint64_t": "u64",
    "uint32_t": "u32", "int32_t": "i32", "size_t": "usize", "char": "c_char",
}
KEYWORDS = {"async", "use", "loop", "yield"}


def word(name):
    return name + "_" if name in KEYWORDS else name


def type_of(text):
    """A type of C's in Rust."""
    text = text.strip()
    if text.endswith("*const *"):
        return "*const " + type_of(text.removesuffix("const *").strip())
    if text.endswith("*"):
        constant = text.startswith("const ")
        bare = text.removesuffix("*").removeprefix("const ").strip()
        return ("*const " if constant else "*mut ") + ("c_void" if bare == "void" else type_of(bare))
    return TYPES.get(text, text)


def returning(text):
    return "" if text == "()" else f" -> {text}"


def function_type(result, types):
    given = ", ".join(type_of(type) for type in types)
    return f"Option<unsafe extern \"C\" fn({given}){returning(type_of(result))}>"


def documented(text, indent="", width=120):
    lines = []
    for paragraph in text.split("\n"):
        behind = "  " if paragraph.startswith("- ") else ""
        lines += textwrap.wrap(paragraph, width - len(indent) - 4, subsequent_indent=behind,
                               break_long_words=False, break_on_hyphens=False) or [""]
    return [f"{indent}/// {line}".rstrip() for line in lines]


def quoted(text):
    """A header's comment as Markdown: what looks like a link or a tag is none."""
    return text.replace("[", "\\[").replace("]", "\\]").replace("<", "\\<")


def declarations():
    out = [f"//! The C interface of SignalKit {API['version']} as it stands: see its headers for the rules.",
           "//!", "//! Its safe face is the crate `signalkit`.", "", TOP, "#![allow(non_camel_case_types)]",
           "#![no_std]", "", "use core::ffi::c_void;", "use core::marker::{PhantomData, PhantomPinned};", "",
           "// As in `std::os::raw`, on all systems that the library is made for.",
           "type c_int = i32;", "#[cfg(any(target_arch = \"aarch64\", target_arch = \"riscv64\"))]",
           "type c_char = u8;", "#[cfg(not(any(target_arch = \"aarch64\", target_arch = \"riscv64\")))]",
           "type c_char = i8;", "", "/// The version of the library that these declarations are of.",
           f"pub const VERSION: &str = \"{API['version']}\";", ""]
    for constant in API["constants"]:
        if "VERSION" not in constant["name"]:
            type = "u32" if constant["name"] == "SGK_GIVEN" else "i64"
            out += documented(quoted(constant["comment"]))
            out.append(f"pub const {constant['name']}: {type} = {constant['value']};")
    for enum in API["enums"]:
        type = "i32" if any(value["value"] < 0 for value in enum["values"]) else "u32"
        out += ["", *documented(quoted(enum["comment"])), f"pub type {enum['name']} = {type};"]
        for value in enum["values"]:
            out += documented(quoted(value["comment"]))
            out.append(f"pub const {value['name']}: {enum['name']} = {value['value']};")
    opaque = [(handle["name"], handle["comment"]) for handle in API["handles"]]
    opaque.append(("sgk_emitter", "Emits from inside a step of sgk_signal_reduce_left_emitting."))
    for name, comment in opaque:
        out += ["", *documented(quoted(comment)), "#[repr(C)]", f"pub struct {name} {{", "    _data: [u8; 0],",
                "    _marker: PhantomData<(*mut u8, PhantomPinned)>,", "}"]
    for callback in API["callbacks"]:
        types = [parameter["type"] for parameter in callback["parameters"]]
        out += ["", *documented(quoted(callback["comment"])),
                *filled(f"pub type {callback['name']} = {function_type(callback['result']['type'], types)};")]
    for struct in API["structs"]:
        out += ["", *documented(quoted(struct["comment"])), "#[repr(C)]", "#[derive(Clone, Copy)]",
                f"pub struct {struct['name']} {{"]
        for field in struct["fields"]:
            is_function = "parameters" in field
            type = function_type(field["result"], [t for t, _ in field["parameters"]]) if is_function else (
                type_of(field["type"]))
            out += documented(quoted(field["comment"]), "    ")
            out += filled(f"    pub {word(field['name'])}: {type},")
        out.append("}")
        out.append(f"const _: [(); {struct['bytes']}] = [(); core::mem::size_of::<{struct['name']}>()];")
    out += ["", "extern \"C\" {"]
    for function in API["functions"]:
        parameters = ", ".join(f"{word(p['name'])}: {type_of(p['type'])}" for p in function["parameters"])
        out += documented(quoted(function["comment"]), "    ")
        out += filled(f"    pub fn {function['name']}({parameters})"
                      f"{returning(type_of(function['result']['type']))};")
    return "\n".join(out + ["}", ""])


def filled(line):
    """A line, in several if it is long."""
    indent = line[:len(line) - len(line.lstrip())]
    return textwrap.wrap(line.strip(), 120, initial_indent=indent, subsequent_indent=indent + "    ",
                         break_long_words=False, break_on_hyphens=False)


# ---- Operators ----

# Those whose arguments need words of their own: see signalkit/src/signal.rs.
BY_HAND = {
    "sgk_signal_map", "sgk_signal_filter", "sgk_signal_compact_map", "sgk_signal_before_next", "sgk_signal_transform",
    "sgk_signal_try_map", "sgk_signal_try_filter", "sgk_signal_create", "sgk_signal_from_array", "sgk_signal_using",
    "sgk_signal_from_iterator", "sgk_signal_with_state", "sgk_signal_retry_backoff", "sgk_combine_signals",
    "sgk_signal_fail", "sgk_accumulating_loop", "sgk_signal_map_to_signal_per", "sgk_signal_grouped_by",
}
# What the closure of an operator is: type parameters, the trait, the entry of the border, what the result carries.
INNER = (["U: Value"], "Fn(T) -> Signal<U>", "map_to_signal::<T, U, F>", "U")
WATCH = ([], "Fn()", "action::<F>", "T")
ERRORS = ([], "Fn(&Error) -> bool", "filter::<Error, F>", "T")
VALUES = ([], "Fn(&T) -> bool", "filter::<T, F>", "T")
FOLD = (["U: Value"], "Fn(U, T) -> U", "reduce::<U, T, F>", "U")
COMBINE = (["S: Signals + ?Sized"], "Fn(S::Row) -> T", "map_array::<S::Row, T, F>", "T")
CLOSURES = {
    "after_next": ([], "Fn(&T)", "next::<T, F>", "T"), "before_error": ([], "Fn(&Error)", "next::<Error, F>", "T"),
    "before_started": WATCH, "before_completed": WATCH, "after_completed": WATCH, "after_disposed": WATCH,
    "map_to_signal": INNER, "map_to_queue": INNER, "map_to_throttled": INNER, "map_to_merged": INNER,
    "map_to_first": INNER, "scan": FOLD, "reduce_left": FOLD,
    "reduce_left_generator": (["U: Value"], "Fn(U, T) -> Signal<Step<U>>", "reduce_generator::<U, T, Step<U>, F>", "U"),
    "reduce_left_emitting": (["U: Value"], "Fn(U, T, &Emitter<U>) -> U", "reduce_emitting::<U, T, F>", "U"),
    "map_error": ([], "Fn(Error) -> Error", "map::<Error, Error, F>", "T"),
    "distinct_until_changed_by": ([], "Fn(&T, &T) -> bool", "equal::<T, F>", "T"),
    "distinct_by": (["K: Value"], "Fn(T) -> K", "map::<T, K, F>", "T"),
    "deferred": ([], "Fn() -> Signal<T>", "deferred::<T, F>", "T"),
    "catch": ([], "Fn(Error) -> Signal<T>", "map_to_signal::<Error, T, F>", "T"),
    "retry_if": ERRORS, "retry_on_error": ERRORS, "take_while": VALUES, "skip_while": VALUES,
    "retry_when": (["U: Value"], "Fn(Error, i64) -> Signal<U>", "retry_when::<U, F>", "T"),
    "restart_or_map_error": ([], "Fn(Error) -> Result<(), Error>", "restart::<F>", "T"),
    "take_until": ([], "Fn(&T) -> TakeAction", "take_until::<T, F>", "T"),
    "with_latest_from_map": (["U: Value", "R: Value"], "Fn((T, U)) -> R", "map_array::<(T, U), R, F>", "R"),
    "combine_latest_map": COMBINE, "zip_map": COMBINE,
}
# What else than `T` a result carries.
RESULTS = {
    "range": "i64", "interval": "i64", "timer": "i64", "pairwise": "(T, T)", "enumerated": "(i64, T)",
    "to_array": "Vec<T>", "chunked": "Vec<T>", "chunked_within": "Vec<T>", "chunked_by": "Vec<T>",
    "fd": "i64", "unix_signal": "i64", "child": "i64", "lines": "String", "bytes": "Bytes",
    "file_changes": "(i64, String, i64)",
    "timestamped": "(f64, T)", "time_interval": "(f64, T)", "to_events": "Event<T>", "with_latest_from": "(T, U)",
}
NUMBERS = {"range", "interval", "timer", "fd", "unix_signal", "child"}  # sources of `Signal<i64>`
# Sources of other values of one type.
TYPED = {"lines": "String", "bytes": "Bytes", "file_changes": "(i64, String, i64)"}
OF_SIGNALS = {"switch_to_latest", "queued", "throttled", "merged"}
OF_EVENTS = {"from_events"}
# Signals of any type of values.
ANY_SIGNAL = {"with_latest_from": "U", "with_latest_from_map": "U", "skip_until_signal": "U", "take_until_signal": "U",
              "chunked_by": "U", "sample_on": "U"}
ENUM_TYPES = {"sgk_edges": "Edges"}


class Method:
    """An operator, a source or a combination as a method."""

    def __init__(self, function):
        self.function, self.name = function, function["short"]
        self.closure = CLOSURES.get(self.name)
        fails = [SHAPES[p["shape"]]["fails"] for p in function["parameters"] if p["role"] == "callback"]
        self.guarded = bool(fails) and not fails[0] and not function.get("late") and (
            self.name != "restart_or_map_error")
        self.generics, self.bounds = [], []
        self.given, self.owned, self.inside, self.arguments = [], [], [], []
        for place, part in enumerate(function["parameters"]):
            self.parameter(place, part)
        self.add_types()

    def add_types(self):
        if self.closure:
            generics, trait, _, _ = self.closure
            self.generics += [generic for generic in generics if generic not in self.generics] + ["F"]
            self.bounds.append(f"F: {trait} + Send + Sync + 'static")

    def take(self, name, type, argument, own=None, inside=None):
        """A parameter, what of it a guarded operator owns, and what the library is given."""
        self.given.append(f"{name}: {type}")
        if own and self.guarded:
            self.owned.append(f"let {name} = {own};")
        if inside:
            self.inside.append(f"let {name} = {inside};")
        self.arguments.append(argument)

    def parameter(self, place, part):
        role, name = part["role"], word(part["name"])
        following = [p["role"] for p in self.function["parameters"][place + 1:]]
        if self.function["kind"] == "operator" and place == 0:
            self.given.append("&self")
            if self.guarded:
                self.owned.append("let signal = self.clone();")
            self.inside.append(f"let signal = {'signal' if self.guarded else 'self'}.pointer()?;")
            self.arguments.append("signal")
        elif role == "handle" and part["of"] == "signal":
            of = ANY_SIGNAL.get(self.name, "T")
            if of != "T" and f"{of}: Value" not in self.generics:
                self.generics.append(f"{of}: Value")
            self.take(name, f"&Signal<{of}>", name, f"{name}.clone()", f"{name}.pointer()?")
        elif role == "handle" and part.get("optional"):
            self.take(name, "Option<&Queue>", f"optional_queue({'queue.as_ref()' if self.guarded else 'queue'})",
                      f"{name}.cloned()")
        elif role == "handle":
            type = "".join(piece.capitalize() for piece in part["of"].split("_"))
            self.take(name, f"&{type}", f"{name}.0.as_ptr()", f"{name}.clone()")
        elif role == "signals":
            if self.name in RESULTS_OF_ROWS:
                self.generics.append("S: Signals<Row = T> + ?Sized" if not self.closure else "S: Signals + ?Sized")
                self.given.append("signals: &S")
                (self.owned if self.guarded else self.inside).append("let signals = signals.untyped();")
                self.inside.append("let signals = pointers(&signals)?;")
            else:
                self.given.append("signals: &[Signal<T>]")
                self.inside.append("let signals = pointers(signals)?;")
            self.arguments.append("signals.as_ptr()")
        elif role == "length":
            self.arguments.append("signals.len()")
        elif role == "value":
            of = "U" if self.closure and "U: Value" in self.closure[0] else "T"
            (self.owned if self.guarded else self.inside).append(f"let {name} = {name}.into_value();")
            self.given.append(f"{name}: {of}")
            self.arguments.append(f"{name}.as_raw()")
        elif role == "limit" and following[:1] == ["overflow"]:
            self.given.append("bound: &Bound")
            (self.owned if self.guarded else self.inside).append(f"let bound = bound.raw(\"{self.name}\");")
            self.arguments.append("bound.limit")
        elif role in ("overflow", "overflow_error", "counter"):
            self.arguments.append({"overflow": "bound.overflow", "overflow_error": "bound.error.as_raw()",
                                   "counter": "bound.counter()"}[role])
        elif role == "limit" and part.get("unbounded"):
            self.take(name, "Option<i64>", f"{name}.unwrap_or(sys::SGK_UNBOUNDED)")
        elif role in ("limit", "integer"):
            self.take(name, "i64", name)
        elif role == "seconds":
            self.take(name, "Duration", f"{name}.as_secs_f64()")
        elif role == "flag":
            self.take(name, "bool", name)
        elif role == "enum":
            self.take(name, ENUM_TYPES[part["of"]], f"{name} as {'sys::' + part['of']}")
        elif role == "text":
            self.take(name, "&str", f"{name}.as_ptr()", None, f"text(\"{self.name}\", \"{name}\", {name})?")
        elif role == "callback":
            self.given.append(f"{name}: F")
            self.callback = name
            self.arguments.append(f"Some(border::{self.closure[2]})")
        elif role in ("context", "destroy"):
            self.arguments.append(role)
        else:
            sys.exit(f"{self.function['name']}: {part}")

    def text(self):
        result = self.closure[3] if self.closure else RESULTS.get(self.name, "T")
        generics = f"<{', '.join(self.generics)}>" if self.generics else ""
        where = f" where {', '.join(self.bounds)}" if self.bounds else ""
        out = documented(comment(self.function["comment"]), "    ")
        out += filled(f"    pub fn {word(self.name)}{generics}({', '.join(self.given)}) -> Signal<{result}>{where} {{")
        call = f"Ok(unsafe {{ sys::{self.function['name']}({', '.join(self.arguments)}) }})"
        if self.guarded:
            context = ["let (context, destroy) = callback.leaked();"]
            begin, end = f"guarded(\"{self.name}\", {self.callback}, move |callback| {{", "})"
        else:
            context = [f"let (context, destroy) = Callback::context(\"{self.name}\", {self.callback});"
                       ] if self.closure else []
            begin, end = "Signal::making(|| {", "})"
        body = ["        " + line for line in [*self.owned, begin]]
        body += ["            " + line for line in [*self.inside, *context]] + filled("            " + call)
        return "\n".join(out + body + ["        " + end, "    }"])


RESULTS_OF_ROWS = {"combine_latest", "zip", "combine_latest_map", "zip_map"}


def comment(text):
    """A header's comment in the words of Rust."""
    text = without_context(text).replace("NULL", "None")
    text = quoted(text)
    text = re.sub(r"`?sgk_signal_(\w+)`?", r"[`\1`](Signal::\1)", text)
    text = re.sub(r"`?\bsgk_(combine_latest|merge_signals|zip|race|concat)\b`?", r"[`\1`](Signal::\1)", text)
    text = re.sub(r"SGK_OVERFLOW_(\w+)", lambda match: f"`Overflow::{camel(match.group(1))}`", text)
    return re.sub(r"\bsgk_(\w+)", r"`\1`", text).replace("SGK_UNBOUNDED", "None")


def camel(name):
    return "".join(piece.capitalize() for piece in name.split("_"))


def operators():
    made = [Method(f) for f in OPERATORS if f["name"] not in BY_HAND]
    groups = [
        ("impl<T: Value> Signal<T>", lambda m: m.name not in NUMBERS | TYPED.keys() | OF_SIGNALS | OF_EVENTS),
        ("impl Signal<i64>", lambda m: m.name in NUMBERS),
        *((f"impl Signal<{type}>", lambda m, name=name: m.name == name) for name, type in TYPED.items()),
        ("/// Of a signal of signals.\nimpl<T: Value> Signal<Signal<T>>", lambda m: m.name in OF_SIGNALS),
        ("/// Of a signal of events.\nimpl<T: Value> Signal<Event<T>>", lambda m: m.name in OF_EVENTS),
    ]
    out = ["//! The operators, sources and combinations that are called as they stand.", "", TOP,
           "use crate::border::{self, guarded, optional_queue, Callback};",
           "use crate::signal::{pointers, text};",
           "use crate::{Bound, Bytes, Edges, Emitter, Error, Event, Queue, Signal, Signals, Step, TakeAction};",
           "use crate::ThreadPool;",
           "use crate::Value;",
           "use signalkit_sys as sys;", "use std::time::Duration;"]
    for head, belongs in groups:
        methods = [m.text() for m in made if belongs(m)]
        out += ["", head + " {", "\n\n".join(methods), "}"]
    return "\n".join(out + [""])


def names():
    """For the test that none is forgotten."""
    found = [f["short"] for f in OPERATORS]
    lines = textwrap.wrap(" ".join(f'"{name}",' for name in found), 110)
    return "\n".join([TOP, "pub const OPERATORS: &[&str] = &[", *("    " + line for line in lines), "];", ""])


def main():
    pages = {"signalkit-sys/src/lib.rs": declarations(), "signalkit/src/operators.rs": operators(),
             "signalkit/tests/names/mod.rs": names()}
    faults = [f"{manifest.relative_to(ROOT)}: the version is not the library's, {API['version']}"
              for manifest in RUST.glob("*/Cargo.toml")
              if f'version = "{API["version"]}"' not in manifest.read_text(encoding="utf-8")]
    write({RUST / name: text for name, text in pages.items()}, faults)


if __name__ == "__main__":
    main()
