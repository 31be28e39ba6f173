//! Answers, packed for the way.
//!
//! A compressor takes a quarter of a megabyte. It is made once and used again: if each answer had
//! its own, long-lived data would lie between the holes that they leave, and the heap would grow by
//! all of them.

use axum::body::{Body, Bytes, HttpBody as _, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use std::fmt;
use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

/// The header of each: deflate, no name, no time, from an unknown machine (RFC 1952).
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// Shorter answers go as they are.
const SHORTEST: u64 = 256;

/// The compressors, as many as ever worked at the same time.
#[derive(Clone, Default)]
pub(in crate::web) struct Packers(Arc<Mutex<Vec<Packer>>>);

impl fmt::Debug for Packers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Packers")
    }
}

impl Packers {
    fn pack(&self, plain: &[u8]) -> io::Result<Bytes> {
        let idle = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut packer = idle.unwrap_or_else(Packer::new);
        let packed = packer.pack(plain)?;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(packer);
        Ok(packed)
    }
}

struct Packer {
    encoder: DeflateEncoder<Vec<u8>>,
    /// Where the next one goes.
    room: Vec<u8>,
}

impl Packer {
    fn new() -> Self {
        let encoder = DeflateEncoder::new(HEADER.to_vec(), Compression::default());
        Self { encoder, room: HEADER.to_vec() }
    }

    fn pack(&mut self, plain: &[u8]) -> io::Result<Bytes> {
        self.encoder.write_all(plain)?;
        let mut packed = self.encoder.reset(std::mem::take(&mut self.room))?;
        let mut crc = Crc::new();
        crc.update(plain);
        packed.extend(crc.sum().to_le_bytes());
        packed.extend(crc.amount().to_le_bytes());
        let bytes = Bytes::copy_from_slice(&packed);
        packed.truncate(HEADER.len());
        self.room = packed;
        Ok(bytes)
    }
}

/// Whether a browser unpacks gzip.
pub(in crate::web) fn unpacks(headers: &HeaderMap) -> bool {
    let said = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut said = said.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    said.any(|one| {
        let mut words = one.split(';').map(str::trim);
        let is_gzip = words.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let is_none = |weight: &str| weight.trim().parse() == Ok(0.0_f32);
        is_gzip && !words.any(|word| word.strip_prefix("q=").is_some_and(is_none))
    })
}

/// Packs an answer that is whole and not short, where the browser unpacks it.
pub(in crate::web) async fn packed(
    State(packers): State<Packers>,
    request: Request,
    next: Next,
) -> Response {
    let unpacks = unpacks(request.headers());
    let mut response = next.run(request).await;
    let is_long = response.body().size_hint().exact().is_some_and(|size| size >= SHORTEST);
    if !is_long || response.headers().contains_key(header::CONTENT_ENCODING) {
        return response;
    }
    let varies = HeaderValue::from_static("accept-encoding");
    response.headers_mut().append(header::VARY, varies);
    if !unpacks {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await;
    let Some(body) = body.ok().and_then(|plain| packers.pack(&plain).ok()) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use std::io::Read as _;

    #[test]
    fn what_is_packed_is_what_comes_out_one_after_the_other() {
        let packers = Packers::default();
        for text in ["", "a", "the same, the same, the same", &"long ".repeat(50_000), "a"] {
            let packed = packers.pack(text.as_bytes()).unwrap();
            let mut plain = String::new();
            GzDecoder::new(&*packed).read_to_string(&mut plain).unwrap();
            assert_eq!(plain, text);
        }
        assert_eq!(packers.0.lock().unwrap().len(), 1, "one is enough");
    }

    #[test]
    fn a_browser_says_whether_it_unpacks() {
        for (said, unpacks_it) in [
            ("gzip", true),
            ("br, gzip;q=0.5", true),
            ("deflate, GZIP", true),
            ("gzip;q=0", false),
            ("gzip; q=0.000, br", false),
            ("br", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, said.parse().unwrap());
            assert_eq!(unpacks(&headers), unpacks_it, "{said}");
        }
    }
}
