//! Web push: where a message for a browser is sent, its encryption (RFC 8291, in the coding of RFC
//! 8188), and the signature by which a push service knows the server (VAPID, RFC 8292).

use super::chance::RandomSource;
use super::time::{Time, hours};
use data_encoding::BASE64URL_NOPAD as BASE64URL;
use hmac::{Hmac, KeyInit as _, Mac as _};
use p256::ecdh::diffie_hellman;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use p256::elliptic_curve::sec1::ToSec1Point as _;
use p256::{PublicKey, SecretKey};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use sha2::Sha256;
use std::fmt;

/// The longest address of a push service that is accepted, in bytes.
const MAX_ENDPOINT: usize = 1000;

/// Messages are padded to multiples of this length, so that their length says nothing.
const PADDING: usize = 256;

/// The size of a record. Each message fits into one.
const RECORD: u32 = 4096;

/// The longest message in bytes. Padded, encrypted and with its head it has less than 4096 bytes, which
/// every push service accepts.
pub const MAX_MESSAGE: usize = 3072;

/// How long a signature is valid. RFC 8292 allows 24 hours.
const SIGNATURE_LIFETIME: super::time::Span = hours(12);

/// The bytes of an uncompressed point.
const POINT: usize = POINT_LENGTH as usize;
const POINT_LENGTH: u8 = 65;

/// The address at a push service to which the messages for one browser are sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushEndpoint {
    /// The name of the push service.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The path with its query. It is a secret of the browser.
    pub path: String,
    /// Whether the connection is encrypted, always except to this machine.
    pub is_encrypted: bool,
}

impl PushEndpoint {
    /// Parses an address that a browser sent: `https`, a host name and no port. With `allows_local`,
    /// `http://127.0.0.1:4711/...` is accepted, too.
    pub fn parse(text: &str, allows_local: bool) -> Option<Self> {
        let is_plain = |c: char| c.is_ascii_graphic() && !"\"<>\\^`{|}#".contains(c);
        if text.len() > MAX_ENDPOINT || !text.chars().all(is_plain) {
            return None;
        }
        if let Some(rest) = text.strip_prefix("http://127.0.0.1:").filter(|_| allows_local) {
            let (port, path) = rest.split_once('/')?;
            let (host, port) = ("127.0.0.1".to_owned(), port.parse().ok()?);
            return Some(Self { host, port, path: format!("/{path}"), is_encrypted: false });
        }
        let (host, path) = text.strip_prefix("https://")?.split_once('/')?;
        let path = format!("/{path}");
        let host = host.to_ascii_lowercase();
        is_public_name(&host).then_some(Self { host, port: 443, path, is_encrypted: true })
    }

    /// Returns the scheme and the host, for which a signature is valid.
    pub fn origin(&self) -> String {
        if self.is_encrypted {
            format!("https://{}", self.host)
        } else {
            format!("http://{}:{}", self.host, self.port)
        }
    }
}

/// Returns whether a host name can be that of a push service: it has a domain, and is no address.
fn is_public_name(host: &str) -> bool {
    let is_label = |label: &str| {
        let is_edge = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        let bytes = label.as_bytes();
        bytes.len() <= 63
            && is_edge(bytes.first())
            && is_edge(bytes.last())
            && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
    };
    let labels: Vec<&str> = host.split('.').collect();
    // The last label of an IPv4 address is a number, also in forms such as `127.1` and `0x7f.1`.
    let is_domain = labels.last().is_some_and(|last| last.bytes().all(|b| b.is_ascii_lowercase()));
    host.len() <= 253 && labels.len() >= 2 && is_domain && labels.iter().all(|it| is_label(it))
}

/// The keys of a browser: messages are encrypted for them.
#[derive(Clone)]
pub struct PushRecipient {
    key: PublicKey,
    secret: [u8; 16],
}

impl fmt::Debug for PushRecipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PushRecipient(..)")
    }
}

impl PushRecipient {
    /// Parses the keys `p256dh` and `auth` of a subscription, in base64url.
    pub fn parse(key: &str, secret: &str) -> Option<Self> {
        let bytes = |text: &str| BASE64URL.decode(text.trim_end_matches('=').as_bytes()).ok();
        let key = bytes(key).filter(|key| key.len() == POINT)?;
        let secret = bytes(secret)?.try_into().ok()?;
        Some(Self { key: PublicKey::from_sec1_bytes(&key).ok()?, secret })
    }

