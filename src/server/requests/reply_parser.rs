//! Parses the lines of a reply about a board.

use super::{CommandPlace, ReplyContext, Request};
use crate::base::ids::UserId;
use crate::command::{
    self, AnswerTarget, Command, LONGEST_COMMENT, Phrase, ReplyScope, Trust, Verb, split_moveno,
    without_seed_option,
};
use crate::model::board::{Board, Proposal};
use crate::model::token::ReplyTag;
use crate::model::topic::Topic;
use crate::refusal::{Intent, Refusal, SyntaxRefusal};
use crate::reply::MAX_LISTED_PLAYS;
use games::{AnyPosition, Entry, ROLL, Scripted, Seat, play_text};

/// A line of a reply that is a command or a verb.
pub(super) enum ParsedLine {
    /// A whole command, with its password if it has one.
    Command(String, Result<Box<dyn Command>, Refusal>),
    /// A verb without board, user and password: the reply tag supplies these.
    Verb(VerbPhrase),
}

/// A verb with its words.
pub(super) struct VerbPhrase {
    verb: &'static Verb,
    /// The move number that it is meant for.
    moveno: Option<usize>,
    words: String,
    /// The entries of a legal move, and the move number written behind it.
    made: Option<(Vec<Entry>, Option<String>)>,
}

impl ParsedLine {
    /// Returns whether the line is a whole command.
    pub(super) fn is_command(&self) -> bool {
        matches!(self, Self::Command(..))
    }

    /// Adds a line to a plan: the rest of its last line, or another one.
    pub(super) fn continue_plan(&mut self, line: &str, is_rest: bool, can_branch: bool) {
        let Self::Verb(spoken) = self else { return };
        let tie = match (is_rest, can_branch) {
            (true, _) => " ",
            (false, true) => " ; ",
            (false, false) => " | ",
        };
        spoken.words = joined(&format!("{}{tie}{line}", spoken.words));
    }

    /// Returns whether two lines mean the same.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Command(line, _), Self::Command(other, _)) => line == other,
            (Self::Verb(spoken), Self::Verb(other)) => spoken.is_same(other),
            _ => false,
        }
    }
}

impl VerbPhrase {
    fn new(verb: &'static Verb, words: &str) -> Self {
        Self { verb, moveno: None, words: joined(words), made: None }
    }

    /// Returns whether two phrases mean the same. A move can be written in several ways.
    fn is_same(&self, other: &Self) -> bool {
        let are_made = self.made.is_some() && other.made.is_some();
        let is_same = if are_made { self.made == other.made } else { self.words == other.words };
        self.verb.name == other.verb.name && self.moveno == other.moveno && is_same
    }
}

/// The kind of a first line. It decides what may not follow the line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstLine {
    /// A move or a setting.
    Move,
    /// A word that is a move in some game.
    Word,
    /// Yes or no.
    Answer,
    Other,
}

impl FirstLine {
    fn from_verb(verb: &str) -> Self {
        let moves = games::GAMES.iter().flat_map(|game| game.spec().verbs);
        if moves.into_iter().any(|word| *word == verb) { Self::Word } else { Self::Other }
    }
}

/// Returns whether words can be read as a move of the game, or are one of its own words.
fn could_be_a_move(board: &Board, words: &str) -> bool {
    let is_roll = without_seed_option(words) != words
        && without_seed_option(words).eq_ignore_ascii_case(ROLL);
    let (words, _) = split_moveno(without_seed_option(words));
    !words.trim().is_empty()
        && (is_roll
            || board.position().can_read(words)
            || command::move_word(board.game, words).is_some())
}

/// A parser for the lines of a reply.
pub(super) struct ReplyParser<'a> {
    board: &'a Board,
    /// The position of the board, which parses moves in the player's notation.
    position: Box<dyn AnyPosition>,
    player: &'a UserId,
    tag: &'a ReplyTag,
    seat: Option<Seat>,
}

impl<'a> ReplyParser<'a> {
    pub(super) fn new(context: &ReplyContext<'a>) -> Self {
        let &ReplyContext { board, player, tag, ref view } = context;
        let mut position = board.position().copy();
        position.set_viewer(view);
        Self { board, position, player, tag, seat: board.seat(player) }
    }

