//! What a reply to a board mail says, and in which of its lines.

use super::{Replies, Request};
use crate::base::ids::UserId;
use crate::command::words::{Trust, split_moveno};
use crate::command::{self, Meant, Phrase, Reply, Verb};
use crate::mail::{Own, Stray, may_go_on};
use crate::model::board::{Board, Proposal};
use crate::model::token::Tag;
use crate::refusal::SyntaxRefusal;
use crate::reply::FEW;
use games::{AnyPosition, ROLL, Scripted, Seat, say};

/// Lines behind the first among which a move is looked for, empty ones not counted.
const NEXT: usize = 5;

/// The longest message that is passed on to an opponent, bytes.
pub(crate) const LONGEST_COMMENT: usize = 10_000;

/// The verb that a move alone stands for.
const MOVE: &str = "move";

/// Lines below and between quoted ones among which it is.
const BELOW: usize = 12;

/// The one line of a reply that says something on the board: the first, or the only one of those
/// that follow a greeting. What stands beside it is a message.
///
/// # Errors
/// There is none, there are several, or it may be a part of what is quoted.
pub(super) fn read(own: &Own, replies: &Replies) -> Result<Request, SyntaxRefusal> {
    let &Replies { board, player, tag, ref view } = replies;
    let mut position = board.position().copy();
    position.look_as(view);
    let reader = Reader { board, position, player, tag, seat: board.seat(player) };
    let above: Vec<&str> = own.above.iter().map(String::as_str).collect();
    if let Some(said) = reader.above(&above)? {
        let comment = without(&above, said.at);
        return Ok(reader.request(said.said, &comment));
    }
    let parts: Vec<Vec<&str>> =
        own.below.iter().map(|part| part.iter().map(String::as_str).collect()).collect();
    let (below, is_list): (Vec<&str>, Vec<&str>) =
        parts.join(&"").into_iter().partition(|line| !reader.lists(line));
    match reader.below(own, &below, &is_list)? {
        Some(said) => {
            let comment = [above, vec![""], without(&below, said.at)].concat();
            Ok(reader.request(said.said, &comment))
        }
        None if !reader.is_asked() && own.above.first().is_some_and(|l| reader.is_yes_or_no(l)) => {
            Err(SyntaxRefusal::NothingAsked)
        }
        None if own.above.is_empty() && below.is_empty() => Err(SyntaxRefusal::EmptyReply),
        None => Err(SyntaxRefusal::NoMove),
    }
}

/// Whether words can be read as a move of the game or are one of its own words.
fn could_be_a_move(board: &Board, words: &str) -> bool {
    let (words, _) = split_moveno(words);
    !words.trim().is_empty()
        && (board.position().spells(words) || command::own_word(board.game, words).is_some())
}

/// What a line says.
#[derive(Clone, Debug)]
struct Said {
    /// As a command.
    line: String,
    /// Whether the line is a command itself, with its password.
    is_command: bool,
    /// The same for two lines that mean the same.
    meaning: String,
}

impl Said {
    fn of(line: String) -> Self {
        let meaning = line.split_whitespace().collect::<Vec<_>>().join(" ");
        Self { line, is_command: false, meaning }
    }
}

/// What a line says, and which line it is.
struct Found {
    at: usize,
    said: Said,
}

/// Reads the lines of a reply.
struct Reader<'a> {
    board: &'a Board,
    /// The position of the board, which reads moves as the player writes them.
    position: Box<dyn AnyPosition>,
    player: &'a UserId,
    tag: &'a Tag,
    seat: Option<Seat>,
}

