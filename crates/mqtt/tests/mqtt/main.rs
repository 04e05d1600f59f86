//! The broker within and the links, against each other and against a proxy that cuts.

mod broker;
mod connection;
mod link;
mod mosquitto;
mod paho;
mod support;
mod websocket;
