apt-get install --yes /share/postboard.deb >/dev/null
systemctl start postfix
unit=/etc/systemd/system/postboard.service.d
# Writes lines into the unit's drop-in, as `systemctl edit` does, and starts the service anew.
edit() {
    mkdir -p $unit
    printf '%s\n' "$@" > $unit/test.conf
    systemctl daemon-reload
    systemctl restart postboard.service
}
says_in_journal() { grep -q -- "$1" <<<"$(journalctl --no-pager -u postboard.service)"; }
set_deliver() { sed -i "/^\[deliver\]/,/^# late_minutes/c [deliver]\n$1\n# late_minutes = 60" $home/postboard.toml; }
doctor() { postboard_ doctor 2>&1 || true; }
tells() { grep -q -- "$1" <<<"$(doctor)"; }
await_doctor() { for _ in $(seq 100); do tells "$1" && return; sleep 0.1; done; fail "doctor does not say $1: $(doctor)"; }

step "the package runs one service, whose answers leave by the mail server of this machine"
[ "$(systemctl is-active postboard.service)" = active ] || fail "it does not run"
says '^deliver.by = "smtp"' postboard_ config
postboard_ signup rita first-secret root@localhost >/dev/null
postboard_ signup paul second-secret paul@elsewhere.example >/dev/null
postboard_ malaka challenge rita paul >/dev/null
await has root 'Malaka board 1'
says "^Home *$home " postboard status

step "a program that would need privileges is named, as the service sees it"
set_deliver 'by = "sendmail"'
edit '[Service]'
await_doctor 'MEND ways .*which a service may not gain.*so the service sees it'

step "a folder that the service does not see is named, and the documents let it in"
set_deliver 'by = "smtp"'
install -d -o postboard /home/games /home/games/Maildir{,/new,/cur,/tmp} /srv/mail/games{,/new,/cur,/tmp}
sed -i 's#^\[collect\]#[collect]\nmaildir = "/home/games/Maildir"#' $home/postboard.toml
edit '[Service]'
await_doctor 'MEND ways .*/home/games/Maildir/new.*so the service sees it'
edit '[Service]' 'ProtectHome=tmpfs' 'BindPaths=/home/games/Maildir'
for _ in $(seq 100); do tells 'the service sees it' || break; sleep 0.1; done
! tells 'the service sees it' || fail "$(doctor)"
printf 'From: rita <root@localhost>\nTo: postboard@localhost\nMessage-ID: <1@localhost>\nSubject: help malaka\n\n' > /tmp/mail
install -o postboard /tmp/mail /home/games/Maildir/tmp/1
mv /home/games/Maildir/tmp/1 /home/games/Maildir/new/1
await has root '^In-Reply-To:'
sed -i 's#^maildir = .*#maildir = "/srv/mail/games"#' $home/postboard.toml
edit '[Service]'
await_doctor 'MEND ways .*/srv/mail/games/new.*so the service sees it'
edit '[Service]' 'ReadWritePaths=/srv/mail/games'
for _ in $(seq 100); do tells 'the service sees it' || break; sleep 0.1; done
! tells 'the service sees it' || fail "$(doctor)"
sed -i '/^maildir = /d' $home/postboard.toml

step "a password that only the service has"
# systemd cannot make the folder of credentials on this machine; the variable is what a service sees of it.
install -d -o postboard -m 700 /srv/credentials
echo hunter2 > /srv/credentials/deliver.password_file
chown postboard: /srv/credentials/deliver.password_file
chmod 400 /srv/credentials/deliver.password_file
set_deliver 'by = "smtp"\nuser = "games"'
edit '[Service]'
await_doctor 'MEND ways .*there is no password for user = "games"'
printf 'From: a@b.example\nSubject: help\n\n' | postboard_ receive || fail "mails do not come in"
edit '[Service]' 'Environment=CREDENTIALS_DIRECTORY=/srv/credentials'
await_doctor 'ok   sending .*only the service has the password'
! tells 'there is no password' || fail "$(doctor)"
set_deliver 'by = "smtp"'
edit '[Service]'

