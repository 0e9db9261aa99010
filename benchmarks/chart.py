"""Draws the main rows as bars (docs/benchmarks.svg), and three contenders for the README (docs/speed.svg)."""

from html import escape

from report import is_ours, number, sorted_results
from rows import GROUPS

ROWS_SHOWN = ["W1", "W1s", "W2.1", "W2.10", "W2.1000", "W3.time", "W3.bytes", "W4", "W5", "W6", "W7", "W9.memory"]
COLUMNS, WIDTH, LABELS, BAR, LINE = 2, 560, 250, 230, 20
OURS, LIMIT, PEER = "#0b6bcb", "#3d444d", "#b6c2cf"


def picture(rows, results):
    panels = [(row, sorted_results(results[row.id])) for row in rows if row.id in ROWS_SHOWN and results[row.id]]
    bottoms = [24] * COLUMNS  # each column's next free place
    body = []
    for row, found in panels:
        column = bottoms.index(min(bottoms))
        body.append(panel(row, found, column * WIDTH + 16, bottoms[column]))
        bottoms[column] += (len(found) + 2) * LINE + 12
    width, height = COLUMNS * WIDTH, max(bottoms) + 24
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' font-family="sans-serif" font-size="12">\n'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n' + "\n".join(body) +
        f"\n{legend(height)}\n</svg>\n"
    )


# The contenders of row W1s in the README, with their descriptions.
FRONT = {
    "SignalKit (Swift)": "this library",
    "OpenCombine (Swift)": "Combine, as open source",
    "mutex per stage (Swift)": "a model of SwiftSignalKit: a subscriber with a mutex at each stage",
}


def front(results):
    shown, line, left = {name: results["W1s"][name] for name in FRONT}, 46, 190
    ours = shown["SignalKit (Swift)"]
    ratios = {name: result.ratio(ours) for name, result in shown.items()}
    body = [text(16, 26, "The time of an event through ten maps, in Swift: lower is better", 'font-weight="bold"')]
    for index, (name, ratio) in enumerate(ratios.items()):
        y, length = 44 + index * line, ratio / max(ratios.values()) * 350
        colour, weight = (OURS, 'font-weight="bold"') if is_ours(name) else (PEER, "")
        found = f"1 × ({number(ours.median)} ns)" if is_ours(name) else f"{ratio:.1f} ×"
        body.append(text(left - 10, y + 16, name.removesuffix(" (Swift)"), f'text-anchor="end" {weight}'))
        body.append(f'<rect x="{left}" y="{y}" width="{length:.1f}" height="22" fill="{colour}"/>')
        body.append(text(left + length + 8, y + 16, found, weight))
        body.append(text(left, y + 35, FRONT[name], 'font-size="11" fill-opacity=".7"'))
    height = 44 + len(shown) * line
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="640" height="{height}" viewBox="0 0 640 {height}" '
            f'font-family="sans-serif" font-size="13" role="img">\n<rect width="100%" height="100%" rx="8" '
            f'fill="#ffffff"/>\n' + "\n".join(body) + "\n</svg>\n")


def panel(row, found, x, y):
    """One row: a bar per contender, the shortest first."""
    longest = max(result.median for _, result in found)
    lines = [text(x, y, f"{GROUPS[row.group]}: {row.title}, {row.unit}", 'font-weight="bold"')]
    for index, (name, result) in enumerate(found):
        top = y + 10 + index * LINE
        colour = OURS if is_ours(name) else LIMIT if name == row.limit else PEER
        length = max(1, result.median / longest * BAR)
        weight = 'font-weight="bold"' if is_ours(name) else ""
        lines.append(text(x + LABELS - 8, top + 12, name, f'text-anchor="end" {weight}'))
        lines.append(f'<rect x="{x + LABELS}" y="{top + 2}" width="{length:.1f}" height="{LINE - 6}" fill="{colour}"/>')
        lines.append(text(x + LABELS + length + 5, top + 12, number(result.median), weight))
    return "\n".join(lines)


def legend(height):
    parts, x = [], 16
    for colour, label in ((OURS, "this library"), (LIMIT, "the limit: by hand"), (PEER, "peers")):
        parts.append(f'<rect x="{x}" y="{height - 22}" width="12" height="12" fill="{colour}"/>')
        parts.append(text(x + 18, height - 12, label))
        x += 40 + 7 * len(label)
    return "\n".join(parts)


def text(x, y, content, attributes=""):
    return f'<text x="{x:.1f}" y="{y}" fill="#1f2328" {attributes}>{escape(content)}</text>'
