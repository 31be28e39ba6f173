//! Circles of files: files that need each other in a loop can only be read, and changed, as one. A
//! circle is never wider than a folder, and the head of its folder (its `mod.rs`, the `lib.rs`, or
//! `x.rs` beside `x/`) says why it is there, in a paragraph that begins with `A circle:` and names its
//! files, each in backticks.
//!
//! A file is a part of the module that it is in: it may name what the head of its own folder defines.
//! All else that it names, in a `use` line or where it is used, is an arrow to the file that defines it,
//! no matter which file hands it on.

use super::layers::files;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The folders with the sources of a crate, each with a `lib.rs`.
const CRATES: [&str; 3] = ["src", "games", "console"];

/// What a paragraph about a circle begins with.
const MARK: &str = "A circle:";

/// A path as it is written, between its `::`.
type Names = Vec<String>;

/// What a file takes from each other file.
type Arrows = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// The bytes of a text or a character that begins here; nothing where none does.
fn quoted(rest: &str) -> Option<usize> {
    let raw = rest.strip_prefix('b').unwrap_or(rest).strip_prefix('r');
    if let Some(raw) = raw {
        let hashes = &raw[..raw.len() - raw.trim_start_matches('#').len()];
        if raw[hashes.len()..].starts_with('"') {
            let begin = rest.len() - raw.len() + hashes.len() + 1;
            let end = format!("\"{hashes}");
            return Some(begin + rest[begin..].find(&end).unwrap() + end.len());
        }
    }
    if let Some(text) = rest.strip_prefix('"') {
        let mut escaped = false;
        let end = text.find(|c| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        return Some(end.unwrap() + 2);
    }
    let character = rest.strip_prefix('\'')?;
    if character.starts_with('\\') {
        return Some(character[2..].find('\'').unwrap() + 4);
    }
    // Else it is a lifetime.
    let length = character.chars().next()?.len_utf8();
    character[length..].starts_with('\'').then_some(length + 2)
}

/// The words and signs of a source, without comments, texts and characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if let Some(length) = quoted(rest) {
            rest = &rest[length..];
        } else {
            let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let length = if rest.starts_with("::") { 2 } else { word.max(c.len_utf8()) };
            if !c.is_whitespace() {
                found.push(&rest[..length]);
            }
            rest = &rest[length..];
        }
    }
    found
}

/// Leaves out what only tests see: each item below `#[cfg(test)]`.
fn without_tests(tokens: &[&str]) -> Names {
    const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut found = Vec::new();
    let mut rest = tokens;
    while let Some((first, others)) = rest.split_first() {
        if !rest.starts_with(&TEST) {
            found.push((*first).to_owned());
            rest = others;
            continue;
        }
        let mut depth = 0;
        let end = rest.iter().position(|token| {
            depth += i32::from(*token == "{") - i32::from(*token == "}");
            depth == 0 && ["}", ";"].contains(token)
        });
        rest = &rest[end.expect("an item ends") + 1..];
    }
    found
}

/// A name that a `use` line brings into a file.
#[derive(Clone, Debug, PartialEq)]
struct Import {
    /// As it is called here; `*` for all names of a module.
    name: String,
    path: Names,
    /// Whether others may take it from here.
    is_public: bool,
}

/// The paths of one tree of a `use` line, and how many tokens it has.
fn tree(tokens: &[String], before: &[String], is_public: bool, found: &mut Vec<Import>) -> usize {
    let mut path = before.to_vec();
    let mut at = 0;
    loop {
        match tokens[at].as_str() {
            "::" => at += 1,
            "{" => {
                at += 1;
                while tokens[at] != "}" {
                    at += tree(&tokens[at..], &path, is_public, found);
                    at += usize::from(tokens[at] == ",");
                }
                return at + 1;
            }
            "," | ";" | "}" => break,
            "as" => {
                let name = tokens[at + 1].clone();
                found.push(Import { name, path, is_public });
                return at + 2;
            }
            word => {
                path.push(word.to_owned());
                at += 1;
            }
        }
    }
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    let name = path.last().cloned().unwrap_or_default();
    found.push(Import { name, path, is_public });
    at
}

/// One file: where it is in the tree of modules, what it imports and which paths it writes out.
#[derive(Debug)]
struct Source {
    module: Names,
    imports: Vec<Import>,
    paths: BTreeSet<Names>,
    /// What is defined in it, at any depth.
    defined: BTreeSet<String>,
}

