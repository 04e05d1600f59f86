//! The files of `[tls]` one after the other, parted by lines of dashes: certificate, key, roots of clients, revocation lists.

/// Between two files.
const PARTED: &[u8] = b"\n---\n";

/// The first day of 2027, when the seeds hold.
const NOW_UNIX_S: u64 = 1_798_761_600;

pub(super) fn run(bytes: &[u8]) {
    let mut rest = bytes;
    let files = [(); 4].map(|()| {
        let end = rest.windows(PARTED.len()).position(|it| it == PARTED);
        let (file, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after.get(PARTED.len()..).unwrap_or_default();
        file
    });
    latimer_listen::fuzzing::tls_files(files, NOW_UNIX_S);
}
