//! What newcomers read about the players who welcome them, and these players about a newcomer.

use crate::base::ids::UserId;
use crate::model::rate_limit::QuotaShare;
use crate::model::topic::Topic;
use crate::model::user::OptOut;
use crate::model::welcomers::OfferedPlayer;
use crate::reply::letters::{Block, OutgoingMail, Recipient, TextElement};

/// Tells a newcomer whom they can challenge.
pub(super) fn offered(newcomer: &UserId, players: &[OfferedPlayer]) -> Option<Block> {
    let head =
        "These players welcome newcomers. To begin a game with one of them, send the Subject:";
    let head = TextElement::Sentence(head.into());
    let command = |player: &OfferedPlayer| {
        let game = player.game.spec().name;
        TextElement::Command(format!("{game} challenge {newcomer} {}", player.user))
    };
    let lines = [head].into_iter().chain(players.iter().map(command)).collect();
    (!players.is_empty()).then_some(Block::Text(lines))
}

/// Builds the mail to a player about a newcomer.
pub(super) fn introduced(player: &OfferedPlayer, newcomer: &UserId) -> OutgoingMail {
    let (user, game) = (&player.user, player.game.spec());
    let blocks = vec![
        Block::Mark,
        Block::sentence(format!("{newcomer} is new here, and you welcome newcomers.")),
        Block::Text(vec![
            TextElement::Sentence(format!(
                "To begin a game with {newcomer}, of {} for example, send the Subject",
                game.title
            )),
            TextElement::Command(format!("{} challenge {user} {newcomer}", game.name)),
        ]),
        Block::sentence(format!("To write to {newcomer}, reply to this mail.")),
        Block::Text(vec![
            TextElement::Sentence("To get no more mails about newcomers, send the Subject".into()),
            TextElement::Command(format!("set {user} <password> welcome off")),
        ]),
    ];
    let mail = OutgoingMail::new(
        Recipient::Listener(user.clone()),
        format!("A new player: {newcomer}"),
        blocks,
    );
    let topic = Some(Topic::Conversation(newcomer.clone()));
    OutgoingMail { share: QuotaShare::Others, topic, opt_out: Some(OptOut::Newcomers), ..mail }
}