impl Reader<'_> {
    fn request(&self, said: Said, comment: &[&str]) -> Request {
        // A command that slipped below the first line must not hand the account over.
        let mut size = 0;
        let (held_back, kept): (Vec<&str>, Vec<&str>) = comment.iter().partition(|line| {
            // What stands behind the longest comment is not passed on.
            let is_held_back = size <= LONGEST_COMMENT && command::has_password(line);
            size += if is_held_back { 0 } else { line.len() + 1 };
            is_held_back
        });
        let trust = if said.is_command {
            Trust::Words
        } else {
            Trust::Token(self.board.id, self.player.clone())
        };
        let comment = kept.join("\n").trim().to_owned();
        Request { line: said.line, trust, comment, held_back: !held_back.is_empty() }
    }

    /// What is said above the quotation.
    fn above(&self, lines: &[&str]) -> Result<Option<Found>, SyntaxRefusal> {
        let Some(first) = lines.first() else { return Ok(None) };
        let next = || whole(lines).filter(|(at, _)| *at > 0).take(NEXT);
        let goes_on = lines.get(1).is_some_and(|second| !second.trim().is_empty());
        let first_said = self.first(first).filter(|(_, kind)| {
            // `Ok, let me think` may stand on two lines, and `I resign, if you want`.
            let is_open = *kind == Kind::Answer && !self.is_plain(first) || first.ends_with(',');
            !(goes_on && is_open && *kind != Kind::Move)
        });
        if let Some((said, kind)) = first_said {
            // What stands behind an empty line is the message.
            let second = lines.get(1).filter(|line| match kind {
                Kind::Move | Kind::Word => self.could_be(line),
                Kind::Answer | Kind::Other => false,
            });
            let other = next().filter(|_| kind == Kind::Answer);
            let mut other = other.filter(|(_, line)| {
                self.other(line).is_some_and(|other| other.meaning != said.meaning)
            });
            if let Some(second) = second.copied().or_else(|| Some(other.next()?.1)) {
                return Err(two(first, second));
            }
            return Ok(Some(Found { at: 0, said }));
        }
        self.only(next())
    }

    /// What is said below the quotation, or between its lines.
    fn below(
        &self,
        own: &Own,
        lines: &[&str],
        listed: &[&str],
    ) -> Result<Option<Found>, SyntaxRefusal> {
        let strays = own.stray.iter().map(|Stray { line, between }| (&**line, *between));
        let strays = strays.chain(listed.iter().map(|line| (*line, false)));
        let mut strays = strays
            .take(BELOW)
            .filter(|(line, _)| self.other(line).is_some_and(|it| !it.is_command));
        let only = self.only(whole(lines).take(BELOW))?;
        if let Some(found) = only {
            // What stands between two quoted lines is the rest of the first.
            let stray = strays.find(|(line, between)| {
                !between && self.other(line).is_some_and(|it| it.meaning != found.said.meaning)
            });
            return match stray {
                Some((stray, _)) => Err(two(lines[found.at], stray)),
                None => Ok(Some(found)),
            };
        }
        if let Some((stray, _)) = strays.next() {
            return Err(SyntaxRefusal::Doubtful(stray.trim().to_owned()));
        }
        // A move that is not legal is told why.
        let mut firsts = own.below.iter().filter_map(|part| part.first());
        let only = firsts.next().filter(|_| own.above.is_empty() && firsts.next().is_none());
        let said = only.and_then(|line| {
            let at = lines.iter().position(|other| other == line)?;
            Some(Found { at, said: self.first(line)?.0 })
        });
        Ok(said)
    }

    /// The only one of these lines that says something; lines that mean the same are one.
    fn only<'l>(
        &self,
        lines: impl Iterator<Item = (usize, &'l str)>,
    ) -> Result<Option<Found>, SyntaxRefusal> {
        let mut found: Option<(Found, &str)> = None;
        for (at, line) in lines {
            let Some(said) = self.other(line) else { continue };
            match &found {
                Some((one, _)) if one.said.meaning == said.meaning => {}
                Some((_, one)) => return Err(two(one, line)),
                None => found = Some((Found { at, said }, line)),
            }
        }
        Ok(found.map(|(found, _)| found))
    }

    /// What the first line says: it may be a move that is not legal, or a verb with more behind it.
    fn first(&self, line: &str) -> Option<(Said, Kind)> {
        let line = line.trim();
        if let Some(said) = self.command(line) {
            return Some((said, Kind::Other));
        }
        match command::phrase(line, self.opponent()) {
            Some(Phrase::Verb(verb, of)) => return Some((self.verb(verb, of), Kind::of(verb))),
            Some(Phrase::Answer { yes, .. }) => {
                return self.is_asked().then(|| (self.answer(yes), Kind::Answer));
            }
            None => {}
        }
        let (word, more) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let word = word.trim_end_matches([':', ',', '.', '!']);
        if word.eq_ignore_ascii_case("help") || word.eq_ignore_ascii_case("rules") {
            return Some((Said::of(format!("{} help {more}", self.game())), Kind::Other));
        }
        if let Some((verb, reply)) = self.reply_verb(word) {
            // Several words that are no move may be a command with its password.
            let more = more.trim();
            let is_sentence = verb.name == MOVE
                && more.contains(char::is_whitespace)
                && !could_be_a_move(self.board, bare_move(more))
                && !command::is_setting(self.board.game, more);
            return (!is_sentence).then(|| (self.with_words(verb, reply, more), Kind::Other));
        }
        if command::is_setting(self.board.game, line) {
            return Some((Said::of(self.as_move(line, false)), Kind::Move));
        }
        let text = bare_move(line);
        let is_move = could_be_a_move(self.board, text)
            || self.board.is_over() && !text.contains(char::is_whitespace);
        is_move.then(|| (Said::of(self.as_move(text, true)), Kind::Move))
    }

    /// What a line says that is not the first: what cannot be doubted, alone on its line.
    fn other(&self, line: &str) -> Option<Said> {
        let line = line.trim();
        if let Some(said) = self.command(line).filter(|_| games::find(first_word(line)).is_some()) {
            return Some(said);
        }
        match command::phrase(line, self.opponent()) {
            Some(Phrase::Verb(verb, of)) => return Some(self.verb(verb, of)),
            Some(Phrase::Answer { yes, plain }) => {
                return (plain && self.is_asked()).then(|| self.answer(yes));
            }
            None => {}
        }
        let text = bare_move(line);
        let meaning = self.legal(text)?;
        Some(Said { meaning, ..Said::of(self.as_move(text, true)) })
    }

    /// Whether a line below a move may be another.
    fn could_be(&self, line: &str) -> bool {
        let text = bare_move(line);
        could_be_a_move(self.board, text) || command::is_setting(self.board.game, line)
    }

    /// A whole command with its password, as one writes it into a Subject.
    fn command(&self, line: &str) -> Option<Said> {
        let word = first_word(line);
        let is_command = if games::find(word).is_some() {
            command::has_password(line) || command::parse(line, &Trust::Words).is_ok()
        } else {
            // What else can be said here is said by the tag, and for nobody else.
            let verb = command::find_verb(word, None).filter(|_| self.reply_verb(word).is_none());
            let read = verb.and_then(|_| command::read(line, &Trust::Words).ok());
            read.is_some_and(|(_, claimed)| claimed.is_none_or(|claimed| claimed == *self.player))
        };
        let is_help = ["help", "rules"].iter().any(|help| word.eq_ignore_ascii_case(help));
        (is_command && !is_help).then(|| Said { is_command: true, ..Said::of(line.to_owned()) })
    }

    /// A verb that can be said in a reply, with more words behind it. A word that the game has too
    /// is read as a move is; `move` knows both.
    fn reply_verb(&self, word: &str) -> Option<(&'static Verb, Reply)> {
        let game = self.board.game;
        let verb = command::find_verb(word, Some(game))?;
        let is_own = game.spec().verbs.contains(&verb.name) || self.position.spells(verb.name);
        (command::is_answer(verb) || !is_own).then_some(())?;
        Some((verb, verb.reply?))
    }

    /// What a phrase says.
    fn verb(&self, verb: &'static str, of: &'static str) -> Said {
        let drops = || command::own_word(self.board.game, "drop").is_some() && self.game_asks();
        let (verb, of) = match verb {
            "help" | "rules" => return Said::of(format!("{} help", self.game())),
            // Who is offered a draw and says so agrees.
            "propose" if self.tag.offered == Some(Proposal::Draw) => {
                ("accept", Meant::Offer(Proposal::Draw).word())
            }
            // So is a double refused at the board.
            "pass" if drops() => ("drop", ""),
            other => (other, of),
        };
        match self.reply_verb(verb) {
            Some((verb, reply)) => self.with_words(verb, reply, of),
            None => Said::of(self.as_move(verb, true)),
        }
    }

    /// Yes or no, to what is asked.
    fn answer(&self, yes: bool) -> Said {
        self.verb(if yes { "accept" } else { "reject" }, "")
    }

    fn with_words(&self, verb: &Verb, reply: Reply, more: &str) -> Said {
        let (game, number, player) = (self.game(), self.board.id.number, self.player);
        let line = match reply {
            Reply::Game => format!("{game} {} {more}", verb.name),
            // It is meant for the board as the mail showed it, too.
            Reply::Player if verb.name == MOVE && !more.is_empty() => {
                self.as_move(bare_move(more), !command::is_setting(self.board.game, more))
            }
            Reply::Board => format!("{game} {} {number} {more}", verb.name),
            Reply::Player => format!("{game} {} {number} {player} {more}", verb.name),
            Reply::ForMove => {
                let at = self.moveno().map_or_else(String::new, |moveno| format!("#{moveno}"));
                // So is what `accept` means.
                let more = match self.tag.offered.map_or(Meant::Game, Meant::Offer) {
                    meant if command::is_answer(verb) && more.is_empty() => meant.word(),
                    _ => more,
                };
                format!("{game} {} {number}{at} {player} {more}", verb.name)
            }
        };
        Said::of(line)
    }

    /// The words of a move as a command, for the board as the mail showed it, even if it comes twice.
    fn as_move(&self, text: &str, for_move: bool) -> String {
        let moveno = self.moveno().filter(|_| for_move && !text.contains('#'));
        let behind = moveno.map_or_else(String::new, |moveno| format!("#{moveno}"));
        format!("{} move {} {} {text}{behind}", self.game(), self.board.id.number, self.player)
    }

    /// The move that words mean, if it is legal now; if nobody can say that, the words themselves.
    fn legal(&self, text: &str) -> Option<String> {
        let (words, number) = split_moveno(text);
        let position = &self.position;
        if words.is_empty() || !could_be_a_move(self.board, words) {
            return None;
        }
        let Some(seat) =
            self.seat.filter(|seat| !self.board.is_over() && position.next().asks(*seat))
        else {
            return Some(text.to_owned());
        };
        let words = command::own_word(self.board.game, words).unwrap_or(words);
        // It is no move, but can be said where one can.
        if words.eq_ignore_ascii_case(ROLL) {
            return Some(words.to_owned());
        }
        let said = say(&mut *position.copy(), seat, words, &mut Scripted::default()).ok()?;
        Some(format!("{said:?} {number:?}"))
    }

    /// Whether a line is a piece of our list of legal plays.
    fn lists(&self, line: &str) -> bool {
        let position = &self.position;
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.len() < 2 || !position.spells(words[0]) {
            return false;
        }
        let moves = position.moves_up_to(FEW + 1);
        moves.len() <= FEW && moves.windows(words.len()).any(|moves| moves == words)
    }

    /// Whether a yes or no is asked of the writer.
    fn is_asked(&self) -> bool {
        let offered = self.seat.and_then(|seat| self.board.offered_to(seat));
        !self.board.is_over()
            && (self.tag.offered.is_some() || offered.is_some() || self.game_asks())
    }

    /// Whether the game asks it: a double, an offer to resign.
    fn game_asks(&self) -> bool {
        let asks = self.seat.is_some_and(|seat| self.position.next().asks(seat));
        asks && command::game_asks(self.board)
    }

    /// Whether a line is yes or no in so many words.
    fn is_plain(&self, line: &str) -> bool {
        let phrase = command::phrase(line, self.opponent());
        matches!(phrase, Some(Phrase::Answer { plain: true, .. }))
    }

    fn is_yes_or_no(&self, line: &str) -> bool {
        matches!(command::phrase(line, self.opponent()), Some(Phrase::Answer { .. }))
    }

    fn moveno(&self) -> Option<usize> {
        self.tag.moveno.filter(|_| !self.board.is_over())
    }

    fn game(&self) -> &'static str {
        self.board.game.spec().name
    }

    fn opponent(&self) -> &str {
        self.seat.map_or("", |seat| self.board.player(seat.other()).as_str())
    }
}

