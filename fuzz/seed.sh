#!/usr/bin/env bash
# Fills fuzz/corpus with the seeds of the fuzz targets: the mails of the tests, a mail for each kind of command, and
# positions and records of the tests. Inputs that a run adds are kept there but not committed.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p fuzz/corpus/{mail,server,position,transcript}

find tests/mail/corpus -name '*.eml' | while read -r mail; do
    name=$(basename "$(dirname "$mail")")-$(basename "$mail" .eml)
    cp "$mail" "fuzz/corpus/mail/$name"
    cp "$mail" "fuzz/corpus/server/$name"
done

# The passwords here are wrong.
number=0
while read -r subject; do
    number=$((number + 1))
    for more in "" "Content-Type: text/html" "In-Reply-To: <board-malaka-1@localhost>"; do
        printf 'From: alice@example.org\nTo: postboard@localhost\nSubject: %s\nMessage-ID: <%s@x>\n%s\nmalaka show 1\na1-a4\n' \
            "$subject" "$number" "${more:+$more$'\n'}" > "fuzz/corpus/server/command-$number-${#more}"
        cp "fuzz/corpus/server/command-$number-${#more}" fuzz/corpus/mail/
    done
done <<'END'
help commands
malaka help
multiple
list malaka
signup dave Swordfish-1 dave@example.org
forgot alice
confirm-address alice-abcdefghijklmnop
change password alice Swordfish another-1
change address alice Swordfish alice@home.example
set alice Swordfish reminders off
unsubscribe [#or-alice-abcdefghijklmnop]
Re: Your turn: Malaka 1 against bob (move 1) [#bmalaka1m1-abcdefghijklmnop]
malaka challenge alice bob -large --nagtime=3
backgammon challenge bob alice -match=5 -jacoby
malaka move 1#1 alice Swordfish a1-a4
malaka show 1#0 alice next
all show alice next
malaka preview new -d6 3 a1-a4
malaka seek alice Swordfish --min=1500
malaka accept-seek 1 alice Swordfish
malaka games alice all
malaka history
malaka standings
malaka show -export=json 1
export alice Swordfish
vacation alice Swordfish 2004-09-01 2004-09-14
message alice Swordfish bob
END

# Line 1 is the game, line 2 the position, and the other lines are moves to try.
number=0
while IFS='|' read -r game position moves; do
    number=$((number + 1))
    printf '%s\n%s\n%s\n' "$game" "$position" "${moves//;/$'\n'}" > "fuzz/corpus/position/$number"
done <<'END'
malaka|O 3 a1=OO a7=OO a8=OO a9=OO b1=OO c1=OO g9=XX h9=XX i1=XX i2=XX i3=XX i9=XX|a1-a4;a1:3;c3-c6,c6-c8
malaka -large -many|O 23 a8=OO e3=X e5=OO h5=X|e5-e7,e5-e8;2xe5:3
malaka|O 66 a8=OO e3=X e5=OO h5=X|e5xh5;e5-e8-h8
moloko|O 3 a1=OO a4=OO i9=XX|a1-a4
backgammon|O 31 24=OO 13=OOOOO 8=OOO 6=OOOOO 1=XX 12=XXXXX 17=XXX 19=XXXXX|8/5,6/5;8:3,6:1;resign
backgammon -match=5|O 66 bar=O 6=OO 24=XX off=OOX|bar/19;b-19;pass
backgammon|O 22 6=OO 5=OO off=OOOOOOOOOOO 24=XX|4x6/4;6/off(2);3x6-h
plakoto|O 52 1=OOOOOOOOOOOOO 9=OX 24=XXXXXXXXXXXXX|1-6,1-3;9-11
moultezim|O 63 1=OOOOOOOOOOOOOOO 13=XXXXXXXXXXXXXXX|1-7,7-10;roll
fevga|O 41 14=OO 15=OO 16=OO 17=OO 18=OO 19=OO 24=OOO 13=XXXXXXXXXXXXXXX|14-18,14-15;14-18,15-16
nardy|O 21 1=OOOOOOOOO 14=O 15=O 16=O 17=OO 18=O 13=XXXXXXXXXXXXXXX|17-19,1-2;1-2,1-3
nackgammon|O 42 24=OO 23=OO 13=OOOO 8=OOO 6=OOOO 1=XX 2=XX 12=XXXX 17=XXX 19=XXXX|8/4,6/4
hypergammon|X 41 18=O 20=O 23=O 1=X 2=X 3=X|1-5,3-4
tavli|X 65 1=OOOOOOOOOOOOOOO 24=XXXXXXXXXXXXXXX match=5 score=1-2 game=2 last=X2|24-18,24-19;accept
checkers -opening=46|W:W21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,23 ballot=46|27x18;26-19;c1-d2
draughts|W:W28,31,32,37,K50:B14,18,19,23,K5 last=18-23|28x19;50x10;32x23x12, 12x3
dots -size=2|X .-.../...../.-.../|O|../.-... last=c2|d1;b1;a1-c1, c3-c5
END

for record in tests/games/oracles/mat/*.mat; do
    { echo backgammon; cat "$record"; } > "fuzz/corpus/transcript/$(basename "$record")"
done
ls fuzz/corpus | while read -r target; do
    echo "$target: $(find "fuzz/corpus/$target" -type f | wc -l) files"
done
