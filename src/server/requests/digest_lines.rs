//! Finds the lines of a reply to a mail about several boards: `1 c4`, or `reversi 17 c4`.

use super::reply_line;
use super::{ReplyContext, Request, topic_command};
use crate::base::ids::BoardId;
use crate::command::{MOST_LINES, Trust};
use crate::mail::{Message, UnquotedText};
use crate::model::board::Board;
use crate::model::token::{ReplyTag, TopicTag};
use crate::model::topic::Topic;
use crate::model::user::ShownBoard;
use crate::refusal::SyntaxRefusal;
use games::View;

/// The text of a reply, split into the lines for each board.
#[derive(Debug)]
pub struct DigestLines {
    /// What comes before the first board.
    before: Vec<String>,
    /// The boards in the order of the reply, each with its lines.
    parts: Vec<BoardLines>,
}

/// The lines for a board.
#[derive(Debug)]
struct BoardLines {
    /// The first line as typed.
    typed: String,
    meant: MeantBoard,
    /// The lines, the first one without the board.
    lines: Vec<String>,
}

/// A board as a line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MeantBoard {
    /// By its number in the mail, counted from 1.
    Place(usize),
    /// By its game and number.
    Board(BoardId),
}

impl MeantBoard {
    /// Returns its index among the boards of the mail.
    fn find(self, shown: &[ShownBoard]) -> Option<usize> {
        match self {
            Self::Place(number) => number.checked_sub(1).filter(|place| *place < shown.len()),
            Self::Board(id) => shown.iter().position(|shown| shown.board == id),
        }
    }
}

impl DigestLines {
    /// Splits the text of a reply; `None` if no line names a board.
    pub fn find(message: &Message) -> Option<Self> {
        let own = UnquotedText::read(&message.text);
        let below = own.below.iter().flat_map(|part| &part.lines);
        let mut found = Self { before: Vec::new(), parts: Vec::new() };
        for line in own.above.iter().chain(below) {
            match (read_head(line), found.parts.last_mut()) {
                (Some((meant, rest)), _) => {
                    let (typed, lines) = (line.clone(), vec![rest.to_owned()]);
                    found.parts.push(BoardLines { typed, meant, lines });
                }
                (None, Some(part)) => part.lines.push(line.clone()),
                (None, None) => found.before.push(line.clone()),
            }
        }
        (!found.parts.is_empty()).then_some(found)
    }

    /// Returns the indexes of the named boards among those of the mail.
    pub fn places(&self, shown: &[ShownBoard]) -> Vec<usize> {
        let mut places: Vec<usize> =
            self.parts.iter().filter_map(|part| part.meant.find(shown)).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Returns a request for each board. `find_board` returns a board with the view of its player;
    /// `None` if the reply may not act on it.
    pub fn requests<'w>(
        &self,
        tag: &TopicTag,
        shown: &[ShownBoard],
        find_board: impl Fn(&ShownBoard) -> Option<(&'w Board, View)>,
    ) -> Vec<Request> {
        let mut requests: Vec<Request> = self.before(tag).into_iter().collect();
        for part in &self.parts {
            let found = part.meant.find(shown).map(|place| &shown[place]);
            let trust = |topic| Trust::Token(topic, tag.reader.clone());
            let request = match found.map(|found| (found, find_board(found))) {
                None => {
                    let refusal = SyntaxRefusal::NoBoardOfDigest(part.typed.trim().to_owned());
                    refused(refusal, &part.typed, trust(tag.topic.clone()))
                }
                Some((_, None)) => {
                    refused(SyntaxRefusal::ForeignTag, &part.typed, trust(tag.topic.clone()))
                }
                Some((found, Some((board, view)))) => {
                    let reply_tag = ReplyTag::shown(found.board, Some(found.next), found.offered);
                    let context =
                        ReplyContext { board, player: &tag.reader, tag: &reply_tag, view };
                    let lines = UnquotedText::of_lines(part.lines.clone());
                    reply_line::find(&lines, &context, false).unwrap_or_else(|refusal| {
                        refused(refusal, &part.typed, trust(Topic::Board(found.board)))
                    })
                }
            };
            requests.push(request);
            if requests.len() > MOST_LINES {
                let refusal = SyntaxRefusal::LongMultiple(MOST_LINES);
                return vec![refused(
                    refusal,
                    "",
                    Trust::Token(tag.topic.clone(), tag.reader.clone()),
                )];
            }
        }
        requests
    }

    /// Returns the request before the first board: a verb, or the refusal of a line for no board.
    fn before(&self, tag: &TopicTag) -> Option<Request> {
        let first = self.before.iter().find(|line| !line.trim().is_empty())?;
        let own = UnquotedText::of_lines(vec![first.clone()]);
        let request = topic_command(&own, tag).unwrap_or_else(|| {
            let refusal = SyntaxRefusal::NoBoardOfDigest(first.trim().to_owned());
            refused(refusal, first, Trust::Token(tag.topic.clone(), tag.reader.clone()))
        });
        Some(request)
    }
}

fn refused(refusal: SyntaxRefusal, line: &str, trust: Trust) -> Request {
    Request::new(Err(refusal.into()), line.trim().to_owned(), trust, String::new())
}

/// Reads the board at the beginning of a line, and returns the rest. The rest is not empty, and a
/// bare number is no move of any game.
fn read_head(line: &str) -> Option<(MeantBoard, &str)> {
    let (word, rest) = split(line)?;
    if let Some(number) = read_number(word) {
        return Some((MeantBoard::Place(number), rest));
    }
    let game = games::find(word)?.spec().name;
    let (mut word, mut rest) = split(rest)?;
    if word.eq_ignore_ascii_case("board") {
        (word, rest) = split(rest)?;
    }
    let number = u32::try_from(read_number(word)?).ok()?;
    Some((MeantBoard::Board(BoardId { game, number }), rest))
}

/// Splits off the first word.
fn split(text: &str) -> Option<(&str, &str)> {
    let (word, rest) = text.trim().split_once(char::is_whitespace)?;
    Some((word, rest.trim_start()))
}

/// Reads a number with the sign that people write behind it: `1`, `1.`, `1:`, `1)`.
fn read_number(word: &str) -> Option<usize> {
    let bare = word.strip_suffix(['.', ':', ')', ',']).unwrap_or(word);
    let is_number = !bare.is_empty() && bare.len() <= 9 && bare.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| bare.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_its_board_by_place_or_number() {
        let board = |number| MeantBoard::Board(BoardId { game: "reversi", number });
        for (line, head) in [
            ("1 c4", Some((MeantBoard::Place(1), "c4"))),
            ("  12: 8/5 6/5", Some((MeantBoard::Place(12), "8/5 6/5"))),
            ("3) resign", Some((MeantBoard::Place(3), "resign"))),
            ("Reversi 17 c4", Some((board(17), "c4"))),
            ("reversi board 17, c4", Some((board(17), "c4"))),
            ("c4", None),
            ("8/5 6/5", None),
            ("1", None),
            ("reversi move 17 alice secret c4", None),
            ("1234567890 c4", None),
            ("", None),
        ] {
            assert_eq!(read_head(line), head, "{line}");
        }
    }
}
