//! The features of mail programs, and their colour changes in dark mode.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]

use scraper::{ElementRef, Html as Page, Selector};
use std::collections::BTreeMap;

/// Elements, attributes and properties that Gmail, Outlook, Yahoo and Apple Mail all support.
const TAGS: &str = "html head meta title body table tbody tr td p pre a b br img";
const ATTRIBUTES: &str = "\
    lang http-equiv content name style bgcolor align valign width height border cellpadding \
    cellspacing colspan href role aria-label aria-hidden src alt clear";
const PROPERTIES: &str = "\
    margin padding padding-right font font-family font-size font-weight line-height color \
    background-color border border-left border-right border-radius border-collapse text-decoration \
    display word-break white-space width max-width height";

/// Returns whether a name is one of these words.
fn has(words: &str, name: &str) -> bool {
    words.split(' ').any(|word| word == name)
}

fn style(of: ElementRef) -> BTreeMap<String, String> {
    let text = of.value().attr("style").unwrap_or_default();
    let declared = text.split(';').map(|one| {
        let (name, value) = one.split_once(':').unwrap_or_else(|| panic!("{text}"));
        (name.trim().to_owned(), value.trim().to_owned())
    });
    if text.is_empty() { BTreeMap::new() } else { declared.collect() }
}

/// Returns the text colour of an element: its own, or the colour of its nearest ancestor.
fn ink(of: ElementRef) -> String {
    let around = of.ancestors().filter_map(ElementRef::wrap);
    let mut inks = std::iter::once(of).chain(around).filter_map(|of| style(of).remove("color"));
    inks.next().expect("a ground has letters of a colour of ours")
}

/// Checks that every mail program can show a page, in light and in dark mode.
pub(crate) fn well_shown(html: &str) {
    assert!(html.is_ascii() && html.len() < 100_000, "{} bytes", html.len());
    assert!(html.lines().all(|line| line.len() <= 998), "a line is too long");
    let page = Page::parse_document(html);
    assert!(page.errors.is_empty(), "{:?}", page.errors);
    assert!(html.contains("<html lang=\"en\">") && html.contains("charset=utf-8"));
    let mut links = 0;
    for of in page.select(&Selector::parse("*").unwrap()) {
        let tag = of.value();
        assert!(has(TAGS, tag.name()), "<{}>", tag.name());
        for (name, value) in tag.attrs() {
            assert!(has(ATTRIBUTES, name), "{name}=\"{value}\"");
        }
        let style = style(of);
        for (name, value) in &style {
            assert!(has(PROPERTIES, name), "{name}:{value}");
            assert!(!value.contains("url") && !value.contains("flex") && !value.contains("grid"));
        }
        assert_eq!(
            tag.attr("bgcolor"),
            style.get("background-color").map(String::as_str).filter(|_| tag.name() != "a")
        );
        if let Some(ground) = style.get("background-color") {
            readable(&ink(of), ground);
            let text: String = of.text().collect();
            assert!(!text.trim_matches('\n').is_empty(), "an empty cell");
        }
        if let Some(href) = tag.attr("href") {
            assert!(href.starts_with("mailto:") && !href.contains("secret"), "{href}");
            links += 1;
        }
    }
    assert!(links <= 30, "{links} links");
}

/// A point as a page shows it.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// The name or number of the point.
    pub(crate) text: String,
    /// The men on the point, from the top down.
    pub(crate) men: Vec<String>,
    /// Whether the name is above the men.
    pub(crate) is_upper: bool,
}

/// Returns the points of a page, in order.
pub(crate) fn cells(html: &str) -> Vec<Cell> {
    let page = Page::parse_document(html);
    let td = Selector::parse("td").unwrap();
    let squares = ["#5d4733", "#745a41", "#6b5f1f"];
    // A man on a hexagon fills it.
    let men = ["#1d5a94", "#9a2a2c"];
    let is_man = |cell: &ElementRef| {
        cell.value().attr("colspan") == Some("2")
            && cell.value().attr("bgcolor").is_some_and(|ground| men.contains(&ground))
    };
    let points = page.select(&td).filter(|cell| {
        let ground = cell.value().attr("bgcolor");
        ground.is_some_and(|ground| squares.contains(&ground)) || is_man(cell)
    });
    points
        .map(|cell| {
            let own = |node: &str| node.trim().to_owned();
            if is_man(&cell) {
                let men = vec![cell.text().collect()];
                return Cell { text: String::new(), men, is_upper: false };
            }
            let children =
                cell.children().filter_map(|child| child.value().as_text().map(|t| own(t)));
            Cell {
                text: children.collect::<String>(),
                men: cell.select(&td).map(|man| man.text().collect()).collect(),
                is_upper: cell.value().attr("valign") == Some("top"),
            }
        })
        .collect()
}

