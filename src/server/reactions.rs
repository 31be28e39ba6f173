//! Carries out reactions, between a change and its answer, until nothing more follows.

use crate::base::chance::RandomSource;
use crate::command::Origin;
use crate::command::reactions::{Cause, Consequence, REACTIONS, Reaction};
use crate::model::service::ServiceContext;
use crate::model::world::event::changed_boards;
use crate::reply::{self, OutgoingMail, Recipient};
use crate::server::documents::DocumentSet;
use crate::server::env::Env;
use crate::server::turn_notices;
use crate::store::Fault;
use std::collections::VecDeque;

/// The most consequences of a command or a wakeup. More would be a circle of reactions.
const MAX_STEPS: usize = 10_000;

/// Carries out all reactions to the events since the last call, and to `cause`. Returns the mails
/// about them.
pub(super) fn settle(
    cause: Option<Cause>,
    documents: &mut DocumentSet,
    chance: &mut dyn RandomSource,
    env: &mut Env,
) -> Result<Vec<OutgoingMail>, Fault> {
    settle_with(REACTIONS, cause, documents, chance, env)
}

fn settle_with(
    reactions: &[&dyn Reaction],
    cause: Option<Cause>,
    documents: &mut DocumentSet,
    chance: &mut dyn RandomSource,
    env: &mut Env,
) -> Result<Vec<OutgoingMail>, Fault> {
    let mut causes: VecDeque<Cause> = documents.take_causes().collect();
    causes.extend(cause);
    let (mut mails, mut count) = (Vec::new(), 0);
    while let Some(cause) = causes.pop_front() {
        for reaction in reactions {
            let Some(needs) = reaction.needs(&cause, &documents.world) else { continue };
            documents.load(&needs, &Origin::Shell, env)?;
            let mut cx = ServiceContext { now: env.now, chance, keys: &env.setup.dice };
            for consequence in reaction.react(&cause, &documents.world, &mut cx) {
                count += 1;
                if count > MAX_STEPS {
                    env.note(format!(
                        "a bug: reactions went on for {MAX_STEPS} steps and were stopped at: {}; \
                         please report it",
                        cause.summary()
                    ));
                    // The next mail must not go on with them.
                    drop(documents.take_causes());
                    return Ok(mails);
                }
                mails.extend(carry_out(&consequence, documents, env)?);
            }
            causes.extend(documents.take_causes());
        }
    }
    Ok(mails)
}

