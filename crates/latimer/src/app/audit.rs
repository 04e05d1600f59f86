//! The file of commands: each record of the hub is appended as a line of JSON when it does not change any more.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use latimer_core::hub::CommandRecord;
use latimer_core::{Clock, Hub, Timestamp};
use tokio::fs::{File, OpenOptions};
use tokio::io::AsyncWriteExt;
use tokio_util::sync::CancellationToken;

use super::AppError;
use crate::config::Fsync;
use crate::limits::{AUDIT_FILE_LOOK_INTERVAL, AUDIT_FILE_SYNC_INTERVAL};
use latimer_wire::v1;

/// The file, which is opened anew when its name is another one's, or nobody's: a program that rotates logs renames or removes it.
pub(super) struct AuditFile {
    path: PathBuf,
    file: File,
    fsync: Fsync,
    /// Since when something waits to be synced.
    unsynced: Option<Timestamp>,
}

impl AuditFile {
    /// Opens the file, before anything runs.
    pub(super) async fn open(path: PathBuf, fsync: Fsync) -> std::io::Result<Self> {
        let file = Self::opened(&path).await?;
        Ok(Self { path, file, fsync, unsynced: None })
    }

    async fn opened(path: &Path) -> std::io::Result<File> {
        OpenOptions::new().create(true).append(true).open(path).await
    }

    async fn write(&mut self, lines: &str, now: Timestamp) -> std::io::Result<()> {
        if !self.is_there().await {
            let file = Self::opened(&self.path).await?;
            // What the former one has is to be on the disk, too; the new one is used in any case.
            let synced = if self.fsync == Fsync::No { Ok(()) } else { self.sync().await };
            self.file = file;
            synced?;
        }
        self.unsynced.get_or_insert(now);
        self.file.write_all(lines.as_bytes()).await?;
        self.file.flush().await
    }

    /// Whether what was written is to be synced now.
    fn is_sync_due(&self, now: Timestamp) -> bool {
        self.unsynced.is_some_and(|since| match self.fsync {
            Fsync::Always => true,
            Fsync::Everysec => now.since(since) >= AUDIT_FILE_SYNC_INTERVAL,
            Fsync::No => false,
        })
    }

    /// Waits until what was written is on the disk. What fails is not tried again: the system has given it up by then.
    async fn sync(&mut self) -> std::io::Result<()> {
        match self.unsynced.take() {
            Some(_) => self.file.sync_data().await,
            None => Ok(()),
        }
    }

    /// Whether the file of this name is the one that is open.
    #[cfg(unix)]
    async fn is_there(&self) -> bool {
        use std::os::unix::fs::MetadataExt;
        let id = |it: std::fs::Metadata| (it.dev(), it.ino());
        let named = tokio::fs::metadata(&self.path).await.map(id);
        let open = self.file.metadata().await.map(id);
        named.ok().is_some_and(|named| open.is_ok_and(|open| open == named))
    }

    #[cfg(not(unix))]
    async fn is_there(&self) -> bool {
        tokio::fs::try_exists(&self.path).await.unwrap_or(false)
    }
}

/// Finds out whether [`AuditFile::open`] would succeed, and makes no file.
pub(crate) fn check(path: PathBuf) -> Result<(), AppError> {
    let opened = std::fs::OpenOptions::new().append(true).open(&path).map(drop);
    let checked = match opened {
        Err(error) if error.kind() == ErrorKind::NotFound => match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => Err(error),
            _ => Ok(()),
        },
        opened => opened,
    };
    checked.map_err(|source| AppError::Audit { path, source })
}

/// Writes until `shutdown`, and then what is left, which is synced in any case.
pub(super) async fn run(mut file: AuditFile, hub: Hub, clock: Clock, shutdown: CancellationToken) {
    let mut written = 0;
    let mut failed = false;
    loop {
        let ends = tokio::select! {
            () = clock.sleep(AUDIT_FILE_LOOK_INTERVAL) => false,
            () = shutdown.cancelled() => true,
        };
        let now = clock.now();
        let mut lines = String::new();
        let mut records = hub.commands_given_lately(usize::MAX, |record| record.number > written);
        records.reverse();
        if let Some(first) = records.first()
            && first.number > written + 1
        {
            let count = first.number - written - 1;
            tracing::error!(count, "commands came faster than the file takes them; the oldest are not in it");
        }
        for record in records.iter().take_while(|record| ends || record.is_closed(now)) {
            lines.push_str(&line(record));
            written = record.number;
        }
        let appended = if lines.is_empty() { Ok(()) } else { file.write(&lines, now).await };
        let synced = if ends || file.is_sync_due(now) { file.sync().await } else { Ok(()) };
        match appended.and(synced) {
            Ok(()) if lines.is_empty() => {}
            Ok(()) => failed = false,
            // Commands go on: a robot that cannot be stopped because a disk is full is worse than a hole in a file.
            Err(error) if !failed => {
                failed = true;
                tracing::error!(%error, "the file of commands cannot be written; commands go on without it");
            }
            Err(_) => {}
        }
        if ends {
            return;
        }
    }
}

fn line(record: &CommandRecord) -> String {
    let record = serde_json::to_string(&v1::CommandRecord::from(record)).unwrap_or_default();
    format!("{record}\n")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_file_that_was_renamed_or_removed_is_there_again() {
        let folder = tempfile::tempdir().unwrap();
        let (path, rotated) = (folder.path().join("audit.jsonl"), folder.path().join("audit.1"));
        let now = Timestamp::default();
        let mut file = AuditFile::open(path.clone(), Fsync::default()).await.unwrap();
        file.write("1\n", now).await.unwrap();
        std::fs::rename(&path, &rotated).unwrap();
        file.write("2\n", now).await.unwrap();
        std::fs::remove_file(&path).unwrap();
        file.write("3\n", now).await.unwrap();
        file.write("4\n", now).await.unwrap();
        let read = |path: &Path| std::fs::read_to_string(path).unwrap();
        assert_eq!((read(&rotated).as_str(), read(&path).as_str()), ("1\n", "3\n4\n"));
    }

    #[tokio::test]
    async fn what_is_written_is_synced_when_the_config_says() {
        let folder = tempfile::tempdir().unwrap();
        let after = |millis| Timestamp::default().after(Duration::from_millis(millis));
        for (fsync, due_after_ms) in
            [(Fsync::Always, Some(0)), (Fsync::Everysec, Some(1_000)), (Fsync::No, None)]
        {
            let mut file = AuditFile::open(folder.path().join("audit.jsonl"), fsync).await.unwrap();
            assert!(!file.is_sync_due(after(5_000)), "{fsync:?}: nothing was written");
            // The second one does not put the first one off.
            file.write("1\n", after(0)).await.unwrap();
            file.write("2\n", after(900)).await.unwrap();
            for millis in [0, 900, 999, 1_000, 60_000] {
                let due = due_after_ms.is_some_and(|due| millis >= due);
                assert_eq!(file.is_sync_due(after(millis)), due, "{fsync:?} after {millis} ms");
            }
            file.sync().await.unwrap();
            assert!(!file.is_sync_due(after(60_000)), "{fsync:?}: all is synced");
        }
    }
}
