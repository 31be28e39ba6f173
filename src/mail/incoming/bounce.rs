//! Delivery reports: which mails of ours failed for good (RFC 3464).

use super::headers::{HeaderFields, split};
use super::mime;
use crate::mail::{Address, BOUNCE_FIELD, BOUNCE_MAILBOX};
use mailparse::parse_content_type;

/// The most parts and ids that are read; a report is about one mail.
const MAX_PARTS: usize = 4;

/// Returns the ids of our mails that a delivery report says failed for good: the tags of its recipient
/// addresses, and the id in the returned mail. Other mails, and reports of delays and temporary
/// failures, have none.
///
/// Anybody can write an id, so callers compare it with the key.
pub(super) fn bounced_ids(
    headers: &HeaderFields<'_>,
    body: &[u8],
    to: &[Address],
    own: &Address,
) -> Vec<String> {
    let content = parse_content_type(&headers.first("Content-Type").unwrap_or_default());
    if content.mimetype != "multipart/report" {
        return Vec::new();
    }
    let parts = mime::split_parts(body, &content);
    let (mut failed, mut ids) = (false, Vec::new());
    for part in parts.iter().take(MAX_PARTS) {
        let part = split(part);
        let kind = parse_content_type(&part.headers.first("Content-Type").unwrap_or_default());
        match kind.mimetype.as_str() {
            "message/delivery-status" => failed |= has_failed(part.body),
            "message/rfc822" | "text/rfc822-headers" => {
                ids.extend(split(part.body.trim_ascii_start()).headers.first(BOUNCE_FIELD));
            }
            _ => {}
        }
    }
    let is_ours = |to: &&Address| {
        to.mailbox().eq_ignore_ascii_case(BOUNCE_MAILBOX)
            && to.domain().eq_ignore_ascii_case(own.domain())
    };
    let tags = to.iter().filter(is_ours).filter_map(|to| to.tag()).map(str::to_owned);
    let mut all: Vec<String> = tags.chain(ids).collect();
    all.sort_unstable();
    all.dedup();
    all.truncate(MAX_PARTS);
    if failed { all } else { Vec::new() }
}

/// Returns whether delivery to some recipient failed for good: `Action: failed` and `Status: 5.x.x` in
/// one group of fields (RFC 3464, 2.3).
fn has_failed(status: &[u8]) -> bool {
    let mut rest = status;
    while !rest.is_empty() {
        let group = split(rest);
        let is = |name, fits: &dyn Fn(&str) -> bool| {
            group.headers.first(name).is_some_and(|value| fits(value.trim()))
        };
        if is("Action", &|value| value.eq_ignore_ascii_case("failed"))
            && is("Status", &|value| value.starts_with("5."))
        {
            return true;
        }
        // Skip the group and its empty line.
        rest = rest.get(group.size + 1..).unwrap_or_default();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "Content-Type: multipart/report; report-type=delivery-status; boundary=x\n\n\
        --x\n\nsorry\n--x\nContent-Type: message/delivery-status\n\n\
        Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; a@b\nAction: failed\n\
        Status: 5.1.1 (gone)\n\n--x\nContent-Type: text/rfc822-headers\n\n\
        X-Postboard-To: bob-2\nSubject: x\n--x--\n";

    fn ids(report: &str, to: &str) -> Vec<String> {
        let own = Address::parse("post@games.example").unwrap();
        let mail = split(report.as_bytes());
        bounced_ids(&mail.headers, mail.body, &[Address::parse(to).unwrap()], &own)
    }

    #[test]
    fn a_final_failure_names_the_mail_by_address_or_returned_headers() {
        assert_eq!(ids(REPORT, "bounces+al-1@games.example"), ["al-1", "bob-2"]);
        assert_eq!(ids(REPORT, "BOUNCES+al-1@Games.example"), ["al-1", "bob-2"]);
        assert_eq!(ids(REPORT, "post@games.example"), ["bob-2"]);
        assert_eq!(ids(REPORT, "bounces+al-1@other.example"), ["bob-2"]);
        let whole = REPORT.replace("text/rfc822-headers", "message/rfc822");
        assert_eq!(ids(&whole, "post@games.example"), ["bob-2"]);
    }

    #[test]
    fn delays_deliveries_and_other_mails_name_nothing() {
        for (right, other) in [
            ("Action: failed", "Action: delayed"),
            ("Action: failed", "Action: relayed"),
            ("Status: 5.1.1", "Status: 4.4.1"),
            ("Status: 5.1.1", "Status: 2.0.0"),
            ("message/delivery-status", "text/plain"),
            ("multipart/report", "multipart/mixed"),
            // Two recipients, each with one of the two fields.
            ("Action: failed\n", "Action: failed\n\nAction: delayed\n"),
        ] {
            let report = REPORT.replace(right, other);
            assert_ne!(report, REPORT);
            assert_eq!(ids(&report, "bounces+al-1@games.example"), [""; 0], "{other}");
        }
        assert!(has_failed(b"Action: delayed\nStatus: 4.0.0\n\nACTION: Failed\nstatus: 5.0.0"));
        assert!(!has_failed(b"") && !has_failed(b"\n\n\n"));
    }
}