impl Source {
    /// Reads a file by its path below the folder of its crate.
    fn read(file: &str, text: &str) -> Self {
        const ITEMS: [&str; 8] =
            ["fn", "struct", "enum", "const", "static", "trait", "type", "macro_rules"];
        let stem = file.strip_suffix(".rs").expect("sources end with .rs");
        let mut module: Names = stem.split('/').map(str::to_owned).collect();
        if ["mod", "lib"].contains(&module.last().expect("a path has a name").as_str()) {
            module.pop();
        }
        let tokens = without_tests(&tokens(text));
        let (mut imports, mut paths, mut defined) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        let is_word = |token: &String| token.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let mut at = 0;
        while at < tokens.len() {
            let begin = at;
            at += 1;
            // Not the `use<'_>` of a type.
            if tokens[begin] == "use" && tokens[at] != "<" {
                let before = begin.checked_sub(1).map(|at| tokens[at].as_str());
                let is_public = before.is_some_and(|it| it == "pub" || it == ")");
                at += tree(&tokens[at..], &[], is_public, &mut imports);
            } else if ITEMS.contains(&tokens[begin].as_str()) {
                let name = tokens[at..].iter().find(|token| is_word(token) && *token != "mut");
                defined.extend(name.cloned());
            } else if is_word(&tokens[begin]) {
                let more = || {
                    tokens[at..]
                        .chunks(2)
                        .take_while(|two| two[0] == "::" && two.len() == 2 && is_word(&two[1]))
                };
                let path: Names = std::iter::once(&tokens[begin])
                    .chain(more().map(|two| &two[1]))
                    .cloned()
                    .collect();
                at += 2 * (path.len() - 1);
                if path.len() > 1 {
                    paths.insert(path);
                }
            }
        }
        Self { module, imports, paths, defined }
    }
}

/// The files of a crate by their modules.
struct Crate(BTreeMap<Names, (String, Source)>);

/// What a path leads to.
#[derive(Debug, PartialEq)]
enum Goal<'c> {
    Module(&'c [String]),
    Item(&'c [String], String),
}

impl Crate {
    /// Reads pairs of a file, by its path in the crate, and its text.
    fn new(files: impl IntoIterator<Item = (String, String)>) -> Self {
        let sources = files.into_iter().map(|(file, text)| {
            let source = Source::read(&file, &text);
            (source.module.clone(), (file, source))
        });
        Self(sources.collect())
    }

    /// What a path leads to that is written in a module, if that is in this crate. A file that
    /// only hands a name on is passed by.
    fn goal(&self, from: &[String], path: &[String], steps: u8) -> Option<Goal<'_>> {
        let (first, rest) = path.split_first()?;
        let (own, (_, source)) = self.0.get_key_value(from)?;
        let parent = || self.0.get_key_value(own.split_last()?.1);
        match first.as_str() {
            "crate" => self.within(&[], rest, steps),
            "self" => self.within(own, rest, steps),
            "super" if rest.first().is_some_and(|next| next == "super") => {
                self.goal(parent()?.0, rest, steps)
            }
            "super" => self.within(parent()?.0, rest, steps),
            _ => {
                let child = [own.as_slice(), std::slice::from_ref(first)].concat();
                let is_imported = source.imports.iter().any(|import| import.name == *first);
                let is_known = is_imported || self.0.contains_key(&child);
                if is_known { self.within(own, path, steps) } else { None }
            }
        }
    }

    /// What a path leads to that begins in a module.
    fn within(&self, module: &[String], path: &[String], steps: u8) -> Option<Goal<'_>> {
        let (own, (_, source)) = self.0.get_key_value(module)?;
        let Some((first, rest)) = path.split_first() else { return Some(Goal::Module(own)) };
        let child = [module, std::slice::from_ref(first)].concat();
        if self.0.contains_key(&child) {
            return self.within(&child, rest, steps);
        }
        let steps = steps.checked_sub(1)?;
        // A module and a function may have one name.
        let is_here = source.defined.contains(first);
        if !(is_here && rest.is_empty()) {
            if let Some(import) = source.imports.iter().find(|import| import.name == *first) {
                let path = [import.path.as_slice(), rest].concat();
                return self.goal(own, &path, steps);
            }
            for glob in source.imports.iter().filter(|import| import.name == "*" && !is_here) {
                let (_, module) = glob.path.split_last()?;
                if let Some(Goal::Module(module)) = self.goal(own, module, steps)
                    && self.0[module].1.defined.contains(first)
                {
                    return self.within(module, path, steps);
                }
            }
        }
        Some(Goal::Item(own, first.clone()))
    }

    /// What each file takes from which others.
    fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (module, (file, source)) in &self.0 {
            let mut add = |goal: Goal<'_>| {
                // A module that is imported is named again where something is taken from it.
                let Goal::Item(to, name) = goal else { return };
                // A file is a part of the module that it is in.
                if !module.starts_with(to) {
                    let names = arrows.entry(file.clone()).or_default();
                    names.entry(self.0[to].0.clone()).or_default().insert(name);
                }
            };
            for import in &source.imports {
                let all = import.name == "*";
                let path = &import.path[..import.path.len() - usize::from(all)];
                let Some(goal) = self.goal(module, path, 9) else { continue };
                let (Goal::Module(to) | Goal::Item(to, _)) = &goal;
                let hands_on = import.is_public && to.starts_with(module);
                match goal {
                    _ if hands_on => {}
                    Goal::Module(to) if all => add(Goal::Item(to, "*".to_owned())),
                    goal => add(goal),
                }
            }
            source.paths.iter().filter_map(|path| self.goal(module, path, 9)).for_each(&mut add);
        }
        arrows
    }
}

