#!/usr/bin/env python3
"""Writes what of bindings/java is made of bindings/api.json: the native functions, the entries of the callbacks, the
enumerations, the version, and the operators as methods. With --check it writes nothing and fails if a file is not what
it would be."""

import re
import sys
import textwrap

from bindings import API, OPERATORS, without_context, write
from sources import ROOT

PACKAGE = ROOT / "bindings/java/src/main/java/signalkit"
POM = ROOT / "bindings/java/pom.xml"
CALLBACKS = {callback["name"]: callback for callback in API["callbacks"]}
TOP = "// Written by scripts/java.py from bindings/api.json.\npackage signalkit;\n"


def camel(name):
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def filled(text, indent, first="", then=""):
    """Lines of at most 120 characters."""
    return textwrap.wrap(text, 120, initial_indent=indent + first, subsequent_indent=indent + then,
                         break_long_words=False, break_on_hyphens=False)


# ---- Native functions ----

# Pointers are long; what is lent for the call alone, or filled by it, is an array. A value is given as two long.
ARRAYS = {"const sgk_handlers *", "const sgk_backoff *", "sgk_signal *const *", "size_t *", "sgk_value *",
          "const sgk_value *", "const sgk_queue_table *", "const sgk_state_handlers *"}
TYPES = {"void": "void", "double": "double", "int": "int", "char *": "byte[]", "const void *": "byte[]"}
INTS = {enum["name"] for enum in API["enums"]}


def taken(part):
    if part["type"] == "sgk_value":
        return f"long {camel(part['name'])}Word, long {camel(part['name'])}Bits"
    if part["type"] == "bool":
        kind = "boolean"
    elif part["type"] in ARRAYS:
        kind = "long[]"
    elif part["type"] == "const char *":
        kind = "String"
    else:
        kind = "int" if part["type"] in INTS else TYPES.get(part["type"], "long")
    return f"{kind} {variable(camel(part['name']))}"


def variable(name):
    return name + "_" if name in ("catch", "next_") else name


def given(result, parameters=()):
    if any(part["role"] == "out_length" for part in parameters):
        return "long"
    if result["type"] == "bool":
        return "byte"
    if result["type"] == "const char *":
        return "String" if result["role"] == "text" else "long"
    if result["type"] == "sgk_value":
        return "Value"
    return "int" if result["type"] in INTS else TYPES.get(result["type"], "long").replace("byte[]", "long")


def natives():
    out = [TOP, "import com.sun.jna.Library;", "import com.sun.jna.Native;", "import com.sun.jna.NativeLibrary;",
           "import java.util.Map;", "import signalkit.internal.Value;", "",
           "/** The C interface. Pointers are {@code long}, and so are the two halves of a value, which travel in the "
           "registers of", " * two integers: its kind, with {@code reserved} above it, and its bits. */",
           "final class C {", "    private C() {}", "",
           f'    static final String VERSION = "{API["version"]}";']
    for constant in API["constants"]:
        if "VERSION" not in constant["name"]:
            out.append(f"    static final long {constant['name'].removeprefix('SGK_')} = {constant['value']}L;")
    for enum in API["enums"]:
        out.append("")
        out += [f"    static final int {value['name'].removeprefix('SGK_')} = {value['value']};"
                for value in enum["values"]]
    out.append("")
    for struct in API["structs"]:
        out.append(f"    static final int {struct['name'].removeprefix('sgk_').upper()}_BYTES = {struct['bytes']};")
    out += ["", "    static final NativeLibrary LIBRARY = NativeLibrary.getInstance(",
            '        System.getProperty("signalkit.library", "libsignalkit.so.1"),',
            '        Map.of(Library.OPTION_STRING_ENCODING, "UTF-8"));', "", "    static {",
            "        Native.register(C.class, LIBRARY);", "    }", ""]
    for function in API["functions"]:
        out += filled(f"static native {given(function['result'], function['parameters'])} {function['name']}("
                      f"{', '.join(taken(part) for part in function['parameters'])});", "    ", "", "    ")
    return "\n".join(out + ["}", ""])


# ---- Entries: the native function of each shape of callbacks ----

