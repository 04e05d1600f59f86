//! Requests to a gateway, and what their failures mean to a script.

use std::time::Duration;

use reqwest::{RequestBuilder, Response, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::api::CLIENT_HEADER;
use crate::exit::{Exit, Failure};
use crate::wire::v1::Problem;

/// The default gateway.
const DEFAULT_GATEWAY: &str = "127.0.0.1:8080";

/// The variable that names another one.
const VARIABLE: &str = "LATIMER_GATEWAY";

/// How long a connection may take.
pub(super) const CONNECT_WITHIN: Duration = Duration::from_secs(5);

/// How much longer than the robot's patience an answer may take.
const ANSWER_SLACK: Duration = Duration::from_secs(5);

/// Which gateway to ask.
#[derive(Clone, Debug, clap::Args)]
pub struct GatewayArgs {
    /// The gateway's common HTTP port
    #[arg(
        long,
        global = true,
        value_name = "HOST:PORT",
        env = VARIABLE,
        default_value = DEFAULT_GATEWAY,
        help_heading = "Gateway"
    )]
    pub gateway: String,
}

impl GatewayArgs {
    /// The gateway of the environment, or the default one.
    pub fn from_environment() -> Self {
        let gateway = std::env::var(VARIABLE).unwrap_or_else(|_| DEFAULT_GATEWAY.to_owned());
        Self { gateway }
    }
}

/// A gateway.
#[derive(Clone, Debug)]
pub struct Gateway {
    pub(super) authority: String,
    http: reqwest::Client,
}

impl Gateway {
    /// The gateway at `host:port`; a leading `http://` is no harm.
    pub fn new(args: &GatewayArgs) -> Result<Self, Failure> {
        let given = args.gateway.trim().trim_start_matches("http://").trim_end_matches('/');
        let wrong = |why: &str| {
            let given = &args.gateway;
            Failure::usage(format!(
                "{given:?} is no gateway: {why}; write host and port, such as {DEFAULT_GATEWAY}"
            ))
        };
        if given.is_empty() || given.contains(['/', ' ', '?', '#', '@']) {
            return Err(wrong("it is no host with a port"));
        }
        let has_port = given.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        if !has_port {
            return Err(wrong("the port is missing"));
        }
        // A gateway is reached directly; a proxy of the environment is for the world outside.
        let http = reqwest::Client::builder().no_proxy().connect_timeout(CONNECT_WITHIN).build();
        let http = http.map_err(|error| Failure::new(Exit::Failed, format!("no HTTP client: {error}")))?;
        Ok(Self { authority: given.to_owned(), http })
    }

    /// Asks for something.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        let request = self.http.get(format!("http://{}{path}", self.authority));
        self.answer(request.timeout(CONNECT_WITHIN + ANSWER_SLACK)).await
    }

    /// Tells something to a robot that answers within `patience`.
    pub async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
        patience: Duration,
    ) -> Result<T, Failure> {
        let url = format!("http://{}{path}?patience={}ms", self.authority, patience.as_millis());
        self.answer(
            self.http.post(url).header(CLIENT_HEADER, "cli").json(body).timeout(patience + ANSWER_SLACK),
        )
        .await
    }

    async fn answer<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, Failure> {
        let response = request.send().await.map_err(|error| self.failure(&error))?;
        if !response.status().is_success() {
            return Err(self.problem(response).await);
        }
        response.json().await.map_err(|error| self.failure(&error))
    }

    async fn problem(&self, response: Response) -> Failure {
        let status = response.status();
        match response.json().await {
            Ok(problem) => failure_from_problem(&problem),
            Err(_) => self.stranger(status),
        }
    }

    fn stranger(&self, status: StatusCode) -> Failure {
        let at = &self.authority;
        Failure::new(Exit::Unreachable, format!("what answers at {at} is no gateway: it says {status}"))
    }

    fn failure(&self, error: &reqwest::Error) -> Failure {
        if error.is_decode() {
            let at = &self.authority;
            return Failure::new(
                Exit::Unreachable,
                format!("what answers at {at} is no gateway of this version"),
            );
        }
        if error.is_timeout() && !error.is_connect() {
            return Failure::new(Exit::TimedOut, format!("{} did not answer in time", self.authority));
        }
        self.unreachable(error)
    }

    /// Nobody is there.
    pub(super) fn unreachable(&self, error: &(dyn std::error::Error + 'static)) -> Failure {
        let mut root = error;
        while let Some(source) = root.source() {
            root = source;
        }
        let at = &self.authority;
        Failure::new(
            Exit::Unreachable,
            format!(
                "no gateway answers at {at} ({root}); start one with `latimer demo` or name another with --gateway"
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
    Failure::new(exit, format!("{place}{}{advice}", problem.detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gateway_needs_a_port() {
        let gateway = |given: &str| Gateway::new(&GatewayArgs { gateway: given.to_owned() });
        assert_eq!(gateway("http://[::1]:8080/").unwrap().authority, "[::1]:8080");
        for bad in ["", "localhost", "a b:1", "host:port", "http://h:1/api", "user@h:1"] {
            assert_eq!(gateway(bad).unwrap_err().exit, Exit::Usage, "{bad}");
        }
    }
}
