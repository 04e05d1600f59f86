//! `latimer demo` and `latimer run`: a gateway, and where its robots can be reached.

use std::io::{ErrorKind, IsTerminal, Write};
use std::time::Duration;

use latimer_core::Clock;
use latimer_core::hub::RobotReport;
use latimer_core::service::{BuildError, Insecure, Rules};
use latimer_dialects::Endpoint;
use latimer_listen::Address;
use tokio_util::sync::CancellationToken;

use super::args::{DemoArgs, RunArgs, ServeArgs};
use super::table::table;
use crate::app::{AppError, Gateway, Stopped, signals};
use crate::config::http::DEFAULT_LISTEN;
use crate::config::{Config, Overrides, ReadError};
use crate::exit::{Ended, Exit, Failure};
use crate::handles;
use crate::log::{self, LogArgs};
use crate::page;

/// Common ports of demos that find the usual ones taken.
const ELSEWHERE: [u16; 4] = [18_080, 28_080, 38_080, 48_080];

pub(super) fn demo(args: &DemoArgs, log: &LogArgs) -> Ended {
    let overrides = overrides(&args.serve);
    let elsewhere = ELSEWHERE.into_iter().filter(|_| overrides.port_base.is_none());
    let bases = std::iter::once(overrides.port_base).chain(elsewhere.map(Some));
    let configs: Result<Vec<Config>, _> =
        bases.map(|port_base| Config::demo(&Overrides { port_base, ..overrides.clone() })).collect();
    serve(configs, &args.serve, log, !args.no_open && has_desktop())
}

pub(super) fn run(args: &RunArgs, log: &LogArgs) -> Ended {
    let config = Config::from_file(&args.config, &overrides(&args.serve));
    serve(config.map(|config| vec![config]), &args.serve, log, false)
}

/// Whether somebody sits at a desktop of this machine.
fn has_desktop() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let desktop = cfg!(any(windows, target_os = "macos")) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
    desktop && !is_set("SSH_CONNECTION") && std::io::stdout().is_terminal()
}

fn overrides(args: &ServeArgs) -> Overrides {
    Overrides {
        port_base: args.port_base,
        seed: args.seed,
        speed: args.speed,
        scenario: args.scenario.clone(),
        state: args.state.clone(),
        free_ports: false,
        rules: Rules { insecure: Insecure::new(args.insecure.clone()), ..Rules::default() },
    }
}

/// Serves the first config whose ports are free.
fn serve(configs: Result<Vec<Config>, ReadError>, args: &ServeArgs, log: &LogArgs, open: bool) -> Ended {
    let mut configs = configs.map_err(|error| Failure::usage(error.to_string()))?;
    let log_config = configs.first().map(|config| &config.log);
    log::start(log, log_config).map_err(|error| Failure::usage(error.to_string()))?;
    let handles = handles::raise();
    for config in &mut configs {
        config.http.max_connections = handles::clients(config.http.max_connections, handles);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(Exit::Failed, format!("no runtime: {error}")))?;
    // On a worker: the main thread's heap would keep what building takes for a moment, and workers do not allocate from it.
    let ended = match runtime.block_on(runtime.spawn(gateway(configs, args.stop_after, open))) {
        Ok(ended) => ended,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(error) => Err(Failure::new(Exit::Fault, format!("the gateway was aborted: {error}"))),
        },
    };
    // What did not stop in time is left behind.
    runtime.shutdown_background();
    ended
}

/// Builds a gateway and runs it until somebody stops it.
async fn gateway(configs: Vec<Config>, stop_after: Option<Duration>, open: bool) -> Ended {
    let gateway = build(configs).await?;
    let (shutdown, fault) = (CancellationToken::new(), CancellationToken::new());
    latimer_panics::watch(fault.clone());
    tokio::spawn(signals::watch(shutdown.clone(), Clock::system(), stop_after));
    let (hub, http) = (gateway.hub().clone(), gateway.reached());
    let endpoints = gateway.endpoints();
    let mut shown = Ok(());
    let stopped = Box::pin(gateway.run(shutdown, fault, || {
        shown = show(&hub.robots(), &endpoints.all(&hub), &http);
        if let Err(failure) = &shown
            && failure.exit != Exit::Ok
        {
            tracing::warn!(%failure, %http, "where the robots are reached is not shown; the gateway runs all the same");
        }
        if open && page::is_built() {
            open_page(&http);
        }
    }))
    .await;
    // Nobody may be reading the table; the gateway has served all the same.
    shown.or_else(|failure: Failure| if failure.exit == Exit::Ok { Ok(()) } else { Err(failure) })?;
    ended(stopped)
}

