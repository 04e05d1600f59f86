//! Certificates as `latimer cert` makes them.

use std::path::PathBuf;

use tokio::process::Command;

use crate::program;

/// A folder of certificates, gone when this is dropped.
#[derive(Debug)]
pub struct Folder(pub PathBuf);

impl Folder {
    /// A root, a certificate for this machine by the name `gateway.test`, and a client's.
    pub async fn with_certificates(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("latimer-tls-{}-{name}", std::process::id()));
        let folder = Self(folder);
        folder.cert(&["gateway.test"]).await;
        folder.cert(&["--client", "anna"]).await;
        folder
    }

    /// `latimer cert` with these arguments.
    pub async fn cert(&self, arguments: &[&str]) -> String {
        let out = self.0.display().to_string();
        let made =
            Command::new(program::latimer()).args(["cert", "--out", &out]).args(arguments).output().await;
        let made = made.expect("the program starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        String::from_utf8_lossy(&made.stdout).into_owned()
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
