#!/bin/sh
# Makes mat/*.mat and mat/*.ids from matches of GNU Backgammon against itself.
#
#   make_mat.sh [FOLDER]      (default: the folder mat beside this script)
#
# Made with GNU Backgammon 1.07.001 (Debian 1.07.001-1+b1, GPL-3, run only).
# Both players use 0-ply for checkers and cube. The dice come from its Mersenne
# Twister with the seeds below, so every run makes the same files. The commands: `set seed`, `new match N` or `new
# session`, `new game` until the match is over, `set matchinfo date`, `export
# match mat FILE`. The files:
#
#   one-a    1 point, played to the last checker
#   one-b    1 point, a backgammon: 3 points are written although 1 is enough
#   three-a  3 points: 0-2, the Crawford game to 1-2, a game after it
#   three-b  3 points: a drop by the right player, then a game on cube 2
#   three-c  3 points, one game: a gammon on cube 2, played out
#   five-a   5 points, six games: drops and takes in both columns, and a
#            Crawford game that White gives up
#   five-b   5 points, one game: cube to 8, a checker closed out
#   seven-a  7 points, cube to 4, the Crawford game won by a gammon given up
#   seven-b  7 points, six games, the third the Crawford game
#   money-a  money session, 5 games, Jacoby rule
#   money-b  money session, 5 games, no Jacoby rule, first a gammon on cube 4
#   begun    5 points, not finished, names with a blank and a mark, all the
#            header lines; two human players whose moves are the first of the
#            list of `hint`
#   given    the same, but the right player has given up a gammon at once and
#            the second game has its first roll
#
# A game that was given up ends early; the format has no word for it.
#
# The .ids files are made by reading each .mat back (`import mat`) and going
# through every game with `next roll` (which stops before and after each roll).
# After a comment, one line a state: <game> <step> <posid>:<matchid> <player> <what>
#   player  who decides: 0 the left column, 1 the right column
#   what    00 before the roll (with or without the right to double),
#           two digits after a roll, in the order of the file,
#           double: the other player has doubled,
#           over: the game is over; the matchid has the new score, and its game
#           state says how: 2 played out, 3 given up, 4 dropped.
# The bits of a posid begin with the checkers of the player not on roll.

set -eu

here=$(cd "$(dirname "$0")" && pwd)
gnubg=${GNUBG:-$(command -v gnubg || echo /usr/games/gnubg)}
target=${1:-$here/mat}
mkdir -p "$target"
target=$(cd "$target" && pwd)
home=$(mktemp -d "${TMPDIR:-/tmp}/make_mat.XXXXXX")
trap 'rm -rf "$home"' EXIT

cat > "$home/in.py" <<'END'
import gnubg

def run(*lines):
    for line in lines:
        gnubg.command(line)

run("set lang C", "set output output off", "set display off",
    "set confirm new off", "set automatic game off", "set automatic roll off",
    "set automatic move off", "set automatic bearoff off", "set rng mersenne")
for player in (0, 1):
    for kind in ("chequerplay", "cubedecision"):
        run("set player %d %s evaluation plies 0" % (player, kind))

def won():
    points = {"X": 0, "O": 0}
    for game in gnubg.match(0, 0)["games"]:
        if game["info"]["winner"]:
            points[game["info"]["winner"]] += game["info"]["points-won"]
    return max(points.values())

def play(name, length, seed, games=0, jacoby="on"):
    """GNU Backgammon plays a whole game at each `new`."""
    run("set player 0 gnubg", "set player 1 gnubg", "set jacoby " + jacoby,
        "set seed %d" % seed, "new match %d" % length if length else "new session")
    count = 1
    while won() < length if length else count < games:
        run("new game")
        count += 1
    run("set player 0 name White", "set player 1 name Black",
        "set matchinfo date 2026-01-02", "export match mat %s.mat" % name)

def begun():
    run("set player 0 human", "set player 1 human", "set seed 3", "new match 5")
    for turn in range(30):
        if gnubg.posinfo()["doubled"]:
            run("take")
            continue
        if gnubg.posinfo()["dice"][0] == 0:
            run("roll")
        if gnubg.posinfo()["dice"][0] == 0:
            continue
        run("move " + gnubg.hint(5)["hint"][0]["move"])
        if turn == 12:
            run("double")
    run("set matchinfo event Winter Cup", "set matchinfo round 3",
        "set matchinfo place Oslo", "set matchinfo annotator nobody",
        "set matchinfo date 2026-01-02",
        "set player 0 name Ann B", "set player 1 name o_o",
        "export match mat begun.mat")
    run("resign gammon", "accept", "new game", "export match mat given.mat")

def ids(name):
    # A .mat file does not record the Jacoby rule.
    run("set player 0 human", "set player 1 human",
        "set jacoby " + ("off" if name == "money-b" else "on"),
        "import mat %s.mat" % name)
    games = len(gnubg.match(0, 0)["games"])
    lines = []
    gnubg.navigate()
    for game in range(1, games + 1):
        if game > 1:
            run("next game")
        last, step = None, 0
        while True:
            try:
                now = gnubg.gnubgid()
            except ValueError:
                now = None
            if now == last and step > 0:
                break
            if now is not None and now != last:
                info = gnubg.posinfo()
                what = "%d%d" % tuple(info["dice"])
                if info["gamestate"] != 1:
                    what = "over"
                elif info["doubled"]:
                    what = "double"
                step += 1
                lines.append("%d %d %s %d %s" % (game, step, now, info["turn"], what))
                if what == "over":
                    break
            last = now
            run("next roll")
    with open(name + ".ids", "w") as f:
        f.write("# From %s.mat by GNU Backgammon 1.07.001; see make_mat.sh.\n" % name)
        f.write("\n".join(lines) + "\n")

names = []
for args in [
    ("one-a", 1, 4), ("one-b", 1, 5),
    ("three-a", 3, 1), ("three-b", 3, 4), ("three-c", 3, 5),
    ("five-a", 5, 1), ("five-b", 5, 4), ("seven-a", 7, 4), ("seven-b", 7, 5),
    ("money-a", 0, 1, 5), ("money-b", 0, 4, 5, "off"),
]:
    play(*args)
    names.append(args[0])
begun()
for name in names + ["begun", "given"]:
    ids(name)
END

cd "$home"
env -u DISPLAY HOME="$home" LC_ALL=C.UTF-8 timeout 300 \
    "$gnubg" -t -q -r -p in.py < /dev/null > out 2>&1 || true
if [ ! -s given.ids ]; then
    tail -n 20 out >&2
    exit 1
fi
cp -- *.mat *.ids "$target"