/// The files that can be reached from one.
fn reached<'a>(arrows: &'a Arrows, from: &'a str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(file) = waiting.pop() {
        let next = arrows.get(file).into_iter().flat_map(BTreeMap::keys).map(String::as_str);
        waiting.extend(next.filter(|next| found.insert(*next)));
    }
    found
}

/// The files that need each other, however many are between.
fn circles(arrows: &Arrows) -> BTreeSet<BTreeSet<&str>> {
    let all: BTreeMap<&str, _> =
        arrows.keys().map(|file| (file.as_str(), reached(arrows, file))).collect();
    let circle = |(file, reached): (&&str, &BTreeSet<&'_ str>)| -> BTreeSet<_> {
        let back = |other: &&str| all.get(other).is_some_and(|it| it.contains(file));
        all.keys().copied().filter(|other| reached.contains(other) && back(other)).collect()
    };
    all.iter().map(circle).filter(|circle| circle.len() > 1).collect()
}

/// The folder of a file.
fn folder(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A file in a folder, by its name without ending.
fn within(folder: &str, name: &str) -> String {
    if folder.is_empty() { format!("{name}.rs") } else { format!("{folder}/{name}.rs") }
}

/// The files that can speak for a folder.
fn heads(folder: &str) -> [String; 3] {
    [within(folder, "mod"), within(folder, "lib"), format!("{folder}.rs")]
}

/// The folder that a circle is in, unless it is wider than one.
fn place<'c>(circle: &BTreeSet<&'c str>) -> Option<&'c str> {
    let all = |of: &str| {
        circle.iter().all(|file| folder(file) == of || heads(of).contains(&(*file).to_owned()))
    };
    circle.iter().map(|file| folder(file)).find(|of| all(of))
}

/// The circles that the docs of a head name: the files of each.
fn told(head: &str, text: &str) -> Vec<BTreeSet<String>> {
    let of = heads(folder(head)).contains(&head.to_owned());
    let beside = if of { folder(head) } else { head.strip_suffix(".rs").unwrap_or(head) };
    let docs: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).collect();
    let paragraphs = docs.split(|line| line.trim().is_empty()).map(|lines| lines.join(""));
    let circles = paragraphs.filter(|text| text.trim().starts_with(MARK));
    let files = |text: String| {
        text.split('`').skip(1).step_by(2).map(|name| within(beside, name)).collect()
    };
    circles.map(files).collect()
}

/// What is wrong with the circles of a crate, given its files.
fn faults(files: &BTreeMap<String, String>) -> Vec<String> {
    let arrows = Crate::new(files.clone()).arrows();
    let circles = circles(&arrows);
    let told: Vec<(&String, BTreeSet<String>)> = files
        .iter()
        .flat_map(|(head, text)| told(head, text).into_iter().map(move |it| (head, it)))
        .collect();
    let mut faults = Vec::new();
    for circle in &circles {
        let ties = shown(circle, &arrows);
        let Some(of) = place(circle) else {
            faults.push(format!("a circle is wider than a folder:\n{ties}"));
            continue;
        };
        let is_it = |(head, told): &(&String, BTreeSet<String>)| {
            heads(of).contains(head) && told.iter().map(String::as_str).eq(circle.iter().copied())
        };
        if !told.iter().any(is_it) {
            faults.push(format!("open it, or say why it is there in the head of `{of}`:\n{ties}"));
        }
    }
    let is_gone = |told: &BTreeSet<&str>| !circles.contains(told);
    let gone = told.iter().filter(|(_, told)| is_gone(&told.iter().map(String::as_str).collect()));
    faults.extend(gone.map(|(head, told)| format!("{head}: these are no circle: {told:?}")));
    faults
}