GIVEN = {
    "value": "Values.decode(k{0}, b{0})", "values": "Values.items(p{0}, n)", "length": None, "integer": "i{0}",
    "optional_value": "(p{0} == 0 ? null : Values.at(p{0}))", "text": "Values.text(p{0})", "out_value": None,
    "emitter": "new Emitter<>(p{0})", "signal": "new Signal<>(C.sgk_signal_retain(p{0}))",
}
NAMES = {"value": "long k{0}, long b{0}", "length": "long n", "integer": "long i{0}", "out_value": "long out"}
# What the program's function is, by what it gets and gives.
FUNCTIONAL = {
    ("none", 0): "Runnable", ("none", 1): "Consumer", ("none", 2): "BiConsumer", ("flag", 1): "Predicate",
    ("flag", 2): "BiPredicate", ("other", 0): "Supplier", ("other", 1): "Function", ("other", 2): "BiFunction",
    ("other", 3): "Emitting",
}
CALLED = {"Runnable": "run", "Consumer": "accept", "BiConsumer": "accept", "Predicate": "test", "BiPredicate": "test",
          "Supplier": "get", "Function": "apply", "BiFunction": "apply", "Emitting": "apply"}
ARITY = {"Runnable": 0, "Consumer": 1, "BiConsumer": 2, "Predicate": 1, "BiPredicate": 2, "Supplier": 1, "Function": 2,
         "BiFunction": 3, "Emitting": 3}
# The helper of Border that makes the answer, and its type.
ANSWERS = {"none": ("run", "void"), "value": ("value", "Value"), "flag": ("flag", "byte"), "signal": ("signal", "long"),
           "sgk_take_action": ("action", "int"), "status": ("status", "int"), "mapping": ("mapping", "Value"),
           "restart": ("restart", "byte")}
# Shapes whose errors are errors of a run, which are exceptions.
ERRORS = {"error", "restart", "retry_when", "unhandled_error"}
# By hand in Border, or of use to languages without closures only.
NO_ENTRY = {"sgk_function", "sgk_destroy_fn", "sgk_compact_map_fn", "sgk_try_map_fn", "sgk_try_filter_fn",
            "sgk_make_object_fn", "sgk_use_object_fn", "sgk_object_generator_fn", "sgk_acquire_fn", "sgk_use_fn",
            "sgk_generator_fn", "sgk_iterator_fn", "sgk_transform_fn", "sgk_started_fn", "sgk_trace_fn", "sgk_write_fn"}


def entry_name(shape):
    return shape.removeprefix("sgk_").removesuffix("_fn").upper()


def entries():
    used = {part["shape"] for function in API["functions"] for part in function["parameters"]
            if part["role"] == "callback"}
    shapes, interfaces = [], {"OfByte1": "byte call(long a);", "OfByte2": "byte call(long a, long b);",
                          "OfInt5": "int call(long a, long b, long c, long d, long e);"}
    for callback in API["callbacks"]:
        if callback["name"] not in used or callback["name"] in NO_ENTRY:
            continue
        shape = callback["name"].removeprefix("sgk_").removesuffix("_fn")
        parts = [part for part in callback["parameters"] if part["role"] != "context"]
        result = callback["result"].get("of", callback["result"]["role"])
        names, arguments = ["context"], []
        for place, part in enumerate(parts):
            role = part.get("of", part["role"])
            name = NAMES.get(role, "long p{0}").format(place)
            names += [word.removeprefix("long ") for word in name.split(", ")]
            argument = GIVEN[role]
            if argument:
                argument = argument.format(place)
                if shape in ERRORS and part["name"] == "error":
                    argument = f"Failure.of({argument})"
                arguments.append(argument)
        how, native = ANSWERS["restart" if shape == "restart" else result]
        kind = FUNCTIONAL[(result if result in ("none", "flag") and shape != "restart" else "other", len(arguments))]
        interface = {"void": "Nothing", "Value": "OfValue", "byte": "OfByte", "long": "OfLong", "int": "OfInt"}[native]
        interface += str(len(names))
        interfaces[interface] = f"{native} call({', '.join('long ' + name for name in 'abcdefg'[:len(names)])});"
        generics = f"<{', '.join(['Object'] * ARITY[kind])}>" if ARITY[kind] else ""
        out = ", out" if "out" in names else ""
        call = f"r.<{kind}{generics}>function().{CALLED[kind]}({', '.join(arguments)})"
        shapes += [f"    static final long {entry_name(callback['name'])} = Border.entry(({interface}) "
                   f"({', '.join(names)}) ->"]
        shapes += filled(f"Border.{how}(context{out}, r -> {call}));", "        ", "", "    ")
    out = [TOP, "import com.sun.jna.Callback;", "import java.util.function.BiConsumer;",
           "import java.util.function.BiFunction;", "import java.util.function.BiPredicate;",
           "import java.util.function.Consumer;", "import java.util.function.Function;",
           "import java.util.function.Predicate;", "import java.util.function.Supplier;",
           "import signalkit.internal.Value;", "",
           "/** The native functions that the library calls, one for each shape of callbacks. The program's function "
           "is found by its", " * context, a number. What they return is made by {@link Border}. */",
           "final class Entries {", "    private Entries() {}", ""]
    out += shapes + [""]
    for name, method in sorted(interfaces.items()):
        out += [f"    interface {name} extends Callback {{", f"        {method}", "    }", ""]
    return "\n".join(out[:-1] + ["}", ""])


