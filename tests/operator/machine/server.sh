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
# A second home takes nothing from the first one, and other settings stay.
club=/var/lib/postboard/club
echo 'club.example.org x' > /etc/postfix/domains
postmap /etc/postfix/domains
postconf -e 'local_recipient_maps =' 'recipient_delimiter = -+' 'virtual_mailbox_domains = hash:/etc/postfix/domains'
before=$(postconf -n)
postboard --home $club setup --apply --door server --address club@$host --name Club --plus true --by smtp \
    --own-address '' --administrator '' >/tmp/club || fail "$(cat /tmp/club)"
grep -q "passes bounces@$host on to lmtp:unix:/run/postboard/lmtp: set .plus = false." /tmp/club || fail "$(cat /tmp/club)"
[ "$before" = "$(postconf -n)" ] || fail 'a refused setup has changed Postfix'
runuser -u postboard -- sed -i 's/^plus = true/plus = false/' $club/postboard.toml
postboard --home $club setup --apply --own-address root@$host >/tmp/club || fail "$(cat /tmp/club)"
grep -q 'It works' /tmp/club || fail "$(cat /tmp/club)"
changed=$(diff <(echo "$before") <(postconf -n) | grep '^>') || true
grep -q '^> transport_maps = ' <<<"$changed" && [ "$(wc -l <<<"$changed")" = 1 ] || fail "Postfix has changed: $changed"
echo 'the move was played and answered'
