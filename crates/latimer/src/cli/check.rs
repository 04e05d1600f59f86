//! `latimer check-config`: what is wrong with a config, without running it.

use std::io::Write;

use latimer_core::service::{Insecure, Rules};
use latimer_core::{BrokerAddress, Clock};

use super::args::CheckArgs;
use crate::app;
use crate::config::{Config, Overrides};
use crate::exit::{Ended, Failure};

pub(super) fn check(args: &CheckArgs) -> Ended {
    let overrides = Overrides {
        rules: Rules { insecure: Insecure::new(args.insecure.clone()), ..Rules::default() },
        ..Overrides::default()
    };
    let config =
        Config::from_file(&args.file, &overrides).map_err(|error| Failure::usage(error.to_string()))?;
    app::world::make(&config).map_err(|error| Failure::usage(error.to_string()))?;
    config.access.load(Clock::system()).map_err(|error| Failure::usage(format!("access.users: {error}")))?;
    let tls = config.tls.load().and_then(|_| config.tls.trust());
    tls.map_err(|error| Failure::usage(format!("tls: {error}")))?;
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
