"""The rows of the benchmark, and its programs.

A new row needs a line in ROWS and a case of that name in at least one program."""

from collections import namedtuple

# group: rows of one group share a heading. limit: the contender that no library can beat, or None.
# goal: a number in the row's unit, "1.3 x" (a multiple of the limit), "1.3 x NAME" (a multiple of another contender),
# "+ 4" (the limit plus 4 ns), or None.
# faces: the goals of other languages, by name.
Row = namedtuple("Row", "id group title unit goal limit faces", defaults=({},))

# The goals in Swift and C++ are multiples of the result in C.
SWIFT = {"Swift": "1.3 x SignalKit (C)"}
CPP = {"C++": "1.5 x SignalKit (C)"}
# The goal of an operator is the result of the peer that has it.
PEER = "1 x OpenCombine (Swift)"
LOCKED = "1 x OpenCombine, under a lock (Swift)"

GROUPS = {
    "W1": "A chain of 10 maps, synchronous",
    "W1s": "A chain of 10 maps in Swift, imported into another module",
    "W2": "A pipe and its subscribers, per delivered event",
    "W3": "A subscription: pipe, map, filter, sink",
    "W4": "combineLatest of two",
    "W5": "Switching to a new inner signal per event",
    "W6": "To a serial queue, until the last has arrived",
    "W7": "Two threads emit into one pipe",
    "W8": "Typed callbacks: (i64) -> i64",
    "W9": "The library as a file",
    "W11": "The Python package",
    "W12": "C++ lambdas, compared with functions in C",
    "W13": "Jobs on queues, compared with libdispatch and libuv",
    "W14": "Operators with state, several sources or time; states",
    "W15": "The operators of W14: start and dispose",
    "W16": "Counted values: a string of 32 bytes",
    "W17": "Two independent threads, compared with one thread for the same work",
    "W18": "Timers, 100,000 of them pending, compared with libuv on one thread",
    "W19": "Latency: to a queue and back; work on the calling thread",
    "W20": "A complete program: examples/c/lines.c with a log of 100-byte lines",
    "W21": "Inspection (docs/debugging.md): a pipe, serialized stages, a callback",
    "W22": "A queue on a custom event loop (examples/c/loops), compared with the same by hand on that loop",
    "W23": "A map and a filter of the language's own functions, compared with its own means",
    "W24": "A range to a serial queue with a limit of 1,024, until its end has arrived",
    "W10.maps": "Growth: maps in a chain, per stage",
    "W10.switches": "Growth: switches in a chain, each to a new inner signal, per switch",
    "W10.deliveries": "Growth: subscribers of a pipe, per delivery",
    "W10.alive": "Growth: subscriptions started, then disposed in random order, per subscription",
}


def growth(name, *sizes):
    """The cost of one unit among 1, 10 … units."""
    return [Row(f"W10.{name}.{size}", f"W10.{name}", f"{size:,}", "ns", None, None) for size in sizes]


def beside_c(name, **goals):
    """An event through chains of C++ maps, which are fused: the goals by length, `of_10="0.4"`."""
    return [
        Row(f"W12.{name}.{length}", "W12", f"{length} maps, from a {name}, per event", "ns", None, "SignalKit (C)",
            {"C++": f"{goal} x SignalKit (C)"})
        for length, goal in ((of[3:], goal) for of, goal in goals.items())
    ]


def delivered(name, how, goal="1.25 x"):
    """A string, compared with an int on the same path."""
    return [Row(f"W16.deliver.{name}", "W16", f"delivered {how}", "ns", goal, "an int")]


def operator(name, title, goal=PEER, limit=None):
    """An operator that a peer may have, too."""
    return [Row(name, name.split(".")[0], title, "ns", goal, limit, {**SWIFT, **CPP})]


def looked_at(stages, title):
    """An event, with and without inspection."""
    return [
        Row(f"W21.{how}.{stages}", "W21", f"{title}, {what}, an event", "ns", None, None)
        for how, what in (("unseen", "not inspected"), ("watched", "watched"), ("traced", "with a trace handler"))
    ]


