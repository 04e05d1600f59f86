//! `latimer cert`: certificates for a lab, by a root of its own, and the list of those that are revoked.

mod revoke;

use std::io::Write;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use clap::Args;
use latimer_core::Clock;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};

use crate::exit::{Ended, Failure};

/// The root's name: the same each time, so that it is found again by its key alone.
const ROOT: &str = "Latimer lab root";

/// The root's files.
const ROOT_FILE: &str = "ca";

/// How long certificates are valid, in days: longer ones are refused by some browsers.
const DAYS: i64 = 825;
const ROOT_DAYS: i64 = 3650;

/// By these names programs of this machine call it.
const OWN_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// `latimer cert`.
#[derive(Debug, Args)]
pub struct CertArgs {
    /// Names and addresses by which other machines call the gateway; with --client the name of a client
    #[arg(value_name = "NAME", required_unless_present = "revoke")]
    names: Vec<String>,
    /// Make a client's certificate
    #[arg(long)]
    client: bool,
    /// Write the list of revoked certificates, ca.crl, with these and all that it has; without any it only holds longer
    #[arg(long, value_name = "CERT.pem", num_args = 0.., conflicts_with_all = ["names", "client"])]
    revoke: Option<Vec<PathBuf>>,
    /// The folder of the certificates and of their root
    #[arg(long, value_name = "FOLDER", default_value = "certificates")]
    out: PathBuf,
}

pub(super) fn cert(args: &CertArgs) -> Ended {
    let CertArgs { names, client, revoke, out } = args;
    if let Some(certificates) = revoke {
        return revoke::revoke(out, certificates);
    }
    let Some(name) = names.first() else { return Ok(()) };
    if let Some(name) = names.iter().find(|name| !*client && !is_host(name)) {
        return Err(Failure::usage(format!("{name:?} is neither a host's name nor an address")));
    }
    let file = file_name(name);
    if file == ROOT_FILE {
        return Err(Failure::usage(format!("{ROOT_FILE} is the root's own name; choose another one")));
    }
    std::fs::create_dir_all(out).map_err(|error| unwritten(out, &error))?;
    let (issuer, is_new) = root(out)?;

    let mut params = if *client {
        CertificateParams::default()
    } else {
        let own = OWN_NAMES.iter().map(|it| (*it).to_owned());
        CertificateParams::new(names.iter().cloned().chain(own).collect::<Vec<_>>()).map_err(failed)?
    };
    params.distinguished_name.push(DnType::CommonName, name);
    let usage =
        if *client { ExtendedKeyUsagePurpose::ClientAuth } else { ExtendedKeyUsagePurpose::ServerAuth };
    params.extended_key_usages = vec![usage];
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.use_authority_key_identifier_extension = true;
    valid(&mut params, DAYS);
    let key = KeyPair::generate().map_err(failed)?;
    let certificate = params.signed_by(&key, &issuer).map_err(failed)?;
    let (certificate_path, key_path) = paths(out, &file);
    write(&certificate_path, &certificate.pem(), Secret::No)?;
    write(&key_path, &key.serialize_pem(), Secret::Yes)?;

    let mut stdout = std::io::stdout().lock();
    let (root_path, _) = paths(out, ROOT_FILE);
    if is_new {
        writeln!(
            stdout,
            "{} is the root: machines that call the gateway need it, and nothing else of this folder",
            root_path.display()
        )?;
    }
    if *client {
        return Ok(writeln!(
            stdout,
            "# for {name} at the command line\n--ca {root} --certificate {certificate} --key {key}\n\
             # for {name} as a gateway that connects to others\n[tls]\nroots = {root:?}\nclient_certificate = {certificate:?}\nclient_key = {key:?}",
            root = root_path.display().to_string(),
            certificate = certificate_path.display().to_string(),
            key = key_path.display().to_string(),
        )?);
    }
    Ok(writeln!(
        stdout,
        "[tls]\ncertificate = {:?}\nkey = {:?}\n# Clients on other machines need a certificate: latimer cert --client NAME\nclient_ca = {:?}",
        certificate_path.display().to_string(),
        key_path.display().to_string(),
        root_path.display().to_string(),
    )?)
}