# ---- Operators ----

# What has a method by hand (see Signal.java), or is no method of Java's.
BY_HAND = {
    "map", "filter", "compact_map", "before_next", "transform", "try_map", "try_filter", "create", "from_array",
    "using", "from_iterator", "with_state", "retry_backoff", "combine_signals", "from_events", "fail",
    "reduce_left_generator", "accumulating_loop", "map_to_signal_per", "grouped_by", "to_events", "after_disposed",
}
# Words that Java keeps for itself.
RENAMED = {"catch": "catchError"}
# Operators on a signal of signals: static, as a method cannot ask that of its own signal.
FLATTENING = {"switch_to_latest", "queued", "throttled", "merged"}
# Those that read the strings and bytes of their source, which otherwise stay Java's.
AS_DATA = {"sink_fd"}
# What is emitted, where that is something else than the values of the signal; and what makes that of arrays.
EMITS = {
    "combine_latest": ("List<T>", None), "zip": ("List<T>", None), "with_latest_from": ("List<Object>", None),
    "pairwise": ("List<T>", None), "to_array": ("List<T>", None), "chunked": ("List<T>", None),
    "chunked_within": ("List<T>", None), "chunked_by": ("List<T>", None), "enumerated": ("Indexed<T>", "Indexed::of"),
    "timestamped": ("Timed<T>", "Timed::of"), "time_interval": ("Timed<T>", "Timed::of"), "range": ("Long", None),
    "interval": ("Long", None), "timer": ("Long", None), "fd": ("Long", None), "lines": ("String", None),
    "bytes": ("byte[]", None), "unix_signal": ("Long", None), "child": ("Long", None),
    "file_changes": ("List<Object>", None), "reduce_left": ("U", None), "scan": ("U", None),
    "reduce_left_emitting": ("V", None), "map_to_signal": ("U", None), "map_to_queue": ("U", None),
    "map_to_throttled": ("U", None), "map_to_merged": ("U", None), "map_to_first": ("U", None),
}
VARIABLES = {"reduce_left_emitting": "<U, V> "}
TO_SIGNAL = "Function<? super T, ? extends Signal<? extends U>>"
CALLS = {
    "action": "Runnable", "completed": "Runnable", "next": "Consumer<? super T>",
    "error": "Consumer<? super Throwable>",
    "filter": "Predicate<? super T>", "equal": "BiPredicate<? super T, ? super T>", "map_to_signal": TO_SIGNAL,
    "reduce": "BiFunction<? super U, ? super T, ? extends U>", "map": "Function<? super T, ?>",
    "deferred": "Supplier<? extends Signal<? extends T>>", "take_until": "Function<? super T, TakeAction>",
    "restart": "Function<? super Throwable, ? extends Throwable>", "reduce_emitting": "Emitting<U, ? super T, V>",
    "retry_when": "BiFunction<? super Throwable, ? super Long, ? extends Signal<?>>",
    "work": "Runnable",
}
# Those whose callback gets the error of the run.
OF_ERRORS = {
    "catch": "Function<? super Throwable, ? extends Signal<? extends T>>",
    "map_error": "Function<? super Throwable, ? extends Throwable>", "retry_if": "Predicate<? super Throwable>",
    "retry_on_error": "Predicate<? super Throwable>",
}
SIMPLE = {"seconds": "double", "number": "double", "integer": "long", "text": "String", "flag": "boolean",
          "limit": "long"}
BOUND = ("limit", "overflow", "overflow_error", "counter")
CLASSES = {"queue": "DispatchQueue", "thread_pool": "ThreadPool"}


