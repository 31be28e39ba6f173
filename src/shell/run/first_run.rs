//! The first run of a home: until somebody has set it up, the site is the page of setup, and the main thread
//! tries and writes the answers that the page has got.

use super::service_manager::ServiceManager;
use super::services::RunContext;
use super::sockets::Sockets;
use super::trial::{Executor, Trial, TrialOutcome};
use super::waker::MainThreadWaker;
use crate::config::setup::{Answers, Door};
use crate::config::{Config, ConfigOrigin, EffectiveSetting, SAMPLE};
use crate::mail::Address;
use crate::model::moderation::docket_key;
use crate::model::user;
use crate::model::world::World;
use crate::server::repair::read_user;
use crate::shell::home as homes;
use crate::shell::output::remedy::with_remedy;
use crate::shell::repairs::user::{set_password, userid_of};
use crate::shell::serve::{ProcessView, WebServer};
use crate::shell::settings;
use crate::shell::setup::interview::usual_door;
use crate::shell::setup::mail_server::MailServerNeeds;
use crate::shell::setup::writing;
use crate::shell::{CommandError, Machine};
use crate::store::{DocumentKind, Fault, settings as files};
use crate::web::{SetupDesk, SetupProgress};
use games::GAMES;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// How many seconds the test mail may take.
const TEST_MAIL_TIMEOUT: u32 = 60;

/// How often the home is looked at: it may be set up in the terminal.
const LOOK: Duration = Duration::from_secs(2);

/// The keys that answers set. A home is set up if the environment sets one of them.
const ANSWERED: [&str; 5] = ["address", "name", "alert.to", "web.address", "store.url"];

/// Returns whether nobody has set up a home: its configuration is the sample, untouched, the environment
/// answers no question, and it has no user, no board and no administrator.
///
/// # Errors
/// There is no home, or it cannot be read.
pub(crate) fn is_new(home: &Path) -> Result<bool, Fault> {
    if files::read(home)? != SAMPLE {
        return Ok(false);
    }
    let is_answered = |setting: &EffectiveSetting| {
        let origin =
            matches!(setting.from, ConfigOrigin::Variable(_) | ConfigOrigin::Credential(_));
        origin && ANSWERED.contains(&&*setting.key)
    };
    if settings::layered(home)?.in_force.iter().any(is_answered) {
        return Ok(false);
    }
    let store = homes::in_files(home);
    let store = crate::store::Home::read(&store)?;
    let mut kinds = vec![DocumentKind::In(user::COLLECTION)];
    kinds.extend(GAMES.iter().map(|game| DocumentKind::Boards(game.spec().name)));
    for kind in kinds {
        if !store.keys(kind)?.is_empty() {
            return Ok(false);
        }
    }
    let mut world = World::default();
    world.load(&[docket_key()], &*store)?;
    // A docket that cannot be read may name administrators.
    Ok(world.docket().is_ok_and(|docket| docket.administrators.is_empty()))
}

/// What the page and the main thread share.
#[derive(Clone)]
struct Desk {
    home: PathBuf,
    /// The address of the site on this machine.
    site: String,
    waker: MainThreadWaker,
    state: Arc<Mutex<DeskState>>,
}

struct DeskState {
    progress: SetupProgress,
    order: Option<Order>,
    /// Whether nobody takes orders any more.
    is_over: bool,
}

/// An order from the page of setup.
enum Order {
    Try(Answers),
    Finish { answers: Answers, password: String, done: SyncSender<Result<bool, String>> },
}

impl Desk {
    fn new(home: PathBuf, site: String, waker: MainThreadWaker) -> Self {
        let state = DeskState { progress: SetupProgress::Asking, order: None, is_over: false };
        Self { home, site, waker, state: Arc::new(Mutex::new(state)) }
    }

    fn state(&self) -> MutexGuard<'_, DeskState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes how far the setup is, until orders end.
    fn note(&self, progress: SetupProgress) {
        let mut state = self.state();
        if !state.is_over {
            state.progress = progress;
        }
    }

    /// Replaces the waiting order, which is dropped, so that its request stops waiting. After the end of orders
    /// the new one is dropped.
    fn order(&self, order: Order) {
        let mut state = self.state();
        if !state.is_over {
            state.order = Some(order);
        }
        drop(state);
        self.waker.mail();
    }

    /// Drops the waiting order and all that come later. Their requests would wait for ever, and the process
    /// for them.
    fn end_orders(&self) {
        let mut state = self.state();
        state.is_over = true;
        state.order = None;
    }

    /// Returns why an order was dropped.
    fn why_dropped(&self) -> &'static str {
        if self.state().is_over {
            "the setup has ended meanwhile; open the site again"
        } else {
            "another request came before it was done"
        }
    }
}

impl SetupDesk for Desk {
    fn home(&self) -> PathBuf {
        self.home.clone()
    }

    fn usual_door(&self) -> Door {
        usual_door()
    }

    fn usual_site(&self) -> String {
        self.site.clone()
    }

    fn progress(&self) -> SetupProgress {
        self.state().progress.clone()
    }

