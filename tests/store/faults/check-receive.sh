#!/bin/bash
# check-receive.sh PROGRAM HOME MAIL CODE - checks the state of a home after `receive` ended with CODE.
set -u
program=$1 home=$2 mail=$3 code=$4
wrong() { echo "$*"; exit 1; }
waiting=$(ls -A "$home/spool/new" | wc -l)
case "$code" in
    0) [ "$waiting" = 1 ] || wrong "receive succeeded, but $waiting mails are in the spool" ;;
    # Not taken, or not known to be durable. The mail server sends the mail again; if the first copy is already
    # in the spool, the second is recognised.
    75|-9) [ "$waiting" -le 1 ] || wrong "$waiting mails are in the spool" ;;
    *) wrong "a mail server would bounce the mail, as the exit code is $code" ;;
esac
for waits in "$home"/spool/new/*; do
    [ ! -e "$waits" ] || cmp -s "$waits" "$mail" || wrong "a mail in the spool differs from the mail received"
done
if [ "$code" != 0 ]; then
    "$program" --home "$home" receive < "$mail" || wrong "receive exits with $? afterwards"
fi
"$program" --home "$home" process || wrong "process exits with $?"
moves=$(grep -c '"move"' "$home/boards/malaka/0/1.json")
[ "$moves" = 1 ] || wrong "$moves moves are recorded"
said=$("$program" --home "$home" check) || wrong "check: $said"