    /// Builds the request of a line. `comment` is the rest of the reply.
    pub(super) fn request(&self, said: ParsedLine, comment: &[&str]) -> Request {
        // A command with a password that slipped below the first line must not be passed on.
        let mut size = 0;
        let (held_back, kept): (Vec<&str>, Vec<&str>) = comment.iter().partition(|line| {
            // Text beyond the longest comment is cut off anyway.
            let is_held_back = size <= LONGEST_COMMENT && command::has_password(line);
            size += if is_held_back { 0 } else { line.len() + 1 };
            is_held_back
        });
        let comment = kept.join("\n").trim().to_owned();
        let held_back = !held_back.is_empty();
        let id = self.board.id;
        let (command, line, trust) = match said {
            ParsedLine::Command(line, command) => (command, line, Trust::Untrusted),
            ParsedLine::Verb(VerbPhrase { verb, moveno, words, .. }) => {
                let command = command::parse_reply(verb, self.board, moveno, self.player, &words);
                let about = match verb.reply {
                    Some(ReplyScope::Game) => format!("{} {}", id.game, verb.name),
                    _ => format!("{} {} {}", id.game, verb.name, id.number),
                };
                let line = joined(&format!("{about} {words}"));
                (command, line, Trust::Token(Topic::Board(id), self.player.clone()))
            }
        };
        Request { held_back, ..Request::new(command, line, trust, comment) }
    }

    /// Parses the first line. It may be an illegal move, or a verb with more words.
    pub(super) fn parse_first(&self, line: &str) -> Option<(ParsedLine, FirstLine)> {
        let line = line.trim();
        if let Some(command) = self.parse_command(line) {
            return Some((command, FirstLine::Other));
        }
        match command::phrase(line, self.opponent()) {
            Some(Phrase::Verb(command::QUIT, _)) => {
                let refusal = SyntaxRefusal::ForeignWord(Intent::Quit).into();
                return Some((ParsedLine::Command(joined(line), Err(refusal)), FirstLine::Other));
            }
            Some(Phrase::Verb(verb, of)) => {
                return Some((
                    ParsedLine::Verb(self.phrase_for(verb, of)),
                    FirstLine::from_verb(verb),
                ));
            }
            Some(Phrase::Answer { is_yes, .. }) => {
                let declines =
                    || !is_yes && self.is_challenged() && line.to_lowercase().contains("than");
                return if self.is_asked() {
                    Some((ParsedLine::Verb(self.yes_or_no_phrase(is_yes)), FirstLine::Answer))
                } else {
                    declines().then(|| (ParsedLine::Verb(Self::decline()), FirstLine::Answer))
                };
            }
            None => {}
        }
        let (word, more) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let word = word.trim_end_matches([':', ',', '.', '!']);
        if word.eq_ignore_ascii_case("help") || word.eq_ignore_ascii_case("rules") {
            return Some((
                ParsedLine::Verb(VerbPhrase::new(command::HELP, more)),
                FirstLine::Other,
            ));
        }
        // `set sethome ur` is about this board, like `sethome ur`.
        if word.eq_ignore_ascii_case("set") && command::is_setting(self.board.game, more) {
            return Some((ParsedLine::Verb(self.move_phrase(more, false)), FirstLine::Move));
        }
        if let Some((verb, reply)) = self.reply_verb(word) {
            // Several words that are not a move may be a command with a password.
            let more = more.trim();
            let is_sentence = verb.name == command::MOVE.name
                && more.contains(char::is_whitespace)
                && !could_be_a_move(self.board, bare_move(more))
                && !command::is_setting(self.board.game, more);
            // `who is winning` is not the verb `who`.
            let is_alone = without_seed_option(line).split_whitespace().nth(1).is_none();
            let has_no_words = takes_no_words(verb)
                || verb.usage.starts_with("[<game>]") && games::find(first_word(more)).is_none();
            let is_sentence = is_sentence || !is_alone && has_no_words;
            let spoken = || ParsedLine::Verb(self.with_words(verb, reply, more));
            return (!is_sentence).then(|| (spoken(), FirstLine::Other));
        }
        if command::is_setting(self.board.game, line) {
            return Some((ParsedLine::Verb(self.move_phrase(line, false)), FirstLine::Move));
        }
        let text = bare_move(line);
        let is_move = could_be_a_move(self.board, text)
            || self.board.is_over() && !text.contains(char::is_whitespace);
        is_move.then(|| (ParsedLine::Verb(self.move_phrase(text, true)), FirstLine::Move))
    }

