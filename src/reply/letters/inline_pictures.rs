//! The boards of a letter as pictures inside its mail.

use crate::mail::InlineImage;
use crate::model::user::preference::{PICTURE, Preferences};
use crate::reply::draw::{DrawOptions, Link, Marks, png, svg};
use crate::reply::letters::blocks::Block;
use crate::reply::letters::picture_json::Picture;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// How the page of a mail shows boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PictureFormat {
    /// As pictures inside the mail.
    Png,
    /// As tables.
    #[default]
    Table,
    /// Not at all: the text beside the page has them.
    Off,
}

impl PictureFormat {
    /// What a user has chosen.
    pub fn from_preferences(preferences: &Preferences) -> Self {
        if preferences.wants_words_only() {
            return Self::Off;
        }
        match preferences.chosen(&PICTURE).name {
            "png" => Self::Png,
            "table" => Self::Table,
            _ => Self::Off,
        }
    }

    /// Whether letters mean this where they say nothing, as those of earlier programs.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
    pub(crate) fn is_table(&self) -> bool {
        *self == Self::Table
    }
}

/// The most pictures inside a mail; further boards of it are tables.
const MOST: usize = 4;

/// The most drawings that an album keeps.
const PAGES: usize = 256;

/// The pictures of a run: both players and all who watch see the same board.
#[derive(Debug, Default)]
pub struct PictureCache(RefCell<HashMap<String, Option<Arc<[u8]>>>>);

impl PictureCache {
    /// A board as a PNG; nothing where it cannot be drawn.
    fn picture(&self, picture: &Picture) -> Option<Arc<[u8]>> {
        let drawing = drawing(picture);
        if let Some(known) = self.0.borrow().get(&drawing) {
            return known.clone();
        }
        let drawn: Option<Arc<[u8]>> = png::painted(&drawing).map(Arc::from);
        let mut album = self.0.borrow_mut();
        if album.len() >= PAGES {
            album.clear();
        }
        album.insert(drawing, drawn.clone());
        drawn
    }
}

/// A board as it is drawn for a mail.
fn drawing(picture: &Picture) -> String {
    let Picture { diagram, names, marked } = picture;
    let names = names.as_ref().map_or(["", ""], |[one, other]| [one, other]);
    let can = marked.can.iter().map(|spot| (*spot, Link::default())).collect();
    let marks = Marks { last: marked.last.clone(), can, ..Marks::default() };
    svg(
        diagram,
        &DrawOptions { names, beside: [""; 2], turn: marked.turn, marks: &marks, ink: png::INK },
    )
}

/// The pictures of a letter, in the order in which its page shows them; `name` is the letter's, and
/// the same whenever it is printed.
pub(crate) fn inside(blocks: &[Block], name: &str, album: &PictureCache) -> Vec<InlineImage> {
    let mut pictures = Vec::new();
    gather(blocks, &mut pictures);
    let drawn = pictures.into_iter().take(MOST).map_while(|picture| album.picture(picture));
    (1..)
        .zip(drawn)
        .map(|(number, png)| InlineImage { id: format!("{name}.{number}"), png })
        .collect()
}

fn gather<'b>(blocks: &'b [Block], pictures: &mut Vec<&'b Picture>) {
    for block in blocks {
        match block {
            Block::Picture(picture) => pictures.push(picture),
            Block::Shortened(blocks, _) => gather(blocks, pictures),
            _ => {}
        }
    }
}
