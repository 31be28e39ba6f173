//! What the player of a seat can do now: the move in the making, offers, and other words.

use super::ViewedBoard;
use super::drawing::played;
use crate::model::board::{Board, Offer};
use crate::model::dice::{LOST, WantedSeed};
use crate::model::program;
use crate::model::talk::ChatMessage;
use crate::web::html::blocks::named;
use crate::web::http::form::HiddenFields;
use crate::web::site::SiteView;
use games::{PartialMove, ROLL, Seat};
use maud::{Markup, html};

/// All that a player can do, or a user who watches.
pub(super) fn panel(seen: &SiteView, looked: &ViewedBoard, seal: &HiddenFields) -> Markup {
    let board = looked.board;
    let Some(seat) = looked.seat else { return watching(seen, board, seal) };
    let says = TurnForms { board, seat, seal };
    html! {
        @if !board.is_over() {
            (offered(&says))
            @if let Some(begun) = &looked.begun { (making(&says, looked, begun)) }
            @else { (waiting(&says)) }
            (submitted(&says))
        }
        (chat(seen, &says))
        @if board.is_over() { (analysis(board, seal)) } @else { (others(&says)) }
        (settings(seen, looked, &says))
    }
}

/// Asks for the opinion of the program on a game that is over, where it has one.
fn analysis(board: &Board, seal: &HiddenFields) -> Markup {
    if !board.is_over() || board.start().evaluation_unit().is_none() {
        return html! {};
    }
    html! {
        form.say method="post" action="/say" {
            (seal.fields("analyse"))
            input type="hidden" name="verb" value="analyse";
            input type="hidden" name="game" value=(board.id.game);
            input type="hidden" name="word" value=(board.id.number);
            input type="hidden" name="back" value={ "/" (board.id.game) "/" (board.id.number) };
            button type="submit" { "Best plays" }
        }
    }
}

/// Forms in which the player of a seat says something.
struct TurnForms<'a> {
    board: &'a Board,
    seat: Seat,
    seal: &'a HiddenFields,
}

impl TurnForms<'_> {
    /// A form with these fields, which says something about the board as it is shown.
    fn form(&self, name: &str, fields: &Markup) -> Markup {
        let offered = self.board.offered_to(self.seat).map_or("", |what| what.word());
        let id = self.board.id;
        html! {
            form.say method="post" action={ "/" (id.game) "/" (id.number) } {
                (self.seal.fields(name))
                input type="hidden" name="moveno" value=(self.board.next_move());
                input type="hidden" name="offered" value=(offered);
                (fields)
            }
        }
    }

    /// A button that says these words.
    fn button(&self, words: &str, label: &str) -> Markup {
        self.form(
            words,
            &html! {
                button type="submit" name="say" value=(words) { (label) }
            },
        )
    }
}

/// The move that is put together.
fn making(says: &TurnForms, looked: &ViewedBoard, begun: &PartialMove) -> Markup {
    let steps = &looked.steps;
    let back = steps.split_last().map(|(_, before)| played(looked, before));
    html! {
        section.turn aria-label="Your move" {
            @if !steps.is_empty() {
                p { "Your move so far: " strong { (steps.join(", ")) } }
            }
            @if let Some(back) = back {
                p {
                    a.key href=(back) data-key="u" { "Take back a step" } " "
                    @if steps.len() > 1 { a.key href=(played(looked, &[])) { "Begin again" } }
                }
            }
            @for words in begun.other_moves.iter().filter(|words| begun.play.as_ref() != Some(*words)) {
                (says.form(words, &html! {
                    @if words == ROLL { (seed(says)) }
                    button type="submit" name="say" value=(words)
                        data-roll[words == ROLL && begun.other_moves.len() == 1] { (named(words)) }
                }))
            }
            @if let Some(play) = &begun.play {
                (says.form("move", &html! {
                    input type="hidden" name="say" value=(play);
                    (seed(says))
                    (comment())
                    button.main type="submit" { "Play " (play) }
                    button type="submit" name="verb" value="submit" { "Look at it first" }
                }))
            } @else if !begun.next.is_empty() && steps.is_empty() {
                p.quiet { (how_to_begin(begun)) }
            }
            (ends(says, begun))
            details {
                summary { "Write the move" }
                (says.form("written", &html! {
                    label { "Your move" input name="say" autocomplete="off" required; }
                    (seed(says))
                    (comment())
                    button type="submit" { "Play" }
                    button type="submit" name="verb" value="submit" { "Look at it first" }
                }))
            }
        }
    }
}

