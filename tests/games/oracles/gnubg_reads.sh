#!/bin/sh
# Checks that GNU Backgammon reads a .mat file without complaint.
#
#   gnubg_reads.sh FILE.mat
#
# Exit status: 0 if it imports the file and prints only the board, 1 if it
# complains (its output goes to standard error), 2 for wrong usage, 127 if GNU
# Backgammon is not installed. Then prints a summary:
#
#   length 5                  points of the match, 0 for a money session
#   players White|Black       left column, right column
#   games 6
#   game 1 0 0 right 1        number, score before it (left, right), who won
#   ...                       (left, right or none), points
#   score 3 5                 the sum of the points: left, right
#
# Made for GNU Backgammon 1.07.001 with Python (Debian package gnubg). Needs no
# display and no home directory; GNUBG names another program file.

set -eu

if [ $# -ne 1 ] || [ ! -r "$1" ]; then
    echo "usage: gnubg_reads.sh FILE.mat" >&2
    exit 2
fi
gnubg=${GNUBG:-$(command -v gnubg || echo /usr/games/gnubg)}
if [ ! -x "$gnubg" ]; then
    echo "gnubg_reads.sh: GNU Backgammon is not installed" >&2
    exit 127
fi

home=$(mktemp -d "${TMPDIR:-/tmp}/gnubg_reads.XXXXXX")
trap 'rm -rf "$home"' EXIT
trap 'exit 1' HUP INT TERM
# A copy with a plain name: gnubg splits its commands at spaces.
cp -- "$1" "$home/in.mat"

cat > "$home/in.py" <<'END'
import gnubg, sys
def say(*words):
    sys.stdout.flush()
    print(*words)
    sys.stdout.flush()
for line in ["set lang C", "set confirm new off", "set display off",
             "set automatic game off", "set automatic roll off",
             "set automatic move off", "set automatic bearoff off",
             "set player 0 human", "set player 1 human"]:
    gnubg.command(line)
say("=== import")
gnubg.command("import mat in.mat")
say("=== summary")
match = gnubg.match(0, 0)
info = match["match-info"]
say("length", info["match-length"])
say("players %s|%s" % (info["X"]["name"], info["O"]["name"]))
say("games", len(match["games"]))
won = {"X": 0, "O": 0}
side = {"X": "left", "O": "right", None: "none"}
for number, game in enumerate(match["games"], 1):
    facts = game["info"]
    who = facts["winner"]
    points = facts.get("points-won") or 0
    say("game", number, facts["score-X"], facts["score-O"], side[who], points)
    if who:
        won[who] += points
say("score", won["X"], won["O"])
say("=== done")
END

cd "$home"
env -u DISPLAY HOME="$home" LC_ALL=C.UTF-8 \
    timeout "${GNUBG_TIMEOUT:-60}" "$gnubg" -t -q -r -p in.py \
    < /dev/null > out 2>&1 || true

# Every line between the markers that is not part of a board is a complaint.
said=$(sed -n '/^=== import$/,/^=== summary$/p' out | grep -v '^===' |
    grep -Ev '^( |[v^]\||$)' || true)
if [ -n "$said" ]; then
    printf '%s\n' "$said" >&2
    exit 1
fi
if ! grep -q '^=== done$' out; then
    tail -n 5 out >&2
    exit 1
fi
sed -n '/^=== summary$/,/^=== done$/p' out | grep -v '^==='
