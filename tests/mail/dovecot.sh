#!/bin/bash
# dovecot.sh - a private Dovecot on loopback, with Maildirs. Debian 12, as root.
#   dovecot.sh start DIR IMAP POP3 LMTP USER ...   set it up in DIR and start it on these ports
#   dovecot.sh stop  DIR
#   dovecot.sh log   DIR
# The password of every user is `secret`. Mails are in DIR/boxes/USER and belong to the user pbmtest, which
# is created. The system's own Dovecot is not touched. With IMAPS=PORT in the environment it also speaks TLS, at that
# port and by STARTTLS, with a certificate for `localhost` that the authority DIR/authority.pem has signed; needs openssl.
# With SASL=PORT it tells a Postfix of postfix.sh there whose password is right.
# With TOKENS=PORT it also takes access tokens, and asks http://127.0.0.1:PORT/?access_token= whose they are.
# Needs: apt-get install -y --no-install-recommends dovecot-imapd dovecot-pop3d dovecot-lmtpd
set -eu
command=${1:?} dir=${2:?}
case "$command" in
start)
  imap=${3:?} pop3=${4:?} lmtp=${5:?}; shift 5
  # Two at the same time would each make one, with other ids.
  flock /run/lock/pbmtest sh -c 'getent passwd pbmtest ||
    useradd -r -M -d /nonexistent -s /usr/sbin/nologin pbmtest' >/dev/null
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
  if [ -n "${IMAPS-}" ]; then
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj '/CN=A test authority' -keyout "$dir/authority.key" \
      -out "$dir/authority.pem" 2>"$dir/start.log"
    openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout "$dir/key.pem" -out "$dir/request.pem" 2>>"$dir/start.log"
    openssl x509 -req -in "$dir/request.pem" -CA "$dir/authority.pem" -CAkey "$dir/authority.key" -CAcreateserial -days 2 \
      -extfile <(echo subjectAltName=DNS:localhost) -out "$dir/certificate.pem" 2>>"$dir/start.log"
    cat >> "$dir/dovecot.conf" <<CF
ssl = yes
ssl_cert = <$dir/certificate.pem
ssl_key = <$dir/key.pem
service imap-login {
  inet_listener imaps {
    port = $IMAPS
    ssl = yes
  }
}
CF
  fi
  if [ -n "${SASL-}" ]; then
    printf '%s\n' 'service auth {' '  inet_listener {' '    address = 127.0.0.1' "    port = $SASL" '  }' '}' >> "$dir/dovecot.conf"
  fi
  if [ -n "${TOKENS-}" ]; then
    printf '%s\n' "tokeninfo_url = http://127.0.0.1:$TOKENS/?access_token=" 'username_attribute = email' > "$dir/tokens"
    cat >> "$dir/dovecot.conf" <<CF
auth_mechanisms = plain login xoauth2
passdb {
  driver = oauth2
  mechanisms = xoauth2
  args = $dir/tokens
}
CF
  fi
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
