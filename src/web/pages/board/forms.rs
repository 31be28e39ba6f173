//! The forms on the page of a board: the move of a player, offers, messages, settings, and the
//! subscription of an observer.

use super::drawing::path_after_steps;
use super::{ViewedBoard, path};
use crate::model::board::{Board, Offer};
use crate::model::chat_log::ChatMessage;
use crate::model::dice::{LOST, WantedSeed};
use crate::model::program;
use crate::web::html::blocks::capitalized;
use crate::web::http::form::HiddenFields;
use crate::web::pages::settings;
use crate::web::site::Snapshot;
use games::{PartialMove, ROLL, Seat};
use maud::{Markup, html};

/// Renders all forms of a player, or of a user who observes.
pub(super) fn panel(
    snapshot: &Snapshot,
    viewed: &ViewedBoard,
    hidden_fields: &HiddenFields,
) -> Markup {
    let board = viewed.board;
    let Some(seat) = viewed.seat else {
        return observer_form(snapshot, board, hidden_fields);
    };
    let player = PlayerForms { board, seat, hidden_fields };
    html! {
        @if !board.is_over() {
            (player.offer())
            @if let Some(partial_move) = &viewed.partial_move { (player.turn(viewed, partial_move)) }
            @else { (player.queue()) }
            (player.submitted_move())
        }
        (player.messages(snapshot))
        @if !board.is_over() { (player.rare_commands()) }
        (player.settings(snapshot))
    }
}

/// Renders the form that subscribes to the mails of a board, or unsubscribes.
fn observer_form(snapshot: &Snapshot, board: &Board, hidden_fields: &HiddenFields) -> Markup {
    let is_observer = snapshot.viewer.as_ref().is_some_and(|user| board.observers.contains(user));
    let (verb, label) = if is_observer {
        ("unsubscribe", "Stop mails about this board")
    } else {
        ("subscribe", "Get mails about this board")
    };
    html! {
        form.say method="post" action="/say" {
            (hidden_fields.fields(verb))
            input type="hidden" name="back" value=(path(board.id));
            input type="hidden" name="game" value=(board.id.game);
            input type="hidden" name="word" value=(board.id.number);
            button type="submit" name="verb" value=(verb) { (label) }
        }
    }
}

/// The forms of a player.
struct PlayerForms<'a> {
    board: &'a Board,
    seat: Seat,
    hidden_fields: &'a HiddenFields,
}

