//! Every `listen` and `tls_listen` of a document: moved together, and no two alike.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::http::DEFAULT_LISTEN;

/// Ports of other worlds that are far from the common one get a place near it when all are moved.
const SMALL_OFFSETS: &[(u16, u16)] = &[
    (1883, 20),  // MQTT
    (9001, 21),  // MQTT over WebSocket
    (8883, 22),  // MQTT over TLS
    (11311, 30), // ROS master
];

/// A port that cannot be used, and where it stands.
#[derive(Debug, PartialEq, Eq)]
pub struct PortError {
    /// Where the address stands.
    pub span: Range<usize>,
    /// What is wrong and what to do.
    pub message: String,
}

/// Moves all ports: the common HTTP port becomes `base`, the others keep their distance to it.
///
/// MQTT's 1883 becomes `base` + 20, its WebSocket's 9001 `base` + 21, its 8883 over TLS `base` + 22, the ROS master's 11311 `base` + 30.
pub fn rebase(root: &mut DeTable<'_>, base: u16) -> Result<(), PortError> {
    let common = common_listen(root).and_then(address_of).unwrap_or(DEFAULT_LISTEN).port();
    let mut wrong = None;
    each_listen(root, &mut |value| {
        let Some(mut address) = address_of(value) else { return };
        match moved(address.port(), common, base) {
            Some(port) => {
                address.set_port(port);
                *value.get_mut() = DeValue::String(Cow::Owned(address.to_string()));
            }
            None => {
                let message = format!(
                    "port {} cannot be moved along with the common port to {base}; choose another --port-base",
                    address.port()
                );
                wrong.get_or_insert(PortError { span: value.span(), message });
            }
        }
    });
    insert_common(root, base);
    wrong.map_or(Ok(()), Err)
}

/// Refuses two `listen` keys of one address.
pub fn refuse_twins(root: &mut DeTable<'_>) -> Result<(), PortError> {
    let mut taken: BTreeMap<SocketAddr, Range<usize>> = BTreeMap::new();
    let mut listed = Vec::new();
    each_listen(root, &mut |value| listed.extend(address_of(value).map(|address| (address, value.span()))));
    if common_listen(root).is_none() {
        taken.insert(DEFAULT_LISTEN, 0..0);
    }
    listed.sort_by_key(|(_, span)| span.start);
    for (address, span) in listed {
        if address.port() != 0 && taken.insert(address, span.clone()).is_some() {
            let message = format!("{address} is listened on twice; choose another port here or there");
            return Err(PortError { span, message });
        }
    }
    Ok(())
}

/// Gives every `listen` a free port of this machine, for a gateway that is built and never run.
pub fn set_free(root: &mut DeTable<'_>) {
    each_listen(root, &mut |value| {
        let Some(address) = address_of(value) else { return };
        let free = match address.ip() {
            IpAddr::V4(_) => SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            IpAddr::V6(_) => SocketAddr::from((Ipv6Addr::LOCALHOST, 0)),
        };
        *value.get_mut() = DeValue::String(Cow::Owned(free.to_string()));
    });
    insert_common(root, 0);
}

/// Every `listen` of a document with its path, such as `misty.serve.listen`.
pub(super) fn listed(root: &DeTable<'_>) -> Vec<(String, SocketAddr)> {
    fn below(value: &DeValue<'_>, path: &str, found: &mut Vec<(String, SocketAddr)>) {
        match value {
            DeValue::Table(table) => table_below(table, path, found),
            DeValue::Array(items) => items.iter().for_each(|item| below(item.get_ref(), path, found)),
            _ => {}
        }
    }
    fn table_below(table: &DeTable<'_>, path: &str, found: &mut Vec<(String, SocketAddr)>) {
        for (key, value) in table.iter() {
            let key = &**key.get_ref();
            let path = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
            match address_of(value).filter(|_| is_listen(key)) {
                Some(address) => found.push((path, address)),
                None => below(value.get_ref(), &path, found),
            }
        }
    }
    let mut found = Vec::new();
    table_below(root, "", &mut found);
    found
}

fn is_listen(key: &str) -> bool {
    matches!(key, "listen" | "tls_listen")
}

fn moved(port: u16, common: u16, base: u16) -> Option<u16> {
    if port == 0 {
        return Some(0);
    }
    if let Some((_, offset)) = SMALL_OFFSETS.iter().find(|(known, _)| *known == port) {
        return base.checked_add(*offset);
    }
    let moved = i32::from(base) + i32::from(port) - i32::from(common);
    u16::try_from(moved).ok().filter(|port| *port != 0)
}