    /// Returns whether a line below the first line of a plan belongs to it: it begins with a move or
    /// a word of plans.
    pub(super) fn continues_plan(&self, said: &ParsedLine, line: &str) -> bool {
        let ParsedLine::Verb(VerbPhrase { verb, words, .. }) = said else { return false };
        if verb.name != command::PLAN.name || command::is_whole_plan(words) {
            return false;
        }
        let line = line.trim_start_matches(|sign: char| "(;|) ".contains(sign));
        let word = first_word(line);
        let number = |sign: char| sign.is_ascii_digit() || sign == '.';
        let bare = word.trim_start_matches(number).trim_end_matches([',', ';', ')']);
        let is_word = ["any", "if", "then", "or", "*", ""].iter();
        is_word.into_iter().any(|own| bare.eq_ignore_ascii_case(own))
            || could_be_a_move(self.board, bare)
            || could_be_a_move(self.board, line)
    }

    /// Returns whether a plan can have the moves of both sides.
    pub(super) fn can_branch(&self) -> bool {
        self.board.can_branch()
    }

    /// Parses a later line. It must be unmistakable and contain nothing else.
    pub(super) fn parse_later(&self, line: &str) -> Option<ParsedLine> {
        let line = line.trim();
        let is_of_game = games::find(first_word(line)).is_some();
        if let Some(command) = is_of_game.then(|| self.parse_command(line)).flatten() {
            return Some(command);
        }
        match command::phrase(line, self.opponent()) {
            // Below other words these may be part of a message.
            Some(Phrase::Verb(verb, _)) if CONVERSATION.contains(&verb) => return None,
            Some(Phrase::Verb(verb, of)) => {
                return Some(ParsedLine::Verb(self.phrase_for(verb, of)));
            }
            Some(Phrase::Answer { is_yes, is_plain }) => {
                return (is_plain && self.is_asked())
                    .then(|| ParsedLine::Verb(self.yes_or_no_phrase(is_yes)));
            }
            None => {}
        }
        self.legal_move(bare_move(line)).map(ParsedLine::Verb)
    }

    /// Returns whether a line below a move may be a second move.
    pub(super) fn could_be_move(&self, line: &str) -> bool {
        let text = bare_move(line);
        could_be_a_move(self.board, text) || command::is_setting(self.board.game, line)
    }

    /// Parses a whole command with its password, as in a Subject.
    fn parse_command(&self, line: &str) -> Option<ParsedLine> {
        let word = first_word(line);
        let of_game = games::find(word).is_some();
        // The tag identifies the writer, and nobody replies for another user. The writer's userid
        // and password may still follow a verb that needs only the writer.
        let names_writer = || {
            let second = line.split_whitespace().nth(1).unwrap_or_default();
            second.eq_ignore_ascii_case(self.player.as_str())
        };
        let of_server = || {
            command::find_verb(word, None).is_some()
                && self
                    .reply_verb(word)
                    .is_none_or(|(_, scope)| scope == ReplyScope::User && names_writer())
        };
        let is_help = ["help", "rules"].iter().any(|help| word.eq_ignore_ascii_case(help));
        if is_help || !(of_game || of_server()) {
            return None;
        }
        let command = command::parse(line, &Trust::Untrusted);
        let is_command = match &command {
            Ok(_) if of_game => true,
            Ok(command) => command.claimed_user().is_none_or(|claimed| claimed == self.player),
            Err(_) => of_game && command::has_password(line),
        };
        is_command.then(|| ParsedLine::Command(joined(line), command))
    }

    /// Returns a verb that can be used in a reply. If the game has such a word, too, `move` parses
    /// it, since that knows both.
    fn reply_verb(&self, word: &str) -> Option<(&'static Verb, ReplyScope)> {
        let game = self.board.game;
        // Verbs of the server are not abbreviated: `play` is not `players`.
        let verb = command::find_verb(word, Some(game))
            .or_else(|| command::find_verb(word, None).filter(|verb| verb.is_named(word)))?;
        let is_own = game.spec().verbs.contains(&verb.name) || self.position.can_read(verb.name);
        (command::is_answer(verb) || !is_own).then_some(())?;
        Some((verb, verb.reply?))
    }

    /// Returns the verb that a phrase means.
    fn phrase_for(&self, verb: &'static str, of: &'static str) -> VerbPhrase {
        let drops = || command::move_word(self.board.game, "drop").is_some() && self.game_asks();
        let (verb, of) = match verb {
            "help" | "rules" => return VerbPhrase::new(command::HELP, ""),
            command::DECLINE if self.is_asked() => ("reject", ""),
            command::DECLINE => return Self::decline(),
            // A player who was offered a draw and says `draw` accepts it.
            "propose" if self.tag.offered == Some(Proposal::Draw) => {
                ("accept", AnswerTarget::Offer(Proposal::Draw).word())
            }
            // In a game without such a move, and as the answer to an offer.
            "agree" if self.is_offered() || command::move_word(self.board.game, verb).is_none() => {
                ("accept", "")
            }
            // Players at a table say `pass` to refuse a double.
            "pass" if drops() => ("drop", ""),
            other => (other, of),
        };
        match self.reply_verb(verb) {
            Some((verb, reply)) => self.with_words(verb, reply, of),
            None => self.move_phrase(verb, true),
        }
    }