/// What to press first.
fn how_to_begin(begun: &PartialMove) -> &'static str {
    if begun.next.iter().any(|step| step.from.is_some()) {
        "Choose a man, then where it goes; or write your move."
    } else {
        "Choose a point, or write your move."
    }
}

/// The words that end a turn of several presses, once one was made.
fn ends(says: &TurnForms, begun: &PartialMove) -> Markup {
    let words = begun.paths.is_empty().then(|| says.board.position().finish()).flatten();
    html! {
        @if let Some(words) = words.filter(|words| !begun.other_moves.contains(words)) {
            (says.button(&words, &named(&words)))
        }
    }
}

/// What the dice want of the player with this move. A script fills it in by itself.
fn seed(says: &TurnForms) -> Markup {
    let commitment = || says.board.dice.as_ref()?.commitment.as_ref();
    let chain = says.board.dice.as_ref().and_then(|dice| dice.chain_of(says.seat));
    match says.board.wanted_seed(says.seat) {
        // A browser that has lost the chain begins another with a move.
        None => html! {
            @if let Some([end, _]) = chain {
                input type="hidden" name="seed" value="" data-seed="chain" data-chain=(end);
            }
        },
        Some(WantedSeed::Link) => html! {
            label { "The next value of your chain (without it the roll has level 1)"
                input name="seed" autocomplete="off" maxlength="64"
                    data-seed=(chain.map_or("", |[_, newest]| newest))
                    data-chain=(chain.map_or("", |[end, _]| end)); }
        },
        Some(WantedSeed::Word) => html! {
            label { "A word for the dice (optional)"
                input name="seed" autocomplete="off" maxlength="64" data-seed="word"; }
        },
        Some(WantedSeed::Value) => html! {
            label { "The value for the dice that you have committed yourself to"
                input name="seed" autocomplete="off" maxlength="64"
                    data-seed=(commitment().map_or("", |it| &it.hash))
                    data-chain=(commitment().map_or("", |it| &it.hash)); }
            label.check {
                input type="checkbox" name="seed" value=(LOST);
                " I have lost the value: go on with dice that I could have chosen with the operator"
            }
        },
    }
}

/// Words for the opponent beside a move.
fn comment() -> Markup {
    html! {
        label { "Words for your opponent" textarea name="comment" rows="2" maxlength="10000" {} }
    }
}

/// The choices of a player who waits.
fn waiting(says: &TurnForms) -> Markup {
    let queued = &says.board.queued[says.seat.index()];
    html! {
        details open[queued.is_some()] {
            summary { "Play in advance" }
            @if let Some(queued) = queued {
                p { "Your queued move: " strong { (queued.text) } }
                (says.button("queue off", "Forget it"))
            }
            (says.form("queue", &html! {
                input type="hidden" name="verb" value="queue";
                label { "A move that is tried as soon as it is your turn"
                    input name="say" autocomplete="off" required; }
                button type="submit" { "Queue" }
            }))
        }
    }
}

/// A move that waits to be confirmed.
fn submitted(says: &TurnForms) -> Markup {
    let submitted = &says.board.submitted[says.seat.index()];
    html! {
        @if let Some(text) = submitted {
            p { "Not played yet: " strong { (text) } }
            (says.form("confirm", &html! {
                (seed(says))
                button type="submit" name="say" value="confirm" { "Confirm it" }
            }))
        }
    }
}