fn common_listen<'r, 'a>(root: &'r DeTable<'a>) -> Option<&'r Spanned<DeValue<'a>>> {
    root.get("http")?.get_ref().as_table()?.get("listen")
}

/// A document that does not name the common port has the default one, which moves too.
fn insert_common(root: &mut DeTable<'_>, base: u16) {
    let address = SocketAddr::new(DEFAULT_LISTEN.ip(), base);
    let http = root
        .entry(Spanned::new(0..0, "http".into()))
        .or_insert_with(|| Spanned::new(0..0, DeValue::Table(DeTable::new())));
    if let DeValue::Table(http) = http.get_mut() {
        http.entry(Spanned::new(0..0, "listen".into()))
            .or_insert_with(|| Spanned::new(0..0, DeValue::String(Cow::Owned(address.to_string()))));
    }
}

fn address_of(value: &Spanned<DeValue<'_>>) -> Option<SocketAddr> {
    value.get_ref().as_str()?.parse().ok()
}

fn each_listen<'a>(table: &mut DeTable<'a>, act: &mut impl FnMut(&mut Spanned<DeValue<'a>>)) {
    for (key, value) in table.iter_mut() {
        if is_listen(key.get_ref()) {
            act(value);
        } else {
            each_listen_below(value.get_mut(), act);
        }
    }
}

fn each_listen_below<'a>(value: &mut DeValue<'a>, act: &mut impl FnMut(&mut Spanned<DeValue<'a>>)) {
    match value {
        DeValue::Table(table) => each_listen(table, act),
        DeValue::Array(items) => {
            for item in items.iter_mut() {
                each_listen_below(item.get_mut(), act);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEMO: &str = "[http]\nlisten = '127.0.0.1:8080'\n[[misty.serve]]\nlisten = '127.0.0.1:8081'\n\
        [axbot]\nserve = [{ listen = '[::1]:8090' }]\n[broker]\nlisten = '127.0.0.1:1883'\nwebsocket = { listen = '127.0.0.1:9001' }\n\
        [ros]\nlisten = '127.0.0.1:11311'\n[x]\nlisten = '127.0.0.1:0'\n";

    fn ports(text: &str, base: u16) -> Vec<String> {
        let mut root = DeTable::parse(text).unwrap().into_inner();
        rebase(&mut root, base).unwrap();
        let mut found = Vec::new();
        each_listen(&mut root, &mut |value| found.push((value.span().start, value.get_ref().clone())));
        found.sort_by_key(|(start, _)| *start);
        found.iter().map(|(_, value)| value.as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn all_ports_move_together() {
        assert_eq!(
            ports(DEMO, 20_000),
            [
                "127.0.0.1:20000",
                "127.0.0.1:20001",
                "[::1]:20010",
                "127.0.0.1:20020",
                "127.0.0.1:20021",
                "127.0.0.1:20030",
                "127.0.0.1:0"
            ]
        );
        assert_eq!(ports(DEMO, 8080)[..3], ["127.0.0.1:8080", "127.0.0.1:8081", "[::1]:8090"]);
    }

    #[test]
    fn the_common_port_moves_though_nobody_named_it() {
        assert_eq!(ports("[[m.serve]]\nlisten = '127.0.0.1:8081'", 500), ["127.0.0.1:500", "127.0.0.1:501"]);
        assert_eq!(ports("[http]\nlisten = '127.0.0.1:9000'", 500), ["127.0.0.1:500"]);
    }

    #[test]
    fn a_port_that_falls_off_the_end_is_reported() {
        let mut root = DeTable::parse(DEMO).unwrap().into_inner();
        assert!(rebase(&mut root, 65_530).unwrap_err().message.contains("--port-base"));
    }

    #[test]
    fn twins_are_refused() {
        let twins = |text: &str| refuse_twins(&mut DeTable::parse(text).unwrap().into_inner());
        assert_eq!(twins(DEMO), Ok(()));
        let error = twins("[a]\nlisten='127.0.0.1:1'\n[b]\nlisten='127.0.0.1:1'\n").unwrap_err();
        assert!(error.message.contains("twice"), "{error:?}");
        assert!(twins("[a]\nlisten='127.0.0.1:8080'\n").is_err());
    }
}
