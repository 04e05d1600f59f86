//! The targets, a file each.

mod access_credential;
mod access_token;
mod access_users;
mod api_command;
mod api_select;
mod axbot_form;
mod axbot_message;
mod axbot_overlays;
mod axbot_pbstream;
mod axbot_picture;
mod axbot_request;
mod axbot_rest;
mod config;
mod example_frame;
mod misty_frame;
mod misty_lenient;
mod misty_message;
mod misty_rest;
mod misty_subscribe;
mod mqtt_packet;
mod pera_arena;
mod pera_message;
mod pera_request;
mod picture;
mod reload;
mod robot_events;
mod robotkoop_message;
mod ros1_definition;
mod ros1_handshake;
mod ros1_header;
mod ros1_master;
mod ros1_message;
mod ros1_slave;
mod ros1_xmlrpc;
mod rosbridge_frame;
mod rosbridge_message;
mod rosbridge_published;
mod scenario;
mod tls_files;
mod world;

use super::Target;

/// Every target.
pub static TARGETS: &[Target] = &[
    Target::text("access_credential", access_credential::run),
    Target::text("access_token", access_token::run),
    Target::text("access_users", access_users::run),
    Target::bytes("api_command", api_command::run),
    Target::text("api_select", api_select::run),
    Target::bytes("axbot_form", axbot_form::run),
    Target::text("axbot_message", axbot_message::run),
    Target::text("axbot_overlays", axbot_overlays::run),
    Target::bytes("axbot_pbstream", axbot_pbstream::run),
    Target::bytes("axbot_picture", axbot_picture::run),
    Target::text("axbot_request", axbot_request::run),
    Target::text("axbot_rest", axbot_rest::run),
    Target::text("config", config::run),
    Target::text("example_frame", example_frame::run),
    Target::text("misty_frame", misty_frame::run),
    Target::text("misty_lenient", misty_lenient::run),
    Target::text("misty_message", misty_message::run),
    Target::text("misty_rest", misty_rest::run),
    Target::text("misty_subscribe", misty_subscribe::run),
    Target::bytes("mqtt_packet", mqtt_packet::run),
    Target::text("pera_arena", pera_arena::run),
    Target::text("pera_message", pera_message::run),
    Target::bytes("pera_request", pera_request::run),
    Target::bytes("picture", picture::run),
    Target::text("reload", reload::run),
    Target::bytes("robot_events", robot_events::run),
    Target::bytes("robotkoop_message", robotkoop_message::run),
    Target::text("ros1_definition", ros1_definition::run),
    Target::bytes("ros1_handshake", ros1_handshake::run),
    Target::bytes("ros1_header", ros1_header::run),
    Target::text("ros1_master", ros1_master::run),
    Target::bytes("ros1_message", ros1_message::run),
    Target::text("ros1_slave", ros1_slave::run),
    Target::bytes("ros1_xmlrpc", ros1_xmlrpc::run),
    Target::text("rosbridge_frame", rosbridge_frame::run),
    Target::text("rosbridge_message", rosbridge_message::run),
    Target::text("rosbridge_published", rosbridge_published::run),
    Target::text("scenario", scenario::run),
    Target::bytes("tls_files", tls_files::run),
    Target::text("world", world::run),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_seeds_and_every_seed_a_target() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/seeds");
        let seeds = std::fs::read_dir(folder).expect("the folder of seeds");
        let mut seeds: Vec<_> = seeds.map(|it| it.expect("an entry").file_name()).collect();
        seeds.sort();
        assert_eq!(seeds, TARGETS.iter().map(|target| target.name).collect::<Vec<_>>());
    }
}
