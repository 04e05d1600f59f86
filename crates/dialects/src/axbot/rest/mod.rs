//! The requests beside the topics, as they are on the wire: addresses, bodies, answers. Pure, no robot here.
//!
//! | file | holds |
//! |---|---|
//! | `place` | what an address means |
//! | `fields` | the object that is a request's body |
//! | `multipart` | the same as a form |
//! | `moves`, `move_object`, `fail_reason` | drives: what is asked, their form, why they were given up |
//! | `map_request`, `map_object`, `mapping_object` | maps and what makes them |
//! | `params` | what its owner sets |
//! | `service` | what can be done to a robot at once |
//! | `caps` | what a robot says that it can do |
//! | `problem` | answers that are no success |

pub mod caps;
pub mod fail_reason;
pub mod fields;
pub mod map_object;
pub mod map_request;
pub mod mapping_object;
pub mod move_object;
pub mod moves;
pub mod multipart;
pub mod params;
pub mod place;
pub mod problem;
pub mod service;
