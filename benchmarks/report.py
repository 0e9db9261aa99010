"""What the benchmark found, as text on the terminal, as a table in docs/benchmarks.md."""

from collections import namedtuple

from rows import OURS

Result = namedtuple("Result", "median lowest highest")


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def show(row, results):
    """A row on the terminal: each contender with its median, spread, and how many times ours it is."""
    ours = [result.median for name, result in results.items() if name.startswith(OURS)]
    print(f"\n{row.id}  {row.title}, {row.unit}" + (f"   (goal {row.goal})" if row.goal else ""))
    for name, result in sorted(results.items(), key=lambda item: item[1].median):
        ratio = "" if name.startswith(OURS) or not ours else f"  {result.median / min(ours):6.2f} x ours"
        spread = f"{number(result.lowest)} … {number(result.highest)}"
        limit = "  the limit" if name == row.limit else ""
        print(f"    {name:44} {number(result.median):>9}   {spread:22}{ratio}{limit}", flush=True)


def write(root, rows, results, missing, rounds):
    pass
