# A provider of mailboxes on this machine, which knows nothing of the server: Dovecot has the mailboxes, and Postfix takes
# mails from who logs in, each in their own name.
host=provider.example server=play@provider.example
mails_of() { echo "/home/$1/Maildir/new"; }
for user in play olga alice bob; do
    useradd --create-home $user
    echo "$user:secret of $user" | chpasswd
done
echo "127.0.0.1 $host imap.$host smtp.$host" >> /etc/hosts
mkdir /etc/provider
cd /etc/provider
{
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj '/CN=A test authority' -keyout authority.key -out authority.pem
    openssl req -newkey rsa:2048 -nodes -subj "/CN=$host" -keyout key.pem -out request.pem
    openssl x509 -req -in request.pem -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 \
        -extfile <(echo "subjectAltName=DNS:imap.$host,DNS:smtp.$host") -out certificate.pem
} 2>/dev/null
# A real provider has a certificate of an authority that every machine trusts.
cp authority.pem /usr/local/share/ca-certificates/provider.crt
update-ca-certificates >/dev/null 2>&1
cat > /etc/dovecot/local.conf <<'END'
mail_location = maildir:~/Maildir
auth_username_format = %n
ssl = required
ssl_cert = </etc/provider/certificate.pem
ssl_key = </etc/provider/key.pem
service auth {
  unix_listener /var/spool/postfix/private/auth {
    mode = 0666
  }
}
END
echo '/^([^@]*)@provider\.example$/ $1' > logins
cd
postconf -e "mydestination = $host, localhost" 'home_mailbox = Maildir/' 'smtpd_sender_login_maps = regexp:/etc/provider/logins' \
    'smtpd_tls_cert_file = /etc/provider/certificate.pem' 'smtpd_tls_key_file = /etc/provider/key.pem'
postconf -M 'submissions/inet=submissions inet n - n - - smtpd'
postconf -P submissions/inet/smtpd_tls_wrappermode=yes submissions/inet/smtpd_sasl_auth_enable=yes \
    submissions/inet/smtpd_sasl_type=dovecot submissions/inet/smtpd_sasl_path=private/auth \
    submissions/inet/smtpd_sender_restrictions=reject_sender_login_mismatch \
    submissions/inet/smtpd_recipient_restrictions=permit_sasl_authenticated,reject
systemctl restart dovecot postfix
before=$(postconf -n)
