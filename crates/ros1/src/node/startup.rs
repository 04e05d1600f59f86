//! What a program of ROS is started with: variables of the environment, and arguments that rename.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use latimer_listen::ListenerPolicy;

use super::Settings;
use crate::msgs::Time;
use crate::name::{BadName, resolve, resolve_own};

/// The master unless a variable or an argument names another.
const MASTER: &str = "http://127.0.0.1:11311";

/// What a program of ROS is started with, as roscpp and rospy read it.
///
/// | variable | argument | what |
/// |---|---|---|
/// | `ROS_MASTER_URI` | `__master:=` | the master, else `http://127.0.0.1:11311` |
/// | `ROS_IP`, `ROS_HOSTNAME` | `__ip:=`, `__hostname:=` | how others reach the node; the host's name goes before the address |
/// | `ROS_NAMESPACE` | `__ns:=` | what its relative names are below |
/// | | `__name:=` | its own name |
/// | | `from:=to` | another name for a topic or a service |
/// | | `_rate:=5` | a private parameter |
///
/// Without an address it listens on this machine only, which roscpp and rospy do not keep to.
///
/// ```
/// use std::sync::Arc;
///
/// use latimer_ros1::msgs::Time;
/// use latimer_ros1::node::Startup;
///
/// let arguments = ["__ns:=/rover", "chatter:=news", "_rate:=5", "verbose"].map(str::to_owned);
/// let startup = Startup::read(|_| None, arguments)?;
/// assert_eq!(startup.parameters["rate"], "5");
/// assert_eq!(startup.arguments, ["verbose"]);
/// let settings = startup.settings("talker", Arc::new(Time::default))?;
/// assert_eq!(settings.name, "/rover/talker");
/// assert_eq!(settings.remap["/rover/chatter"], "/rover/news");
/// # Ok::<(), latimer_ros1::name::BadName>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Startup {
    /// Where the master is.
    pub master: String,
    /// Where the node listens.
    pub bind: IpAddr,
    /// The host that other nodes connect to; `bind` if not given.
    pub host: Option<String>,
    /// What relative names are below, `/` if nothing else was said.
    pub namespace: String,
    /// The node's name, if an argument gave one.
    pub name: Option<String>,
    /// Other names, as they were written.
    pub remap: BTreeMap<String, String>,
    /// Private parameters, which the program may set below its own name.
    pub parameters: BTreeMap<String, String>,
    /// The arguments that were none of these.
    pub arguments: Vec<String>,
}

impl Startup {
    /// Reads variables and arguments; an argument goes before a variable.
    pub fn read(
        variable: impl Fn(&str) -> Option<String>,
        arguments: impl IntoIterator<Item = String>,
    ) -> Result<Self, BadName> {
        let (mut special, mut remap, mut parameters) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut rest = Vec::new();
        for argument in arguments {
            match argument.split_once(":=") {
                Some((name, value)) => {
                    let (from, to) = (name.to_owned(), value.to_owned());
                    if let Some(key) = name.strip_prefix("__") {
                        special.insert(key.to_owned(), to);
                    } else if let Some(key) = name.strip_prefix('_') {
                        parameters.insert(key.to_owned(), to);
                    } else {
                        remap.insert(from, to);
                    }
                }
                None => rest.push(argument),
            }
        }
        let mut said = |argument: &str, name: &str| {
            special.remove(argument).or_else(|| variable(name)).filter(|value| !value.is_empty())
        };
        let master = said("master", "ROS_MASTER_URI").unwrap_or_else(|| MASTER.to_owned());
        let (host, ip) = (said("hostname", "ROS_HOSTNAME"), said("ip", "ROS_IP"));
        let namespace = said("ns", "ROS_NAMESPACE").unwrap_or_else(|| "/".to_owned());
        let everywhere = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let bind = match (host.as_deref(), ip.as_deref()) {
            (None | Some("localhost"), None) => Ipv4Addr::LOCALHOST.into(),
            (_, Some(ip)) => ip.parse().unwrap_or(everywhere),
            (Some(_), None) => everywhere,
        };
        Ok(Self {
            master,
            bind,
            host: host.or(ip),
            namespace: resolve(&namespace, "/")?,
            name: special.remove("name"),
            remap,
            parameters,
            arguments: rest,
        })
    }

    /// Settings of a node that is called `name` unless an argument calls it otherwise.
    pub fn settings(
        &self,
        name: &str,
        now: Arc<dyn Fn() -> Time + Send + Sync>,
    ) -> Result<Settings, BadName> {
        let below = format!("{}/x", self.namespace.trim_end_matches('/'));
        let name = resolve_own(self.name.as_deref().unwrap_or(name), &below)?;
        let pair = |(from, to): (&String, &String)| Ok((resolve_own(from, &name)?, resolve_own(to, &name)?));
        let remap = self.remap.iter().map(pair).collect::<Result<_, BadName>>()?;
        let (master, bind, host) = (self.master.clone(), self.bind, self.host.clone());
        Ok(Settings { name, master, bind, host, policy: ListenerPolicy::default(), remap, now })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)], arguments: &[&str]) -> Startup {
        let variable =
            |name: &str| variables.iter().find(|(it, _)| *it == name).map(|(_, value)| (*value).to_owned());
        Startup::read(variable, arguments.iter().map(|it| (*it).to_owned())).unwrap()
    }

    #[test]
    fn arguments_go_before_variables() {
        let startup = read(&[("ROS_MASTER_URI", "http://a:1"), ("ROS_NAMESPACE", "a")], &[]);
        assert_eq!((startup.master.as_str(), startup.namespace.as_str()), ("http://a:1", "/a"));
        let startup = read(&[("ROS_MASTER_URI", "http://a:1")], &["__master:=http://b:2", "__name:=other"]);
        assert_eq!(startup.master, "http://b:2");
        assert_eq!(startup.settings("own", Arc::new(Time::default)).unwrap().name, "/other");
    }

    #[test]
    fn a_node_is_reached_where_it_says() {
        let place = |variables: &[(&str, &str)]| {
            let Startup { bind, host, .. } = read(variables, &[]);
            (bind.to_string(), host)
        };
        let host = |name: &str| Some(name.to_owned());
        assert_eq!(place(&[]), ("127.0.0.1".to_owned(), None));
        assert_eq!(place(&[("ROS_IP", "10.0.0.7")]), ("10.0.0.7".to_owned(), host("10.0.0.7")));
        assert_eq!(place(&[("ROS_HOSTNAME", "robot")]), ("0.0.0.0".to_owned(), host("robot")));
        assert_eq!(place(&[("ROS_HOSTNAME", "localhost")]), ("127.0.0.1".to_owned(), host("localhost")));
    }

    #[test]
    fn a_name_that_is_none_is_reported() {
        let startup = read(&[], &["a b:=c"]);
        assert!(startup.settings("own", Arc::new(Time::default)).unwrap_err().to_string().contains("a b"));
        let bad = |name: &str| name.starts_with("ROS_NAMESPACE").then(|| "1".to_owned());
        assert!(Startup::read(bad, []).is_err());
    }
}
