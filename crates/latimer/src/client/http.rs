//! Requests to a gateway, and what their failures mean to a script.

use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

use axum::http::{HeaderValue, Method, Request, StatusCode};
use bytes::Bytes;
use latimer_listen::limits::{HTTP_CONNECT_TIMEOUT, HTTP_IDLE_TIME};
use latimer_listen::{Address, Http, HttpError, Login, Named, Trust, TrustFiles};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::api::CLIENT_HEADER;
use crate::exit::{Exit, Failure};
use crate::limits::{CLIENT_ANSWER_MAX_BYTES, CLIENT_ANSWER_SLACK};
use latimer_wire::v1::Problem;

/// The default gateway.
const DEFAULT_GATEWAY: &str = "127.0.0.1:8080";

/// The variable that names another one.
const VARIABLE: &str = "LATIMER_GATEWAY";

/// Those that name files for TLS.
const CA_VARIABLE: &str = "LATIMER_CA";
const CERTIFICATE_VARIABLE: &str = "LATIMER_CERTIFICATE";
const KEY_VARIABLE: &str = "LATIMER_KEY";

/// That of a token.
const TOKEN_VARIABLE: &str = "LATIMER_TOKEN";

/// Longest text of a stranger that is shown, in characters.
const MAX_SHOWN: usize = 200;

/// Which gateway to ask.
#[derive(Clone, Debug, clap::Args)]
pub struct GatewayArgs {
    /// The gateway's common HTTP port, or https://HOST:PORT for TLS
    #[arg(
        long,
        global = true,
        value_name = "HOST:PORT",
        env = VARIABLE,
        default_value = DEFAULT_GATEWAY,
        help_heading = "Gateway"
    )]
    pub gateway: String,
    /// Which certificates.
    #[command(flatten)]
    pub trust: TrustArgs,
    /// A token, or NAME:PASSWORD, for a gateway with users; other users of this machine can read arguments, and not the variable
    #[arg(
        long,
        global = true,
        value_name = "TOKEN",
        env = TOKEN_VARIABLE,
        hide_env_values = true,
        help_heading = "Gateway"
    )]
    pub token: Option<String>,
}

/// Which certificates are trusted and shown.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct TrustArgs {
    /// A root of the certificate of the gateway, robot or broker in PEM, beside the system's roots
    #[arg(long, global = true, value_name = "FILE", env = CA_VARIABLE, help_heading = "TLS")]
    pub ca: Option<PathBuf>,
    /// A certificate of yours in PEM, for one that asks for it
    #[arg(long, global = true, value_name = "FILE", env = CERTIFICATE_VARIABLE, help_heading = "TLS")]
    pub certificate: Option<PathBuf>,
    /// The private key of --certificate
    #[arg(
        id = "certificate_key",
        long = "key",
        global = true,
        value_name = "FILE",
        env = KEY_VARIABLE,
        help_heading = "TLS"
    )]
    pub key: Option<PathBuf>,
}

impl TrustArgs {
    /// Reads the files.
    pub fn load(&self) -> Result<Trust, Failure> {
        let identity = match (&self.certificate, &self.key) {
            (Some(certificate), Some(key)) => Some((certificate.clone(), key.clone())),
            (None, None) => None,
            _ => {
                return Err(Failure::usage("--certificate and --key belong together; give both, or neither"));
            }
        };
        let named = Named { roots: "--ca", identity: "--certificate and --key" };
        Trust::load(TrustFiles { roots: self.ca.clone(), identity }, named)
            .map_err(|error| Failure::usage(error.to_string()))
    }
}

impl GatewayArgs {
    /// The gateway of the environment, or the default one.
    pub fn from_environment() -> Self {
        let gateway = std::env::var(VARIABLE).unwrap_or_else(|_| DEFAULT_GATEWAY.to_owned());
        let path = |variable: &str| std::env::var_os(variable).map(PathBuf::from);
        let (ca, certificate, key) = (path(CA_VARIABLE), path(CERTIFICATE_VARIABLE), path(KEY_VARIABLE));
        let token = std::env::var(TOKEN_VARIABLE).ok();
        Self { gateway, trust: TrustArgs { ca, certificate, key }, token }
    }

    /// What is shown to the gateway.
    fn login(&self) -> Result<Option<Login>, Failure> {
        let Some(token) = &self.token else { return Ok(None) };
        match Login::parse(token) {
            Some(login) => Ok(Some(login)),
            None => Err(Failure::usage("--token has characters that no token has")),
        }
    }
}

/// A gateway.
#[derive(Clone, Debug)]
pub struct Gateway {
    pub(super) address: Address,
    pub(super) trust: Trust,
    /// What is shown to the gateway, if it is no part of the address.
    pub(super) login: Option<Login>,
    http: Http,
}

impl Gateway {
    /// The gateway at `host:port`, or at a URL.
    pub fn new(args: &GatewayArgs) -> Result<Self, Failure> {
        let wrong = |why: &dyn Display| {
            Failure::usage(format!(
                "{why}; write a gateway's host and port, such as {DEFAULT_GATEWAY}, or https://HOST:PORT"
            ))
        };
        let address = Address::parse(&args.gateway, None).map_err(|error| wrong(&error))?;
        if address.has_path() {
            return Err(wrong(&format_args!("{address} has a path")));
        }
        let trust = args.trust.load()?;
        let http = Http::new(&trust, HTTP_CONNECT_TIMEOUT, HTTP_IDLE_TIME);
        Ok(Self { address, trust, login: args.login()?, http })
    }

    pub(super) fn show_login<T>(&self, request: &mut Request<T>) {
        self.address.authorize(request);
        if let Some(login) = &self.login {
            login.write(request.headers_mut());
        }
    }

