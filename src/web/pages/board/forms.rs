//! The forms on the page of a board beside its bar: messages, moves in advance, and the menu of rarer
//! commands and settings; the subscription of an observer.

use super::{ViewedBoard, path};
use crate::model::board::{Board, BoardStatus, Plan};
use crate::model::chat_log::{ChatMessage, LONGEST_MESSAGE};
use crate::model::dice::{LOST, WantedSeed};
use crate::model::note::LONGEST_NOTE;
use crate::model::user::Mark;
use crate::reply::board_view;
use crate::web::html::player_text::player_text;
use crate::web::http::form::HiddenFields;
use crate::web::pages::report;
use crate::web::pages::settings;
use crate::web::site::Snapshot;
use games::Seat;
use maud::{Markup, html};

/// The fields of a reply: its words, and the message to the opponent.
const SAY: &str = "say";
pub(super) const COMMENT: &str = "comment";

/// The names of the forms in which something is typed: a move in advance, the lines of a plan, a message,
/// a player's own note, a move in words.
const QUEUE: &str = "queue";
const PLAN: &str = "plan";
const CHAT: &str = "chat";
const NOTE: &str = "note";
const WRITTEN: &str = "written";

/// Renders the messages of a player and their moves in advance, or the forms of an observer.
pub(super) fn panel(
    snapshot: &Snapshot,
    viewed: &ViewedBoard,
    hidden_fields: &HiddenFields,
) -> Markup {
    let Some(player) = PlayerForms::new(snapshot, viewed, hidden_fields) else {
        return observer_form(snapshot, viewed.board, hidden_fields);
    };
    html! {
        @if !viewed.board.is_over() && viewed.partial_move.is_none() { (player.plan(viewed)) }
        (player.messages(snapshot))
        (player.note(snapshot))
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

pub(super) struct PlayerForms<'a> {
    pub(super) board: &'a Board,
    pub(super) seat: Seat,
    pub(super) hidden_fields: &'a HiddenFields,
    /// Whether the program plays the other seat. Nobody reads messages to it.
    pub(super) opponent_is_program: bool,
}

impl<'a> PlayerForms<'a> {
    /// Builds the forms for a viewer who plays on the board.
    pub(super) fn new(
        snapshot: &Snapshot,
        viewed: &ViewedBoard<'a>,
        hidden_fields: &'a HiddenFields,
    ) -> Option<Self> {
        let (board, seat) = (viewed.board, viewed.seat?);
        let opponent_is_program = snapshot.world.level(board.player(seat.other())).is_some();
        Some(Self { board, seat, hidden_fields, opponent_is_program })
    }
}

impl PlayerForms<'_> {
    /// Renders a form for a reply to the board as it is shown.
    pub(super) fn form(&self, form_name: &str, fields: &Markup) -> Markup {
        self.form_with_id(None, form_name, fields)
    }

    /// Renders a form to which fields elsewhere on the page can belong.
    pub(super) fn form_with_id(
        &self,
        id: Option<&str>,
        form_name: &str,
        fields: &Markup,
    ) -> Markup {
        let offered = self.board.offered_to(self.seat).map_or("", |what| what.word());
        html! {
            form.say method="post" action=(path(self.board.id)) id=[id] {
                (self.hidden_fields.fields(form_name))
                input type="hidden" name="moveno" value=(self.board.next_move());
                input type="hidden" name="offered" value=(offered);
                (fields)
            }
        }
    }

    /// Renders a button that sends a reply.
    pub(super) fn button(&self, reply: &str, label: &str) -> Markup {
        self.form(reply, &html! { button type="submit" name="say" value=(reply) { (label) } })
    }

    /// Renders the button of the most likely reply.
    pub(super) fn main_button(&self, reply: &str, label: &str) -> Markup {
        self.form(reply, &html! { button.main type="submit" name="say" value=(reply) { (label) } })
    }

    /// Renders the field for the player's part of the dice, which the script fills in.
    pub(super) fn seed_field(&self) -> Markup {
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

    /// Renders the plan of the player, and the forms that make one.
    fn plan(&self, viewed: &ViewedBoard) -> Markup {
        let plan = self.board.plans[self.seat.index()].as_ref();
        let [single, lines] = [QUEUE, PLAN].map(|form| self.hidden_fields.form(form).typed(SAY, 0));
        html! {
            details id="queue" open[plan.is_some() || single.is_some() || lines.is_some()] {
                summary { "Play in advance" }
                @if let Some(plan) = plan { (self.current_plan(plan, viewed)) }
                (self.form(QUEUE, &html! {
                    input type="hidden" name="verb" value=(QUEUE);
                    label { "A move to play as soon as it is your turn"
                        input name=(SAY) autocomplete="off" required value=[single]; }
                    button type="submit" { "Queue" }
                }))
                @if self.board.can_branch() { (self.lines_form(lines)) }
            }
        }
    }

    /// Renders the plan of the player, which nobody else sees.
    fn current_plan(&self, plan: &Plan, viewed: &ViewedBoard) -> Markup {
        let lines = board_view::plan_lines(self.board, self.seat, plan, &viewed.view);
        html! {
            @if let Some(text) = plan.single_move() {
                p { "Your queued move: " strong { (text) } }
            } @else {
                p { "Your plan, from move " (plan.from) ". Only you can see it." }
                ol.plan {
                    @let withdraws_one = lines.len() > 1;
                    @for (number, line) in (1..).zip(lines) {
                        li {
                            (line)
                            @if withdraws_one {
                                (self.button(&format!("plan withdraw {number}"),
                                    &format!("Withdraw line {number}")))
                            }
                        }
                    }
                }
            }
            (self.button("plan withdraw", "Withdraw the plan"))
        }
    }

    /// Renders the form for the lines of a plan, and the link to the board on which they are played
    /// out.
    fn lines_form(&self, typed: Option<&str>) -> Markup {
        let played = self.board.next_move() - 1;
        html! {
            p { a.key href={ (path(self.board.id)) "/preview?after=" (played) } {
                "Play answers out on the board" } }
            (self.form(PLAN, &html! {
                input type="hidden" name="verb" value=(PLAN);
                label { "Or write them: a move of your opponent, your answer; another move, its answer"
                    input name=(SAY) autocomplete="off" required maxlength="4000" value=[typed]; }
                button type="submit" { "Plan" }
            }))
            p.quiet { a href="/help/plan" { "How plans work" } }
        }
    }

    /// Renders the messages of the players, the newest in view, and the form for a new one.
    fn messages(&self, snapshot: &Snapshot) -> Markup {
        let opponent = self.board.player(self.seat.other());
        let is_muted = snapshot.world.is_muted(self.board.player(self.seat), opponent);
        let is_shown = |message: &&ChatMessage| message.by == self.seat.0 || !is_muted;
        let messages = snapshot.world.chat(self.board.id).iter().filter(is_shown);
        let messages: Vec<&ChatMessage> = messages.collect();
        if messages.is_empty() && self.opponent_is_program {
            return html! {};
        }
        html! {
            section.chat id="chat" aria-label="Messages" {
                h2 { "Messages" }
                @if !messages.is_empty() {
                    // The outer element begins at its end, so that the newest message is in view.
                    div.log role="log" aria-label="Messages" tabindex="0" {
                        div {
                            @for message in messages { (self.message(message)) }
                        }
                    }
                }
                @if !self.opponent_is_program {
                    (self.form_with_id(Some("write"), CHAT, &html! {
                        input type="hidden" name="verb" value=(CHAT);
                        label { "Your message to " (opponent)
                            textarea name=(COMMENT) rows="2" maxlength=(LONGEST_MESSAGE) required {
                                (self.hidden_fields.form(CHAT).typed(COMMENT, 0).unwrap_or_default())
                            } }
                        button type="submit" { "Send" }
                    }))
                }
            }
        }
    }

    /// Renders the player's own note.
    fn note(&self, snapshot: &Snapshot) -> Markup {
        let kept = snapshot.world.note(self.board.id, self.seat);
        let typed = self.hidden_fields.form(NOTE).typed(COMMENT, 0);
        html! {
            details.note id="note" open[kept.is_some() || typed.is_some()] {
                summary { "Your own note" }
                (self.form(NOTE, &html! {
                    input type="hidden" name="verb" value=(NOTE);
                    label { "Nobody else sees it"
                        textarea name=(COMMENT) rows="4" maxlength=(LONGEST_NOTE) required {
                            // A line break at the beginning of a textarea does not count.
                            "\n" (typed.or(kept).unwrap_or_default())
                        } }
                    button type="submit" { "Keep" }
                }))
                @if kept.is_some() {
                    (self.form("note.none", &html! {
                        input type="hidden" name="verb" value=(NOTE);
                        button type="submit" name=(SAY) value="none" { "Remove the note" }
                    }))
                }
            }
        }
    }

    fn message(&self, message: &ChatMessage) -> Markup {
        html! {
            p.quiet {
                (self.board.player(Seat(message.by))) ", " (message.at.minute()) " UTC"
                @if message.by != self.seat.0 {
                    " " a.report href=(report::message_path(self.board, Seat(message.by), message.at)) {
                        "Report" span.unseen { " this message" }
                    }
                }
            }
            blockquote.words dir="auto" { (player_text(&message.words)) }
        }
    }

    /// Renders the rarer commands and the settings, for the menu.
    pub(super) fn rare_commands(&self, snapshot: &Snapshot, viewed: &ViewedBoard) -> Markup {
        html! {
            @if !self.board.is_over() {
                @if viewed.partial_move.is_some() { (self.written_move()) }
                (self.offers())
                (self.resignation())
            }
            (self.muting(snapshot))
            @if !self.opponent_is_program {
                p { a.key href=(report::board_path(self.board, self.seat.other())) {
                    "Report " (self.board.player(self.seat.other()))
                } }
            }
            (self.settings(snapshot))
            @if !self.board.is_over() { (self.button("newtoken", "Get a new reply address")) }
        }
    }

    /// Renders the form for a move in words.
    fn written_move(&self) -> Markup {
        let form = self.hidden_fields.form(WRITTEN);
        let (say, comment) = (form.typed(SAY, 0), form.typed(COMMENT, 0).unwrap_or_default());
        let can_preview = !self.board.game.spec().manner.is_blind();
        html! {
            h2 { "Write the move" }
            (self.form(WRITTEN, &html! {
                label { "Your move" input name=(SAY) autocomplete="off" required value=[say]; }
                (self.seed_field())
                @if !self.opponent_is_program {
                    label { "Message (optional)"
                        textarea name=(COMMENT) rows="2" maxlength=(LONGEST_MESSAGE) { (comment) } }
                }
                button type="submit" { "Play" }
                @if can_preview { button type="submit" name="verb" value="submit" { "Preview" } }
            }))
        }
    }

    fn offers(&self) -> Markup {
        let (board, spec) = (self.board, self.board.game.spec());
        if board.offer.is_some() || spec.manner.is_solo {
            return html! {};
        }
        let has_decided = board.last_decision(self.seat).is_some();
        html! {
            h2 { "Offers" }
            @if has_decided && !spec.manner.is_secret {
                (self.button("undo", "Ask to take back my last move"))
            }
            @if spec.manner.has_draws { (self.button("propose", "Offer a draw")) }
            @if board.position().evaluation_unit().is_some() {
                (self.form("propose", &html! {
                    input type="hidden" name="verb" value="propose";
                    button type="submit" name="say" value="analysis" {
                        "Ask for an analysis of the moves so far"
                    }
                }))
            }
            (self.form("cancel", &html! {
                input type="hidden" name="verb" value="propose";
                button type="submit" name="say" value="cancel" {
                    "Ask to end the game without a result"
                }
            }))
            @if !self.opponent_is_program && board.status() == BoardStatus::ToMove(self.seat.other()) {
                (self.button("moretime", "Give my opponent 3 more days"))
            }
        }
    }

    fn resignation(&self) -> Markup {
        let stakes = self.board.game.spec().stakes;
        html! {
            h2 { "Resign" }
            @if stakes.is_empty() {
                (self.button("resign", "Resign"))
            } @else {
                (self.form("resign", &html! {
                    input type="hidden" name="verb" value="resign";
                    label { "Stake" select name="say" {
                        @for stake in stakes { option value=(stake) { (stake) } }
                    } }
                    button type="submit" { "Resign" }
                }))
            }
        }
    }

    fn muting(&self, snapshot: &Snapshot) -> Markup {
        let opponent = self.board.player(self.seat.other());
        let viewer = self.board.player(self.seat);
        let is_muted = snapshot.world.has_marked(viewer, opponent, Mark::Muted);
        let (word, label) = if is_muted { ("unmute", "Unmute") } else { ("mute", "Mute") };
        html! {
            @if !self.opponent_is_program {
                h2 { "Messages" }
                (self.form(word, &html! {
                    button type="submit" name="say" value=(word) { (label) " " (opponent) }
                }))
            }
        }
    }

    /// Renders the player's settings for this board.
    fn settings(&self, snapshot: &Snapshot) -> Markup {
        let chosen = snapshot.world.settings(self.board, self.seat);
        let all = self.board.game.spec().settings;
        html! {
            @if !all.is_empty() {
                h2 { "Board settings" }
                @for setting in all {
                    (self.form(setting.switch.name, &settings::board_field(setting, &chosen)))
                }
            }
        }
    }
}
