//! The documents of a home as values, with their events: boards and clocks, users and their index, open
//! challenges, tournaments and ladders, counts and rate limits, reports and sanctions, ratings, dice, and the
//! tokens in addresses and cookies. [`world`] holds the documents that a command works on.

pub mod announcement;
pub mod board;
pub mod board_count;
pub mod caches;
pub mod chat_log;
pub mod clock;
pub mod correspondent;
pub mod dice;
pub mod directory;
pub mod document;
pub mod export;
pub mod finished_boards;
pub mod game_groups;
pub mod ladder;
pub mod moderation;
pub mod new_board;
pub mod note;
pub mod one_time_code;
pub mod opening;
pub mod program;
pub mod rate_limit;
pub mod rating;
pub mod recent_players;
pub mod seeks;
pub mod service;
pub mod token;
pub mod topic;
pub mod tournament;
pub mod user;
pub mod user_index;
pub mod welcomers;
pub mod world;
