//! Users, tokens and addresses as their files have them, and clients that come in or not.

use std::net::Ipv4Addr;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use latimer_core::access::Role;

use super::*;

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 7));
const DIALECTS: [&str; 3] = ["api", "miro", "misty"];
const SECRET: &str = "0123456789abcdef0123456789abcdef";

fn sessions() -> Sessions {
    Sessions::new(Clock::system())
}

fn write(folder: &Path, extra: &str) -> PathBuf {
    let path = folder.join("users.toml");
    let hash = hash("secret").unwrap();
    let text = format!(
        "[[user]]\nname = \"ada\"\npassword = \"{hash}\"\ngrants = [{{ role = \"drive\", select = \"pera-*\" }}]\n\n{extra}"
    );
    std::fs::write(&path, text).unwrap();
    path
}

const ADDRESS: &str =
    "[[address]]\nnetwork = \"192.168.1.0/24\"\ngrants = [{ role = \"see\", select = \"*/battery\" }]\n";

fn password<'a>(user: &'a str, password: &'a str) -> Option<Credential<'a>> {
    Some(Credential::Password { user, password: password.as_bytes() })
}

async fn error(access: &Access, shown: Option<Credential<'_>>) -> NotLetIn {
    access.enter(HERE, shown).await.unwrap_err()
}

/// A token that is signed by the shared secret.
fn token(claims: &str) -> String {
    let part = |text: &str| BASE64_URL_SAFE_NO_PAD.encode(text);
    let message = format!("{}.{}", part(r#"{"alg":"HS256","typ":"JWT"}"#), part(claims));
    let signed = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, SECRET.as_bytes()), message.as_bytes());
    format!("{message}.{}", BASE64_URL_SAFE_NO_PAD.encode(signed))
}

#[tokio::test]
async fn users_come_with_passwords_and_others_by_their_addresses() {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::load(&write(folder.path(), ADDRESS), DIALECTS.to_vec(), &sessions()).unwrap();
    let pera = "pera-1".parse().unwrap();
    let ada = access.enter(HERE, password("ada", "secret")).await.unwrap();
    assert!(ada.may(Role::Drive, "misty", &pera) && !ada.may(Role::Admin, "api", &pera));
    assert_eq!(error(&access, password("ada", "wrong")).await, NotLetIn::Wrong);
    assert_eq!(error(&access, password("bob", "secret")).await, NotLetIn::Wrong);
    assert_eq!(error(&access, None).await, NotLetIn::Nothing);
    let other = access.enter(ELSEWHERE, None).await.unwrap();
    assert!(other.knows("miro", &pera) && !other.may(Role::See, "miro", &pera));
    assert_eq!(&**other.name(), "192.168.1.7");
    assert_eq!(access.failed(), 2);
}

#[tokio::test]
async fn attempts_that_fail_make_their_user_wait_at_their_address_and_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let bob = format!("[[user]]\nname = \"bob\"\npassword = \"{}\"\ngrants = []\n", hash("other").unwrap());
    let access = Access::load(&write(folder.path(), &bob), DIALECTS.to_vec(), &sessions()).unwrap();
    for _ in 0..4 {
        assert_eq!(error(&access, password("ada", "x")).await, NotLetIn::Wrong);
    }
    assert_eq!(error(&access, password("ada", "x")).await, NotLetIn::Later(1));
    assert!(
        matches!(error(&access, password("ada", "secret")).await, NotLetIn::Later(_)),
        "no way to guess on"
    );
    access.enter(HERE, password("bob", "other")).await.unwrap();
    access.enter(ELSEWHERE, password("ada", "secret")).await.unwrap();
    // Who has come in before is not kept out by somebody of the same address, and neither is a token.
    access.enter(HERE, password("ada", "secret")).await.unwrap();
    for _ in 0..10 {
        assert_eq!(error(&access, Some(Credential::Token("x"))).await, NotLetIn::Wrong);
    }
}

#[tokio::test]
async fn who_comes_to_stop_a_robot_does_not_wait_for_what_else_failed() {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::load(&write(folder.path(), ""), DIALECTS.to_vec(), &sessions()).unwrap();
    while error(&access, password("ada", "x")).await == NotLetIn::Wrong {}
    assert!(matches!(error(&access, password("ada", "secret")).await, NotLetIn::Later(_)));
    // Such attempts have a bound of their own.
    let mut wrong = 0;
    while access.enter_to_stop(HERE, password("ada", "x")).await.unwrap_err() == NotLetIn::Wrong {
        wrong += 1;
    }
    assert_eq!(wrong, 4);
    assert!(matches!(access.enter_to_stop(HERE, password("ada", "secret")).await, Err(NotLetIn::Later(_))));
    access.enter(ELSEWHERE, password("ada", "secret")).await.unwrap();
}

