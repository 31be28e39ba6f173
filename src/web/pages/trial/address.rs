//! The addresses of a trial. What was tried is in the query, or behind `/tried/` in the path: a link of a
//! page with such a path is relative, so that it has only what is new, however much was tried before.

use crate::web::http::request::WebRequest;
use games::Spot;

/// What precedes the fields of a trial and its moves in a path, a segment each.
const TRIED: &str = "/tried/";

/// The segment of no fields.
const NO_FIELDS: &str = "-";

/// A slash within a segment, and the sign for it there: proxies do not pass on `%2F`.
const SLASH: [&str; 2] = ["%2F", "~"];

/// The address where a trial begins.
#[derive(Clone, Debug)]
pub(in crate::web::pages) struct TrialAddress {
    pub(in crate::web::pages) path: String,
    /// The fields of the query that say where the trial begins.
    pub(in crate::web::pages) fields: Vec<(String, String)>,
    /// The path of the request.
    pub(in crate::web::pages) requested: String,
}

impl TrialAddress {
    /// Returns the address where the trial begins.
    pub(in crate::web::pages) fn start(&self) -> String {
        self.after(&[], &[], None)
    }

    /// Returns the address after some moves, the steps of an unfinished move, and a chosen man. It is
    /// written as the request was.
    pub(super) fn after(&self, moves: &[&str], steps: &[String], from: Option<Spot>) -> String {
        if self.is_tried() && !moves.is_empty() {
            return with_query(&self.tried(moves), &[], steps, from);
        }
        let moves = (!moves.is_empty()).then(|| ("moves".to_owned(), moves.join(" ")));
        let fields: Vec<_> = self.fields.iter().cloned().chain(moves).collect();
        with_query(&self.path, &fields, steps, from)
    }

    /// Returns the shortest link to an address, for a page that has many of them.
    pub(super) fn link(&self, moves: &[&str], steps: &[String], from: Option<Spot>) -> String {
        let tried = self.tried(moves);
        let parent = self.requested.rfind('/').map_or(0, |at| at + 1);
        let path = match tried.strip_prefix(&*self.requested) {
            Some("") => "",
            Some(more) if more.starts_with('/') => &tried[parent..],
            _ => &*tried,
        };
        with_query(path, &[], steps, from)
    }

    /// Returns whether the path of the request has what was tried.
    pub(super) fn is_tried(&self) -> bool {
        self.requested.strip_prefix(&*self.path).is_some_and(|more| more.starts_with(TRIED))
    }

    /// Returns the path that has the fields and these moves.
    fn tried(&self, moves: &[&str]) -> String {
        let fields = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(&self.fields)
            .finish()
            .replace(SLASH[0], SLASH[1]);
        let fields = if fields.is_empty() { NO_FIELDS } else { &*fields };
        let mut path = self.path.clone() + TRIED + fields;
        for word in moves {
            path.push('/');
            let word: String = form_urlencoded::byte_serialize(word.as_bytes()).collect();
            path += &word.replace(SLASH[0], SLASH[1]);
        }
        path
    }
}

/// Returns a path with a query of fields, steps and a chosen man.
fn with_query(
    path: &str,
    fields: &[(String, String)],
    steps: &[String],
    from: Option<Spot>,
) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(fields);
    if !steps.is_empty() {
        query.append_pair("play", &steps.join(","));
    }
    if let Some(from) = from {
        query.append_pair("from", &from.to_string());
    }
    match query.finish() {
        query if query.is_empty() => path.to_owned(),
        query => format!("{path}?{query}"),
    }
}

/// Returns a request whose query has also what its path says was tried.
pub(in crate::web::pages) fn with_tried(mut request: WebRequest) -> WebRequest {
    let Some((_, tried)) = request.path.split_once(TRIED) else { return request };
    let tried = tried.replace(SLASH[1], SLASH[0]);
    let (fields, moves) = tried.split_once('/').unwrap_or((&tried, ""));
    let moves: Vec<String> = moves
        .split('/')
        .flat_map(|word| form_urlencoded::parse(word.as_bytes()))
        .map(|(word, _)| word.into_owned())
        .collect();
    let moves = [("moves".to_owned(), moves.join(" "))];
    let fields = form_urlencoded::parse(fields.as_bytes()).into_owned();
    for (name, value) in fields.chain(moves).filter(|(_, value)| !value.is_empty()) {
        request.query.entry(name).or_insert(value);
    }
    request
}
