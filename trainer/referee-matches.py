#!/usr/bin/env python3
"""Lets GNU Backgammon judge matches at 2-ply: those in folders of `.mat` files, and those of its own 0-ply.

    referee-matches.py --own 12 --keep DIR FOLDER...

Debian's package `gnubg` is only run as a program; `$GNUBG` names another program file. `--own N` lets two 0-ply
players play N matches to seven points, which are written to DIR and judged like the others. Prints a line for
each folder: the error of an unforced play in thousandths of a point (normalized to the match, as GNU Backgammon
does), the error of a close or actual cube decision, and the number of each.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

GNUBG = os.environ.get("GNUBG", "/usr/games/gnubg")

PLAY = """\
set rng mersenne
set seed {seed}
set automatic game on
set automatic roll on
set display off
set player 0 gnubg
set player 1 gnubg
set player 0 chequerplay evaluation plies 0
set player 1 chequerplay evaluation plies 0
set player 0 cubedecision evaluation plies 0
set player 1 cubedecision evaluation plies 0
new match 7
export match mat "{file}"
"""

JUDGE = """\
set lang C
set threads 1
set display off
set analysis chequerplay evaluation plies 2
set analysis cubedecision evaluation plies 2
set analysis luck off
import mat "{file}"
analyse match
show statistics match
"""


def run_gnubg(commands):
    """Returns the output of GNU Backgammon for some commands."""
    done = subprocess.run([GNUBG, "-t", "-q"], input=commands, capture_output=True, text=True,
                          env={**os.environ, "LC_ALL": "C.UTF-8"})
    return done.stdout


def sum_of_players(name, said):
    """Adds the numbers of both players on the first line named `name`."""
    line = re.search(rf"^{re.escape(name)} (.*)$", said, re.M)
    numbers = re.sub(r"\(.*?\)", "", line[1]).split()
    return sum(abs(float(number)) for number in numbers)


def judge(file):
    """Returns the number of unforced plays and their loss, the number of cube decisions and their loss."""
    said = run_gnubg(JUDGE.format(file=file))
    cube = said[said.index("Cube statistics"):]
    return [sum_of_players("Unforced moves", said), sum_of_players("Error total EMG (MWC)", said),
            sum_of_players("Close or actual cube decisions", cube), sum_of_players("Error total EMG (MWC)", cube)]


def print_row(folder):
    """Prints the line of a folder. Returns the error of a play."""
    files = sorted(pathlib.Path(folder).glob("*.mat"))
    sums = [0.0] * 4
    for number, file in enumerate(files, 1):
        print(f"{folder}: {number} of {len(files)}", end="\r", file=sys.stderr)
        sums = [a + b for a, b in zip(sums, judge(file))]
    plays, lost, cubes, cube_lost = sums
    per_play, per_cube = 1000 * lost / max(plays, 1), 1000 * cube_lost / max(cubes, 1)
    print(f"{folder}: {len(files)} matches, {per_play:.2f} a play in {plays:.0f}, "
          f"{per_cube:.2f} a decision about the cube in {cubes:.0f} ({cube_lost:.3f} in all)",
          flush=True)
    return per_play


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--own", type=int, default=0, metavar="N")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("gnubg-0-ply"))
    parser.add_argument("folders", nargs="*")
    order = parser.parse_args()
    if order.own:
        order.keep.mkdir(parents=True, exist_ok=True)
        for number in range(1, order.own + 1):
            file = order.keep.resolve() / f"{number:02}.mat"
            run_gnubg(PLAY.format(seed=number, file=file))
    own = print_row(order.keep) if order.keep.exists() else None
    for folder in order.folders:
        per_play = print_row(folder)
        if own:
            print(f"{folder}: {per_play / own:.2f} times the error of GNU Backgammon's 0-ply")


main()