impl PlayerForms<'_> {
    /// Renders a form for a reply to the board as it is shown.
    fn form(&self, form_name: &str, fields: &Markup) -> Markup {
        let offered = self.board.offered_to(self.seat).map_or("", |what| what.word());
        html! {
            form.say method="post" action=(path(self.board.id)) {
                (self.hidden_fields.fields(form_name))
                input type="hidden" name="moveno" value=(self.board.next_move());
                input type="hidden" name="offered" value=(offered);
                (fields)
            }
        }
    }

    /// Renders a button that sends a reply.
    fn button(&self, reply: &str, label: &str) -> Markup {
        self.form(reply, &html! { button type="submit" name="say" value=(reply) { (label) } })
    }

    /// Renders the forms of the player's turn.
    fn turn(&self, viewed: &ViewedBoard, partial_move: &PartialMove) -> Markup {
        let steps = &viewed.steps;
        html! {
            section.turn aria-label="Your move" {
                (steps_so_far(viewed))
                @for words in &partial_move.other_moves {
                    @if partial_move.play.as_ref() != Some(words) {
                        (self.form(words, &html! {
                            @if words == ROLL { (self.seed_field()) }
                            button type="submit" name="say" value=(words)
                                data-roll[words == ROLL && partial_move.other_moves.len() == 1] {
                                (capitalized(words)) }
                        }))
                    }
                }
                @if let Some(play) = &partial_move.play {
                    (self.form("move", &html! {
                        input type="hidden" name="say" value=(play);
                        (self.seed_field())
                        (message_field())
                        button.main type="submit" { "Play " (play) }
                        button type="submit" name="verb" value="submit" { "Preview" }
                    }))
                } @else if !partial_move.next.is_empty() && steps.is_empty() {
                    p.quiet { (how_to_begin(partial_move)) }
                }
                (self.finish_button(partial_move))
                details {
                    summary { "Write the move" }
                    (self.form("written", &html! {
                        label { "Your move" input name="say" autocomplete="off" required; }
                        (self.seed_field())
                        (message_field())
                        button type="submit" { "Play" }
                        button type="submit" name="verb" value="submit" { "Preview" }
                    }))
                }
            }
        }
    }

    /// Renders the button that ends a turn of several presses, once one was made.
    fn finish_button(&self, partial_move: &PartialMove) -> Markup {
        let words = partial_move.paths.is_empty().then(|| self.board.position().finish()).flatten();
        html! {
            @if let Some(words) = words.filter(|words| !partial_move.other_moves.contains(words)) {
                (self.button(&words, &capitalized(&words)))
            }
        }
    }

    /// Renders the field for the player's part of the dice, which the script fills in.
    fn seed_field(&self) -> Markup {
        let dice = self.board.dice.as_ref();
        let commitment = dice.and_then(|dice| dice.commitment.as_ref());
        let commitment = commitment.map_or("", |it| it.hash.as_str());
        let chain = dice.and_then(|dice| dice.chain_of(self.seat));
        match self.board.wanted_seed(self.seat) {
            // A browser that has lost its chain begins another one with a move.
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
                label { "The value for the dice that you have committed to"
                    input name="seed" autocomplete="off" maxlength="64"
                        data-seed=(commitment) data-chain=(commitment); }
                label.check {
                    input type="checkbox" name="seed" value=(LOST);
                    " I have lost the value. Go on with dice that I could have chosen together with "
                    "the operator."
                }
            },
        }
    }

    /// Renders the move that is queued, and the form that queues one.
    fn queue(&self) -> Markup {
        let queued = &self.board.queued[self.seat.index()];
        html! {
            details open[queued.is_some()] {
                summary { "Play in advance" }
                @if let Some(queued) = queued {
                    p { "Your queued move: " strong { (queued.text) } }
                    (self.button("queue off", "Remove"))
                }
                (self.form("queue", &html! {
                    input type="hidden" name="verb" value="queue";
                    label { "A move to play as soon as it is your turn"
                        input name="say" autocomplete="off" required; }
                    button type="submit" { "Queue" }
                }))
            }
        }
    }

    /// Renders the submitted move, with a button that confirms it.
    fn submitted_move(&self) -> Markup {
        html! {
            @if let Some(text) = &self.board.submitted[self.seat.index()] {
                p { "Not played yet: " strong { (text) } }
                (self.form("confirm", &html! {
                    (self.seed_field())
                    button type="submit" name="say" value="confirm" { "Confirm" }
                }))
            }
        }
    }

    /// Renders the open offer.
    fn offer(&self) -> Markup {
        let Some(Offer { by, what, .. }) = self.board.offer else { return html! {} };
        html! {
            section.offer aria-label="An offer" {
                @if by == self.seat {
                    p { "You have offered: " (what.word()) "." }
                    (self.button("reject", "Withdraw the offer"))
                } @else {
                    p { (self.board.player(by)) " offers: " (what.word()) "." }
                    (self.button("accept", "Accept"))
                    (self.button("reject", "Reject"))
                }
            }
        }
    }

    /// Renders the messages of the players, and the form for a new one.
    fn messages(&self, snapshot: &Snapshot) -> Markup {
        let opponent = self.board.player(self.seat.other());
        let is_muted = snapshot.world.is_muted(self.board.player(self.seat), opponent);
        let is_shown = |message: &&ChatMessage| message.by == self.seat.0 || !is_muted;
        let messages = snapshot.world.chat(self.board.id).iter().filter(is_shown);
        let messages: Vec<&ChatMessage> = messages.collect();
        html! {
            section.chat aria-label="Messages" {
                @if !messages.is_empty() {
                    h2 { "Messages" }
                    @for message in messages {
                        p.quiet {
                            (self.board.player(Seat(message.by))) ", " (message.at.minute()) " UTC" }
                        blockquote.words { (message.words) }
                    }
                }
                // Nobody reads messages to the program.
                @if program::level(opponent).is_none() {
                    details {
                        summary { "Write to " (opponent) }
                        (self.form("chat", &html! {
                            input type="hidden" name="verb" value="chat";
                            label { "Your message"
                                textarea name="comment" rows="3" maxlength="10000" required {} }
                            button type="submit" { "Send" }
                        }))
                    }
                }
            }
        }
    }

    fn rare_commands(&self) -> Markup {
        let (board, spec) = (self.board, self.board.game.spec());
        let has_decided = board.last_decision(self.seat).is_some();
        html! {
            details.others {
                summary { "Undo, draw, resign" }
                @if board.offer.is_none() && has_decided && !spec.manner.secret {
                    (self.button("undo", "Ask to take back my last move"))
                }
                @if board.offer.is_none() && spec.manner.draws {
                    (self.button("propose", "Offer a draw"))
                }
                @if spec.stakes.is_empty() {
                    (self.button("resign", "Resign"))
                } @else {
                    (self.form("resign", &html! {
                        input type="hidden" name="verb" value="resign";
                        label { "Stake" select name="say" {
                            @for stake in spec.stakes { option value=(stake) { (stake) } }
                        } }
                        button type="submit" { "Resign" }
                    }))
                }
                @if board.offer.is_none() && board.position().evaluation_unit().is_some() {
                    (self.form("propose", &html! {
                        input type="hidden" name="verb" value="propose";
                        button type="submit" name="say" value="analysis" {
                            "Ask for an analysis of the moves so far"
                        }
                    }))
                }
                (self.button("newtoken", "Get a new reply address"))
            }
        }
    }

    /// Renders the player's settings for this board.
    fn settings(&self, snapshot: &Snapshot) -> Markup {
        let chosen = snapshot.world.settings(self.board, self.seat);
        let all = self.board.game.spec().settings;
        html! {
            @if !all.is_empty() {
                details.settings {
                    summary { "Board settings" }
                    @for setting in all {
                        (self.form(setting.switch.name, &settings::board_field(setting, &chosen)))
                    }
                }
            }
        }
    }
}

/// Renders the steps that are made, with links that take them back.
fn steps_so_far(viewed: &ViewedBoard) -> Markup {
    let steps = &viewed.steps;
    let Some((_, previous)) = steps.split_last() else { return html! {} };
    html! {
        p { "Your move so far: " strong { (steps.join(", ")) } }
        p {
            a.key href=(path_after_steps(viewed, previous)) data-key="u" { "Take back a step" } " "
            @if !previous.is_empty() { a.key href=(path_after_steps(viewed, &[])) { "Start over" } }
        }
    }
}

fn how_to_begin(partial_move: &PartialMove) -> &'static str {
    if partial_move.next.iter().any(|step| step.from.is_some()) {
        "Choose a man, then where it goes, or write your move."
    } else {
        "Choose a point, or write your move."
    }
}

fn message_field() -> Markup {
    html! {
        label { "Message (optional)" textarea name="comment" rows="2" maxlength="10000" {} }
    }
}
