#!/usr/bin/python3
"""Draws crates.svg and mail-way.svg:  python3 docs/pictures/diagrams.py

The arrows between crates are the path dependencies of their manifests.
"""

import tomllib
from html import escape
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
STYLE = """<style>
.ground { fill: #fbfaf7 } .box { fill: #fff; stroke: #5b6b7a; stroke-width: 1.5 } .pure { fill: #e8f1e4 }
.touch { fill: #fdeedd } text { font: 14px sans-serif; fill: #1d2730; text-anchor: middle }
.name { font-weight: bold; font-size: 15px } .small { font-size: 12px; fill: #46525e }
.line { stroke: #5b6b7a; stroke-width: 1.5; fill: none; marker-end: url(#end) }
</style><defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
<path d="M0 0 8 4 0 8z" fill="#5b6b7a"/></marker></defs>"""


class Drawing:
    def __init__(self, width, height, title):
        self.size, self.parts = (width, height), []
        self.title = title

    def box(self, x, y, width, height, lines, kind=""):
        self.parts.append(f'<rect class="box {kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>')
        top = y + height / 2 - 9 * (len(lines) - 1) + 5
        for number, line in enumerate(lines):
            style = "small" if number else "name"
            self.text(x + width / 2, top + 18 * number, line, style)

    def text(self, x, y, text, style=""):
        self.parts.append(f'<text class="{style}" x="{x}" y="{y}">{escape(text)}</text>')

    def line(self, *points):
        self.parts.append(f'<path class="line" d="M{" L".join(f"{x} {y}" for x, y in points)}"/>')

    def write(self, name):
        width, height = self.size
        parts = "\n".join(self.parts)
        (FOLDER / name).write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img"><title>{escape(self.title)}</title>{STYLE}\n'
            f'<rect class="ground" width="{width}" height="{height}" rx="8"/>\n{parts}\n</svg>\n'
        )


# For each crate: its folder, its place in the drawing, its description and its style.
CRATES = {
    "postboard": (".", 265, 140, "the server: src/", "touch"),
    "console": ("console", 265, 255, "the board in a terminal", "touch"),
    "games": ("games", 60, 370, "the rules", "pure"),
    "grammar": ("grammar", 470, 370, "sentences: counts, lists", "pure"),
    "trainer": ("trainer", 60, 30, "makes the nets", ""),
    "benches": ("benches", 265, 30, "measures speed", ""),
    "fuzz": ("fuzz", 470, 30, "random input", ""),
}
WIDTH, HEIGHT = 180, 56


def dependencies(name):
    manifest = tomllib.loads((ROOT / CRATES[name][0] / "Cargo.toml").read_text())
    return [other for other, need in manifest["dependencies"].items() if other in CRATES and "path" in need]


def crates():
    drawing = Drawing(710, 456, "The crates and their dependencies")
    for name, (_, x, y, *_) in CRATES.items():
        for other in dependencies(name):
            # Crates above the server only point to it; the server's own arrows show the rest.
            if y < 100 and "postboard" in dependencies(name) and other != "postboard":
                continue
            _, other_x, other_y, *_ = CRATES[other]
            start, end = x + WIDTH / 2 + (other_x - x) * 0.3, other_x + WIDTH / 2 + (x - other_x) * 0.15
            if other_y - y > 200 and other_x != x:
                start = x + (0 if other_x < x else WIDTH)
                end = other_x + WIDTH / 2 + (x - other_x) * 0.2
                drawing.line((start, y + HEIGHT / 2), (end, y + HEIGHT / 2), (end, other_y - 2))
            else:
                drawing.line((start, y + HEIGHT), (end, other_y - 2))
    for name, (_, x, y, what, kind) in CRATES.items():
        drawing.box(x, y, WIDTH, HEIGHT, [name, what], kind)
    drawing.write("crates.svg")


STAGES = [
    ("receive", "the spool, synced to disk", "touch"),
    ("receipt", "parsed; executed before?", "touch"),
    ("sender, requests", "who, and which commands", "pure"),
    ("documents", "loaded under the lock", "touch"),
    ("decide", "events and an answer, or a refusal", "pure"),
    ("change", "documents apply events", "pure"),
    ("answer, rate_limit", "blocks for readers; rate limits", "pure"),
    ("letters", "addresses, quotas, headers", "pure"),
    ("unit_of_work", "one commit: documents, letters, receipt", "touch"),
    ("deliver", "text, HTML and picture, by SMTP", "touch"),
]


def mail_way():
    drawing = Drawing(760, 470, "The way of a mail")
    width, height, across, down = 300, 56, 60, 28
    places = []
    for number, (name, what, kind) in enumerate(STAGES):
        column, row = divmod(number, 5)
        places.append((50 + column * (width + across), 40 + row * (height + down), name, what, kind))
    for (x, y, *_), (other_x, other_y, *_) in zip(places, places[1:]):
        if other_x == x:
            drawing.line((x + width / 2, y + height), (x + width / 2, other_y - 2))
        else:
            middle = x + width + across / 2
            drawing.line((x + width, y + 28), (middle, y + 28), (middle, other_y + 28), (other_x - 2, other_y + 28))
    for x, y, name, what, kind in places:
        drawing.box(x, y, width, height, [name, what], kind)
    drawing.text(380, 455, "green: pure functions of documents, command, time and chance; orange: touches the machine", "small")
    drawing.write("mail-way.svg")


crates()
mail_way()
