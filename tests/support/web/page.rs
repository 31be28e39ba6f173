//! The words of a page and the attributes of its elements.

use scraper::{ElementRef, Html, Selector};

pub(crate) fn select(selector: &str) -> Selector {
    Selector::parse(selector).unwrap()
}

/// Returns the words of an element with single blanks, also between its inline elements.
pub(crate) fn words(element: ElementRef) -> String {
    element.text().collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the text of an element with single blanks, but with none between its inline elements.
pub(crate) fn text(element: ElementRef) -> String {
    element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the targets of the links with this text in the main part of a page.
pub(crate) fn links(page: &str, label: &str) -> Vec<String> {
    let page = Html::parse_document(page);
    let selector = select("main a");
    let found = page.select(&selector).filter(|link| text(*link) == label);
    found.map(|link| link.attr("href").unwrap_or_default().to_owned()).collect()
}

/// Returns the words of each element that a selector finds.
pub(crate) fn texts(page: &str, selector: &str) -> Vec<String> {
    Html::parse_document(page).select(&select(selector)).map(words).collect()
}

/// Returns the words of the first element that a selector finds; empty if there is none.
pub(crate) fn first_text(page: &str, selector: &str) -> String {
    texts(page, selector).into_iter().next().unwrap_or_default()
}

/// Returns the words of the main part of a page.
pub(crate) fn main_text(page: &str) -> String {
    first_text(page, "main")
}

/// Returns an attribute of all elements that a selector finds and that have it.
pub(crate) fn attributes(page: &str, selector: &str, name: &str) -> Vec<String> {
    let page = Html::parse_document(page);
    page.select(&select(selector)).filter_map(|it| it.attr(name).map(str::to_owned)).collect()
}

/// Returns an attribute of the first element that a selector finds.
pub(crate) fn attribute(page: &str, selector: &str, name: &str) -> Option<String> {
    Html::parse_document(page).select(&select(selector)).next()?.attr(name).map(str::to_owned)
}