/// What is said by a first line, for what may not stand below it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A move or a setting.
    Move,
    /// A word that some game has as a move.
    Word,
    /// Yes or no.
    Answer,
    Other,
}

impl Kind {
    fn of(verb: &str) -> Self {
        let moves = games::GAMES.iter().flat_map(|game| game.spec().verbs);
        if moves.into_iter().any(|word| *word == verb) { Self::Word } else { Self::Other }
    }
}

/// The refusal of two lines; a password may stand in one that is a command.
fn two(one: &str, other: &str) -> SyntaxRefusal {
    let shown = |line: &str| {
        if command::has_password(line) {
            let words: Vec<&str> = line.split_whitespace().take(2).collect();
            return format!("{} ...", words.join(" "));
        }
        line.trim().to_owned()
    };
    SyntaxRefusal::TwoMoves(shown(one), shown(other))
}

/// The lines that are not empty, with their places, but for those that may be the end of a sentence
/// which a mail program broke: `drop` in `I cannot say whether I should take or / drop.`
fn whole<'a, 'l>(lines: &'a [&'l str]) -> impl Iterator<Item = (usize, &'l str)> + 'a {
    let goes_on = |at: usize| {
        let before = at.checked_sub(1).map(|before| lines[before]);
        before.is_some_and(|before| !before.trim().is_empty() && may_go_on(before, lines[at]))
    };
    let lines = lines.iter().copied().enumerate();
    lines.filter(move |(at, line)| !line.trim().is_empty() && !goes_on(*at))
}

/// All lines but one, without the gap that it leaves.
fn without<'a>(lines: &[&'a str], at: usize) -> Vec<&'a str> {
    let (before, behind) = (&lines[..at], &lines[at + 1..]);
    let is_gap = |line: Option<&&str>| line.is_none_or(|line| line.trim().is_empty());
    let skip = usize::from(is_gap(before.last()) && is_gap(behind.first())).min(behind.len());
    [before, &behind[skip..]].concat()
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// What people write before a move.
const BEFORE: [&str; 13] = [
    "my move is ",
    "my move: ",
    "my move ",
    "i'll play ",
    "i\u{2019}ll play ",
    "i will play ",
    "i'll move ",
    "i will move ",
    "i play ",
    "i move ",
    "i press ",
    "move: ",
    "play: ",
];