/// A circle: which file needs which, and what of it.
fn shown(circle: &BTreeSet<&str>, arrows: &Arrows) -> String {
    let mut lines = Vec::new();
    for file in circle {
        let ties = arrows[*file].iter().filter(|(to, _)| circle.contains(to.as_str()));
        for (to, names) in ties {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            lines.push(format!("    {file} needs {} of {to}", names.join(", ")));
        }
    }
    lines.join("\n")
}

/// The files of a crate without those that are all tests, and without a program beside the library.
fn sources(folder: &Path) -> BTreeMap<String, String> {
    let mut paths = Vec::new();
    files(folder, &mut paths);
    let name = |path: &Path| path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
    let is_code =
        |file: &str| !file.contains("tests/") && !file.ends_with("tests.rs") && file != "main.rs";
    let read = |path: &PathBuf| (name(path), fs::read_to_string(path).unwrap());
    paths.iter().map(read).filter(|(file, _)| is_code(file)).collect()
}

#[test]
fn every_circle_of_files_has_a_reason() {
    let mut found = Vec::new();
    for name in CRATES {
        let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(name));
        assert!(sources.contains_key("lib.rs"), "{name}");
        found.extend(faults(&sources).into_iter().map(|fault| format!("{name}: {fault}")));
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// A crate of these files.
fn sample(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn an_arrow_leads_to_the_file_that_defines_what_is_named() {
    let rest = [
        ("lib.rs", "mod a; mod b;"),
        ("a/mod.rs", "mod x; mod y;\npub use x::X;\npub struct Own;\nfn f() { y::go() }"),
        ("a/x.rs", "pub struct X; pub fn x() {}"),
        ("a/y.rs", "use super::Own;\npub fn go() {}"),
    ];
    for (text, to, name) in [
        ("use crate::a::X;", "a/x.rs", "X"),
        ("use crate::a::{\n    Other as It, x::{self, X},\n};\nfn f() { x::x() }", "a/x.rs", "x"),
        ("use super::a;\nfn f() -> a::X { todo!() }", "a/x.rs", "X"),
        ("fn f<'a>() { let _ = '\"'; crate::a::x::x() }", "a/x.rs", "x"),
        ("use crate::a::*;", "a/mod.rs", "*"),
        ("use crate::a::Own as Mine;", "a/mod.rs", "Own"),
    ] {
        let arrows = Crate::new(sample(&[&rest[..], &[("b.rs", text)]].concat())).arrows();
        let names = arrows.get("b.rs").and_then(|to_all| to_all.get(to));
        assert!(names.is_some_and(|names| names.contains(name)), "{text}: {arrows:?}");
        assert_eq!(arrows["a/mod.rs"].keys().collect::<Vec<_>>(), ["a/y.rs"], "no re-export");
        assert!(!arrows.contains_key("a/y.rs"), "a file is a part of its module");
    }
    for text in [
        "// use crate::a::X;\nfn f() { let _ = \"crate::a::X\"; }",
        "#[cfg(test)]\nmod tests {\n    use crate::a::X;\n}",
        "#[cfg(test)]\nuse crate::a::X;\nuse std::fmt;",
    ] {
        let arrows = Crate::new(sample(&[&rest[..], &[("b.rs", text)]].concat())).arrows();
        assert!(!arrows.contains_key("b.rs"), "{text}: {arrows:?}");
    }
}

#[test]
fn a_circle_is_seen_and_so_is_a_reason_without_one() {
    let x = "use super::y::Y;\npub struct X;";
    let y = "use crate::a::X;\npub struct Y;";
    let head =
        "//! A folder.\n//!\n//! A circle: `x` and `y` need each\n//! other.\n\npub use x::X;";
    let of = |head: &str, y: &str| {
        faults(&sample(&[("lib.rs", "mod a;"), ("a/mod.rs", head), ("a/x.rs", x), ("a/y.rs", y)]))
    };
    assert_eq!(of(head, y), [""; 0]);
    let ties = "    a/x.rs needs Y of a/y.rs\n    a/y.rs needs X of a/x.rs";
    let open = "open it, or say why it is there in the head of `a`:";
    assert_eq!(of("pub use x::X;", y), [format!("{open}\n{ties}")]);
    let gone = "a/mod.rs: these are no circle: {\"a/x.rs\", \"a/y.rs\"}";
    assert_eq!(of(head, "pub struct Y;"), [gone]);
    let wide = sample(&[
        ("lib.rs", "mod a; mod b;"),
        ("a/mod.rs", ""),
        ("a/x.rs", "use crate::b::B; pub struct X;"),
        ("b.rs", "use crate::a::x::X; pub struct B;"),
    ]);
    let ties = "    a/x.rs needs B of b.rs\n    b.rs needs X of a/x.rs";
    assert_eq!(faults(&wide), [format!("a circle is wider than a folder:\n{ties}")]);
}