#[tokio::test]
async fn who_stops_a_robot_with_the_right_password_has_come_in() {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::load(&write(folder.path(), ""), DIALECTS.to_vec(), &sessions()).unwrap();
    while error(&access, password("ada", "x")).await == NotLetIn::Wrong {}
    access.enter_to_stop(HERE, password("ada", "secret")).await.unwrap();
    // It is proven by now.
    access.enter(HERE, password("ada", "secret")).await.unwrap();
}

#[tokio::test]
async fn attempts_at_once_are_counted_when_they_begin() {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::load(&write(folder.path(), ""), DIALECTS.to_vec(), &sessions()).unwrap();
    let words: Vec<String> =
        (0..40).map(|it| if it == 30 { "secret".into() } else { format!("x{it}") }).collect();
    let attempts = words.iter().map(|word| access.enter(HERE, password("ada", word)));
    let all = futures_util::future::join_all(attempts).await;
    let later = all.iter().filter(|it| matches!(it, Err(NotLetIn::Later(_)))).count();
    assert_eq!((later, all.iter().filter(|it| it.is_ok()).count()), (36, 0));
}

#[tokio::test]
async fn guesses_at_many_names_of_one_address_wait_in_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::load(&write(folder.path(), ""), DIALECTS.to_vec(), &sessions()).unwrap();
    let mut wrong = 0;
    while error(&access, password(&format!("user{wrong}"), "x")).await == NotLetIn::Wrong {
        wrong += 1;
    }
    assert_eq!(wrong, 31);
}

