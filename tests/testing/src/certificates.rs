//! A lab's certificates.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CertifiedIssuer, DnType, IsCa,
    KeyIdMethod, KeyPair, RevokedCertParams, SerialNumber, date_time_ymd,
};

/// The name of a root, unless it has one of its own.
pub const ROOT: &str = "Test root";

/// A root, and certificates by it in a folder of their own, gone when this is dropped.
#[derive(Debug)]
pub struct Lab {
    folder: PathBuf,
    root: CertifiedIssuer<'static, KeyPair>,
    serials: Mutex<HashMap<String, SerialNumber>>,
}

impl Lab {
    /// A root by the same name as those of other labs.
    pub fn new(name: &str) -> Self {
        Self::named(name, ROOT)
    }

    /// A root by a name, with the file `ca.pem`.
    ///
    /// # Panics
    /// If there is no room for it.
    pub fn named(name: &str, root: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("latimer-lab-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for certificates");
        let mut params = CertificateParams::new(Vec::new()).expect("no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, root);
        let root = CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key"));
        let root = root.expect("a root");
        std::fs::write(folder.join("ca.pem"), root.pem()).expect("it can be written");
        Self { folder, root, serials: Mutex::default() }
    }

    /// The path of a file.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A certificate for a name, and its key.
    pub fn certify(&self, name: &str) -> (PathBuf, PathBuf) {
        self.certify_as(name, |_| {})
    }

    /// The same after a change of what it says.
    ///
    /// # Panics
    /// If it cannot be made.
    pub fn certify_as(&self, name: &str, change: impl FnOnce(&mut CertificateParams)) -> (PathBuf, PathBuf) {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new(vec![name.to_owned()]).expect("a name");
        let mut serials = self.serials.lock().expect("no test panicked with it");
        // Its first bit is set, so that a zero is written before it.
        let serial = SerialNumber::from(vec![0xca, 0xfe, u8::try_from(serials.len()).expect("a few")]);
        serials.insert(name.to_owned(), serial.clone());
        params.serial_number = Some(serial);
        change(&mut params);
        let files = (self.file(&format!("{name}.pem")), self.file(&format!("{name}.key")));
        let certificate = params.signed_by(&key, &self.root).expect("a certificate");
        std::fs::write(&files.0, certificate.pem()).expect("it can be written");
        std::fs::write(&files.1, key.serialize_pem()).expect("it can be written");
        files
    }

    /// A list, in the file `crl.pem`, that revokes those of these names.
    pub fn revoke(&self, names: &[&str]) -> PathBuf {
        self.revoke_as(names, |_| {})
    }

    /// The same after a change of what it says.
    ///
    /// # Panics
    /// If there is no certificate of a name, or no room for the list.
    pub fn revoke_as(
        &self,
        names: &[&str],
        change: impl FnOnce(&mut CertificateRevocationListParams),
    ) -> PathBuf {
        let serials = self.serials.lock().expect("no test panicked with it");
        let entry = |name: &&str| RevokedCertParams {
            serial_number: serials[*name].clone(),
            revocation_time: date_time_ymd(2020, 1, 1),
            reason_code: None,
            invalidity_date: None,
        };
        let mut params = CertificateRevocationListParams {
            this_update: date_time_ymd(2020, 1, 1),
            next_update: date_time_ymd(2100, 1, 1),
            crl_number: SerialNumber::from(1_u64),
            issuing_distribution_point: None,
            revoked_certs: names.iter().map(entry).collect(),
            key_identifier_method: KeyIdMethod::Sha256,
        };
        change(&mut params);
        let list = params.signed_by(&self.root).expect("a list").pem().expect("in PEM");
        let path = self.file("crl.pem");
        std::fs::write(&path, list).expect("it can be written");
        path
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
