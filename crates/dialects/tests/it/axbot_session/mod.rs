//! The gateway as a client of a chassis, against a chassis that says and answers what each test tells it to.

mod chassis;
mod driving;
mod gateway;
mod link;
mod loopback;
mod maps;
mod requests;
mod topics;
