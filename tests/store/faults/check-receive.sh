#!/bin/bash
# check-receive.sh PROGRAM HOME MAIL CODE - what has to be true after `receive` ended with CODE.
set -u
program=$1 home=$2 mail=$3 code=$4
wrong() { echo "$*"; exit 1; }
waiting=$(ls -A "$home/spool/new" | wc -l)
case "$code" in
    0) [ "$waiting" = 1 ] || wrong "taken, and $waiting mails wait" ;;
    # Not taken, or not known to be durable. The mail server sends it again, and if it waits here
    # already, the second is known.
    75|-9) [ "$waiting" -le 1 ] || wrong "$waiting mails wait" ;;
    *) wrong "a mail server bounces the mail at $code" ;;
esac
for waits in "$home"/spool/new/*; do
    [ ! -e "$waits" ] || cmp -s "$waits" "$mail" || wrong "another mail waits than came"
done
if [ "$code" != 0 ]; then
    "$program" --home "$home" receive < "$mail" || wrong "receive ends with $? afterwards"
fi
"$program" --home "$home" process || wrong "process ends with $?"
moves=$(grep -c '"move"' "$home/boards/malaka/0/1.json")
[ "$moves" = 1 ] || wrong "$moves moves are recorded"
said=$("$program" --home "$home" check) || wrong "check: $said"
