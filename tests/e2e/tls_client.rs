//! The gateway and the command line as clients of servers that speak TLS, with the certificates that `latimer cert` makes.

use std::process::{Output, Stdio};
use std::time::Duration;

use latimer_e2e::PATIENCE;
use latimer_e2e::mosquitto::{Mosquitto, port_of};
use latimer_e2e::{Gateway, program};
use serde_json::Value;
use tokio::process::Command;

use latimer_e2e::certificates::Folder;

/// Ports above the common one.
const CHASSIS: u16 = 10;
const BRIDGE: u16 = 15;
const MQTTS: u16 = 22;

/// `[tls]` of a gateway that asks everybody for a certificate, itself not.
fn server(folder: &Folder) -> String {
    format!(
        "[tls]\ncertificate = '{}'\nkey = '{}'\nclient_ca = '{}'\n",
        folder.file("gateway.test.pem"),
        folder.file("gateway.test.key"),
        folder.file("ca.pem"),
    )
}

/// `[tls]` of a gateway that trusts the lab's root and is known to it.
fn client(folder: &Folder) -> String {
    format!(
        "[tls]\nroots = '{}'\nclient_certificate = '{}'\nclient_key = '{}'\n",
        folder.file("ca.pem"),
        folder.file("anna.pem"),
        folder.file("anna.key"),
    )
}

/// A Misty and a chassis. Other addresses of this machine are reached, too, which no certificate names.
async fn robots(folder: &Folder) -> Gateway {
    let config = format!(
        "[http]\nlisten = '0.0.0.0:8080'\n[world]\nfile = 'empty'\n[rosbridge]\nlisten = '127.0.0.1:8095'\n\
         [[simulate]]\nrobot = 'misty-1'\nbody = 'misty'\nposition_m = [3.0, 3.0]\n\
         [[simulate]]\nrobot = 'axbot-1'\nbody = 'axbot'\nposition_m = [1.5, 1.5]\n\
         [[misty.serve]]\nrobot = 'misty-1'\nlisten = '0.0.0.0:8081'\n\
         [[axbot.serve]]\nrobot = 'axbot-1'\nlisten = '127.0.0.1:8090'\n{}",
        server(folder)
    );
    Gateway::with_text(&config).await
}

/// What a gateway says of a robot's link.
async fn link(gateway: &Gateway, robot: &str) -> Value {
    let url = format!("http://{}/api/v1/robots/{robot}", gateway.http());
    let report: Value =
        reqwest::get(url).await.expect("it answers").json().await.expect("the answer is JSON");
    report["link"].clone()
}

/// Waits until a robot's link is down for a reason with these words, and until it was tried again. The log has it once.
async fn refused(gateway: &Gateway, robot: &str, words: &[&str]) {
    let down = async {
        while !words.iter().all(|it| link_says(it, &gateway.said(), robot)) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        loop {
            let link = link(gateway, robot).await.to_string();
            if words.iter().all(|it| link.contains(it)) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let again = format!("the link is down still robot={robot}");
        while gateway.said().matches(&again).count() < 2 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, down).await.is_ok(), "{words:?}:\n{}", gateway.said());
    let first = words.first().copied().unwrap_or_default();
    let lines: Vec<String> =
        gateway.said().lines().filter(|it| link_says(first, it, robot)).map(str::to_owned).collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
}

fn link_says(words: &str, text: &str, robot: &str) -> bool {
    text.lines().any(|line| line.contains(robot) && line.contains(words))
}

#[tokio::test]
async fn a_second_gateway_reaches_robots_by_https_and_wss() {
    let folder = Folder::with_certificates("sessions").await;
    let first = robots(&folder).await;
    let (misty, chassis, bridge) =
        (port_of(&first.misty()), port_of(&first.port(CHASSIS)), port_of(&first.port(BRIDGE)));
    let second = Gateway::with_text(&format!(
        "[http]\nlisten = '127.0.0.1:8080'\n\
         [[misty.connect]]\nrobot = 'far-misty'\naddress = 'https://localhost:{misty}'\n\
         [[axbot.connect]]\nrobot = 'far-axbot'\naddress = 'wss://127.0.0.1:{chassis}'\n\
         [[rosbridge.connect]]\nrobot = 'far-bridge'\naddress = 'wss://localhost:{bridge}'\nname = 'misty_1'\n{}",
        client(&folder)
    ))
    .await;
    for (robot, command) in [
        ("far-misty", &["drive", "0.1", "0", "--for", "500ms"][..]),
        ("far-axbot", &["mode", "remote"]),
        ("far-bridge", &["drive", "0.1", "0", "--for", "500ms"]),
    ] {
        second.until_up(robot).await;
        // Events by wss, commands by https.
        second.cli_ok(&["echo", &format!("{robot}/pose"), "-n", "1"]).await;
        second.cli_ok(&[&["send", robot], command].concat()).await;
    }
}

