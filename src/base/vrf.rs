//! Random numbers that nobody can choose and everybody can verify: the verifiable random function
//! ECVRF-EDWARDS25519-SHA512-TAI of RFC 9381.
//!
//! A secret key and an input determine one output, which looks random. A proof shows to anyone with
//! the public key that the output is right, and no other output can be proved. Names and section
//! numbers are those of the RFC. The curve comes from `curve25519-dalek`, the hash from `sha2`.

use curve25519_dalek::constants::ED25519_BASEPOINT_TABLE;
use curve25519_dalek::edwards::{CompressedEdwardsY, EdwardsPoint};
use curve25519_dalek::scalar::{Scalar, clamp_integer};
use curve25519_dalek::traits::{IsIdentity as _, VartimeMultiscalarMul as _};
use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha512};
use std::fmt;

/// The cipher suite's byte (section 5.5).
const SUITE: u8 = 3;
/// Domain separators of the hashes: a candidate for a point (section 5.4.1.1), a challenge (5.4.3),
/// the output (5.2). A zero byte ends the input.
const TO_CURVE: u8 = 1;
const CHALLENGE: u8 = 2;
const OUTPUT: u8 = 3;
const END: [u8; 1] = [0];

/// The output for an input: 64 bytes that look random.
pub type VrfOutput = [u8; 64];

/// A proof: a point, 16 bytes of a challenge, and a scalar.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct VrfProof(pub [u8; 80]);

impl fmt::Debug for VrfProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

/// A public key, which verifies proofs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PublicKey([u8; 32]);

/// A secret key. Its owner knows every output in advance.
pub struct SecretKey {
    /// The scalar behind the public key.
    x: Scalar,
    /// The seed of the proofs' nonces.
    prefix: [u8; 32],
    public: PublicKey,
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretKey of {}", self.public)
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for PublicKey {
    /// Formats as 64 hex digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

/// Returns the first half of a hash.
fn half(hash: &VrfOutput) -> [u8; 32] {
    std::array::from_fn(|at| hash[at])
}

fn hashed<'a>(what: u8, parts: impl IntoIterator<Item = &'a [u8]>) -> VrfOutput {
    let mut hash = Sha512::new();
    hash.update([SUITE, what]);
    parts.into_iter().for_each(|part| hash.update(part));
    hash.update(END);
    hash.finalize().into()
}

/// Decodes a point from its canonical encoding.
fn point(bytes: [u8; 32]) -> Option<EdwardsPoint> {
    is_canonical(bytes).then(|| CompressedEdwardsY(bytes).decompress()).flatten()
}

/// Returns whether 32 bytes are the canonical encoding of a point (RFC 8032, section 5.1.3): the
/// number is below `2^255 - 19`, and the points 1 and -1, which are their own negatives, have no
/// sign.
fn is_canonical(bytes: [u8; 32]) -> bool {
    let (low, high) = (bytes[0], bytes[31] & 0x7f);
    let between = &bytes[1..31];
    let is_top = high == 0x7f && between.iter().all(|byte| *byte == 0xff);
    let is_one = high == 0 && between.iter().all(|byte| *byte == 0) && low == 1;
    let is_minus_one = is_top && low == 0xec;
    let is_below = !(is_top && low >= 0xed);
    is_below && !((is_one || is_minus_one) && bytes[31] & 0x80 != 0)
}

/// Maps an input to a point (section 5.4.1.1): hashes it with a counter until the result is a
/// point. Every second try is.
fn to_curve(key: PublicKey, input: &[u8]) -> EdwardsPoint {
    let tried = |count: u8| {
        let hash = hashed(TO_CURVE, [&key.0, input, &[count]]);
        Some(point(half(&hash))?.mul_by_cofactor()).filter(|point| !point.is_identity())
    };
    (0..=u8::MAX).find_map(tried).expect("256 tries in a row fail less than once in 2^256 times")
}

/// Returns the 16-byte challenge of five points (section 5.4.3).
fn challenge(key: PublicKey, points: [&EdwardsPoint; 4]) -> [u8; 16] {
    let points = points.map(|point| point.compress().0);
    let parts = [&key.0].into_iter().chain(&points).map(|part| &part[..]);
    let hash = hashed(CHALLENGE, parts);
    std::array::from_fn(|at| hash[at])
}

fn number(challenge: [u8; 16]) -> Scalar {
    Scalar::from(u128::from_le_bytes(challenge))
}

/// Returns the output for a proof's point (section 5.2).
fn output(gamma: &EdwardsPoint) -> VrfOutput {
    hashed(OUTPUT, [&gamma.mul_by_cofactor().compress().0[..]])
}

impl SecretKey {
    /// Derives the key from 32 random bytes, as Ed25519 does (RFC 8032, section 5.1.5).
    pub fn new(seed: &[u8; 32]) -> Self {
        let hash: VrfOutput = Sha512::digest(seed).into();
        let x = Scalar::from_bytes_mod_order(clamp_integer(half(&hash)));
        let public = PublicKey((&x * ED25519_BASEPOINT_TABLE).compress().0);
        Self { x, prefix: std::array::from_fn(|at| hash[32 + at]), public }
    }

