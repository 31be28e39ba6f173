#!/usr/bin/env python3
"""Makes ids.txt: XGIDs with the IDs that GNU Backgammon shows for them.

    python3 make_ids.py ids.txt

Made with Python 3.11.7 (no packages) and GNU Backgammon 1.07.001 (Debian
1.07.001-1+b1, GPL-3, run only), through gnubg_ids.sh in this folder, which sends
`set xgid XGID=...` and asks for the GNUBGID.

GNU Backgammon 1.07 reads XGIDs but does not write them. So this script writes
them, for hand-made states and for states of the matches in mat/*.ids, computes
the ID of each, and compares it with the answer.
"""

import base64
import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# ------------------------------------------------------------------------- IDs


def bits_of(text):
    return "".join(f"{b:08b}"[::-1] for b in base64.b64decode(text + "=" * (-len(text) % 4)))


def text_of(bits):
    octets = bytes(int(bits[i : i + 8][::-1], 2) for i in range(0, len(bits), 8))
    return base64.b64encode(octets).decode().rstrip("=")


FIELDS = [  # of a match ID, lowest bit first
    ("cube", 4), ("owner", 2), ("roller", 1), ("crawford", 1), ("state", 3),
    ("turn", 1), ("double", 1), ("resign", 2), ("die1", 3), ("die2", 3),
    ("length", 15), ("score0", 15), ("score1", 15), ("nojacoby", 1),
]


def read_match(text):
    bits, at, out = bits_of(text), 0, {}
    for name, width in FIELDS:
        out[name] = int(bits[at : at + width][::-1], 2)
        at += width
    return out


def write_match(fields):
    bits = "".join(f"{fields[name]:0{width}b}"[::-1] for name, width in FIELDS)
    return text_of(bits.ljust(72, "0"))


def read_position(text):
    """(other, on roll): two lists of 25 counts, ace point first, bar last."""
    counts = [len(run) for run in bits_of(text).split("0")]
    return counts[:25], counts[25:50]


def write_position(other, mover):
    bits = "".join("1" * n + "0" for side in (other, mover) for n in side)
    return text_of(bits.ljust(80, "0"))


def xgid(other, mover, f):
    """Returns the XGID of a state. Player 1 is drawn at the bottom (upper case)."""
    one, nought = (mover, other) if f["roller"] == 1 else (other, mover)
    points = [nought[24]] + [0] * 24 + [one[24]]
    board = [""] * 26
    board[0] = "abcdefghijklmno"[nought[24] - 1] if nought[24] else "-"
    board[25] = "ABCDEFGHIJKLMNO"[one[24] - 1] if one[24] else "-"
    for p in range(1, 25):
        mine, theirs = one[p - 1], nought[24 - p]
        if mine:
            board[p] = "ABCDEFGHIJKLMNO"[mine - 1]
        elif theirs:
            board[p] = "abcdefghijklmno"[theirs - 1]
        else:
            board[p] = "-"
    owner = {3: 0, 1: 1, 0: -1}[f["owner"]]
    turn = 1 if f["roller"] == 1 else -1
    dice = "%d%d" % (f["die1"], f["die2"])
    rule = f["crawford"] if f["length"] else 1 - f["nojacoby"]
    return "XGID=%s:%d:%d:%d:%s:%d:%d:%d:%d:10" % (
        "".join(board), f["cube"], owner, turn, dice,
        f["score1"], f["score0"], rule, f["length"],
    )


def expected(other, mover, f):
    """Returns the ID that GNU Backgammon shows: the player on roll is player 1, an
    offered double is taken back, and the larger die comes first."""
    f = dict(f)
    if f["roller"] == 0:
        f["score0"], f["score1"] = f["score1"], f["score0"]
        f["owner"] = {3: 3, 1: 0, 0: 1}[f["owner"]]
    f["die1"], f["die2"] = sorted((f["die1"], f["die2"]), reverse=True)
    f.update(roller=1, turn=1, double=0)
    return write_position(other, mover) + ":" + write_match(f)


# ------------------------------------------------------------------ the states

START = "4HPwATDgc/ABMA"
POSITIONS = [
    START,
    "4HPwARLgc/ABMA",  # two of the other's back checkers have moved
    "sNs8CAhw58EARg",  # one on the bar
    "m7sBaABhh+oAcA",  # three on the bar
    "2LY5AETG5gwASw",  # both on the bar
    "YYfqAHCb3QAMGA",  # three of the other's on the bar
    "/3sAACC2bReAAA",  # many on one point
    "PwAAgAEAAAAAAA",  # few left
]


def state(**changes):
    fields = dict.fromkeys((name for name, _ in FIELDS), 0)
    fields.update(owner=3, roller=1, state=1, turn=1, nojacoby=1)
    fields.update(changes)
    return fields


