//! Reading documents for a page.

use super::{SharedChance, Site};
use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::dice::DiceKeys;
use crate::model::directory::Directory;
use crate::model::moderation::docket_key;
use crate::model::user::preference::{MEN, THEME};
use crate::model::world::{World, board_key};
use crate::refusal::Refusal;
use crate::reply::draw::{BoardTheme, Look, MenTheme, Theme};
use crate::server::Server;
use crate::server::repair::{self, RepairError};
use crate::store::{Fault, Key, ReadOnlyHome};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::http::session::is_raised;

/// A request while it reads documents, under the shared lock of the home.
pub(crate) struct SiteReader<'a> {
    pub(crate) site: &'a Site,
    pub(crate) request: WebRequest,
    pub(crate) now: Time,
    pub(crate) world: World,
    /// The signed-in user.
    pub(crate) viewer: Option<UserId>,
    pub(crate) store: ReadOnlyHome,
}

/// The documents that a request has loaded, once the home is closed again. A page is rendered from it
/// without holding the lock.
pub(crate) struct Snapshot<'a> {
    pub(crate) site: &'a Site,
    pub(crate) request: WebRequest,
    pub(crate) now: Time,
    pub(crate) world: World,
    pub(crate) viewer: Option<UserId>,
    /// Whether the browser gets its first cookie with this page.
    pub(crate) has_new_cookie: bool,
    /// The feed that the page names in its head.
    pub(crate) feed: Option<FeedLink>,
    /// The number of boards that wait for the viewer, if the page knows it.
    pub(crate) waiting: Option<usize>,
    /// Whether men and dice move on the page.
    pub(crate) has_motion: bool,
}

/// The link to an Atom feed.
#[derive(Clone, Debug)]
pub(crate) struct FeedLink {
    pub(crate) path: String,
    pub(crate) title: String,
}

impl<'a> SiteReader<'a> {
    pub(super) fn open(site: &'a Site, request: WebRequest) -> PageResult<Self> {
        let now = site.now();
        let store = site.parts.home.read()?;
        let mut world = World::default();
        let viewer = site.viewer(&request, &mut world, &*store, now)?;
        Ok(Self { site, request, now, world, viewer, store })
    }

    /// Loads documents, and with a board its players.
    pub(crate) fn load(&mut self, keys: &[Key]) -> Result<(), Fault> {
        // Damaged documents are reported when a command loads them, and by `check`.
        self.world.load(keys, &*self.store).map(drop)
    }

    /// Loads boards with their players.
    pub(crate) fn load_boards(
        &mut self,
        ids: impl IntoIterator<Item = BoardId>,
    ) -> Result<(), Fault> {
        let keys: Vec<Key> = ids.into_iter().map(board_key).collect();
        self.load(&keys)
    }

    /// Returns the keys that the home has had for its dice.
    pub(crate) fn dice_keys(&self) -> Result<&'a DiceKeys, Fault> {
        let keys = &self.site.parts.setup.dice;
        keys.learn(&self.store.dice_keys()?);
        Ok(keys)
    }

    /// Returns the signed-in user.
    ///
    /// # Errors
    /// Nobody has signed in.
    pub(crate) fn signed_in_user(&self) -> PageResult<UserId> {
        self.viewer.clone().ok_or_else(|| PageError::SignIn(self.request.path.clone()))
    }

    /// Checks that the visitor is an administrator.
    ///
    /// # Errors
    /// They are not; for them the pages do not exist.
    pub(crate) fn check_administrator(&mut self) -> PageResult<()> {
        let viewer = self.viewer.clone().ok_or(PageError::NotFound)?;
        self.load(&[docket_key()])?;
        let docket = self.world.docket().map_err(Refusal::from)?;
        if docket.is_administrator(&viewer) { Ok(()) } else { Err(PageError::NotFound) }
    }

    /// Checks that the visitor is an administrator in a raised session.
    ///
    /// # Errors
    /// They are not.
    pub(crate) fn check_raised(&mut self) -> PageResult<()> {
        self.check_administrator()?;
        let viewer = self.viewer.as_ref().and_then(|viewer| self.world.user(viewer));
        let is_raised = viewer.is_some_and(|user| is_raised(&self.request, user, self.now));
        if is_raised { Ok(()) } else { Err(PageError::NotRaised(self.request.address.clone())) }
    }

    /// Returns what the operator's command shows of a board.
    pub(crate) fn show_board(&self, id: BoardId) -> Result<String, RepairError> {
        let mut chance = SharedChance(self.site);
        let mut server = Server::new(&self.site.parts.setup, &mut chance);
        repair::show_board(&mut server, &*self.store, id, self.now)
    }

    /// Closes the home.
    pub(crate) fn close(self) -> Snapshot<'a> {
        let Self { site, request, now, world, viewer, .. } = self;
        Snapshot {
            site,
            request,
            now,
            world,
            viewer,
            has_new_cookie: false,
            feed: None,
            waiting: None,
            has_motion: false,
        }
    }
}

impl Snapshot<'_> {
    /// Names a feed in the head of the page.
    pub(crate) fn with_feed(self, path: String, title: String) -> Self {
        Self { feed: Some(FeedLink { path, title }), ..self }
    }

    /// Passes the directory of users to `read`. The home must be closed, because users who have changed
    /// are read first.
    pub(crate) fn directory<T>(&self, read: impl FnOnce(&Directory) -> T) -> PageResult<T> {
        self.site.directory.with(&*self.site.parts.home, self.now, read)
    }

    /// Returns the looks of boards for the viewer, light and dark. Others than users see the default.
    pub(crate) fn looks(&self) -> [Look; 2] {
        let user = self.viewer.as_ref().and_then(|user| self.world.user(user));
        let chosen = |preference| Some(user?.preferences.chosen(preference).name);
        let board = chosen(&THEME).and_then(BoardTheme::find).unwrap_or_default();
        let men = chosen(&MEN).and_then(MenTheme::find).unwrap_or_default();
        [Theme::Light, Theme::Dark].map(|theme| Look { theme, board, men })
    }
}
