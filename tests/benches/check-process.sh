#!/bin/bash
# check-process.sh PROGRAM HOME - what has to be true of a home after a run of `process` over one
# mail with a move of alice's, however that run ended, and one more run.
set -u
program=$1 home=$2
wrong() { echo "$*"; exit 1; }
empty() { [ -z "$(ls -A "$home/$1")" ] || wrong "$1 holds $(ls -A "$home/$1" | tr '\n' ' ')"; }

"$program" --home "$home" process || wrong "process ends with $? afterwards"
for folder in spool/new spool/cur spool/bad; do empty "$folder"; done
said=$("$program" --home "$home" check) || wrong "check: $said"
moves=$(grep -c '"move"' "$home/boards/malaka/0/1.json")
[ "$moves" = 1 ] || wrong "$moves moves are recorded"
left=$(find "$home" -name '*.conflict' -o -name '*.damaged')
[ -z "$left" ] || wrong "a conflict: $left"

# The folder that postboard.toml names, `sent`, is looked for from here.
cd "$home/.." || exit 1
"$program" --home "$home" deliver || wrong "deliver ends with $?"
for folder in outbox/new outbox/cur outbox/bad; do empty "$folder"; done
mails=$(ls sent/*.eml | wc -l)
[ "$mails" = 2 ] || wrong "$mails mails went out"
ids=$(grep -h '^Message-ID:' sent/*.eml | sort -u | wc -l)
[ "$ids" = 2 ] || wrong "$ids Message-IDs"
to=$(grep -h '^To:' sent/*.eml | tr -d '\r' | sort | tr '\n' ' ')
[ "$to" = "To: alice@pbm.test To: bob@pbm.test " ] || wrong "mails went $to"

# The dice of the next move are random: the mails must show those that the board has.
position() { tr -d '\r' | sed -n '/^Position: /,/^$/{/^$/q;p}' | tr -s ' \n' ' '; }
board=$("$program" --home "$home" malaka show 1 | position)
for mail in sent/*.eml; do
    [ "$(position < "$mail")" = "$board" ] || wrong "$mail shows another position than $board"
done