    fn begin_trial(&self, answers: Answers) {
        self.note(SetupProgress::Trying { seconds: 0, patience: TEST_MAIL_TIMEOUT, trouble: None });
        self.order(Order::Try(answers));
    }

    fn finish(&self, answers: Answers, password: String) -> Result<bool, String> {
        let (done, is_done) = sync_channel(1);
        self.order(Order::Finish { answers, password, done });
        is_done.recv().unwrap_or_else(|_| Err(self.why_dropped().into()))
    }

    fn mail_server(&self, answers: &Answers) -> Option<(String, Vec<String>)> {
        let config = Config::read(&answers.configuration().ok()?).ok()?;
        let home = std::path::absolute(&self.home).ok()?;
        let needs = MailServerNeeds::of_first_run(&home, &config)?;
        Some((needs.description, needs.commands))
    }
}

/// How the first run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstRunEnd {
    /// The home is set up.
    SetUp,
    /// The process must end.
    Ended,
}

/// Shows the page of setup at the socket of the web until the home is set up, by the page or otherwise.
pub(super) fn wait(
    context: &RunContext,
    sockets: &Sockets,
    wakeups: &Receiver<()>,
    manager: &ServiceManager,
    machine: &mut Machine,
) -> Result<FirstRunEnd, CommandError> {
    let Some(socket) = &sockets.web else { return Ok(FirstRunEnd::SetUp) };
    // A trial that was killed may have left it.
    writing::remove_password(&context.home)?;
    let site = site_on_this_machine(socket.local_addr()?);
    let desk = Desk::new(context.home.clone(), site, context.waker.clone());
    let process = ProcessView {
        unready: Box::new(|| vec!["setup"]),
        reload: None,
        setup_desk: Some(Box::new(desk.clone())),
    };
    let config = settings::load_anew(&context.home)?;
    let web = WebServer::prepare(&context.home, config, false, process, machine)?;
    web.announce_setup(socket.local_addr()?, machine.out)?;
    let (ending, mut is_over) = watch::channel(false);
    let ended = async move { drop(is_over.wait_for(|it| *it).await) };
    let served = context.threads.spawn(web.serve(socket.try_clone()?, ended));
    let mut first_run = FirstRun {
        context,
        sockets,
        manager,
        desk,
        made: None,
        has_tried: false,
        was_in_use: false,
    };
    let ended = first_run.work(wakeups, machine);
    first_run.desk.end_orders();
    settings::release();
    let _ = ending.send(true);
    let _ = context.threads.block_on(served);
    ended
}

/// Returns the address of the site, as a browser on this machine reaches it.
fn site_on_this_machine(mut listening: SocketAddr) -> String {
    if listening.ip().is_unspecified() {
        listening.set_ip(Ipv4Addr::LOCALHOST.into());
    }
    format!("http://{listening}")
}

/// The work of the main thread.
struct FirstRun<'a> {
    context: &'a RunContext,
    sockets: &'a Sockets,
    manager: &'a ServiceManager,
    desk: Desk,
    /// The user who was made before the configuration could not be written.
    made: Option<String>,
    /// Whether mails were executed here: their senders may have signed up.
    has_tried: bool,
    /// Whether somebody in the terminal had made a user, a board or an administrator at the last look.
    was_in_use: bool,
}

