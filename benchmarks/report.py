"""What the benchmark found: on the terminal, and as the text of docs/benchmarks.md."""

import os
import platform
import re
import statistics
import subprocess

from rows import GROUPS, OURS, YARDSTICK


class Result:
    """What a contender came to, round by round."""

    def __init__(self, rounds):
        self.rounds = rounds
        self.median = statistics.median(rounds)

    def ratio(self, other):
        """How many times the other's, round by round: what disturbed a round disturbed both."""
        return statistics.median(mine / yours for mine, yours in zip(self.rounds, other.rounds))


HOW = """How it is measured: every row runs its contenders in turns, {rounds} times in all, each time in a process of
its own that warms up first; the table has the medians, and the lowest and the highest of them. Every program checks its
sums. Figures of different machines, or of different runs on a busy one, do not compare; ratios within a run do. `×` is
how many times as long (or as many bytes) as this library's, the median of the rounds' ratios: what is above 1 is slower
than it.
Contenders marked (Swift) are compared with SignalKit in Swift, the others with SignalKit in C.

Where a peer has the same, the goal is to be ahead of it. What this library does in Swift is to take at most 1.3 × of
what it takes in C, and lambdas of C++ 1.5 ×, or 1.2 × if they throw nothing.

"mutex per stage" is a plain model, made for this, of the design of SwiftSignalKit: a subscriber with a mutex at each
stage, and closures. Boost.Signals2 and libsigc++ have no operators; there a stage is a signal whose slot emits the next
one. Their slots, and GObject's handlers, stand beside whole subscriptions through `map` and `filter` in the row W3, for
want of anything closer.

RxCpp and ReactivePlusPlus, which have most operators in C++, are not measured: no distribution packages them. So the
best peer of a row is the best of those that are. Who measured an earlier state of this library beside both, with
programs of their own, found that of its 29.1 ns in W1 RxCpp took 0.78 × (1.07 × with dynamic observables) and
ReactivePlusPlus, with types erased, 7.4 ×; and that ReactivePlusPlus, serialised, took 0.97, 0.82 and 0.61 × of W2,
0.67 × of W4 and 0.68 to 1.03 × of W7.
OpenCombine has no `combineLatest`, no `withLatestFrom` and no interval, and neither it nor reactivex has a state that
is changed in one step: there a lock of the program's own sees to that. What goes in virtual time includes the moving of
the clock; a `debounce` by the clock on the wall is measured until the last value has arrived, less the time for which
that had to wait.

The rows W22 were measured later than the others, while the machine had much else to do: there, above all, only ratios
count."""


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def spread(result):
    return f"{number(min(result.rounds))} … {number(max(result.rounds))}"


def is_ours(name):
    return name.startswith(OURS)


def ours_beside(name, results):
    """This library's own result to compare a contender with: of the same language, if there is one; or None."""
    ours = {own: result for own, result in results.items() if is_ours(own)}
    same = [result for own, result in ours.items() if own.endswith("(Swift)") == name.endswith("(Swift)")]
    return (same or list(ours.values()) or [None])[0]


def ratio(name, results):
    """How many times ours a contender's result is, as text."""
    ours = ours_beside(name, results)
    return "" if is_ours(name) or not ours else f"{results[name].ratio(ours):.2f} ×"


def face(name):
    """Of one of ours: what stands in brackets, as "C++" or "Swift"."""
    return name[name.index("(") + 1 : -1]


def goal_value(row, face, results, scale):
    """The goal in the row's unit, or None."""
    goal = row.faces.get(face, row.goal)
    if not isinstance(goal, str):
        return goal and goal * (scale if row.unit == "ns" else 1)
    factor, _, name = goal.partition(" x")
    other = results.get(name.strip() or row.limit)
    if goal.startswith("+"):
        return other and other.median + float(goal[1:]) * scale
    return other and other.median * float(factor)


def ratios(rows, results):
    """How many times its goal each takes that has one, by (row, face)."""
    scale = scale_of(results)
    found = {}
    for row in rows:
        for name, result in results[row.id].items():
            goal = is_ours(name) and goal_value(row, face(name), results[row.id], scale)
            if goal:
                found[row.id, face(name)] = result.median / goal
    return found


def sorted_results(results):
    return sorted(results.items(), key=lambda item: item[1].median)


# ---- The terminal ----


def show(row, results):
    print(f"\n{row.id}  {GROUPS[row.group]}: {row.title}, {row.unit}" + (f"   (goal {row.goal})" if row.goal else ""))
    for name, result in sorted_results(results):
        limit = "   the limit" if name == row.limit else ""
        print(f"    {name:50} {number(result.median):>9}   {spread(result):22} {ratio(name, results):>9}{limit}",
              flush=True)


# ---- The document ----


