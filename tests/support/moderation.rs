//! Acts of the operator, from words.

use postboard::base::time::Day;
use postboard::command::moderation::act::{ActCommand, ActSubject};
use postboard::model::moderation::Act;
use postboard::server::requests::Request;

/// Returns the request of an act of the operator: `suspend 2004-08-30 bob insults`. The day may be left
/// out. A subject that is a number is that of a report.
pub(crate) fn request(words: &str) -> Request {
    let mut words = words.split_whitespace().peekable();
    let act = match words.next().unwrap() {
        "mute" => Act::Mute,
        "suspend" => Act::Suspend,
        "ban" => Act::Ban,
        "lift" => Act::Lift,
        "settle" => Act::Settle,
        "appoint" => Act::Appoint,
        "dismiss" => Act::Dismiss,
        other => panic!("{other} is no act"),
    };
    let until = words.peek().and_then(|word| Day::parse(word));
    if until.is_some() {
        words.next();
    }
    let subject = words.next().unwrap();
    let subject = match subject.parse() {
        Ok(number) => ActSubject::Report(number),
        Err(_) => ActSubject::parse(subject).unwrap(),
    };
    let why = words.collect::<Vec<_>>().join(" ");
    let command = ActCommand { act, subject, until, why, operator: "jane".into() };
    Request::from_operator(Box::new(command))
}