/// Builds the first config whose ports are free.
async fn build(configs: Vec<Config>) -> Result<Gateway, Failure> {
    let mut configs = configs.into_iter();
    let mut next = configs.next();
    while let Some(config) = next {
        next = configs.next();
        match (Box::pin(Gateway::build(config)).await, &next) {
            (Ok(gateway), _) => return Ok(gateway),
            (Err(AppError::Build(BuildError::Bind { address, source, .. })), Some(other))
                if source.kind() == ErrorKind::AddrInUse =>
            {
                let base = other.http.listen.port();
                tracing::warn!(
                    "{address} is taken by another program, so all ports move: --port-base {base}"
                );
            }
            (Err(error), _) => return Err(failure(&error)),
        }
    }
    Err(Failure::usage("there is no config to run"))
}

/// Shows the page in the browser of the desktop.
fn open_page(http: &Address) {
    if let Err(error) = open::that_detached(http.http("/")) {
        tracing::info!(%error, "no browser opens the page");
    }
}

fn failure(error: &AppError) -> Failure {
    if let AppError::Build(BuildError::Bind { source, .. }) = error
        && source.kind() == ErrorKind::AddrInUse
    {
        return Failure::new(Exit::Failed, format!("{error}; --port-base N moves all ports"));
    }
    let exit = match error {
        AppError::World(_)
        | AppError::Access(_)
        | AppError::Tls(_)
        | AppError::Frames(_)
        | AppError::State(_)
        | AppError::Audit { .. } => Exit::Usage,
        AppError::Build(BuildError::Bind { .. } | BuildError::NameTaken(_) | BuildError::Other(_)) => {
            Exit::Failed
        }
    };
    Failure::new(exit, error.to_string())
}

fn ended(stopped: Stopped) -> Ended {
    match stopped {
        Stopped::Clean => tracing::info!("stopped"),
        Stopped::Late(late) => tracing::warn!(late = late.join(", "), "stopped, but not everything in time"),
        Stopped::Moving(robots) => {
            let message =
                format!("{} did not take a stop and may move still: stop by hand", robots.join(", "));
            return Err(Failure::new(Exit::Failed, message));
        }
        Stopped::Broken(why) => return Err(Failure::new(Exit::Fault, why)),
    }
    Ok(())
}

/// Prints a line for each robot, where programs of its family connect, and the page's address last.
fn show(robots: &[RobotReport], endpoints: &[Endpoint], http: &Address) -> Ended {
    let program = std::env::args().next().unwrap_or_else(|| "latimer".to_owned());
    let is_usual = *http == Address::of(false, DEFAULT_LISTEN);
    let gateway = if is_usual { String::new() } else { format!(" --gateway {http}") };
    let rows = robots.iter().map(|report| {
        let (robot, family) = (&report.info.robot, report.info.family);
        let url = match own(endpoints, report) {
            Some(endpoint) => endpoint.url.clone(),
            None => http.http(&format!("/api/v1/robots/{robot}")),
        };
        vec![robot.to_string(), family.to_owned(), url]
    });
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", table(&["robot", "family", "its programs connect to"], rows))?;
    if let Some(first) = robots.first() {
        writeln!(out, "\nIn another terminal:\n  {program} echo {}{gateway}", first.info.robot)?;
        if let Some(endpoint) = own(endpoints, first) {
            writeln!(out, "  {}", endpoint.try_line)?;
        }
        writeln!(out, "  {program} robots{gateway}    # every address")?;
    }
    writeln!(out, "\n{}. Ctrl-C stops.", first_page(http))?;
    Ok(out.flush()?)
}

/// Where a robot is served in its own dialect, or in another one.
fn own<'a>(endpoints: &'a [Endpoint], report: &RobotReport) -> Option<&'a Endpoint> {
    let mut all = endpoints.iter().filter(|endpoint| endpoint.robot.as_ref() == Some(&report.info.robot));
    let native = all.clone().find(|endpoint| endpoint.dialect == report.info.family);
    native.or_else(|| all.next())
}

/// What a browser finds.
fn first_page(http: &Address) -> String {
    let page = http.http("/");
    if page::is_built() {
        format!("Open {page} to see the robots")
    } else {
        format!("{page} has links to everything; the page itself was not built, it needs Node 18.19 or later")
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;

    #[tokio::test]
    async fn the_first_config_whose_ports_are_free_is_run() {
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let listen = |address: SocketAddr| {
            let text = format!("[http]\nlisten = '{address}'\n");
            Config::parse("test", &text, &Overrides::default()).unwrap()
        };
        let (here, elsewhere) = (taken.local_addr().unwrap(), "127.0.0.1:0".parse().unwrap());
        let gateway = build(vec![listen(here), listen(elsewhere)]).await.map_err(|it| it.message).unwrap();
        assert_ne!(gateway.address(), here);
        let failure = build(vec![listen(here)]).await.map(|_| ()).unwrap_err();
        assert!(failure.exit == Exit::Failed && failure.message.contains("--port-base"), "{failure}");
    }
}
