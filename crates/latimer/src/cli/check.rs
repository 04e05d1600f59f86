//! `latimer check-config`: what is wrong with a config, without running it. All of it is built on free ports, as `run` builds it.

use std::io::Write;
use std::path::Path;

use latimer_core::BrokerAddress;
use latimer_core::service::{Insecure, Rules};

use super::args::CheckArgs;
use crate::app::{Gateway, audit};
use crate::config::{Config, Overrides};
use crate::exit::{Ended, Exit, Failure};

pub(super) fn check(args: &CheckArgs) -> Ended {
    let overrides = Overrides {
        rules: Rules { insecure: Insecure::new(args.insecure.clone()), ..Rules::default() },
        ..Overrides::default()
    };
    let config =
        Config::from_file(&args.file, &overrides).map_err(|error| Failure::usage(error.to_string()))?;
    try_build(&args.file, &overrides)?;
    for doubt in config.doubts() {
        writeln!(std::io::stderr(), "warning: {doubt}")?;
    }
    let (file, simulated) = (args.file.display(), config.simulate.len());
    let broker = match (config.broker.listen, &config.broker.url) {
        (Some(listen), _) => format!(", MQTT at {listen}"),
        (None, Some(url)) => format!(
            ", MQTT by {}",
            url.parse::<BrokerAddress>().map_or_else(|_| "?".to_owned(), |it| it.to_string())
        ),
        (None, None) => String::new(),
    };
    Ok(writeln!(
        std::io::stdout(),
        "{file} is fine: {simulated} simulated robots, HTTP at {}{broker}",
        config.http.listen
    )?)
}

/// Builds what `run` would run, on free ports, and lets go of it.
fn try_build(file: &Path, overrides: &Overrides) -> Ended {
    let usage = |error: String| Failure::usage(error);
    let free = Overrides { free_ports: true, ..overrides.clone() };
    let mut config = Config::from_file(file, &free).map_err(|error| usage(error.to_string()))?;
    // Which is not made before there is something to write.
    if let Some(path) = config.audit.file.take() {
        audit::check(path).map_err(|error| usage(error.to_string()))?;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(Exit::Failed, format!("no runtime: {error}")))?;
    let built = runtime.block_on(Box::pin(Gateway::build(config)));
    let built = built.map(drop).map_err(|error| usage(error.to_string()));
    runtime.shutdown_background();
    built
}
