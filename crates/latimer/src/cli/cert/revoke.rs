//! `latimer cert --revoke`: the list of a lab's certificates that let nobody in any more.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use latimer_core::Clock;
use rcgen::{
    CertificateRevocationListParams, KeyIdMethod, RevocationReason, RevokedCertParams, SerialNumber,
};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer, UnixTime};
use webpki::{
    ALL_VERIFICATION_ALGS, BorrowedCertRevocationList, BorrowedRevokedCert, CertRevocationList,
    EndEntityCert, Error, ExtendedKeyUsageValidator, KeyPurposeIdIter, RevocationReason as Reason,
    anchor_from_trusted_cert,
};

use super::{DAYS, ROOT_FILE, known_root, paths, unread, unwritten};
use crate::exit::{Ended, Failure};

/// The list, beside the root.
const LIST_FILE: &str = "ca.crl";

/// The same while it is written, so that it is never half there.
const NEW_FILE: &str = "ca.crl.new";

/// How long a list holds: as long as the certificates that are made now.
const HOLDS: Duration = Duration::from_secs(DAYS.unsigned_abs() * 24 * 60 * 60);

/// Adds certificates to the list of a folder's root.
pub(super) fn revoke(folder: &Path, revoked: &[PathBuf]) -> Ended {
    let (root_path, key_path) = paths(folder, ROOT_FILE);
    if !key_path.exists() {
        return Err(Failure::usage(format!(
            "{} is not there; revoke certificates where they were made, with the folder of their root for --out",
            key_path.display()
        )));
    }
    let issuer = known_root(folder)?;
    let root = CertificateDer::from_pem_file(&root_path).map_err(|error| unread(&root_path, error))?;
    let now =
        UnixTime::since_unix_epoch(Duration::from_nanos(Clock::system().now().as_nanos().unsigned_abs()));

    let path = folder.join(LIST_FILE);
    // Before the list is read, so that two programs at once do not lose what the other adds.
    let new = NewFile::create(folder.join(NEW_FILE))?;
    let mut entries = former(&path, &root)?;
    for certificate in revoked {
        let serial_number = serial(certificate, &root, now)?;
        if !entries.iter().any(|it| digits(&it.serial_number) == digits(&serial_number)) {
            entries.push(RevokedCertParams {
                serial_number,
                revocation_time: moment(now).into(),
                reason_code: None,
                invalidity_date: None,
            });
        }
    }
    let count = entries.len();
    let ends = UnixTime::since_unix_epoch(Duration::from_secs(now.as_secs()) + HOLDS);
    let list = CertificateRevocationListParams {
        this_update: moment(now).into(),
        next_update: moment(ends).into(),
        // Greater than that of the list before.
        crl_number: SerialNumber::from(now.as_secs()),
        issuing_distribution_point: None,
        revoked_certs: entries,
        key_identifier_method: KeyIdMethod::Sha256,
    };
    let list = list.signed_by(&issuer).and_then(|list| list.pem());
    let list = list.map_err(|error| Failure::usage(format!("no list of that can be made: {error}")))?;
    new.becomes(&path, &list)?;

    let ends = jiff::Timestamp::from_second(ends.as_secs().cast_signed()).unwrap_or_default();
    let certificates = if count == 1 { "certificate" } else { "certificates" };
    Ok(writeln!(
        std::io::stdout().lock(),
        "# {count} {certificates} revoked. A gateway that has the list reads it again within seconds and disconnects their clients. It holds until\n\
         # {}; before then write it anew: latimer cert --revoke\n[tls]\nclient_crl = {:?}",
        ends.strftime("%Y-%m-%d"),
        path.display().to_string(),
    )?)
}

/// What the list has so far: nothing if it is not there.
fn former(path: &Path, root: &CertificateDer<'_>) -> Result<Vec<RevokedCertParams>, Failure> {
    let wrong = |problem: &str| {
        let path = path.display();
        Failure::usage(format!(
            "{path}: {problem}; put back what `latimer cert --revoke` wrote there, or move it away to begin anew"
        ))
    };
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unread(path, error)),
    };
    let lists: Result<Vec<_>, _> = CertificateRevocationListDer::pem_slice_iter(&bytes).collect();
    let lists = lists.map_err(|error| wrong(&error.to_string()))?;
    let [list] = lists.as_slice() else {
        return Err(wrong(&format!("it has {} revocation lists and not one", lists.len())));
    };
    let read = || {
        let list = BorrowedCertRevocationList::from_der(list)?;
        let entries = list.into_iter().map(|entry| entry.map(|it| kept(&it))).collect::<Result<_, _>>()?;
        let is_own = CertRevocationList::from(list).issuer() == EndEntityCert::try_from(root)?.subject();
        Ok::<_, Error>(is_own.then_some(entries))
    };
    match read() {
        Ok(Some(entries)) => Ok(entries),
        Ok(None) => Err(wrong("it is a list of another authority")),
        Err(error) => Err(wrong(&error.to_string())),
    }
}

