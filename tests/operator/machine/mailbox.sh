grep -q 'its answer goes to olga@provider.example. It works.' /tmp/said || fail "$(cat /tmp/said)"
await has olga 'Subject: Help'
# The server knows the provider by its mailbox alone.
says 'reads the mailbox of play@provider.example at imap.provider.example' cat /tmp/said
[ "$before" = "$(postconf -n)" ] || fail "setup has changed the Postfix of the provider"
[ "$(systemctl is-enabled postboard.service)" = enabled ] || fail "the service is not enabled"
[ -z "$(find $home ! -user postboard)" ] || fail "root has made files in the home: $(find $home ! -user postboard)"
[ "$(stat -c %a $home/mail-password)" = 600 ] || fail "others may read the password"
says olga postboard_ moderate list
first_move
# The mailbox is empty: each mail was taken.
[ -z "$(find /home/play/Maildir -path '*/new/*' -o -path '*/cur/*')" ] || fail "mails are left in the mailbox"
# A second run keeps the configuration and tries again.
postboard setup --apply >/tmp/again </dev/null || fail "$(cat /tmp/again)"
grep -q 'It works' /tmp/again || fail "$(cat /tmp/again)"
# Somebody has changed the password at the provider: one line says what is wrong.
echo 'play:another' | chpasswd
! postboard setup >/tmp/again </dev/null || fail "$(cat /tmp/again)"
says 'The mailbox cannot be used: \[imap\] imap.provider.example:993: the login of play@provider.example is refused' cat /tmp/again
echo 'the move was played and answered'