    /// Returns whether the writer is challenged and has not moved yet.
    fn is_challenged(&self) -> bool {
        let is_new = |seat| self.board.challenger != Some(seat) && !self.board.has_moved(seat);
        !self.board.is_over() && self.seat.is_some_and(is_new)
    }

    /// Returns the phrase that closes a board before the first move.
    fn decline() -> VerbPhrase {
        VerbPhrase::new(command::DECLINE_VERB, "")
    }

    /// Returns a request that sends all lines to the opponent.
    pub(super) fn as_message(&self, lines: &[&str]) -> Request {
        let chat = ParsedLine::Verb(VerbPhrase::new(command::CHAT, ""));
        Request { place: CommandPlace::Prose, ..self.request(chat, lines) }
    }

    /// Returns whether lines are no more than thanks and good wishes.
    pub(super) fn is_small_talk(&self, lines: &[&str]) -> bool {
        command::is_small_talk(lines.iter().copied(), [self.opponent(), self.player.as_str()])
    }

    /// Returns whether the text can only be a message to the opponent, since the game is over.
    pub(super) fn is_for_opponent(&self) -> bool {
        self.board.is_over() && self.seat.is_some()
    }

    /// Returns the refusal of a line that is not a move, with the legal moves.
    pub(super) fn no_move(&self, line: &str) -> SyntaxRefusal {
        let choice = self.seat.and_then(|seat| {
            command::legal_moves_for(self.board, seat, &*self.position).map(Box::new)
        });
        let declines = matches!(
            command::phrase(line, self.opponent()),
            Some(Phrase::Verb(command::DECLINE, _))
        );
        if declines {
            return SyntaxRefusal::LateDecline;
        }
        SyntaxRefusal::NoMove { line: quoted(line, self.player), choice }
    }

    /// Returns a line as it is quoted to its writer.
    pub(super) fn quoted(&self, line: &str) -> String {
        quoted(line, self.player)
    }

    fn yes_or_no_phrase(&self, is_yes: bool) -> VerbPhrase {
        self.phrase_for(if is_yes { "accept" } else { "reject" }, "")
    }

    fn with_words(&self, verb: &'static Verb, reply: ReplyScope, words: &str) -> VerbPhrase {
        // This is also about the board as the mail showed it.
        if verb.name == command::MOVE.name && !words.is_empty() {
            return self
                .move_phrase(bare_move(words), !command::is_setting(self.board.game, words));
        }
        let for_move = reply == ReplyScope::ForMove;
        let words = match self.tag.offered.map_or(AnswerTarget::Game, AnswerTarget::Offer) {
            // So is `accept`: it means the offer shown in the mail.
            meant if for_move && command::is_answer(verb) && words.is_empty() => meant.word(),
            _ => words,
        };
        VerbPhrase { moveno: self.moveno().filter(|_| for_move), ..VerbPhrase::new(verb, words) }
    }

    /// Returns the phrase for a move, with the move number of the mail, so that a mail that arrives
    /// twice moves once.
    fn move_phrase(&self, text: &str, for_move: bool) -> VerbPhrase {
        let has_own = split_moveno(without_seed_option(text)).1.is_some();
        let moveno = self.moveno().filter(|_| for_move && !has_own);
        VerbPhrase { moveno, ..VerbPhrase::new(command::MOVE, text) }
    }

    /// Returns the phrase for a move if it is legal now, or if it is not the writer's turn and its
    /// legality is unknown.
    fn legal_move(&self, text: &str) -> Option<VerbPhrase> {
        let (words, number) = split_moveno(without_seed_option(text));
        let position = &self.position;
        if words.is_empty() || !could_be_a_move(self.board, words) {
            return None;
        }
        let spoken = self.move_phrase(text, true);
        let Some(seat) =
            self.seat.filter(|seat| !self.board.is_over() && position.next().asks(*seat))
        else {
            return Some(spoken);
        };
        let words = command::move_word(self.board.game, words).unwrap_or(words);
        // `roll` is not a move, but can take the place of a move.
        if words.eq_ignore_ascii_case(ROLL) {
            return Some(spoken);
        }
        let said = play_text(&mut *position.copy(), seat, words, &mut Scripted::default()).ok()?;
        Some(VerbPhrase { made: Some((said, number.map(str::to_owned))), ..spoken })
    }

