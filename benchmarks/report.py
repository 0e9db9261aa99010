"""Prints the results of the benchmark, and writes the text of docs/benchmarks.md."""

import os
import platform
import re
import statistics
import subprocess

from rows import GROUPS, MAIN, OURS, YARDSTICK


class Result:
    """The results of a contender, round by round."""

    def __init__(self, rounds):
        self.rounds = rounds
        self.median = statistics.median(rounds)

    def ratio(self, other):
        """The median of the rounds' ratios, because a disturbance of a round affects both."""
        return statistics.median(mine / yours for mine, yours in zip(self.rounds, other.rounds))


HOW = """Each row runs its contenders in turns, {rounds} times. Each time is a separate process, which warms up first
and checks its sums. The tables contain the median, the lowest and the highest result. `×` is the median of the rounds'
ratios to this library: a contender above 1 is slower (or larger). Contenders marked (Swift) are compared with SignalKit
in Swift, and the others with SignalKit in C. Compare ratios, not times: times of different machines, or of different
runs on a busy machine, are not comparable.

**Goals.** If a peer has the same operation, the goal is to be faster than the peer. In Swift an operation may take
1.3 × of its time in C. In C++ an operation may take 1.5 ×, and ten neighbouring lambdas, which are one stage, 0.4 ×.

**Peers.**

- "mutex per stage" is a small model of SwiftSignalKit's design, written for this benchmark: closures, and a subscriber
  with a mutex at each stage.
- Boost.Signals2 and libsigc++ have no operators. A stage is a signal whose slot emits the next signal. In row W3 their
  slots and GObject's handlers are compared with whole subscriptions through `map` and `filter`.
- OpenCombine has no `combineLatest`, `withLatestFrom` or interval. Neither it nor reactivex has an atomic change of a
  state, so their programs use a lock.
- In row W23 a stage in Java is a `SubmissionPublisher` that is also a subscriber, on the calling thread. In Rust it is
  a stream in a box, because a signal also has a type that can be named. In Go it is a goroutine and an unbuffered
  channel. In Ruby it is an `Observable`. In Lua and Perl it is a closure that calls the next one. "A call from C" is
  one call of the language by `lfind` of the C library, without SignalKit. In Go, Ruby and Perl each event of a range
  takes at least one such call. In Java, Rust and Lua a range stays in the language, if only functions follow.
- RxCpp and ReactivePlusPlus have most operators in C++, but no distribution packages them, so this benchmark does not
  measure them. Other programs of one author compared them with commit 852561e4, in rounds that took turns, on an AMD
  EPYC with 2 cores. Here are the best of seven rounds, in nanoseconds per event:

{elsewhere}

**Times.** Results in virtual time include the advance of the clock. A `debounce` in real time is measured until the
last value has arrived, minus its delay. In W24 one thread emits and another delivers. On two processors they meet at a
lock and wake each other at random, so SUSPEND and DROP_OLDEST vary most: in Swift from 130 to 4,000 ns. Processor time
includes these waits. With DROP_OLDEST few values reach Python. The rows W24, W11.fused and W11.retry, and W23 in Ruby
and Perl, were measured later on a busy machine, and W22 and the other rows of W23 later on a quiet one. There an idle
processor sleeps, so a thread that waits for one job of W22 waits longer."""


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def spread(result):
    return f"{number(min(result.rounds))} … {number(max(result.rounds))}"


def is_ours(name):
    return name.startswith(OURS)


def ours_beside(name, results):
    """The result of this library that a contender is compared with, in the same language if possible; or None."""
    ours = {own: result for own, result in results.items() if is_ours(own)}
    same = [result for own, result in ours.items() if own.endswith("(Swift)") == name.endswith("(Swift)")]
    return (same or list(ours.values()) or [None])[0]


def ratio(name, results):
    """The ratio of a contender's result to ours, as text."""
    ours = ours_beside(name, results)
    return "" if is_ours(name) or not ours else f"{results[name].ratio(ours):.2f} ×"


def face(name):
    """The text in the brackets of one of our contenders, such as "C++" or "Swift"."""
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
    """The ratio of each of our results to its goal, by (row, face)."""
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
        "# Benchmarks",
        "",
        "![Bars of the main rows](benchmarks.svg)",
        "",
        *main(results, where),
        "",
        "## Method",
        "",
        HOW.format(rounds=rounds, elsewhere=elsewhere()),
        "",
        "## All rows",
        "",
        *summary(rows, results),
        "",
    ]
    if missing:
        lines += ["Not installed in this run: " + "; ".join(missing) + ".", ""]
    lines += ["## Missed goals", "", *why(rows, results, reasons), ""]
    for group, title in GROUPS.items():
        members = [row for row in rows if row.group == group and results[row.id]]
        if members:
            shown = growth if group.startswith("W10") else table
            lines += [f"## {group.split('.')[0]}: {title}", "", *shown(members, results), ""]
    return "\n".join(lines).rstrip() + "\n"