    /// Encrypts a message with a new key and a new salt.
    ///
    /// # Panics
    /// The message is longer than [`MAX_MESSAGE`].
    pub fn encrypt(&self, message: &[u8], chance: &mut dyn RandomSource) -> Vec<u8> {
        assert!(message.len() <= MAX_MESSAGE, "messages are short");
        let mut salt = [0; 16];
        chance.fill(&mut salt);
        let own = loop {
            let mut bytes = [0; 32];
            chance.fill(&mut bytes);
            // One of 2^32 outputs is no key.
            if let Ok(own) = SecretKey::from_slice(&bytes) {
                break own;
            }
        };
        let padded = (message.len() + 1).next_multiple_of(PADDING);
        self.seal(message, &own, salt, padded)
    }

    /// Encrypts a message with its delimiter, and with zeros after it up to the length `padded`.
    fn seal(&self, message: &[u8], own: &SecretKey, salt: [u8; 16], padded: usize) -> Vec<u8> {
        let (receiver, sender) = (point(&self.key), point(&own.public_key()));
        let shared = diffie_hellman(own.to_nonzero_scalar(), self.key.as_affine());
        let agreed = mac(&self.secret, &[shared.raw_secret_bytes().as_slice()]);
        let agreed = mac(&agreed, &[b"WebPush: info\0", &receiver, &sender, &[1]]);
        let secret = mac(&salt, &[&agreed]);
        let key = mac(&secret, &[b"Content-Encoding: aes128gcm\0\x01"]);
        let nonce = mac(&secret, &[b"Content-Encoding: nonce\0\x01"]);
        // The only record has the number 0, which leaves the nonce as it is.
        let nonce = Nonce::try_assume_unique_for_key(&nonce[..12]).expect("it has 12 bytes");
        let key = UnboundKey::new(&AES_128_GCM, &key[..16]).expect("the key has 16 bytes");
        let mut record = [message, &[2]].concat();
        record.resize(padded.max(record.len()), 0);
        let tagged =
            LessSafeKey::new(key).seal_in_place_append_tag(nonce, Aad::empty(), &mut record);
        tagged.expect("the record is short");
        [&salt[..], &RECORD.to_be_bytes(), &[POINT_LENGTH], &sender, &record].concat()
    }
}

/// Returns the uncompressed form of a public key.
fn point(key: &PublicKey) -> [u8; POINT] {
    key.to_sec1_point(false).as_bytes().try_into().expect("an uncompressed point has 65 bytes")
}

fn mac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// The key by which push services know the server. Browsers subscribe to messages of this key alone.
pub struct PushKey(SecretKey);

impl fmt::Debug for PushKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PushKey(..)")
    }
}

impl PushKey {
    /// Derives the key: the first output of `derive`, counted from 0, that is a valid private key. One
    /// output of 2^32 is not.
    ///
    /// # Panics
    /// No output is a valid key.
    pub fn derive(derive: impl Fn(u8) -> [u8; 32]) -> Self {
        let key = (0..=u8::MAX).find_map(|count| SecretKey::from_slice(&derive(count)).ok());
        Self(key.expect("one digest of 2^32 is no key, so not 256 in a row"))
    }

    /// Returns the public key in base64url, as browsers want it.
    pub fn public(&self) -> String {
        BASE64URL.encode(&point(&self.0.public_key()))
    }

