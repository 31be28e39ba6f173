#!/usr/bin/env python3
"""Makes moves.txt and ends.txt from the answers of GNU Go about positions of SpeedGo.

    cargo test -p games -- --ignored --nocapture speedgo::tests::oracle::asks \\
        | python3 games/speedgo/oracle/make.py games/speedgo/oracle

Made with Python 3.11.7 (no packages) and GNU Go 3.8 (Debian 3.8-11, GPL-3, run
only): gnugo --mode gtp --boardsize 9 --chinese-rules --komi 0 --simple-ko
--forbid-suicide.

moves.txt has a line for each game, `ROWS MOVE,MOVE...`. Below it, lines
`= COUNT NOT-LEGAL PRESS TAKEN` describe the position after COUNT moves: the dark
points that `is_legal` denies the side to move, and the enemy stones that
`list_stones` no longer lists after `play` of PRESS.
ends.txt has a line for each position, `ROWS STATUS [SCORE]`: the
`unconditional_status` of each point from a9 to i1 (a alive, d dead, g green's and
r red's territory, u undecided), and `final_score` if each point is alive or
territory.
"""

import subprocess
import sys

COLUMNS = dict(zip("abcdefghi", "ABCDEFGHJ"))
POINTS = [c + l for l in "987654321" for c in "abcdefghi"]
WORDS = {
    "alive": "a",
    "dead": "d",
    "black_territory": "g",
    "white_territory": "r",
    "undecided": "u",
}


class GnuGo:
    def __init__(self):
        self.program = subprocess.Popen(
            ["/usr/games/gnugo", "--mode", "gtp", "--boardsize", "9", "--chinese-rules"]
            + ["--komi", "0", "--simple-ko", "--forbid-suicide"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, commands):
        """Returns the answers to several commands."""
        self.program.stdin.write("".join(command + "\n" for command in commands))
        self.program.stdin.flush()
        return [self.answer(command) for command in commands]

    def answer(self, command):
        lines = []
        while (line := self.program.stdout.readline()) != "\n":
            lines.append(line.rstrip("\n"))
        assert lines[0].startswith("= ") or lines[0] == "=", (command, lines)
        return " ".join(lines)[1:].strip()

    def lay(self, rows):
        """Sets up stones. None is captured meanwhile, since all chains have liberties in the end."""
        stones = zip(POINTS, rows.replace("/", ""))
        self.ask(["clear_board"] + [play(s, p) for p, s in stones if s in "GR"])


def vertex(point):
    return "pass" if point == "pass" else COLUMNS[point[0]] + point[1]


def side(mark):
    return "black" if mark == "G" else "white"


def play(mark, point):
    return f"play {side(mark)} {vertex(point)}"


def moves(gnugo, rows, moves, asked, out):
    print(rows, ",".join(moves), file=out)
    gnugo.lay(rows)
    for count, move in enumerate(moves + ["pass"]):
        mark = "GR"[count % 2]
        if count in asked:
            press, enemy = asked[count], "RG"[count % 2]
            lit = " ".join(gnugo.ask(["list_stones black", "list_stones white"])).split()
            dark = [p for p in POINTS if vertex(p) not in lit]
            answers = gnugo.ask([f"is_legal {side(mark)} {vertex(p)}" for p in dark])
            illegal = [p for p, legal in zip(dark, answers) if legal == "0"]
            listed = set(gnugo.ask([f"all_legal {side(mark)}"])[0].split())
            assert listed == {vertex(p) for p in dark if p not in illegal}, (count, listed)
            stones = f"list_stones {side(enemy)}"
            before, _, after, _ = gnugo.ask([stones, play(mark, press), stones, "undo"])
            gone = set(before.split()) - set(after.split())
            taken = [p for p in POINTS if vertex(p) in gone]
            print("=", count, ",".join(illegal) or "-", press, ",".join(taken) or "-", file=out)
        gnugo.ask([play(mark, move)])


def end(gnugo, rows, out):
    gnugo.lay(rows)
    answers = gnugo.ask([f"unconditional_status {vertex(p)}" for p in POINTS])
    status = "".join(WORDS[answer] for answer in answers)
    words = [rows, status]
    if not set(status) & set("du"):
        score = gnugo.ask(["final_score"])[0]
        words.append(score.replace("B+", "G+").replace("W+", "R+").removesuffix(".0"))
    print(*words, file=out)


def main():
    gnugo = GnuGo()
    with open(sys.argv[1] + "/moves.txt", "w") as answers, open(sys.argv[1] + "/ends.txt", "w") as ends:
        for line in sys.stdin:
            match line.split():
                case ["game", rows, played, asked]:
                    pairs = (pair.split(":") for pair in asked.split(","))
                    asked = {int(count): press for count, press in pairs}
                    moves(gnugo, rows, played.split(","), asked, answers)
                case ["end", rows]:
                    end(gnugo, rows, ends)


main()
