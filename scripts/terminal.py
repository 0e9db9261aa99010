#!/usr/bin/env python3
"""Runs a program in a private terminal and writes an animated picture of its output:
`terminal.py PICTURE.svg COLUMNS ROWS AFTER PROGRAM…`. The picture omits the first AFTER seconds, in which the program
may still have no output.

A frame is the content of the alternate screen when the program pauses after writing. So the program must use the
alternate screen. Viewers that do not show motion show the middle frame."""
import fcntl, os, pathlib, pty, re, select, struct, sys, termios, time
from html import escape
from itertools import groupby

CELL, LINE, MARGIN, BAR = 8, 18, 14, 30
COLOURS = {1: "#ff7b72", 2: "#7ee787", 3: "#e3b341", 4: "#79c0ff", 5: "#d2a8ff", 6: "#56d4dd", 7: "#e6edf3"}
BLOCKS = " ▁▂▃▄▅▆▇█"
PAUSE, LONGEST = 0.03, 1.0  # seconds: the pause that ends a frame, and the longest frame


class Screen:
    """The terminal functions of programs that redraw their screen. An unknown sequence is an error."""

    def __init__(self, columns, rows):
        self.columns, self.rows, self.style, self.alternate = columns, rows, "", False
        self.clear()

    def clear(self):
        self.row = self.column = 0
        self.cells = [[(" ", "")] * self.columns for _ in range(self.rows)]

    def write(self, text):
        """Returns an incomplete sequence at the end."""
        for match in re.finditer(r"\x1b\[(\??)([\d;]*)([A-Za-z])|\x1b\[?\??[\d;]*\Z|[^\x1b]", text):
            if match[3]: self.control(match[1] + match[3], [int(number or 0) for number in match[2].split(";")])
            elif match[0][0] == "\x1b": return match[0]
            else: self.put(match[0])
        return ""

    def put(self, letter):
        if letter == "\r": self.column = 0
        elif letter == "\n": self.row = min(self.row + 1, self.rows - 1)
        elif letter < " ": raise ValueError(f"a control character: {letter!r}")
        elif self.column < self.columns:
            self.cells[self.row][self.column] = (letter, self.style)
            self.column += 1

    def control(self, kind, numbers):
        if kind in ("?h", "?l"):
            if 1049 in numbers: self.alternate = kind == "?h"
            if self.alternate and 1049 in numbers: self.clear()
        elif kind == "H": self.row, self.column = 0, 0
        elif kind == "G": self.column = max(numbers[0], 1) - 1
        elif kind in "JK":
            self.cells[self.row][self.column :] = [(" ", "")] * (self.columns - self.column)
            for row in range(self.row + 1, self.rows if kind == "J" else 0):
                self.cells[row] = [(" ", "")] * self.columns
        elif kind == "m":
            for number in numbers:
                name = {0: "", 1: " b", 2: " d"}.get(number, f" c{number - 30}")
                self.style = self.style + name if name else ""
        else: raise ValueError(f"a sequence that is not known: {kind} {numbers}")

    def shown(self):
        return tuple(tuple(row) for row in self.cells)


def frames(columns, rows, after, command):
    """The frames of the program from `after` seconds on, each with its duration in seconds."""
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.execvp(command[0], command)
    screen, found, rest = Screen(columns, rows), [], b""
    text = ""
    while True:
        if not select.select([terminal], [], [], PAUSE)[0]:
            if screen.alternate and (not found or found[-1][0] != screen.shown()):
                found.append((screen.shown(), time.monotonic()))
            if not select.select([terminal], [], [], 60)[0]: sys.exit(f"{command[0]} shows nothing any more")
        try: rest += os.read(terminal, 65536)
        except OSError: break  # the program has closed it
        try: decoded, rest = rest.decode(), b""
        except UnicodeDecodeError as error: decoded, rest = rest[: error.start].decode(), rest[error.start :]
        text = screen.write(text + decoded)
    if os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) != 0: sys.exit(f"{command[0]} has failed")
    found = [frame for frame in found if frame[1] >= found[0][1] + after]
    times = [moment for _, moment in found] + [time.monotonic()]
    return [(shown, min(after - before, LONGEST)) for (shown, _), before, after in zip(found, times, times[1:])]