def comment_lines(text):
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("*/", "")
    text = without_context(text)
    text = re.sub(r"`([^`]*)`", r"{@code \1}", text)
    text = re.sub(r"SGK_OVERFLOW_(\w+)", r"{@link Overflow#\1}", text)
    text = re.sub(r"SGK_TAKE_(\w+)", r"{@link TakeAction#\1}", text).replace("NULL", "null")
    text = text.replace(" or SGK_UNBOUNDED", " or none").replace("SGK_UNBOUNDED", "none")
    text = re.sub(r"\bsgk_signal_(\w+)", lambda found: RENAMED.get(found[1], camel(found[1])), text)
    text = re.sub(r"\bsgk_(\w+)", lambda found: camel(found[1]), text)
    lines, inside = [], False
    for line in text.split("\n"):
        if line.startswith("- ") and not inside:
            lines.append("<ul>")
        if not line.startswith("- ") and inside:
            lines.append("</ul>")
        inside = line.startswith("- ")
        lines.append("<li>" + line[2:] if inside else line)
    return lines + (["</ul>"] if inside else [])


def documented(text, tags=()):
    out = ["    /**"]
    for line in comment_lines(text):
        out += filled(line, "     * ") if line else ["     *"]
    if tags:
        out.append("     *")
    for tag in tags:
        out += filled(tag, "     * ", "", "    ")
    return out + ["     */"]