def hand_made():
    """Yields states that cover the values of each field."""
    states = []
    for length, s0, s1, crawford in [
        (1, 0, 0, 0), (3, 0, 2, 1), (3, 1, 2, 0), (5, 2, 1, 0), (7, 6, 3, 1),
        (7, 6, 5, 0), (11, 0, 10, 1), (25, 13, 8, 0), (64, 63, 1, 1),
    ]:
        for roller in (1, 0):
            states.append(state(length=length, score0=s0, score1=s1,
                                crawford=crawford, roller=roller))
    for cube in range(11):
        for owner in (1, 0):
            states.append(state(length=17, cube=cube, owner=owner if cube else 3,
                                roller=(cube + owner) % 2, score0=cube, score1=3))
    for die1 in range(1, 7):
        for die2 in range(1, 7):
            states.append(state(length=5, score0=1, score1=2, die1=die1, die2=die2,
                                roller=(die1 + die2) % 2))
    for nojacoby in (0, 1):
        for cube, owner in ((0, 3), (1, 1), (2, 0)):
            for roller in (1, 0):
                states.append(state(nojacoby=nojacoby, cube=cube, owner=owner,
                                    roller=roller, score0=12, score1=7,
                                    die1=6 * (cube == 1), die2=4 * (cube == 1)))
    for i, fields in enumerate(states):
        yield read_position(POSITIONS[i % len(POSITIONS)]) + (fields,)


# XGIDs with details that `set xgid` drops, and the XGIDs without them.
ODD = [
    # the double has been offered: stepped back
    ("XGID=-b----E-C---eE---c-e---B--:0:0:1:D:2:4:0:7:10",
     "XGID=-b----E-C---eE---c-e---B--:0:0:1:00:2:4:0:7:10"),
    ("XGID=-b----E-C---eE---c-e---B--:2:1:-1:D:2:4:0:7:10",
     "XGID=-b----E-C---eE---c-e---B--:2:1:-1:00:2:4:0:7:10"),
    # money: beavers allowed (2) with and without Jacoby (1)
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:2:0:10",
     "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"),
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10",
     "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:10"),
    # the largest cube
    ("XGID=-b----E-C---eE---c-e----B-:1:1:1:52:0:0:0:7:3",
     "XGID=-b----E-C---eE---c-e----B-:1:1:1:52:0:0:0:7:10"),
]


def played():
    """Yields every 20th state of the matches in mat, and of every 5th those with
    checkers of both on the bar and a turned cube."""
    for path in sorted(glob.glob(os.path.join(HERE, "mat", "*.ids"))):
        for number, line in enumerate(open(path)):
            if line.startswith("#"):
                continue
            _, _, name, _, what = line.split()
            position, match = name.split(":")
            other, mover = read_position(position)
            fields = read_match(match)
            assert write_position(other, mover) == position
            assert write_match(fields) == match
            if what in ("over", "double"):
                continue
            late = number % 5 == 0 and fields["cube"] and mover[24] and other[24]
            if number % 20 == 0 or late:
                yield other, mover, fields


def main():
    pairs = []
    for other, mover, fields in list(hand_made()) + list(played()):
        pair = (expected(other, mover, fields), xgid(other, mover, fields))
        if pair not in pairs:
            pairs.append(pair)
    asked = [x for _, x in pairs] + [x for odd in ODD for x in odd]
    shown = subprocess.run(
        [os.path.join(HERE, "gnubg_ids.sh")],
        input="\n".join(asked) + "\n", capture_output=True, text=True, check=True,
    ).stdout.split()
    assert len(shown) == len(asked)
    wrong = [(x, want, got) for (want, x), got in zip(pairs, shown) if want != got]
    for line in wrong:
        print(*line, file=sys.stderr)
    if wrong:
        sys.exit(f"{len(wrong)} of {len(pairs)} are not as expected")
    odd = shown[len(pairs) :]
    assert odd[0::2] == odd[1::2]
    with open(sys.argv[1], "w") as f:
        f.write(HEADER.format(pairs=len(pairs), odd=len(ODD)))
        for (_, x), got in zip(pairs, shown):
            print(got, x, file=f)
        for (x, _), got in zip(ODD, odd[0::2]):
            print("!", got, x, file=f)
    print(len(pairs), "pairs,", len(ODD), "odd")


HEADER = """\
# The IDs that GNU Backgammon shows for XGIDs.
#
# <posid>:<matchid> <XGID>
#   {pairs} lines: the GNU position ID and match ID (a GNUBGID) that GNU Backgammon
#   1.07.001 (Debian 1.07.001-1+b1) shows after `set xgid <XGID>`.
# ! <posid>:<matchid> <XGID>
#   {odd} lines, the last ones, where the XGID says what is lost in the IDs: a
#   double that has been offered (GNU Backgammon steps back to before it; the
#   turn field is that of the player who doubled), beavers, the largest cube.
#
# In XGIDs here the upper-case player is at the bottom, the score fields are
# that player's, then the other's; the eighth field is the Crawford game in a
# match and 1 for the Jacoby rule without one; the last field is 10 (but for
# the line on the largest cube).
# Where the turn field is -1 the lower-case player is on roll, and GNU
# Backgammon exchanges the players, so that the one on roll is player 1 in the
# match ID in every line: scores and cube owner are exchanged with it. The
# larger die comes first in the match ID.
#
# States: made by hand, and states of the matches in the folder mat. GNU
# Backgammon reads XGIDs but writes none, so make_ids.py writes them; it also
# works out each ID by itself, and the program agreed with all of them.
# What a program shows is a fact; no text of the program is here.
#
# Made by: python3 make_ids.py ids.txt
"""


if __name__ == "__main__":
    main()
