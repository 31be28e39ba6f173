grep -q 'its answer goes to root@games.example.org. It works.' /tmp/said || fail "$(cat /tmp/said)"
await has root 'Subject: Help'
[ "$(systemctl is-enabled postboard.service)" = enabled ] || fail "the service is not enabled"
[ -z "$(find $home ! -user postboard)" ] || fail "root has made files in the home: $(find $home ! -user postboard)"
says olga postboard_ moderate list
for user in alice bob; do useradd --no-create-home $user; done
first_move
# A second run keeps the configuration, changes nothing in Postfix and tries again.
before=$(postconf -n)
postboard setup --apply >/tmp/again </dev/null || fail "$(cat /tmp/again)"
grep -q 'It works' /tmp/again || fail "$(cat /tmp/again)"
[ "$before" = "$(postconf -n)" ] || fail "the second run has changed Postfix"
echo 'the move was played and answered'