class Method:
    """A method of an operator, a source or a combination, with the arguments of its call."""

    def __init__(self, function, bounded=True):
        self.function, self.short = function, function["short"]
        self.name = RENAMED.get(self.short, camel(self.short))
        self.taken, self.arguments, self.handles, self.tags = [], [], [], []
        self.shape = self.callback = None
        self.static = function["kind"] != "operator" or self.short in FLATTENING
        self.bounded = bounded
        roles = [part["role"] for part in function["parameters"]]
        self.has_bound = "overflow" in roles
        for place, part in enumerate(function["parameters"]):
            self.add(place, part)
        if self.callback:  # a lambda stands best at the end
            self.taken.append(self.callback)

    def take(self, kind, name, text):
        self.taken.append(f"{kind} {name}")
        self.tags.append(f"@param {name} {text}")

    def add(self, place, part):
        role, word = part["role"], camel(part["name"])
        word = {"until": "until", "signal": "signals"}.get(word, word)
        if role == "handle" and place == 0 and self.function["kind"] == "operator":
            if self.static:
                self.take("Signal<? extends Signal<? extends T>>", "signals", "the signal of signals")
            self.arguments.append(("handle", "signals" if self.static else
                                   "data" if self.short in AS_DATA else "this"))
        elif role == "handle":
            kind = CLASSES.get(part["of"], "Signal<?>")
            if part["of"] == "signal":
                word_type = {"with_latest_from": "Signal<?>"}.get(self.short)
                same = part["name"] in ("next", "other", "alternate", "replacement") and not word_type
                kind = "Signal<? extends T>" if same else "Signal<?>"
            if part.get("optional"):
                if not self.bounded:
                    self.arguments.append(("plain", "0"))
                    return
            self.take(kind, word, {"queue": "where that is done", "thread_pool": "the threads"}.get(
                part["of"], "the other signal"))
            self.arguments.append(("handle", word))
        elif role == "signals":
            self.take("List<? extends Signal<? extends T>>", "signals", "them")
            self.arguments.append(("plain", "lent.all(signals)"))
        elif role == "length":
            self.arguments.append(("plain", "signals.size()"))
        elif role == "value":
            kind = "U" if self.short in ("scan", "reduce_left", "reduce_left_emitting") else "T"
            self.take(kind, word, "the value")
            self.arguments.append(("value", word))
        elif role == "limit" and self.has_bound and word == self.bound_word():
            if self.bounded:
                self.take("Bound", "bound", "how much has room, and what happens otherwise")
            self.arguments.append(("plain", "bound.limit()"))
        elif role == "overflow":
            self.arguments.append(("plain", "bound.overflow()"))
        elif role == "overflow_error":
            self.arguments.append(("value", f'bound.error("{self.name}")'))
        elif role == "counter":
            self.arguments.append(("plain", "lent.optional(bound.counter())"))
        elif role == "limit" and part.get("unbounded") and not self.bounded:
            self.arguments.append(("plain", "C.UNBOUNDED"))
        elif role == "enum":
            self.take("Edges", word, "which ends")
            self.arguments.append(("plain", f"{word}.number"))
        elif role in SIMPLE:
            self.take(SIMPLE[role], word, {"seconds": "seconds", "flag": "whether so", "text": "a text",
                                           "limit": "how many"}.get(role, "a number"))
            self.arguments.append(("plain", word))
        elif role == "callback":
            self.shape = part["shape"].removeprefix("sgk_").removesuffix("_fn")
            kind = OF_ERRORS.get(self.short, CALLS[self.shape])
            if self.short == "retry_on_error" or self.short == "retry_if":
                word = "predicate"
            self.function_name = word
            self.tags.append(f"@param {word} the function")
            self.callback = f"{kind} {word}"
            self.arguments.append(("plain", f"Entries.{self.shape.upper()}"))
        elif role == "context":
            self.arguments.append(("plain", "context"))
        elif role == "destroy":
            self.arguments.append(("plain", "Border.DESTROY"))
        else:
            sys.exit(f"{self.function['name']}: {part}")

    def bound_word(self):
        return "waiting" if self.short in ("merged", "map_to_merged") else "limit"

    def result(self):
        return EMITS.get(self.short, ("T", None))

    def body(self):
        """The lines of the method."""
        guarded = self.shape and not CALLBACKS[f"sgk_{self.shape}_fn"]["fails"] and not self.function.get("late")
        held = [name for kind, name in self.arguments if kind == "handle"]
        values = {name: f"v{index}" for index, (kind, name) in enumerate(self.arguments) if kind == "value"}
        out, names = [], {name: name for name in held}
        if self.has_bound and not self.bounded:
            out.append("Bound bound = Bound.NONE;")
        if guarded:
            names = {name: ("source" if name == "this" else name + "Again") for name in held}
            out += [f"Handle {names[name]} = {'' if name == 'this' else name + '.'}again();" for name in held]
        def handle(name):
            return "lent.of(" + names[name] + ("" if name in ("this", "data") else f', "{self.name}.{name}"') + ")"

        # What may be refused is asked for before a value is made, which is the library's by the call alone.
        local = {name: f"h{index}" for index, name in enumerate(held)} if values and not guarded else {}
        early = [f"long {short} = {handle(name)};" for name, short in local.items()]
        for kind, text in self.arguments:
            if values and kind == "plain" and text.startswith("lent."):
                local[text] = f"h{len(local)}"
                early.append(f"long{'[]' if 'all' in text else ''} {local[text]} = {text};")

        def written(kind, text):
            if kind == "value":
                return f"{values[text]}.word(), {values[text]}.bits()"
            return local.get(text) or (handle(text) if kind == "handle" else text)

        call = f"C.{self.function['name']}({', '.join(written(*argument) for argument in self.arguments)})"
        keeps = ["this" if name == "this" else name for name in held if "Signal" in self.kind_of(name)]
        given = early + [f"Given {short} = Values.give({name});" for name, short in values.items()]
        if guarded:
            function = self.function_name
            if self.short in OF_ERRORS:
                function = f"Failure.{self.told()}({function})"
            out.append(f'return guarded("{self.name}", {function}, (lent, context) -> {{')
            if not given:
                out[-1] = out[-1].removesuffix(" {") + " " + call + "".join(f", {name}" for name in keeps) + ");"
                return out
            out += ["    " + line for line in given]
            out += [f"    return {call};", "}" + "".join(f", {name}" for name in keeps) + ");"]
            return out
        if self.short in AS_DATA:
            out.append("Signal<?> data = ((Signal<T>) this).map(Values::asData);")
        out.append("try (Lent lent = new Lent()) {")
        if self.shape:
            function = f"Failure.{self.told()}({self.function_name})" if self.short in OF_ERRORS else self.function_name
            out.append(f'    Receiver receiver = new Receiver("{self.name}", {function});')
            call = call.replace("context", "receiver.known()")
            keeps.append("receiver")
        out += ["    " + line for line in given]
        if "signals" in [part["role"] for part in self.function["parameters"]]:
            keeps.append("signals")
            out.append(f"    return joined({call}, signals);")
        else:
            made = f"made({', '.join([call, *keeps])})"
            adapter = self.result()[1]
            made = f"Operators.<List<Object>>{made}.map({adapter})" if adapter else made
            out.append(f"    return {made};")
        if "lent." not in "".join(out):  # nothing is lent
            return [line.removeprefix("    ") for line in out[1:]]
        return out + ["}"]

    def told(self):
        return "toldWhether" if self.shape == "filter" else "told"

    def kind_of(self, name):
        return "Signal" if name in ("this", "data") else next(word for word in self.taken if word.endswith(" " + name))

    def lines(self):
        emitted = self.result()[0]
        variables = VARIABLES.get(self.short, "<U> " if emitted == "U" else "")
        if self.static and "T" in re.findall(r"\b[TU]\b", emitted):
            variables = "<T> "
        tags = [*self.tags, "@return the signal"]
        if variables:
            folds = self.short in ("scan", "reduce_left", "reduce_left_emitting")
            tags = [f"@param <{name}> what is {'accumulated' if folds and name == 'U' else 'emitted'}"
                    for name in re.findall(r"\w", variables)] + tags
        head = (f"public {'static ' if self.static else ''}{variables}Signal<{emitted}> {self.name}"
                f"({', '.join(self.taken)}) {{")
        out = documented(self.function["comment"], tags) + filled(head, "    ", "", "        ")
        for line in self.body():
            indent = " " * (8 + len(line) - len(line.lstrip()))
            out += filled(line.strip(), indent, "", "    ")
        return "\n".join(out + ["    }"])


