//! `latimer api`: the descriptions of the API, without a gateway.

use std::io::Write;

use clap::Subcommand;

use crate::api;
use crate::exit::{Ended, Exit, Failure};

/// Which description.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum ApiTask {
    /// Print the description of the HTTP API, as OpenAPI 3.1
    Openapi,
    /// Print the description of the streams, the dialects' included, as AsyncAPI 3.0
    Asyncapi,
}

pub(super) fn api(task: ApiTask) -> Ended {
    let text = match task {
        ApiTask::Openapi => serde_json::to_string_pretty(api::openapi()),
        ApiTask::Asyncapi => serde_json::to_string_pretty(&api::asyncapi(api::DEFAULT_HOST)),
    };
    let text = text.map_err(|error| Failure::new(Exit::Failed, error.to_string()))?;
    Ok(writeln!(std::io::stdout(), "{text}")?)
}