step "who is to be told of failures is told"
cat > /etc/systemd/system/told@.service <<'UNIT'
[Service]
Type=oneshot
ExecStart=/usr/bin/touch /tmp/told-%i
UNIT
for name in postboard postboard-cron; do
    mkdir -p /etc/systemd/system/$name.service.d
    printf '[Unit]\nOnFailure=told@%s.service\nStartLimitBurst=2\n[Service]\nRestartSec=10ms\n' '%N' > /etc/systemd/system/$name.service.d/told.conf
done
systemctl daemon-reload
# The starts of the steps above count no more.
systemctl reset-failed
systemctl start postboard-cron.service || fail "cron fails"
cp $home/postboard.toml /tmp/good
echo 'oops = 1' >> $home/postboard.toml
! systemctl start postboard-cron.service 2>/dev/null || fail "cron hides its failure"
await test -e /tmp/told-postboard-cron
systemctl restart postboard.service 2>/dev/null || true
await test -e /tmp/told-postboard
cp /tmp/good $home/postboard.toml
rm -r /etc/systemd/system/postboard*.service.d
systemctl daemon-reload
systemctl reset-failed

step "a port that another program uses is named"
printf '[Service]\nUser=postboard\nExecStart=/usr/bin/postboard --home %s serve\n' $home > /etc/systemd/system/other.service
systemctl daemon-reload
systemctl stop postboard.service
systemctl start other.service
await curl --silent --output /dev/null http://127.0.0.1:8080/
! timeout 20 systemctl start postboard.service 2>/dev/null || fail "two programs have one port"
# The journal may get it after systemctl has returned.
await says_in_journal 'port 8080 is in use by another program'
systemctl stop other postboard.service
systemctl reset-failed
systemctl start postboard.service

step "the package keeps the sockets while the server starts anew, and closes them when it is removed"
systemctl stop postboard.service
mkdir -p /etc/systemd/system/postboard.service.d
printf '[Service]\nExecStart=\nExecStart=/usr/bin/postboard --home %s run\n' $home \
    > /etc/systemd/system/postboard.service.d/sockets.conf
systemctl daemon-reload
systemctl enable postboard.socket
systemctl start postboard.socket
await curl --silent --output /dev/null http://127.0.0.1:8080/
place() { stat --format %i /run/postboard.lmtp; }
number() { systemctl show --property MainPID --value postboard.service; }
before=$(place) running=$(number)
export DPKG_MAINTSCRIPT_PACKAGE=postboard
/var/lib/dpkg/info/postboard.postinst configure 0.2.0-1
[ "$before" = "$(place)" ] || fail "the upgrade has closed the socket"
[ "$(number)" != "$running" ] || fail "the upgrade has not started the new program"
await curl --silent --output /dev/null http://127.0.0.1:8080/
/var/lib/dpkg/info/postboard.prerm remove
[ ! -e /run/postboard.lmtp ] || fail "removing has left the socket"
! systemctl is-active postboard.service postboard.socket || fail "removing has left something that runs"
# Removed and installed again: what is enabled starts. So many starts in seconds would be refused.
systemctl reset-failed postboard.socket postboard.service
/var/lib/dpkg/info/postboard.postinst configure 0.2.0-1
systemctl is-active postboard.socket || fail "$(systemctl status --no-pager postboard.socket postboard.service)"
await curl --silent --output /dev/null http://127.0.0.1:8080/
systemctl disable --now postboard.socket
systemctl stop postboard.service
unset DPKG_MAINTSCRIPT_PACKAGE
rm -r /etc/systemd/system/postboard.service.d
systemctl daemon-reload
systemctl start postboard.service

step "a home beside the first one"
postboard_ --home /var/lib/postboard/club init >/dev/null
systemctl start postboard@club.service || fail "$(journalctl --no-pager -u postboard@club.service)"
[ -S /run/postboard-club/lmtp ] && [ -S /run/postboard/lmtp ] || fail "no sockets"
[ "$(systemctl is-active postboard.service)" = active ] || fail "the first one does not run"

[ -z "$(find /var/lib/postboard ! -user postboard)" ] || fail "files of root: $(find /var/lib/postboard ! -user postboard)"
systemctl stop postboard.service postboard@club.service
postboard_ check
echo 'all of it went well'
