//! Robots across the tables: each made once, none served that nobody makes, and none connected to at a port of the gateway's own.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::ops::Range;

use latimer_core::{BrokerAddress, RobotId};
use latimer_dialects::{AnyDialect, DIALECTS, Entry, Transport};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::http::DEFAULT_LISTEN;
use super::ports::{PortError, listed};

/// The robots that are simulated or connected to.
pub(super) fn made(root: &DeTable<'_>) -> Vec<RobotId> {
    let simulated = root.get("simulate").into_iter().flat_map(|it| items(it.get_ref()));
    let connected = tables(root, "connect").map(|(_, item)| item);
    simulated.chain(connected).filter_map(|item| text(item, "robot")?.0.parse().ok()).collect()
}

/// Refuses robots that are made twice, and served ones that are neither simulated, nor connected to, nor brought by a dialect later.
pub(super) fn check(root: &DeTable<'_>, dialects: &[AnyDialect]) -> Result<(), PortError> {
    let mut made: BTreeMap<&str, String> = BTreeMap::new();
    let simulated = root.get("simulate").into_iter().flat_map(|it| items(it.get_ref()));
    let connected = tables(root, "connect").map(|(entry, item)| (format!("{}.connect", entry.name), item));
    for (place, item) in simulated.map(|item| ("simulate".to_owned(), item)).chain(connected) {
        let Some((robot, span)) = text(item, "robot") else { continue };
        if let Some(other) = made.insert(robot, place.clone()) {
            let message = format!(
                "{robot} is the name of a robot of {other} already, and of one of {place}; give each a name of its own"
            );
            return Err(PortError { span, message });
        }
    }
    for (entry, item) in tables(root, "serve") {
        let Some((robot, span)) = text(item, "robot") else { continue };
        let comes = |id: RobotId| dialects.iter().any(|dialect| dialect.may_bring(&id));
        if made.contains_key(robot) || robot.parse().is_ok_and(comes) {
            continue;
        }
        let name = entry.name;
        let message = format!(
            "there is no robot {robot} to be served; simulate it with [[simulate]], or connect to it with [[{name}.connect]] or that of another family"
        );
        return Err(PortError { span, message });
    }
    Ok(())
}

/// Refuses addresses of robots, brokers and masters at which the gateway itself listens; `names` are those of this machine.
pub(super) fn check_loops(root: &DeTable<'_>, names: &[String]) -> Result<(), PortError> {
    let mut own = listed(root);
    if !own.iter().any(|(path, ..)| path == "http.listen") {
        own.push(("http.listen".to_owned(), DEFAULT_LISTEN));
    }
    let find = |target: &str, port: u16| {
        let (host, port) = host_and_port(target, port)?;
        own.iter()
            .find(|(_, listen)| listen.port() == port && port != 0 && reaches(&host, listen.ip(), names))
    };
    let refuse = |target: &str, span: Range<usize>, (path, listen): &(String, SocketAddr), advice: &str| {
        let message = format!("{target} is {listen}, where this gateway itself listens ({path}); {advice}");
        Err(PortError { span, message })
    };
    for (entry, item) in tables(root, "connect") {
        let Some((target, span)) = text(item, "address") else { continue };
        // Robots meet at a broker or a master, which may be the gateway's own.
        let meets = |path: &str| match entry.transport {
            Transport::Mqtt => path.starts_with("broker."),
            Transport::Ros1 => path.starts_with(entry.name) && path.ends_with(".master.listen"),
            Transport::Web => false,
        };
        if let Some(found) = find(target, entry.port).filter(|(path, _)| !meets(path)) {
            return refuse(target, span, found, "write the robot's own address");
        }
    }
    let of = |table: &str, key: &str| text(root.get(table)?.get_ref(), key);
    if let Some((target, span)) = of("broker", "url")
        && let Some(found) = find(target, latimer_core::broker::MQTT_PORT)
    {
        return refuse(target, span, found, "write the address of another broker, or listen for one within");
    }
    for Entry { name, port, .. } in DIALECTS {
        if let Some((target, span)) = of(name, "broker")
            && let Some(found) = find(target, *port)
        {
            return refuse(target, span, found, "leave the key out for the gateway's own broker");
        }
        let master = root.get(*name).and_then(|table| table.get_ref().as_table()?.get("master"));
        if let Some((target, span)) = master.and_then(|master| text(master.get_ref(), "url"))
            && let Some(found) = find(target, *port)
        {
            return refuse(
                target,
                span,
                found,
                "write listen for a master within, or the address of another",
            );
        }
    }
    Ok(())
}