    /// Returns whether a line is a piece of our list of legal plays.
    pub(super) fn is_listed_play(&self, line: &str) -> bool {
        let position = &self.position;
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.len() < 2 || !position.can_read(words[0]) {
            return false;
        }
        let moves = position.moves_up_to(MAX_LISTED_PLAYS + 1);
        moves.len() <= MAX_LISTED_PLAYS && moves.windows(words.len()).any(|moves| moves == words)
    }

    /// Returns whether the writer is asked a question with yes or no.
    pub(super) fn is_asked(&self) -> bool {
        !self.board.is_over() && (self.is_offered() || self.game_asks())
    }

    /// Returns whether the opponent offers something, or did in the mail.
    fn is_offered(&self) -> bool {
        let offered = self.seat.and_then(|seat| self.board.offered_to(seat));
        self.tag.offered.is_some() || offered.is_some()
    }

    /// Returns whether the game asks it: a double, an offer to resign.
    fn game_asks(&self) -> bool {
        let asks = self.seat.is_some_and(|seat| self.position.next().asks(seat));
        asks && command::game_asks(self.board)
    }

    /// Returns whether a line plainly says yes or no.
    pub(super) fn is_plain(&self, line: &str) -> bool {
        let phrase = command::phrase(line, self.opponent());
        matches!(phrase, Some(Phrase::Answer { is_plain: true, .. }))
    }

    pub(super) fn is_yes_or_no(&self, line: &str) -> bool {
        matches!(command::phrase(line, self.opponent()), Some(Phrase::Answer { .. }))
    }

    fn moveno(&self) -> Option<usize> {
        self.tag.moveno.filter(|_| !self.board.is_over())
    }

    fn opponent(&self) -> &str {
        self.seat.map_or("", |seat| self.board.player(seat.other()).as_str())
    }
}

/// Verbs that count on the first line only: below other words they may be part of a message.
const CONVERSATION: [&str; 8] =
    ["note", "rematch", "unsubscribe", command::QUIT, "next", "players", "standings", "settings"];

/// Returns a line for quoting to its writer, without a password, which follows a command or a
/// userid.
fn quoted(line: &str, player: &UserId) -> String {
    let words = line.split_whitespace();
    let is_command = command::has_password(line)
        || command::find_verb(first_word(line), None)
            .is_some_and(|verb| verb.usage.contains("<password>"));
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let name = player.as_str().to_lowercase();
    let named = words.clone().position(|word| bare(word) == name).map(|at| at + 1);
    let kept = named.or(is_command.then_some(2));
    let count = words.clone().count();
    match kept.filter(|kept| *kept < count) {
        Some(kept) => format!("{} ...", words.take(kept).collect::<Vec<_>>().join(" ")),
        None => line.trim().to_owned(),
    }
}

/// Returns whether a verb takes no words in a reply beside those that the tag supplies.
fn takes_no_words(verb: &Verb) -> bool {
    let said = ["<board>", "<board>[#<moveno>]", "<userid>", "<password>", "[-seed=word]"];
    verb.name != command::CHAT.name
        && verb.usage.split_whitespace().all(|word| said.contains(&word))
}

/// Joins words with single blanks.
fn joined(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// Words that people write before a move.
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

/// Removes what people write around a move: introductions, quotation marks, a full stop, a smiley.
fn bare_move(line: &str) -> &str {
    let mut bare = line.trim();
    if let Some(before) = BEFORE.iter().find(|before| {
        bare.get(..before.len()).is_some_and(|start| start.eq_ignore_ascii_case(before))
    }) {
        bare = &bare[before.len()..];
    }
    // Words without letters, such as `:-)`.
    while let Some((rest, word)) = bare.rsplit_once(char::is_whitespace) {
        if word.contains(char::is_alphanumeric) {
            break;
        }
        bare = rest.trim_end();
    }
    let is_quote = |c: char| "\"'`\u{201C}\u{201D}\u{2018}\u{2019}".contains(c);
    let is_end = |c: char| ".,!;".contains(c) || c.is_whitespace() || is_quote(c);
    bare = bare.trim_start_matches(is_quote).trim_end_matches(is_end);
    // An asterisk after a move is a hit; a pair makes letters bold.
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
}