/// Why there is no root.
enum RootError {
    Made(rcgen::Error),
    Failure(Failure),
}

impl From<rcgen::Error> for RootError {
    fn from(error: rcgen::Error) -> Self {
        Self::Made(error)
    }
}

impl From<RootError> for Failure {
    fn from(error: RootError) -> Self {
        match error {
            RootError::Made(error) => failed(error),
            RootError::Failure(failure) => failure,
        }
    }
}

fn failed(error: rcgen::Error) -> Failure {
    Failure::usage(format!("no certificate of that can be made: {error}"))
}

/// The root of a folder, and whether it was made just now.
fn root(folder: &Path) -> Result<(Issuer<'static, KeyPair>, bool), RootError> {
    let (certificate_path, key_path) = paths(folder, ROOT_FILE);
    if key_path.exists() {
        return Ok((known_root(folder)?, false));
    }
    let params = root_params();
    let key = KeyPair::generate()?;
    let certificate = params.self_signed(&key)?;
    write(&certificate_path, &certificate.pem(), Secret::No).map_err(RootError::Failure)?;
    write(&key_path, &key.serialize_pem(), Secret::Yes).map_err(RootError::Failure)?;
    Ok((Issuer::new(params, key), true))
}

/// The root that a folder has.
fn known_root(folder: &Path) -> Result<Issuer<'static, KeyPair>, RootError> {
    let (_, path) = paths(folder, ROOT_FILE);
    let text = std::fs::read_to_string(&path);
    let text = text.map_err(|error| RootError::Failure(unread(&path, &error)))?;
    Ok(Issuer::new(root_params(), KeyPair::from_pem(&text)?))
}

fn root_params() -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, ROOT);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    valid(&mut params, ROOT_DAYS);
    params
}

/// From yesterday, since clocks of a lab differ.
fn valid(params: &mut CertificateParams, days: i64) {
    let now = jiff::Timestamp::from_second(Clock::system().now().as_nanos() / 1_000_000_000);
    let today = now.unwrap_or_default().to_zoned(jiff::tz::TimeZone::UTC).date();
    let day = |after: i64| {
        let date = today.saturating_add(jiff::Span::new().days(after));
        let part = |it: i8| u8::try_from(it).unwrap_or(1);
        date_time_ymd(i32::from(date.year()), part(date.month()), part(date.day()))
    };
    (params.not_before, params.not_after) = (day(-1), day(days));
}

fn paths(folder: &Path, name: &str) -> (PathBuf, PathBuf) {
    (folder.join(format!("{name}.pem")), folder.join(format!("{name}.key")))
}

/// Whether others can call a gateway so.
fn is_host(name: &str) -> bool {
    let fits = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '.' | '_' | '*');
    name.parse::<IpAddr>().is_ok() || (!name.is_empty() && name.chars().all(fits))
}

/// A name as a file can be called.
fn file_name(name: &str) -> String {
    let fits = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '.' | '_');
    name.chars().map(|it| if fits(it) { it } else { '_' }).collect()
}

/// Whether only the user may read a file.
#[derive(Clone, Copy, PartialEq)]
enum Secret {
    Yes,
    No,
}

fn write(path: &Path, text: &str, secret: Secret) -> Result<(), Failure> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    if secret == Secret::Yes {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let written = options.open(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| unwritten(path, &error))
}

fn unread(path: &Path, error: impl std::fmt::Display) -> Failure {
    Failure::usage(format!("cannot read {}: {error}", path.display()))
}

fn unwritten(path: &Path, error: &std::io::Error) -> Failure {
    Failure::usage(format!("cannot write {}: {error}", path.display()))
}
