#!/bin/bash
# postfix.sh - a private Postfix on 127.0.0.1. Debian 12, as root.
#   postfix.sh start DIR PORT [LMTP]       set it up in DIR if it is not there, and start it; with LMTP,
#                                          the server there has all mailboxes without an alias;
#                                          smtp:[127.0.0.1]:PORT names one that speaks SMTP
#   postfix.sh stop  DIR
#   postfix.sh alias DIR NAME 'TARGET'     e.g. '"|/path/program word"' or /path/Maildir/
#   postfix.sh queue DIR                   print the queue, a line of JSON for each mail
#   postfix.sh flush DIR                   retry all deferred mails now
#   postfix.sh log   DIR
# With SUBMISSION=PORT in the environment it also takes mails there by TLS, as a provider does: from users whose password the
# Dovecot at the port SASL knows, each in the name of NAME@pbm.test alone. Its certificate is in the folder BOXES.
# The system's own Postfix is not touched: configuration, queue, data and log are in DIR. It listens on
# loopback only and refuses mail for other hosts. Programs run as the user pbmtest, which is created.
# Needs: apt-get install -y --no-install-recommends postfix   (debconf: "No configuration")
set -eu
command=${1:?} dir=${2:?} port=${3:-2525}
etc="$dir/etc"
case "$command" in
start)
  if [ ! -f "$etc/main.cf" ]; then
    mkdir -p "$etc" "$dir/spool" "$dir/lib" "$dir/log"
    chmod 755 "$dir"; chown postfix "$dir/lib"
    # Two at the same time would each make one, with other ids.
    flock /run/lock/pbmtest sh -c 'getent passwd pbmtest ||
      useradd -r -M -d /nonexistent -s /usr/sbin/nologin pbmtest' >/dev/null
    echo '# name: target' > "$etc/aliases"
    cat > "$etc/main.cf" <<CF
compatibility_level = 3.6
config_directory = $etc
queue_directory = $dir/spool
data_directory = $dir/lib
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
default_privs = pbmtest
multi_instance_name = postfix-test
multi_instance_enable = yes
maillog_file = $dir/log/mail.log
maillog_file_prefixes = /var, /dev/stdout, /tmp, $dir
syslog_name = postfix-test
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = pbm.test
mydomain = test
myorigin = pbm.test
mydestination = pbm.test, localhost
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_recipient_restrictions = permit_mynetworks, reject
local_recipient_maps =
alias_maps = hash:$etc/aliases
alias_database =
recipient_delimiter = +
transport_maps = texthash:$etc/transport
default_transport = error:no mail leaves this test machine
relay_transport = error:no mail leaves this test machine
relay_domains = pipe.test
postboard_destination_recipient_limit = 1
smtp_dns_support_level = disabled
notify_classes =
biff = no
append_dot_mydomain = no
command_time_limit = 20s
queue_run_delay = 2s
minimal_backoff_time = 1s
maximal_backoff_time = 4s
message_size_limit = 10240000
CF
    case "${4-}" in
    '') ;;
    smtp:*) echo "mailbox_transport = $4" >> "$etc/main.cf" ;;
    *) echo "mailbox_transport = lmtp:$4" >> "$etc/main.cf" ;;
    esac
    echo 'pipe.test postboard:' > "$etc/transport"
    cat > "$etc/master.cf" <<CF
127.0.0.1:$port inet n - n - - smtpd
pickup    unix n - n 60 1 pickup
cleanup   unix n - n - 0 cleanup
qmgr      unix n - n 300 1 qmgr
rewrite   unix - - n - - trivial-rewrite
bounce    unix - - n - 0 bounce
defer     unix - - n - 0 bounce
trace     unix - - n - 0 bounce
verify    unix - - n - 1 verify
flush     unix n - n 1000? 0 flush
proxymap  unix - - n - - proxymap
smtp      unix - - n - - smtp
relay     unix - - n - - smtp
showq     unix n - n - - showq
error     unix - - n - - error
retry     unix - - n - - error
discard   unix - - n - - discard
local     unix - n n - - local
virtual   unix - n n - - virtual
lmtp      unix - - n - - lmtp
anvil     unix - - n - 1 anvil
scache    unix - - n - 1 scache
postlog   unix-dgram n - n - 1 postlogd
# As in docs/operating/install.md, for mails to pipe.test.
postboard unix - n n - 4 pipe
  flags=DRhu user=pbmtest argv=$dir/receive
CF
    if [ -n "${SUBMISSION-}" ]; then
      printf '%s\n' '/^([^@]*)@pbm\.test$/ $1' > "$etc/logins"
      printf '%s\n' 'if /^From:/' '!/@pbm\.test/ REJECT this is not an address of yours' 'endif' > "$etc/names"
      cat >> "$etc/master.cf" <<CF
127.0.0.1:$SUBMISSION inet n - n - - smtpd
  -o smtpd_tls_wrappermode=yes
  -o smtpd_tls_cert_file=$BOXES/certificate.pem
  -o smtpd_tls_key_file=$BOXES/key.pem
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_sasl_type=dovecot
  -o smtpd_sasl_path=inet:127.0.0.1:$SASL
  -o smtpd_sender_login_maps=regexp:$etc/logins
  -o smtpd_sender_restrictions=reject_sender_login_mismatch
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
  -o smtpd_recipient_restrictions=permit_sasl_authenticated,reject
  -o cleanup_service_name=own-names
tlsmgr unix - - n 1000? 1 tlsmgr
own-names unix n - n - 0 cleanup
  -o header_checks=regexp:$etc/names
CF
    fi
    printf '#!/bin/sh\nexit 75\n' > "$dir/receive"; chmod 755 "$dir/receive"
    postfix -c "$etc" check 2>&1 | grep -v 'not owned\|symlink' || true
  fi
  postalias -c "$etc" "hash:$etc/aliases"
  postfix -c "$etc" start 2>&1 | grep -v warning || true
  for _ in $(seq 100); do
    (echo > /dev/tcp/127.0.0.1/"$port") 2>/dev/null && exit 0
    sleep 0.1
  done
  echo "postfix did not come up" >&2; cat "$dir/log/mail.log" >&2; exit 1 ;;
stop)  postfix -c "$etc" stop >/dev/null 2>&1 || true ;;
alias) printf '%s: %s\n' "$3" "$4" >> "$etc/aliases"; postalias -c "$etc" "hash:$etc/aliases" ;;
queue) postqueue -c "$etc" -j ;;
flush) postqueue -c "$etc" -f ;;
log)   cat "$dir/log/mail.log" ;;
*) echo "no such command: $command" >&2; exit 64 ;;
esac
