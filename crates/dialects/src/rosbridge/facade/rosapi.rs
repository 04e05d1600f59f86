//! `rosapi`, the services by which clients ask what there is, and the services of each robot.

use latimer_core::Command;
use latimer_ros1::message::Catalog;
use serde_json::{Value as Json, json};

use super::typedefs::typedefs;
use super::{Facade, ROSAPI_NODE, graph};
use crate::rosbridge::topics::EMERGENCY_STOP;
use crate::rosbridge::types::{self, ros1_name};

/// How `rosapi` describes a type.
const TYPE_DEF: &str = "string type\nstring[] fieldnames\nstring[] fieldtypes\nint32[] fieldarraylen\nstring[] examples\n\
                        string[] constnames\nstring[] constvalues\n";

/// The services below `/rosapi/`, as their `.srv` texts have them.
pub(super) const SERVICES: &[(&str, &str)] = &[
    ("topics", "---\nstring[] topics\nstring[] types"),
    ("topics_for_type", "string type\n---\nstring[] topics"),
    ("topics_and_raw_types", "---\nstring[] topics\nstring[] types\nstring[] typedefs_full_text"),
    ("topic_type", "string topic\n---\nstring type"),
    ("publishers", "string topic\n---\nstring[] publishers"),
    ("subscribers", "string topic\n---\nstring[] subscribers"),
    ("services", "---\nstring[] services"),
    ("services_for_type", "string type\n---\nstring[] services"),
    ("service_type", "string service\n---\nstring type"),
    ("service_node", "string service\n---\nstring node"),
    ("service_host", "string service\n---\nstring host"),
    ("service_providers", "string service\n---\nstring[] providers"),
    ("service_request_details", "string type\n---\nTypeDef[] typedefs"),
    ("service_response_details", "string type\n---\nTypeDef[] typedefs"),
    ("message_details", "string type\n---\nTypeDef[] typedefs"),
    ("nodes", "---\nstring[] nodes"),
    ("node_details", "string node\n---\nstring[] subscribing\nstring[] publishing\nstring[] services"),
    ("action_servers", "---\nstring[] action_servers"),
    ("get_param", "string name\nstring default\n---\nstring value"),
    ("set_param", "string name\nstring value\n---"),
    ("has_param", "string name\n---\nbool exists"),
    ("delete_param", "string name\n---"),
    ("search_param", "string name\n---\nstring global_name"),
    ("get_param_names", "---\nstring[] names"),
    ("get_time", "---\ntime time"),
];

/// Adds the types of these services.
pub(in crate::rosbridge) fn add_types(catalog: &mut Catalog) {
    // A test reads them all.
    let _ = catalog.add("rosapi/TypeDef", TYPE_DEF);
    for (name, text) in SERVICES {
        let _ = catalog.add_service(&type_name(name), text);
    }
}

/// The type of a service: `topics_for_type` is `rosapi/TopicsForType`.
pub(super) fn type_name(service: &str) -> String {
    let word = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    format!("rosapi/{}", service.split('_').map(word).collect::<String>())
}

/// The type of a service of `rosapi`; `None` if it has no such service.
pub(super) fn type_of(service: &str) -> Option<String> {
    let name = service.strip_prefix(ROSAPI_NODE)?.strip_prefix('/')?;
    SERVICES.iter().find(|(known, _)| *known == name).map(|(known, _)| type_name(known))
}

/// What a call of a robot's service asks of the robot.
pub(super) fn command_from_call(path: &str, args: &Json) -> Command {
    match path == EMERGENCY_STOP.0 {
        true => Command::EmergencyStop(args["data"].as_bool().unwrap_or_default()),
        false => Command::Stop { hold: false },
    }
}

/// Whether a call changes something that others see.
pub(super) fn changes(service: &str) -> bool {
    service.ends_with("/set_param") || service.ends_with("/delete_param")
}

