//! Gzip for responses.

use axum::body::{Body, Bytes, HttpBody as _, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write as _};

/// Shorter responses are sent uncompressed.
const MIN_SIZE: u64 = 256;

fn gzip(plain: &[u8]) -> io::Result<Box<[u8]>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain)?;
    encoder.finish().map(Vec::into_boxed_slice)
}

/// Returns whether a client accepts gzip.
pub(crate) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter();
    let texts = values.filter_map(|value| value.to_str().ok());
    let mut encodings = texts.flat_map(|text| text.split(','));
    encodings.any(|encoding| {
        let mut words = encoding.split(';').map(str::trim);
        let is_gzip = words.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let is_zero = |weight: &str| weight.trim().parse() == Ok(0.0_f32);
        is_gzip && !words.any(|word| word.strip_prefix("q=").is_some_and(is_zero))
    })
}

/// Compresses a response of known size for a client that accepts gzip.
pub(crate) async fn compress_response(request: Request, next: Next) -> Response {
    let accepts_gzip = accepts_gzip(request.headers());
    let mut response = next.run(request).await;
    let is_long = response.body().size_hint().exact().is_some_and(|size| size >= MIN_SIZE);
    if !is_long || response.headers().contains_key(header::CONTENT_ENCODING) {
        return response;
    }
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept-encoding"));
    if !accepts_gzip {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await;
    let Some(body) = body.ok().and_then(|plain| gzip(&plain).ok()) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(Bytes::from(body)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepted_encodings_are_read_with_their_weights() {
        for (encodings, accepts) in [
            ("gzip", true),
            ("br, gzip;q=0.5", true),
            ("deflate, GZIP", true),
            ("gzip;q=0", false),
            ("gzip; q=0.000, br", false),
            ("br", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, encodings.parse().unwrap());
            assert_eq!(accepts_gzip(&headers), accepts, "{encodings}");
        }
    }
}