/// The tables `[[DIALECT.KEY]]`.
fn tables<'r, 'a>(
    root: &'r DeTable<'a>,
    key: &'static str,
) -> impl Iterator<Item = (&'static Entry, &'r DeValue<'a>)> {
    DIALECTS.iter().copied().flat_map(move |entry: &'static Entry| {
        let table = root.get(entry.name).and_then(|table| table.get_ref().as_table()?.get(key));
        table.into_iter().flat_map(|it| items(it.get_ref())).map(move |item| (entry, item))
    })
}

fn items<'r, 'a>(value: &'r DeValue<'a>) -> impl Iterator<Item = &'r DeValue<'a>> {
    value.as_array().into_iter().flat_map(|items| items.iter().map(Spanned::get_ref))
}

fn text<'r>(table: &'r DeValue<'_>, key: &str) -> Option<(&'r str, Range<usize>)> {
    let value = table.as_table()?.get(key)?;
    Some((value.get_ref().as_str()?, value.span()))
}

/// The host and the port of an address in any of the forms that configs take.
fn host_and_port(target: &str, default: u16) -> Option<(String, u16)> {
    let rest = target.trim().rsplit_once("://").map_or(target.trim(), |(_, rest)| rest);
    let rest = rest.split(['/', '?']).next()?;
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    if let Ok(BrokerAddress { host, port, .. }) = rest.parse::<BrokerAddress>()
        && rest.trim_end_matches(']').rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok())
    {
        return Some((host.trim_matches(['[', ']']).to_owned(), port));
    }
    Some((rest.trim_matches(['[', ']']).to_owned(), default))
}

/// Whether a host is this machine at the address of a listener.
fn reaches(host: &str, listen: IpAddr, names: &[String]) -> bool {
    let listen = listen.to_canonical();
    match address(host) {
        // Every address of this machine is one of a listener on all of them; only to those a socket can be bound.
        Some(ip) if listen.is_unspecified() => ip.is_loopback() || UdpSocket::bind((ip, 0)).is_ok(),
        Some(ip) if ip.is_unspecified() => listen.is_loopback(),
        Some(ip) => ip == listen,
        None => {
            let host = host.trim_end_matches('.').to_ascii_lowercase();
            let local = ["localhost", "ip6-localhost", "ip6-loopback"].contains(&host.as_str())
                || host.ends_with(".localhost");
            if local {
                listen.is_loopback() || listen.is_unspecified()
            } else {
                names.iter().any(|name| name.trim_end_matches('.').eq_ignore_ascii_case(&host))
            }
        }
    }
}

/// An address in digits, also in the short forms that the system's resolver takes, such as `127.1`.
fn address(host: &str) -> Option<IpAddr> {
    if let Ok(ip) = host.parse::<IpAddr>() {
        return Some(ip.to_canonical());
    }
    let parts: Vec<u32> = host.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let (last, first) = parts.split_last()?;
    let bits = 8 * (4_usize.checked_sub(first.len())?);
    let fits = first.iter().all(|part| *part < 256) && (bits == 32 || u64::from(*last) < 1 << bits);
    let high = first.iter().fold(0_u32, |all, part| all << 8 | part);
    let high = u64::from(high) << bits;
    (fits && bits > 0).then(|| Ipv4Addr::from(u32::try_from(high).unwrap_or_default() | last).into())
}