#[tokio::test]
async fn a_robot_that_is_not_trusted_is_named_with_the_reason_once() {
    let folder = Folder::with_certificates("refused").await;
    let first = robots(&folder).await;
    let (misty, chassis) = (port_of(&first.misty()), port_of(&first.port(CHASSIS)));
    let at = async |tls: &str, host: &str| {
        let config = format!(
            "[http]\nlisten = '127.0.0.1:8080'\n[log]\nlevel = 'info,latimer_core=debug'\n\
             [[misty.connect]]\nrobot = 'far-misty'\naddress = 'https://{host}:{misty}'\n\
             [[axbot.connect]]\nrobot = 'far-axbot'\naddress = 'https://localhost:{chassis}'\n{tls}"
        );
        Gateway::with_text(&config).await
    };
    // Nothing is known of the lab's root.
    let stranger = at("", "localhost").await;
    refused(&stranger, "far-misty", &["a root that is not trusted", "localhost", "roots of [tls]"]).await;
    refused(&stranger, "far-axbot", &["a root that is not trusted", "localhost", "roots of [tls]"]).await;
    // It is, but the first is called by a name that its certificate has not, and both want a certificate.
    let roots = format!("[tls]\nroots = '{}'\n", folder.file("ca.pem"));
    let nameless = at(&roots, "127.0.0.2").await;
    refused(&nameless, "far-misty", &["and not for 127.0.0.2", "gateway.test"]).await;
    refused(&nameless, "far-axbot", &["wants a certificate", "localhost", "client_certificate"]).await;
}

#[tokio::test]
async fn a_household_robot_is_reached_by_mqtts_at_a_gateway_s_broker() {
    let folder = Folder::with_certificates("mqtts-own").await;
    let first = Gateway::with_text(&format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[world]\nfile = 'demo'\nspeed = 10.0\n\
         [broker]\nlisten = '127.0.0.1:1883'\ntls_listen = '127.0.0.1:8883'\n\
         [[broker.users]]\nname = 'home'\npassword = 'secret'\n\
         [[simulate]]\nrobot = 'robotkoop-1'\nbody = 'robotkoop'\nspawn = 'kitchen'\n\
         [[robotkoop.serve]]\nrobot = 'robotkoop-1'\nid = 'R_1'\n{}",
        server(&folder)
    ))
    .await;
    asks_for_a_task(&folder, &format!("mqtts://home:secret@localhost:{}", port_of(&first.port(MQTTS)))).await;
}

#[tokio::test]
async fn a_household_robot_is_served_and_reached_by_mqtts_at_a_broker_elsewhere() {
    let folder = Folder::with_certificates("mqtts-elsewhere").await;
    let broker = Mosquitto::with_tls(
        &folder.file("gateway.test.pem"),
        &folder.file("gateway.test.key"),
        &folder.file("ca.pem"),
    )
    .await;
    let url = format!("mqtts://localhost:{}", broker.tls_port());
    let first = Gateway::with_text(&format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[world]\nfile = 'demo'\nspeed = 10.0\n[broker]\nurl = '{url}'\n\
         [[simulate]]\nrobot = 'robotkoop-1'\nbody = 'robotkoop'\nspawn = 'kitchen'\n\
         [[robotkoop.serve]]\nrobot = 'robotkoop-1'\nid = 'R_1'\n{}",
        client(&folder)
    ))
    .await;
    asks_for_a_task(&folder, &url).await;
    drop(first);

    let told = async |tls: &str| {
        let config = format!(
            "[http]\nlisten = '127.0.0.1:8080'\n[log]\nlevel = 'info,latimer_core=debug'\n\
             [[robotkoop.connect]]\nrobot = 'far'\naddress = '{url}'\nid = 'R_1'\n{tls}"
        );
        Gateway::with_text(&config).await
    };
    let stranger = told("").await;
    refused(&stranger, "far", &["a root that is not trusted", "mqtts://localhost", "roots of [tls]"]).await;
    let nameless = told(&format!("[tls]\nroots = '{}'\n", folder.file("ca.pem"))).await;
    refused(&nameless, "far", &["wants a certificate", "mqtts://localhost", "client_certificate"]).await;
}