    /// Returns the header `Authorization` of a message to an endpoint. `contact` is the address that
    /// the operator of the push service may write to, as `mailto:` or `https:`.
    pub fn authorization(&self, to: &PushEndpoint, contact: &str, now: Time) -> String {
        let claims = serde_json::json!({
            "aud": to.origin(), "exp": (now + SIGNATURE_LIFETIME).unix(), "sub": contact,
        });
        let head = BASE64URL.encode(br#"{"typ":"JWT","alg":"ES256"}"#);
        let text = format!("{head}.{}", BASE64URL.encode(claims.to_string().as_bytes()));
        let signature: Signature = SigningKey::from(&self.0).sign(text.as_bytes());
        let signature = BASE64URL.encode(&signature.to_bytes());
        format!("vapid t={text}.{signature}, k={}", self.public())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use p256::ecdsa::VerifyingKey;
    use p256::ecdsa::signature::Verifier as _;

    fn bytes<const N: usize>(text: &str) -> [u8; N] {
        BASE64URL.decode(text.as_bytes()).unwrap().try_into().unwrap()
    }

    #[test]
    fn the_example_of_rfc_8291_is_encrypted_byte_for_byte() {
        let own =
            SecretKey::from_slice(&bytes::<32>("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"));
        let recipient = PushRecipient::parse(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "BTBZMqHH6r4Tts7J_aSIgg",
        );
        let message = b"When I grow up, I want to be a watermelon";
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw");
        let sealed = recipient.unwrap().seal(message, &own.unwrap(), salt, 0);
        assert_eq!(
            BASE64URL.encode(&sealed),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLoc\
             InmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLV\
             WGNWQexSgSxsj_Qulcy4a-fN"
        );
    }

    #[test]
    fn a_signature_names_the_service_and_can_be_verified() {
        let key = PushKey::derive(|count| [count; 32]);
        let public = bytes::<POINT>(&key.public());
        let to = PushEndpoint::parse("https://Push.example/a?b", false).unwrap();
        let now = Time::from_unix(1_000_000);
        let header = key.authorization(&to, "mailto:o@games.example", now);
        let (token, shown) =
            header.strip_prefix("vapid t=").and_then(|it| it.split_once(", k=")).unwrap();
        assert_eq!(shown, key.public());
        let (text, signature) = token.rsplit_once('.').unwrap();
        let signature = Signature::from_slice(&bytes::<64>(signature)).unwrap();
        let verifier = VerifyingKey::from_sec1_bytes(&public).unwrap();
        verifier.verify(text.as_bytes(), &signature).unwrap();
        let claims = BASE64URL.decode(text.split_once('.').unwrap().1.as_bytes()).unwrap();
        assert_eq!(
            serde_json::from_slice::<serde_json::Value>(&claims).unwrap(),
            serde_json::json!({
                "aud": "https://push.example", "exp": 1_043_200, "sub": "mailto:o@games.example",
            })
        );
    }

    #[test]
    fn only_addresses_of_push_services_are_accepted() {
        let of = |text: &str| PushEndpoint::parse(text, false);
        let service = of("https://updates.push.services.mozilla.com/wpush/v2/gAAA-_=?x=1").unwrap();
        assert_eq!(
            (&*service.host, service.port, &*service.path, service.is_encrypted),
            ("updates.push.services.mozilla.com", 443, "/wpush/v2/gAAA-_=?x=1", true)
        );
        for wrong in [
            "",
            "https://",
            "https:///x",
            "https://push.example",
            "http://push.example/x",
            "https://push.example:8443/x",
            "https://user@push.example/x",
            "https://localhost/x",
            "https://127.0.0.1/x",
            "https://127.1/x",
            "https://0x7f.1/x",
            "https://2130706433/x",
            "https://[::1]/x",
            "https://push.example./x",
            "https://.example/x",
            "https://-a.example/x",
            "https://push.example/a b",
            "https://push.example/a\r\nHost: x",
            "https://push.example/\u{e9}",
            "https://push.example/a#b",
            "ftp://push.example/x",
            "http://127.0.0.1:4711/x",
        ] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
        assert_eq!(of(&format!("https://push.example/{}", "x".repeat(MAX_ENDPOINT))), None);
        let local = PushEndpoint::parse("http://127.0.0.1:4711/x", true).unwrap();
        assert_eq!((&*local.origin(), &*local.path), ("http://127.0.0.1:4711", "/x"));
        for wrong in ["http://127.0.0.1/x", "http://127.0.0.2:80/x", "http://localhost:80/x"] {
            assert_eq!(PushEndpoint::parse(wrong, true), None, "{wrong}");
        }
    }

    #[test]
    fn keys_that_are_no_keys_are_refused() {
        let key = PushKey::derive(|count| [count; 32]).public();
        let secret = BASE64URL.encode(&[7; 16]);
        assert!(PushRecipient::parse(&key, &secret).is_some());
        assert!(PushRecipient::parse(&format!("{key}="), &format!("{secret}==")).is_some());
        let mut off_curve = bytes::<POINT>(&key);
        off_curve[64] ^= 1;
        let off_curve = BASE64URL.encode(&off_curve);
        let infinity = BASE64URL.encode(&[0; POINT]);
        for wrong in ["", "x", &key[1..], &off_curve, &infinity, &secret] {
            assert!(PushRecipient::parse(wrong, &secret).is_none(), "{wrong}");
        }
        for wrong in ["", "x", &BASE64URL.encode(&[7; 15]), &BASE64URL.encode(&[7; 17])] {
            assert!(PushRecipient::parse(&key, wrong).is_none(), "{wrong}");
        }
    }
}
