//! The findings of the mail server that hands us mails about their senders (RFC 8601).
//!
//! Anybody can write such a field. So only the first one that bears the name of that server is read:
//! servers put theirs on top, above everything that the mail says about itself.

use super::Address;

/// Whether the server of that name says that a mail comes from the domain in its From.
///
/// DMARC says it where the domain has a policy (RFC 7489). Where it has none, a signature or an
/// envelope sender of the same domain, or of one that it is part of, does as well.
pub fn vouches(fields: &[String], server: &str, from: &Address) -> bool {
    let read = |field: &String| Some(field).filter(|it| is_of(it, server)).map(|it| results(it));
    // A header that cannot be read vouches for nobody, and hides those below it.
    let Some(Some(results)) = fields.iter().find_map(read) else { return false };
    let domain = from.domain();
    let of = |method: &'static str| results.iter().filter(move |result| result.method == method);
    let mut policies = of("dmarc").filter(|result| result.result != "none").peekable();
    if policies.peek().is_some() {
        return policies.all(|policy| {
            let about = policy.property("header.from");
            policy.has_passed() && about.is_none_or(|it| it.eq_ignore_ascii_case(domain))
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

/// One result: `dkim=pass header.d=example.org`.
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

    /// Its value, if it is said exactly once.
    fn property(&self, name: &str) -> Option<&str> {
        let mut values = self.properties.iter().filter(|(of, _)| of == name);
        let only = values.next().filter(|_| values.next().is_none());
        only.map(|(_, value)| value.as_str())
    }
}

/// The domain of `user@domain`, `@domain` or `domain`.
fn domain_of(value: &str) -> &str {
    value.rsplit_once('@').map_or(value, |(_, domain)| domain)
}

/// Whether a domain is another one or has it as a part.
fn covers(domain: &str, other: &str) -> bool {
    let (domain, other) = (domain.to_ascii_lowercase(), other.to_ascii_lowercase());
    domain.contains('.')
        && (domain == other || other.strip_suffix(&domain).is_some_and(|it| it.ends_with('.')))
}

/// Whether a field bears the name of that server.
fn is_of(field: &str, server: &str) -> bool {
    let tokens = tokens(field).0;
    matches!(tokens.first(), Some(Token::Word(name)) if name.eq_ignore_ascii_case(server))
}

/// What a field says; nothing if it ends within a comment or a quotation: then nobody knows which
/// part of it the server wrote and which the sender.
fn results(field: &str) -> Option<Vec<AuthResult>> {
    let (tokens, is_whole) = tokens(field);
    let statements = tokens.split(|token| *token == Token::End).skip(1);
    is_whole.then(|| statements.filter_map(statement).collect())
}

/// RFC 8601, 2.2: `method[/version]=result`, and then properties, `ptype.property=value`.
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

/// The words and signs of a field, and whether its comments and quotations are closed. A comment
/// parts words as a blank does; what is quoted is part of a word, and no sign.
fn tokens(field: &str) -> (Vec<Token>, bool) {
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
                // An empty quotation is a word.
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
    (tokens, comment == 0 && !quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vouched(fields: &[&str]) -> bool {
        let fields: Vec<String> = fields.iter().map(|&field| field.to_owned()).collect();
        vouches(&fields, "mx.games.example", &Address::parse("ann@mail.host.example").unwrap())
    }

    #[test]
    fn what_vouches_for_a_sender() {
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
            assert!(vouched(&[field]), "{field}");
        }
    }

    #[test]
    fn what_does_not() {
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
            assert!(!vouched(&[field]), "{field}");
        }
        assert!(!vouched(&[]));
    }

    #[test]
    fn the_first_field_of_that_name_counts() {
        let (ours, good) = ("mx.games.example; dmarc=fail", "mx.games.example; dmarc=pass");
        let other = "other.example; dmarc=pass";
        assert!(!vouched(&[ours, good]), "what stands below ours was there before");
        assert!(!vouched(&[other, ours, good]));
        assert!(!vouched(&["mx.games.example; dmarc=fail (", good]), "also if it is not whole");
        assert!(!vouched(&["mx.games.example; none", good]));
        assert!(vouched(&[good, ours]));
        assert!(vouched(&["other.example; dmarc=fail", good, ours]));
    }
}