def text(rows, results, where, missing, reasons):
    """The page."""
    rounds = len(next(iter(results["W1"].values())).rounds)
    lines = [
        "# Measured",
        "",
        f"Written by `make bench`, which installs the peers and runs everything: on a machine with {where}.",
        "",
        "![Bars of the main rows](benchmarks.svg)",
        "",
        HOW.format(rounds=rounds),
        "",
        "## Summary",
        "",
        *summary(rows, results),
        "",
    ]
    if missing:
        lines += ["Not installed in this run: " + "; ".join(missing) + ".", ""]
    lines += ["## Goals that are missed, and why", "", *why(rows, results, reasons), ""]
    for group, title in GROUPS.items():
        members = [row for row in rows if row.group == group and results[row.id]]
        if members:
            shown = growth if group.startswith("W10") else table
            lines += [f"## {group.split('.')[0]}: {title}", "", *shown(members, results), ""]
    return "\n".join(lines).rstrip() + "\n"


def why(rows, results, reasons):
    """A line for each goal that is missed; those that share a reason share a line."""
    found = ratios(rows, results)
    titles = {row.id: f"{row.group}, {row.title}" for row in rows}
    lines = ["| | × the goal | why |", "| --- | --- | --- |"]
    for reason, keys in reasons.items():
        here = [key for key in keys if found.get(key, 0) > 1]
        if here:
            names = "; ".join(dict.fromkeys(titles[row] for row, _ in here))
            times = ", ".join(f"{found[row, face]:.2f}" + (f" {face}" if face != "C" else "") for row, face in here)
            lines.append(f"| {names} | {times} | {reason} |")
    return lines


def machine():
    return f"{os.cpu_count()} CPUs ({platform.machine()}, {platform.system()}), {versions()}"


def versions():
    def ask(*command):
        try:
            return subprocess.check_output(command, text=True, stderr=subprocess.DEVNULL).strip()
        except (OSError, subprocess.CalledProcessError):
            return ""

    swift = re.search(r"Swift version (\S+)", ask("swiftc", "--version"))
    packages = {"GLib": "gobject-2.0", "libsigc++": "sigc++-3.0", "libuv": "libuv"}
    found = {"Swift": swift and swift[1],
             **{name: ask("pkg-config", "--modversion", package) for name, package in packages.items()}}
    return ", ".join(f"{name} {version}" for name, version in found.items() if version)


def scale_of(results):
    row, contender, nanoseconds = YARDSTICK
    return results[row][contender].median / nanoseconds


def summary(rows, results):
    """A line per row: ours, the goals, and how far the limit and the best peer are from them."""
    scale = scale_of(results)
    lines = ["| | unit | in C | in Swift | in C++ | in Python | goal | the limit | best peer measured |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | --- |"]
    for row in rows:
        if not row.group.startswith("W10") and any(map(is_ours, results[row.id])):
            lines.append(summary_of(row, results[row.id], scale))
    return lines + ["", "Bold: the goal is reached. Where languages have goals of their own there are several: in C /"
                    " in Swift / in C++ / in C++ where nothing is thrown. (Goals in nanoseconds are meant for a machine"
                    f" {scale:.1f} × as fast, and scaled by that.)"]


def summary_of(row, results, scale):
    def own(face):
        result = results.get(f"{OURS} ({face})")
        if not result:
            return ""
        target = goal_value(row, face, results, scale)
        return f"**{number(result.median)}**" if target and result.median <= target else number(result.median)

    def goals():
        there = [face for face in ["C", *row.faces] if not row.faces or f"{OURS} ({face})" in results]
        values = [goal_value(row, face, results, scale) for face in there]
        return " / ".join(number(value) if value else "–" for value in values) if any(values) else ""

    def other(name):
        return f"{number(results[name].median)} {name}" if name in results else ""

    peers = [name for name, _ in sorted_results(results) if not is_ours(name) and name != row.limit]
    cells = [f"{row.group}, {row.title}", row.unit, own("C"), own("Swift"), own("C++"), own("Python"), goals(),
             other(row.limit)]
    return "| " + " | ".join(cells + [other(peers[0]) if peers else ""]) + " |"


def table(rows, results):
    lines = ["| | | median | lowest … highest | |", "| --- | --- | ---: | ---: | ---: |"]
    for row in rows:
        title = f"{row.title}, {row.unit}"
        for name, result in sorted_results(results[row.id]):
            strong = "**" if is_ours(name) else ""
            remark = " (the limit)" if name == row.limit else ""
            lines.append(
                f"| {title} | {strong}{name}{strong}{remark} | {strong}{number(result.median)}{strong} "
                f"| {spread(result)} "
                f"| {ratio(name, results[row.id])} |"
            )
            title = ""
    return lines


def growth(rows, results):
    """A column per size, and by how much the cost of a unit grew at worst from one size to a larger one."""
    names = list(results[rows[0].id])
    lines = ["| ns | " + " | ".join(row.title for row in rows) + " | worst growth |",
             "| --- |" + " ---: |" * (len(rows) + 1)]
    for name in names:
        costs = [results[row.id][name].median for row in rows]
        worst = max(later / earlier for i, earlier in enumerate(costs) for later in costs[i + 1 :])
        lines.append(f"| {name} | " + " | ".join(map(number, costs)) + f" | {worst:.2f} × |")
    return lines
