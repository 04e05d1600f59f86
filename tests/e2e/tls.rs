//! Programs that come by TLS, with the certificates that `latimer cert` makes.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use latimer_e2e::PATIENCE;
use latimer_e2e::certificates::Folder;
use latimer_e2e::{Gateway, program, users};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{ChildStdin, ChildStdout, Command};

use crate::python;

/// MQTT plainly and over TLS, above the common port.
const MQTT: u16 = 20;
const MQTTS: u16 = 22;

fn port_of(authority: &str) -> &str {
    authority.split(':').nth(1).expect("host and port")
}

/// A Misty, reached by TLS with a client's certificate, and plainly on this machine.
async fn gateway(folder: &Folder) -> Gateway {
    let config = format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[broker]\nlisten = '127.0.0.1:1883'\ntls_listen = '127.0.0.1:8883'\n\
         [tls]\ncertificate = '{}'\nkey = '{}'\nclient_ca = '{}'\n[world]\nfile = 'empty'\n\
         [[simulate]]\nrobot = 'misty-1'\nbody = 'misty'\nposition_m = [3.0, 3.0]\n\
         [[misty.serve]]\nrobot = 'misty-1'\nlisten = '127.0.0.1:8081'\n[[robotkoop.serve]]\nrobot = 'misty-1'\nid = 'R_1'\n",
        folder.file("gateway.test.pem"),
        folder.file("gateway.test.key"),
        folder.file("ca.pem"),
    );
    Gateway::with_text(&config).await
}

/// Which certificate the client sees now.
async fn seen(input: &mut ChildStdin, lines: &mut Lines<BufReader<ChildStdout>>) -> String {
    input.write_all(b"look\n").await.expect("it reads");
    let line = tokio::time::timeout(PATIENCE, lines.next_line()).await.expect("it answers in time");
    line.expect("its output is text").expect("it goes on")
}

#[tokio::test]
async fn programs_come_by_https_and_wss_and_a_new_certificate_is_used_at_once() {
    let folder = Folder::with_certificates("https").await;
    let gateway = gateway(&folder).await;
    let path = folder.0.display().to_string();
    let mut client = python::script("axbot", "tls_client.py", &[&path, &gateway.http(), &gateway.misty()]);
    let client = client.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut client = client.expect("Python starts");
    let (mut input, output) =
        (client.stdin.take().expect("it is piped"), client.stdout.take().expect("it is piped"));
    let mut lines = BufReader::new(output).lines();
    let first = seen(&mut input, &mut lines).await;
    assert_eq!(seen(&mut input, &mut lines).await, first);

    folder.cert(&["gateway.test"]).await;
    let renewed = async {
        while seen(&mut input, &mut lines).await == first {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, renewed).await.is_ok(), "the former certificate is shown still");
    // Broken files change nothing.
    std::fs::write(Path::new(&folder.file("gateway.test.pem")), "nonsense").expect("it can be written");
    let warned = async {
        while !gateway.said().contains("the former ones stay in use") {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, warned).await.is_ok(), "{}", gateway.said());
    seen(&mut input, &mut lines).await;
    drop(input);
    let status =
        tokio::time::timeout(PATIENCE, client.wait()).await.expect("it ends").expect("it can be awaited");
    assert!(status.success(), "{status}");
}

