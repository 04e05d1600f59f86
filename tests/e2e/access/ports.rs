//! Authentication at every port, and what each user sees there.

use std::time::Duration;

use latimer_e2e::standing::{CHASSIS, MISTY, MQTT_PAGES, STANDING};
use latimer_e2e::{Gateway, PATIENCE, handshake};
use reqwest::{Client, Method, StatusCode, header};
use serde_json::json;

use super::{Users, basic, get, places, publish, request};

#[tokio::test]
async fn every_port_asks_who_comes() {
    let users = Users::new("ports").await;
    let gateway = users.gateway().await;
    // Before somebody guesses, after which the next one of this address waits.
    assert!(publish(&gateway, "driver", "weather", "x").await);
    for (port, path) in [
        (0, "/api/v1/stream"),
        (0, "/api/v1/world/stream"),
        (0, "/robots/misty-1/misty/pubsub"),
        (0, "/robots/axbot-1/axbot/ws/v2/topics"),
        (0, "/rosbridge"),
        (MISTY, "/pubsub"),
        (CHASSIS, "/ws/v2/topics"),
    ] {
        assert_eq!(handshake(&gateway.port(port), path, None, &[]).await.0, 401, "{path}");
        let wrong = [("Authorization", "Basic dmlld2VyOndyb25n")];
        assert!(matches!(handshake(&gateway.port(port), path, None, &wrong).await.0, 401 | 429), "{path}");
        let right = basic("viewer");
        assert_eq!(
            handshake(&gateway.port(port), path, None, &[("Authorization", &right)]).await.0,
            101,
            "{path}"
        );
    }
    // A chassis' program shows its secret.
    let secret = [("Secret", "viewer:viewer")];
    assert_eq!(handshake(&gateway.port(CHASSIS), "/ws/v2/topics", None, &secret).await.0, 101);
    // The broker, by both of its ports; the socket is not the client yet.
    assert!(!publish(&gateway, "nobody", "weather", "x").await);
    assert!(publish(&gateway, "driver", "weather", "x").await);
    assert_eq!(handshake(&gateway.port(MQTT_PAGES), "/mqtt", None, &[]).await.0, 101);
    let said = gateway.said();
    assert!(said.contains("an attempt to come in failed") && said.contains("127.0.0.1"), "{said}");
}

#[tokio::test]
async fn a_page_that_the_config_allows_asks_first_and_shows_its_credential_then() {
    const PAGE: &str = "https://app.example";
    let users = Users::new("pages").await;
    let allow = |text: &str, port: &str| {
        text.replace(&format!("listen = '{port}'"), &format!("listen = '{port}'\nallow_origins = ['{PAGE}']"))
    };
    let text = allow(&allow(STANDING, "127.0.0.1:8081"), "127.0.0.1:8090");
    let gateway = users.gateway_with(&text).await;
    for (port, path, body) in [
        (MISTY, "/api/led", json!({"Red": 1, "Green": 2, "Blue": 3})),
        (CHASSIS, "/services/wheel_control/set_control_mode", json!({"control_mode": "manual"})),
    ] {
        let url = format!("http://{}{path}", gateway.port(port));
        let preflight = Client::new()
            .request(Method::OPTIONS, &url)
            .header(header::ORIGIN, PAGE)
            .header(header::ACCESS_CONTROL_REQUEST_METHOD, "POST")
            .header(header::ACCESS_CONTROL_REQUEST_HEADERS, "authorization,content-type");
        let answer = preflight.send().await.expect("it answers");
        assert!(answer.status().is_success(), "{url}: {}", answer.status());
        let headers = answer.headers();
        assert!([PAGE, "*"].contains(&headers["access-control-allow-origin"].to_str().expect("text")));
        let allowed = headers["access-control-allow-headers"].to_str().expect("text").to_ascii_lowercase();
        assert!(allowed.contains("authorization"), "{url}: {allowed}");
        for (user, lets_in) in [("", false), ("driver", true)] {
            let post = request(Method::POST, url.clone(), user).header(header::ORIGIN, PAGE).json(&body);
            let status = post.send().await.expect("it answers").status();
            assert_eq!(status != StatusCode::UNAUTHORIZED, lets_in, "{url} by {user:?}: {status}");
        }
        // Without the question of a browser, OPTIONS needs a credential as everything does.
        let bare = Client::new().request(Method::OPTIONS, &url).send().await.expect("it answers");
        assert_eq!(bare.status(), StatusCode::UNAUTHORIZED, "{url}");
    }
}