/// An entry as it was.
fn kept(entry: &BorrowedRevokedCert<'_>) -> RevokedCertParams {
    let BorrowedRevokedCert { serial_number, revocation_date, reason_code, invalidity_date } = entry;
    let reason = |reason: Reason| match reason {
        Reason::Unspecified => RevocationReason::Unspecified,
        Reason::KeyCompromise => RevocationReason::KeyCompromise,
        Reason::CaCompromise => RevocationReason::CaCompromise,
        Reason::AffiliationChanged => RevocationReason::AffiliationChanged,
        Reason::Superseded => RevocationReason::Superseded,
        Reason::CessationOfOperation => RevocationReason::CessationOfOperation,
        Reason::CertificateHold => RevocationReason::CertificateHold,
        Reason::RemoveFromCrl => RevocationReason::RemoveFromCrl,
        Reason::PrivilegeWithdrawn => RevocationReason::PrivilegeWithdrawn,
        Reason::AaCompromise => RevocationReason::AaCompromise,
    };
    RevokedCertParams {
        serial_number: SerialNumber::from_slice(serial_number),
        revocation_time: moment(*revocation_date).into(),
        reason_code: reason_code.map(reason),
        invalidity_date: invalidity_date.map(|it| moment(it).into()),
    }
}

/// The serial number of a certificate by this root.
fn serial(path: &Path, root: &CertificateDer<'_>, now: UnixTime) -> Result<SerialNumber, Failure> {
    let wrong = |problem: &str| Failure::usage(format!("{}: {problem}; nothing is revoked", path.display()));
    let der = CertificateDer::from_pem_file(path).map_err(|error| wrong(&error.to_string()))?;
    let certificate = EndEntityCert::try_from(&der).map_err(|error| wrong(&error.to_string()))?;
    let anchors = [anchor_from_trusted_cert(root).map_err(|error| wrong(&format!("its root: {error}")))?];
    match certificate.verify_for_usage(ALL_VERIFICATION_ALGS, &anchors, &[], now, AnyUsage, None, None) {
        Ok(_) => Ok(SerialNumber::from_slice(certificate.serial())),
        Err(Error::CertExpired { .. }) => Err(wrong("it has expired, so that it lets nobody in any more")),
        Err(Error::UnknownIssuer | Error::InvalidSignatureForPublicKey) => {
            Err(wrong("it is not by the root of this folder; name the folder of its root by --out"))
        }
        Err(error) => Err(wrong(&error.to_string())),
    }
}

/// A certificate can be revoked whatever it is for.
struct AnyUsage;

impl ExtendedKeyUsageValidator for AnyUsage {
    fn validate(&self, _: KeyPurposeIdIter<'_, '_>) -> Result<(), Error> {
        Ok(())
    }
}

/// A serial number without the zeros that DER has before some.
fn digits(serial: &SerialNumber) -> Vec<u8> {
    serial.to_bytes().into_iter().skip_while(|it| *it == 0).collect()
}

/// For `rcgen`, which takes that of the system.
fn moment(time: UnixTime) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(time.as_secs())
}

/// The next list, which no two programs write at once. It is removed if nothing comes of it.
struct NewFile {
    path: PathBuf,
    file: File,
    has_moved: bool,
}

impl NewFile {
    fn create(path: PathBuf) -> Result<Self, Failure> {
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => Ok(Self { path, file, has_moved: false }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(Failure::usage(format!(
                "{} is there: another `latimer cert --revoke` writes the list, or was ended while it did; remove it if none runs",
                path.display()
            ))),
            Err(error) => Err(unwritten(&path, &error)),
        }
    }

    /// Takes the place of a list, whole.
    fn becomes(mut self, list: &Path, text: &str) -> Result<(), Failure> {
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_all());
        written.and_then(|()| std::fs::rename(&self.path, list)).map_err(|error| unwritten(list, &error))?;
        self.has_moved = true;
        Ok(())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.has_moved {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::cli::cert::{CertArgs, cert};
    use crate::config::tls::TlsSettings;

    fn make(folder: &Path, name: &str) -> PathBuf {
        let args =
            CertArgs { names: vec![name.to_owned()], client: true, revoke: None, out: folder.to_owned() };
        cert(&args).unwrap();
        folder.join(format!("{name}.pem"))
    }

    fn revoke(folder: &Path, certificates: &[&PathBuf]) -> Result<(), String> {
        let revoke = Some(certificates.iter().map(|&it| it.clone()).collect());
        let args = CertArgs { names: Vec::new(), client: false, revoke, out: folder.to_owned() };
        cert(&args).map_err(|failure| failure.to_string())
    }

    /// When each certificate was revoked, by its serial number.
    fn revoked(folder: &Path) -> Vec<(Vec<u8>, u64)> {
        let list = CertificateRevocationListDer::from_pem_file(folder.join(LIST_FILE)).unwrap();
        let list = BorrowedCertRevocationList::from_der(&list).unwrap();
        let entry = |entry: Result<BorrowedRevokedCert<'_>, Error>| {
            let entry = entry.unwrap();
            (entry.serial_number.to_vec(), entry.revocation_date.as_secs())
        };
        list.into_iter().map(entry).collect()
    }