/// Applies the events of a consequence, and writes its mails. It is dropped as a whole if a document
/// that it changes is damaged.
fn carry_out(
    consequence: &Consequence,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Vec<OutgoingMail>, Fault> {
    let Consequence { events, news } = consequence;
    if let Some(key) = documents.world.first_damaged(events) {
        env.note(format!(
            "{key} is damaged, so a follow-up was not carried out: {}; run `postboard check`",
            events[0].summary()
        ));
        return Ok(Vec::new());
    }
    for event in events {
        documents.apply(event, env)?;
        env.note(format!("reaction: {}", event.summary()));
    }
    turn_notices::note(&changed_boards(events), None, documents, env)?;
    let Some(news) = news else { return Ok(Vec::new()) };
    documents.gather_users(&reply::observers(&documents.world, news), env)?;
    let mut mails = reply::compose(&documents.world, &Origin::Shell, news, events, "", env.now);
    // There is no sender to answer.
    mails.retain(|mail| mail.to != Recipient::Sender);
    Ok(mails)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::chance::ScriptedRandom;
    use crate::base::ids::{BoardId, UserId};
    use crate::base::meters::CommandTally;
    use crate::base::time::Time;
    use crate::command::Needs;
    use crate::config::SAMPLE;
    use crate::mail::Address;
    use crate::model::board::{Agreement, BoardEvent, ClosedBy, Closing};
    use crate::model::new_board::{BoardMaker, NewBoard};
    use crate::model::user::{User, UserEvent};
    use crate::model::world::World;
    use crate::model::world::event::Event;
    use crate::reply::{Answer, BoardNews};
    use crate::server::Setup;
    use crate::store::{MemoryStore, Store};
    use games::Seat;

    const NOW: Time = Time::from_unix(1_795_238_400);

    /// Two new boards follow from the end of a board.
    struct TwoRematches;

    impl Reaction for TwoRematches {
        fn needs(&self, cause: &Cause, _: &World) -> Option<Needs> {
            let Cause::Event(Event::Board(id, BoardEvent::Closed(_))) = cause else { return None };
            Some(Needs::NewBoards(id.game, 2))
        }

        fn react(&self, cause: &Cause, world: &World, cx: &mut ServiceContext) -> Vec<Consequence> {
            let Cause::Event(Event::Board(id, _)) = cause else { return Vec::new() };
            let board = world.board(*id).unwrap();
            let cx = ServiceContext { now: cx.now, chance: &mut *cx.chance, keys: cx.keys };
            let mut maker = BoardMaker::new(world, cx);
            let mut begin = |players: [UserId; 2]| {
                let new = NewBoard {
                    game: board.game,
                    agreed: Agreement::default(),
                    players,
                    by: None,
                    seeds: [None, None],
                };
                let setup = maker.begin(new).unwrap().setup;
                let (board, what) = (setup.board, BoardNews::Begun);
                let news = Some(Answer::Board { board, what, by: None });
                Consequence { events: vec![Event::Challenged(Box::new(setup))], news }
            };
            let [o, x] = board.players.clone();
            vec![begin([o.clone(), x.clone()]), begin([x, o])]
        }
    }

    /// A user's new limit leads to the next one, without end.
    struct Endless;

    impl Reaction for Endless {
        fn needs(&self, cause: &Cause, _: &World) -> Option<Needs> {
            matches!(cause, Cause::Event(Event::User(..))).then(|| Needs::Keys(Vec::new()))
        }

        fn react(&self, cause: &Cause, _: &World, _: &mut ServiceContext) -> Vec<Consequence> {
            let Cause::Event(Event::User(user, _)) = cause else { return Vec::new() };
            vec![Consequence { events: vec![limited(user)], news: None }]
        }
    }

    fn limited(user: &UserId) -> Event {
        Event::User(user.clone(), UserEvent::Limited { game: "malaka", most: Some(3) })
    }

    fn user(name: &str) -> UserId {
        UserId::parse(name).unwrap()
    }

    /// Applies events in a home with two users, lets reactions act, and returns the documents, the
    /// mails and the log.
    fn settled(
        reactions: &[&dyn Reaction],
        store: &MemoryStore,
        happen: impl Fn(&mut DocumentSet, &mut Env),
    ) -> (DocumentSet, Vec<OutgoingMail>, Vec<String>) {
        let setup = Setup::of_test(SAMPLE);
        let (mut log, mut boards, mut unreadable) = (Vec::new(), Vec::new(), None);
        let mut tally = CommandTally::default();
        let mut env = Env {
            setup: &setup,
            store,
            now: NOW,
            log: &mut log,
            boards: &mut boards,
            tally: &mut tally,
            unreadable: &mut unreadable,
        };
        let mut documents = DocumentSet::default();
        happen(&mut documents, &mut env);
        let mut chance = ScriptedRandom::counting();
        let mails = settle_with(reactions, None, &mut documents, &mut chance, &mut env).unwrap();
        (documents, mails, log)
    }

    /// Signs two users up and begins a board of theirs.
    fn with_board(documents: &mut DocumentSet, env: &mut Env) -> BoardId {
        for name in ["alice", "bob"] {
            documents.gather_users(&[user(name)], env).unwrap();
            let address = Address::parse(&format!("{name}@example.org")).unwrap();
            let new = User::new(user(name), String::new(), vec![address], NOW);
            let event = Event::SignedUp { user: Box::new(new), from: None };
            documents.apply(&event, env).unwrap();
        }
        documents.load(&Needs::NewBoards("reversi", 1), &Origin::Shell, env).unwrap();
        let mut chance = ScriptedRandom::counting();
        let cx = ServiceContext { now: NOW, chance: &mut chance, keys: &env.setup.dice };
        let new = NewBoard {
            game: games::find("reversi").unwrap(),
            agreed: Agreement::default(),
            players: [user("alice"), user("bob")],
            by: None,
            seeds: [None, None],
        };
        let setup = BoardMaker::new(&documents.world, cx).begin(new).unwrap().setup;
        let board = setup.board;
        documents.apply(&Event::Challenged(Box::new(setup)), env).unwrap();
        board
    }

    #[test]
    fn a_reaction_begins_two_boards_and_tells_their_players() {
        let (documents, mails, log) =
            settled(&[&TwoRematches], &MemoryStore::new(), |documents, env| {
                let board = with_board(documents, env);
                let closing = Closing { at: NOW, seat: 0, by: ClosedBy::Resigning };
                documents.apply(&Event::Board(board, BoardEvent::Closed(closing)), env).unwrap();
            });
        let board = |number| documents.world.board(BoardId { game: "reversi", number }).unwrap();
        assert!(board(1).is_over() && !board(2).is_over() && !board(3).is_over());
        assert_eq!(board(2).player(Seat(0)), board(3).player(Seat(1)));
        assert_eq!(documents.world.user(&user("bob")).unwrap().active.len(), 2);
        let mut told: Vec<(Option<u32>, String)> = mails
            .iter()
            .map(|mail| (mail.board().map(|board| board.number), format!("{:?}", mail.to)))
            .collect();
        told.sort();
        let to = |name: &str| format!("{:?}", Recipient::User(user(name)));
        let expected = [2, 3].map(|n| [(Some(n), to("alice")), (Some(n), to("bob"))]).concat();
        assert_eq!(told, expected);
        assert!(log.iter().any(|line| line.contains("reversi 3 set up for")), "{log:?}");
    }

    #[test]
    fn reactions_without_end_are_stopped() {
        let (_, _, log) = settled(&[&Endless], &MemoryStore::new(), |documents, env| {
            with_board(documents, env);
            documents.apply(&limited(&user("alice")), env).unwrap();
        });
        let carried_out = log.iter().filter(|line| line.starts_with("reaction:")).count();
        assert_eq!(carried_out, MAX_STEPS);
        assert!(
            log.last().unwrap().starts_with("a bug: reactions went on for 10000 steps"),
            "{:?}",
            log.last()
        );
    }

    #[test]
    fn what_would_change_a_damaged_document_does_not_follow() {
        let mut store = MemoryStore::new();
        let mut damaged = User::new(user("alice"), String::new(), Vec::new(), NOW).write();
        damaged.push('}');
        let key = crate::model::world::user_key(&user("alice"));
        let change = crate::store::DocumentChange { key: key.clone(), was: None, text: damaged };
        let transaction = crate::store::Transaction { changes: vec![change], ..Default::default() };
        store.commit(transaction).unwrap();
        let (mut documents, _, log) = settled(&[&Endless], &store, |documents, env| {
            documents.gather_users(&[user("alice"), user("bob")], env).unwrap();
            documents.apply(&limited(&user("alice")), env).unwrap();
        });
        let lost = format!("{key} is damaged, so this is not kept");
        assert!(log.iter().any(|line| line.starts_with(&lost)), "{log:?}");
        assert_eq!(documents.world.take_changes(), []);
        assert!(!log.iter().any(|line| line.starts_with("reaction:")), "{log:?}");
    }
}
