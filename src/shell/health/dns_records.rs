//! Checks the DNS records of the server's address for `doctor`: whether mails reach it, and whether
//! others have a reason to believe mails from it.

use crate::config::{Config, Deliver};
use crate::post::{DnsClient, DnsRecordType};
use crate::shell::health::finding::{Finding, healthy, problem};
use crate::shell::output::printable::short_text;
use std::io;

/// The name of these findings.
const DNS: &str = "DNS";

/// Checks the DNS records of the address, if mails leave for the Internet.
pub(crate) fn check_dns(config: &Config) -> Vec<Finding> {
    if !matches!(config.deliver, Deliver::Smtp { .. } | Deliver::Sendmail { .. }) {
        return Vec::new();
    }
    let identity = config.identity();
    let host = identity.address.as_str().rsplit_once('@').map_or("", |(_, host)| host);
    if !host.contains('.') || host.starts_with('[') {
        return vec![healthy(DNS, format!("not checked: {host} is not a public name"))];
    }
    let asked = DnsClient::new(config.dns.server);
    let at = asked.as_ref().map_or("a server".into(), |dns| dns.server().to_string());
    let found = asked.and_then(|dns| {
        let records = DnsCheck { dns, host };
        let mut found = vec![records.exchanger()?, records.spf()?, records.dmarc()?];
        found.push(records.dkim(config.dns.dkim_selector.as_deref())?);
        Ok(found)
    });
    found.unwrap_or_else(|error| {
        vec![healthy(
            DNS,
            format!(
                "could not ask {at} ({error}): `dig MX {host}` should name your server, `dig TXT \
                 {host}` show v=spf1, and `dig TXT _dmarc.{host}` v=DMARC1"
            ),
        )]
    })
}

/// The host of the address, and the DNS server to ask.
struct DnsCheck<'a> {
    dns: DnsClient,
    host: &'a str,
}

impl DnsCheck<'_> {
    /// Checks that mails find their way: by an MX record, or by the host's own address.
    fn exchanger(&self) -> io::Result<Finding> {
        let host = self.host;
        let exchangers = self.dns.ask(host, DnsRecordType::MX)?.exchangers;
        if exchangers.iter().any(String::is_empty) {
            let message = format!(
                "{host} says by its MX record that it takes no mails: name your mail server there"
            );
            return Ok(problem(DNS, message));
        }
        if let Some(first) = exchangers.first() {
            let first = short_text(first);
            let has_place = [DnsRecordType::A, DnsRecordType::AAAA]
                .into_iter()
                .map(|kind| self.dns.ask(&first, kind))
                .try_fold(false, |has, it| it.map(|it| has || !it.addresses.is_empty()))?;
            return Ok(if has_place {
                healthy(DNS, format!("mails to {host} go to {first}"))
            } else {
                problem(
                    DNS,
                    format!(
                        "mails to {host} go to {first}, which has no address: give it an A record, or name another server"
                    ),
                )
            });
        }
        for kind in [DnsRecordType::A, DnsRecordType::AAAA] {
            if !self.dns.ask(host, kind)?.addresses.is_empty() {
                return Ok(healthy(
                    DNS,
                    format!("mails to {host} go to that host itself: it has no MX"),
                ));
            }
        }
        let message = format!(
            "no mail reaches {host}: it has no MX and no address; let an MX record of it name your mail server"
        );
        Ok(problem(DNS, message))
    }

    /// Returns the TXT records of a name that begin with `begin`.
    fn texts(&self, name: &str, begin: &str) -> io::Result<Vec<String>> {
        let texts = self.dns.ask(name, DnsRecordType::TXT)?.texts;
        let is_such = |text: &String| text.split([' ', ';']).next() == Some(begin);
        Ok(texts.into_iter().filter(is_such).map(|text| short_text(&text)).collect())
    }

    /// Checks which servers may send for the host (RFC 7208).
    fn spf(&self) -> io::Result<Finding> {
        let host = self.host;
        Ok(match &self.texts(host, "v=spf1")?[..] {
            [one] => healthy(DNS, format!("SPF of {host}: {one}")),
            [] => problem(
                DNS,
                format!(
                    "{host} has no SPF record, so that mails from it may be refused: add TXT \"v=spf1 mx -all\", \
                     with what else sends for it"
                ),
            ),
            more => problem(
                DNS,
                format!("{host} has {} SPF records, of which none counts: leave one", more.len()),
            ),
        })
    }

    /// Checks the policy for forged mails (RFC 7489), set by the host or a parent domain.
    fn dmarc(&self) -> io::Result<Finding> {
        let host = self.host;
        let mut domain = host;
        loop {
            if let Some(first) = self.texts(&format!("_dmarc.{domain}"), "v=DMARC1")?.first() {
                return Ok(healthy(DNS, format!("DMARC of {domain}: {first}")));
            }
            match domain.split_once('.') {
                Some((_, above)) if above.contains('.') => domain = above,
                _ => break,
            }
        }
        let message = format!(
            "_dmarc.{host} has no DMARC record, which large providers ask for: add TXT \"v=DMARC1; p=none\""
        );
        Ok(problem(DNS, message))
    }

    /// Checks the key that signs mails (RFC 6376). Only the signing program knows its name.
    fn dkim(&self, selector: Option<&str>) -> io::Result<Finding> {
        let Some(selector) = selector else {
            let message = "DKIM not checked: set dkim_selector under [dns] to the one that your mail server signs with";
            return Ok(healthy(DNS, message));
        };
        let name = format!("{selector}._domainkey.{}", self.host);
        let texts = self.dns.ask(&name, DnsRecordType::TXT)?.texts;
        let tags = texts.iter().flat_map(|text| text.split(';'));
        let key = tags.filter_map(|tag| tag.trim().strip_prefix("p=")).map(str::trim).next();
        Ok(match key {
            Some(key) if !key.is_empty() => healthy(DNS, format!("DKIM: {name} has a key")),
            Some(_) => problem(
                DNS,
                format!("{name} was revoked: its p= is empty; put the key that signs there"),
            ),
            None => problem(
                DNS,
                format!(
                    "{name} has no DKIM key: add the TXT record that your signing program has made"
                ),
            ),
        })
    }
}