def latency(name, title):
    """A round trip: the median and the 99th percentile."""
    limit = "a mutex and a condition variable"
    return [
        Row(f"W19.{name}.p50", "W19", f"{title}: median", "ns", "1.1 x", limit),
        Row(f"W19.{name}.p99", "W19", "the same: 99th percentile", "ns", "1.1 x", limit),
    ]


def on_loop(name, title):
    """Jobs on a custom loop. With one job per iteration of the loop, its system calls dominate. With many jobs, the
    library's cost of each dominates: the goal is the cost on the library's main queue on the same loop, plus the call
    of the loop's function."""
    limit, own = "by hand", "1.2 x the library's main queue"
    return [
        Row(f"W22.{name}.turn", "W22", f"{title}: a job that enqueues the next, one per iteration", "ns", "1.1 x",
            limit),
        Row(f"W22.{name}.many", "W22", f"{title}: 1,000 jobs in an iteration, from the loop's thread, per job", "ns",
            own, limit),
        Row(f"W22.{name}.there", "W22", f"{title}: many from another thread, per job", "ns", own, limit),
        Row(f"W22.{name}.answer", "W22", f"{title}: one from another thread, which sleeps until the job has run", "ns",
            "1.1 x", limit),
        Row(f"W22.{name}.deliver", "W22", f"{title}: values from another thread by deliver_on, per value", "ns", own,
            limit),
    ]


def in_language(name, language, goal, peer, limit="a call from C"):
    """A map and a filter of a package, from a range and from a pipe."""
    return [
        Row(f"W23.{name}", "W23", f"{language}: from a range, per event", "ns", f"{goal} {peer}", limit),
        Row(f"W23.{name}.pipe", "W23", f"{language}: sent into a pipe, per event", "ns", None, peer),
    ]


def to_queue(name, title):
    """Values that a queue delivers: the time that passes, and the processor time of all threads."""
    return [
        Row(f"W24.{name}", "W24", f"{title}, per value", "ns", None, None),
        Row(f"W24.{name}.work", "W24", "the same: processor time", "ns", None, None),
    ]


