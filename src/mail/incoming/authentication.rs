//! What our mail server has found out about the sender of a mail: Authentication-Results (RFC 8601).
//!
//! Senders can write such fields, too. A mail server puts its own on top, so only the first field with
//! our mail server's name is read.

use crate::mail::Address;

/// Returns whether the mail server named `server` confirms that a mail comes from the domain of `from`.
///
/// DMARC decides where the domain has a policy (RFC 7489). Where it has none, a DKIM signature or an
/// SPF result for the domain or a parent domain confirms it.
pub fn is_authenticated(fields: &[String], server: &str, from: &Address) -> bool {
    let read = |field: &String| is_written_by(field, server).then(|| results(field));
    // A field that cannot be read confirms nothing, and hides those below it.
    let Some(Some(results)) = fields.iter().find_map(read) else { return false };
    let domain = from.domain();
    let of = |method: &'static str| results.iter().filter(move |result| result.method == method);
    let mut policies = of("dmarc").filter(|result| result.result != "none").peekable();
    if policies.peek().is_some() {
        return policies.all(|policy| {
            let about = policy.property("header.from");
            policy.has_passed() && about.is_none_or(|about| about.eq_ignore_ascii_case(domain))
        });
    }
    let signed = of("dkim").filter(|result| result.has_passed()).any(|result| {
        let by = result.property("header.d").or_else(|| result.property("header.i"));
        by.is_some_and(|by| covers(domain_of(by), domain))
    });
    let sent = of("spf").filter(|result| result.has_passed()).any(|result| {
        result.property("smtp.mailfrom").is_some_and(|by| covers(domain_of(by), domain))
    });
    signed || sent
}

/// The result of a method: `dkim=pass header.d=example.org`.
#[derive(Debug, PartialEq, Eq)]
struct AuthResult {
    method: String,
    result: String,
    properties: Vec<(String, String)>,
}

impl AuthResult {
    fn has_passed(&self) -> bool {
        self.result == "pass"
    }

    /// Returns the value of a property that occurs exactly once.
    fn property(&self, name: &str) -> Option<&str> {
        let mut values = self.properties.iter().filter(|(of, _)| of == name);
        let only = values.next().filter(|_| values.next().is_none());
        only.map(|(_, value)| value.as_str())
    }
}

/// Returns the domain of `user@domain`, `@domain` or `domain`.
fn domain_of(value: &str) -> &str {
    value.rsplit_once('@').map_or(value, |(_, domain)| domain)
}

/// Returns whether `other` is `domain` or a subdomain of it.
fn covers(domain: &str, other: &str) -> bool {
    let (domain, other) = (domain.to_ascii_lowercase(), other.to_ascii_lowercase());
    domain.contains('.')
        && (domain == other || other.strip_suffix(&domain).is_some_and(|rest| rest.ends_with('.')))
}

/// Returns whether a field begins with the name of `server`.
fn is_written_by(field: &str, server: &str) -> bool {
    matches!(tokenize(field).tokens.first(), Some(Token::Word(name)) if name.eq_ignore_ascii_case(server))
}

/// Returns the results of a field. A field with an open comment or quoted string has none: the sender
/// may have written its second half.
fn results(field: &str) -> Option<Vec<AuthResult>> {
    let Tokens { tokens, is_complete } = tokenize(field);
    let statements = tokens.split(|token| *token == Token::End).skip(1);
    is_complete.then(|| statements.filter_map(statement).collect())
}

/// Parses one result: `method[/version]=result` and its properties, `ptype.property=value` (RFC 8601, 2.2).
fn statement(tokens: &[Token]) -> Option<AuthResult> {
    let mut pairs = Vec::new();
    let mut rest = tokens;
    while let [first, more @ ..] = rest {
        rest = more;
        if let (Token::Word(name), [Token::Equals, Token::Word(value), behind @ ..]) = (first, more)
        {
            pairs.push((name.to_ascii_lowercase(), value.clone()));
            rest = behind;
        }
    }
    let mut pairs = pairs.into_iter();
    let (method, result) = pairs.next()?;
    let method = method.split('/').next().unwrap_or_default().to_owned();
    Some(AuthResult { method, result: result.to_ascii_lowercase(), properties: pairs.collect() })
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Equals,
    /// `;`
    End,
}

struct Tokens {
    tokens: Vec<Token>,
    /// Whether all comments and quoted strings are closed.
    is_complete: bool,
}