    /// Asks for something.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        let request = Http::request(Method::GET, &self.address.http(path));
        self.answer(request, HTTP_CONNECT_TIMEOUT + CLIENT_ANSWER_SLACK).await
    }

    /// Tells something to a robot that answers within `patience`.
    pub async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
        patience: Duration,
    ) -> Result<T, Failure> {
        self.post_at(&format!("{path}?patience={}ms", patience.as_millis()), body, patience).await
    }

    /// Tells something to the gateway, which answers within `patience`, at an address with its parameters.
    pub async fn post_at<T: DeserializeOwned>(
        &self,
        address: &str,
        body: &impl Serialize,
        patience: Duration,
    ) -> Result<T, Failure> {
        let url = self.address.http(address);
        let body = serde_json::to_vec(body).map_err(|error| Failure::usage(error.to_string()))?;
        let request = Http::json(Method::POST, &url, body).map(|mut request| {
            request.headers_mut().insert(CLIENT_HEADER, HeaderValue::from_static("cli"));
            request
        });
        self.answer(request, patience + CLIENT_ANSWER_SLACK).await
    }

    async fn answer<T: DeserializeOwned>(
        &self,
        request: Result<Request<Bytes>, HttpError>,
        within: Duration,
    ) -> Result<T, Failure> {
        let answer = match request {
            Ok(mut request) => {
                self.show_login(&mut request);
                self.http.send(request, within, CLIENT_ANSWER_MAX_BYTES).await
            }
            Err(error) => Err(error),
        };
        let answer = answer.map_err(|error| self.failure(&error))?;
        let (status, body) = (answer.status(), answer.body());
        if !status.is_success() {
            return Err(match serde_json::from_slice(body) {
                Ok(problem) => failure_from_problem(&problem),
                Err(_) => self.stranger(status, body),
            });
        }
        serde_json::from_slice(body).map_err(|_| {
            let at = &self.address;
            Failure::new(Exit::Unreachable, format!("what answers at {at} is no gateway of this version"))
        })
    }

    /// What answers is something else, or speaks TLS alone.
    pub(super) fn stranger(&self, status: StatusCode, body: &[u8]) -> Failure {
        let (at, text) = (&self.address, String::from_utf8_lossy(body));
        let line = text.lines().next().unwrap_or_default().trim();
        let shown: String = match line.starts_with('<') {
            true => String::new(),
            false => line.chars().take(MAX_SHOWN).collect(),
        };
        let shown = if shown.is_empty() { shown } else { format!(": {shown}") };
        Failure::new(
            Exit::Unreachable,
            format!("what answers at {at} is no gateway: it says {status}{shown}"),
        )
    }

    fn failure(&self, error: &HttpError) -> Failure {
        let at = &self.address;
        match error {
            HttpError::TimedOut(_) => Failure::new(Exit::TimedOut, format!("{at} did not answer in time")),
            HttpError::Unreachable(reason) => self.unreachable(reason),
            error => self.not_spoken_to(&error.to_string()),
        }
    }

    /// Somebody is there.
    pub(super) fn not_spoken_to(&self, why: &str) -> Failure {
        Failure::new(Exit::Unreachable, format!("cannot speak to the gateway at {}: {why}", self.address))
    }

    /// Nobody is there.
    pub(super) fn unreachable(&self, why: &str) -> Failure {
        let at = &self.address;
        Failure::new(
            Exit::Unreachable,
            format!(
                "no gateway answers at {at} ({why}); start one with `latimer demo` or name another with --gateway"
            ),
        )
    }
}

/// What a problem means to a person and to a script.
pub(super) fn failure_from_problem(problem: &Problem) -> Failure {
    let exit = match (problem.outcome.as_deref(), problem.status) {
        (Some("refused"), _) => Exit::Refused,
        (Some("timed_out"), _) => Exit::TimedOut,
        (_, 400) => Exit::Usage,
        _ => Exit::Failed,
    };
    let place = problem.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
    let advice = problem.advice.as_ref().map(|advice| format!("; {advice}")).unwrap_or_default();
    let command = problem.command_id.as_ref().map(|id| format!(" (command {id})")).unwrap_or_default();
    Failure::new(exit, format!("{place}{}{command}{advice}", problem.detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(gateway: &str) -> GatewayArgs {
        GatewayArgs { gateway: gateway.to_owned(), trust: TrustArgs::default(), token: None }
    }

    #[test]
    fn a_gateway_needs_a_port_unless_a_url_has_it() {
        let gateway = |given: &str| Gateway::new(&args(given));
        assert_eq!(gateway("http://[::1]:8080/").unwrap().address.to_string(), "[::1]:8080");
        assert_eq!(gateway("https://gateway.lab").unwrap().address.to_string(), "https://gateway.lab:443");
        for bad in ["", "localhost", "a b:1", "host:port", "http://h:1/api", "@h:1", "ftp://h:1"] {
            assert_eq!(gateway(bad).unwrap_err().exit, Exit::Usage, "{bad}");
        }
    }

    #[test]
    fn files_for_tls_that_are_missing_are_a_mistake_of_the_user() {
        let gateway = |args| Gateway::new(&args).unwrap_err();
        let files = |trust| GatewayArgs { trust, ..args("h:1") };
        let missing = gateway(files(TrustArgs { ca: Some("nowhere.pem".into()), ..TrustArgs::default() }));
        assert!(missing.exit == Exit::Usage && missing.message.contains("nowhere.pem"), "{missing:?}");
        let alone = gateway(files(TrustArgs { key: Some("a.key".into()), ..TrustArgs::default() }));
        assert!(alone.exit == Exit::Usage && alone.message.contains("--certificate"), "{alone:?}");
    }
}
