//! Reports that a mail of ours can never be delivered (RFC 3464).

use super::headers::{HeaderFields, split};
use super::{Address, parts};
use mailparse::parse_content_type;

/// The field of our mails that comes back in a report where there are no plus-addresses.
pub(super) const FIELD: &str = "X-Postboard-To";

/// At most so many ids are looked at: a report is about one mail.
const MOST: usize = 4;

/// The ids by which a report names mails of ours that failed for good: those of the addresses that
/// it came to, and that of the mail that it returns. None if it is another mail, or says that
/// delivery is late, or failed for now.
///
/// An id proves nothing before it is compared with the key.
pub(super) fn returned(
    headers: &HeaderFields<'_>,
    body: &[u8],
    to: &[Address],
    own: &Address,
) -> Vec<String> {
    let content = parse_content_type(&headers.first("Content-Type").unwrap_or_default());
    if content.mimetype != "multipart/report" {
        return Vec::new();
    }
    let children = parts::children(body, &content);
    let (mut failed, mut ids) = (false, Vec::new());
    for child in children.iter().take(MOST) {
        let part = split(child);
        let kind = parse_content_type(&part.headers.first("Content-Type").unwrap_or_default());
        match kind.mimetype.as_str() {
            "message/delivery-status" => failed |= has_failed(part.body),
            "message/rfc822" | "text/rfc822-headers" => {
                ids.extend(split(part.body.trim_ascii_start()).headers.first(FIELD));
            }
            _ => {}
        }
    }
    let is_ours = |to: &&Address| {
        to.mailbox().eq_ignore_ascii_case(super::BOUNCES)
            && to.domain().eq_ignore_ascii_case(own.domain())
    };
    let addressed = to.iter().filter(is_ours).filter_map(|to| to.tag()).map(str::to_owned);
    let mut all: Vec<String> = addressed.chain(ids).collect();
    all.sort_unstable();
    all.dedup();
    all.truncate(MOST);
    if failed { all } else { Vec::new() }
}

/// Whether a recipient was given up: `Action: failed` and `Status: 5.x.x` in one group of fields
/// (RFC 3464, 2.3).
fn has_failed(status: &[u8]) -> bool {
    let mut rest = status;
    while !rest.is_empty() {
        let group = split(rest);
        let is = |name, fits: &dyn Fn(&str) -> bool| {
            group.headers.first(name).is_some_and(|value| fits(value.trim()))
        };
        if is("Action", &|it| it.eq_ignore_ascii_case("failed"))
            && is("Status", &|it| it.starts_with("5."))
        {
            return true;
        }
        // Behind the group and its empty line.
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
        returned(&mail.headers, mail.body, &[Address::parse(to).unwrap()], &own)
    }

    #[test]
    fn a_final_failure_names_the_mail_by_its_address_or_by_what_it_returns() {
        assert_eq!(ids(REPORT, "bounces+al-1@games.example"), ["al-1", "bob-2"]);
        assert_eq!(ids(REPORT, "BOUNCES+al-1@Games.example"), ["al-1", "bob-2"]);
        assert_eq!(ids(REPORT, "post@games.example"), ["bob-2"]);
        assert_eq!(ids(REPORT, "bounces+al-1@other.example"), ["bob-2"]);
        let whole = REPORT.replace("text/rfc822-headers", "message/rfc822");
        assert_eq!(ids(&whole, "post@games.example"), ["bob-2"]);
    }

    #[test]
    fn what_is_late_or_delivered_or_no_report_names_nothing() {
        for (right, other) in [
            ("Action: failed", "Action: delayed"),
            ("Action: failed", "Action: relayed"),
            ("Status: 5.1.1", "Status: 4.4.1"),
            ("Status: 5.1.1", "Status: 2.0.0"),
            ("message/delivery-status", "text/plain"),
            ("multipart/report", "multipart/mixed"),
            // Of two recipients neither has both.
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