#[tokio::test]
async fn mosquitto_s_clients_come_by_tls_with_a_certificate_alone() {
    let folder = Folder::with_certificates("mqtts").await;
    let gateway = gateway(&folder).await;
    let port = gateway.port(MQTTS);
    let port = port_of(&port);
    let subscribe = |more: Vec<String>| {
        let mut command = Command::new("mosquitto_sub");
        command.args(["-h", "localhost", "-p", port, "--cafile", &folder.file("ca.pem")]).args(more);
        command.args(["-t", "test", "-C", "1", "-W", "20"]).stdin(Stdio::null()).kill_on_drop(true);
        command
    };
    let mine =
        vec!["--cert".to_owned(), folder.file("anna.pem"), "--key".to_owned(), folder.file("anna.key")];
    let publishing = async {
        loop {
            let publish = Command::new("mosquitto_pub")
                .args(["-h", "localhost", "-p", port, "--cafile", &folder.file("ca.pem")])
                .args(&mine)
                .args(["-t", "test", "-m", "hello"])
                .output()
                .await
                .expect("it is installed");
            assert!(publish.status.success(), "{}", String::from_utf8_lossy(&publish.stderr));
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    let mut subscriber = subscribe(mine.clone());
    let received = tokio::select! {
        received = subscriber.output() => received.expect("it is installed"),
        () = publishing => unreachable!(),
    };
    assert_eq!(
        String::from_utf8_lossy(&received.stdout),
        "hello\n",
        "{}",
        String::from_utf8_lossy(&received.stderr)
    );
    let stranger = subscribe(Vec::new()).output().await.expect("it is installed");
    assert!(!stranger.status.success(), "a client without a certificate is let in");
}

/// A program of Debian's that comes with a client's certificate.
fn with_certificate(program: &str, words: [&str; 3], folder: &Folder, client: &str) -> Command {
    let mut command = Command::new(program);
    let [ca, certificate, key] = words;
    command.args([ca, &folder.file("ca.pem")]);
    command.args([certificate, &folder.file(&format!("{client}.pem"))]);
    command.args([key, &folder.file(&format!("{client}.key"))]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    command
}

#[tokio::test]
async fn clients_whose_certificates_are_revoked_are_disconnected_and_come_in_no_more() {
    let folder = Folder::with_certificates("revoked").await;
    folder.cert(&["--client", "bob"]).await;
    // A list that revokes nobody is the lab's from the begin.
    folder.cert(&["--client", "carl"]).await;
    folder.cert(&["--revoke", &folder.file("carl.pem")]).await;
    let [certificate, key, ca, crl] =
        ["gateway.test.pem", "gateway.test.key", "ca.pem", "ca.crl"].map(|it| folder.file(it));
    let gateway = Gateway::with_text(&format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[broker]\nlisten = '127.0.0.1:1883'\ntls_listen = '127.0.0.1:8883'\n\
         [tls]\ncertificate = '{certificate}'\nkey = '{key}'\nclient_ca = '{ca}'\nclient_crl = '{crl}'\n[world]\nfile = 'empty'\n\
         [[simulate]]\nrobot = 'misty-1'\nbody = 'misty'\nposition_m = [3.0, 3.0]\n",
    ))
    .await;
    let (http, mqtts) = (gateway.http(), gateway.port(MQTTS));
    let curl = |client: &str, path: &str| {
        let mut curl = with_certificate("curl", ["--cacert", "--cert", "--key"], &folder, client);
        curl.args(["-sSN", "--fail", &format!("https://localhost:{}{path}", port_of(&http))]);
        curl
    };
    let subscribe = |client: &str| {
        let mut subscribe =
            with_certificate("mosquitto_sub", ["--cafile", "--cert", "--key"], &folder, client);
        subscribe.args(["-h", "localhost", "-p", port_of(&mqtts), "-t", "$SYS/broker/uptime", "-i", client]);
        subscribe
    };
    for (client, is_let_in) in [("anna", true), ("carl", false)] {
        let asked = curl(client, "/api/v1/health").output().await.expect("it is installed");
        assert_eq!(asked.status.success(), is_let_in, "{client}: {}", String::from_utf8_lossy(&asked.stderr));
    }
    // Each has heard something before the list changes.
    let mut open = Vec::new();
    for client in ["anna", "bob"] {
        for mut program in [curl(client, "/api/v1/stream?select=*/pose"), subscribe(client)] {
            let mut child = program.spawn().expect("it is installed");
            let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
            let received =
                tokio::time::timeout(PATIENCE, lines.next_line()).await.expect("it hears something");
            assert!(received.expect("it is text").is_some(), "{client}: its connection ended");
            let reading = tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            open.push((client, child, reading));
        }
    }
    folder.cert(&["--revoke", &folder.file("bob.pem")]).await;
    let ended = async {
        for (client, child, reading) in &mut open {
            if *client == "bob" {
                // mosquitto_sub tries again by itself, and is refused.
                child.wait().await.expect("it can be awaited");
                reading.await.expect("it read to the end");
            }
        }
    };
    tokio::time::timeout(PATIENCE, ended).await.expect("what bob has open ends");
    for (client, child, _) in &mut open {
        let running = child.try_wait().expect("it can be asked").is_none();
        assert_eq!(running, *client == "anna", "{client}");
    }
    assert!(
        !curl("bob", "/api/v1/health").output().await.expect("it runs").status.success(),
        "bob is let in again"
    );
    assert!(
        curl("anna", "/api/v1/health").output().await.expect("it runs").status.success(),
        "anna is not let in"
    );
    let metrics = curl("anna", "/metrics").output().await.expect("it runs");
    let metrics = String::from_utf8_lossy(&metrics.stdout);
    let failed = metrics.lines().find_map(|line| line.strip_prefix("latimer_tls_handshakes_failed_total "));
    assert!(failed.and_then(|it| it.parse::<f64>().ok()).is_some_and(|it| it >= 2.0), "{failed:?}");
}

#[tokio::test]
async fn a_login_over_tls_has_a_cookie_for_tls_alone() {
    let folder = Folder::with_certificates("login").await;
    std::fs::write(folder.file("users.toml"), users::entry("ada", &["see"]).await)
        .expect("it can be written");
    let gateway = Gateway::with_text(&format!(
        "[http]\nlisten = '127.0.0.1:8080'\n[access]\nusers = '{}'\n[tls]\ncertificate = '{}'\nkey = '{}'\n",
        folder.file("users.toml"),
        folder.file("gateway.test.pem"),
        folder.file("gateway.test.key"),
    ))
    .await;
    let http = gateway.http();
    let port = port_of(&http);
    // A program has no `Origin` that would tell.
    for (scheme, secure) in [("http", false), ("https", true)] {
        for path in ["login", "logout"] {
            let asked = Command::new("curl")
                .args(["-sS", "-i", "--max-time", "20", "--cacert", &folder.file("ca.pem")])
                .args(["-H", "Content-Type: application/json", "-d", r#"{"user": "ada", "password": "ada"}"#])
                .arg(format!("{scheme}://localhost:{port}/api/v1/{path}"))
                .output()
                .await
                .expect("curl is installed");
            let answer = String::from_utf8_lossy(&asked.stdout).into_owned();
            let cookie = answer.lines().find(|line| line.to_lowercase().starts_with("set-cookie:"));
            let cookie =
                cookie.unwrap_or_else(|| panic!("{answer}{}", String::from_utf8_lossy(&asked.stderr)));
            assert_eq!(cookie.contains("Secure"), secure, "{scheme} {path}: {cookie}");
        }
    }
}

#[tokio::test]
async fn lines_to_copy_speak_tls_for_who_came_by_it() {
    let folder = Folder::with_certificates("lines").await;
    let gateway = gateway(&folder).await;
    let (http, mqtt, mqtts) = (gateway.http(), gateway.port(MQTT), gateway.port(MQTTS));
    let (port, mqtt, mqtts) = (port_of(&http), port_of(&mqtt), port_of(&mqtts));
    for (s, gateway, broker) in
        [("", "", mqtt.to_owned()), ("s", "https://", format!("{mqtts} --tls-use-os-certs"))]
    {
        let asked = Command::new("curl")
            .args(["-sS", "--max-time", "20", "--cacert", &folder.file("ca.pem")])
            .args(["--cert", &folder.file("anna.pem"), "--key", &folder.file("anna.key")])
            .arg(format!("http{s}://localhost:{port}/api/v1/lines?key=misty-1/navigation"))
            .output()
            .await
            .expect("curl is installed");
        let lines = String::from_utf8_lossy(&asked.stdout).into_owned();
        for line in [
            format!("curl -N 'http{s}://localhost:{port}/api/v1/stream?select="),
            format!("wscat -c 'ws{s}://localhost:{port}/api/v1/stream?select="),
            format!("--gateway {gateway}localhost:{port}"),
            format!("wscat -c ws{s}://localhost:{port}/robots/misty-1/axbot/ws/v2/topics"),
            format!("curl http{s}://localhost:{port}/robots/misty-1/axbot/chassis/moves"),
            format!("mosquitto_sub -h 127.0.0.1 -p {broker} -v"),
        ] {
            assert!(lines.contains(&line), "{line}\n{lines}{}", String::from_utf8_lossy(&asked.stderr));
        }
    }
}

/// File handles of a process.
fn handles(pid: u32) -> usize {
    std::fs::read_dir(format!("/proc/{pid}/fd")).expect("it runs").count()
}

#[tokio::test]
async fn a_connection_that_the_broker_ends_takes_no_handle_though_its_client_stays() {
    let folder = Folder::with_certificates("silent").await;
    let gateway = gateway(&folder).await;
    let port = gateway.port(MQTTS);
    let port = port_of(&port);
    let path = folder.0.display().to_string();
    let before = handles(gateway.pid());
    let mut client = python::script("axbot", "tls_silent.py", &[&path, port]);
    let client = client.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut client = client.expect("Python starts");
    let mut lines = BufReader::new(client.stdout.take().expect("it is piped")).lines();
    // The broker waits ten seconds for the first packet.
    for word in ["open", "closed"] {
        let line = tokio::time::timeout(PATIENCE, lines.next_line()).await.expect("it comes in time");
        assert_eq!(line.expect("its output is text").as_deref(), Some(word));
    }
    let freed = async {
        while handles(gateway.pid()) > before {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    assert!(
        tokio::time::timeout(PATIENCE, freed).await.is_ok(),
        "{} handles, {before} before",
        handles(gateway.pid())
    );
}

#[tokio::test]
async fn a_gateway_with_clients_certificates_may_listen_for_other_machines() {
    let folder = Folder::with_certificates("open").await;
    let check = async |tls: &str| {
        let file = folder.0.join("gateway.toml");
        std::fs::write(&file, format!("[http]\nlisten = '0.0.0.0:8080'\n{tls}")).expect("it can be written");
        let checked = Command::new(program::latimer()).arg("check-config").arg(&file).output().await;
        let checked = checked.expect("the program starts");
        (checked.status.success(), String::from_utf8_lossy(&checked.stderr).into_owned())
    };
    // As it is printed.
    let printed = folder.cert(&["gateway.test"]).await;
    let (is_fine, said) = check(&printed).await;
    assert!(is_fine, "{said}");
    let (is_fine, said) = check("").await;
    assert!(!is_fine && said.contains("client_ca"), "{said}");
    let (is_fine, said) = check(&printed.replace("gateway.test.key", "nowhere.key")).await;
    assert!(!is_fine && said.contains("nowhere.key"), "{said}");
}