# The goals of W2 and W4 in C are the results of serialised ReactivePlusPlus: 0.97, 0.82, 0.61 and 0.67 of an earlier
# version of this library, which was built again and compared with the present one.
ROWS = [
    Row("W1", "W1", "10 maps", "ns", "1.3 x", "C loop"),
    Row("W1s", "W1s", "10 maps", "ns", 54, "10 closures, work inlined"),
    Row("W2.1", "W2", "1 subscriber", "ns", 12, "C loop", SWIFT),
    Row("W2.10", "W2", "10 subscribers", "ns", 1.8, "C loop", {"Swift": 4}),
    Row("W2.1000", "W2", "1,000 subscribers", "ns", 1.04, "C loop", {"Swift": 3.5}),
    Row("W3.time", "W3", "start and dispose", "ns", 200, None, SWIFT),
    Row("W3.bytes", "W3", "bytes of a live subscription", "bytes", 240, None, {"Swift": 250}),
    Row("W3.never", "W3", "bytes of a live `never`", "bytes", 80, None),
    Row("W3.maps", "W3", "bytes of five live `map`s", "bytes", 350, None),
    Row("W3.combine", "W3", "bytes of a live `combineLatest` of three promises", "bytes", 600, None),
    Row("W3.inner", "W3", "bytes of a live `mapToSignal` with its inner signal", "bytes", 400, None),
    Row("W4", "W4", "an event", "ns", 19.1, None, SWIFT),
    Row("W5", "W5", "an event, to a single", "ns", 150, None),
    Row("W5.created", "W5", "an event, to a signal with a generator", "ns", None, None),
    Row("W6", "W6", "an event", "ns", 45, "locked array, dispatch per batch"),
    Row("W6.emit", "W6", "emitting alone, while the queue is blocked", "ns", None, None),
    Row("W7", "W7", "an event", "ns", 60, None),
    Row("W8.fast", "W8", "a stage that calls a function directly", "ns", "+ 4", "plain call"),
    Row("W8.libffi", "W8", "a stage that calls a function through libffi", "ns", "+ 4", "ffi_call"),
    Row("W8.in", "W8", "a native callback, which emits an event", "ns", "+ 4", "closure of libffi"),
    Row("W9.time", "W9", "load time", "ms", 2, None),
    Row("W9.file", "W9", "the file, stripped", "KiB", 512, None),
    Row("W9.size", "W9", "the file and its dependencies, without libc", "KiB", None, None),
    Row("W9.memory", "W9", "resident memory after loading", "KiB", None, None),
    Row("W11.maps", "W11", "10 maps, per event", "ns", "1.5 x", "Python loop"),
    Row("W11.broadcast", "W11", "1,000 subscribers, per delivered event", "ns", 120, "Python loop"),
    Row("W11.subscribe", "W11", "start and dispose", "ns", 3000, None),
    Row("W11.border", "W11", "a map, `take` and `share`, a map, per event", "ns", "0.7 x", "reactivex"),
    Row("W11.hop", "W11", "a map, a queue, a map, per event, until the last has arrived", "ns", "0.7 x", "reactivex"),
    Row("W11.async", "W11", "`async for` over an iterable, per value", "ns", "1 x", "asyncio.Queue"),
    Row("W11.interval", "W11", "interval, per tick, in virtual time", "ns", "1 x", "reactivex"),
    Row("W11.scan", "W11", "scan, per event", "ns", "1 x", "reactivex"),
    Row("W11.fused", "W11", "a map, a filter, scan, which are neighbours, per event", "ns", "1 x", "reactivex"),
    Row("W11.retry", "W11", "retry without a delay, per attempt", "ns", "1 x", "reactivex"),
    Row("W11.merged", "W11", "mapToMerged, per event, to a single", "ns", 4000, None),
    Row("W11.zip", "W11", "zip of two, per event of either", "ns", 1500, None),
    Row("W11.latest", "W11", "withLatestFrom, per event", "ns", "1 x", "reactivex"),
    Row("W11.share", "W11", "share with one subscriber, per event", "ns", 800, None),
    Row("W11.chunked", "W11", "chunked(10), per event", "ns", 1200, None),
    Row("W11.debounce", "W11", "debounce, values in immediate succession, per event", "ns", 1500, None),
    Row("W11.modify", "W11", "a change of a state", "ns", "1 x", "reactivex, under a lock"),
    *beside_c("generator", of_1="1.2", of_2="1.1", of_5="0.7", of_10="0.4", of_20="0.4", of_40="0.4"),
    *beside_c("pipe", of_1="1.2", of_2="1.1", of_5="0.7", of_10="0.4", of_20="0.4", of_40="0.4"),
    Row("W12.text.10", "W12", "10 maps of a text of 40 bytes, per event", "ns", None, "SignalKit (C)",
        {"C++": "0.35 x SignalKit (C)"}),
    Row("W12.serial.10", "W12", "10 stages with state, from a generator, per event", "ns", None, "SignalKit (C)"),
    Row("W12.serial.40", "W12", "40 stages with state, from a generator, per event", "ns", None, "SignalKit (C)"),
    Row("W12.time", "W12", "start and dispose", "ns", None, "SignalKit (C)", CPP),
    Row("W12.bytes", "W12", "bytes of a live subscription", "bytes", None, "SignalKit (C)", CPP),
    Row("W13.serial", "W13", "many on a serial queue, per job", "ns", "0.8 x", "libdispatch"),
    Row("W13.global", "W13", "many on the global queue, per job", "ns", "0.8 x", "libdispatch"),
    *[
        Row(f"W13.pool.{threads}", "W13", f"many on a pool, threads: {threads}, per job", "ns", "1.2 x", "libuv")
        for threads in (1, 2, 4, 8)
    ],
    Row("W13.put", "W13", "enqueuing alone, while the serial queue is blocked", "ns", None, None),
    Row("W13.add", "W13", "the same on a pool", "ns", None, None),
    Row("W13.there.p50", "W13", "one, and a thread that polls until it has run: median", "ns", None, None),
    Row("W13.there.p99", "W13", "the same: 99th percentile", "ns", None, None),
    Row("W13.asleep.p50", "W13", "one, and a thread that sleeps until it has run: median", "ns", None, None),
    Row("W13.asleep.p99", "W13", "the same: 99th percentile", "ns", None, None),
    Row("W13.between.p50", "W13", "from one serial queue to another: median", "ns", None, None),
    Row("W13.between.p99", "W13", "the same: 99th percentile", "ns", None, None),
    *operator("W14.scan", "scan, an event"),
    *operator("W14.merged", "mapToMerged, an event, to a single"),
    *operator("W14.merged.created", "mapToMerged, an event, to a signal with a generator", None),
    *operator("W14.zip", "zip of two, an event of either"),
    *operator("W14.latest", "withLatestFrom, an event", None),
    *operator("W14.share", "share with one subscriber, an event"),
    *operator("W14.chunked", "chunked(10), an event"),
    *operator("W14.interval", "interval, a tick, in virtual time", None),
    Row(
        "W14.debounce", "W14", "debounce, values in immediate succession from another thread, per value", "ns", "1.3 x",
        "deliver_on alone (C)"),
    Row("W14.throttle", "W14", "throttle, the same", "ns", "1.3 x", "deliver_on alone (C)"),
    *operator("W14.debounce.there", "debounce, the same on its own queue", None),
    *operator("W14.modify.1", "a change of a state, with a subscriber", LOCKED, "C loop, under a mutex"),
    *operator("W14.modify.2", "a change of a state, by two threads", LOCKED, "C loop, under a mutex"),
    *operator("W15.scan", "scan"),
    *operator("W15.merged", "mapToMerged"),
    *operator("W15.combine", "combineLatest of two", None),
    *operator("W15.zip", "zip of two"),
    *operator("W15.latest", "withLatestFrom", None),
    *operator("W15.share", "share: a single subscriber, then disposal"),
    *operator("W15.chunked", "chunked(10)"),
    *operator("W15.interval", "interval, in virtual time", None),
    *operator("W15.debounce", "debounce, in virtual time", None),
    Row("W16.retain", "W16", "retain and release", "ns", "1.2 x", "two atomics"),
    Row("W16.data", "W16", "access to the content", "ns", 3, None),
    Row("W16.make", "W16", "created and released", "ns", "2.5 x", "malloc, copy, free"),
    Row("W16.make.array", "W16", "an array of two ints, created and released", "ns", None, None),
    Row("W16.make.object", "W16", "an object, created and released", "ns", None, None),
    Row("W16.maps", "W16", "ten maps that each create a string, an event", "ns", None, "malloc, copy, free"),
    *delivered("one", "to one subscriber"),
    *delivered("ten", "to ten subscribers, per delivery"),
    *delivered("filters", "through ten filters"),
    *delivered("takes", "through ten serialized stages"),
    *delivered("scans", "through ten stages that store it", None),
    Row("W17.start", "W17", "start and dispose", "ns", "0.55 x", "one thread"),
    Row("W17.switch", "W17", "a switch to a new inner signal", "ns", "0.55 x", "one thread"),
    Row("W17.emit", "W17", "an event", "ns", "0.55 x", "one thread"),
    Row("W17.sync", "W17", "a job on a serial queue, and the wait for it", "ns", "0.55 x", "one thread"),
    Row("W17.jobs", "W17", "a job that enqueues the next, on a serial queue", "ns", "0.55 x", "one thread"),
    Row("W18.set", "W18", "setting a timer that fires once", "ns", "1.3 x", "libuv"),
    Row("W18.cancel", "W18", "cancelling and releasing it", "ns", "1.3 x", "libuv"),
    Row("W18.restart", "W18", "changing the time of a pending timer", "ns", "1.3 x", "libuv"),
    Row("W18.restart.lone", "W18", "the same, without other pending timers", "ns", None, None),
    Row("W18.fire", "W18", "all fire simultaneously, per timer", "ns", "1.3 x", "libuv"),
    Row("W18.bytes", "W18", "bytes of a pending timer", "bytes", 160, None),
    *latency("hop", "a sleeping thread, to a serial queue and back"),
    *latency("rested", "a sleeping thread, after 0.3 ms of idleness"),
    *latency("main", "to the main queue and back"),
    *latency("main.rested", "to the main queue, after 0.3 ms of idleness"),
    Row("W19.sync", "W19", "waiting for work on an idle queue", "ns", 60, None),
    Row("W19.inline", "W19", "work for the caller's own queue", "ns", None, None),
    Row("W20.count", "W20", "counting lines, per line", "ns", "1 x", "grep -c"),
    Row("W20.match", "W20", "counting the matching lines, per line", "ns", "1 x", "grep -c"),
    Row("W20.column", "W20", "counting the values of a column, per line", "ns", "0.33 x", "mawk"),
    *looked_at(0, "no stage"),
    *looked_at(10, "10 stages"),
    *on_loop("epoll", "epoll"),
    *on_loop("uv", "libuv"),
    *in_language("java", "Java", "3 x", "SubmissionPublisher per stage", None),
    Row("W23.rust", "W23", "Rust: from a range, per event", "ns", "1.5 x", "boxed streams"),
    Row("W23.rust.text", "W23", "Rust: a String from an iterator, per event", "ns", "1.5 x", "boxed streams"),
    *in_language("go", "Go", "1 x", "a channel per stage"),
    Row("W23.go.struct", "W23", "Go: a struct, sent into a pipe, per event", "ns", "1 x", "a channel per stage"),
    *in_language("ruby", "Ruby", "1 x", "Observable per stage"),
    *in_language("lua", "Lua", "10 x", "closures", "closures"),
    *in_language("perl", "Perl", "10 x", "closures"),
    *to_queue("none", "without a limit"),
    *to_queue("pause", "PAUSE"),
    *to_queue("suspend", "SUSPEND"),
    *to_queue("oldest", "DROP_OLDEST"),
    *growth("maps", 1, 10, 100),
    *growth("switches", 1, 10, 100),
    *growth("deliveries", 1, 10, 100, 1000, 10000, 100000),
    *growth("alive", 1, 100, 10000, 1000000),
]