#[tokio::test]
async fn another_gateway_comes_in_with_the_login_of_its_address() {
    let users = Users::new("second").await;
    let first = users.gateway().await;
    let second = async |login: &str| {
        let (misty, chassis) = (first.port(MISTY), first.port(CHASSIS));
        Gateway::with_text(&format!(
            "[http]\nlisten = '127.0.0.1:8080'\n[[misty.connect]]\nrobot = 'far-misty'\naddress = 'http://{login}@{misty}'\n\
             [[axbot.connect]]\nrobot = 'far-axbot'\naddress = 'http://{login}@{chassis}'\n"
        ))
        .await
    };
    let driver = second("driver:driver").await;
    driver.until_up("far-misty").await;
    driver.until_up("far-axbot").await;
    let before = places(&first).await;
    driver.cli_ok(&["send", "far-misty", "drive", "0.2", "0", "--for", "500ms"]).await;
    assert_ne!(places(&first).await, before);
    let wrong = second("driver:wrong").await;
    let told = async {
        let is_logged = |robot: &str| {
            wrong.said().contains(&format!("the link is down; it tries again robot={robot} reason="))
        };
        while !is_logged("far-misty") || !is_logged("far-axbot") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, told).await.expect("the log tells why there is no link");
    assert!(!wrong.said().contains("driver:wrong"), "{}", wrong.said());
}

#[tokio::test]
async fn a_student_sees_and_drives_what_the_file_says() {
    let users = Users::new("student").await;
    let gateway = users.gateway().await;
    let robots = get(&gateway, "/api/v1/robots", "student").await;
    let names: Vec<_> =
        robots["robots"].as_array().expect("robots").iter().map(|it| it["robot"].clone()).collect();
    assert_eq!(names, ["axbot-1", "misty-1"]);
    let last = get(&gateway, "/api/v1/last", "student").await;
    for update in last["updates"].as_array().expect("updates") {
        assert!(update["robot"] == "misty-1" || update["kind"] == "battery", "{update}");
    }
    let me = get(&gateway, "/api/v1/me", "student").await;
    assert_eq!(
        (&me["name"], &me["drives"], &me["is_admin"]),
        (&json!("student"), &json!(["misty-1"]), &json!(false))
    );
    let drive = json!({"command": "drive", "linear_mps": 0.1, "duration_s": 0.2});
    for (robot, expected) in
        [("misty-1", StatusCode::OK), ("axbot-1", StatusCode::FORBIDDEN), ("pera-1", StatusCode::NOT_FOUND)]
    {
        let url = format!("http://{}/api/v1/robots/{robot}/commands", gateway.http());
        let status =
            request(Method::POST, url, "student").json(&drive).send().await.expect("it answers").status();
        assert_eq!(status, expected, "{robot}");
    }
    // A chassis' own words hold more than the battery.
    let url = format!("http://{}/robots/axbot-1/axbot/device/info", gateway.http());
    assert_eq!(
        request(Method::GET, url, "student").send().await.expect("it answers").status(),
        StatusCode::FORBIDDEN
    );
    let url = format!("http://{}/api/v1/last?select=axbot-1/battery&native=true", gateway.http());
    assert_eq!(
        request(Method::GET, url, "student").send().await.expect("it answers").status(),
        StatusCode::FORBIDDEN
    );
    let given = get(&gateway, "/api/v1/commands", "admin").await;
    assert!(
        given["commands"].as_array().expect("commands").iter().any(|it| it["author"]["name"] == "student"),
        "{given}"
    );
    // The command line.
    let listed = gateway.cli_ok(&["robots", "--token", "student:student"]).await;
    assert!(listed.contains("misty-1") && !listed.contains("pera-1"), "{listed}");
    gateway.cli_ok(&["echo", "misty-1/battery", "-n", "1", "--token", "student:student"]).await;
    let refused = gateway.cli(&["robots"]).await;
    assert!(String::from_utf8_lossy(&refused.stderr).contains("LATIMER_TOKEN"), "{refused:?}");
}
