//! The API over real sockets, with robots that the tests play.

mod commands;
mod documents;
mod frames;
mod grants;
mod journal;
mod kinds;
mod metrics;
mod pace;
mod page;
mod ready;
mod robots;
mod stream;
mod support;
mod world;