/// A second gateway gives the household robot at this broker a task.
async fn asks_for_a_task(folder: &Folder, url: &str) {
    let second = Gateway::with_text(&format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[[robotkoop.connect]]\nrobot = 'far'\naddress = '{url}'\nid = 'R_1'\n{}",
        client(folder)
    ))
    .await;
    second.until_up("far").await;
    second.cli_ok(&["send", "far", "bring", "--object", "coke", "--to", "user"]).await;
}

/// The program with a gateway's address and some options.
async fn latimer(arguments: &[&str]) -> Output {
    let running =
        Command::new(program::latimer()).args(arguments).stdin(Stdio::null()).kill_on_drop(true).output();
    let output = tokio::time::timeout(PATIENCE, running).await;
    output.expect("it ends in time").expect("the program starts")
}

#[tokio::test]
async fn the_command_line_speaks_to_a_gateway_by_https_and_wss() {
    let folder = Folder::with_certificates("cli").await;
    let gateway = robots(&folder).await;
    let (ca, certificate, key) = (folder.file("ca.pem"), folder.file("anna.pem"), folder.file("anna.key"));
    let port = port_of(&gateway.http());
    let url = format!("https://localhost:{port}");
    let mine = ["--gateway", &url, "--ca", &ca, "--certificate", &certificate, "--key", &key];
    let tasks: [&[&str]; 3] = [
        &["robots"],
        &["echo", "misty-1/imu", "-n", "1"],
        &["send", "misty-1", "drive", "0.1", "0", "--for", "500ms"],
    ];
    for task in tasks {
        let output = latimer(&[task, &mine].concat()).await;
        assert!(output.status.success(), "{task:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    // The same by the environment.
    let mut command = Command::new(program::latimer());
    command.arg("robots").env("LATIMER_GATEWAY", &url).env("LATIMER_CA", &ca);
    command.env("LATIMER_CERTIFICATE", &certificate).env("LATIMER_KEY", &key);
    assert!(command.output().await.expect("the program starts").status.success());

    let other = format!("https://127.0.0.2:{port}");
    let refusals: [(&[&str], &[&str]); 3] = [
        (&["--gateway", &url], &["a root that is not trusted", "--ca", &url]),
        (&["--gateway", &other, "--ca", &ca], &["and not for 127.0.0.2", &other]),
        (&["--gateway", &url, "--ca", &ca], &["wants a certificate", "--certificate and --key", &url]),
    ];
    for (options, words) in refusals {
        for task in &tasks[..2] {
            let output = latimer(&[task, options].concat()).await;
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(3), "{options:?} {task:?}: {said}");
            assert!(words.iter().all(|it| said.contains(it)), "{options:?} {task:?}: {said}");
        }
    }
}

#[tokio::test]
async fn a_config_whose_addresses_or_files_are_wrong_is_refused_with_their_keys() {
    let folder = Folder::with_certificates("check").await;
    let anna = (folder.file("anna.pem"), folder.file("anna.key"));
    let fine = format!(
        "[broker]\nurl = 'mqtts://home:secret@broker.lab'\n[[misty.connect]]\nrobot = 'a'\naddress = 'https://misty.lab'\n{}",
        client(&folder)
    );
    let wrong = [
        ("mqtts://home:secret@broker.lab", "mqtts://broker.lab:port", "broker.url"),
        ("https://misty.lab", "https://misty.lab:99999", "misty.connect[0].address"),
        ("https://misty.lab", "mqtts://misty.lab", "misty.connect[0].address"),
        ("ca.pem", "nowhere.pem", "nowhere.pem"),
        (&anna.1, &anna.0, "anna.pem"),
        ("client_key", "# client_key", "tls.client_certificate"),
    ];
    let check = async |text: &str| {
        let file = folder.0.join("gateway.toml");
        std::fs::write(&file, text).expect("it can be written");
        let output = latimer(&["check-config", &file.display().to_string()]).await;
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (is_fine, said) = check(&fine).await;
    assert!(is_fine, "{said}");
    for (right, wrong, named) in wrong {
        let (is_fine, said) = check(&fine.replace(right, wrong)).await;
        let last = named.rsplit('.').next().unwrap_or(named);
        assert!(!is_fine && (said.contains(named) || said.contains(last)), "{wrong}: {said}");
        assert!(!said.contains("secret@"), "{said}");
    }
}
