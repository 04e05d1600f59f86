//! `latimer user`: a user's table for the users' file.

use std::io::{BufRead, IsTerminal, Read, Write};

use clap::Args;
use latimer_access::{GrantText, RoleWord, hash};

use crate::exit::{Ended, Failure};

/// Longest password that is read, bytes.
const MAX_PASSWORD_BYTES: u64 = 1024;

/// `latimer user`.
#[derive(Debug, Args)]
pub struct UserArgs {
    /// The user's name
    #[arg(value_name = "NAME")]
    name: String,
    /// What it may do: see, drive or admin, and with which robots; everything with all robots if not given
    #[arg(long = "grant", value_name = "ROLE[:ROBOTS]", value_parser = grant, default_value = "admin")]
    grants: Vec<GrantText>,
}

fn grant(text: &str) -> Result<GrantText, String> {
    let (role, select) = text.split_once(':').unwrap_or((text, "*"));
    let role =
        RoleWord::from_word(role).ok_or_else(|| format!("{role:?} is no role; write see, drive or admin"))?;
    let grant = GrantText { role, select: select.to_owned(), dialects: Vec::new() };
    grant.read().map_err(|(problem, advice)| format!("{problem}; {advice}"))?;
    Ok(grant)
}

pub(super) fn user(args: &UserArgs) -> Ended {
    let piped = if std::io::stdin().is_terminal() { None } else { read()? };
    let password = match piped {
        Some(password) => password,
        None => {
            let made = format!("{:032x}", latimer_access::random());
            writeln!(std::io::stderr(), "the password of {} is {made}; it is nowhere else", args.name)?;
            made
        }
    };
    let hash = hash(&password).map_err(|error| Failure::usage(error.to_string()))?;
    let grants = args.grants.iter().map(|GrantText { role, select, .. }| {
        format!("{{ role = \"{}\", select = {} }}", role.word(), toml::Value::from(select.as_str()))
    });
    let grants = grants.collect::<Vec<_>>().join(", ");
    let (name, hash) = (toml::Value::from(args.name.as_str()), toml::Value::from(hash));
    Ok(writeln!(std::io::stdout(), "[[user]]\nname = {name}\npassword = {hash}\ngrants = [{grants}]\n")?)
}

/// The first line of what is piped in; `None` if nothing is.
fn read() -> Result<Option<String>, Failure> {
    let mut line = String::new();
    let read = std::io::stdin().lock().take(MAX_PASSWORD_BYTES).read_line(&mut line);
    let bytes =
        read.map_err(|error| Failure::usage(format!("the password cannot be read from stdin: {error}")))?;
    let password = line.trim_end_matches(['\r', '\n']);
    match (bytes, password.is_empty()) {
        (0, _) => Ok(None),
        (_, true) => Err(Failure::usage(
            "the password on stdin is an empty line; write one, or nothing to have one made",
        )),
        (_, false) => Ok(Some(password.to_owned())),
    }
}
