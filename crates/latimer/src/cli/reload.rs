//! `latimer reload`: has a gateway read its config again, or say what would come of it.

use std::io::Write;

use clap::Args;
use latimer_core::limits::COMMAND_TIMEOUT;

use crate::api::Reloaded;
use crate::client::{Gateway, GatewayArgs};
use crate::exit::Ended;

/// `latimer reload`.
#[derive(Debug, Args)]
pub struct ReloadArgs {
    /// Only say what would come of it
    #[arg(long)]
    dry_run: bool,
    /// Also loosen bounds of robots that move
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    gateway: GatewayArgs,
}

pub(super) async fn reload(args: ReloadArgs) -> Ended {
    let ReloadArgs { dry_run, force, gateway } = args;
    let gateway = Gateway::new(&gateway)?;
    let address = format!("/api/v1/reload?dry_run={dry_run}&force={force}");
    let Reloaded { applied, waiting, came, went } = gateway.post_at(&address, &(), COMMAND_TIMEOUT).await?;
    let mut out = std::io::stdout().lock();
    let lists = [("applies", applied), ("after a restart", waiting), ("comes", came), ("goes", went)];
    if lists.iter().all(|(_, list)| list.is_empty()) {
        writeln!(out, "nothing has changed")?;
    }
    for (what, list) in lists {
        for it in list {
            writeln!(out, "{what:16}{it}")?;
        }
    }
    Ok(())
}
