//! Ports that no other test takes, in whatever process: below those that the system hands out, in blocks that are locked
//! until the process ends.

use std::fs::File;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Mutex;

/// Ports of one block: more than a gateway listens on.
const BLOCK: u32 = 64;
/// First port of the first block.
const FIRST: u32 = 10_000;
/// Blocks below the ports that the system gives to clients, and below those of the page's tests.
const BLOCKS: u32 = 340;

/// Locks of the blocks that this process has taken.
static TAKEN: Mutex<Vec<File>> = Mutex::new(Vec::new());

/// The first of a block of free ports.
pub fn free_block() -> u16 {
    // Tests begin at different blocks, so that few are tried.
    let begin = std::process::id() * 7;
    for block in (0..BLOCKS).map(|tried| (begin + tried) % BLOCKS) {
        let base = FIRST + block * BLOCK;
        if let Some(lock) = lock(base)
            && (base..base + BLOCK).all(is_free)
        {
            TAKEN.lock().expect("nothing panics while it is held").push(lock);
            return u16::try_from(base).expect("blocks end below 65536");
        }
    }
    panic!("no block of {BLOCK} free ports between {FIRST} and {}", FIRST + BLOCK * BLOCKS);
}

/// The lock of a block, unless somebody has it.
fn lock(base: u32) -> Option<File> {
    let file = std::env::temp_dir().join(format!("latimer-ports-{base}.lock"));
    let file = File::options().create(true).append(true).open(file).ok()?;
    file.try_lock().ok().map(|()| file)
}

fn is_free(port: u32) -> bool {
    u16::try_from(port).is_ok_and(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok())
}