impl FirstRun<'_> {
    fn work(
        &mut self,
        wakeups: &Receiver<()>,
        machine: &mut Machine,
    ) -> Result<FirstRunEnd, CommandError> {
        loop {
            self.manager.alive();
            if self.context.waker.take().end {
                return Ok(FirstRunEnd::Ended);
            }
            let order = self.desk.state().order.take();
            match order {
                Some(Order::Try(answers)) => {
                    self.has_tried = true;
                    self.try_out(&answers, machine);
                }
                Some(Order::Finish { answers, password, done }) => {
                    let finished = self.finish(&answers, &password, machine);
                    let is_done = finished.is_ok();
                    if is_done {
                        self.desk.note(SetupProgress::Done);
                    }
                    let _ =
                        done.send(finished.map_err(|why| with_remedy(&why, &self.context.home)));
                    if is_done {
                        return Ok(FirstRunEnd::SetUp);
                    }
                }
                None if self.is_set_up_elsewhere()? => return Ok(FirstRunEnd::SetUp),
                None => drop(wakeups.recv_timeout(LOOK.min(self.manager.longest_wait()))),
            }
        }
    }

    /// Returns whether somebody has set up the home in the terminal.
    fn is_set_up_elsewhere(&mut self) -> Result<bool, Fault> {
        let home = &*self.context.home;
        if files::read(home)? != SAMPLE {
            return Ok(true);
        }
        // `setup` there makes the administrator first, and the configuration a moment later.
        let is_in_use = !self.has_tried && self.made.is_none() && !is_new(home)?;
        Ok(std::mem::replace(&mut self.was_in_use, is_in_use) && is_in_use)
    }

    /// Sends a mail, and waits for it, with all services but the web.
    fn try_out(&self, answers: &Answers, machine: &mut Machine) {
        let tried = writing::with_password(answers, || self.tried(answers, machine));
        settings::release();
        let (works, words) = match tried {
            // The page has something else to do.
            Ok(None) => return,
            Ok(Some(outcome)) => (!outcome.is_failure(), outcome.to_string()),
            Err(why) => (false, with_remedy(&why, &self.context.home)),
        };
        self.desk.note(SetupProgress::Tried { works, words });
    }

    fn tried(
        &self,
        answers: &Answers,
        machine: &mut Machine,
    ) -> Result<Option<TrialOutcome>, CommandError> {
        let (home, own) =
            (&*self.context.home, answers.own_address.as_deref().and_then(Address::parse));
        let Some(own) = own else { return Ok(None) };
        let config = settings::parse_draft(home, &writing::configuration(answers)?)?;
        settings::hold(home, &config);
        let RunContext { waker, threads, .. } = self.context;
        let context = RunContext::new(home, waker.clone(), threads.clone());
        let sockets =
            Sockets { web: None, lmtp: self.sockets.lmtp.clone(), smtp: self.sockets.smtp.clone() };
        let executor = Executor::Here(&context, &sockets);
        let trial =
            Trial { home, config: &config, own: &own, executor, patience: TEST_MAIL_TIMEOUT };
        let mut is_broken_off = false;
        let mut goes_on = |seconds| {
            self.manager.alive();
            is_broken_off = context.waker.interrupts() || self.desk.state().order.is_some();
            if !is_broken_off {
                let trouble = context.health.first_failure();
                self.desk.note(SetupProgress::Trying {
                    seconds,
                    patience: TEST_MAIL_TIMEOUT,
                    trouble,
                });
            }
            !is_broken_off
        };
        let outcome = trial.run(&mut goes_on, machine)?;
        Ok((!is_broken_off).then_some(outcome))
    }

    /// Writes everything. Returns whether the site is reached by `https`.
    fn finish(
        &mut self,
        answers: &Answers,
        password: &str,
        machine: &mut Machine,
    ) -> Result<bool, CommandError> {
        let home = self.context.home.clone();
        let make = || self.make_administrator(answers, password, machine);
        Ok(writing::finish(&home, answers, make)?.web.is_encrypted())
    }

    fn make_administrator(
        &mut self,
        answers: &Answers,
        password: &str,
        machine: &mut Machine,
    ) -> Result<(), CommandError> {
        let home = &*self.context.home;
        let id = userid_of(answers.administrator.as_deref().unwrap_or_default())?;
        let password = Some(password.to_owned());
        // Somebody else may have signed up by mail while it was tried.
        let is_ours = self.made.as_deref() == Some(id.as_str());
        if is_ours && read_user(&*homes::read(home)?, &id)?.is_some() {
            set_password(home, &id, password, machine)?;
            return Ok(());
        }
        writing::add_user(home, &id, answers.own_address.as_deref(), password, machine)?;
        writing::appoint(home, &id, machine)?;
        self.made = Some(id.to_string());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::setup::DeliverAnswer;
    use std::thread;

    fn answers() -> Answers {
        Answers {
            door: Door::Web,
            address: "games@pbm.test".into(),
            name: "Games".into(),
            site: None,
            plus: false,
            deliver: DeliverAnswer::By("nothing".into()),
            own_address: None,
            administrator: Some("olga".into()),
            password: None,
        }
    }

    /// A request that is never answered fails this test after a minute.
    #[test]
    fn a_request_is_answered_when_its_order_is_never_taken() {
        let (waker, wakeups) = MainThreadWaker::new();
        let desk = Desk::new(PathBuf::new(), String::new(), waker);
        let (answer, answered) = sync_channel(3);
        let finish = || {
            let (desk, answer) = (desk.clone(), answer.clone());
            thread::spawn(move || answer.send(desk.finish(answers(), "sesame".into())));
        };
        let next_answer = || answered.recv_timeout(Duration::from_mins(1)).expect("no answer");
        finish();
        wakeups.recv().unwrap();
        let first = desk.state().order.take();
        // The second comes while the first is executed, which sets the home up.
        finish();
        wakeups.recv().unwrap();
        desk.note(SetupProgress::Done);
        let Some(Order::Finish { done, .. }) = first else { panic!("it was no order to finish") };
        done.send(Ok(true)).unwrap();
        assert_eq!(next_answer(), Ok(true));
        desk.end_orders();
        assert_eq!(next_answer(), Err("the setup has ended meanwhile; open the site again".into()));
        // The third comes before the server of the page has ended.
        finish();
        assert!(next_answer().is_err());
        desk.begin_trial(answers());
        assert_eq!(desk.progress(), SetupProgress::Done);
        assert!(desk.state().order.is_none());
    }

    #[test]
    fn no_site_is_at_every_address() {
        let site = |listening: &str| site_on_this_machine(listening.parse().unwrap());
        assert_eq!(site("0.0.0.0:8080"), "http://127.0.0.1:8080");
        assert_eq!(site("[::]:80"), "http://127.0.0.1:80");
        assert_eq!(site("192.0.2.7:8080"), "http://192.0.2.7:8080");
        assert_eq!(site("[2001:db8::7]:8080"), "http://[2001:db8::7]:8080");
    }
}
