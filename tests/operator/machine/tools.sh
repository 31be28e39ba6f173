# What the scripts of the machines use.
home=/var/lib/postboard/home
fail() { journalctl --no-pager -n 25 | grep -v runuser; tail -n 5 /var/log/postfix.log; echo "FAILED: $*"; exit 1; }
step() { echo "== $*"; }
# Waits until a command succeeds, because another program has made progress.
await() {
    for _ in $(seq 300); do
        if "$@"; then return; fi
        sleep 0.1
    done
    fail "$* still fails after half a minute"
}
host=games.example.org server=postboard@games.example.org
# Where mails of user $1 are.
mails_of() { echo "/var/mail/$1"; }
has() { grep -qrs -- "$2" "$(mails_of "$1")"; }
# Reads the whole output of a command, which would fail if its reader ended early.
says() { grep -q -- "$1" <<<"$("${@:2}" 2>&1)" || fail "${*:2} does not say $1: $("${@:2}" 2>&1)"; }
postboard_() { runuser -u postboard -- env HOME=/var/lib/postboard postboard "$@"; }
# Sends a mail of user $1 with the Subject $2, and waits for an answer that contains $3.
mails() {
    printf "From: $1@$host\nTo: $server\nSubject: %s\n\n" "$2" | sendmail -f "$1@$host" "$server"
    await has "$1" "$3"
}
# Plays a first move by mail, which is answered.
first_move() {
    mails alice 'signup alice first-secret' 'Welcome'
    mails bob 'signup bob second-secret' 'Welcome'
    mails alice 'reversi challenge bob -size=8' 'Reversi board 1'
    await has bob 'Reversi board 1'
    mails alice 'reversi move 1 alice first-secret f4' 'You played f4'
    await has bob 'alice played f4'
}
# Debian's installer would have asked for this.
postconf -e 'myhostname = games.example.org' 'mydestination = localhost' 'inet_interfaces = loopback-only' \
    'inet_protocols = ipv4' 'maillog_file = /var/log/postfix.log' 'smtpd_tls_security_level = none' 'alias_maps = hash:/etc/aliases'
newaliases