def drawn(row):
    """A row as SVG, its base line at 0: letters as text, blocks as areas, so that no font matters."""
    out, column = [], 0
    for (style, is_blocks), cells in groupby(row, lambda cell: (cell[1], cell[0] in BLOCKS[1:])):
        letters, kind = "".join(letter for letter, _ in cells), f' class="{style.strip()}"' if style else ""
        if is_blocks:
            levels = ((BLOCKS.index(letter), CELL * len(list(same))) for letter, same in groupby(letters))
            area = "".join(f"V{4 - 2 * level}h{length}" for level, length in levels)
            out.append(f'<path{kind} d="M{CELL * column} 4{area}V4z"/>')
        for words in () if is_blocks else re.finditer(r"\S+( \S+)*", letters):  # with their places: fonts differ
            place = f'x="{CELL * (column + words.start())}" textLength="{CELL * len(words[0])}"'
            out.append(f"<text{kind} {place}>{escape(words[0])}</text>")
        column += len(letters)
    return "".join(out)


def picture(shown, columns, rows, title):
    lines = list(dict.fromkeys(row for frame, _ in shown for row in frame))
    numbers = {row: number for number, row in enumerate(lines)}
    width, height = CELL * columns + 2 * MARGIN, LINE * rows + BAR + MARGIN
    whole, moment, steps, strip = sum(seconds for _, seconds in shown), 0, [], []
    for place, (frame, seconds) in enumerate(shown):
        steps.append(f"{100 * moment / whole:.2f}%{{transform:translateY({-place * LINE * rows}px)}}")
        moment += seconds
        for index, row in enumerate(frame):
            y = LINE * (place * rows + index + 1) - 5
            if drawn(row): strip.append(f'<use href="#l{numbers[row]}" y="{y}"/>')
    middle = len(shown) // 2
    defined = "\n".join(f'<g id="l{numbers[row]}">{drawn(row)}</g>' for row in lines if drawn(row))
    colours = "".join(f".c{number}{{fill:{colour}}}" for number, colour in COLOURS.items())
    text = "\n".join(strip)
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f"""<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">
<title>{escape(title)}</title>
<style>
text{{font:13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace}}
text,path{{fill:#e6edf3}}.b{{font-weight:bold}}.d{{opacity:.6}}{colours}
#strip{{animation:play {whole:.1f}s step-end infinite}}
@keyframes play{{{"".join(steps)}}}
@media (prefers-reduced-motion:reduce){{#strip{{animation:none}}}}
</style>
<defs>
{defined}
</defs>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<circle cx="18" cy="15" r="5" fill="#ff5f57"/><circle cx="36" cy="15" r="5" fill="#febc2e"/>
<circle cx="54" cy="15" r="5" fill="#28c840"/>
<text class="d" x="{width / 2:g}" y="19" text-anchor="middle">{escape(title)}</text>
<svg x="{MARGIN}" y="{BAR}" width="{CELL * columns}" height="{LINE * rows}">
<g id="strip" transform="translate(0 {-middle * LINE * rows})">
{text}
</g>
</svg>
</svg>
"""


def main():
    path, columns, rows, after, *command = sys.argv[1:]
    shown = frames(int(columns), int(rows), float(after), command)
    if not shown: sys.exit(f"{command[0]} shows nothing")
    title = " ".join([pathlib.Path(command[0]).name, *command[1:]])
    pathlib.Path(path).write_text(picture(shown, int(columns), int(rows), title), encoding="utf-8")
    print(f"{path}: {len(shown)} frames")


if __name__ == "__main__": main()
