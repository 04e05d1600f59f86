//! Time-outs and limits of this crate; `latimer limits` lists them.

use std::time::Duration;

latimer_limits::limits! {
    /// Attempts that may fail before the next one waits: people mistype.
    pub(crate) const FREE_ATTEMPTS_PER_NAME: u32 = 3;
    /// The same for all names of an address.
    pub(crate) const FREE_ATTEMPTS_PER_ADDRESS: u32 = 30;
    /// Longest wait after attempts that failed.
    pub(crate) const ATTEMPT_MAX_WAIT: Duration = Duration::from_secs(60);
    /// After so long without another one, attempts that failed are forgotten.
    pub(crate) const ATTEMPTS_FORGOTTEN_AFTER: Duration = Duration::from_secs(15 * 60);
    /// Addresses and names whose attempts are counted; of more, those that failed first are forgotten.
    pub(crate) const MAX_COUNTED_ATTEMPTS: usize = 4_096;
    /// Biggest users' file that is read.
    pub(crate) const USERS_FILE_MAX_BYTES: u64 = 16 << 20;
    /// How long a credential that was proven is taken without another proof.
    pub(crate) const CREDENTIAL_CACHE_TIME: Duration = Duration::from_secs(10 * 60);
    /// Between two looks at the users' file.
    pub(crate) const USERS_FILE_LOOK_INTERVAL: Duration = Duration::from_secs(2);
    /// Passwords that are checked at a time; each takes 19 MiB and a core.
    pub(crate) const CONCURRENT_PASSWORD_CHECKS: usize = 2;
    /// Proven credentials and logins that are kept; of more, those that end first are forgotten.
    pub(crate) const MAX_CACHED_CREDENTIALS: usize = 10_000;
    /// How long a login lasts.
    pub const LOGIN_TIME: Duration = Duration::from_secs(12 * 60 * 60);
}