    /// Returns the public key.
    pub fn public(&self) -> PublicKey {
        self.public
    }

    /// Returns the output for an input, without a proof. Takes a third of the time.
    pub fn output(&self, input: &[u8]) -> VrfOutput {
        output(&(self.x * to_curve(self.public, input)))
    }

    /// Proves the output for an input (section 5.1).
    pub fn prove(&self, input: &[u8]) -> VrfProof {
        let base = to_curve(self.public, input);
        let gamma = self.x * base;
        let mut nonce = Sha512::new();
        nonce.update(self.prefix);
        nonce.update(base.compress().0);
        let nonce = Scalar::from_bytes_mod_order_wide(&nonce.finalize().into());
        let (u, v) = (&nonce * ED25519_BASEPOINT_TABLE, nonce * base);
        let challenge = challenge(self.public, [&base, &gamma, &u, &v]);
        let sum = nonce + number(challenge) * self.x;
        let mut proof = [0; 80];
        proof[..32].copy_from_slice(&gamma.compress().0);
        proof[32..48].copy_from_slice(&challenge);
        proof[48..].copy_from_slice(sum.as_bytes());
        VrfProof(proof)
    }
}

impl PublicKey {
    /// Reads 64 hex digits. Points of small order, which prove nothing, are refused (section
    /// 5.4.5).
    pub fn from_hex(hex: &str) -> Option<Self> {
        Self::from_own_hex(hex).filter(|key| key.point().is_some())
    }

    /// Reads 64 hex digits of one of our own keys, without the check that they are a point:
    /// [`Self::verify`] makes it.
    pub fn from_own_hex(hex: &str) -> Option<Self> {
        let bytes: [u8; 32] = HEXLOWER.decode(hex.as_bytes()).ok()?.try_into().ok()?;
        Some(Self(bytes))
    }

    fn point(self) -> Option<EdwardsPoint> {
        point(self.0).filter(|point| !point.is_small_order())
    }