/// The answer of `rosapi` to arguments that are those of the service's type, or why there is none.
pub(super) fn answer(facade: &Facade, service: &str, args: &Json) -> Result<Json, String> {
    let asked = |name: &str| args[name].as_str().unwrap_or_default().to_owned();
    // Parameters and topics are asked for without their first slash, too.
    let named = |name: &str| super::client::rooted(&asked(name));
    let of_type = || ros1_name(&asked("type")).into_owned();
    let topics = || graph::topics(facade);
    let topic = |wanted: String| topics().into_iter().find(|it| it.name == wanted);
    let services = || graph::services(facade);
    let service_called = || services().into_iter().find(|it| it.name == named("service"));
    Ok(match service.rsplit('/').next().unwrap_or_default() {
        "topics" => {
            let (topics, types): (Vec<_>, Vec<_>) =
                topics().into_iter().map(|it| (it.name, it.ros_type)).unzip();
            json!({"topics": topics, "types": types})
        }
        "topics_and_raw_types" => {
            let (topics, types): (Vec<_>, Vec<_>) =
                topics().into_iter().map(|it| (it.name, it.ros_type)).unzip();
            let text = |ros_type: &String| types::layout(ros_type).map_or("", |it| it.definition());
            let texts: Vec<_> = types.iter().map(text).collect();
            json!({"topics": topics, "types": types, "typedefs_full_text": texts})
        }
        "topics_for_type" => {
            let topics = topics().into_iter().filter(|it| it.ros_type == of_type()).map(|it| it.name);
            json!({"topics": topics.collect::<Vec<_>>()})
        }
        "topic_type" => json!({"type": topic(named("topic")).map(|it| it.ros_type).unwrap_or_default()}),
        "publishers" => {
            json!({"publishers": topic(named("topic")).map(|it| it.publishers).unwrap_or_default()})
        }
        "subscribers" => {
            json!({"subscribers": topic(named("topic")).map(|it| it.subscribers).unwrap_or_default()})
        }
        "services" => json!({"services": services().into_iter().map(|it| it.name).collect::<Vec<_>>()}),
        "services_for_type" => {
            let services = services().into_iter().filter(|it| it.ros_type == of_type()).map(|it| it.name);
            json!({"services": services.collect::<Vec<_>>()})
        }
        "service_type" => json!({"type": service_called().map(|it| it.ros_type).unwrap_or_default()}),
        "service_node" => json!({"node": service_called().map(|it| it.node).unwrap_or_default()}),
        "service_host" => json!({"host": service_called().map(|_| "localhost").unwrap_or_default()}),
        "service_providers" => {
            // rosapi's own takes a type there, as its implementation reads it.
            let wanted = asked("service");
            let of =
                |it: &graph::GraphService| it.name == named("service") || it.ros_type == ros1_name(&wanted);
            let nodes = services().into_iter().filter(of).map(|it| it.node);
            json!({"providers": nodes.collect::<std::collections::BTreeSet<_>>()})
        }
        "message_details" => json!({"typedefs": typedefs(&of_type())?}),
        "service_request_details" => json!({"typedefs": typedefs(&format!("{}Request", of_type()))?}),
        "service_response_details" => json!({"typedefs": typedefs(&format!("{}Response", of_type()))?}),
        "nodes" => json!({"nodes": graph::nodes(facade)}),
        "node_details" => {
            let node = named("node");
            let names = |of: fn(&graph::GraphTopic) -> &Vec<String>| {
                let of_node = topics().into_iter().filter(|it| of(it).contains(&node));
                of_node.map(|it| it.name).collect::<Vec<_>>()
            };
            let served = services().into_iter().filter(|it| it.node == node).map(|it| it.name);
            json!({
                "subscribing": names(|it| &it.subscribers), "publishing": names(|it| &it.publishers),
                "services": served.collect::<Vec<_>>(),
            })
        }
        "action_servers" => json!({"action_servers": graph::action_servers(facade)}),
        "get_param" => {
            // What is no JSON text is a text.
            let text = Some(asked("default")).filter(|it| !it.is_empty());
            let default = text.map(|it| serde_json::from_str(&it).unwrap_or(Json::from(it)));
            let described = || facade.described(&named("name")).map(Json::from);
            let value = facade.parameters.get(&named("name")).or_else(described).or(default);
            json!({"value": value.unwrap_or_default().to_string()})
        }
        "set_param" => {
            facade.parameters.set(&named("name"), &asked("value"))?;
            json!({})
        }
        "has_param" => {
            let name = named("name");
            json!({"exists": facade.parameters.get(&name).is_some() || facade.described(&name).is_some()})
        }
        "delete_param" => {
            facade.parameters.delete(&named("name"));
            json!({})
        }
        "search_param" => {
            let name = Some(named("name")).filter(|it| facade.parameters.get(it).is_some());
            json!({"global_name": name.unwrap_or_default()})
        }
        "get_param_names" => json!({"names": facade.parameters.names()}),
        _ => {
            let nanos = facade.hub.clock().now().as_nanos();
            json!({"time": {"secs": nanos / 1_000_000_000, "nsecs": nanos % 1_000_000_000}})
        }
    })
}
