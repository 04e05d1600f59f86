//! Ports that no other test takes: below those that the system hands out, in blocks by process.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicU32, Ordering};

/// Ports of one block: more than a gateway listens on.
const BLOCK: u32 = 64;
/// First port of the first block.
const FIRST: u32 = 10_000;
/// Blocks below the ports that the system gives to clients.
const BLOCKS: u32 = 340;

/// The first of a block of free ports.
pub fn free_block() -> u16 {
    static TAKEN: AtomicU32 = AtomicU32::new(0);
    for _ in 0..BLOCKS {
        // Tests run as processes of their own with neighbouring ids, hence the stride.
        let block = (std::process::id() * 7 + TAKEN.fetch_add(1, Ordering::Relaxed)) % BLOCKS;
        let base = FIRST + block * BLOCK;
        if (base..base + BLOCK).all(is_free) {
            return u16::try_from(base).expect("blocks end below 65536");
        }
    }
    panic!("no block of {BLOCK} free ports between {FIRST} and {}", FIRST + BLOCK * BLOCKS);
}

fn is_free(port: u32) -> bool {
    u16::try_from(port).is_ok_and(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok())
}