OURS = "SignalKit"

# The first lines of the page: a row, the language of this library, a peer, and the words for both.
MAIN = [
    ("W1", "C", "libsigc++, a signal per stage", "an event through ten maps in C", "libsigc++"),
    ("W1s", "Swift", "OpenCombine (Swift)", "the same in Swift", "OpenCombine"),
    ("W11.maps", "Python", "reactivex", "the same in Python", "reactivex"),
    ("W2.10", "C", "libsigc++ (one thread)", "an event of a pipe to one of ten subscribers", "libsigc++"),
    ("W3.time", "C", "libsigc++ (connect, disconnect)", "start and dispose", "connect and disconnect of libsigc++"),
    ("W6", "C", "dispatch_async_f per event", "an event to a serial queue", "libdispatch"),
    ("W13.serial", "C", "libdispatch", "a job on a serial queue", "libdispatch"),
    ("W18.set", "C", "libuv", "setting a timer", "libuv, whose timers belong to one thread"),
    ("W9.memory", "C", "libuv", "resident memory after loading", "libuv"),
]

# Goals in nanoseconds hold on a machine on which this contender of this row takes 15 ns. On other machines they are
# scaled.
YARDSTICK = ("W1", "C loop", 15)

# Programs in the order of their turns. An optional program has a description of its peer and of the package to install.
PROGRAMS = {
    "loop": None,
    "calls": None,
    "events": None,
    "operators": None,
    "queues": None,
    "timers": None,
    "subscriptions": None,
    "growth": None,
    "typed": None,
    "lambdas": None,
    "lambda_operators": None,
    "swift": "SignalKit in Swift (its sources)",
    "plain": "the plain model in Swift (the sources of SignalKit)",
    "dispatch": None,
    "condition": None,
    "load": None,
    "values": None,
    "apart": None,
    "seen": None,
    "programs": None,
    "loops_epoll": None,
    "gobject": "GObject (libglib2.0-dev)",
    "uv_jobs": "libuv (libuv1-dev)",
    "uv_timers": "libuv (libuv1-dev)",
    "loops_uv": "libuv (libuv1-dev)",
    "boost": "Boost.Signals2 (libboost-dev)",
    "sigc": "libsigc++ (libsigc++-3.0-dev)",
    "opencombine": "OpenCombine (a Swift package, which the package manager fetches)",
    "python-loop": "a loop in Python (python3-venv)",
    "python-signals": "this library in Python (python3-venv)",
    "python-rx": "reactivex (python3-venv; the package comes from PyPI)",
    "languages": "this library in other languages (their compilers or interpreters, libjna-java, ruby-ffi and others)",
}