/// The open offer, and who made it.
fn offered(says: &TurnForms) -> Markup {
    let Some(Offer { by, what, .. }) = says.board.offer else { return html! {} };
    html! {
        section.offer aria-label="An offer" {
            @if by == says.seat {
                p { "You have offered: " (what.word()) "." }
                (says.button("reject", "Withdraw the offer"))
            } @else {
                p { (says.board.player(by)) " offers: " (what.word()) "." }
                (says.button("accept", "Accept"))
                (says.button("reject", "Reject"))
            }
        }
    }
}

/// The messages here, and the form for the next.
fn chat(seen: &SiteView, says: &TurnForms) -> Markup {
    let other = says.board.player(says.seat.other());
    let is_deaf = seen.world.is_muted(says.board.player(says.seat), other);
    let is_heard = |said: &&ChatMessage| said.by == says.seat.0 || !is_deaf;
    let said: Vec<&ChatMessage> = seen.world.talk(says.board.id).iter().filter(is_heard).collect();
    html! {
        section.chat aria-label="What was said" {
            @if !said.is_empty() {
                h2 { "What was said" }
                @for said in said {
                    p.quiet { (says.board.player(Seat(said.by))) ", " (said.at.minute()) " UTC" }
                    blockquote.words { (said.words) }
                }
            }
            // The program does not listen.
            @if program::level(other).is_none() {
                details {
                    summary { "Say something to " (other) }
                    (says.form("chat", &html! {
                        input type="hidden" name="verb" value="chat";
                        label { "Your words"
                            textarea name="comment" rows="3" maxlength="10000" required {} }
                        button type="submit" { "Send" }
                    }))
                }
            }
        }
    }
}

/// Rare choices.
fn others(says: &TurnForms) -> Markup {
    let (board, spec) = (says.board, says.board.game.spec());
    let has_decided = board.last_decision(says.seat).is_some();
    html! {
        details.others {
            summary { "Undo, draw, resign" }
            @if board.offer.is_none() && has_decided && !spec.manner.secret {
                (says.button("undo", "Ask to take back my last move"))
            }
            @if board.offer.is_none() && spec.manner.draws {
                (says.button("propose", "Offer a draw"))
            }
            @if spec.stakes.is_empty() {
                (says.button("resign", "Resign"))
            } @else {
                (says.form("resign", &html! {
                    input type="hidden" name="verb" value="resign";
                    label { "For" select name="say" {
                        @for stake in spec.stakes { option value=(stake) { (stake) } }
                    } }
                    button type="submit" { "Resign" }
                }))
            }
            @if board.offer.is_none() && board.position().evaluation_unit().is_some() {
                (says.form("propose", &html! {
                    input type="hidden" name="verb" value="propose";
                    button type="submit" name="say" value="analysis" {
                        "Ask for an analysis of the moves so far"
                    }
                }))
            }
            (says.button("newtoken", "Get a new reply address"))
        }
    }
}

/// How the player likes this board.
fn settings(seen: &SiteView, looked: &ViewedBoard, says: &TurnForms) -> Markup {
    let chosen = seen.world.settings(looked.board, says.seat);
    let all = looked.board.game.spec().settings;
    html! {
        @if !all.is_empty() {
            details.settings {
                summary { "How I see this board" }
                @for setting in all {
                    @let name = setting.switch.name;
                    (says.form(name, &crate::web::pages::settings::field(setting, &chosen)))
                }
            }
        }
    }
}

/// The choices of a user who watches.
fn watching(seen: &SiteView, board: &Board, seal: &HiddenFields) -> Markup {
    let is_watching = seen.viewer.as_ref().is_some_and(|user| board.observers.contains(user));
    let (verb, label) = if is_watching {
        ("unsubscribe", "Get its mails no longer")
    } else {
        ("subscribe", "Get the mails of this board")
    };
    html! {
        form.say method="post" action="/say" {
            (seal.fields(verb))
            input type="hidden" name="back" value=(super::path(board.id));
            input type="hidden" name="game" value=(board.id.game);
            input type="hidden" name="word" value=(board.id.number);
            button type="submit" name="verb" value=(verb) { (label) }
        }
        (analysis(board, seal))
    }
}