/// Returns what each place of a board of dots shows, from the page of a mail: `+` for a dot or a line, `[+]` for the
/// last line, the letter of a box's owner, or nothing.
pub(crate) fn places_of_dots(html: &str) -> Vec<String> {
    let page = Page::parse_document(html);
    let shown = |cell: ElementRef| {
        let ground = cell.value().attr("bgcolor")?;
        let is_box = cell.value().attr("style").is_some_and(|it| it.ends_with(";font-weight:bold"));
        let text: String = cell.text().collect();
        match ground {
            "#fbf3e6" => Some("+".into()),
            "#0f6b4f" => Some("[+]".into()),
            "#5d4733" | "#745a41" => Some(String::new()),
            "#1d5a94" | "#9a2a2c" if is_box => Some(text.trim().to_owned()),
            _ => None,
        }
    };
    page.select(&Selector::parse("td").unwrap()).filter_map(shown).collect()
}

type Rgb = [f64; 3];

fn rgb(colour: &str) -> Rgb {
    let channel = |at: usize| f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap());
    assert!(colour.len() == 7, "{colour}");
    [channel(1), channel(3), channel(5)].map(|channel| channel / 255.0)
}

/// Returns the relative luminance of a colour (WCAG 2).
fn luminance(colour: Rgb) -> f64 {
    let [r, g, b] =
        colour.map(|c| if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn contrast(a: Rgb, b: Rgb) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Returns the HSL lightness of a colour.
fn lightness(c: Rgb) -> f64 {
    f64::midpoint(c.into_iter().fold(0.0, f64::max), c.into_iter().fold(1.0, f64::min))
}

/// Inverts every channel, as a colour filter does.
fn negative(c: Rgb) -> Rgb {
    c.map(|channel| 1.0 - channel)
}

/// Inverts the lightness and keeps the hue: each channel moves by the same step.
fn turned(c: Rgb) -> Rgb {
    let step = 1.0 - 2.0 * lightness(c);
    c.map(|channel| (channel + step).clamp(0.0, 1.0))
}

/// Inverts the perceived lightness (CIE L*); the channels keep their proportions.
fn perceived(c: Rgb) -> Rgb {
    let y = luminance(c);
    let l = if y > 0.008_856 { 1.16 * y.cbrt() - 0.16 } else { 9.033 * y };
    let want = 1.0 - l;
    let y = if want > 0.08 { ((want + 0.16) / 1.16).powi(3) } else { want / 9.033 };
    // A grey with the wanted luminance: the hue is lost, which is the worst case.
    let grey = if y <= 0.003_130_8 { 12.92 * y } else { 1.055 * y.powf(1.0 / 2.4) - 0.055 };
    [grey; 3]
}

/// Checks that letters are readable on their background under every colour change of a mail
/// program.
fn readable(ink: &str, ground: &str) {
    let (ink, ground) = (rgb(ink), rgb(ground));
    let brightness = |c: Rgb| 255.0 * (0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2]);
    let modes = [
        ("as it is", ink, ground),
        ("a negative", negative(ink), negative(ground)),
        // Gmail on iOS and Outlook on Windows invert all colours.
        ("turned", turned(ink), turned(ground)),
        ("turned by L*", perceived(ink), perceived(ground)),
        // Gmail on Android and Outlook's apps invert light backgrounds and dark text.
        (
            "turned in part",
            if lightness(ink) < 0.5 { turned(ink) } else { ink },
            if lightness(ground) > 0.5 { turned(ground) } else { ground },
        ),
        // Chromium's thresholds: backgrounds above 205, text below 150.
        (
            "as Chromium does",
            if brightness(ink) < 150.0 { turned(ink) } else { ink },
            if brightness(ground) > 205.0 { turned(ground) } else { ground },
        ),
    ];
    for (mode, ink, ground) in modes {
        let contrast = contrast(ink, ground);
        assert!(contrast >= 4.5, "{mode}: {contrast:.2} of {ink:?} on {ground:?}");
    }
}

#[test]
fn colours_are_measured_as_wcag_does() {
    assert!((contrast(rgb("#000000"), rgb("#ffffff")) - 21.0).abs() < 0.01);
    assert!((contrast(rgb("#767676"), rgb("#ffffff")) - 4.54).abs() < 0.01);
    assert!(std::panic::catch_unwind(|| readable("#777777", "#ffffff")).is_err());
    // This pair is readable without changes, but not where a program inverts only the dark text.
    assert!(std::panic::catch_unwind(|| readable("#000000", "#a08060")).is_err());
}
