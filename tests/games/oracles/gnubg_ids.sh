#!/bin/sh
# Prints the IDs that GNU Backgammon shows after reading an ID.
#
#   gnubg_ids.sh ID...        or, without arguments, IDs on stdin, one a line
#
# An ID is `XGID=...` or a GNUBGID, `posid:matchid`. Prints a line for each:
# `posid:matchid`, or `refused` if GNU Backgammon calls it invalid. Exit status:
# 0, 1 if an ID was refused or the program failed, 127 if GNU Backgammon is not
# installed.
#
# GNU Backgammon 1.07 reads XGIDs but does not write them. After an XGID, the
# player on roll is always player 1, who is drawn at the bottom. Where a double has
# been offered it "steps back to the offering of the cube", so the ID shown is that
# of the player who may still double.
#
# Made for GNU Backgammon 1.07.001 with Python (Debian package gnubg). Needs no
# display and no home directory; GNUBG names another program file.

set -eu

gnubg=${GNUBG:-$(command -v gnubg || echo /usr/games/gnubg)}
if [ ! -x "$gnubg" ]; then
    echo "gnubg_ids.sh: GNU Backgammon is not installed" >&2
    exit 127
fi

home=$(mktemp -d "${TMPDIR:-/tmp}/gnubg_ids.XXXXXX")
trap 'rm -rf "$home"' EXIT
trap 'exit 1' HUP INT TERM
if [ $# -gt 0 ]; then
    printf '%s\n' "$@" > "$home/ids"
else
    cat > "$home/ids"
fi

cat > "$home/in.py" <<'END'
import gnubg, sys
def say(*words):
    sys.stdout.flush()
    print(*words)
    sys.stdout.flush()
for line in ["set lang C", "set confirm new off", "set display off",
             "set automatic game off", "set automatic roll off",
             "set automatic move off", "set automatic bearoff off",
             "set player 0 human", "set player 1 human", "new session"]:
    gnubg.command(line)
say("=== start")
for line in open("ids"):
    name = line.strip()
    if not name:
        continue
    gnubg.command("set %s %s" % ("xgid" if "XGID" in name else "gnubgid", name))
    say("=== id", gnubg.gnubgid())
say("=== done")
END

cd "$home"
env -u DISPLAY HOME="$home" LC_ALL=C.UTF-8 \
    timeout "${GNUBG_TIMEOUT:-60}" "$gnubg" -t -q -r -p in.py \
    < /dev/null > out 2>&1 || true
if ! grep -q '^=== done$' out; then
    tail -n 5 out >&2
    exit 1
fi
sed -n '/^=== start$/,$p' out | awk '
    /^=== id / { print bad ? "refused" : $3; any += bad; bad = 0; next }
    /[Nn]ot a valid|No valid|[Ii]llegal|[Ii]nvalid/ { bad = 1 }
    END { exit any > 0 }'