#[tokio::test]
async fn tokens_are_signed_by_a_key_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut keys = String::new();
    for (algorithm, file, bytes) in [
        ("EdDSA", "ed.pem", &include_bytes!("testdata/eddsa.pub.pem")[..]),
        ("ES256", "ec.pem", include_bytes!("testdata/es256.pub.pem")),
        ("RS256", "rsa.pem", include_bytes!("testdata/rs256.pub.pem")),
        ("HS256", "secret", SECRET.as_bytes()),
    ] {
        std::fs::write(folder.path().join(file), bytes).unwrap();
        keys += &format!("[[key]]\nalgorithm = \"{algorithm}\"\nfile = \"{file}\"\n");
    }
    let access = Access::load(&write(folder.path(), &keys), DIALECTS.to_vec(), &sessions()).unwrap();
    let pera = "pera-1".parse().unwrap();
    for signed in [
        include_str!("testdata/eddsa.jwt"),
        include_str!("testdata/es256.jwt"),
        include_str!("testdata/rs256.jwt"),
        &token(r#"{"sub":"kim","exp":4102444800,"grants":[{"role":"drive","select":"pera-*"}]}"#),
    ] {
        let kim = access.enter(HERE, Some(Credential::Token(signed.trim()))).await.unwrap();
        assert_eq!(&**kim.name(), "kim");
        assert!(
            kim.may(Role::Drive, "api", &pera) && !kim.may(Role::Drive, "api", &"misty-1".parse().unwrap())
        );
    }
    // Without grants of its own it is the user of that name.
    let ada = token(r#"{"sub":"ada","exp":4102444800}"#);
    assert!(access.enter(HERE, Some(Credential::Token(&ada))).await.unwrap().may(Role::Drive, "api", &pera));
    for wrong in [
        token(r#"{"sub":"bob","exp":4102444800}"#),
        token(r#"{"sub":"ada","exp":1000000000}"#),
        token(r#"{"sub":"ada"}"#),
        token(r#"{"sub":"ada","exp":4102444800,"nbf":4102444800}"#),
        format!("{}x", token(r#"{"sub":"ada","exp":4102444800}"#)),
        // Signed by nothing, and by the public key as if that were a secret.
        format!(
            "{}.{}.",
            BASE64_URL_SAFE_NO_PAD.encode(r#"{"alg":"none"}"#),
            BASE64_URL_SAFE_NO_PAD.encode(r#"{"sub":"ada","exp":4102444800}"#)
        ),
    ]
    .iter()
    {
        assert_eq!(error(&access, Some(Credential::Token(wrong))).await, NotLetIn::Wrong, "{wrong}");
    }
}

#[tokio::test]
async fn a_token_is_for_somebody_from_somebody_and_not_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), SECRET).unwrap();
    let load = |terms: &str| {
        let key = format!("[[key]]\nalgorithm = \"HS256\"\nfile = \"secret\"\n{terms}");
        Access::load(&write(folder.path(), &key), DIALECTS.to_vec(), &sessions()).unwrap()
    };
    let own = load("audience = \"latimer\"\nissuer = \"lab\"");
    let (plain, short) = (load(""), load("max_days = 30"));
    for (claims, at_own, at_plain) in [
        (r#"{"sub":"ada","exp":4102444800,"aud":"latimer","iss":"lab"}"#, true, false),
        (r#"{"sub":"ada","exp":4102444800,"aud":"other","iss":"lab"}"#, false, false),
        (r#"{"sub":"ada","exp":4102444800,"aud":"latimer","iss":"other"}"#, false, false),
        (r#"{"sub":"ada","exp":4102444800,"iss":"lab"}"#, false, true),
        (r#"{"sub":"ada","exp":4102444800}"#, false, true),
        (r#"{"sub":"ada","exp":1000000000000000000}"#, false, false),
    ] {
        let token = token(claims);
        let enters =
            async |access: &Access| access.enter(HERE, Some(Credential::Token(&token))).await.is_ok();
        assert_eq!((enters(&own).await, enters(&plain).await), (at_own, at_plain), "{claims}");
        assert!(!enters(&short).await, "{claims}");
    }
}

#[tokio::test]
async fn what_is_connected_ends_with_its_user_password_key_or_token() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), SECRET).unwrap();
    let key = "[[key]]\nalgorithm = \"HS256\"\nfile = \"secret\"\n";
    let path = write(folder.path(), key);
    let access = Access::load(&path, DIALECTS.to_vec(), &sessions()).unwrap();
    let (login, logged_in) = access.log_in(HERE, "ada", b"secret").await.unwrap();
    let soon = Clock::system().now().as_nanos() / 1_000_000_000 + 2;
    let bearer = token(r#"{"sub":"ada","exp":4102444800}"#);
    let bearer = access.enter(HERE, Some(Credential::Token(&bearer))).await.unwrap();
    let short = token(&format!(r#"{{"sub":"kim","exp":{soon},"grants":[{{"role":"see"}}]}}"#));
    let short = access.enter(HERE, Some(Credential::Token(&short))).await.unwrap();
    // Another password: sessions and logins of the old one are over, tokens go on.
    write(folder.path(), key);
    assert!(access.reload().await.unwrap(), "another hash");
    assert!(logged_in.is_ended() && !bearer.is_ended() && !short.is_ended());
    assert_eq!(error(&access, Some(Credential::Token(&login))).await, NotLetIn::Wrong);
    let again = access.enter(HERE, password("ada", "secret")).await.unwrap();
    assert!(!again.is_ended() && again.may_somewhere(Role::Drive, "api"));
    // The token is over.
    access.state().end_over(Clock::system().now().after(Duration::from_secs(60)));
    assert!(short.is_ended() && !bearer.is_ended());
    // No key, and then no user.
    write(folder.path(), "");
    assert!(access.reload().await.unwrap());
    assert!(bearer.is_ended());
    std::fs::write(&path, "").unwrap();
    assert!(access.reload().await.unwrap());
    assert!(again.is_ended());
}

#[tokio::test]
async fn a_fault_in_the_check_of_a_password_refuses_that_client_alone() {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::load(&write(folder.path(), ""), DIALECTS.to_vec(), &sessions()).unwrap();
    latimer_panics::fail_next("checking a password");
    assert_eq!(error(&access, password("ada", "secret")).await, NotLetIn::Fault);
    assert_eq!(access.failed(), 0, "nobody knows whether it was wrong");
    access.enter(HERE, password("ada", "secret")).await.unwrap();
    latimer_panics::fail_next("reading the users' file");
    let failed = access.reload().await.unwrap_err().to_string();
    assert!(failed.contains("while reading the users' file"), "{failed}");
    assert!(!access.reload().await.unwrap());
}

#[tokio::test]
async fn a_login_under_way_while_its_user_is_removed_comes_to_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "");
    let access = Arc::new(Access::load(&path, DIALECTS.to_vec(), &sessions()).unwrap());
    // Its password is looked at when others are done.
    let turns = access.checks.acquire_many(CONCURRENT_PASSWORD_CHECKS.try_into().unwrap()).await.unwrap();
    let login = tokio::spawn({
        let access = access.clone();
        async move { access.log_in(HERE, "ada", b"secret").await.map(|(token, _)| token) }
    });
    // It runs on this thread, until it waits for its turn.
    tokio::task::yield_now().await;
    std::fs::write(&path, "").unwrap();
    assert!(access.reload().await.unwrap());
    drop(turns);
    assert_eq!(login.await.unwrap().unwrap_err(), NotLetIn::Wrong);
    assert!(access.sessions.list().is_empty());
}

#[tokio::test]
async fn a_login_gives_a_token_until_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::load(&write(folder.path(), ""), DIALECTS.to_vec(), &sessions()).unwrap();
    let (token, _) = access.log_in(HERE, "ada", b"secret").await.unwrap();
    let by_password = access.enter(HERE, password("ada", "secret")).await.unwrap();
    let by_login = access.enter(ELSEWHERE, Some(Credential::Token(&token))).await.unwrap();
    assert_eq!(&**by_login.name(), "ada");
    access.log_out(&token);
    assert!(by_login.is_ended() && !by_password.is_ended());
    assert_eq!(error(&access, Some(Credential::Token(&token))).await, NotLetIn::Wrong);
    // An admin ends it, and it ends by itself.
    let (ended, _) = access.log_in(HERE, "ada", b"secret").await.unwrap();
    let listed = access.sessions.list();
    assert_eq!(
        listed.iter().map(|it| (it.protocol, it.user.as_deref())).collect::<Vec<_>>(),
        [("login", Some("ada"))]
    );
    assert!(access.sessions.end(listed[0].id).is_some());
    assert_eq!(error(&access, Some(Credential::Token(&ended))).await, NotLetIn::Wrong);
    let (_, over) = access.log_in(HERE, "ada", b"secret").await.unwrap();
    access.state().end_over(Clock::system().now().after(LOGIN_TIME + Duration::from_secs(1)));
    assert!(over.is_ended() && access.sessions.list().is_empty());
    assert_eq!(access.log_in(HERE, "ada", b"wrong").await.unwrap_err(), NotLetIn::Wrong);
}

#[tokio::test]
async fn a_file_that_changes_applies_to_those_who_are_in() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), ADDRESS);
    let access = Access::load(&path, DIALECTS.to_vec(), &sessions()).unwrap();
    let pera = "pera-1".parse().unwrap();
    let ada = access.enter(HERE, password("ada", "secret")).await.unwrap();
    let (token, _) = access.log_in(HERE, "ada", b"secret").await.unwrap();
    let other = access.enter(ELSEWHERE, None).await.unwrap();
    assert!(!access.reload().await.unwrap());
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("drive", "admin").replace("*/battery", "pera-1")).unwrap();
    assert!(access.reload().await.unwrap());
    assert!(ada.may(Role::Admin, "api", &pera) && other.may(Role::See, "miro", &pera));
    access.enter(HERE, Some(Credential::Token(&token))).await.unwrap();
    std::fs::write(&path, "[[user]]\n").unwrap();
    assert!(access.reload().await.unwrap_err().to_string().contains("missing field"));
    assert!(ada.may(Role::Admin, "api", &pera));
    std::fs::write(&path, "").unwrap();
    assert!(access.reload().await.unwrap());
    assert!(!ada.knows("api", &pera) && !other.knows("miro", &pera));
    assert_eq!(error(&access, Some(Credential::Token(&token))).await, NotLetIn::Wrong);
    assert_eq!(error(&access, password("ada", "secret")).await, NotLetIn::Wrong);
}

#[test]
fn what_cannot_be_meant_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let hash = hash("x").unwrap();
    let user = |name: &str, grants: &str| {
        format!("[[user]]\nname = \"{name}\"\npassword = \"{hash}\"\ngrants = [{grants}]\n")
    };
    for (text, expected) in [
        (user("", ""), "user[0].name: \"\" is no name of a user"),
        (user("10.0.0.1", ""), "is no name of a user"),
        (format!("{}{}", user("ada", ""), user("ada", "")), "user[1].name: \"ada\" is there twice"),
        (user("ada", "{ role = \"fly\" }"), "unknown variant `fly`"),
        (user("ada", "{ role = \"see\", select = \"a//b\" }"), "user[0].grants[0]: \"a//b\" selects nothing"),
        (
            user("ada", "{ role = \"see\", dialects = [\"klingon\"] }"),
            "\"klingon\" is no dialect; there are api",
        ),
        (user("ada", "{ role = \"drive\", select = \"*/pose\" }"), "who commands a robot commands all of it"),
        ("[[user]]\nname = \"ada\"\npassword = \"secret\"\ngrants = []\n".to_owned(), "it is no argon2 hash"),
        (
            "[[address]]\nnetwork = \"lab\"\ngrants = []\n".to_owned(),
            "address[0].network: \"lab\" is no network",
        ),
        (
            "[[key]]\nalgorithm = \"HS256\"\nfile = \"short\"\n".to_owned(),
            "key[0], short: 5 bytes are too few",
        ),
        ("[[key]]\nalgorithm = \"EdDSA\"\nfile = \"short\"\n".to_owned(), "it is no such key"),
        ("[[key]]\nalgorithm = \"EdDSA\"\nfile = \"none\"\n".to_owned(), "cannot read"),
    ] {
        std::fs::write(folder.path().join("short"), "short").unwrap();
        let path = folder.path().join("users.toml");
        std::fs::write(&path, &text).unwrap();
        let error = UsersFile::read(&path, &DIALECTS).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}\n{error}");
    }
}