def methods(function):
    """With all arguments, and without those that may be left out."""
    full = Method(function)
    short = Method(function, bounded=False)
    if full.taken == short.taken:
        return [full.lines()]
    return [full.lines(), short.lines()]


def extended(function):
    """What a longer function adds: a callback that may be given."""
    longer = next((other for other in API["functions"] if other.get("extends") == function["name"]), None)
    if not longer or "map_array" in str(longer["parameters"]):  # the map of an array is by hand
        return []
    method = Method(longer)
    method.name = camel(function["short"])
    method.short = longer["short"]
    out = [method.lines()]
    if method.has_bound:
        less = Method(longer, bounded=False)
        less.name = camel(function["short"])
        out.append(less.lines())
    return out


def operators():
    made = [function for function in OPERATORS
            if function["short"] not in BY_HAND and "extends" not in function]
    out = [TOP, "import java.util.List;"]
    out += [f"import java.util.function.{name};" for name in
            ("BiFunction", "BiPredicate", "Consumer", "Function", "Predicate", "Supplier")]
    out += ["", "/** The operators of the library, and where signals come from. */",
            "abstract class Operators<T> extends SignalHandle<T> {", "    Operators(long pointer) {",
            "        super(pointer);", "    }", ""]
    of_class = [text for function in made if function["kind"] != "operator"
                for text in methods(function) + extended(function)]
    on_signals = [text for function in made if function["kind"] == "operator"
                  for text in methods(function) + extended(function)]
    return "\n".join(out) + "\n" + "\n\n".join([
        "    // ---- Where signals come from ----", *of_class, "    // ---- Operators ----", *on_signals]) + "\n}\n"


def enumeration(name, prefix, title, comment):
    enum = next(enum for enum in API["enums"] if enum["name"] == name)
    out = [TOP, f"/** {comment} */", f"public enum {title} {{"]
    for value in enum["values"]:
        word = value["name"].removeprefix(prefix)
        out += filled(f"/** {value['comment'][:1].upper()}{value['comment'][1:].rstrip('.')}. */", "    ", "", " * ")
        out.append(f"    {word}({value['value']}),")
    out[-1] = out[-1].rstrip(",") + ";"
    out += ["", "    final int number;", "", f"    {title}(int number) {{", "        this.number = number;", "    }",
            "}", ""]
    return "\n".join(out)


def pom():
    text = POM.read_text(encoding="utf-8")
    return re.sub(r"(<artifactId>signalkit</artifactId>\s*<version>)[^<]*", rf"\g<1>{API['version']}", text)


def main():
    pages = {
        PACKAGE / "C.java": natives(), PACKAGE / "Entries.java": entries(), PACKAGE / "Operators.java": operators(),
        PACKAGE / "Overflow.java": enumeration("sgk_overflow", "SGK_OVERFLOW_", "Overflow",
                                               "What happens with a value that has no room."),
        PACKAGE / "Edges.java": enumeration("sgk_edges", "SGK_EDGE_", "Edges", "Which values of a time are emitted.")
        .replace("SGK_EDGES_BOTH", "BOTH"),
        PACKAGE / "TakeAction.java": enumeration("sgk_take_action", "SGK_TAKE_", "TakeAction",
                                                 "What becomes of a value, and of the run."),
        POM: pom(),
    }
    write(pages)


if __name__ == "__main__":
    main()
