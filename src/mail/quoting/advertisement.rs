//! Lines that programs append to a person's text: `Sent from my iPhone`.

use super::introduction::is_move;

/// Names of devices and programs, in lower case. They are the same in most languages; the words around
/// them are not.
const PRODUCTS: [&str; 47] = [
    "iphone",
    "ipad",
    "ipod",
    "apple watch",
    "android",
    "galaxy",
    "samsung",
    "blackberry",
    "huawei",
    "xiaomi",
    "redmi",
    "oneplus",
    "pixel",
    "nokia",
    "motorola",
    "xperia",
    "oppo",
    "htc",
    "windows phone",
    "smartphone",
    "outlook",
    "windows",
    "yahoo",
    "proton",
    "gmail",
    "gmx",
    "web.de",
    "thunderbird",
    "k-9",
    "k9 mail",
    "fairemail",
    "aquamail",
    "aqua mail",
    "bluemail",
    "blue mail",
    "spark",
    "maildroid",
    "mailbird",
    "emclient",
    "em client",
    "mail.ru",
    "yandex",
    "tutanota",
    "hotmail",
    "zoho",
    "fastmail",
    "airmail",
];

/// Names of virus scanners, in lower case.
const SCANNERS: [&str; 6] = ["avast", "avg.com", "mcafee", "virus-free", "kaspersky", "norton"];

/// Beginnings of words for *sent* and *get* in several languages.
const SENDING: [&str; 42] = [
    "sent",
    "send",
    "gesendet",
    "gesandt",
    "geschickt",
    "skick",
    "envoy",
    "envi",
    "inviat",
    "verzond",
    "verstuur",
    "wysłan",
    "wysł",
    "отправ",
    "надісл",
    "изпрат",
    "послат",
    "lähet",
    "odesl",
    "poslan",
    "poslán",
    "gönder",
    "trimis",
    "elküld",
    "küld",
    "στάλθ",
    "απεστάλ",
    "saatja",
    "saadet",
    "nosūt",
    "išsiųst",
    "送信",
    "发自",
    "發自",
    "來自",
    "来自",
    "보냄",
    "dikirim",
    "gửi",
    "נשלח",
    "أرسل",
    "get ",
];

/// Words of sentences that people write about their devices.
const SPOKEN: [&str; 30] = [
    "i", "you", "we", "he", "she", "it", "is", "was", "are", "has", "have", "had", "your", "new",
    "not", "no", "but", "and", "if", "when", "can", "will", "ich", "ist", "je", "est", "yo", "es",
    "il", "un",
];

const MAX_ADVERTISEMENT_BYTES: usize = 160;
/// Words of an advertisement, links not counted.
const MOST_WORDS: usize = 8;

/// Drops the advertisements at the end of `lines`, with the empty lines around them.
pub(super) fn drop_advertisements(lines: &mut Vec<String>) {
    loop {
        while lines.last().is_some_and(|line| line.trim().is_empty()) {
            lines.pop();
        }
        let Some(last) = lines.last() else { return };
        if let Some(own) = own_part(last).map(str::to_owned) {
            lines.pop();
            lines.push(own);
            return;
        }
        let is_its_link =
            lines.len() > 1 && is_link(last) && is_advertisement(&lines[lines.len() - 2]);
        if !is_its_link && !is_advertisement(last) {
            return;
        }
        lines.pop();
    }
}

/// Returns the text before an advertisement on the same line: `a1-a5Sent from my Galaxy`.
fn own_part(line: &str) -> Option<&str> {
    let first = line.split_inclusive(' ').next().filter(|word| is_move(word.trim()));
    let starts = [line.rfind("Sent from "), first.map(str::len)];
    let at = starts.into_iter().flatten().find(|at| is_advertisement(&line[*at..]))?;
    let own = line[..at].trim_end();
    own.contains(char::is_alphanumeric).then_some(own)
}

fn is_advertisement(line: &str) -> bool {
    // Gmail's mark of a tracking extension.
    if line.trim() == "\u{1427}" {
        return true;
    }
    if line.len() > MAX_ADVERTISEMENT_BYTES {
        return false;
    }
    let text = line.trim_matches([' ', '*', '_', '-', '[', ']', '|']).to_lowercase();
    if SCANNERS.iter().any(|scanner| text.contains(scanner)) {
        return text.contains("virus") || is_link(&text);
    }
    let words: Vec<&str> = text.split_whitespace().filter(|word| !is_link(word)).collect();
    if words.is_empty() || words.len() > MOST_WORDS {
        return false;
    }
    if let Some(thing) = line.trim().strip_prefix("Sent from my ") {
        let is_name = thing.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        let is_device =
            ["mobile", "phone", "tablet", "device"].iter().any(|word| thing.contains(word));
        if (is_name || is_device) && !thing.contains(',') {
            return true;
        }
    }
    let Some(product) = PRODUCTS.iter().find_map(|product| text.find(product)) else {
        return false;
    };
    let is_spoken = || {
        let bare = |word: &&str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
        words.iter().map(bare).any(|word| SPOKEN.contains(&&*word))
    };
    let is_sending = SENDING.iter().any(|sending| text.contains(sending));
    if text.contains(['!', '?', ',', ';']) || is_spoken() && !is_sending {
        return false;
    }
    if is_sending || text.contains("http") {
        return true;
    }
    // In other languages: at most one word after the product.
    let behind = text[product..].split_whitespace().count();
    let before = text[..product].split_whitespace().count();
    !text.ends_with('.') && before + behind > 1 && (behind <= 2 || before == 0 && !text.is_ascii())
}

/// Returns whether a word or line is a link.
fn is_link(text: &str) -> bool {
    let text = text.trim().trim_start_matches(['<', '[', '(']);
    let has_scheme =
        text.starts_with("https://") || text.starts_with("http://") || text.starts_with("www.");
    has_scheme && !text.contains(' ')
}