/// What this machine is called: by the config, and by the system.
pub(super) fn names_of_machine(names: &[String]) -> Vec<String> {
    let hostname = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let hostname = hostname.trim().to_owned();
    names.iter().cloned().chain((!hostname.is_empty()).then_some(hostname)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loops(text: &str) -> Option<String> {
        let root = DeTable::parse(text).unwrap().into_inner();
        check_loops(&root, &["gateway.lab".to_owned()]).err().map(|error| error.message)
    }

    #[test]
    fn a_gateway_is_not_connected_to_itself_by_any_of_its_names() {
        let config = |listen: &str, address: &str| {
            format!("[http]\nlisten = '{listen}'\n[[misty.connect]]\nrobot = 'a'\naddress = '{address}'\n")
        };
        for (listen, address, own) in [
            ("127.0.0.1:8080", "127.0.0.1:8080", true),
            ("127.0.0.1:8080", "localhost:8080", true),
            ("127.0.0.1:8080", "LocalHost.:8080", true),
            ("127.0.0.1:8080", "robot.localhost:8080", true),
            ("127.0.0.1:8080", "127.1:8080", true),
            ("127.0.0.1:8080", "2130706433:8080", true),
            ("127.0.0.1:8080", "0.0.0.0:8080", true),
            ("127.0.0.1:8080", "[::ffff:127.0.0.1]:8080", true),
            ("127.0.0.1:80", "127.0.0.1", true),
            ("[::1]:8080", "[::1]:8080", true),
            ("[::1]:8080", "ip6-localhost:8080", true),
            ("0.0.0.0:8080", "127.0.0.9:8080", true),
            ("0.0.0.0:8080", "gateway.lab:8080", true),
            ("192.0.2.7:8080", "192.0.2.7:8080", true),
            ("127.0.0.1:8080", "127.0.0.1:8081", false),
            ("127.0.0.1:8080", "127.0.0.2:8080", false),
            ("127.0.0.1:8080", "127.0.0.1", false),
            ("0.0.0.0:8080", "192.0.2.7:8080", false),
            ("192.0.2.7:8080", "localhost:8080", false),
            ("127.0.0.1:8080", "robot.local:8080", false),
        ] {
            let text = config(listen, address);
            assert_eq!(loops(&text).is_some(), own, "{text}");
        }
    }

    #[test]
    fn robots_meet_at_the_gateways_own_broker_and_master() {
        let broker = "[broker]\nlisten = '127.0.0.1:1883'\n[http]\nlisten = '127.0.0.1:9999'\n";
        for (table, own) in [
            ("[[pera.connect]]\nrobot = 'p1'\naddress = '127.0.0.1'", false),
            ("[[pera.connect]]\nrobot = 'p1'\naddress = 'mqtt://a:b@localhost:9999'", true),
            ("[[misty.connect]]\nrobot = 'p1'\naddress = 'localhost:1883'", true),
            ("[pera]\nbroker = 'mqtt://u:p@localhost:1883'", true),
            ("[pera]\nbroker = 'mqtt://192.0.2.1:1883'", false),
            ("[miro.master]\nurl = 'http://127.0.0.1:9999/'", true),
            (
                "[miro.master]\nlisten = '127.0.0.1:11311'\n[[miro.connect]]\nrobot = 'm'\naddress = 'localhost'",
                false,
            ),
        ] {
            assert_eq!(loops(&format!("{broker}{table}\n")).is_some(), own, "{table}");
        }
        assert!(loops("[broker]\nurl = 'mqtt://127.0.0.1:8080'\n").unwrap().contains("http.listen"));
    }

    fn problem(text: &str) -> Option<String> {
        crate::config::Config::parse("test", text, &Default::default()).err().map(|error| error.to_string())
    }

    #[test]
    fn a_served_robot_is_made_by_somebody_or_may_come_later() {
        let serve = "[[misty.serve]]\nrobot = 'NAME'\nlisten = '127.0.0.1:0'\n";
        let with = |name: &str, more: &str| problem(&format!("{}{more}", serve.replace("NAME", name)));
        let nobody = with("rex", "").unwrap();
        assert!(nobody.contains("there is no robot rex") && nobody.contains("[[simulate]]"), "{nobody}");
        assert!(with("rex", "[[simulate]]\nrobot = 'max'\nbody = 'misty'\n").is_some());
        assert_eq!(with("rex", "[[simulate]]\nrobot = 'rex'\nbody = 'misty'\n"), None);
        assert_eq!(with("rex", "[[axbot.connect]]\nrobot = 'rex'\naddress = '192.0.2.1'\n"), None);
        // Robots of a swarm come when they announce themselves.
        let swarm = "[broker]\nlisten = '127.0.0.1:0'\n[pera]\nobserve = true\n";
        assert_eq!(with("pera-7", swarm), None);
        assert!(with("rex", swarm).is_some());
        assert!(with("pera-7", &swarm.replace("true", "false")).is_some());
    }

    #[test]
    fn a_robot_is_made_once() {
        let text = "[[simulate]]\nrobot = 'a'\nbody = 'misty'\n[[axbot.connect]]\nrobot = 'a'\naddress = '192.0.2.1'\n";
        let problem = problem(text).unwrap();
        assert!(problem.contains("of simulate already, and of one of axbot.connect"), "{problem}");
    }
}