/// A move without what people write around it: quotation marks, a full stop, a smiley.
fn bare_move(line: &str) -> &str {
    let mut bare = line.trim();
    if let Some(before) = BEFORE.iter().find(|before| {
        bare.get(..before.len()).is_some_and(|start| start.eq_ignore_ascii_case(before))
    }) {
        bare = &bare[before.len()..];
    }
    // Words such as `:-)`.
    while let Some((rest, word)) = bare.rsplit_once(char::is_whitespace) {
        if word.contains(char::is_alphanumeric) {
            break;
        }
        bare = rest.trim_end();
    }
    let is_quote = |c: char| "\"'`\u{201C}\u{201D}\u{2018}\u{2019}".contains(c);
    let is_end = |c: char| ".,!;".contains(c) || c.is_whitespace() || is_quote(c);
    bare = bare.trim_start_matches(is_quote).trim_end_matches(is_end);
    // An asterisk behind a move is a hit, on both sides of it these are bold letters.
    for [open, close] in [['*', '*'], ['_', '_'], ['(', ')'], ['<', '>']] {
        let inner = bare.strip_prefix(open).and_then(|bare| bare.strip_suffix(close));
        bare = inner.map_or(bare, |inner| inner.trim_end_matches(is_end).trim_start());
    }
    bare
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_taken_out_of_what_stands_around_it() {
        for (line, want) in [
            (" 8/5 6/5. ", "8/5 6/5"),
            ("\"a1-a4\"!!", "a1-a4"),
            ("\u{201C}a1-a4.\u{201D}", "a1-a4"),
            ("*13/7*", "13/7"),
            ("13/7*", "13/7*"),
            ("13/7* 8/7*", "13/7* 8/7*"),
            ("I play 8/5, 6/5 :-)", "8/5, 6/5"),
            ("My move: c4", "c4"),
            ("(c4)", "c4"),
            ("6/1(3)", "6/1(3)"),
            ("a1 - a2", "a1 - a2"),
            (":-)", ":-)"),
            ("", ""),
        ] {
            assert_eq!(bare_move(line), want, "{line}");
        }
    }

    #[test]
    fn a_line_leaves_no_gap() {
        assert_eq!(without(&["a", "", "b", "", "c"], 2), ["a", "", "c"]);
        assert_eq!(without(&["b", "", "c"], 0), ["c"]);
        assert_eq!(without(&["a", "b", "c"], 1), ["a", "c"]);
        assert_eq!(without(&["a", "", "b"], 2), ["a", ""]);
    }
}
