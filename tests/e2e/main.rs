//! The whole program from outside, as a process of its own.
//!
//! | module | who talks to it |
//! |---|---|
//! | `chassis` | programs for an AutoXing chassis, another Latimer, viewers of its camera |
//! | `swarm` | robots and screens of a Pera swarm, other brokers, other gateways |
//! | `dead_man` | programs, links and gateways that fail while robots drive |
//! | `household` | a dialogue system and its robots |
//! | `miro` | programs for a MiRo, tools and masters of Debian's ROS 1 |
//! | `miro_clients` | programs for a Misty and for a chassis, pointed at a MiRo, also over ROS |
//! | `misty_clients` | Misty-SDK and misty2py from PyPI, unmodified |
//! | `second_gateway` | another Latimer, as a client of the first |
//! | `links` | robots and brokers that go away and come back |
//! | `hostile` | clients that die, stall, lie and flood |
//! | `tls`, `tls_client` | programs that come by TLS; servers that the gateway and the command line call by it |
//! | `doors` | web pages of others at every HTTP port, in every dialect |
//! | `memory` | clients that fill what they can: maps, pictures, messages, sessions |
//! | `write_buffers` | clients and robots that ping and never read |
//! | `strangers` | web pages of others, and whoever pastes a line |
//! | `rounds` | robots of all six dialects that fail, lie, are slow and go on by themselves: those of `fakes` |
//! | `safety` | programs that are killed while a robot drives, and who presses an emergency stop |
//! | `stops` | whoever stops a robot, and robots that take their time |
//! | `page` | people: the page in a browser |
//! | `program` | people: the command line, its configs, the end by Ctrl-C |

mod access;
mod cells;
mod cells_commands;
mod cells_messages;
mod chassis;
mod dead_man;
mod doors;
mod fakes;
mod frames;
mod hostile;
mod household;
mod links;
mod memory;
mod miro;
mod miro_clients;
mod misty_clients;
mod page;
mod program;
mod python;
mod reload;
mod rosbridge;
mod roscpp;
mod rounds;
mod safety;
mod second_gateway;
mod stops;
mod strangers;
mod swarm;
mod tls;
mod tls_client;
mod vendor_client;
mod watcher;
mod write_buffers;