    fn serial_of(certificate: &Path) -> Vec<u8> {
        let der = CertificateDer::from_pem_file(certificate).unwrap();
        EndEntityCert::try_from(&der).unwrap().serial().to_vec()
    }

    #[test]
    fn each_revocation_is_added_to_those_before() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let [anna, bob] = ["anna", "bob"].map(|name| make(folder, name));
        revoke(folder, &[]).unwrap();
        assert_eq!(revoked(folder), []);
        revoke(folder, &[&anna]).unwrap();
        let of_anna = revoked(folder);
        assert_eq!(of_anna.iter().map(|it| it.0.clone()).collect::<Vec<_>>(), [serial_of(&anna)]);
        revoke(folder, &[&bob, &anna, &bob]).unwrap();
        let of_both = revoked(folder);
        assert_eq!(of_both[0], of_anna[0], "it is as it was");
        assert_eq!((of_both.len(), &of_both[1].0), (2, &serial_of(&bob)));
        revoke(folder, &[]).unwrap();
        assert_eq!(revoked(folder), of_both);
        assert!(!folder.join(NEW_FILE).exists());

        // A gateway takes it.
        make(folder, "gateway");
        let file = |name: &str| Some(folder.join(name));
        let settings = TlsSettings {
            certificate: file("gateway.pem"),
            key: file("gateway.key"),
            client_ca: file("ca.pem"),
            client_crl: file(LIST_FILE),
            ..TlsSettings::default()
        };
        settings.validate().unwrap();
        assert!(settings.load().unwrap().is_some());
        let error = TlsSettings { client_ca: None, ..settings }.validate().unwrap_err().to_string();
        assert!(error.contains("client_crl"), "{error}");
    }

    #[test]
    fn what_an_entry_says_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let anna = make(folder, "anna");
        let entry = RevokedCertParams {
            serial_number: SerialNumber::from_slice(&[0xff, 0, 1]),
            revocation_time: (SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_001)).into(),
            reason_code: Some(RevocationReason::KeyCompromise),
            invalidity_date: Some((SystemTime::UNIX_EPOCH + Duration::from_secs(1_600_000_002)).into()),
        };
        let list = CertificateRevocationListParams {
            this_update: SystemTime::UNIX_EPOCH.into(),
            next_update: (SystemTime::UNIX_EPOCH + HOLDS).into(),
            crl_number: SerialNumber::from(1_u64),
            issuing_distribution_point: None,
            revoked_certs: vec![entry.clone()],
            key_identifier_method: KeyIdMethod::Sha256,
        };
        let issuer = known_root(folder).unwrap_or_else(|_| panic!("it has a root"));
        fs::write(folder.join(LIST_FILE), list.signed_by(&issuer).unwrap().pem().unwrap()).unwrap();
        revoke(folder, &[&anna]).unwrap();
        let root = CertificateDer::from_pem_file(folder.join("ca.pem")).unwrap();
        let kept = former(&folder.join(LIST_FILE), &root).unwrap();
        assert_eq!(kept.len(), 2);
        assert_eq!(digits(&kept[0].serial_number), digits(&entry.serial_number));
        assert_eq!(
            RevokedCertParams { serial_number: entry.serial_number.clone(), ..kept[0].clone() },
            entry
        );
    }

    #[test]
    fn what_cannot_be_revoked_changes_nothing() {
        let [folder, other] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let (folder, other) = (folder.path(), other.path());
        let nowhere = folder.join("nowhere");
        let error = revoke(&nowhere, &[]).unwrap_err();
        assert!(error.contains("--out") && !nowhere.exists(), "{error}");

        let (anna, foreign) = (make(folder, "anna"), make(other, "anna"));
        let list = folder.join(LIST_FILE);
        revoke(folder, &[&anna]).unwrap();
        let before = fs::read(&list).unwrap();
        let (key, missing) = (folder.join("anna.key"), folder.join("nobody.pem"));
        for (wrong, words) in [(&foreign, "not by the root"), (&key, "anna.key"), (&missing, "nobody.pem")] {
            let error = revoke(folder, &[&anna, wrong]).unwrap_err();
            assert!(error.contains(words) && error.contains("nothing is revoked"), "{error}");
            assert_eq!(fs::read(&list).unwrap(), before);
        }
        fs::write(folder.join(NEW_FILE), "").unwrap();
        assert!(revoke(folder, &[&anna]).unwrap_err().contains(NEW_FILE));
        fs::remove_file(folder.join(NEW_FILE)).unwrap();
        // What it listed would be forgotten.
        revoke(other, &[&foreign]).unwrap();
        let half = before[..before.len() / 2].to_vec();
        for damaged in [Vec::new(), half, fs::read(&anna).unwrap(), [before.clone(), before].concat()] {
            fs::write(&list, &damaged).unwrap();
            let error = revoke(folder, &[&anna]).unwrap_err();
            assert!(error.contains("ca.crl") && error.contains("move it away"), "{error}");
            assert_eq!(fs::read(&list).unwrap(), damaged);
        }
    }
}