    /// Verifies the proof of an input's output and returns the output; `None` if the proof is wrong (section 5.3).
    pub fn verify(self, input: &[u8], proof: &VrfProof) -> Option<VrfOutput> {
        let gamma = point(std::array::from_fn(|at| proof.0[at]))?;
        let named: [u8; 16] = std::array::from_fn(|at| proof.0[32 + at]);
        let sum: [u8; 32] = std::array::from_fn(|at| proof.0[48 + at]);
        let sum = Option::<Scalar>::from(Scalar::from_canonical_bytes(sum))?;
        let (base, own) = (to_curve(self, input), self.point()?);
        let number = -number(named);
        let u = EdwardsPoint::vartime_double_scalar_mul_basepoint(&number, &own, &sum);
        let v = EdwardsPoint::vartime_multiscalar_mul([sum, number], [base, gamma]);
        let is_proved = challenge(self, [&base, &gamma, &u, &v]) == named;
        is_proved.then(|| output(&gamma))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Examples 16 to 18 of RFC 9381, appendix B.3: secret key, public key, input, proof, output.
    const VECTORS: [[&str; 5]; 3] = [
        [
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "8657106690b5526245a92b003bb079ccd1a92130477671f6fc01ad16f26f723f\
             26f8a57ccaed74ee1b190bed1f479d97\
             27d2d0f9b005a6e456a35d4fb0daab1268a1b0db10836d9826a528ca76567805",
            "90cf1df3b703cce59e2a35b925d411164068269d7b2d29f3301c03dd757876ff\
             66b71dda49d2de59d03450451af026798e8f81cd2e333de5cdf4f3e140fdd8ae",
        ],
        [
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "f3141cd382dc42909d19ec5110469e4feae18300e94f304590abdced48aed593\
             3bf0864a62558b3ed7f2fea45c92a465\
             301b3bbf5e3e54ddf2d935be3b67926da3ef39226bbc355bdc9850112c8f4b02",
            "eb4440665d3891d668e7e0fcaf587f1b4bd7fbfe99d0eb2211ccec90496310eb\
             5e33821bc613efb94db5e5b54c70a848a0bef4553a41befc57663b56373a5031",
        ],
        [
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            "9bc0f79119cc5604bf02d23b4caede71393cedfbb191434dd016d30177ccbf80\
             96bb474e53895c362d8628ee9f9ea3c0\
             e52c7a5c691b6c18c9979866568add7a2d41b00b05081ed0f58ee5e31b3a970e",
            "645427e5d00c62a23fb703732fa5d892940935942101e456ecca7bb217c61c45\
             2118fec1219202a0edcf038bb6373241578be7217ba85a2687f7a0310b2df19f",
        ],
    ];

    fn bytes(hex: &str) -> Vec<u8> {
        HEXLOWER.decode(hex.as_bytes()).unwrap()
    }

    #[test]
    fn the_vectors_of_the_rfc_come_out() {
        for [secret, public, input, proof, output] in VECTORS {
            let key = SecretKey::new(&bytes(secret).try_into().unwrap());
            let input = bytes(input);
            assert_eq!(key.public().to_string(), public);
            assert_eq!(format!("{:?}", key.prove(&input)), proof);
            assert_eq!(HEXLOWER.encode(&key.output(&input)), output);
            let proof = VrfProof(bytes(proof).try_into().unwrap());
            let checked = PublicKey::from_hex(public).unwrap().verify(&input, &proof);
            assert_eq!(checked.map(|checked| HEXLOWER.encode(&checked)).as_deref(), Some(output));
        }
    }

    #[test]
    fn a_proof_holds_for_one_key_and_one_input_and_has_one_spelling() {
        let [key, other] = [1, 2].map(|seed| SecretKey::new(&[seed; 32]));
        let proof = key.prove(b"17");
        assert_eq!(key.public().verify(b"17", &proof), Some(key.output(b"17")));
        assert_eq!(key.public().verify(b"18", &proof), None);
        assert_eq!(other.public().verify(b"17", &proof), None);
        for bit in 0..640 {
            let mut forged = proof;
            forged.0[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(key.public().verify(b"17", &forged), None, "bit {bit}");
        }
        // The same scalar, written above the order of the curve.
        let order = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010";
        let (mut longer, mut carry) = (proof, 0);
        for (at, byte) in bytes(order).into_iter().enumerate() {
            let sum = u16::from(proof.0[48 + at]) + u16::from(byte) + carry;
            (longer.0[48 + at], carry) = (sum.to_le_bytes()[0], sum >> 8);
        }
        assert_eq!(key.public().verify(b"17", &longer), None);
    }

    /// A number below 19 can also be encoded with the order of the field added.
    #[test]
    fn a_point_is_spelt_in_one_way() {
        let mut others = 0;
        for low in 0..19 {
            for high in [0x7f, 0xff] {
                let mut bytes = [0xff; 32];
                (bytes[0], bytes[31]) = (0xed + low, high);
                others += u32::from(CompressedEdwardsY(bytes).decompress().is_some());
                assert_eq!(point(bytes), None, "{bytes:?}");
            }
        }
        assert!(others > 0, "some of them would pass for points");
    }

    #[test]
    fn the_own_negatives_bear_no_sign_and_others_may() {
        let spelt = |low: u8, rest: u8, high: u8| {
            let mut bytes = [rest; 32];
            (bytes[0], bytes[31]) = (low, high);
            (CompressedEdwardsY(bytes).decompress(), point(bytes))
        };
        for (low, rest, high) in [(1, 0, 0), (0xec, 0xff, 0x7f)] {
            let (own, known) = spelt(low, rest, high);
            assert!(own.is_some() && known == own, "{low}");
            let (lenient, strict) = spelt(low, rest, high | 0x80);
            assert_eq!((lenient, strict), (own, None), "{low}");
        }
        // Other points are encoded as the curve encodes them.
        let mut points = 0;
        for count in 0..=u8::MAX {
            let bytes = half(&hashed(TO_CURVE, [&[count][..]]));
            let found = CompressedEdwardsY(bytes).decompress();
            assert_eq!(point(bytes), found);
            points += usize::from(found.is_some_and(|point| point.compress().0 == bytes));
            assert_eq!(found.is_some(), found.is_some_and(|point| point.compress().0 == bytes));
        }
        assert!(points > 64, "{points}");
    }

    #[test]
    fn a_point_of_small_order_is_no_key() {
        let identity = format!("01{}", "00".repeat(31));
        assert_eq!(PublicKey::from_hex(&identity), None);
        assert_eq!(PublicKey::from_hex("17"), None);
        let own = SecretKey::new(&[1; 32]).public();
        assert_eq!(PublicKey::from_hex(&own.to_string()), Some(own));
    }
}
