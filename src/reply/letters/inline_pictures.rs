//! The boards of a letter as PNG pictures inside its mail.

use crate::mail::InlineImage;
use crate::model::user::preference::{PICTURE, Preferences};
use crate::reply::draw::drawing::PaintCache;
use crate::reply::draw::{DrawOptions, Drawing, Link, Marks, Orientation, draw, png};
use crate::reply::letters::{Block, Picture};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// The format of the boards on a mail's page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PictureFormat {
    /// Pictures inside the mail.
    Png,
    /// Tables.
    #[default]
    Table,
    /// Nothing: the plain text has the boards.
    Off,
}

impl PictureFormat {
    /// Returns the format that a user has chosen.
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

    /// Returns whether the format is the default, which letters leave out.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires this signature")]
    pub(crate) fn is_table(&self) -> bool {
        *self == Self::Table
    }
}

/// The most pictures in a mail; further boards are tables.
const MAX_PICTURES: usize = 4;

/// The most drawings in a cache.
const MAX_CACHED: usize = 256;

/// PNGs by what they show: both players and all observers see the same board.
#[derive(Debug, Default)]
pub struct PictureCache {
    pngs: RefCell<HashMap<Picture, Option<Arc<[u8]>>>>,
    painted: RefCell<PaintCache>,
}

impl PictureCache {
    /// Returns a board as a PNG, drawn at most once; nothing where it cannot be drawn.
    fn png(&self, picture: &Picture) -> Option<Arc<[u8]>> {
        if let Some(known) = self.pngs.borrow().get(picture) {
            return known.clone();
        }
        let drawn = png::png(&drawing(picture), &mut self.painted.borrow_mut()).map(Arc::from);
        let mut cache = self.pngs.borrow_mut();
        if cache.len() >= MAX_CACHED {
            cache.clear();
        }
        cache.insert(picture.clone(), drawn.clone());
        drawn
    }
}

/// Draws a board for a mail.
fn drawing(picture: &Picture) -> Drawing {
    let Picture { diagram, names, highlights } = picture;
    let names = names.as_ref().map_or(["", ""], |[one, other]| [one, other]);
    let can = highlights.movable.iter().map(|spot| (*spot, Link::default())).collect();
    let marks = Marks { last: highlights.last.clone(), can, ..Marks::default() };
    draw(
        diagram,
        &DrawOptions {
            names,
            beside: [""; 2],
            turn: highlights.turn,
            marks: &marks,
            ink: png::INK,
            orientation: Orientation::upright(diagram),
        },
    )
}

/// Draws the pictures of a letter, in the order of its page. `name` is the letter's, so that ids are the
/// same whenever it is printed.
pub(crate) fn draw_all(blocks: &[Block], name: &str, cache: &PictureCache) -> Vec<InlineImage> {
    let mut pictures = Vec::new();
    collect_pictures(blocks, &mut pictures);
    let drawn = pictures.into_iter().take(MAX_PICTURES).map_while(|picture| cache.png(picture));
    (1..)
        .zip(drawn)
        .map(|(number, png)| InlineImage { id: format!("{name}.{number}"), png })
        .collect()
}

fn collect_pictures<'b>(blocks: &'b [Block], pictures: &mut Vec<&'b Picture>) {
    for block in blocks {
        match block {
            Block::Picture(picture) => pictures.push(picture),
            Block::Shortened(blocks, _) => collect_pictures(blocks, pictures),
            Block::Routed(routed) => collect_pictures(&routed.blocks, pictures),
            _ => {}
        }
    }
}
