#!/bin/bash
# dovecot.sh - a private Dovecot on loopback, with Maildirs. Debian 12, as root.
#   dovecot.sh start DIR IMAP POP3 LMTP USER ...   set it up in DIR and start it on these ports
#   dovecot.sh stop  DIR
#   dovecot.sh log   DIR
# The password of every user is `secret`. Mails are in DIR/boxes/USER and belong to the user pbmtest, which
# is created. The system's own Dovecot is not touched.
# Needs: apt-get install -y --no-install-recommends dovecot-imapd dovecot-pop3d dovecot-lmtpd
set -eu
command=${1:?} dir=${2:?}
case "$command" in
start)
  imap=${3:?} pop3=${4:?} lmtp=${5:?}; shift 5
  getent passwd pbmtest >/dev/null || useradd -r -M -d /nonexistent -s /usr/sbin/nologin pbmtest
  mkdir -p "$dir/boxes" "$dir/run" "$dir/state"; chown pbmtest "$dir/boxes"; chmod 755 "$dir"
  for user in "$@"; do printf '%s:{PLAIN}secret::::::\n' "$user"; done > "$dir/users"
  chmod 644 "$dir/users"
  cat > "$dir/dovecot.conf" <<CF
base_dir = $dir/run
state_dir = $dir/state
instance_name = postboard-test
protocols = imap pop3 lmtp
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_username_format = %n
log_path = $dir/dovecot.log
mail_location = maildir:$dir/boxes/%n
mail_uid = pbmtest
mail_gid = pbmtest
first_valid_uid = 1
mail_fsync = always
recipient_delimiter = +
passdb {
  driver = passwd-file
  args = username_format=%n $dir/users
}
userdb {
  driver = passwd-file
  args = username_format=%n $dir/users
  override_fields = uid=pbmtest gid=pbmtest home=$dir/boxes/%n
}
namespace inbox {
  inbox = yes
}
service imap-login {
  inet_listener imap {
    port = $imap
  }
  inet_listener imaps {
    port = 0
  }
}
service pop3-login {
  inet_listener pop3 {
    port = $pop3
  }
  inet_listener pop3s {
    port = 0
  }
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = $lmtp
  }
}
CF
  # The server stays running and must not keep the pipes of the process that started it.
  dovecot -c "$dir/dovecot.conf" > "$dir/start.log" 2>&1 < /dev/null || { cat "$dir/start.log" >&2; exit 1; }
  for _ in $(seq 100); do
    (echo > /dev/tcp/127.0.0.1/"$imap") 2>/dev/null && exit 0
    sleep 0.1
  done
  echo "dovecot did not come up" >&2; cat "$dir/dovecot.log" >&2; exit 1 ;;
stop) dovecot -c "$dir/dovecot.conf" stop >/dev/null 2>&1 || true ;;
log)  cat "$dir/dovecot.log" ;;
*) echo "no such command: $command" >&2; exit 64 ;;
esac