/// Splits a field into words and separators. A comment separates words as a blank does; a quoted
/// string is part of a word.
fn tokenize(field: &str) -> Tokens {
    let mut tokens = Vec::new();
    let mut word: Option<String> = None;
    let (mut comment, mut quoted, mut escaped) = (0_usize, false, false);
    for c in field.chars() {
        let is_text = match c {
            c if escaped => {
                escaped = false;
                c != '\0' && comment == 0
            }
            '\\' if quoted || comment > 0 => {
                escaped = true;
                false
            }
            '"' if comment == 0 => {
                quoted = !quoted;
                // An empty string is a word.
                word.get_or_insert_default();
                false
            }
            _ if quoted => true,
            '(' => {
                comment += 1;
                tokens.extend(word.take().map(Token::Word));
                false
            }
            ')' if comment > 0 => {
                comment -= 1;
                false
            }
            _ if comment > 0 => false,
            '=' | ';' => {
                tokens.extend(word.take().map(Token::Word));
                tokens.push(if c == ';' { Token::End } else { Token::Equals });
                false
            }
            c if c.is_whitespace() => {
                tokens.extend(word.take().map(Token::Word));
                false
            }
            _ => true,
        };
        if is_text {
            word.get_or_insert_default().push(c);
        }
    }
    tokens.extend(word.map(Token::Word));
    Tokens { tokens, is_complete: comment == 0 && !quoted }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn authenticated(fields: &[&str]) -> bool {
        let fields: Vec<String> = fields.iter().map(|&field| field.to_owned()).collect();
        is_authenticated(
            &fields,
            "mx.games.example",
            &Address::parse("ann@mail.host.example").unwrap(),
        )
    }

    #[test]
    fn confirmed_senders() {
        for field in [
            "mx.games.example; dmarc=pass",
            "MX.Games.Example 1; DMARC=Pass (p=REJECT sp=NONE) header.from=Mail.Host.Example",
            "(a (b;\\)) c) mx.games.example(v) 1 ; spf=fail ; dmarc (x=y) = (dmarc=fail) pass",
            "\"mx.games.example\"; dmarc/1=\"pass\"",
            "mx.games.example; dkim=pass header.d=mail.host.example header.s=x",
            "mx.games.example; dkim=pass header.i=@host.example",
            "mx.games.example; dkim=fail header.d=x.example; dkim=pass header.d=host.example",
            "mx.games.example; spf=pass smtp.mailfrom=ann@host.example",
            "mx.games.example; spf=pass smtp.mailfrom=\"a;b c\"@mail.host.example smtp.helo=x",
            "mx.games.example; dmarc=none; spf=pass smtp.mailfrom=host.example",
            "mx.games.example; dkim=pass header.d=host.example header.b=\"ab/=;\" header.a=rsa",
        ] {
            assert!(authenticated(&[field]), "{field}");
        }
    }

    #[test]
    fn unconfirmed_senders() {
        for field in [
            "",
            ";",
            "mx.games.example",
            "mx.games.example; none",
            "other.example; dmarc=pass",
            "games.example; dmarc=pass",
            "mx.games.example.evil.example; dmarc=pass",
            "(mx.games.example;) other.example; dmarc=pass",
            "mx.games.example; dmarc=fail; spf=pass smtp.mailfrom=host.example",
            "mx.games.example; dmarc=temperror; dkim=pass header.d=host.example",
            "mx.games.example; dmarc=passed",
            "mx.games.example; (dmarc=pass)",
            "mx.games.example; x-dmarc=pass",
            "mx.games.example dmarc=pass",
            "mx.games.example; dmarc=fail; dmarc=pass",
            "mx.games.example; dmarc=pass header.from=evil.example",
            "mx.games.example; dmarc=\"pass",
            "mx.games.example; dmarc=pass (",
            "mx.games.example; dkim=pass header.d=evil.example",
            "mx.games.example; dkim=pass header.d=example",
            "mx.games.example; dkim=pass header.d=ost.example",
            "mx.games.example; dkim=pass header.d=x.mail.host.example",
            "mx.games.example; dkim=pass",
            "mx.games.example; dkim=pass header.d=evil.example header.d=host.example",
            "mx.games.example; dkim=neutral header.d=host.example",
            "mx.games.example; spf=softfail smtp.mailfrom=host.example",
            "mx.games.example; spf=pass smtp.helo=host.example",
            "mx.games.example; spf=pass smtp.mailfrom=\"host.example\"@evil.example",
            "mx.games.example; spf=pass reason=\"smtp.mailfrom=host.example; dmarc=pass\"",
        ] {
            assert!(!authenticated(&[field]), "{field}");
        }
        assert!(!authenticated(&[]));
    }

    #[test]
    fn the_first_field_of_that_name_counts() {
        let (ours, good) = ("mx.games.example; dmarc=fail", "mx.games.example; dmarc=pass");
        let other = "other.example; dmarc=pass";
        assert!(!authenticated(&[ours, good]), "fields below ours came with the mail");
        assert!(!authenticated(&[other, ours, good]));
        assert!(
            !authenticated(&["mx.games.example; dmarc=fail (", good]),
            "also if it is incomplete"
        );
        assert!(!authenticated(&["mx.games.example; none", good]));
        assert!(authenticated(&[good, ours]));
        assert!(authenticated(&["other.example; dmarc=fail", good, ours]));
    }
}