def main(results, where):
    """The first screen: one peer for each operation."""
    compared = [(results[row][peer].ratio(results[row][f"{OURS} ({face})"]), what, name)
                for row, face, peer, what, name in MAIN]
    elsewhere = [(times[index] / times[0], row, peer) for row, times in ELSEWHERE.items()
                 for index, peer in enumerate(PEERS, 1) if times[index] and times[index] < times[0]]

    def listed(found):
        return "; ".join(f"{what}, {number(ratio)} × ({peer})" for ratio, what, peer in found)

    locked = results["W16.retain"]["two atomics"].median / 2
    return [
        f"- `make bench` installs the peers, runs all programs and writes this page. Machine: {where}. A locked"
        f" instruction takes {locked:.1f} ns there (W16): processors differ much in that, and an event of a pipe"
        " needs two.",
        "- A ratio is the peer's result divided by this library's: above 1 the peer is slower or larger.",
        f"- **Ahead**: {listed(one for one in compared if one[0] >= 1)}.",
        f"- **Behind**: {listed(one for one in compared if one[0] < 1)}.",
        f"- **Behind** in [programs of others](#method), which measured an earlier version: {listed(elsewhere)}.",
        "- [All rows](#all-rows) has a line for each row. [Missed goals](#missed-goals) gives the reasons. The sections"
        " after it list all contenders.",
    ]


PEERS = ["ReactivePlusPlus, serialized", "ReactivePlusPlus", "RxCpp, without order between threads"]
ELSEWHERE = {
    "W2, 1 subscriber": [7.06, 17.8, 11.2, 8.6],
    "W2, 10 subscribers": [2.92, 3.08, None, 2.25],
    "W4, combineLatest": [22.6, 23.6, 17.7, 20.1],
    "W1 from a pipe, ten maps with erased types": [29.6, 230, None, None],
}


def elsewhere():
    """The results of the peers that are not measured here."""
    lines = ["  | | this library | " + " | ".join(PEERS) + " |", "  | --- |" + " ---: |" * 4]
    for row, times in ELSEWHERE.items():
        lines.append(f"  | {row} | " + " | ".join(f"{time:g}" if time else "–" for time in times) + " |")
    return "\n".join(lines)


def why(rows, results, reasons):
    """A line for each reason, with the goals that are missed for it."""
    found = ratios(rows, results)
    titles = {row.id: f"{row.group}, {row.title}" for row in rows}
    lines = ["| | × the goal | reason |", "| --- | --- | --- |"]
    for reason, keys in reasons.items():
        here = [key for key in keys if found.get(key, 0) > 1]
        if here:
            names = "; ".join(dict.fromkeys(titles[row] for row, _ in here))
            times = ", ".join(f"{found[row, face]:.2f}" + (f" {face}" if face != "C" else "") for row, face in here)
            lines.append(f"| {names} | {times} | {reason} |")
    return lines


def machine():
    with open("/proc/cpuinfo") as file:
        name = re.search(r"^model name\s*: (.*)", file.read(), flags=re.M)
    return f"{os.cpu_count()} CPUs ({name[1] if name else platform.machine()}, {platform.system()}), {versions()}"


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


FACES = ["C", "Swift", "C++"]


def summary(rows, results):
    """A line per row: our results, the goals, the limit and the best peer."""
    scale = scale_of(results)
    lines = ["| | unit | in C | in Swift | in C++ | in another language | goal | the limit | best peer measured |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | --- |"]
    for row in rows:
        if not row.group.startswith("W10") and any(map(is_ours, results[row.id])):
            lines.append(summary_of(row, results[row.id], scale))
    return lines + ["", "A bold result reaches its goal. Several goals are for C / Swift / C++."
                    f" (Goals in nanoseconds were set on a machine {scale:.1f} × as fast, and are scaled by that"
                    " factor.) The limit is a result that a library cannot improve on."]


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
    other_face = next((face(name) for name in results if is_ours(name) and face(name) not in FACES), "")
    cells = [f"{row.group}, {row.title}", row.unit, *map(own, FACES), own(other_face), goals(),
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
    """A column per size, and the largest growth of the cost of a unit from one size to a larger one."""
    names = list(results[rows[0].id])
    lines = ["| ns | " + " | ".join(row.title for row in rows) + " | worst growth |",
             "| --- |" + " ---: |" * (len(rows) + 1)]
    for name in names:
        costs = [results[row.id][name].median for row in rows]
        worst = max(later / earlier for i, earlier in enumerate(costs) for later in costs[i + 1 :])
        lines.append(f"| {name} | " + " | ".join(map(number, costs)) + f" | {worst:.2f} × |")
    return lines
